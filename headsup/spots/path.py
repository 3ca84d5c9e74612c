"""Lines through a spot: `follow` leads `check, bet 94, call, 7c` through the betting and the boards."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import card_name, parse_card
from headsup.common.arrays import AnyArray
from headsup.common.checks import quoted
from headsup.common.errors import UserError, place
from headsup.games.betting.line import parse_line
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.vector import VectorGame

CARD = re.compile(r"(?:10|[2-9TJQKAtjqka])[cdhsCDHS♣♦♥♠]")
ANY = "*"


@dataclass(frozen=True)
class Path:
    """The stored boards from the root on, the renamings on the way, and the real board."""

    boards: tuple[int, ...]
    renamings: tuple[int, ...]
    cards: tuple[int, ...]

    def carried(self, showdown: CardShowdown, seat: int) -> AnyArray:
        """The user's hand i is hand carried[i] on the stored board."""
        carried = np.arange(showdown.sizes[seat])
        for renaming in self.renamings:
            carried = showdown.renamed(seat, renaming)[carried]
        return carried


def follow(game: VectorGame, tree: BoardTree, line: str, every: bool = False) -> tuple[int, list[Path]]:
    """The decision to which a line leads, and its boards: one, or with `every` all those that open cards allow."""
    if not isinstance(line, str):
        raise UserError(f"a line is text such as 'check, bet 94', not {quoted(line)}")
    betting, node, paths = game.betting, 0, [Path((0,), (), tree.root)]
    names, is_open = betting.rules.street_names, False

    def deal_all(to: int) -> int:
        nonlocal paths, is_open
        paths, is_open = [below for path in paths for below in _all_dealt(tree, path)], True
        return int(betting.child[to])

    for match in re.finditer(r"[^,/]+", line):
        text, at = match.group().strip(), match.start()
        if not text:
            continue
        deals = betting.player[node] == DEAL
        if CARD.fullmatch(text) or text == ANY:
            if not deals:
                raise UserError(f"{place(line, at)}: '{text}' cannot come here: the betting of the street is not over")
            if text == ANY and not every:
                raise UserError(f"{place(line, at)}: '{ANY}' is every card, and this is of one board: write a card")
            if text == ANY:
                node = deal_all(node)
                continue
            if is_open:
                raise UserError(f"{place(line, at)}: '{text}' comes after a card that is left open: leave it open too")
            paths = [dealt(tree, parse_card(text), path) for path in paths]
            node = int(betting.child[node])
            continue
        for step in parse_line(match.group(), line, at):
            while betting.player[node] == DEAL and every:
                node = deal_all(node)
            if betting.player[node] == DEAL:
                street = names[len(paths[0].boards)]
                raise UserError(f"{step.place}: the {street} comes before '{step.text}': write a card, as 7c")
            node = betting.after(node, step)
    if betting.player[node] == DEAL:
        also = f" or {ANY} for all" if every else ""
        street = names[len(paths[0].boards)]
        raise UserError(f"after '{line.strip()}' comes the {street}: add a card, such as 7c{also}")
    if betting.player[node] > DEAL:
        raise UserError(f"after '{line.strip()}' the hand is over and nobody acts: leave out the last action")
    return node, paths


def _all_dealt(tree: BoardTree, path: Path) -> list[Path]:
    """Every stored board that may follow."""
    street = len(path.boards)
    below, above = tree.levels[street], tree.levels[street - 1]
    new = [tuple(int(c) for c in below.cards[child, len(path.cards) :]) for child in above.children(path.boards[-1])]
    numbered = zip(above.children(path.boards[-1]), new, strict=True)
    return [Path((*path.boards, child), (*path.renamings, 0), (*path.cards, *cards)) for child, cards in numbered]


def dealt(tree: BoardTree, card: int, path: Path) -> Path:
    """The stored board to which a real card leads."""
    if card in path.cards or card in tree.dead:
        raise UserError(f"{card_name(card)} is on the board or dead already: give another card")
    child, renaming = tree.dealt(card, path.boards[-1], len(path.boards), path.renamings)
    return Path((*path.boards, child), (*path.renamings, renaming), (*path.cards, card))
