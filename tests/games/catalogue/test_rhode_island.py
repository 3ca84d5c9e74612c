"""Rhode Island hold'em: its hands, and its boards up to suits against all of them."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import game, sequence_form
from headsup.games.betting.rules import Betting
from headsup.games.catalogue.poker import Cards, Poker, ThreeCardDeck
from headsup.games.holdem.vector import VectorGame
from headsup.solve import solve
from headsup.solve.small.lp import sequence_lp

RULES = Betting(first=(0, 0, 0), antes=(5, 5), kind="limit", sizes=(10, 20, 20), cap=(1, 1, 1))


class EverySuit(ThreeCardDeck):
    """The deck with all its boards."""

    def up_to_suits(self, streets: object) -> None:  # type: ignore[override]
        return None


def poker(deck: ThreeCardDeck) -> Poker:
    return Poker("rhode-island", deck, RULES, board=(0, 1, 1), unit=5.0)


def naive(cards: tuple[str, ...]) -> tuple[int, list[int]]:
    """The kind of a hand, and the ranks that decide among equals."""
    ranks = sorted(("23456789TJQKA".index(card[0]) for card in cards), reverse=True)
    if ranks == [12, 1, 0]:
        ranks = [1, 0, -1]
    straight, flush = ranks[0] - 1 == ranks[1] == ranks[2] + 1, len({card[1] for card in cards}) == 1
    many = Counter(ranks).most_common()
    kind = 5 if straight and flush else 4 if len(many) == 1 else 3 if straight else 2 if flush else len(many) == 2
    return int(kind), [rank for rank, _ in many] if many[0][1] > 1 else ranks


def test_hands_are_ordered_as_by_a_slow_definition() -> None:
    deck, random = ThreeCardDeck(13, 4), np.random.default_rng(1)
    boards: list[Cards] = [tuple(int(c) for c in random.choice(52, 2, replace=False)) for _ in range(60)]
    for board in boards:
        left = [c for c in range(52) if c not in board]
        strength = deck.strength(board)
        slow = [naive((deck.names[c], *(deck.names[b] for b in board))) for c in left]
        for a, b in combinations(range(len(left)), 2):
            assert np.sign(strength[left[a]] - strength[left[b]]) == (slow[a] > slow[b]) - (slow[a] < slow[b])


def test_there_are_as_many_hands_of_each_kind_as_can_be_counted() -> None:
    """12 straights (an ace begins or ends one) in 4 suits; 13 ranks, 4 ways to leave one suit out; and so on."""
    deck, kinds = ThreeCardDeck(13, 4), Counter[int]()
    for a, b in combinations(range(52), 2):
        kinds.update((deck.strength((a, b))[b + 1 :] >> 15).tolist())
    straights, flushes, pairs = 12 * 64 - 48, 4 * 286 - 48, 13 * 6 * 48
    assert kinds == {5: 48, 4: 13 * 4, 3: straights, 2: flushes, 1: pairs, 0: 22100 - 100 - straights - flushes - pairs}


@pytest.mark.parametrize(("ranks", "suits"), [(4, 2), (3, 3)])
def test_boards_up_to_suits_lose_nothing(ranks: int, suits: int) -> None:
    """The same iterations; later ones differ where rounding decides between actions that are equally good."""
    merged, plain = game(f"rhode-island:ranks={ranks},suits={suits},raises=1"), poker(EverySuit(ranks, suits)).vector()
    assert isinstance(merged, VectorGame)
    assert len(merged.boards.levels[2]) < len(plain.boards.levels[2]) == ranks * suits * (ranks * suits - 1)
    first, second = (solve(form, "dcfr-holdem", iterations=3, store="float64") for form in (plain, merged))
    np.testing.assert_allclose([first.value, first.exploitability], [second.value, second.exploitability], atol=1e-9)


@pytest.mark.long
def test_the_value_is_that_of_the_linear_program() -> None:
    solution = solve("rhode-island:ranks=3,suits=2,raises=1", "dcfr-holdem", target=0.01)
    value = sequence_lp(sequence_form(poker(EverySuit(3, 2))))[0]
    assert abs(solution.value - value) <= 2.0 * solution.exploitability <= 0.02


def test_the_program_has_as_many_rows_as_the_published_one() -> None:
    """91,224,226 in Gilpin and Sandholm 2007: sequences, information sets and one more."""
    whole = game("rhode-island")
    assert isinstance(whole, VectorGame)
    start, player = whole.betting.start, whole.betting.player
    hands = [52, 52 * 51, 52 * 51 * 50]
    for seat in (0, 1):
        sequences = 1 + sum(int(rows) * n for rows, n in zip(whole.rounds.rows[seat], hands, strict=True))
        infosets = sum(int((player[start[s] : start[s + 1]] == seat).sum()) * n for s, n in enumerate(hands))
        assert sequences + infosets + 1 == 91_224_226


def test_what_cannot_be_done_is_one_sentence() -> None:
    with pytest.raises(UserError, match="at least four cards"):
        game("rhode-island:ranks=2,suits=1")
    with pytest.raises(UserError, match="dealt up to suits"):
        solve("rhode-island:ranks=3,suits=2,raises=1", "lp")
