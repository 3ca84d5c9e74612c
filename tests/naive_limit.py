"""Best replies in limit hold'em to a player who looks at no cards, by plain recursion; it imports nothing of headsup.

What such a player does tells nothing of the cards, so all hands stay equally likely, and a best reply is a game for
one: at own decisions the best action, at the other's the average, at deals and showdowns the average over unseen cards.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from tests import naive

SIZES, CARDS = (2, 2, 4, 4), (0, 3, 1, 1)


def reply(ranks: int, suits: int, streets: int, raises: int, seat: int, shares: tuple[float, float, float]) -> float:
    """Chips that a best reply of a seat (0 is the small blind) wins from shares of fold, call and raise."""
    deck = [4 * rank + suit for rank in range(13 - ranks, 13) for suit in range(suits)]
    holes = list(combinations(deck, 2))

    def unseen(known: tuple[int, ...]) -> list[int]:
        return [card for card in deck if card not in known]

    @cache
    def strength(cards: tuple[int, ...]) -> object:
        return naive.best_key(cards)

    @cache
    def ahead(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
        """Wins less losses, as a share of all hands of the other."""
        mine, others = strength(tuple(sorted(hole + board))), list(combinations(unseen(hole + board), 2))
        theirs = [strength(tuple(sorted(other + board))) for other in others]
        return sum((mine > one) - (mine < one) for one in theirs) / len(others)  # type: ignore[operator]

    def deal(hole: tuple[int, ...], board: tuple[int, ...], street: int, paid: int) -> float:
        """A street is over, and both have paid so much."""
        if street == streets - 1:
            return paid * ahead(hole, board)
        new = list(combinations(unseen(hole + board), CARDS[street + 1]))
        return sum(play(hole, board + cards, street + 1, 1, (paid, paid), 0, False) for cards in new) / len(new)

    @cache
    def play(
        hole: tuple[int, ...],
        board: tuple[int, ...],
        street: int,
        mover: int,
        paid: tuple[int, int],
        bets: int,
        again: bool,
    ) -> float:
        """What the seat wins from here on, counted from the start; `again`: the other has had a say on this street."""
        other, behind = 1 - mover, paid[1 - mover] - paid[mover]
        level = paid[other]
        values = {}
        if behind:
            values["fold"] = float(-paid[seat] if mover == seat else paid[mover])
        if again:
            values["call"] = deal(hole, board, street, level)
        else:
            values["call"] = play(hole, board, street, other, (level, level), bets, True)
        if bets < raises:
            more = (level + SIZES[street], level) if mover == 0 else (level, level + SIZES[street])
            values["raise"] = play(hole, board, street, other, more, bets + 1, True)
        if mover == seat:
            return max(values.values())
        weight = dict(zip(("fold", "call", "raise"), shares, strict=True))
        weight["call"] += sum(weight[name] for name in weight if name not in values)
        return sum(weight[name] * value for name, value in values.items())

    return sum(play(hole, (), 0, 0, (1, 2), 1, False) for hole in holes) / len(holes)
