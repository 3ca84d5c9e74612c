"""Tests of the engine that chooses subsets of features."""
