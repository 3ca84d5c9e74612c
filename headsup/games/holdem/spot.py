"""Spots: a board, two weighted ranges, a pot, stacks and a bet menu, as a record and as text.

A spot is hold'em or Omaha from the flop, turn or river on; the player out of position acts first on every street. As
text it has lines of `key: value`, and a `#` begins a comment:

    board: QsJh2h           # three, four or five cards
    oop: 66+,A8s+,KQo       # the range out of position, with weights if wanted (AK:0.5)
    ip: QQ-22,AQs-A2s
    pot: 180                # whole chips in the middle
    stack: 910              # chips behind, or two numbers: 910, 850 (oop, ip)
    bets: 52%               # sizes of the first bet of a street
    raises: 2.5x            # sizes of raises (default: those of bets)
    turn: 75%, a; 3x        # another menu for one street: bets; raises
    menu: cap 3             # anything else a menu allows (`headsup.games.betting.menu`)
    rake: 5%/30             # rake and its cap in chips
    dead: Ah                # cards that nobody holds and that never come
    swaps: in turn          # hold'em with discards: each may change a hole card; or: together
    variant: omaha8         # Omaha high (omaha) or Hi-Lo (omaha8); hold'em if left out
    betting: no-limit       # or pot-limit; hold'em is no-limit and Omaha pot-limit if left out

The fields of a `Spot`, the keys of its text, the options of `headsup spot` (`--game` for the variant) and the fields of
the page are the same words; `Spot.from_fields` reads all of them. Chips that players win are counted from the root:
together they win the pot less the rake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

from headsup.cards.cards import Cards, cards_name, mask_of, parse_cards, read_cards
from headsup.cards.combos import counted
from headsup.cards.games import OMAHA_GAMES
from headsup.cards.ranges import Range, RangeError, parse_range
from headsup.common.checks import as_text, door, quoted, whole
from headsup.common.errors import DataError, UserError
from headsup.common.files import read_text, write_text
from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import STREETS, Betting
from headsup.games.holdem.vector import VectorGame, holdem_game

NAME = "spot"  # a spot's game is called by this word and its board
MENUS = STREETS[1:]
MOST_CHIPS = 1_000_000_000
HOLDEM, LIMITS = "holdem", ("no-limit", "pot-limit")
SWAPS = ("in turn", "together")
"""With discards: the player out of position decides first and the opponent sees whether a card was changed, or neither
sees it before both are done. Cards are changed on the flop and on the turn, before the betting.
"""


@dataclass(frozen=True, repr=False)
class Spot:
    """A board, two ranges, chips and a menu; checked, so that a spot that exists can be solved."""

    board: str
    oop: str
    ip: str
    pot: int
    stack: int | tuple[int, int]
    bets: str = ""
    raises: str = ""
    flop: str = ""
    turn: str = ""
    river: str = ""
    menu: str = ""
    rake: str = ""
    dead: str = ""
    swaps: str = ""
    variant: str = ""
    betting: str = ""

    def __init__(  # every word may be written as people write it, and is kept as this class writes it
        self,
        board: Cards,
        oop: str | Range,
        ip: str | Range,
        pot: int,
        stack: int | tuple[int, int],
        bets: str = "",
        raises: str = "",
        flop: str = "",
        turn: str = "",
        river: str = "",
        menu: str = "",
        rake: str = "",
        dead: Cards = "",
        swaps: str = "",
        variant: str = "",
        betting: str = "",
    ) -> None:
        put = {"board": _cards(board, "board"), "dead": _cards(dead, "dead")}
        put |= {"oop": _hands(oop, "oop"), "ip": _hands(ip, "ip"), "rake": _one_line(rake, "rake")}
        given = {"bets": bets, "raises": raises, "flop": flop, "turn": turn, "river": river, "menu": menu}
        given |= {"swaps": swaps, "variant": variant, "betting": betting}
        put |= {key: _one_line(text, key) for key, text in given.items()}
        put["variant"] = "" if put["variant"] == "holdem" else put["variant"]
        for key, value in put.items():
            object.__setattr__(self, key, value)
        object.__setattr__(self, "pot", _chips(pot, "pot"))
        both = stack if isinstance(stack, tuple) else (stack, stack)
        if len(both) != 2:
            raise UserError(f"stack: one number for both or two, oop and ip, not {quoted(stack)}")
        chips = (_chips(both[0], "stack"), _chips(both[1], "stack"))
        object.__setattr__(self, "stack", chips[0] if chips[0] == chips[1] else chips)
        self._check()

    def _check(self) -> None:
        if len(self.cards) not in (3, 4, 5):
            raise UserError(f"board: a spot begins with three, four or five cards, not {len(self.cards)}")
        both = mask_of(self.cards) & mask_of(parse_cards(self.dead))
        if both:
            raise UserError(f"dead: {cards_name([both.bit_length() - 1])} is on the board: a card is in one place only")
        if self.swaps and self.swaps not in SWAPS:
            raise UserError(f"swaps: they are made {' or '.join(SWAPS)}, not {quoted(self.swaps)}")
        if self.variant and self.variant not in OMAHA_GAMES:
            raise UserError(f"variant: a spot is of holdem, {' or '.join(OMAHA_GAMES)}, not {quoted(self.variant)}")
        if self.variant and self.swaps:
            raise UserError("swaps: cards are changed in hold'em only: leave them out, or the variant")
        if self.betting and self.betting not in LIMITS:
            raise UserError(f"betting: it is {' or '.join(LIMITS)}, not {quoted(self.betting)}")
        for street in MENUS[: len(self.cards) - 3]:
            if getattr(self, street):
                raise UserError(f"{street}: a spot with {len(self.cards)} cards has no betting on the {street}")
        if self.raises and not self.bets:
            raise UserError("raises: there are none without bets: add bets, such as bets: 60%")
        if not any((self.bets, self.menu, *(getattr(self, street) for street in MENUS))):
            raise UserError("bets: say what may be bet, such as 60% (of the pot), 100c (chips), a (all-in) or none")
        prefixes = {"bets": "", "raises": "none; ", "menu": ""} | {street: f"{street} " for street in MENUS}
        for key, prefix in prefixes.items():
            if getattr(self, key):
                _menu_part(key, prefix, getattr(self, key))
        _ = self.ranges, self.rules, self.tree

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards on the board, in the order given."""
        return parse_cards(self.board)

    @property
    def streets(self) -> tuple[str, ...]:
        return MENUS[len(self.cards) - 3 :]

    @property
    def stacks(self) -> tuple[int, int]:
        """The chips behind of both, out of position first."""
        return self.stack if isinstance(self.stack, tuple) else (self.stack, self.stack)

    @cached_property
    def ranges(self) -> tuple[Range, Range]:
        """Both ranges, without the hands that the board and the dead cards make impossible."""
        known = mask_of(self.cards) | mask_of(parse_cards(self.dead))
        first, second = (_range(key, getattr(self, key), known, self.variant or HOLDEM) for key in ("oop", "ip"))
        return first, second

    @cached_property
    def rules(self) -> Betting:
        share, cap = _rake(self.rake)
        n, swaps = len(self.streets), tuple(range(len(self.streets) - 1)) if self.swaps else ()
        return Betting(
            first=(0,) * n,
            stacks=self.stacks,
            pot=self.pot,
            kind=self.betting or ("pot-limit" if self.variant else "no-limit"),
            rake=share,
            rake_cap=cap,
            swaps=swaps,
            together=bool(swaps) and self.swaps == "together",
        )

    @property
    def menu_text(self) -> str:
        parts = ["; ".join(filter(None, (self.bets, self.raises)))]
        parts += [f"{street} {getattr(self, street)}" for street in MENUS if getattr(self, street)]
        return " | ".join(filter(None, [*parts, self.menu]))

    @cached_property
    def tree(self) -> BettingTree:
        return betting_tree(self.rules, self.menu_text)

    def game(self) -> VectorGame:
        """The spot as a game of betting, boards and showdowns."""
        dead = parse_cards(self.dead)
        streets = (0, 1, 1)[: len(self.streets)]
        weights = self.ranges[0].weights, self.ranges[1].weights
        name = " ".join(filter(None, (NAME, self.variant, self.board)))
        played = self.variant or HOLDEM
        game = holdem_game(name, self.tree, root=self.cards, streets=streets, ranges=weights, dead=dead, game=played)
        _ = game.mass  # raises if no two hands can be dealt together
        return replace(game, text=self.text())

    def with_(self, **changes: Any) -> Spot:
        now = {key: getattr(self, key) for key in FIELDS}
        for key in changes:
            if key not in now:
                raise UserError(f"{quoted(key)} is no part of a spot: it has {', '.join(now)}")
        return Spot(**(now | changes))

    def text(self) -> str:
        """The spot as a text that `parse` reads back."""
        return "".join(f"{key}: {value}\n" for key, value in self._lines())

    def _lines(self) -> Iterator[tuple[str, str]]:
        for key in FIELDS:
            value = getattr(self, key)
            text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            if text:
                yield key, text

    def __repr__(self) -> str:
        sides = " against ".join(counted(side.combos) for side in self.ranges)
        stacks = " and ".join(f"{chips:,}" for chips in dict.fromkeys(self.stacks))
        rake = (f", rake {self.rake}" if self.rake else "") + (f", swaps {self.swaps}" if self.swaps else "")
        menu = self.menu_text if len(self.menu_text) <= 60 else f"{self.menu_text[:57]}..."
        board = " ".join(filter(None, (self.variant, self.board)))
        return f"<Spot {board}: {sides}, pot {self.pot:,}, stack {stacks}, {menu}{rake}>"

    def _repr_html_(self) -> str:
        from headsup.common.display import table

        sides = (("out of position", self.oop), ("in position", self.ip))
        rows = [(who, f"{text} ({counted(side.combos)})") for (who, text), side in zip(sides, self.ranges, strict=True)]
        stacks = " and ".join(f"{chips:,}" for chips in dict.fromkeys(self.stacks))
        rows += [("pot", f"{self.pot:,}"), ("stack", stacks), ("bets", self.menu_text)]
        rows += [(name, getattr(self, name)) for name in FIELDS[-5:] if getattr(self, name)]
        return table(f"Spot {self.board}", (), rows)

    @classmethod
    def from_fields(cls, given: Mapping[str, str | None], base: Spot | None = None, *, hint: str = "") -> Spot:
        """Read a spot from text fields: the options of a command, a form, or the lines of a file.

        Args:
            given: The text of each field. None keeps the value of `base`, or the default where there is no base.
            base: A spot that the fields change.
            hint: How to add a missing field, for the error message.
        """
        read = {key: _value(key, text.strip()) for key, text in given.items() if text is not None}
        if base is not None:
            return base.with_(**read)
        missing = [key for key in _EXAMPLES if not read.get(key)]
        if missing:
            hint = hint or f"add a line such as {missing[0]}: {_EXAMPLES[missing[0]]}"
            raise UserError(f"a spot needs {', '.join(missing)}: {hint}")
        return cls(**read)

    @classmethod
    @door(text=as_text)
    def parse(cls, text: str) -> Spot:
        """Read a spot from text; an error names the line."""
        lines: dict[str, tuple[int, str]] = {}
        for number, raw in enumerate(text.splitlines(), start=1):
            line = raw.partition("#")[0].strip()
            if not line:
                continue
            key, colon, value = (part.strip() for part in line.partition(":"))
            if not colon or key not in FIELDS:
                what, known = quoted(key if colon else line), ", ".join(FIELDS)
                raise UserError(f"line {number}: {what} is no part of a spot: write key: value with {known}")
            if key in lines:
                raise UserError(f"line {number}: {key} was given on line {lines[key][0]} already: leave one out")
            if not value:
                raise UserError(f"line {number}: {key} has no value: write one, or leave the line out")
            lines[key] = number, value
        try:
            return cls.from_fields({key: value for key, (_, value) in lines.items()})
        except UserError as error:
            key = re.split(r"[:,]", str(error))[0]
            raise (UserError(f"line {lines[key][0]}: {error}") if key in lines else error) from None

    @classmethod
    def read(cls, path: str | Path) -> Spot:
        text = read_text(path)
        try:
            return cls.parse(text)
        except UserError as error:
            raise DataError(f"{path}, {error}") from None

    def write(self, path: str | Path) -> None:
        """Write the spot to a text file, with a comment on top."""
        write_text(path, f"# A spot for headsup: solve it with  headsup spot FILE\n{self.text()}")


