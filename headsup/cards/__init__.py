"""Stage 1: card ints 0..51, combos, range text, suit isomorphism and canonical indices."""
