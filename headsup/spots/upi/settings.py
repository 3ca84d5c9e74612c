"""What the protocol's `set_...` commands set before a tree is built."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from headsup.cards.cards import cards_name, parse_cards
from headsup.cards.ranges import Range, parse_range, range_text
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.spots.upi.numbers import HANDS, read_number, read_numbers, read_whole

if TYPE_CHECKING:
    from headsup.games.betting.rules import Betting
    from headsup.games.holdem.spot import Spot
    from headsup.spots.upi.lines import LineEdit

SEATS = {"OOP": 0, "IP": 1, "0": 0, "1": 1}
INFO_LINE = re.compile(r"#?([^#]+)#([^#]*)")


def read_seat(word: str) -> int:
    seat = SEATS.get(word.upper())
    if seat is None:
        raise UserError(f"a player is OOP or IP, not {quoted(word)}")
    return seat


@dataclass
class UpiSettings:
    """The next tree, and when to stop solving it."""

    board: str = ""
    ranges: list[Range] = field(default_factory=lambda: [Range("holdem", np.ones(HANDS))] * 2)
    pot: int = 0
    stack: int = 0
    rake: tuple[float, float] = (0.0, 0.0)
    isomorphism: tuple[int, int] = (1, 0)
    lines: list[LineEdit] = field(default_factory=list)
    info: list[str] = field(default_factory=list)  # `Key#value`
    accuracy: float = 0.0  # in chips, or as a fraction of the pot
    is_fraction: bool = False
    threads: int = 0

    def set_board(self, text: str) -> None:
        cards = parse_cards(text)
        if len(cards) not in (3, 4, 5):
            raise UserError(
                f"a board has three to five cards, not {len(cards)}: trees before the flop are not supported"
            )
        self.board = cards_name(cards)

    def set_range(self, seat: int, words: Sequence[str]) -> None:
        """1,326 weights, or range text such as `AA,AKs:0.5`."""
        if len(words) == HANDS:
            weights = read_numbers(words, "set_range")[0]
            if weights.max() > 1.0:
                raise UserError("set_range: weights lie between 0 and 1")
            hands = Range("holdem", weights)
        elif len(words) > 1 and all(re.fullmatch(r"[0-9.eE+-]+", word) for word in words):
            raise UserError(f"set_range: {len(words):,} numbers, and {HANDS:,} are needed, one for each hand")
        else:
            hands = parse_range(" ".join(words))
        self.ranges = [hands if seat == player else known for player, known in enumerate(self.ranges)]

    def set_pot(self, words: Sequence[str]) -> None:
        oop, ip, pot = (read_whole(word, "set_pot") for word in words)
        if oop or ip:
            raise UserError("set_pot: bets before the root belong to the pot: write set_pot 0 0 and all the chips")
        self.pot = pot

    def set_rake(self, words: Sequence[str]) -> None:
        share, cap = (read_number(word, "set_rake") for word in words)
        if not 0.0 <= share < 1.0 or cap < 0.0:
            raise UserError(
                "set_rake: write a share of the pot from 0 to below 1 and the cap in chips, such as 0.05 30"
            )
        self.rake = share, cap

    @property
    def info_values(self) -> dict[str, str]:
        return dict(line.split("#", 1) for line in self.info)

    def add_info(self, text: str) -> None:
        match = INFO_LINE.fullmatch(text.strip())
        if match is None:
            raise UserError(f"an information line is #Key#value, such as #FlopConfig.BetSize#52, not {quoted(text)}")
        self.info.append(f"{match[1].strip()}#{match[2].strip()}")

    def rules(self) -> Betting:
        """The betting rules, once board, pot and stack are set."""
        from headsup.games.betting.rules import Betting

        missing = [name for name, value in (("set_board", self.board), ("set_pot", self.pot)) if not value]
        missing += [] if self.stack else ["set_eff_stack"]
        if missing:
            raise UserError(f"the tree is not complete: send {' and '.join(missing)} first")
        return Betting(first=(0,) * (6 - len(parse_cards(self.board))), stacks=(self.stack, self.stack), pot=self.pot)

    def spot(self) -> Spot:
        """The spot of these settings: its tree from lines, or from sizes where there are no lines."""
        from headsup.games.holdem.spot import Spot
        from headsup.spots.upi.lines import lines_by_sizes, menu_of

        rules = self.rules()
        share, cap = self.rake
        rake = f"{100.0 * share:.9g}%/{cap:.9g}" if share else ""
        by_sizes = not self.lines and any("Config" in line for line in self.info)
        menu = menu_of(rules, lines_by_sizes(rules, self.info_values) if by_sizes else self.lines)
        oop, ip = self.ranges
        return Spot(self.board, oop, ip, self.pot, self.stack, bets="none", menu=menu, rake=_decimal(rake))

    def take(self, spot: Spot, lines: list[LineEdit], info: list[str]) -> None:
        """The settings of a tree that was read from a file."""
        self.board, self.pot, self.stack = spot.board, spot.pot, min(spot.stacks)
        self.ranges, self.lines, self.info = list(spot.ranges), lines, list(info)
        match = re.fullmatch(r"([0-9.]+)\s*%(?:\s*/\s*([0-9.]+))?", spot.rake)
        self.rake = (float(match[1]) / 100.0, float(match[2] or 10**9)) if match else (0.0, 0.0)

    def tree_info(self) -> list[str]:
        """Information lines with what the settings know added."""
        own = {
            "Type": "NoLimit",
            "Range0": range_text(self.ranges[0]),
            "Range1": range_text(self.ranges[1]),
            "Board": " ".join(self.board[i : i + 2] for i in range(0, len(self.board), 2)),
            "Pot": str(self.pot),
            "EffectiveStacks": str(self.stack),
        }
        if self.rake[0]:
            own |= {"Rake.Enabled": "True", "Rake.Fraction": f"{self.rake[0]:.9g}", "Rake.Cap": f"{self.rake[1]:.9g}"}
        return [f"#{key}#{value}" for key, value in (own | self.info_values).items()]


def _decimal(rake: str) -> str:
    """A rake without exponents, as spots write it."""
    if "e" not in rake:
        return rake
    raise UserError("set_rake: the share or the cap is out of reach: write a share such as 0.05 and a cap in chips")
