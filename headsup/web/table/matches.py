"""Matches of guests against bots, stored in SQLite action by action, for the page and for the API.

A hand is determined by its place and its betting, so one row of text per hand is enough. The guest's action is stored
before the bot responds. Every state of a match has a number that grows; an action names the number of its decision, and
the row is changed only if it still matches: of two windows or a repeated action one succeeds, the others raise `Stale`.
"""

import json
import secrets
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from headsup.common.errors import UserError
from headsup.play.arena.plan import SESSION, Match, MatchResult
from headsup.play.protocols.guest import Guest, GuestHand, HandSetup, answered, given_up, moved, resume
from headsup.play.statistics.aivat import AnyValue, aivat_chips, make_value
from headsup.play.table.agent import Agent
from headsup.play.table.record import Fault, HandRecord
from headsup.play.table.rules import Action, Illegal, Legal, Table
from headsup.web.keep import database
from headsup.web.table.bots import Seated, check_bot, learns, seat, shared, table_of

PAGE, API = "page", "api"
MOST_HANDS = 1_000_000
MOST_PAGE = 500  # matches of the page that are kept
MOST_API = 200_000
MEMORIES = 2048  # learning agents kept in memory; others learn again from the played hands
YOU = "you"


class Stale(UserError):
    """An action for a decision that is not open."""

    status = 409


class NoMatch(UserError):
    status = 404


@dataclass(frozen=True)
class Sitting:
    id: str
    kind: str
    client: str | None
    game: str
    stack: float | None
    bot: str
    secret: bytes
    duplicate: bool
    created: float
    touched: float
    played: int = 0
    chips: int = 0

    @cached_property
    def table(self) -> Table:
        return table_of(self.game, self.stack)

    def place(self, number: int) -> HandSetup:
        return HandSetup(self.table, self.secret, number, self.duplicate)


@dataclass(frozen=True)
class Now:
    """The state of a match: its last hand."""

    sitting: Sitting
    guest: GuestHand
    decision: int  # the number of this state
    wrong: int = 0  # moves in this hand that no rule allows
    plain: float | None = None  # what the guest won, in big blinds, once the hand is over
    luckless: float | None = None  # the same with AIVAT, if possible

    @property
    def number(self) -> int:
        return self.guest.setup.number

    @property
    def over(self) -> bool:
        return self.guest.hand.over

    def record(self) -> HandRecord:
        return self.guest.record(YOU, self.sitting.bot).seen_by(self.guest.setup.seat)


