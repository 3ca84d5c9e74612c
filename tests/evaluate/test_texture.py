"""Textures of flops, against definitions written out card by card."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from headsup.cards.cards import parse_cards
from headsup.evaluate.texture import GROUPS, textures
from tests.naive import DECK

RANKS = "23456789TJQKA"


def naive(flop: tuple[str, ...]) -> dict[str, str]:
    ranks, suits = {RANKS.index(card[0]) for card in flop}, {card[1] for card in flop}
    runs = [set(range(low, low + 5)) for low in range(9)] + [{12, 0, 1, 2, 3}]
    near = [set(range(low, low + 3)) for low in range(11)] + [{12, 0, 1}]
    connected = "three in a row" if ranks in near else "no straight"
    if connected == "no straight" and len(ranks) == 3 and any(ranks <= run for run in runs):
        connected = "one or two gaps"
    return {
        "suits": {1: "monotone", 2: "two-tone", 3: "rainbow"}[len(suits)],
        "pairs": {1: "trips", 2: "paired", 3: "unpaired"}[len(ranks)],
        "high card": f"{RANKS[max(ranks)]} high",
        "connected": connected,
    }


def test_every_flop() -> None:
    flops = list(combinations(DECK, 3))
    found = textures([parse_cards("".join(flop)) for flop in flops])
    slow = [naive(flop) for flop in flops]
    for group, words in GROUPS.items():
        assert [words[i] for i in found[group]] == [words_of[group] for words_of in slow]
    assert np.bincount(found["suits"]).tolist() == [1144, 12168, 8788]
