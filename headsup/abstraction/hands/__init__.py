"""Buckets of hands: features, clusters and their files."""