class Matches:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mine = threading.local()
        self._locks: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self._locking = threading.Lock()
        self._memories: OrderedDict[str, tuple[Seated, int]] = OrderedDict()

    @property
    def db(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._mine, "db", None)
        if connection is None:
            connection = self._mine.db = database(self.folder)
        return connection

    def _rows(self, text: str, *given: object) -> list[sqlite3.Row]:
        return self.db.execute(text, given).fetchall()

    def _row(self, text: str, *given: object) -> sqlite3.Row | None:
        return next(iter(self._rows(text, *given)), None)

    @contextmanager
    def _alone(self, match: str) -> Iterator[None]:
        """One thread at a time per match; the decision numbers separate processes."""
        with self._locking:
            lock = self._locks.setdefault(match, threading.Lock())
        with lock:
            yield

    # --- matches ------------------------------------------------------------------------------------------------------

    def create(
        self, kind: str, game: str, stack: float | None, bot: str, *, client: str | None = None, duplicate: bool = False
    ) -> Sitting:
        """A new match; its cards are already determined, and secret."""
        stack, now = _agreed(game, stack, bot), time.time()
        made = Sitting(
            secrets.token_hex(16), kind, client, game, stack, bot, secrets.token_bytes(16), duplicate, now, now
        )
        with self.db as db:
            kept = db.execute("SELECT COUNT(*) FROM matches WHERE kind = ?", (kind,)).fetchone()[0]
            if kept >= (MOST_PAGE if kind == PAGE else MOST_API):
                raise UserError(f"{kept:,} matches are saved, which is the maximum: delete some first")
            db.execute(
                "INSERT INTO matches (id, kind, client, game, stack, bot, secret, duplicate, created, touched) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (made.id, kind, client, game, stack, bot, made.secret, int(duplicate), now, now),
            )
        return made

    def choose(self, sitting: Sitting, game: str, stack: float | None, bot: str, duplicate: bool) -> Sitting:
        """Another game or bot for a match without hands."""
        stack = _agreed(game, stack, bot)
        with self._alone(sitting.id), self.db as db:
            if db.execute("SELECT 1 FROM hands WHERE match = ?", (sitting.id,)).fetchone():
                raise Stale("game, stack and bot of a match cannot change: request a new token")
            db.execute(
                "UPDATE matches SET game = ?, stack = ?, bot = ?, duplicate = ? WHERE id = ?",
                (game, stack, bot, int(duplicate), sitting.id),
            )
        return replace(sitting, game=game, stack=stack, bot=bot, duplicate=duplicate)

    def get(self, match: str, kind: str) -> Sitting:
        row = self._row("SELECT * FROM matches WHERE id = ? AND kind = ?", match, kind)
        if row is None:
            raise NoMatch("there is no such match: it may have been deleted")
        return _sitting(row)

    def all(self, kind: str) -> list[Sitting]:
        return [_sitting(row) for row in self._rows("SELECT * FROM matches WHERE kind = ? ORDER BY touched DESC", kind)]

    def delete(self, sitting: Sitting) -> None:
        with self.db as db:
            db.execute("DELETE FROM matches WHERE id = ?", (sitting.id,))
        self._memories.pop(sitting.id, None)

    # --- hands --------------------------------------------------------------------------------------------------------

    def now(self, sitting: Sitting) -> Now | None:
        with self._alone(sitting.id):
            return self._now(sitting)

    def _now(self, sitting: Sitting) -> Now | None:
        row = self._row("SELECT * FROM hands WHERE match = ? ORDER BY number DESC LIMIT 1", sitting.id)
        if row is None:
            return None
        now = _read(sitting, row)
        hand = now.guest.hand
        unanswered = not hand.over and hand.player != now.guest.setup.seat
        if unanswered or (hand.over and now.plain is None):  # the server ended before it could answer
            return self._settled(now)
        return now

    def deal(self, sitting: Sitting, decision: int | None = None, leave: str = "") -> Now:
        """The next hand; with the number of a decision only if the match is there. `leave` forfeits an open hand."""
        with self._alone(sitting.id):
            before = self._now(sitting)
            number, at = (0, 0) if before is None else (before.number + 1, before.decision)
            if decision is not None and decision != at:
                raise Stale(_stale(decision, at))
            if before is not None and not before.over:
                if not leave:
                    raise Stale("this hand is not over: finish it first")
                at = self._left(before, leave).decision
            if number >= MOST_HANDS:
                raise UserError(f"a match has at most {MOST_HANDS:,} hands: start another one")
            place = sitting.place(number)
            blank = GuestHand(place, place.table.hand(place.deal), place.first_dice)
            try:
                with self.db as db:
                    db.execute(
                        "INSERT INTO hands (match, number, betting, decisions, dice) VALUES (?, ?, '', ?, ?)",
                        (sitting.id, number, at + 1, _signed(blank.dice)),
                    )
                    db.execute("UPDATE matches SET touched = ? WHERE id = ?", (time.time(), sitting.id))
            except sqlite3.IntegrityError:
                raise Stale("another window has dealt this hand: reload the page") from None
            return self._settled(Now(sitting, blank, at + 1))

    def act(self, sitting: Sitting, decision: int | None, action: Action | Callable[[Legal], Action]) -> Now:
        """The guest's action, or a function of the legal ones, and the bot's response; illegal ones are counted."""
        with self._alone(sitting.id):
            now = self._now(sitting)
            if now is None or now.over:
                raise Stale("there is no open hand: deal one first")
            if decision is not None and decision != now.decision:
                raise Stale(_stale(decision, now.decision))
            try:
                made = action if isinstance(action, Action) else action(now.guest.hand.legal)
                after = replace(now, guest=moved(now.guest, made), decision=now.decision + 1)
            except Illegal:
                with self.db as db:
                    which = (sitting.id, now.number)
                    db.execute("UPDATE hands SET wrong = wrong + 1 WHERE match = ? AND number = ?", which)
                raise
            with self.db as db:
                changed = db.execute(
                    "UPDATE hands SET betting = ?, decisions = ? WHERE match = ? AND number = ? AND decisions = ?",
                    (after.guest.betting, after.decision, sitting.id, now.number, now.decision),
                ).rowcount
                db.execute("UPDATE matches SET touched = ? WHERE id = ?", (time.time(), sitting.id))
            if not changed:
                raise Stale(_stale(now.decision, now.decision + 1))
            return self._settled(after)

    def give_up(self, sitting: Sitting, why: str) -> Now | None:
        """Forfeit the open hand, if there is one: the bot wins the guest's chips in the pot."""
        with self._alone(sitting.id):
            now = self._now(sitting)
            return now if now is None or now.over else self._left(now, why)

    def _left(self, now: Now, why: str) -> Now:
        return self._ended(replace(now, guest=given_up(now.guest, why), decision=now.decision + 1))

    def _settled(self, now: Now) -> Now:
        seated = self._seated(now.sitting, now.number)
        if not now.over:
            with seated.alone() as agent:
                now = replace(now, guest=answered(now.guest, agent))
        if now.over:
            return self._ended(now)
        with self.db as db:
            db.execute(
                "UPDATE hands SET betting = ?, dice = ? WHERE match = ? AND number = ? AND decisions = ?",
                (now.guest.betting, _signed(now.guest.dice), now.sitting.id, now.number, now.decision),
            )
        return now

    def _ended(self, now: Now) -> Now:
        sitting, guest = now.sitting, now.guest
        chips = guest.hand.chips[guest.setup.seat]
        with self._seated(sitting, now.number).alone() as agent:
            luckless = _luckless(guest.record(YOU, sitting.bot), guest.setup.seat, agent)
        now = replace(now, plain=chips / sitting.table.unit, luckless=luckless)
        fault = None if guest.fault is None else json.dumps(vars(guest.fault))
        kept = (guest.betting, now.decision, _signed(guest.dice), fault, chips, now.plain, luckless, time.time())
        with self.db as db:
            changed = db.execute(
                "UPDATE hands SET betting = ?, decisions = ?, dice = ?, fault = ?, chips = ?, plain = ?, luckless = ?, "
                "ended = ? WHERE match = ? AND number = ? AND ended IS NULL",
                (*kept, sitting.id, now.number),
            ).rowcount
            if changed:
                more = "UPDATE matches SET played = played + 1, chips = chips + ? WHERE id = ?"
                db.execute(more, (chips, sitting.id))
        return now

    def forgotten(self, kind: str, before: float) -> list[Sitting]:
        rows = self._rows(
            "SELECT * FROM matches m WHERE kind = ? AND touched < ? AND EXISTS "
            "(SELECT 1 FROM hands WHERE match = m.id AND ended IS NULL) LIMIT 1000", kind, before,
        )  # fmt: skip
        return [_sitting(row) for row in rows]

    # --- what was played ----------------------------------------------------------------------------------------------

    def hand(self, sitting: Sitting, number: int) -> Now:
        query = "SELECT * FROM hands WHERE match = ? AND number = ? AND ended IS NOT NULL"
        row = self._row(query, sitting.id, number)
        if row is None:
            raise NoMatch(f"hand {number + 1} of this match is not finished: choose another one")
        return _read(sitting, row)

    def hands(self, sitting: Sitting, start: int = 0, end: int = MOST_HANDS, newest: int | None = None) -> list[Now]:
        """Finished hands `start` to `end`, in order, or only the newest."""
        rows = self._rows(
            "SELECT * FROM hands WHERE match = ? AND number >= ? AND number < ? AND ended IS NOT NULL "
            "ORDER BY number DESC LIMIT ?", sitting.id, start, end, newest or MOST_HANDS,
        )  # fmt: skip
        return [_read(sitting, row) for row in reversed(rows)]

    def result(self, sitting: Sitting) -> MatchResult | None:
        """The result so far, as in the arena; None before the first hand is over."""
        query = "SELECT plain, luckless FROM hands WHERE match = ? AND ended IS NOT NULL ORDER BY number"
        rows = self._rows(query, sitting.id)
        if not rows:
            return None
        scores = {"plain": np.array([row["plain"] for row in rows])}
        if all(row["luckless"] is not None for row in rows):
            scores["aivat"] = np.array([row["luckless"] for row in rows])
        planned = Match(YOU, sitting.bot, sitting.game, sitting.stack, duplicate=sitting.duplicate)
        return MatchResult(planned, len(rows), scores, [])

    def _seated(self, sitting: Sitting, number: int) -> Seated:
        """The bot; a learning one has seen all earlier hands of the session."""
        if not learns(sitting.bot):
            return shared(sitting.game, sitting.stack, sitting.bot)
        first = number // SESSION * SESSION
        seated, known = self._memories.pop(sitting.id, (None, 0))
        if seated is None or not first <= known <= number:
            seated, known = seat(sitting.game, sitting.stack, sitting.bot), first
            seated.agent.start(sitting.table)
        for past in self.hands(sitting, known, number):
            place = past.guest.setup
            record = past.guest.record(YOU, sitting.bot)
            seated.agent.end(record.seen_by(1 - place.seat), 1 - place.seat)
        self._memories[sitting.id] = (seated, number)
        while len(self._memories) > MEMORIES:
            self._memories.popitem(last=False)
        return seated


