"""Betting as the protocol writes it: a line is the chips that the player has paid since the root, action by action.

`0 12 38 38 38 73` on a flop is check, bet 12, raise to 38, call; then on the turn check, bet 35. Checks, calls and
folds are always possible, so a tree is its bets: every part of a line that ends with one. Trees can also be built from
sizes, which the protocol keeps as information lines (`FlopConfig.BetSize`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import DEAL, Betting, Move, State, words

Line = tuple[int, ...]
MOST_LINES = 100_000
ALL_IN = ("a", "ai", "allin", "all-in")


class LineEdit(NamedTuple):
    """`add_line` or `remove_line`."""

    added: bool
    line: Line


def menu_of(rules: Betting, edits: Sequence[LineEdit]) -> str:
    """The menu whose tree has these lines; the edits are applied in order."""
    bets: dict[Line, str] = {}
    missing: dict[Line, str] = {}
    for edit in edits:
        parts = list(_parts(rules, edit.line))
        if edit.added:
            for part, text, is_bet in parts:
                missing.pop(part, None)
                if is_bet:
                    bets[part] = text
        elif parts:
            part, text, is_bet = parts[-1]
            bets = {line: known for line, known in bets.items() if line[: len(part)] != part}
            missing = {line: known for line, known in missing.items() if line[: len(part)] != part}
            if not is_bet:
                missing[part] = text
    return " | ".join([f"+ {text}" for text in bets.values()] + [f"- {text}" for text in missing.values()])


def _parts(rules: Betting, line: Line) -> Iterator[tuple[Line, str, bool]]:
    """The parts of a line: chips, the same in words, and whether it ends with a bet."""
    state, named = rules.root(), list[str]()
    for count, chips in enumerate(line, start=1):
        state = rules.dealt(state)
        if state.player > DEAL:
            raise UserError(f"line '{_text(line)}': the hand is over before the number {chips}: leave out the rest")
        move, total, state = _move(rules, state, chips, line)
        named.append(words(move, total))
        yield line[:count], ", ".join(named), move >= Move.BET


def line_text(rules: Betting, line: Line) -> str:
    """A line in words: `check, bet 12, raise 38`."""
    return list(_parts(rules, line))[-1][1]


def _move(rules: Betting, state: State, chips: int, line: Line) -> tuple[Move, int, State]:
    me = state.player
    theirs = state.paid[1 - me]
    if chips == theirs:
        passive = rules.call(state)
        assert passive is not None, "only jam or fold has no call"
        return passive
    bounds, total = rules.bounds(state), chips - state.start[me]
    if chips < theirs or bounds is None or not bounds[0] <= total <= rules.most(state):
        legal = f"{theirs} to check or call"
        if bounds is not None:
            low, high = (state.start[me] + most for most in (bounds[0], rules.most(state)))
            legal += f", or {low} to {high} to bet" if low < high else f", or {low} to bet"
        raise UserError(f"line '{_text(line)}': {chips} is not possible there: write {legal}")
    return rules.moves(state, [total])[-1]


def _text(line: Line) -> str:
    text = " ".join(map(str, line))
    return text if len(text) <= 60 else f"{text[:57]}..."


def lines_of(tree: BettingTree) -> list[LineEdit]:
    """The edits from which `menu_of` makes the same tree."""
    chips: dict[int, Line] = {0: ()}
    edits = []
    for node in range(1, tree.n_nodes):
        parent = int(tree.parent[node])
        move = Move(int(tree.kind[node]))
        if parent not in chips or move == Move.FOLD:
            continue
        mover = int(tree.player[parent])
        chips[node] = chips[parent] if move == Move.NONE else (*chips[parent], int(tree.paid[node, mover]))
        if move >= Move.BET:
            edits.append(LineEdit(True, chips[node]))
    for node in [node for node in chips if tree.player[node] < DEAL]:
        first, count = int(tree.child[node]), int(tree.count[node])
        if not {Move.CHECK, Move.CALL} & {Move(int(tree.kind[c])) for c in range(first, first + count)}:
            edits.append(LineEdit(False, (*chips[node], int(tree.paid[node, 1 - int(tree.player[node])]))))
    return edits


def lines_by_sizes(rules: Betting, info: Mapping[str, str]) -> list[LineEdit]:
    """The bets of a tree that is described by sizes for each street and player (`FlopConfig.BetSize` and so on)."""
    return lines_offered(rules, _amounts(rules, info))


def lines_offered(rules: Betting, amounts: Callable[[State], Sequence[int]]) -> list[LineEdit]:
    """The bets of a tree that offers these totals."""
    edits = list[LineEdit]()
    waiting: list[tuple[State, Line]] = [(rules.root(), ())]
    while waiting:
        state, line = waiting.pop()
        state = rules.dealt(state)
        if state.player > DEAL:
            continue
        for move, _, after in rules.moves(state, amounts(state)):
            if move == Move.FOLD:
                continue
            longer = (*line, after.paid[state.player])
            if move >= Move.BET:
                edits.append(LineEdit(True, longer))
            if len(edits) > MOST_LINES:
                raise UserError(f"these sizes give more than {MOST_LINES:,} bets: take fewer sizes or a smaller stack")
            waiting.append((after, longer))
    return edits


def _amounts(rules: Betting, info: Mapping[str, str]) -> Callable[[State], Sequence[int]]:
    """The totals that the sizes offer; sizes beyond `AllinThreshold` percent of the stack become all-in."""
    clauses, adds, calm = list[str](), set[tuple[int, int]](), set[tuple[int, int]]()
    for street, name in enumerate(rules.street_names):
        for seat, (player, suffix) in enumerate((("oop", ""), ("ip", "IP"))):
            key = f"{name.capitalize()}Config{suffix}"
            bets, raises, donk = (_sizes(info, f"{key}.{what}") for what in ("BetSize", "RaiseSize", "DonkBetSize"))
            clauses.append(f"{name} {player} {bets}; {raises}")
            if street and player == "oop":
                clauses.append(f"{name} oop donk {donk}")
            for places, what in ((adds, "AddAllin"), (calm, "Dont3bet")):
                if info.get(f"{key}.{what}", "").strip().lower() == "true":
                    places.add((street, seat))
    offered = parse_menu(" | ".join(clauses)).amounts(rules)
    threshold = _percent(info, "AllinThreshold", 100.0)
    limit = _percent(info, "AddAllinOnlyIfLessThanThisTimesThePot", 0.0)

    def amounts(state: State) -> Sequence[int]:
        me = state.player
        if rules.bounds(state) is None or (state.bets > 1 and (state.street, me) in calm):
            return ()
        most = rules.most(state)
        start, last = state.start[me], state.paid[1 - me] - state.start[1 - me]
        stack = start + rules.all_in(state)
        totals = {most if start + total >= threshold * stack else total for total in offered(state)}
        if (state.street, me) in adds and (limit == 0.0 or most - last <= limit * rules.pot_after_call(state)):
            totals.add(most)
        return sorted(totals)

    return amounts


def _sizes(info: Mapping[str, str], key: str) -> str:
    sizes = [size.lower() for size in re.split(r"[,\s]+", info.get(key, "")) if size]
    named = [f"{size}%" if re.fullmatch(r"[0-9.]+", size) else "a" if size in ALL_IN else size for size in sizes]
    return ", ".join(named) or "none"


def _percent(info: Mapping[str, str], key: str, usual: float) -> float:
    text = info.get(key, "").strip()
    if text and not re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", text):
        raise UserError(f"{key} is a number of percent, such as 67, not '{text[:40]}'")
    return float(text or usual) / 100.0
