"""The database: made once, brought up to date, and there after everything went away."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from headsup.common.errors import DataError
from headsup.web import keep
from headsup.web.table.imports import Imports


def test_it_is_made_once_and_keeps_what_was_committed(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(keep.database(tmp_path / "new")) as db, db:
            db.execute("INSERT INTO clients VALUES ('me' || (SELECT COUNT(*) FROM clients), x'00', x'01', 0.0)")
    with closing(keep.database(tmp_path / "new")) as db:
        assert [row["name"] for row in db.execute("SELECT name FROM clients")] == ["me0", "me1"]
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            db.execute("INSERT INTO hands VALUES ('nobody', 0, '', 0, 0, 0, NULL, NULL, NULL, NULL, NULL)")


def test_a_new_script_is_run_on_an_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep.database(tmp_path).close()
    monkeypatch.setattr(keep, "MIGRATIONS", (*keep.MIGRATIONS, ("more", "CREATE TABLE more (x INTEGER);")))
    monkeypatch.setattr(keep, "_made", set())  # another process
    with closing(keep.database(tmp_path)) as db:
        assert db.execute("SELECT COUNT(*) FROM more").fetchone()[0] == 0


def test_hands_of_an_old_file_are_looked_at_again_and_have_no_reasons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as old:
        old.setattr(keep, "MIGRATIONS", keep.MIGRATIONS[:3])
        with closing(keep.database(tmp_path)) as db, db:
            db.execute("INSERT INTO imports VALUES ('0123456789ab', 'mine', 'phh', 1, 0.0)")
            db.execute("INSERT INTO imported_hands VALUES ('0123456789ab', 0, 'hand 1', '{}', 2)")
            db.execute("INSERT INTO decisions VALUES ('0123456789ab', 0, 0, 'ann', 0.7, 0, -0.7, '{}')")
    monkeypatch.setattr(keep, "_made", set())  # another process
    with closing(keep.database(tmp_path)) as db:
        assert db.execute("SELECT COUNT(*) FROM decisions").fetchone()[0] == 0
    (found,) = Imports(tmp_path).all()
    assert (found.hands, found.ready, found.left_out, found.reasons) == (1, False, 1, [])


def test_many_open_it_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "_making", threading.Semaphore(99))  # as if each were a process of its own
    wrong: list[BaseException] = []

    def work() -> None:
        try:
            keep.database(tmp_path).close()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []


def test_the_switch_to_wal_waits_for_a_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(tmp_path / keep.FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(keep, "sleep", lambda seconds: other.execute("COMMIT"))
        with closing(keep.database(tmp_path)) as db:
            assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert not other.in_transaction


def test_a_writer_that_never_ends_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "BUSY", 0.0)
    with closing(sqlite3.connect(tmp_path / keep.FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DataError, match="database is locked"):
            keep.database(tmp_path)


def test_a_file_that_is_no_database_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / keep.FILE).write_text("this is a letter, and a long one at that; " * 40)
    with pytest.raises(DataError, match="cannot be opened"):
        keep.database(tmp_path)
