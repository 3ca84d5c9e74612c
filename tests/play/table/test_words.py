"""Actions in words."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.play.table.rules import CALLS, Action, TableHand, raise_to, table
from headsup.play.table.words import act_words, steps_in_words


@pytest.mark.parametrize("name", ["holdem-limit", "holdem-nolimit", "holdem-discard", "omaha-potlimit"])
def test_words_of_past_actions_are_those_at_their_time(name: str) -> None:
    """Also from a seat that does not see the opponent's discarded cards."""
    there, rng, seen = table(name, 10), np.random.default_rng(4), set[str]()
    for number in range(60):
        hand, words = TableHand(there, there.deal_number(1, number)), list[str]()
        while not hand.over:
            legal = hand.legal
            actions = [CALLS, *([raise_to(legal.low), raise_to(legal.high)] if legal.low else [])]
            actions += [Action("d", card) for card in legal.discards]
            action = actions[rng.integers(len(actions))]
            words.append(act_words(action, legal, hand.state, there.betting, "s")[0])
            hand.act(action)
        for seat in (0, 1):
            assert [text for _, text in steps_in_words(there, hand.seen_by(seat))] == words
        seen.update(text.split()[0] for text in words)
    assert seen >= {"checks", "calls", "bets", "raises", *(["swaps", "keeps"] if there.draws else [])}
