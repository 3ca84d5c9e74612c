"""Walks over a hold'em game that compute values and best responses, on the CPU and on a GPU."""