FIELDS = tuple(field.name for field in fields(Spot))
_EXAMPLES = {"board": "QsJh2h", "oop": "66+,AJs+", "ip": "QQ-22,AQs", "pot": "180", "stack": "910"}


def is_spot(game: str) -> bool:
    """Whether a game's name is that of a spot."""
    return game.startswith(f"{NAME} ")


def _cards(cards: Cards, key: str) -> str:
    try:
        return cards_name(read_cards(cards, key))
    except UserError as error:
        raise UserError(f"{key}: {error}") from None


def _hands(hands: str | Range, key: str) -> str:
    return _one_line(str(hands) if isinstance(hands, Range) else hands, key)


def _one_line(text: str, key: str) -> str:
    if not isinstance(text, str):
        raise UserError(f"{key}: write it as text, not {quoted(text)}")
    if "#" in text:
        raise UserError(f"{key}: # begins a comment and is no part of it")
    return " ".join(" | ".join(filter(str.strip, text.splitlines())).split())


def _chips(value: object, key: str) -> int:
    chips = whole(value, f"{key}: chips", least=1)
    if chips > MOST_CHIPS:
        count = f"{chips:,}" if chips < 10**18 else quoted(chips)
        raise UserError(f"{key}: {count} chips are more than {MOST_CHIPS:,}: count in larger chips")
    return chips


