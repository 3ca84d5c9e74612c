"""Stage 4: games as rules and payoffs."""
