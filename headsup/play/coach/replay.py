"""Logs of any kind, refereed again hand by hand: what the rules make of them, and where that is not what they say.

Read are our own logs (`headsup play --log`), match logs of the ACPC, and through PokerKit hand histories in PHH and the
texts of the rooms that it knows. Hands that cannot be read, hands of more than two players, and showdowns whose cards
the log does not show are left out, counted, and explained one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from headsup.common.checks import as_path, as_text, as_truth, door, of_kind
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed, read_text, reason
from headsup.play.protocols.acpc.log import is_log, read_log
from headsup.play.table.logged import SHOWN, LoggedHand
from headsup.play.table.record import Fault, hand_of_line
from headsup.play.table.rules import Table


@dataclass
class Replay:
    """What came of a log."""

    kind: str
    """acpc, headsup, phh, or the room whose text it is."""
    hands: int = 0
    differences: int = 0
    left_out: int = 0
    """Hands that could not be refereed here."""
    reasons: list[str] = field(default_factory=list)
    """Why, for the first of them."""
    examples: list[str] = field(default_factory=list)
    """The first differences, in words."""
    won: dict[str, int] = field(default_factory=dict)
    """Chips that each player has won by the rules."""

    def summary(self) -> dict[str, Any]:
        """As a JSON object."""
        return dict(vars(self))


@door(path=as_path, there=of_kind(Table))
def replay_log(path: str | Path, there: Table | None = None) -> Replay:
    """Referee every hand of a log again. A table is needed only where a log does not say what was played."""
    kind, hands = read_hands(path, there)
    found = Replay(kind)
    for told in hands:
        if told.left:
            found.left_out += 1
            found.reasons += [told.unread][: SHOWN - len(found.reasons)]
            continue
        found.hands += told.is_hand
        differ = told.differences()
        found.differences += len(differ)
        found.examples += differ[: max(0, SHOWN - len(found.examples))]
        if told.hand is not None:
            for name, chips in zip(told.players, told.hand.chips, strict=True):
                found.won[name] = found.won.get(name, 0) + chips
    if not found.hands:
        why = f"that can be refereed ({found.reasons[0]})" if found.reasons else "in it"
        raise DataError(f"{path} has no hand {why}: give a log with at least one")
    return found


@door(path=as_path, there=of_kind(Table))
def read_hands(path: str | Path, there: Table | None = None) -> tuple[str, Iterator[LoggedHand]]:
    """The kind of a log, and its hands."""
    return parse_hands(read_text(path), path, there)


@door(text=as_text, there=of_kind(Table), files=as_truth)
def parse_hands(
    text: str, path: str | Path = "the text", there: Table | None = None, *, files: bool = True
) -> tuple[str, Iterator[LoggedHand]]:
    """The same of a text; without `files` one that names a file, as a log of hands from a spot does, is refused."""
    own = text.lstrip().startswith("{")
    if not own and is_log(text):
        return "acpc", read_log(text, there)
    if there is not None:
        raise UserError(f"{path} says itself what was played: leave out --game, --stack and --definition")
    if own:
        return "headsup", _own_log(path, text, files)
    from headsup.play.table import histories

    if re.search(r"^variant *=", text, re.MULTILINE):
        return "phh", histories.read_phh(text)
    return histories.read_room(path, text)


def _own_log(path: str | Path, text: str, files: bool) -> Iterator[LoggedHand]:
    from headsup.play.table.rules import TABLES
    from headsup.play.table.start import make_table

    (_, head), *lines = ((at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip())
    about = parsed(path, lambda: dict(json.loads(head)))
    if about.get("headsup") != "log":
        raise DataError(f"{path} is no log of headsup: those begin with a line that says so")
    stack = about.get("stack")
    if not isinstance(about.get("game"), str) or not (stack is None or isinstance(stack, int | float)):
        raise DataError(f"{path} does not say which game was played: its first line has game and stack")
    if not files and about["game"] not in TABLES:
        raise DataError(f"{path} has hands of {about['game'][:40]}, which is no game of the arena: give another one")
    there = make_table(about["game"], stack)
    for number, (at, line) in enumerate(lines):
        try:
            yield _own_hand(there, json.loads(line), number)
        except Exception as error:  # a line may have anything in it
            yield LoggedHand(f"line {at}", None, left=f"it cannot be read ({reason(error)})")


def _own_hand(there: Table, line: dict[str, Any], count: int) -> LoggedHand:
    number = int(line.get("hand", count))
    label, players = f"hand {number}", (str(line["players"][0]), str(line["players"][1]))
    chips = Fraction(int(line["chips"][0])), Fraction(int(line["chips"][1]))
    faults = tuple(Fault(int(one["seat"]), str(one["kind"]), str(one["text"])) for one in line.get("faults", ()))
    try:
        hand = hand_of_line(there, line)
    except UserError as error:
        return LoggedHand(label, None, str(error), players, number=number)
    return LoggedHand(label, hand, "", players, chips, number=number, faults=faults)
