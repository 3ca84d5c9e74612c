"""The SQLite database of the page: matches and their hands, client names, imported hands, training progress.

`database(folder)` opens `folder/headsup.sqlite` in WAL mode and applies `MIGRATIONS`: every script runs once, in order,
and is never changed after its release. A `with` block commits at the end, or rolls back on an error.
"""

import sqlite3
import threading
from pathlib import Path
from time import monotonic, sleep

from headsup.common.errors import DataError

FILE = "headsup.sqlite"
BUSY = 30.0  # seconds that a writer waits for another
MIGRATIONS: tuple[tuple[str, str], ...] = (
    (
        "matches",
        """
        CREATE TABLE clients (
            name TEXT PRIMARY KEY,
            salt BLOB NOT NULL,
            password BLOB NOT NULL,
            created REAL NOT NULL
        );
        CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,                 -- page or api
            client TEXT REFERENCES clients (name),
            game TEXT NOT NULL,
            stack REAL,                         -- big blinds; NULL where chips have no end
            bot TEXT NOT NULL,
            secret BLOB NOT NULL,               -- what every card and every choice of the bot comes from
            duplicate INTEGER NOT NULL DEFAULT 0,
            created REAL NOT NULL,
            touched REAL NOT NULL,              -- when the guest last did something
            played INTEGER NOT NULL DEFAULT 0,  -- hands that are over
            chips INTEGER NOT NULL DEFAULT 0    -- what the guest has won in them
        );
        CREATE INDEX matches_by_kind ON matches (kind, touched);
        CREATE TABLE hands (
            match TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            betting TEXT NOT NULL,              -- as in a log: r300c/cr600f
            decisions INTEGER NOT NULL,         -- moves of the visitor so far, the whole match's
            dice INTEGER NOT NULL,              -- where the bot's dice stand, as SQLite's signed 64 bits
            wrong INTEGER NOT NULL DEFAULT 0,   -- moves in this hand that no rule allows
            fault TEXT,                         -- JSON of the fault that ended it
            chips INTEGER,                      -- the visitor's, once it is over
            plain REAL,                         -- the same in big blinds
            luckless REAL,                      -- with AIVAT, if possible
            ended REAL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID;
        """,
    ),
    (
        "training",
        """
        CREATE TABLE answers (
            id INTEGER PRIMARY KEY,
            deck TEXT NOT NULL,
            key TEXT NOT NULL,
            given TEXT NOT NULL,
            lost REAL NOT NULL,                 -- in the deck's unit
            right INTEGER NOT NULL,
            made REAL NOT NULL
        );
        CREATE INDEX answers_by_deck ON answers (deck, id);
        CREATE TABLE again (
            deck TEXT NOT NULL,
            key TEXT NOT NULL,
            box INTEGER NOT NULL,               -- how often it was right since it was missed
            turn INTEGER NOT NULL,              -- it comes again when so many questions were answered
            PRIMARY KEY (deck, key)
        ) WITHOUT ROWID;
        """,
    ),
    (
        "imports",
        """
        CREATE TABLE imports (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,                 -- headsup, acpc, phh, or the room
            left_out INTEGER NOT NULL,
            made REAL NOT NULL
        );
        CREATE TABLE imported_hands (
            import TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,            -- its place, from 0
            label TEXT NOT NULL,
            body TEXT NOT NULL,                 -- JSON: the table and a line of a log
            unknown INTEGER,                    -- decisions without an answer; NULL until it was looked at
            PRIMARY KEY (import, number)
        ) WITHOUT ROWID;
        CREATE TABLE decisions (
            import TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
            hand INTEGER NOT NULL,
            step INTEGER NOT NULL,
            player TEXT NOT NULL,
            lost REAL,                          -- NULL where only frequencies are known
            sort INTEGER NOT NULL,              -- its place in the list: the group, and within it
            weight REAL NOT NULL,
            body TEXT NOT NULL,                 -- JSON of the decision
            PRIMARY KEY (import, hand, step)
        ) WITHOUT ROWID;
        """,
    ),
    (
        "reasons",
        """
        ALTER TABLE imports ADD COLUMN reasons TEXT NOT NULL DEFAULT '[]';  -- JSON: why hands were left out
        """,
    ),
    (
        "losses",  # they were counted from the best action, not from what the strategy does: look at all hands again
        """
        DELETE FROM decisions;
        UPDATE imported_hands SET unknown = NULL;
        """,
    ),
)

_made: set[str] = set()
_making = threading.Lock()


def database(folder: Path) -> sqlite3.Connection:
    """The database of a folder, up to date; the caller closes the connection."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        opened = sqlite3.connect(path, timeout=BUSY)
        opened.execute("PRAGMA foreign_keys = ON")
        opened.execute("PRAGMA synchronous = NORMAL")
        with _making:
            if str(path) not in _made or not _known(opened):
                _use_wal(opened)
                _migrate(opened)
                _made.add(str(path))
    except (sqlite3.Error, OSError) as error:
        raise DataError(
            f"{path} cannot be opened ({error}): serve with another --work, or move the file away"
        ) from None
    opened.row_factory = sqlite3.Row
    return opened


def _use_wal(db: sqlite3.Connection) -> None:
    """Switch to WAL mode; SQLite's own timeout does not cover a concurrent writer."""
    give_up = monotonic() + BUSY
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > give_up:
                raise
        sleep(0.01)


def _known(db: sqlite3.Connection) -> set[str]:
    there = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    return {name for (name,) in db.execute("SELECT name FROM migrations")} if there else set()


def _migrate(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)")
    for name, script in MIGRATIONS:
        if name not in _known(db):  # checked again: another process may have run it meanwhile
            try:
                db.executescript(f"BEGIN IMMEDIATE; INSERT INTO migrations VALUES ('{name}'); {script} COMMIT;")
            except sqlite3.IntegrityError:  # it has, since the check
                db.rollback()
