"""Matches: many hands between two agents, hand by hand the same whatever the number of processes.

1. A `Match` says everything: who plays, at which table, how many hands, the seed, what is done against luck.
2. It is cut into sessions of a fixed number of hands. An agent that learns begins every session afresh, so sessions
may be
   played in any order and anywhere; what one session gives is one small JSON text (`play_session`).
3. Hand i has its own dice (`headsup.play.dice`). The players take the dealer's seat in turn; in a duplicate match
hands 2k
   and 2k + 1 have the same cards, and the players have changed seats.
4. With a folder, every session is kept there as a file; the same match goes on from there after it was stopped.

Results are those of the first player in big blinds a hand. The unit of the statistics is a hand, in a duplicate match a
pair of them; in a match to the end a whole game, which begins anew when one has all the chips.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from headsup import distribute
from headsup.checks import check_seed, positive, whole
from headsup.errors import DataError, UserError
from headsup.files import parsed, read_json, write_bytes, write_json
from headsup.games.arrays import Floats
from headsup.play.agent import Agent, make_pair
from headsup.play.interval import Interval, anytime, fixed
from headsup.play.record import HandRecord
from headsup.play.referee import Referee
from headsup.play.start import is_card_game, make_table
from headsup.play.table import Table
from headsup.progress import Progress, Watch
from headsup.stop import until_stopped

if TYPE_CHECKING:
    from headsup.play.flat import FlatGame, Policy

SESSION = 1000
"""Hands of a session: what an agent that learns gets to know the other in."""
GAMES_A_SESSION = 20
LONGEST = 10_000
"""Hands after which a game to the end is a draw."""
FUNCTION = "headsup.play.match:play_session"


@dataclass(frozen=True)
class Match:
    """All that a match depends on."""

    first: str
    second: str
    game: str = "holdem-nolimit"
    stack: float | None = None
    hands: int = 1000
    seed: int = 0
    duplicate: bool = False
    equity: bool = False
    aivat: bool = False
    to_the_end: bool = False  # then `hands` are games
    session: int = SESSION
    seconds: float | None = None  # that a move may take
    log: bool = False  # whether records are kept

    def __post_init__(self) -> None:
        whole(self.hands, "the number of hands", 1)
        whole(self.session, "the hands of a session", 2)
        check_seed(self.seed)
        if self.seconds is not None:
            positive(self.seconds, "the seconds of a move")
        if self.duplicate and (self.hands % 2 or self.session % 2):
            raise UserError(f"a duplicate match is played in pairs of hands: {self.hands} hands are an odd number")
        if self.to_the_end and (self.duplicate or self.equity or self.aivat):
            raise UserError("a match to the end has stacks that hang on luck: leave out duplicate, equity and aivat")
        cards = is_card_game(self.game)
        if not cards and (self.equity or self.to_the_end or self.log or self.stack is not None):
            raise UserError(f"{self.game} has no stacks and no all-in: leave out stack, equity, to-the-end and log")
        if cards and self.equity and self.table.draws:
            raise UserError(f"all-in equity leaves no room for discards: leave it out in {self.game}")

    @cached_property
    def table(self) -> Table:
        """The table, of a game of cards."""
        return make_table(self.game, self.stack)

    @property
    def sessions(self) -> int:
        """How many sessions there are."""
        return -(-self.hands // self._size)

    @property
    def _size(self) -> int:
        return GAMES_A_SESSION if self.to_the_end else self.session

    def part(self, session: int) -> range:
        """The hands (or games) of a session."""
        return range(session * self._size, min((session + 1) * self._size, self.hands))

    def agents(self) -> tuple[Agent, Agent]:
        """Both agents, made anew."""
        return make_pair(self.first, self.second, self.table)

    def check(self) -> None:
        """Make whatever is needed once, so that mistakes are told before the match."""
        if is_card_game(self.game):
            for agent in self.agents():
                agent.close()
        else:
            _flat_match(self)

    def arguments(self) -> dict[str, Any]:
        """As JSON can carry it."""
        return asdict(self)


def play_session(part: int, **arguments: Any) -> bytes:
    """Play one session: JSON with lists of scores of the first player in big blinds, and what went wrong."""
    match = Match(**arguments)
    if not is_card_game(match.game):
        told = _flat_session(match, part)
    else:
        agents = match.agents()
        try:
            told = (_games if match.to_the_end else _hands)(match, agents, part)
        finally:
            for agent in agents:
                agent.close()
    return json.dumps(told).encode()


def _hands(match: Match, agents: tuple[Agent, Agent], session: int) -> dict[str, Any]:
    from headsup.play import fast, luck
    from headsup.play.chart import jams_only

    table = match.table
    if jams_only(table, agents) and not (match.equity or match.aivat or match.log):
        chips = fast.session_chips(table, agents, match.seed, match.part(session), match.duplicate)
        return {"plain": (chips / table.unit).tolist(), "faults": [], "lines": [], "hands": len(chips)}
    referee = Referee(agents, match.seed, match.seconds)
    extra: dict[str, list[float]] = {"equity": []} if match.equity else {}
    if match.aivat:
        values = [luck.make_value(table, agents), luck.make_value(table, agents[::-1])]
        extra["aivat"] = []
    dealer = 0

    def score(record: HandRecord) -> None:
        if match.equity:
            extra["equity"].append(_own(luck.equity_chips(record), dealer, table))
        if match.aivat:
            seats = (agents[dealer], agents[1 - dealer])
            extra["aivat"].append(_own(luck.aivat_chips(record, seats, values[dealer]), dealer, table))

    if extra:
        referee.score = score
    referee.start(table)
    plain, faults, lines = list[float](), list[dict[str, Any]](), list[dict[str, Any]]()
    for number in match.part(session):
        dealer = number % 2
        deal = table.deal_number(match.seed, number // 2 if match.duplicate else number)
        record = referee.play(table, deal, number, dealer)
        plain.append(record.chips[dealer] / table.unit)
        faults.extend(_faults(record, dealer))
        if match.log:
            lines.append(record.line())
    return {"plain": plain, **extra, "faults": faults, "lines": lines, "hands": len(plain)}


def _own(chips: float, dealer: int, table: Table) -> float:
    """What the first player wins if seat 0 wins this, in big blinds; a pot that lay there is the two seats'
    together.
    """
    return (chips if dealer == 0 else table.betting.pot - chips) / table.unit


def _faults(record: HandRecord, dealer: int) -> Iterator[dict[str, Any]]:
    for one in record.faults:
        yield {"hand": record.number, "player": one.seat ^ dealer, "kind": one.kind, "text": one.text}


def _games(match: Match, agents: tuple[Agent, Agent], session: int) -> dict[str, Any]:
    """Games until one has all the chips."""
    table = match.table
    if table.betting.pot or max(table.betting.stacks) >= 1 << 40:
        raise UserError("a match to the end needs stacks, and starts with blinds: give a stack")
    referee = Referee(agents, match.seed, match.seconds)
    told: dict[str, Any] = {"plain": [], "lengths": [], "won": [], "faults": [], "lines": [], "hands": 0}
    for game in match.part(session):
        referee.start(table)
        chips = [table.betting.stacks[0], table.betting.stacks[1]]
        played = 0
        while min(chips) > 0 and played < LONGEST:
            number, dealer = game * LONGEST + played, (game + played) % 2
            there = table.with_stacks((chips[dealer], chips[1 - dealer]))
            record = referee.play(there, there.deal_number(match.seed, number), number, dealer)
            for player in (0, 1):
                chips[player] += record.chips[player ^ dealer]
            played += 1
            told["faults"].extend(_faults(record, dealer))
            if match.log:
                told["lines"].append(record.line())
        told["plain"].append((chips[0] - table.betting.stacks[0]) / table.unit)
        told["lengths"].append(played)
        told["won"].append(1.0 if chips[1] <= 0 else 0.0 if chips[0] <= 0 else 0.5)
        told["hands"] += played
    return told


# --- small games ------------------------------------------------------------------------------------------------------


def _flat_match(match: Match) -> tuple[FlatGame, tuple[Policy, Policy]]:
    from headsup.games.catalogue import game as named
    from headsup.games.game import Game
    from headsup.play.flat import FlatGame

    game = named(match.game)
    if not isinstance(game, Game):
        raise UserError(f"{match.game} is too large for a match by information sets: choose a small one such as leduc")
    flat = FlatGame(game)
    return flat, (flat.policy(match.first), flat.policy(match.second))


def _flat_session(match: Match, session: int) -> dict[str, Any]:
    flat, policies = _flat_match(match)
    seated = (policies, (policies[1], policies[0]))
    luck = [flat.luck(seats, flat.values(seats)) for seats in seated] if match.aivat else []
    told: dict[str, Any] = {"plain": [], "faults": [], "lines": []} | ({"aivat": []} if match.aivat else {})
    for number in match.part(session):
        dealer, deal = number % 2, number // 2 if match.duplicate else number
        path = flat.play(policies, match.seed, number, deal, dealer)
        payoff, sign = flat.payoff(path), (1 - 2 * dealer) / flat.unit
        told["plain"].append(sign * payoff)
        if match.aivat:
            told["aivat"].append(sign * (payoff - float(luck[dealer][path].sum())))
    return told | {"hands": len(told["plain"])}


# --- results ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Result:
    """What a match came to, in big blinds a hand for the first player."""

    match: Match
    hands: int
    scores: dict[str, Floats]
    """By estimator: plain, equity, aivat; one number a hand (a game, to the end)."""
    faults: list[dict[str, Any]]
    lengths: Floats | None = None
    won: Floats | None = None
    stopped: bool = False

    @property
    def method(self) -> str:
        """The estimator that the result goes by."""
        return "aivat" if "aivat" in self.scores else "equity" if "equity" in self.scores else "plain"

    def values(self, method: str | None = None) -> Floats:
        """The independent numbers of an estimator: hands, or means of pairs."""
        found = self.scores[method or self.method]
        return found[: len(found) // 2 * 2].reshape(-1, 2).mean(axis=1) if self.match.duplicate else found

    @cached_property
    def interval(self) -> Interval:
        """The mean a hand and its interval for a number of hands fixed beforehand."""
        if self.lengths is None:
            return fixed(self.values())
        total = float(self.lengths.sum())
        mean = float(self.scores["plain"].sum()) / total if total else 0.0
        spread = fixed(self.scores["plain"] - mean * self.lengths)
        half = spread.half * len(self.lengths) / total if total else spread.half
        return Interval(mean, mean - half, mean + half, "student")

    @cached_property
    def anytime(self) -> Interval | None:
        """The interval that may be watched; none for matches to the end."""
        if self.lengths is not None:
            return None
        bounds = None
        if self.method != "aivat" and is_card_game(self.match.game):
            stacks, unit, pot = self.match.table.betting.stacks, self.match.table.unit, self.match.table.betting.pot
            if max(stacks) < 1 << 40:
                bounds = (-min(stacks) / unit, (min(stacks) + pot) / unit)
        planned = self.match.hands // 2 if self.match.duplicate else self.match.hands
        return anytime(self.values(), bounds, planned)

    def summary(self) -> dict[str, Any]:
        """As a JSON object."""
        match, interval = self.match, self.interval
        told: dict[str, Any] = {
            "agents": [match.first, match.second],
            "game": match.game,
            "stack_bb": match.stack,
            "hands": self.hands,
            "seed": match.seed,
            "mean_bb": interval.mean,
            "interval_bb": [_number(interval.low), _number(interval.high)],
            "level": 0.95,
            "method": ("duplicate " if match.duplicate else "") + self.method,
            "estimates": {name: self._told(name) for name in self.scores},
            "faults": [sum(one["player"] == player for one in self.faults) for player in (0, 1)],
            "stopped": self.stopped,
        }
        if self.anytime is not None:
            watched = self.anytime
            told |= {"anytime_bb": [_number(watched.low), _number(watched.high)], "anytime_kind": watched.kind}
        if self.won is not None:
            share = fixed(self.won)
            told |= {
                "games": len(self.won),
                "won": share.mean,
                "won_interval": [_number(share.low), _number(share.high)],
            }
        return told

    def _told(self, name: str) -> dict[str, Any]:
        values = self.values(name)
        interval = fixed(values)
        spread = float(values.std(ddof=1)) if len(values) > 1 else None
        return {
            "mean_bb": interval.mean,
            "interval_bb": [_number(interval.low), _number(interval.high)],
            "sd_bb": spread,
        }


def _number(x: float) -> float | None:
    return x if abs(x) < float("inf") else None


def play(
    match: Match,
    folder: str | Path | None = None,
    jobs: int = 1,
    progress: Watch | None = None,
    engine: str = "local",
    address: str | None = None,
    lines: Callable[[list[dict[str, Any]]], None] | None = None,
) -> Result:
    """Play a match, or what is left of it in a folder. Ctrl-C ends it after a session, with what there is.

    `lines` gets the records of each session in order, if the match keeps a log.
    """
    distribute.check_jobs(jobs)
    match.check()
    with TemporaryDirectory() if folder is None else nullcontext(folder) as place:
        home = Path(place)
        with distribute.locked(home):
            _claim(match, home)
            stopped = _play_missing(match, home, jobs, engine, address, progress)
            return _gather(match, home, stopped, lines)


def _path(home: Path, session: int) -> Path:
    return home / f"session-{session:06}.json"


def _claim(match: Match, home: Path) -> None:
    """The folder is this match's, or one sentence says whose it is."""
    known = home / "match.json"
    if not known.exists():
        write_json(known, match.arguments())
        return
    there = read_json(known)
    mine = match.arguments()
    differ = [one.name for one in fields(Match) if not isinstance(there, dict) or there.get(one.name) != mine[one.name]]
    if differ:
        raise UserError(f"{home} holds another match, which differs in {', '.join(differ)}: choose another folder")


