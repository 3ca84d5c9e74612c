"""What results mean: variance reduction (all-in equity, AIVAT) and confidence intervals."""
