"""Jobs are folders and processes: they outlive the server, are found again when killed, and stop when asked."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from headsup.common import files
from headsup.common.errors import DataError, UserError
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.web.jobs import MOST_RUNNING, NO_ROOM, Ask, Job, Jobs, mark_of
from headsup.web.server import serve
from headsup.web.study import worker
from tests.solve import compiled
from tests.waiting import until

SPOT = "board: Td9d6hQc2s\noop: QQ,AJs\nip: JJ,KQo\npot: 100\nstack: 100\nbets: a\n"
SLEEPER = (
    "import json, pathlib, signal, sys, time\n"
    "folder = pathlib.Path(sys.argv[1])\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "(folder / 'ready').touch()\n"
    "try:\n    time.sleep(3600)\n"
    "except KeyboardInterrupt:\n"
    "    (folder / 'told').write_text(json.dumps({'state': 'stopped', 'message': ''}))\n"
    "    (folder / 'told').replace(folder / 'state.json')\n"
)
"""A process that does nothing until it is asked to stop."""


def pid(job: Job) -> int:
    return int(json.loads((job.folder / "process.json").read_text())["pid"])


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    return Jobs(tmp_path / "spots", (sys.executable, "-c", SLEEPER))


def ready(job: Job) -> Job:
    until((job.folder / "ready").exists)
    return job


def test_a_job_is_found_by_another_server_and_stops_when_asked(jobs: Jobs) -> None:
    job = ready(jobs.start(Ask(SPOT, "a river")))
    assert job.state == "running"
    other = Jobs(jobs.folder)  # the server was restarted
    assert [(one.id, one.state, one.ask.name) for one in other.all()] == [(job.id, "running", "a river")]
    with pytest.raises(UserError, match="stop it first"):
        other.delete(job)
    with pytest.raises(UserError, match="already"):
        other.go_on(other.get(job.id))
    os.kill(pid(job), signal.SIGSTOP)  # the step under way takes a while
    other.stop(other.get(job.id))
    asked = other.get(job.id)
    assert (asked.state, asked.stopping, asked.message[:14]) == ("running", True, "Stopping after")
    other.stop(asked)  # a second signal would break the step off
    os.kill(pid(job), signal.SIGCONT)
    until(lambda: other.get(job.id).state == "stopped")
    assert not other.get(job.id).stopping
    with pytest.raises(UserError, match="not being solved"):
        other.stop(other.get(job.id))
    other.delete(other.get(job.id))
    assert other.all() == []


def test_a_killed_job_says_so_and_goes_on(jobs: Jobs) -> None:
    job = ready(jobs.start(Ask(SPOT)))
    os.kill(pid(job), signal.SIGKILL)
    until(lambda: jobs.get(job.id).state == "lost")
    assert (jobs.get(job.id).kept, "solve the spot again" in jobs.get(job.id).message) == (False, True)
    (job.folder / "progress.jsonl").write_text("[9, 7.25, 0.2]\n")
    os.kill(pid(ready_again(jobs, job)), signal.SIGKILL)
    until(lambda: jobs.get(job.id).state == "lost")
    assert jobs.get(job.id).progress() == []  # it started from nothing
    (job.folder / "checkpoint").touch()
    assert (jobs.get(job.id).kept, "continue from there" in jobs.get(job.id).message) == (True, True)
    (job.folder / "progress.jsonl").write_text("[9, 7.25, 0.2]\n")
    (job.folder / "ready").unlink()
    again = ready(jobs.go_on(jobs.get(job.id), 0.001, 5.0))
    assert (again.state, again.ask.target, again.ask.seconds, again.ask.created) == (
        "running",
        0.001,
        5.0,
        job.ask.created,
    )
    assert len(again.progress()) == 1
    os.kill(pid(again), signal.SIGKILL)


def ready_again(jobs: Jobs, job: Job) -> Job:
    (job.folder / "ready").unlink()
    return ready(jobs.go_on(jobs.get(job.id)))


@compiled
def test_a_killed_run_that_continued_a_solution_continues_from_its_checkpoint(tmp_path: Path) -> None:
    first = solve_spot(Spot.parse(SPOT), None, iterations=3)
    further = first.resume(None, iterations=40, checkpoint=tmp_path / "checkpoint")
    files.write_json(tmp_path / "job.json", {**vars(Ask(SPOT, target=1e-9, seconds=further.seconds)), "locks": []})
    first.save(tmp_path / "solution", job=mark_of(tmp_path))
    assert worker.solve(tmp_path) == 0  # its time is over at once
    assert SpotSolution.load(tmp_path / "solution").iterations == 40
    assert not (tmp_path / "checkpoint").exists()


def test_only_so_many_run_at_a_time(jobs: Jobs) -> None:
    running = [ready(jobs.start(Ask(SPOT))) for _ in range(MOST_RUNNING)]
    with pytest.raises(UserError, match="wait, or stop one"):
        jobs.start(Ask(SPOT))
    for job in running:
        os.kill(pid(job), signal.SIGKILL)
    assert len(jobs.all()) == MOST_RUNNING


@pytest.mark.parametrize("name", ["", "..", "../x", "/etc", "0" * 11, "g" * 12, "0123456789ab\n", "0123456789ab"])
def test_only_names_of_jobs_reach_the_disk(jobs: Jobs, name: str) -> None:
    with pytest.raises(UserError, match="no such spot"):
        jobs.get(name)


def test_a_line_that_was_cut_off_is_left_out(jobs: Jobs) -> None:
    job = ready(jobs.start(Ask(SPOT)))
    (job.folder / "progress.jsonl").write_text("[1, 0.5, 0.25]\n[2, 1.0, 0.1]\n[3, 1.")
    assert jobs.get(job.id).progress() == [(1, 0.5, 0.25), (2, 1.0, 0.1)]
    os.kill(pid(job), signal.SIGKILL)


def test_time_goes_on_where_a_job_goes_on(jobs: Jobs) -> None:
    job = ready(jobs.start(Ask(SPOT)))
    (job.folder / "progress.jsonl").write_text("[1, 0.5, 0.3]\n[9, 7.25, 0.2]\n[9, 0.0, 0.2]\n[12, 1.5, 0.1]\n")
    assert [seconds for _, seconds, _ in jobs.get(job.id).progress()] == [0.5, 7.25, 7.25, 8.75]
    os.kill(pid(job), signal.SIGKILL)


def full(path: Path) -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def test_a_full_disk_when_a_job_begins(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever file is the first that has no room: one sentence, nothing runs, and the jobs that were there stay."""
    known = ready(jobs.start(Ask(SPOT, "before")))
    os.kill(pid(known), signal.SIGKILL)
    until(lambda: jobs.get(known.id).state == "lost")
    real, started = files._scratch, []
    monkeypatch.setattr(
        subprocess, "Popen", lambda *words, **more: started.append(Child(*words, **more)) or started[-1]
    )
    for name in ("job.json", "state.json", "process.json"):

        def scratch(place: Path, name: str = name) -> tuple[Path, int]:
            if place.name == name:
                raise full(place)
            return real(place)

        monkeypatch.setattr(files, "_scratch", scratch)
        with pytest.raises(DataError, match="no room left"):
            jobs.start(Ask(SPOT))
        assert [job.id for job in jobs.all()] == [known.id]
    assert [child.poll() for child in started] == [-signal.SIGKILL]
    monkeypatch.setattr(os, "open", lambda *words, **more: (_ for _ in ()).throw(full(jobs.folder)))
    with pytest.raises(DataError, match="no room left"):
        jobs._run(known.folder)


