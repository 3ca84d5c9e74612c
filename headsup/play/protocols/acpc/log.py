"""Match logs as the dealer writes them: comments, one line per hand, and the score.

    # name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 20 1
    STATE:9:r4668f:KdTc|8sAc:-100|100:Bob|Alice
    SCORE:42607|-42607:Alice|Bob

Cards, results and names of a hand are in order of position, those of the score in order of player. We add comments: the
game definition, so that a log can be replayed without its stakes, and a line before each forfeited hand, whose fold
need not be legal.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from headsup.common.errors import DataError
from headsup.play.protocols.acpc.definition import definition_text, read_definition
from headsup.play.protocols.acpc.text import betting_text, cards_text, fault_line, read_cards, read_fault, read_hand
from headsup.play.table.logged import LoggedHand, total_won
from headsup.play.table.record import Fault, HandRecord, replay
from headsup.play.table.rules import Action, Table, TableHand, table

_HAND = re.compile(r"STATE:([0-9]{1,18}):([^:]*):([^:]*):([^:]*):([^:|]*)\|([^:|]*)")
_RESULT = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,9})?")
_SCORE = re.compile(r"SCORE:([^:|]*)\|([^:|]*):([^:|]*)\|([^:|]*)")
_FAULT = re.compile(r"# fault: hand [0-9]+ position [01] ([a-z]+): (.*)")


def plain_name(name: str) -> str:
    """A player's name without the log's separators."""
    return re.sub(r"[:|\s]", "-", name) or "player"


def log_head(name: str, game: str, there: Table, hands: int, seed: int, limits: Iterable[tuple[str, int]]) -> str:
    """The comments at the start of a log; limits are milliseconds by name."""
    lines = [f"# name/game/hands/seed {plain_name(name)} {plain_name(game)} {hands} {seed}"]
    lines += [f"#--{what} {milliseconds}" for what, milliseconds in limits]
    lines += [f"# {line}" for line in definition_text(there).splitlines()]
    return "\n".join(lines) + "\n"


def log_hand(hand: HandRecord) -> str:
    """The line of a hand, preceded by a comment for each fault."""
    actions = [step.action for step in hand.steps]
    if hand.faults:
        actions[-1] = Action("x")
    over = replay(hand.table, hand.deal, actions)
    lines = [
        f"{fault_line(hand.number, fault.seat)} {fault.kind}: {' '.join(fault.text.split())}" for fault in hand.faults
    ]
    betting = betting_text(hand.table, over.steps, over.street)
    results = "|".join(str(chips) for chips in hand.chips[::-1])
    names = "|".join(plain_name(name) for name in hand.players[::-1])
    lines.append(f"STATE:{hand.number}:{betting}:{cards_text(over)}:{results}:{names}")
    return "\n".join(lines) + "\n"


def log_score(names: tuple[str, str], chips: tuple[int, int]) -> str:
    """The last line."""
    first, second = (plain_name(name) for name in names)
    return f"SCORE:{chips[0]}|{chips[1]}:{first}|{second}\n"


def is_log(text: str) -> bool:
    return re.search(r"^STATE:[0-9]+:", text, re.MULTILINE) is not None


def log_table(text: str) -> Table:
    """The table of a log: its own definition, the game of its head, or a guess from its raises; with the
    competition's stakes if it names none.
    """
    definition = re.search(r"^# GAMEDEF\n(?:# .*\n)*?# END GAMEDEF$", text, re.MULTILINE)
    if definition is not None:
        return read_definition(re.sub("^# ", "", definition[0], flags=re.MULTILINE))
    head = re.search(r"^# *name/game/hands/seed (\S+) (\S+)", text, re.MULTILINE)
    if head is not None:
        game = head[2].rpartition("/")[2].lower()
        if "nolimit" in game or "limit" in game:
            return competition("holdem-nolimit" if "nolimit" in game else "holdem-limit")
    betting = "".join(fields[2] for line in text.splitlines() if (fields := _HAND.fullmatch(line)))
    if "r" not in betting:
        raise DataError("the log does not name its game and has no raise: give --game or --definition")
    return competition("holdem-nolimit" if re.search("r[0-9]", betting) else "holdem-limit")


def competition(game: str) -> Table:
    """The competition's stakes: 5 and 10 in limit, 50 and 100 with 200 big blinds in no-limit."""
    return table(game, 200 if game == "holdem-nolimit" else None)


def read_log(text: str, there: Table | None = None) -> Iterator[LoggedHand]:
    """Every hand of a log, refereed again; last its score, if it differs from the sum of the hands."""
    there = there or log_table(text)
    every, faults = list[LoggedHand](), dict[int, Fault]()
    for line in text.splitlines():
        if line.startswith("STATE:"):
            logged = _read_hand(line, there, faults)
            every.append(logged)
            yield logged
        elif line.startswith("SCORE:"):
            wrong = _score_differs(line, every)
            if wrong:
                yield LoggedHand("score", None, wrong, is_hand=False)
        elif (fault := _FAULT.fullmatch(line)) is not None:
            number, seat = read_fault(line) or (-1, 0)
            faults[number] = Fault(seat, fault[1], fault[2])
        elif line.strip() and line[0] not in "#;":
            raise DataError(f"'{line[:60]}' is not a line of a match log: lines begin with STATE:, SCORE: or #")


def _read_hand(line: str, there: Table, faults: dict[int, Fault]) -> LoggedHand:
    fields = _HAND.fullmatch(line)
    if fields is None:
        seated = line.count("|", line.rfind(":")) + 1
        if line.count(":") == 5 and seated > 2:
            raise DataError(f"the log has hands of {seated} players: give a heads-up log")
        return LoggedHand(line[:40], None, "the line is not STATE:hand:betting:cards:results:names")
    number, label, players = int(fields[1]), f"hand {fields[1]}", (fields[6], fields[5])
    fault = faults.get(number)
    try:
        chips = _results(fields[4])
        hand: TableHand = read_hand(there, read_cards(fields[3]), fields[2], fault is not None)
        if not hand.over:
            raise DataError("its betting stops while it is somebody's turn")
        if not all(hand.holes):
            raise DataError("the cards of a player are missing")
    except DataError as error:
        return LoggedHand(label, None, str(error), players, number=number)
    return LoggedHand(label, hand, "", players, chips, number=number, faults=(fault,) if fault else ())


def _results(text: str) -> tuple[Fraction, Fraction]:
    """In seat order."""
    first, _, second = text.partition("|")
    if not _RESULT.fullmatch(first) or not _RESULT.fullmatch(second):
        raise DataError(f"'{text[:40]}' are not the results of two players")
    return Fraction(second), Fraction(first)


def _score_differs(line: str, every: list[LoggedHand]) -> str:
    """What is wrong with the score, if all hands could be read and the names differ."""
    fields = _SCORE.fullmatch(line)
    if fields is None:
        return f"'{line[:60]}' is not the score of two players"
    if fields[3] != fields[4] and all(logged.hand is not None for logged in every):
        won = total_won(every)
        for name, claimed in ((fields[3], fields[1]), (fields[4], fields[2])):
            if not _same(claimed, won.get(name, 0)):
                return f"{name} has won {won.get(name, 0)} by the rules, but the log reports {claimed[:20]}"
    return ""


def _same(text: str, chips: int) -> bool:
    return _RESULT.fullmatch(text) is not None and Fraction(text) == chips
