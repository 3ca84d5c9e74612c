"""Hold'em games over vectors of hands: boards, showdowns, buckets and subgames."""
