"""Stage 6: solvers, from a game to a strategy."""
