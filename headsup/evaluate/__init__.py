"""Stage 2: lookup tables and kernels that rank hands: hold'em of 5, 6 and 7 cards, Omaha high, eight-or-better low."""
