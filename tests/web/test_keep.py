"""The database: made once, brought up to date, and there after everything went away."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from headsup.errors import DataError
from headsup.web import keep


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


def test_a_file_that_is_no_database_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / keep.FILE).write_text("this is a letter, and a long one at that; " * 40)
    with pytest.raises(DataError, match="cannot be opened"):
        keep.database(tmp_path)
