"""The shipped strategy for discards: buckets that know about swaps, and external sampling over them."""
