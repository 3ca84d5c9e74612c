"""Hands with swaps, exactly: games over vectors of hands, values and best responses."""
