"""The same spot in hold'em and in hold'em with discards, and the cost of forgetting discarded cards.

    python -m headsup.discards.exact.spots OUT.json [BOARD ...]

solves some boards both ways and writes how often cards are changed and how players bet. In the model a swap is a linear
map on hand vectors (`swap_down` and `swap_up` of `headsup.games.walk.kernels`), and the reach that a hand meets after a
swap is scaled to what it met before: best responses are exact, but both values together miss the pot a little.
`real_game` and `in_real_game` are the same game and strategy with nothing forgotten; docs/discards.md has figures.
"""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.cards import parse_cards
from headsup.common.errors import UserError
from headsup.common.files import write_text
from headsup.discards.exact.swapped import real_value
from headsup.discards.game import Discard, DiscardState
from headsup.games.betting.rules import DEAL, JOINED, Move
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame
from headsup.games.walk.streaming import Asking
from headsup.games.walk.walk import MIX
from headsup.spots.solve import SpotSolution, solve_spot, spot_memory

Tables = tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]


def real_game(game: VectorGame) -> Discard:
    """The game with every card remembered, as a plain game: on small decks its best responses are exact.

    Both players must hold every hand equally often. What a player wins is counted from half of the pot on.
    """
    boards, rules = game.boards, game.betting.rules
    if not isinstance(game.showdown, Sorted) or any(np.ptp(weights) > 0.0 for weights in game.weights):
        raise UserError("the real game is known where both players may hold every hand, equally often")
    deck = sorted({*boards.root, *game.showdown.arrays.cards[0].ravel().tolist()})
    betting = replace(rules, swaps=(), together=False)
    streets = (0, *boards.streets[1:])
    return Discard(
        deck, betting, streets, rules.swaps, rules.together, game.betting.menu, game.unit, root=tuple(boards.root)
    )


def in_real_game(game: VectorGame, strategy: Strategy, rules: Discard) -> Tables:
    """A strategy on hand vectors in the game with every card remembered, for each player by information set.

    The vector game must have all boards (`merged=False`).
    """
    tables: Tables = ({}, {})
    tree, numbers = game.betting, [{tuple(sorted(cards)): i for i, cards in enumerate(level.cards.tolist())} for level in game.boards.levels]  # noqa: E501  # fmt: skip
    hands = {tuple(two): h for h, two in enumerate(game.showdown.arrays.cards[0].tolist())}  # type: ignore[attr-defined]
    todo: list[tuple[DiscardState, int]] = [(rules.root(), 0)]
    while todo:
        state, node = todo.pop()
        player = rules.player(state)
        if player == TERMINAL:
            continue
        actions = rules.actions(state)
        if player != CHANCE:
            key = rules.infoset(state)
            if key not in tables[player]:
                street = int(tree.street[node])
                place = game.board(street, numbers[street][tuple(sorted(state.board))])
                shares = strategy.rows(node, place)[:, hands[state.holes[player]]]
                tables[player][key] = dict(zip(actions, shares.tolist(), strict=True))
        for i in range(len(actions)):
            after = rules.next(state, i)
            to = node
            if player != CHANCE:
                to = int(tree.child[node]) + i
                to -= int(tree.player[to] == JOINED)
            elif len(after.board) > len(state.board):
                to = int(tree.child[node])
            todo.append((after, to))
    return tables


OOP = "22+,A2s+,K2s+,Q2s+,J5s+,T6s+,96s+,85s+,75s+,64s+,54s,A2o+,K7o+,Q8o+,J8o+,T8o+,98o,87o"
IP = "22+,A2s+,K2s+,Q2s+,J2s+,T4s+,95s+,84s+,74s+,63s+,53s+,43s,A2o+,K3o+,Q6o+,J7o+,T7o+,97o+,86o+,76o,65o"
"""A big blind that called and a button that opened, as two players do: about half and two thirds of all hands."""
BOARDS = ("AsKh7d2c", "9c9d8h4s", "Ts8s6d5c", "QsJh2h7c", "7c4d2h2s", "KsTs5s3d")
SPOT: dict[str, Any] = {"pot": 20, "stack": 190, "bets": "33%, 150%", "raises": "none"}
FLOP: dict[str, Any] = {"stack": 40, "bets": "a"}
"""With two rounds of swaps a flop takes many times as much: stacks of two pots, and all-in as the only bet."""


@dataclass(frozen=True)
class First:
    """A player's first action on the first street, over all swaps seen before."""

    bets: float  # how often a bet is made: out of position at once, in position after a check
    size: float  # its size as a share of the pot, on average; nan without bets
    shares: dict[str, float]  # how often each action is taken


def swap_frequencies(solved: SpotSolution) -> list[dict[str, float]]:
    """How often each player keeps, or changes the lower or the higher card, on the first street."""
    return [_frequencies(solved, _nodes(solved, seat, swapping=True)) for seat in (0, 1)]


