"""Matches and leagues between agents."""