def _value(key: str, text: str) -> Any:
    """The value of a field: chips are read, the rest stays text."""
    if key not in ("pot", "stack") or not text:
        return text
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,12}", part) for part in parts) or len(parts) > (2 if key == "stack" else 1):
        two = ", or two such as 910, 850" if key == "stack" else ""
        raise UserError(f"{key}: {quoted(text)} is not a whole number of chips{two}")
    return int(parts[0]) if len(parts) == 1 else tuple(map(int, parts))


def _range(key: str, text: str, known: int, game: str) -> Range:
    try:
        held = parse_range(text, game).without(known)
    except RangeError as error:
        raise error.renamed(key) from None
    if not held.combos:
        raise UserError(f"{key}: the board and the dead cards leave no hand of '{text}': widen the range")
    return held


def _rake(text: str) -> tuple[float, float]:
    """'5%' or '5%/30' as a fraction and a cap."""
    if not text:
        return 0.0, inf
    match = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*%(?:\s*/\s*([0-9]*\.?[0-9]+))?", text)
    if not match or not float(match[1]) < 100.0:
        raise UserError(f"rake: '{text}' is not a rake: write a share of the pot and its cap in chips, such as 5%/30")
    return float(match[1]) / 100.0, float(match[2]) if match[2] else inf


def _menu_part(key: str, prefix: str, text: str) -> None:
    """Read one part of the menu alone, so that an error names its key."""
    if key != "menu" and "|" in text:
        raise UserError(f"{key}: one menu without bars: write what else there is under menu")
    if key in ("bets", "raises") and not re.match(r"\s*(?:[0-9.;]|none|pot|e|a\b)", text):
        raise UserError(f"{key}: '{text}' is not a list of sizes: write for example 60% or 33%, 75%, a")
    try:
        parse_menu(prefix + text)
    except UserError as error:
        where = re.sub(r"column (\d+)", lambda m: f"column {max(1, int(m[1]) - len(prefix))}", str(error), count=1)
        raise UserError(f"{key}, {where}") from None