Child = subprocess.Popen


def test_what_was_worked_out_waits_for_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PATIENCE", 0.0)
    tries = []

    def write() -> None:
        tries.append(json.loads((tmp_path / "state.json").read_text())["message"] if tries else "")
        if len(tries) < 3:
            try:
                raise full(tmp_path)
            except OSError as error:
                raise DataError("there is no room left") from error

    worker.save(tmp_path, write)
    assert tries == ["", NO_ROOM, NO_ROOM]
    with pytest.raises(DataError, match="no such"):
        worker.save(tmp_path, lambda: (_ for _ in ()).throw(DataError("no such folder")))
    worker.note(tmp_path / "no folder" / "log", 1, 2.0)  # what cannot be noted is left out


def test_the_server_says_that_the_disk_is_full(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    job = ready(jobs.start(Ask(SPOT)))
    monkeypatch.setattr("headsup.web.jobs.ROOM", 1 << 62)
    assert (jobs.get(job.id).state, jobs.get(job.id).message) == ("running", NO_ROOM)
    os.kill(pid(job), signal.SIGKILL)


@pytest.mark.long
def test_a_spot_on_a_disk_that_is_full_for_a_while(tmp_path: Path) -> None:
    """A real process, a real small disk: it is filled while the spot is solved, and the solution comes all the same."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("only root may make a small disk")
    try:
        jobs = Jobs(disk / "spots")
        job = jobs.start(Ask(SPOT, target=1e-6, seconds=30.0))
        with suppress(OSError), open(disk / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(bytes(512))
        until(lambda: jobs.get(job.id).message == NO_ROOM)
        time.sleep(5)
        with pytest.raises(DataError, match="no room left"):
            jobs.start(Ask(SPOT))
        (disk / "filler").unlink()
        until(lambda: jobs.get(job.id).state == "done")
        assert jobs.get(job.id).solved
        assert jobs.get(job.id).summary()["iterations"] > 0
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_system_without_file_locks_is_told_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(UserError, match="file locks of Linux or macOS: on Windows run it within WSL"):
        serve(0)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="serve with another --work"):
        Jobs(tmp_path / "file" / "spots").start(Ask(SPOT))
