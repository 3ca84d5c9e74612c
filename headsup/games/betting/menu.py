"""Bet menus as text: which of the legal bets a game offers.

A menu is a list of clauses between bars or on lines of their own. One for a street holds before one for all streets,
then one for a player before one for both; of two alike the later holds.

    52%; 2.5x                              every street, both players: bets; raises
    flop 33%, 75%; 3x | river oop e, a     one street; one street and player (oop, ip, p0, p1)
    turn donk 50%                          bets into the player who bet last on the street before
    cap 3 | add 150% | force 15% | merge 10%
    + check, bet 40 | - bet 94, all-in     lines added and removed by hand

The lists between semicolons are for the first bet, the first raise, the second and so on; the last one serves all that
follow. A blind is there from the start, so on its street the first list is for the first raise. `none` is no bet.

A size becomes a total "to" which the player bets on the street. With `last` the opponent's bet on the street, `pot` the
pot after a call, `most` the total that is all-in for the shorter stack, and rounding half up:

    p%      last + round(pot * p / 100)                    share of the pot; `pot` is 100%, the most in pot-limit
    Nx      round(N * last)                                times the last bet
    Nc      last + N                                       chips
    Ne      last + round(pot * ((1 + 2 (most - last) / pot) ^ (1 / n) - 1) / 2): the same share of the pot n times is
            all-in. n is N, or the streets left if N is not given, less the raises already made; `NeP%` is at most P%.
    a       most

then it is kept between the smallest legal bet and `most`. Three thresholds, as postflop-solver has them: all-in is
added where most <= last + round(pot * add); a size s becomes all-in where most <= s + round((pot + 2 (s - last)) *
force), that is, where little would be left behind after a call; and from the greatest size down, a size of share y of
the pot is dropped where it is near the last one kept, of share x: (1 + x) / (1 + y) <= 1 + merge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from headsup.common.checks import as_text, door
from headsup.common.errors import UserError, place
from headsup.games.betting.line import Step, parse_line
from headsup.games.betting.rules import STREETS, Betting, State

PLAYERS = ("oop", "ip", "p0", "p1")
THRESHOLDS = ("add", "force", "merge")
NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
SIZE = re.compile(
    rf"(?:(?P<geometric>[0-9]*)e(?:(?P<limit>{NUMBER})%)?|(?P<number>{NUMBER})(?P<unit>[%xc])|(?P<pot>pot)|(?P<all>a))"
)
NEAR = 1e-12  # so that rounding keeps equal sizes equal


class Size(NamedTuple):
    unit: str  # one of % x c e a
    value: float  # shares as fractions; streets of e, 0 for all that are left
    limit: float  # the greatest share that e may come to
    text: str
    place: str


class Line(NamedTuple):
    """A line added to the tree or removed from it."""

    added: bool
    steps: tuple[Step, ...]


class Clause(NamedTuple):
    """Sizes for a street and a player, or for all of them."""

    street: str
    player: str
    donk: bool
    lists: tuple[tuple[Size, ...], ...]
    place: str


class Cap(NamedTuple):
    """How many bets a street may see."""

    street: str
    bets: int
    place: str


@dataclass(frozen=True)
class Menu:
    """A menu as it was written, read but not yet bound to rules."""

    text: str
    clauses: tuple[Clause, ...]
    caps: tuple[Cap, ...]
    add: float
    force: float
    merge: float
    lines: tuple[Line, ...]

    def amounts(self, rules: Betting) -> Callable[[State], Sequence[int]]:
        """A function from states to the totals that the menu offers there, ascending."""
        return _Bound(self, rules)

    def lists(self, rules: Betting) -> list[list[tuple[tuple[Size, ...], ...]]]:
        """By street and seat, the lists of sizes: for the first bet, the first raise and so on; donk lists apart."""
        return _Bound(self, rules).lists

    def donk(self, rules: Betting) -> list[list[tuple[Size, ...] | None]]:
        """By street and seat, the sizes of donk bets; None where they are those of other bets."""
        return _Bound(self, rules).donk


@door(text=as_text)
def parse_menu(text: str) -> Menu:
    """Read a menu; an error names the column."""
    clauses, caps, lines = [], [], []
    thresholds = dict.fromkeys(THRESHOLDS, 0.0)
    for part, at in _parts(text, 0, len(text), "|\n"):
        if part[0] in "+-":
            lines.append(_line(text, part, at))
            continue
        words = [(m.group(), at + m.start()) for m in re.finditer(r"\S+", part)]
        here = place(text, at)
        street = _take(words, STREETS)
        player = _take(words, PLAYERS)
        word = _take(words, ("donk", "cap", *THRESHOLDS))
        if word in THRESHOLDS:
            if street or player:
                raise UserError(f"{here}: '{word}' holds for the whole tree: leave out the street and the player")
            thresholds[word] = _share(text, word, words, here)
        elif word == "cap":
            if player:
                raise UserError(f"{here}: a cap holds for both players: leave out '{player}'")
            caps.append(Cap(street, _count(text, words, here), here))
        else:
            if not words:
                raise UserError(f"{here}: '{part}' has no sizes: write them behind it, or none")
            start = words[0][1]
            lists = tuple(_lists(text, start, at + len(part), word == "donk"))
            clauses.append(Clause(street, player, word == "donk", lists, here))
    return Menu(text, tuple(clauses), tuple(caps), **thresholds, lines=tuple(lines))


def _parts(text: str, start: int, end: int, marks: str) -> Iterator[tuple[str, int]]:
    """The parts of text[start:end] between marks, without the blanks around them, and where each starts."""
    for match in re.finditer(f"[^{marks}]+", text[start:end]):
        part = match.group().strip()
        if part:
            yield part, start + match.start() + match.group().index(part)


def _take(words: list[tuple[str, int]], known: Sequence[str]) -> str:
    return words.pop(0)[0].lower() if words and words[0][0].lower() in known else ""


def _line(text: str, part: str, at: int) -> Line:
    body = part[1:]
    if not body.strip():
        raise UserError(
            f"{place(text, at)}: a line is missing behind '{part[0]}': write its actions, like check, bet 40"
        )
    return Line(part[0] == "+", parse_line(body, text, at + 1))


def _share(text: str, word: str, words: list[tuple[str, int]], here: str) -> float:
    if len(words) != 1 or not re.fullmatch(rf"{NUMBER}%", words[0][0]):
        where = place(text, words[0][1]) if words else here
        raise UserError(f"{where}: '{word}' is followed by one share of the pot, like {word} 15%")
    return float(words[0][0][:-1]) / 100


def _count(text: str, words: list[tuple[str, int]], here: str) -> int:
    if len(words) != 1 or not re.fullmatch("[0-9]+", words[0][0]):
        where = place(text, words[0][1]) if words else here
        raise UserError(f"{where}: 'cap' is followed by one whole number, like cap 3")
    return int(words[0][0])


def _lists(text: str, start: int, end: int, donk: bool) -> Iterator[tuple[Size, ...]]:
    at = start
    for number, chunk in enumerate(text[start:end].split(";")):
        if donk and number:
            raise UserError(f"{place(text, at - 1)}: a donk menu is one list: raises come from the street's own menu")
        if not chunk.strip():
            raise UserError(f"{place(text, at)}: a list of sizes is empty: write none if there is to be no bet")
        if chunk.strip().lower() == "none":
            yield ()
        else:
            yield tuple(_sizes(text, chunk, at, donk))
        at += len(chunk) + 1


def _sizes(text: str, chunk: str, at: int, donk: bool) -> Iterator[Size]:
    for raw in chunk.split(","):
        part = raw.strip()
        here = place(text, at + len(raw) - len(raw.lstrip()))
        size = _size(part, here)
        if donk and size.unit == "x":
            raise UserError(f"{here}: '{part}' multiplies the last bet, and a donk bet has none before it")
        yield size
        at += len(raw) + 1


def _size(part: str, here: str) -> Size:
    match = SIZE.fullmatch(part.lower())
    if not match:
        raise UserError(
            f"{here}: '{part}' is not a bet size: write 60% of the pot, pot, 2.5x the last bet, 100c chips, "
            "e for geometric, a for all-in, or none"
        )
    if match["all"]:
        return Size("a", 0, inf, part, here)
    if match["pot"]:
        return Size("%", 1.0, inf, part, here)
    if match["geometric"] is not None:
        streets = int(match["geometric"] or 0)
        if match["geometric"] and not 1 <= streets <= 100:
            raise UserError(f"{here}: '{part}' spreads all-in over {streets} bets: write 1e to 100e, or e")
        return Size("e", streets, float(match["limit"]) / 100 if match["limit"] else inf, part, here)
    number, unit = float(match["number"]), match["unit"]
    if unit == "%":
        if not 0 < number <= 1_000_000:
            raise UserError(f"{here}: '{part}' is no share of a pot: write more than 0% and at most 1000000%")
        return Size("%", number / 100, inf, part, here)
    if unit == "x":
        if not 1 < number <= 1_000_000:
            raise UserError(f"{here}: '{part}' raises nothing: the last bet is multiplied by more than 1")
        return Size("x", number, inf, part, here)
    if number != int(number) or not 1 <= number < 1 << 40:
        raise UserError(f"{here}: '{part}' is not a number of chips: write a whole number from 1 on, like 100c")
    return Size("c", number, inf, part, here)


def _round(x: float) -> int:
    return int(x + 0.5)  # half up; sizes are never negative


class _Bound:
    """A menu with the rules it is played under: lists by street, seat and number of bets."""

    def __init__(self, menu: Menu, rules: Betting) -> None:
        if rules.kind == "limit":
            raise UserError("limit betting has one size of its own: leave the menu out")
        self.menu, self.rules = menu, rules
        self.blind = 1 if any(rules.blinds) else 0
        self.lists: list[list[tuple[tuple[Size, ...], ...]]] = [[((),), ((),)] for _ in rules.first]
        self.donk: list[list[tuple[Size, ...] | None]] = [[None, None] for _ in rules.first]
        self.cap = [inf] * rules.n_streets
        for clause in sorted(menu.clauses, key=lambda clause: (bool(clause.street), bool(clause.player))):
            self._put(clause)
        for cap in sorted(menu.caps, key=lambda cap: bool(cap.street)):
            for street in self._streets(cap.street, cap.place):
                self.cap[street] = cap.bets
        for street, seats in enumerate(self.lists):
            for size in (size for lists in seats for size in lists[0]):
                if size.unit == "x" and not (street == 0 and self.blind):
                    raise UserError(
                        f"{size.place}: '{size.text}' multiplies the last bet, and the first list on the "
                        f"{rules.street_names[street]} is for when there is none"
                    )

    def _streets(self, name: str, here: str) -> Sequence[int]:
        names = self.rules.street_names
        if name and name not in names:
            raise UserError(f"{here}: there is no {name} to bet on here: the streets are {', '.join(names)}")
        return [names.index(name)] if name else range(len(names))

    def _put(self, clause: Clause) -> None:
        oop = self.rules.first[-1]  # the first to act on the last street is out of position
        seats = {"oop": (oop,), "ip": (1 - oop,), "p0": (0,), "p1": (1,)}.get(clause.player, (0, 1))
        streets = self._streets(clause.street, clause.place)
        if clause.donk and clause.street and streets[0] == 0:
            raise UserError(f"{clause.place}: nobody can donk on the first street: there was no bet before it")
        for street in streets:
            for seat in seats:
                if clause.donk:
                    self.donk[street][seat] = clause.lists[0]
                else:
                    self.lists[street][seat] = clause.lists

    def __call__(self, state: State) -> Sequence[int]:
        rules, menu = self.rules, self.menu
        bounds = rules.bounds(state)
        if bounds is None or state.bets >= self.cap[state.street]:
            return ()
        raises = state.bets - (self.blind if state.street == 0 else 0)
        donk = self.donk[state.street][state.player]
        if donk is not None and not state.acted and state.called == state.player:
            sizes = donk
        else:
            lists = self.lists[state.street][state.player]
            sizes = lists[min(raises, len(lists) - 1)]
        low, most, all_in = bounds[0], rules.most(state), rules.all_in(state)
        pot = rules.pot_after_call(state)
        last = state.paid[1 - state.player] - state.start[1 - state.player]
        totals = set()
        for size in sizes:
            total = min(max(self._total(size, state, last, pot, raises), low), most)
            if most >= all_in and most <= total + _round((pot + 2 * (total - last)) * menu.force):
                total = most
            totals.add(total)
        if most >= all_in and most <= last + _round(pot * menu.add):
            totals.add(most)
        return _merged(sorted(totals), last, pot, menu.merge) if menu.merge else sorted(totals)

    def _total(self, size: Size, state: State, last: int, pot: int, raises: int) -> int:
        if size.unit == "%":
            return last + _round(pot * size.value)
        if size.unit == "x":
            return _round(last * size.value)
        if size.unit == "c":
            return last + int(size.value)
        all_in = self.rules.all_in(state)
        if size.unit == "a":
            return all_in
        streets = int(size.value) or self.rules.n_streets - state.street
        left = max(1, streets - max(0, raises - 1))
        share = ((2.0 * ((all_in - last) / pot) + 1.0) ** (1.0 / left) - 1.0) / 2.0
        return last + _round(pot * min(share, size.limit))


def _merged(totals: list[int], last: int, pot: int, merge: float) -> list[int]:
    kept: list[int] = []
    least = inf  # shares from here on are near the last one kept
    for total in reversed(totals):
        share = (total - last) / pot
        if share < least * (1.0 - NEAR):
            kept.append(total)
            least = (share - merge) / (1.0 + merge)
    return kept[::-1]