def _agreed(game: str, stack: float | None, bot: str) -> float | None:
    """The stack in big blinds; raises if the bot does not play there."""
    there = table_of(game, stack)
    size = None if there.betting.kind == "limit" else there.betting.stacks[0] / there.unit
    check_bot(bot, game, size)
    return size


def _sitting(row: sqlite3.Row) -> Sitting:
    return Sitting(**{**dict(row), "duplicate": bool(row["duplicate"])})


def _read(sitting: Sitting, row: sqlite3.Row) -> Now:
    fault = None if row["fault"] is None else Fault(**json.loads(row["fault"]))
    guest = resume(sitting.place(row["number"]), row["betting"], row["dice"] % (1 << 64), fault)
    return Now(sitting, guest, row["decisions"], row["wrong"], row["plain"], row["luckless"])


def _signed(state: int) -> int:
    return state - (1 << 64) if state >> 63 else state


def _stale(decision: int, at: int) -> str:
    return (
        f"this action is for decision {decision}, but the match is at {at}: it was played in another window or sent "
        "twice, so load the current state and continue from there"
    )


@lru_cache(maxsize=256)
def _value(table: Table) -> AnyValue:
    return make_value(table, (Guest(), Guest()))  # a guest's strategy is unknown


def _luckless(record: HandRecord, seat: int, agent: Agent) -> float:
    table = record.table
    seats: list[Agent] = [agent, agent]
    seats[seat] = Guest()
    chips = aivat_chips(record, seats, _value(table))
    return (chips if seat == 0 else -chips) / table.unit
