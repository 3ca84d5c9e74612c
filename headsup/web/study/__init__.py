"""Solved spots: their jobs, views, panels and the library of ranges."""
