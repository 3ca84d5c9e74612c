"""What results mean: AIVAT and other luck adjustments, and confidence intervals."""
