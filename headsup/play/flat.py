"""Matches on small games: any `headsup.games.game.Game`, played by strategies that are known in full.

Kuhn, Leduc and their like have no cards of a deck and no table; they have information sets. A policy says for each of
them how often each action is taken, so every expected value can be summed exactly, and a match can be held against it.

    uniform        every action equally often; `random` is the same
    caller, folder, raiser    check or call, check or fold, bet or raise, where the actions have such names
    equilibrium    solved by linear programming first
    solution:FILE  what `headsup solve --out` saved

AIVAT here has the best value function there is, the exact value of every history under both policies (`values`); any
other function of histories may be given instead, and only the averages of what is known are taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from headsup.errors import UserError
from headsup.games.game import CHANCE, TERMINAL, Game, State
from headsup.play.dice import DECK, FIRST, Dice

Policy = tuple[Mapping[str, Sequence[float]], Mapping[str, Sequence[float]]]
"""For each seat, how often each action is taken in an information set."""
Worth = Callable[[State], float]
"""What a history is worth to seat 0."""
MOST = 2_000_000
"""States of a game that may be looked at; a match needs all of them."""


class Event(NamedTuple):
    """What happened at a state: which of the actions or outcomes."""

    state: State
    chosen: int


def decisions(game: Game) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The information sets of each seat, and their actions."""
    found: tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]] = ({}, {})
    waiting, seen = [game.root()], 0
    while waiting:
        state = waiting.pop()
        seen += 1
        if seen > MOST:
            raise UserError(f"{game} has more than {MOST:,} states, too many for a match by information sets")
        player = game.player(state)
        if player == TERMINAL:
            continue
        actions = tuple(game.actions(state))
        if player != CHANCE:
            found[player][game.infoset(state)] = actions
        waiting.extend(game.next(state, i) for i in range(len(actions)))
    return found


FIRST_LETTERS = {"caller": "ck", "folder": "ckf", "raiser": "arbc"}
"""What simple players look for among the actions, in order: by their first letters (k for a check, a for all-in)."""


def make_policy(text: str, game: Game) -> Policy:
    """The policy of this name in a game."""
    name, colon, rest = text.partition(":")
    if name == "solution" and rest:
        from headsup.solve.solution import Solution

        return _from_table(Solution.load(rest).table(), game, rest)
    if colon or name not in (*FIRST_LETTERS, "uniform", "random", "equilibrium"):
        known = ", ".join((*FIRST_LETTERS, "uniform", "random", "equilibrium", "solution:FILE"))
        raise UserError(f"'{text}' does not play {game}: choose one of {known}")
    if name == "equilibrium":
        from headsup.solve.methods import solve

        return _from_table(solve(game, "lp").table(), game, "the solution")
    sets = decisions(game)
    if name in ("uniform", "random"):
        first, second = ({key: [1.0 / len(actions)] * len(actions) for key, actions in one.items()} for one in sets)
    else:
        first, second = ({key: _pick(name, actions) for key, actions in one.items()} for one in sets)
    return first, second


def _pick(name: str, actions: Sequence[str]) -> list[float]:
    for letter in FIRST_LETTERS[name]:
        for i, action in enumerate(actions):
            if action[:1].lower() == letter:
                return [float(i == j) for j in range(len(actions))]
    there = ", ".join(actions)
    raise UserError(f"{name} needs actions that begin with one of '{FIRST_LETTERS[name]}', and here are {there}")


def _from_table(table: Sequence[Mapping[str, Mapping[str, float]]], game: Game, name: str) -> Policy:
    found: list[dict[str, list[float]]] = []
    for mine, sets in zip(table, decisions(game), strict=True):
        if missing := [key for key, actions in sets.items() if set(mine.get(key, ())) != set(actions)]:
            raise UserError(f"{name} does not belong to {game}: it lacks the decision '{missing[0]}'")
        found.append({key: [mine[key][action] for action in actions] for key, actions in sets.items()})
    return found[0], found[1]


def values(game: Game, policies: tuple[Policy, Policy]) -> Worth:
    """The exact value of every history for seat 0, if `policies[s]` plays seat s."""

    @cache
    def worth(state: State) -> float:
        player = game.player(state)
        if player == TERMINAL:
            return float(game.payoff(state))
        shares = game.chance(state) if player == CHANCE else policies[player][player][game.infoset(state)]
        return sum(p * worth(game.next(state, i)) for i, p in enumerate(shares) if p)

    return worth


def play_flat(
    game: Game, policies: tuple[Policy, Policy], seed: int, number: int, deal: int, dealer: int
) -> tuple[list[Event], float]:
    """One hand: what happened, and what seat 0 won. `policies` go by player; `dealer` is the player in seat 0."""
    chance = Dice(seed, deal, DECK)
    dice = [Dice(seed, number, FIRST + player) for player in (0, 1)]
    state, events = game.root(), list[Event]()
    while (seat := game.player(state)) != TERMINAL:
        if seat == CHANCE:
            index = chance.pick(game.chance(state))
        else:
            player = seat ^ dealer
            index = dice[player].pick(policies[player][seat][game.infoset(state)])
        events.append(Event(state, index))
        state = game.next(state, index)
    return events, float(game.payoff(state))


def aivat_flat(
    game: Game, events: Sequence[Event], payoff: float, known: Sequence[Policy | None], worth: Worth
) -> float:
    """The AIVAT score of a hand for seat 0; `known` are the policies of the seats, None where nobody knows."""
    score = payoff
    for state, index in events:
        seat = game.player(state)
        policy = None if seat == CHANCE else known[seat]
        if seat != CHANCE and policy is None:
            continue
        shares = game.chance(state) if policy is None else policy[seat][game.infoset(state)]
        meant = sum(p * worth(game.next(state, i)) for i, p in enumerate(shares) if p)
        score -= worth(game.next(state, index)) - meant
    return score
