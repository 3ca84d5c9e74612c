"""Tests of the integer programs and of the largest error."""
