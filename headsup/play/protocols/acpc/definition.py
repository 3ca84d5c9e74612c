"""Game definitions: the stakes and betting rules of a match in the dealer's text format.

Lists are in order of position: position 0, the big blind, comes first, and `firstPlayer` counts from one. `maxRaises`
counts raises; our cap counts the blind too.
"""

from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import UNLIMITED, Betting
from headsup.play.table.rules import Table

ANY_RAISES = 255  # no limit
_NUMBERS = {
    "numplayers": 1,
    "numrounds": 1,
    "stack": 2,
    "blind": 2,
    "raisesize": 4,
    "firstplayer": 4,
    "maxraises": 4,
    "numsuits": 1,
    "numranks": 1,
    "numholecards": 1,
    "numboardcards": 4,
}  # the fields of a definition, and how many numbers each has
_FIXED = {
    "numplayers": (2,),
    "numrounds": (4,),
    "numsuits": (4,),
    "numranks": (13,),
    "numholecards": (2,),
    "numboardcards": (0, 3, 1, 1),
}  # what they must be for hold'em between two


def check_speakable(table: Table) -> Table:
    """The table, if the protocol can express its game."""
    rules = table.betting
    known = table.cards == "holdem" and rules.kind in ("limit", "no-limit") and rules.n_streets == 4
    if not known or rules.jam_or_fold or table.draws or any(rules.antes) or rules.pot:
        raise UserError(f"the ACPC protocol cannot express {table.name}: choose holdem-limit or holdem-nolimit")
    return table


def read_definition(text: str) -> Table:
    """The table of a definition; DataError if it is invalid."""
    kind, fields = "limit", dict[str, tuple[int, ...]]()
    for line in text.splitlines():
        words = line.replace("=", " ").lower().split()
        if not words or line.startswith("#") or words[0] == "gamedef":
            continue
        if words[:2] == ["end", "gamedef"]:
            break
        if words in (["limit"], ["nolimit"]):
            kind = "limit" if words == ["limit"] else "no-limit"
            continue
        size = _NUMBERS.get(words[0])
        if size is None:
            raise DataError(f"'{line.strip()[:60]}' is not a line of a game definition: the fields are {_fields()}")
        if len(words) != 1 + size or not all(
            word.isascii() and word.isdigit() and len(word) < 13 for word in words[1:]
        ):
            raise DataError(f"'{line.strip()[:60]}' is invalid: {words[0]} of a heads-up game has {size} whole numbers")
        fields[words[0]] = tuple(int(word) for word in words[1:])
    for name, value in _FIXED.items():
        if fields.get(name, ()) != value:
            wanted = " ".join(str(number) for number in value)
            raise DataError(f"a game definition of heads-up hold'em needs {name} = {wanted}")
    return _table(kind, fields)


def _table(kind: str, fields: dict[str, tuple[int, ...]]) -> Table:
    if "blind" not in fields or "firstplayer" not in fields:
        raise DataError("a game definition needs blind and firstPlayer: add what is missing")
    if not all(player in (1, 2) for player in fields["firstplayer"]):
        raise DataError("firstPlayer names player 1 or 2 for each round: correct it")
    blinds = fields["blind"][::-1]
    cap = fields.get("maxraises", (ANY_RAISES,) * 4)
    limits = tuple(count + (street == 0 and any(blinds)) for street, count in enumerate(cap))
    try:
        betting = Betting(
            first=tuple(2 - player for player in fields["firstplayer"]),
            stacks=_pair(fields.get("stack", (UNLIMITED, UNLIMITED))[::-1]),
            blinds=_pair(blinds),
            kind=kind,
            sizes=fields.get("raisesize", ()) if kind == "limit" else (),
            cap=limits if min(cap) < ANY_RAISES else (),
        )
    except UserError as error:
        raise DataError(f"the game definition cannot be played: {error}") from error
    return Table("holdem-limit" if kind == "limit" else "holdem-nolimit", "holdem", betting, max(*blinds, 1))


def _pair(numbers: tuple[int, ...]) -> tuple[int, int]:
    return numbers[0], numbers[1]


def _fields() -> str:
    return ", ".join(("limit", "nolimit", *_NUMBERS))


def definition_text(table: Table) -> str:
    """The definition of a table, the inverse of `read_definition`."""
    rules = check_speakable(table).betting
    lines = ["GAMEDEF", "limit" if rules.kind == "limit" else "nolimit", "numPlayers = 2", "numRounds = 4"]
    if max(rules.stacks) < UNLIMITED:
        lines.append(f"stack = {_words(rules.stacks[::-1])}")
    lines.append(f"blind = {_words(rules.blinds[::-1])}")
    if rules.kind == "limit":
        lines.append(f"raiseSize = {_words(rules.sizes)}")
    lines.append(f"firstPlayer = {_words(tuple(2 - seat for seat in rules.first))}")
    if rules.cap:
        raises = tuple(count - (street == 0 and any(rules.blinds)) for street, count in enumerate(rules.cap))
        lines.append(f"maxRaises = {_words(raises)}")
    lines += ["numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1", "END GAMEDEF"]
    return "\n".join(lines) + "\n"


def _words(numbers: tuple[int, ...]) -> str:
    return " ".join(str(number) for number in numbers)
