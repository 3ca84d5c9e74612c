"""Abstraction: smaller games that stand for bigger ones."""

from headsup.abstraction.merge import Merged, merge, suit_blind, unmerged

__all__ = ["Merged", "merge", "suit_blind", "unmerged"]
