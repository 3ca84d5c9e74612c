"""Limit hold'em: the strategy that ships."""
