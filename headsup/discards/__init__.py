"""Hold'em with discards: the swap, equities, exact small games and the strategy that ships."""
