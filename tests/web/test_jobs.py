"""Jobs are folders and processes: they outlive the server, are found again when killed, and stop when asked."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from headsup.errors import UserError
from headsup.web.jobs import MOST_RUNNING, Ask, Job, Jobs

SPOT = "board: Td9d6hQc2s\noop: QQ,AJs\nip: JJ,KQo\npot: 100\nstack: 100\nbets: a\n"
SLEEPER = (
    "import json, pathlib, signal, sys, time\n"
    "folder = pathlib.Path(sys.argv[1])\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "(folder / 'ready').touch()\n"
    "try:\n    time.sleep(60)\n"
    "except KeyboardInterrupt:\n"
    "    (folder / 'told').write_text(json.dumps({'state': 'stopped', 'message': ''}))\n"
    "    (folder / 'told').replace(folder / 'state.json')\n"
)
"""A process that does nothing until it is asked to stop."""


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


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
    other = Jobs(jobs.folder)  # the server was started anew
    assert [(one.id, one.state, one.ask.name) for one in other.all()] == [(job.id, "running", "a river")]
    with pytest.raises(UserError, match="stop it first"):
        other.delete(job)
    with pytest.raises(UserError, match="already"):
        other.go_on(other.get(job.id))
    other.stop(other.get(job.id))
    until(lambda: other.get(job.id).state == "stopped")
    with pytest.raises(UserError, match="not being solved"):
        other.stop(other.get(job.id))
    other.delete(other.get(job.id))
    assert other.all() == []


def test_a_killed_job_says_so_and_goes_on(jobs: Jobs) -> None:
    job = ready(jobs.start(Ask(SPOT)))
    os.kill(pid(job), signal.SIGKILL)
    until(lambda: jobs.get(job.id).state == "lost")
    assert "go on from it" in jobs.get(job.id).message
    (job.folder / "ready").unlink()
    again = ready(jobs.go_on(jobs.get(job.id), 0.001, 5.0))
    assert (again.state, again.ask.target, again.ask.seconds, again.ask.created) == (
        "running",
        0.001,
        5.0,
        job.ask.created,
    )
    os.kill(pid(again), signal.SIGKILL)


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


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="serve with another --work"):
        Jobs(tmp_path / "file" / "spots").start(Ask(SPOT))
