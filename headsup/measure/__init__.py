"""Stage 7: expected values, best responses and exploitability."""
