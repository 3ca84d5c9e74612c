"""The hands of a text from poker rooms: which room each is of, its reader, and why a hand is skipped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from headsup.common.errors import DataError, MissingExtra, UserError
from headsup.common.files import reason
from headsup.play.protocols.rooms import wpn_old
from headsup.play.protocols.rooms.hand import RoomHand
from headsup.play.protocols.rooms.heads_up import logged_hand
from headsup.play.protocols.rooms.ipoker import gametypes, read_ipoker
from headsup.play.protocols.rooms.lines import read_lines, seat_in
from headsup.play.protocols.rooms.ohh import is_ohh, objects, ohh_label, read_ohh
from headsup.play.table import histories
from headsup.play.table.logged import LoggedHand

_GAME_NUMBER = r"(?:(?:\*{3} )?Game #\w+ starts\.?\s+)?(?:#Game No : \d+\s+)?"
HEADS = {
    "pokerstars": r"PokerStars [^\n#]{0,40}#",
    "ggpoker": r"Poker Hand #",
    "winamax": r"Winamax Poker - [^\n]{0,200}?HandId: #",
    "888poker": rf"{_GAME_NUMBER}\*{{5}} (?!Hand History)[^\n*]{{1,40}}Hand History [Ff]or Game ",
    "partypoker": rf"{_GAME_NUMBER}\*{{5}} Hand History [Ff]or Game ",
    "wpn": rf"(?:(?:Game )?Hand #(?=\d+ - )|{wpn_old.HEAD})",
    "bovada": r"(?:Bovada|Ignition|Bodog)[\w. ]{0,12} Hand #",
    "ipoker": r"[ \t]*<game gamecode=\"",
    **{room: head for room, (_, head) in histories.ROOMS.items()},
}
"""How a hand of each room begins, up to its number; those of `histories.ROOMS` are read by PokerKit."""
_GROUPS = {f"room{i}": room for i, room in enumerate(HEADS)}
_HEAD = re.compile("|".join(f"^\ufeff?(?P<{group}>{HEADS[room]})" for group, room in _GROUPS.items()), re.MULTILINE)


def read_rooms(path: str | Path, text: str) -> tuple[str, Iterator[LoggedHand]]:
    """The rooms whose hands are in a text, and the hands; each unreadable hand carries its reason."""
    if is_ohh(text):
        return "ohh", _ohh_hands(text)
    heads = [(_GROUPS[head.lastgroup or ""], head) for head in _HEAD.finditer(text)]
    if not heads:
        raise DataError(f"{path} is not a hand history: give a headsup or ACPC log, PHH, OHH, or text of a poker room")
    rooms = Counter(room for room, _ in heads)
    if any(room in histories.ROOMS for room in rooms):
        histories.kit()
    return " and ".join(room for room, _ in rooms.most_common()), _room_hands(text, heads)


def _room_hands(text: str, heads: list[tuple[str, re.Match[str]]]) -> Iterator[LoggedHand]:
    yield from _strays(text[: heads[0][1].start()].split("\n\n"), heads[0][0])
    ends = [*(head.start() for _, head in heads[1:]), len(text)]
    kinds = gametypes(text)
    for index, ((room, head), end) in enumerate(zip(heads, ends, strict=True)):
        piece = text[head.start() : end]
        number = re.match(r"[\w-]+", text[head.end() : end])
        label = f"hand {index + 1 if number is None else number[0][:40]}"
        is_old = piece.lstrip("\ufeff").startswith("Game started")
        own, rest = (wpn_old.modern(piece), []) if is_old else _apart(piece)
        if room in histories.ROOMS:
            yield histories.read_kit(room, own, label, index)
        elif room == "ipoker":
            game = re.match(r"\s*<game.*?</game>", piece, re.DOTALL)
            gametype = next((name for at, name in reversed(kinds) if at < head.start()), "")
            body = game[0] if game else piece
            yield _refereed(label, index, lambda body=body, label=label, kind=gametype: read_ipoker(body, label, kind))  # type: ignore[misc]
            continue
        else:
            yield _refereed(label, index, lambda own=own, label=label: read_lines(own, label))  # type: ignore[misc]
        yield from _strays(rest, room)


def _apart(piece: str) -> tuple[str, list[str]]:
    """A hand and what follows it: later blocks between empty lines that list seats with stacks of their own."""
    first, *blocks = re.split(r"\n[ \t]*\n", piece.strip("\n"))
    own, rest, seated = [first], list[str](), _has_seats(first)
    for block in blocks:
        if rest or (seated and _has_seats(block)):
            rest.append(block)
        else:
            own.append(block)
            seated = seated or _has_seats(block)
    return "\n".join(own), rest


def _has_seats(block: str) -> bool:
    """Whether seats with stacks are listed before anything is dealt."""
    for line in block.splitlines():
        if line.startswith("**"):
            return False
        if seat_in(line.strip()[:200]):
            return True
    return False


def _strays(blocks: list[str], room: str) -> Iterator[LoggedHand]:
    """Blocks with seats that do not belong to a hand: those whose first line cannot be read."""
    for block in blocks:
        if _has_seats(block):
            begins = block.strip().partition("\n")[0][:40]
            yield LoggedHand(f"'{begins}'", None, left=f"it does not begin as hands of {room} do")


def _ohh_hands(text: str) -> Iterator[LoggedHand]:
    index = 0
    try:
        for index, (_, value) in enumerate(objects(text)):
            label = ohh_label(value, index)
            yield _refereed(label, index, lambda value=value, label=label: read_ohh(value, label))  # type: ignore[misc]
    except DataError as error:
        yield LoggedHand(f"hand {index + 2}", None, left=str(error), number=index + 1)


def _refereed(label: str, index: int, read: Callable[[], RoomHand]) -> LoggedHand:
    try:
        return logged_hand(read(), index)
    except MissingExtra:
        raise
    except UserError as error:
        why = str(error)
    except Exception as error:  # a text may contain anything
        why = f"it cannot be read ({reason(error)})"
    return LoggedHand(label, None, left=why, number=index)
