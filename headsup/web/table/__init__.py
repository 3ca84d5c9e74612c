"""Matches with bots, imported hands, and what is shown of them."""
