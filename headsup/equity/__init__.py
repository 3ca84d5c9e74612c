"""Stage 3: exact counts of who wins, sampling with error bars, and matchup tables."""
