r"""Gambit's extensive-form files (`.efg`), in both directions.

A file is a header, `EFG 2 R "title" { "player" "player" }` with an optional comment, and then the nodes in the order
in which one walks the tree depth-first:

    c "" 1 "deal" { "heads" 1/2 "tails" 1/2 } 0          chance: set, name, outcomes with probabilities, payoff number
    p "" 1 1 "toss" { "bet" "pass" } 0                   a player: who, set, name, actions, payoff number
    t "" 1 "won" { 1, -1 }                               an end: payoff number, name, payoffs

Names and lists may be left out when a set or a payoff number comes again. Payoffs at inner nodes count for everything
below them. Numbers are read exactly, as integers, fractions or decimals; a game must have two players and pay them
amounts that add up to zero everywhere, or else it is refused in one sentence. Numbers other than 0 lie between 1e-100
and 1e100 in size, so that no sum or product of them leaves what a float can hold.

Information sets of one name get their numbers added, and actions of one name in a set get (2), (3) and so on.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from headsup.common.checks import as_path, as_text, ascii_number, door, of_kind
from headsup.common.errors import DataError
from headsup.common.files import read_text, write_text
from headsup.games.contract.game import CHANCE, TERMINAL, Game, State
from headsup.games.trees.sequence import distinct_names

LONGEST, LEAST, MOST = 400, Fraction(1, 10**100), Fraction(10**100)
"""Of a number in a file: how many characters it may have, and its size unless it is 0."""
_EXPONENT = re.compile(r"[eE][+-]?0*([0-9_]*)$")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)|[\s,]+|(")', re.DOTALL)


@dataclass
class _Node:
    player: int
    infoset: str
    number: int  # of the information set in the file
    actions: tuple[str, ...]
    odds: tuple[float, ...]
    payoff: Fraction  # what player 0 has won once play gets here
    children: list[int]


class EfgGame(Game):
    """A game read from an `.efg` file; a state is the number of a node."""

    text: str | None = None  # the text of the file, for records that must hold the game itself

    def __init__(self, name: str, title: str, nodes: list[_Node]) -> None:
        self.name, self.title, self.params, self._nodes = name, title, {}, nodes

    def root(self) -> State:
        return 0

    def player(self, state: State) -> int:
        return self._nodes[state].player

    def actions(self, state: State) -> Sequence[str]:
        return self._nodes[state].actions

    def next(self, state: State, index: int) -> State:
        return self._nodes[state].children[index]

    def chance(self, state: State) -> Sequence[float]:
        return self._nodes[state].odds

    def infoset(self, state: State) -> str:
        """The set's name, or its number where names are missing or not unique."""
        return self._nodes[state].infoset

    def payoff(self, state: State) -> float:
        return float(self._nodes[state].payoff)


@door(path=as_path)
def read_efg(path: str | Path) -> EfgGame:
    return parse_efg(read_text(path), str(path))


@door(text=as_text, name=as_text)
def parse_efg(text: str, name: str = "efg") -> EfgGame:
    """Read a game from the text of an `.efg` file; `name` is what messages and solutions call it."""
    game = _Reader(text, name).game()
    game.text = text
    return game


