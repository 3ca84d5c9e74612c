"""Packets over processes and over Ray: every packet done once, whatever dies on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

import pytest

from headsup.common import distribute
from headsup.common.distribute import Packet, run
from headsup.common.errors import DataError, MissingExtra, UserError
from headsup.common.files import write_bytes
from tests.waiting import PATIENCE, until

WORK = "tests.distribute_work"


def packets(folder: Path, count: int, **arguments: object) -> list[Packet]:
    return [Packet(folder / f"{n}.out", {"n": n, **arguments}) for n in range(count)]


def contents(work: list[Packet]) -> list[str]:
    return [packet.path.read_text() for packet in work]


def test_every_packet_becomes_a_file(tmp_path):
    work, seen = packets(tmp_path, 7), []
    run(f"{WORK}:square", work, jobs=2, done=seen.append)
    assert contents(work) == [str(n * n) for n in range(7)]
    assert sorted(seen, key=lambda packet: packet.path) == work
    assert not list(tmp_path.glob(".*"))


def test_workers_may_print_and_have_one_thread(tmp_path):
    work = packets(tmp_path, 2)
    run(f"{WORK}:chatty", work, jobs=1)
    assert contents(work) == ["0", "1"]
    run(f"{WORK}:one_thread", [Packet(tmp_path / "threads")], jobs=1)
    assert (tmp_path / "threads").read_text() == "1,1"


@pytest.mark.parametrize("function", ["dies_once", "dies_in_rename"])
def test_a_packet_lost_with_its_worker_is_redone(tmp_path, function):
    marker = tmp_path / "marker"
    work = packets(tmp_path, 4, marker=str(marker))
    run(f"{WORK}:{function}", work, jobs=2)
    assert marker.exists()
    assert contents(work) == ["0", "1", "4", "9"]


def test_scratch_of_a_dead_worker_is_cleared(tmp_path):
    run(f"{WORK}:dies_in_rename", packets(tmp_path, 1, marker=str(tmp_path / "marker")), jobs=1)
    left = list(tmp_path.glob(".*.part"))
    assert len(left) == 1  # whole, but never renamed
    distribute.clear_scratch(tmp_path)
    assert not left[0].exists()
    assert (tmp_path / "0.out").exists()


def test_a_packet_that_always_kills_its_worker_ends_the_run(tmp_path):
    with pytest.raises(DataError, match=r"0\.out was lost 4 times"):
        run(f"{WORK}:dies_always", packets(tmp_path, 1), jobs=1)


def test_a_pipe_that_is_closed_while_it_is_read_is_the_end_of_the_replies():
    replies = SimpleQueue()
    worker = distribute._Worker(f"{WORK}:square", replies)
    worker.stop()
    worker._listen(replies)  # as the thread does that has not seen the end of the pipe before
    assert replies.get(timeout=PATIENCE) == (worker, "")


def test_errors_reach_the_caller(tmp_path):
    with pytest.raises(RuntimeError, match="ZeroDivisionError: packet 0"):
        run(f"{WORK}:fails", packets(tmp_path, 1), jobs=1)
    with pytest.raises(UserError, match=r"^0 is a mistake: give another number$"):
        run(f"{WORK}:user_mistake", packets(tmp_path, 1), jobs=1)
    with pytest.raises(UserError, match="'cloud' is not an engine"):
        run(f"{WORK}:square", packets(tmp_path, 1), engine="cloud")
    with pytest.raises(UserError, match="0 jobs"):
        run(f"{WORK}:square", packets(tmp_path, 1), jobs=0)


def test_workers_die_with_whoever_started_them(tmp_path):
    script = f"""
from pathlib import Path
from headsup.common.distribute import Packet, run
run("{WORK}:slow", [Packet(Path({str(tmp_path)!r}, str(n)), {{"n": n, "seconds": 3600.0}}) for n in (1, 2)], jobs=2)
"""
    parent = subprocess.Popen([sys.executable, "-c", script])
    until(lambda: len(_children(parent.pid)) == 2)
    children = _children(parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until(lambda: not any(_alive(pid) for pid in children))
    assert not list(tmp_path.iterdir())


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    pytest.skip("needs /proc to see a process's children")


def _alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path):
    """A limit on the size of files stands in for a full disk: the system refuses the write in the same way."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(UserError, match=r"no room left for files in .*: free some and run the same command again"):
            run(f"{WORK}:big", [Packet(tmp_path / "big", {"size": 200_000})], jobs=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())
    run(f"{WORK}:big", [Packet(tmp_path / "big", {"size": 200_000})], jobs=1)
    assert (tmp_path / "big").stat().st_size == 200_000


def test_other_errors_of_the_disk_are_not_called_full(tmp_path):
    with pytest.raises(DataError, match=r"missing/file cannot be written \(No such file or directory\)"):
        write_bytes(tmp_path / "missing" / "file", b"")


def test_one_run_a_folder(tmp_path):
    busy = rf"another run \(process {os.getpid()}\) is at work in .*"
    with distribute.locked(tmp_path), pytest.raises(UserError, match=busy), distribute.locked(tmp_path):
        pass
    with distribute.locked(tmp_path):
        pass


# --- Ray ------------------------------------------------------------------------------------------------------------


def test_ray_missing_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"engine 'ray' needs the 'ray' extra: .*headsup-poker\[ray\]"):
        run(f"{WORK}:square", packets(tmp_path, 1), engine="ray")


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray", reason="the ray extra is not installed")
    root = str(Path(__file__).parents[2])
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": root}})
    yield ray
    ray.shutdown()


@pytest.mark.ray
def test_ray_does_every_packet(tmp_path, ray):
    work, seen = packets(tmp_path, 6), []
    run(f"{WORK}:square", work, engine="ray", done=seen.append)
    assert contents(work) == [str(n * n) for n in range(6)]
    assert len(seen) == 6


@pytest.mark.ray
def test_ray_worker_killed_while_it_works(tmp_path, ray):
    marker = tmp_path / "marker"
    work = packets(tmp_path, 4, marker=str(marker))
    run(f"{WORK}:dies_once", work, engine="ray")
    assert marker.exists()
    assert contents(work) == ["0", "1", "4", "9"]


@pytest.mark.ray
def test_ray_errors_reach_the_caller(tmp_path, ray):
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        run(f"{WORK}:fails", packets(tmp_path, 1), engine="ray")
    with pytest.raises(UserError, match=r"^0 is a mistake: give another number$"):
        run(f"{WORK}:user_mistake", packets(tmp_path, 1), engine="ray")
    with pytest.raises(DataError, match="was lost 16 times"):
        run(f"{WORK}:dies_always", packets(tmp_path, 1), engine="ray")


@pytest.mark.ray
def test_a_cluster_that_grows_and_shrinks(tmp_path):
    """A machine joins while packets are waiting and is taken away with packets on it: all are done in the end."""
    ray = pytest.importorskip("ray", reason="the ray extra is not installed")
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    if ray.is_initialized():
        ray.shutdown()
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        root = str(Path(__file__).parents[2])
        ray.init(address=cluster.address, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": root}})
        work = packets(tmp_path, 12, seconds=0.4)
        nodes, count = [], 0

        def done(packet: Packet) -> None:
            nonlocal count
            count += 1
            if count == 1:
                nodes.append(cluster.add_node(num_cpus=2))
            if count == 7:
                cluster.remove_node(nodes[0], allow_graceful=False)

        run(f"{WORK}:slow", work, engine="ray", done=done)
        assert count == 12
        assert contents(work) == [str(n * n) for n in range(12)]
    finally:
        ray.shutdown()
        cluster.shutdown()
