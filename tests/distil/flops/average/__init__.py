"""Tests of the solver of the average error."""
