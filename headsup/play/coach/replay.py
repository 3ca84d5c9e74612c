"""Logs refereed again hand by hand, and how they differ from the rules: our own logs, ACPC match logs, and hand
histories.

Unreadable hands, hands of more than two players, and showdowns with unknown cards are skipped, counted and explained.
"""

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
from headsup.play.protocols.rooms.ohh import is_ohh
from headsup.play.protocols.rooms.read import read_rooms
from headsup.play.table.logged import SHOWN, LoggedHand
from headsup.play.table.record import faults_of_line, hand_of_line
from headsup.play.table.rules import TABLES, Table


@dataclass
class Replay:
    kind: str  # acpc, headsup, phh, or the room whose text it is
    hands: int = 0
    differences: int = 0
    left_out: int = 0  # hands that could not be refereed
    reasons: list[str] = field(default_factory=list)  # why, for the first of them
    examples: list[str] = field(default_factory=list)  # the first differences, in words
    won: dict[str, int] = field(default_factory=dict)  # chips by player

    def summary(self) -> dict[str, Any]:
        return dict(vars(self))


@door(path=as_path, there=of_kind(Table))
def replay_log(path: str | Path, there: Table | None = None) -> Replay:
    """Referee every hand of a log again. A table is needed only if the log does not name its game."""
    kind, hands = read_hands(path, there)
    result = Replay(kind)
    for logged in hands:
        if logged.left:
            result.left_out += 1
            result.reasons += [logged.unread][: SHOWN - len(result.reasons)]
            continue
        result.hands += logged.is_hand
        differ = logged.differences()
        result.differences += len(differ)
        result.examples += differ[: max(0, SHOWN - len(result.examples))]
        if logged.hand is not None:
            for name, chips in zip(logged.players, logged.hand.chips, strict=True):
                result.won[name] = result.won.get(name, 0) + chips
    if not result.hands:
        why = f"that can be refereed ({result.reasons[0]})" if result.reasons else "in it"
        raise DataError(f"{path} has no hand {why}: give a log with at least one")
    return result


@door(path=as_path, there=of_kind(Table))
def read_hands(path: str | Path, there: Table | None = None) -> tuple[str, Iterator[LoggedHand]]:
    """The kind of a log, and its hands."""
    return parse_hands(read_text(path), path, there)


@door(text=as_text, there=of_kind(Table), files=as_truth)
def parse_hands(
    text: str, path: str | Path = "the text", there: Table | None = None, *, files: bool = True
) -> tuple[str, Iterator[LoggedHand]]:
    """The kind and the hands of a text; without `files` a log that names a spot file is refused."""
    own = text.lstrip().startswith("{") and not is_ohh(text)
    if not own and is_log(text):
        return "acpc", read_log(text, there)
    if there is not None:
        raise UserError(f"{path} names its own game: leave out --game, --stack and --definition")
    if own:
        return "headsup", _own_log(path, text, files)
    if re.search(r"^variant *=", text, re.MULTILINE):
        from headsup.play.table import histories

        return "phh", histories.read_phh(text)
    return read_rooms(path, text)


def _own_log(path: str | Path, text: str, files: bool) -> Iterator[LoggedHand]:
    from headsup.play.table.start import make_table

    (_, head), *lines = ((at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip())
    about = parsed(path, lambda: dict(json.loads(head)))
    if about.get("headsup") != "log":
        raise DataError(f"{path} is not a log of headsup: its first line does not name it")
    stack = about.get("stack")
    if not isinstance(about.get("game"), str) or not (stack is None or isinstance(stack, int | float)):
        raise DataError(f"{path} does not name its game: the first line needs game and stack")
    if not files and about["game"] not in TABLES:
        raise DataError(f"{path} has hands of {about['game'][:40]}, which is not a game of the arena: give another log")
    there = make_table(about["game"], stack)
    for number, (at, line) in enumerate(lines):
        try:
            yield _own_hand(there, json.loads(line), number)
        except Exception as error:  # lines may contain anything
            yield LoggedHand(f"line {at}", None, left=f"it cannot be read ({reason(error)})")


def _own_hand(there: Table, line: dict[str, Any], count: int) -> LoggedHand:
    number = int(line.get("hand", count))
    label, players = f"hand {number}", (str(line["players"][0]), str(line["players"][1]))
    chips = Fraction(int(line["chips"][0])), Fraction(int(line["chips"][1]))
    try:
        hand = hand_of_line(there, line)
    except UserError as error:
        return LoggedHand(label, None, str(error), players, number=number)
    return LoggedHand(label, hand, "", players, chips, number=number, faults=faults_of_line(line))