class _Reader:
    """A pass over the tokens of a file: (kind, text, line) with kind one of string, brace, word."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.tokens = list(self._split(text))
        self.at = 0
        self.sets: dict[tuple[int, int], tuple[str, tuple[str, ...], tuple[float, ...]]] = {}
        self.payoffs: dict[int, Fraction] = {0: Fraction(0)}
        self.nodes: list[_Node] = []

    def _split(self, text: str) -> Iterator[tuple[str, str, int]]:
        line = 1
        for match in _TOKEN.finditer(text):
            string, brace, word, stray = match.groups()
            if stray:
                raise self._wrong("a quotation mark is never closed", line)
            if string is not None:
                yield "string", string.replace('\\"', '"').replace("\\\\", "\\"), line
            elif brace:
                yield "brace", brace, line
            elif word:
                yield "word", word, line
            line += match.group().count("\n")

    def _wrong(self, what: str, line: int | None = None) -> DataError:
        if line is None:
            line = self.tokens[min(self.at, len(self.tokens) - 1)][2] if self.tokens else 1
        return DataError(f"{self.name}, line {line}: {what}")

    def _peek(self) -> tuple[str, str]:
        return self.tokens[self.at][:2] if self.at < len(self.tokens) else ("end", "")

    def _take(self, kind: str, what: str, text: str | None = None) -> str:
        token, value = self._peek()
        if token != kind or (text is not None and value != text):
            seen = "the file ends" if token == "end" else f"there is '{value}'"
            raise self._wrong(f"expected {what}, but {seen}")
        self.at += 1
        return value

    def _whole(self, what: str) -> int:
        text = self._take("word", what)
        if not re.fullmatch(r"[+-]?[0-9]+", text):
            raise self._wrong(f"expected {what}, but there is '{text}'")
        if len(text) > LONGEST:
            raise self._wrong(f"expected {what}, but there is a number of {len(text):,} characters")
        return int(text)

    def _number(self, what: str) -> Fraction:
        text = self._take("word", what)
        exponent = _EXPONENT.search(text)
        # Looked at before the number is made: 1e30000000 is short to write and takes a minute to make.
        if len(text) > LONGEST or (exponent and len(exponent[1]) > 3):
            shown = text if len(text) <= 40 else f"{text[:37]}..."
            raise self._wrong(
                f"{what} is at most {LONGEST} characters long and at most 1e100 in size, but {shown} is not"
            )
        try:
            number = Fraction(ascii_number(text))
        except (ValueError, ZeroDivisionError):
            raise self._wrong(f"expected {what}, but there is '{text}'") from None
        if number and not LEAST <= abs(number) <= MOST:
            raise self._wrong(f"expected {what} that is 0 or between 1e-100 and 1e100 in size, but there is '{text}'")
        return number

    def game(self) -> EfgGame:
        title = self._header()
        waiting: list[tuple[int, Fraction]] = []  # nodes with children to come, and what is won on the way to them
        while True:
            won = waiting[-1][1] if waiting else Fraction(0)
            number = len(self.nodes)
            node = self._node(won)
            self.nodes.append(node)
            if waiting:
                parent = self.nodes[waiting[-1][0]]
                parent.children.append(number)
            if node.actions:
                waiting.append((number, node.payoff))
            while waiting and len(self.nodes[waiting[-1][0]].children) == len(self.nodes[waiting[-1][0]].actions):
                waiting.pop()
            if not waiting:
                break
        if self._peek()[0] != "end":
            raise self._wrong("the tree is complete, but the file continues")
        self._unique_names()
        return EfgGame(self.name, title, self.nodes)

    def _header(self) -> str:
        if self._peek() != ("word", "EFG"):
            raise self._wrong("an .efg file starts with EFG 2 R")
        self.at += 1
        self._take("word", "the version 2", "2")
        if self._take("word", "R") not in ("R", "D"):
            raise self._wrong("expected R after EFG 2")
        title = self._take("string", "a title in quotation marks")
        self._take("brace", "the list of players", "{")
        players = 0
        while self._peek()[0] == "string":
            self.at += 1
            players += 1
        self._take("brace", "the end of the list of players", "}")
        if players != 2:
            raise self._wrong(f"the game has {players} players: only games of two players can be solved")
        if self._peek()[0] == "string":
            self.at += 1
        return title

    def _node(self, won: Fraction) -> _Node:
        kind = self._take("word", "a node: c, p or t")
        if kind not in ("c", "p", "t"):
            raise self._wrong(f"expected a node (c, p or t), but there is '{kind}'")
        self._take("string", "the node's name in quotation marks")
        if kind == "t":
            return _Node(TERMINAL, "", 0, (), (), won + self._payoff(), [])
        player = CHANCE
        if kind == "p":
            player = self._whole("the player's number") - 1
            if player not in (0, 1):
                raise self._wrong(f"there is no player {player + 1}: the players are 1 and 2")
        number = self._whole("the number of the information set")
        name, actions, odds = self._set(player, number)
        return _Node(player, name, number, actions, odds, won + self._payoff(), [])

    def _set(self, player: int, number: int) -> tuple[str, tuple[str, ...], tuple[float, ...]]:
        name = ""
        if self._peek()[0] == "string":
            name = self._take("string", "a name")
        if self._peek() != ("brace", "{"):
            if (player, number) not in self.sets:
                raise self._wrong(f"information set {number} comes without its actions")
            return self.sets[player, number]
        self.at += 1
        actions: list[str] = []
        odds: list[Fraction] = []
        while self._peek()[0] == "string":
            actions.append(self._take("string", "an action"))
            if player == CHANCE:
                odds.append(self._number("a probability"))
        self._take("brace", "the end of the actions", "}")
        if not actions:
            raise self._wrong(f"information set {number} has no actions")
        if player == CHANCE and (min(odds) < 0 or abs(sum(odds, Fraction(0)) - 1) > Fraction(1, 10**9)):
            raise self._wrong(f"the probabilities of chance add up to {float(sum(odds))} instead of 1")
        fresh = (name or str(number), distinct_names(actions), tuple(map(float, odds)))
        known = self.sets.setdefault((player, number), fresh)
        if len(known[1]) != len(actions):
            raise self._wrong(f"information set {number} has {len(actions)} actions here and {len(known[1])} elsewhere")
        return known if player != CHANCE else (known[0], *fresh[1:])

    def _payoff(self) -> Fraction:
        number = self._whole("the number of a payoff")
        if self._peek()[0] == "string":
            self.at += 1
        if self._peek() != ("brace", "{"):
            if number not in self.payoffs:
                raise self._wrong(f"payoff {number} is used before it is given")
            return self.payoffs[number]
        self.at += 1
        values = []
        while self._peek()[0] == "word":
            values.append(self._number("a payoff"))
        self._take("brace", "the end of the payoffs", "}")
        if len(values) != 2:
            raise self._wrong(f"a payoff has {len(values)} numbers: two players need two")
        if values[0] + values[1] != 0:
            raise self._wrong(
                f"the payoffs {float(values[0]):g} and {float(values[1]):g} do not add up to 0: "
                "only zero-sum games can be solved, and this one is general-sum"
            )
        self.payoffs[number] = values[0]
        return values[0]

    def _unique_names(self) -> None:
        """Information sets that share a name get their number added, so that they stay apart."""
        times = Counter((player, name) for (player, _), (name, _, _) in self.sets.items())
        taken = {(player, name) for player, name in times if times[player, name] == 1}
        names: dict[tuple[int, int], str] = {}
        for (player, number), (name, _, _) in self.sets.items():
            if times[player, name] > 1:
                label = f"{name} ({number})"
                while (player, label) in taken:  # someone may have named a set just so
                    label += "'"
                taken.add((player, label))
                names[player, number] = label
        for node in self.nodes:
            node.infoset = names.get((node.player, node.number), node.infoset)


@door(game=of_kind(Game), path=as_path)
def write_efg(game: Game, path: str | Path | None = None) -> str:
    """A game as the text of an `.efg` file, also written to `path` if one is given."""
    lines = [f'EFG 2 R {_quote(str(game))} {{ "Player 1" "Player 2" }}', '""', ""]
    sets: dict[tuple[int, str], int] = {}
    payoffs: dict[Fraction, int] = {}
    chances = 0
    stack = [game.root()]
    while stack:
        state = stack.pop()
        who = game.player(state)
        if who == TERMINAL:
            lines.append(_end(_exact(game.payoff(state)), payoffs))
            continue
        names = list(game.actions(state))
        if who == CHANCE:
            chances += 1
            odds = _odds(list(game.chance(state)))
            moves = " ".join(f"{_quote(name)} {p}" for name, p in zip(names, odds, strict=True))
            lines.append(f'c "" {chances} "" {{ {moves} }} 0')
        else:
            label = game.infoset(state)
            number = sets.setdefault((who, label), len(sets) + 1)
            moves = " ".join(map(_quote, names))
            lines.append(f'p "" {who + 1} {number} {_quote(label)} {{ {moves} }} 0')
        stack.extend(game.next(state, i) for i in reversed(range(len(names))))
    text = "\n".join(lines) + "\n"
    if path is not None:
        write_text(path, text)
    return text


def _end(won: Fraction, payoffs: dict[Fraction, int]) -> str:
    number = payoffs.setdefault(won, len(payoffs) + 1)
    return f't "" {number} "" {{ {won}, {-won} }}'


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _exact(value: float) -> Fraction:
    """The simple fraction that a float stands for, or the float itself, exactly."""
    simple = Fraction(value).limit_denominator(10**6)
    return simple if abs(float(simple) - value) <= 4e-16 * max(1.0, abs(value)) else Fraction(value)


def _odds(values: list[float]) -> list[Fraction]:
    """Probabilities as fractions that add up to exactly 1."""
    simple = [_exact(p) for p in values]
    rest = Fraction(1) - sum(simple[:-1], Fraction(0))
    return [*simple[:-1], rest] if abs(float(rest) - values[-1]) < 1e-12 else simple
