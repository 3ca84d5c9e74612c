"""Node names of the protocol, such as `r:0:b100:c:8h:c`: `r` is the root and `r:0` the first decision.

`c` is a check or call, `f` a fold, and `b100` a bet after which the player has paid 100 chips since the root. A card
names a dealt turn or river. Children of a decision are listed from the greatest bet to the fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from headsup.cards.cards import card_name, cards_in, mask_of, parse_card
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.games.betting.cut import decisions_below
from headsup.games.betting.rules import DEAL, Move
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame
from headsup.spots.path import CARD, Path, dealt

ROOT, FIRST = "r", "r:0"
MOST_PARTS = 200


class TreePlace(NamedTuple):
    """A node of the betting on one board."""

    name: str
    node: int
    path: Path
    line: str  # the same as a line of headsup: `check, bet 94, call, 7c`

    @property
    def street(self) -> int:
        return len(self.path.boards) - 1

    def then(self, token: str, node: int, path: Path, step: str) -> TreePlace:
        return TreePlace(f"{self.name}:{token}", node, path, f"{self.line}, {step}" if self.line else step)


class NodeNames:
    """The nodes of a game by their names."""

    def __init__(self, game: VectorGame) -> None:
        assert isinstance(game.showdown, Sorted)
        self.game, self.betting, self.boards = game, game.betting, game.showdown.boards

    @cached_property
    def first(self) -> TreePlace:
        return TreePlace(FIRST, 0, Path((0,), (), self.boards.root), "")

    def find(self, name: str) -> TreePlace:
        """The place of a name; `r` is taken as `r:0`."""
        parts = name.split(":")
        if parts[0] != ROOT or parts[1:2] not in ([], ["0"]) or len(parts) > MOST_PARTS:
            raise UserError(f"no node {quoted(name)}: names begin with {FIRST}, such as {FIRST}:c:b50")
        place = self.first
        for token in parts[2:]:
            place = self._step(place, token, name)
        return place

    def _step(self, place: TreePlace, token: str, name: str) -> TreePlace:
        if self.is_split(place.node):
            if not CARD.fullmatch(token):
                raise UserError(f"no node {quoted(name)}: after {place.name} comes a card, such as 7c")
            card = parse_card(token)
            path = dealt(self.boards, card, place.path)
            return place.then(card_name(card), self.after_deal(place.node), path, card_name(card))
        for child in self.children(place.node):
            if self.token(child) == token:
                return place.then(token, child, place.path, self.betting.action_name(child))
        known = ", ".join(self.token(child) for child in self.children(place.node)) or "nothing: the hand is over"
        raise UserError(f"no node {quoted(name)}: after {place.name} there is {known}")

    def token(self, node: int) -> str:
        """The last part of a node's name."""
        move = Move(int(self.betting.kind[node]))
        if move == Move.FOLD:
            return "f"
        if move in (Move.CHECK, Move.CALL):
            return "c"
        return f"b{int(self.betting.paid[node, int(self.betting.player[int(self.betting.parent[node])])])}"

    def children(self, node: int) -> list[int]:
        """What may be done at a decision, the greatest bet first; empty elsewhere."""
        if self.betting.player[node] >= DEAL:
            return []
        first, count = int(self.betting.child[node]), int(self.betting.count[node])
        return list(range(first + count - 1, first - 1, -1))

    @cached_property
    def _goes_on(self) -> list[bool]:
        return [bool(below) for below in decisions_below(self.betting)]

    def is_split(self, node: int) -> bool:
        """Whether a card is dealt there, and somebody still acts after it."""
        return bool(self.betting.player[node] == DEAL) and self._goes_on[node]

    def after_deal(self, node: int) -> int:
        return int(self.betting.child[node])

    def cards(self, place: TreePlace) -> list[int]:
        """The cards that can come, the highest first."""
        known = mask_of(place.path.cards) | mask_of(self.boards.dead)
        return [card for card in reversed(cards_in(self.boards.deck_mask)) if not known >> card & 1]

    def below(self, place: TreePlace) -> Iterator[TreePlace]:
        """The children of a place."""
        if self.is_split(place.node):
            for card in self.cards(place):
                yield self._step(place, card_name(card), place.name)
        for child in self.children(place.node):
            yield place.then(self.token(child), child, place.path, self.betting.action_name(child))

    def kind(self, node: int) -> str:
        player = int(self.betting.player[node])
        return ("OOP_DEC", "IP_DEC")[player] if player < DEAL else "SPLIT_NODE" if self.is_split(node) else "END_NODE"

    def pot(self, node: int) -> str:
        paid = self.betting.paid[node]
        return f"{int(paid[0])} {int(paid[1])} {self.betting.rules.pot}"

    def all_lines(self) -> Iterator[tuple[str, int]]:
        """Every line without cards and its node, each before those that continue it, folds and checks first."""
        yield ROOT, 0
        waiting = [(FIRST, 0)]
        while waiting:
            name, node = waiting.pop()
            yield name, node
            waiting += [(f"{name}:{self.token(child)}", child) for child in self.children(self._dealt(node))]

    def _dealt(self, node: int) -> int:
        """Where betting continues after a deal."""
        return self.after_deal(node) if self.is_split(node) else node