def _play_missing(
    match: Match, home: Path, jobs: int, engine: str, address: str | None, progress: Watch | None
) -> bool:
    missing = [session for session in range(match.sessions) if not _path(home, session).exists()]
    done = match.hands - sum(len(match.part(session)) for session in missing)
    unit = "games" if match.to_the_end else "hands"

    def tell(session: int | None = None) -> None:
        nonlocal done
        done += len(match.part(session)) if session is not None else 0
        if progress is not None:
            progress(Progress(done, match.hands, "match", unit=unit))

    tell()
    if (jobs == 1 or len(missing) < 2) and engine == "local":
        with until_stopped() as stop:
            for session in missing:
                if stop.asked():
                    return True
                write_bytes(_path(home, session), play_session(session, **match.arguments()))
                tell(session)
        return False
    packets = [distribute.Packet(_path(home, one), {"part": one, **match.arguments()}) for one in missing]
    try:
        distribute.run(FUNCTION, packets, engine, jobs, address, done=lambda packet: tell(packet.arguments["part"]))
    except KeyboardInterrupt:
        return True
    return False


def _gather(match: Match, home: Path, stopped: bool, lines: Callable[[list[dict[str, Any]]], None] | None) -> Result:
    scores: dict[str, list[Floats]] = {}
    lengths, won, faults, hands = list[float](), list[float](), list[dict[str, Any]](), 0
    for session in range(match.sessions):
        path = _path(home, session)
        if not path.exists():
            continue

        def read(path: Path = path) -> dict[str, Any]:
            told = json.loads(path.read_bytes())
            for name in ("plain", "equity", "aivat"):
                if name in told:
                    scores.setdefault(name, []).append(np.array(told[name], dtype=np.float64))
            return dict(told)

        told = parsed(path, read)
        hands += int(told["hands"])
        lengths.extend(told.get("lengths", ()))
        won.extend(told.get("won", ()))
        faults.extend(told["faults"])
        if lines is not None:
            lines(told["lines"])
    if not scores:
        if stopped:
            raise KeyboardInterrupt
        raise DataError(f"{home} has no session of the match")
    found = {name: np.concatenate(parts) for name, parts in scores.items()}
    if not match.to_the_end:
        return Result(match, hands, found, faults, stopped=stopped)
    return Result(match, hands, found, faults, np.array(lengths), np.array(won), stopped)
