"""Imported hand histories: parsed at once, reviewed one by one in a background thread, kept in the database.

Hands are stored as log lines, each with its table. After a restart, opening a list resumes its review.
"""

import json
import logging
import re
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import Betting
from headsup.play.coach.judges import SpotJudge
from headsup.play.coach.replay import parse_hands
from headsup.play.coach.review import Decision, hand_decisions
from headsup.play.protocols.acpc.log import is_log
from headsup.play.table.logged import SHOWN
from headsup.play.table.record import HandRecord, from_line
from headsup.play.table.rules import Table, table
from headsup.web.asking import calculating
from headsup.web.keep import database

LOG = logging.getLogger(__name__)
MOST_HANDS = 1000
MOST_KEPT = 100
ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Import:
    id: str
    name: str
    kind: str
    hands: int
    looked: int  # hands that were looked at
    left_out: int
    unknown: int
    decisions: int
    valued: int  # decisions whose values are known
    lost: float  # big blinds given up in those
    reasons_json: str = "[]"  # JSON of why hands were left out
    made: float = 0.0  # when it was imported

    @property
    def reasons(self) -> list[str]:
        reasons: list[str] = json.loads(self.reasons_json)
        return reasons

    @property
    def ready(self) -> bool:
        return self.looked == self.hands


class Imports:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._working: set[str] = set()
        self._door = threading.Lock()
        self._heroes: dict[str, str] = {}

    def _db(self) -> closing[sqlite3.Connection]:
        return closing(database(self.folder))

    def bring(self, text: str, name: str = "", stack: float | None = None) -> str:
        """Store the hands of a text and return their id; `stack` is for ACPC no-limit logs (default 200)."""
        if not text.strip():
            raise UserError("the text is empty: paste hand histories, or choose a file")
        text = text.replace("\r\n", "\n")
        there = table("holdem-nolimit", stack) if stack is not None and is_log(text) else None
        kind, hands = parse_hands(text, "the text", there, files=False)
        records, reasons = list[tuple[str, HandRecord]](), list[str]()
        for hand in hands:
            record = hand.record() if hand.is_hand else None
            if record is not None:
                records.append((hand.label, record))
            elif hand.is_hand:
                reasons.append(hand.unread)
            if len(records) > MOST_HANDS:
                break
        return self.keep(records, kind, name, reasons)

    def keep(
        self, records: Sequence[tuple[str, HandRecord]], kind: str, name: str = "", reasons: Sequence[str] = ()
    ) -> str:
        """Store hands with their labels, and why others were skipped."""
        if len(records) > MOST_HANDS:
            raise UserError(f"there are more than {MOST_HANDS:,} hands: import fewer at a time")
        if not records:
            why = f" ({reasons[0]})" if reasons else ""
            raise DataError(f"no hand can be replayed{why}: import hands of two players, with their cards")
        if any(record.table.draws for _, record in records):
            raise UserError("there is no reference strategy for games with discards: import hands of another game")
        made = secrets.token_hex(6)
        with self._db() as db, db:
            if db.execute("SELECT COUNT(*) FROM imports").fetchone()[0] >= MOST_KEPT:
                raise UserError(f"{MOST_KEPT} imports are saved, which is the maximum: delete one first")
            games = sorted({record.table.name for _, record in records})
            usual = f"{len(records):,} hand{'s' * (len(records) != 1)} of {', '.join(games)}"
            skipped = len(reasons), json.dumps(reasons[:SHOWN])
            about = made, name.strip()[:80] or usual[:80], kind, *skipped, time.time()
            db.execute("INSERT INTO imports (id, name, kind, left_out, reasons, made) VALUES (?, ?, ?, ?, ?, ?)", about)
            rows = ((made, i, label, _body(record)) for i, (label, record) in enumerate(records))
            db.executemany("INSERT INTO imported_hands (import, number, label, body) VALUES (?, ?, ?, ?)", rows)
        return made

    def get(self, name: str) -> Import:
        imports = self._select("WHERE id = ?", name) if ID.fullmatch(name) else []
        if not imports:
            raise UserError("these hands do not exist, or were deleted: go back to the list")
        return imports[0]

    def all(self) -> list[Import]:
        return self._select("")

    def _select(self, where: str, *given: str) -> list[Import]:
        text = f"""
            SELECT id, name, kind,
                (SELECT COUNT(*) FROM imported_hands WHERE import = id),
                (SELECT COUNT(unknown) FROM imported_hands WHERE import = id), left_out,
                (SELECT COALESCE(SUM(unknown), 0) FROM imported_hands WHERE import = id),
                (SELECT COUNT(*) FROM decisions WHERE import = id),
                (SELECT COUNT(lost) FROM decisions WHERE import = id),
                (SELECT COALESCE(SUM(lost), 0.0) FROM decisions WHERE import = id), reasons, made
            FROM imports {where} ORDER BY made DESC"""
        with self._db() as db:
            return [Import(*row) for row in db.execute(text, given)]

    def delete(self, name: str) -> None:
        with self._db() as db, db:
            db.execute("DELETE FROM imports WHERE id = ?", (self.get(name).id,))

    def look(self, name: str, spots: Sequence[SpotJudge] = ()) -> None:
        """Start reviewing the remaining hands in the background."""
        with self._door:
            if name in self._working or self.get(name).ready:
                return
            self._working.add(name)
        threading.Thread(target=self._look_at_all, args=(name, spots), daemon=True).start()

    def _look_at_all(self, name: str, spots: Sequence[SpotJudge]) -> None:
        try:
            with self._db() as db:
                waiting = [row[0] for row in db.execute("SELECT number FROM imported_hands WHERE import = ? AND unknown IS NULL", (name,))]  # noqa: E501  # fmt: skip
                for number in waiting:
                    self._look_at(db, name, number, spots)
        except (sqlite3.Error, UserError):
            pass  # deleted meanwhile, or the next request reports it
        finally:
            with self._door:
                self._working.discard(name)

    def _look_at(self, db: sqlite3.Connection, name: str, number: int, spots: Sequence[SpotJudge]) -> None:
        label, record = self._hand(db, name, number)
        with calculating(wait=True):
            try:
                decisions = list(hand_decisions(record, number, label, spots))
            except Exception:  # a fault of ours: this hand has no answers, and the next ones are looked at
                LOG.exception("hand %d of the import %s could not be looked at", number + 1, name)
                decisions = [None] * len(record.steps)
        with db:
            for decision in decisions:
                if decision is not None:
                    row = (
                        name,
                        number,
                        decision.step,
                        decision.player,
                        decision.lost,
                        *decision.rank,
                        json.dumps(decision.as_dict()),
                    )
                    db.execute("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            unknown = sum(decision is None for decision in decisions)
            db.execute("UPDATE imported_hands SET unknown = ? WHERE import = ? AND number = ?", (unknown, name, number))

    def _hand(self, db: sqlite3.Connection, name: str, number: int) -> tuple[str, HandRecord]:
        if not 0 <= number < MOST_HANDS:
            raise UserError("there is no such hand: go back to the list")
        row = db.execute("SELECT label, body FROM imported_hands WHERE import = ? AND number = ?", (name, number)).fetchone()  # noqa: E501  # fmt: skip
        if row is None:
            raise UserError("there is no such hand: go back to the list")
        return str(row[0]), _record(row[1])

    def hand(self, name: str, number: int) -> tuple[str, HandRecord]:
        with self._db() as db:
            return self._hand(db, self.get(name).id, number)

    def hands(self, name: str) -> list[HandRecord]:
        with self._db() as db:
            rows = db.execute("SELECT body FROM imported_hands WHERE import = ? ORDER BY number", (self.get(name).id,))
            return [_record(row[0]) for row in rows]

    def players(self, name: str) -> list[str]:
        with self._db() as db:
            rows = db.execute("SELECT DISTINCT player FROM decisions WHERE import = ? ORDER BY player", (name,))
            return [str(row[0]) for row in rows]

    def hero(self, name: str) -> str:
        """The player whose cards are known most often: who saved the history; empty if several are."""
        if name not in self._heroes:
            counts = Counter[str]()
            for record in self.hands(name):
                counts.update(player for player, hole in zip(record.players, record.deal.holes, strict=True) if hole)
            (first, most), *rest = [*counts.most_common(2), ("", 0)]
            self._heroes[name] = first if not rest or rest[0][1] < most else ""
        return self._heroes[name]

    def decisions(self, name: str, player: str = "", hand: int | None = None) -> list[Decision]:
        text, given = "SELECT body FROM decisions WHERE import = ?", list[Any]([name])
        if player:
            text, given = f"{text} AND player = ?", [*given, player]
        if hand is not None:
            text, given = f"{text} AND hand = ?", [*given, hand]
        with self._db() as db:
            rows = db.execute(f"{text} ORDER BY sort, weight, hand, step", given)
            return [Decision.of(json.loads(row[0])) for row in rows]


def _body(record: HandRecord) -> str:
    table = record.table
    rules = {key: value for key, value in asdict(table.betting).items() if key != "rake_cap"}  # infinite: no JSON
    kept = {"name": table.name, "cards": table.cards, "unit": table.unit, "board": table.board, "draws": table.draws}
    return json.dumps({"table": {**kept, "betting": rules}, "line": record.line()})


def _record(body: str) -> HandRecord:
    kept_line = json.loads(body)
    kept = {key: _tuples(value) for key, value in kept_line["table"].items()}
    rules = Betting(**{key: _tuples(value) for key, value in kept.pop("betting").items()})
    return from_line(Table(betting=rules, **kept), kept_line["line"])


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