def first_actions(solved: SpotSolution) -> list[First]:
    """The first action of both players: out of position, and in position after a check."""
    out, tree = [], solved.game.betting
    for seat in (0, 1):
        shares = _frequencies(solved, _nodes(solved, seat, swapping=False))
        sizes = {name: float(name.rsplit(" ", 1)[1]) / tree.rules.pot for name in shares if name[-1].isdigit()}
        bets = sum(shares[name] for name in sizes)
        mean = sum(shares[name] * size for name, size in sizes.items()) / bets if bets > 0.0 else float("nan")
        out.append(First(bets, mean, shares))
    return out


def _nodes(solved: SpotSolution, seat: int, swapping: bool) -> list[int]:
    """The decisions on the first street at which a seat swaps, or acts with no bet before it."""
    tree = solved.game.betting
    nodes = np.flatnonzero(tree.player[: int(tree.start[1]) if tree.n_streets > 1 else None] == seat).tolist()
    if swapping:
        return [node for node in nodes if tree.kind[tree.child[node]] == Move.KEEP]
    return [node for node in nodes if tree.kind[tree.child[node]] == Move.CHECK and not tree.paid[node].any()]


def _frequencies(solved: SpotSolution, nodes: list[int]) -> dict[str, float]:
    """The frequencies at several decisions, weighted by reach."""
    tree, often = solved.game.betting, _Often(solved)
    frequencies: dict[str, float] = {}
    for node in nodes:
        for name, share in zip(tree.actions(node), often.frequencies(node), strict=True):
            frequencies[name] = frequencies.get(name, 0.0) + often.comes(node) * float(share)
    total = sum(frequencies.values())
    return {name: share / total for name, share in frequencies.items()}


class _Often:
    """The reach of the nodes of the first street."""

    def __init__(self, solved: SpotSolution) -> None:
        self.game, self.place = solved.game, solved.game.board(0, 0)
        self.strategy: ArrayStrategy = solved.strategy
        walk = Asking(self.game, self.strategy, 0, MIX)
        walk.open(0, 0)
        self.reach = [walk.reach(0, p)[self.game.rounds.at[p, : self.game.rounds.start[1]]] for p in (0, 1)]

    def frequencies(self, node: int) -> Any:
        """[actions] the frequency of each at a decision."""
        seat = int(self.game.betting.player[node])
        met = self.game.showdown.lines(seat, 0, 0, self.reach[1 - seat][node][None], 0)[1][0]
        weight = self.reach[seat][node] * np.maximum(met, 0.0)
        return self.strategy.rows(node, self.place) @ weight / max(weight.sum(), 1e-300)

    def comes(self, node: int) -> float:
        """The probability of reaching a node."""
        tree, often = self.game.betting, 1.0
        while node > 0:
            above = int(tree.parent[node])
            if tree.player[above] < DEAL:
                shares, at = self.frequencies(above), node - int(tree.child[above])
                both = tree.kind[node] == Move.LOW  # either card: it is not seen which
                often *= float(shares[at] + shares[at + 1] if both else shares[at])
            node = above
        return often


def compared(
    board: str, target: float = 0.005, seconds: float | None = None, threads: int | None = None, **changes: Any
) -> dict[str, Any]:
    """A spot with and without swaps, as plain JSON values; `changes` are fields of the spot."""
    flop = len(parse_cards(board)) == 3
    spot = Spot(**({"board": board, "oop": OOP, "ip": IP} | SPOT | (FLOP if flop else {}) | changes))
    out: dict[str, Any] = {"board": board, "spot": spot.text()}
    for name, swaps in (("holdem", ""), ("discards", "in turn")):
        store = "int16" if flop else "float32"
        needs = spot_memory(spot.with_(swaps=swaps), store)
        solved = solve_spot(spot.with_(swaps=swaps), target, seconds=seconds, threads=threads, store=store)
        solved.solution.finished()
        figures = {key: solved.summary()[key] for key in ("exploitability_pot", "value_oop", "value_ip", "iterations")}
        figures |= {"seconds": round(solved.seconds, 1), "memory": str(needs)}
        figures["first"] = [vars(first) for first in first_actions(solved)]
        if swaps:
            figures["swaps"] = swap_frequencies(solved)
        if swaps and not flop:
            figures["real_value_oop"] = real_value(solved.game, solved.strategy)
        out[name] = figures
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description="Solve boards with and without swaps.")
    parser.add_argument("out", help="a JSON file, written after every board")
    parser.add_argument("boards", nargs="*", default=BOARDS, help="turns or flops, such as 9c9d8h4s")
    parser.add_argument("--target", type=float, default=0.005, help="exploitability, as a share of the pot")
    parser.add_argument("--seconds", type=float, help="for one solution, at most")
    parser.add_argument("--threads", type=int, help="how many threads")
    parser.add_argument("--stack", type=int, help="chips behind, where the pot is 20")
    parser.add_argument("--bets", help="sizes of bets, such as 33%%,150%%")
    args, rows = parser.parse_args(), []
    changes = {name: value for name in ("stack", "bets") if (value := getattr(args, name)) is not None}
    for board in args.boards:
        rows.append(compared(board, args.target, args.seconds, args.threads, **changes))
        write_text(Path(args.out), json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
