"""What may go wrong: kills, full disks, damage, two runs, other versions. The end is the same to the last bit."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from headsup.cli import main
from headsup.common import distribute
from headsup.common.errors import DataError, UserError
from headsup.common.files import write_bytes
from headsup.equity.omaha.matchups import load, packets
from headsup.equity.omaha.matchups.packets import Plan, check_file
from headsup.equity.omaha.matchups.store import array_specs, read_manifest, row_cuts
from headsup.equity.omaha.matchups.table import Build, _touching
from tests.damage import damaged
from tests.equity.omaha.matchups.conftest import PLAN, files
from tests.waiting import PATIENCE

WAITING = """
import signal, sys
from headsup.common import distribute
from headsup.cli import main
run, left = distribute.run, int(sys.argv[1])
def wait(packet):
    global left
    left -= 1
    if not left:
        print("now", flush=True)
        signal.pause()
distribute.run = lambda *words, done, **more: run(*words, done=wait, **more)
sys.exit(main(sys.argv[2:]))
"""
"""The command line, which waits for a signal when so many packets are done."""


def words(folder: Path) -> list[str]:
    return ["tabulate", "omaha8", "--ranks", "5", "--work", str(folder)]


def waiting(folder: Path, packets: int, jobs: int) -> subprocess.Popen[str]:
    """A run that waits in the middle."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(packets), *words(folder), "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A test run in the background of a script inherits that Ctrl-C is ignored; here it must arrive.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    return process


@pytest.mark.long
def test_kill_in_mid_packet_then_resume(tmp_path, finished):
    folder = tmp_path / "killed"
    process = waiting(folder, packets=2, jobs=2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    there = len(list(folder.glob("packets/*.packet")))
    assert 2 <= there < PLAN.packets
    assert not (folder / "manifest.json").exists()
    said: list[str] = []
    Build(folder, PLAN, said.append).run(jobs=2)
    assert any("packets exist already" in text for text in said)
    assert files(folder) == files(finished)
    assert not list(folder.glob("**/.*"))


def test_ctrl_c_says_how_to_go_on(tmp_path, finished):  # which has compiled what the child runs
    folder = tmp_path / "stopped"
    process = waiting(folder, packets=1, jobs=1)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    there = len(list(folder.glob("packets/*.packet")))
    resumes = f"to resume, run: headsup tabulate omaha8 --work {folder} --ranks 5"
    assert f"stopped with {there} of {PLAN.packets} packets; {resumes}" in text
    assert "Traceback" not in text


KILLED = """
import os, signal, sys
from pathlib import Path
from headsup.cli import main
from headsup.equity.omaha.matchups.packets import Plan, check_file
from headsup.equity.omaha.matchups.table import Build, _touching
replace, left = os.replace, int(sys.argv[3])
def die_at(source, target):
    global left
    if Path(target).name == sys.argv[2]:
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)
os.replace = die_at
Build(Path(sys.argv[1]), Plan(5)).run()
"""


@pytest.mark.parametrize(("name", "time_"), [("journal.json", 1), ("journal.json", 20), ("manifest.json", 1)])
def test_kill_in_mid_rename_then_resume(only_packets, finished, name, time_):
    """The file is written in full under its temporary name and the process dies at the rename."""
    command = [sys.executable, "-c", KILLED, str(only_packets), name, str(time_)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert list(only_packets.glob(f".{name}.*.part"))
    assert not (only_packets / "manifest.json").exists()
    with pytest.raises(UserError, match="no finished table"):
        load("omaha8", only_packets)
    laid: list[int] = []
    build = Build(only_packets, PLAN)
    lay = build._lay
    build._lay = lambda data, row_from, row_to: laid.append(row_from) or lay(data, row_from, row_to)  # type: ignore[method-assign,func-returns-value]
    build.run()
    blocks = len(row_cuts(5)) - 1
    assert len(laid) == (0 if name == "manifest.json" else blocks - time_ + 1)
    assert files(only_packets) == files(finished)
    assert not list(only_packets.glob("**/.*"))


def test_killed_worker_in_mid_rename(tmp_path, only_packets, finished):
    """A worker dies between writing and renaming its packet; another one does the packet again."""
    for number in (1, 2, 3):
        (only_packets / "packets" / PLAN.file_name(number)).unlink()
    build = Build(only_packets, PLAN)
    build.function = "tests.equity.omaha.matchups.fault_work:killed_in_first_rename"
    os.environ["HEADSUP_TEST_MARKER"] = str(tmp_path / "marker")
    try:
        build.run(jobs=2)
    finally:
        del os.environ["HEADSUP_TEST_MARKER"]
    assert (tmp_path / "marker").exists()
    assert files(only_packets) == files(finished)


def test_full_disk_while_laying_out(only_packets, finished, monkeypatch):
    """The disk is full at the seventh block; after that there is room again."""
    sync, calls = os.fsync, 0

    def full(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        UserError, match=r"^there is no room left for files in .*: free some and run the same command again"
    ):
        Build(only_packets, PLAN).run()
    assert not (only_packets / "manifest.json").exists()
    Build(only_packets, PLAN).run()
    assert files(only_packets) == files(finished)


def test_full_disk_before_laying_out(only_packets, finished):
    """The files get their size first, so a disk too small shows before the work: here no file may grow so far."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (PLAN.classes**2 * 3, before[1]))
    try:
        with pytest.raises(UserError, match="no room left for files"):
            Build(only_packets, PLAN).run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    Build(only_packets, PLAN).run()
    assert files(only_packets) == files(finished)


@pytest.mark.parametrize("name", ["omaha8", "omaha", "number"])
@pytest.mark.parametrize("damage", ["flip", "cut"])
def test_a_damaged_block_alone_is_made_again(table, finished, name, damage):
    spec = next(spec for spec in array_specs(PLAN) if spec.name == name)
    path, cuts = table / spec.file, row_cuts(5)
    content = bytearray(path.read_bytes())
    block = len(cuts) - 2 if damage == "cut" else 17
    if damage == "flip":
        content[cuts[17] * spec.row_bytes + 5] ^= 64
    else:
        del content[-3:]
    path.write_bytes(content)
    if damage == "cut":
        with pytest.raises(DataError, match=rf"{spec.file} has {spec.size - 3} bytes instead of {spec.size}"):
            load("omaha8", table)
    else:
        with pytest.raises(DataError, match=rf"damaged blocks in .*: 17 of {name}: run headsup tabulate again"):
            load("omaha8", table).verify_checksums()
    said: list[str] = []
    laid: list[int] = []
    build = Build(table, PLAN, said.append)
    lay = build._lay
    build._lay = lambda data, row_from, row_to: laid.append(row_from) or lay(data, row_from, row_to)  # type: ignore[method-assign,func-returns-value]
    build.run()
    assert said == [f"block {block} of {name} is damaged and is made again"]
    assert laid == [cuts[block]]
    assert files(table) == files(finished)


def test_a_file_that_is_too_long_is_cut(table, finished):
    """The reader sends people to tabulate, which must not find everything in order."""
    spec = array_specs(PLAN)[1]
    with open(table / spec.file, "ab") as file:
        file.write(b"more")
    with pytest.raises(
        DataError, match=rf"{spec.file} has {spec.size + 4} bytes .* tabulate again on this folder to repair"
    ):
        load("omaha8", table)
    said: list[str] = []
    Build(table, PLAN, said.append).run()
    assert said == [f"{spec.file} was too long and is cut to its size"]
    assert files(table) == files(finished)
    load("omaha8", table).verify_checksums()


def damage_table(table: Path, times: int) -> None:
    """Change one file of a table at random: what reads it notices, or finds in it what was there before."""
    rng = np.random.default_rng(12)
    whole = read_manifest(table)
    assert whole is not None
    files_ = [*(table / spec.file for spec in array_specs(PLAN)), table / "manifest.json"]
    for turn in range(times):
        path = files_[turn % len(files_)]
        content = path.read_bytes()
        path.write_bytes(damaged(content, rng))
        try:
            found = load("omaha8", table)
            found.verify_checksums()
        except DataError:
            pass
        else:
            assert path.suffix == ".json"
            assert found.manifest == whole
        path.write_bytes(content)
    load("omaha8", table).verify_checksums()
    packet = table / "packets" / PLAN.file_name(3)
    content = packet.read_bytes()
    for _ in range(times):
        packet.write_bytes(damaged(content, rng))
        with suppress(packets.WrongVersion):
            assert packets.check_file(PLAN, 3, packet) is None
    packet.write_bytes(content)


def test_damage_at_random(table):
    damage_table(table, 40)


@pytest.mark.long
def test_damage_at_random_a_thousand_times(table):
    damage_table(table, 1000)


def test_a_damaged_journal_costs_time_and_nothing_else(only_packets, finished):
    command = [sys.executable, "-c", KILLED, str(only_packets), "manifest.json", "1"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    journal, rng = only_packets / "journal.json", np.random.default_rng(3)
    content = journal.read_bytes()
    paths = [only_packets / "packets" / PLAN.file_name(number) for number in range(PLAN.packets)]
    digests = {number: packets.check_file(PLAN, number, path) for number, path in enumerate(paths)}
    whole = Build(only_packets, PLAN)._journal(digests)
    assert whole
    for raw in (b'{"blocks": [1], "packets": 0}', b"[" * 5000, *(damaged(content, rng) for _ in range(100))):
        journal.write_bytes(raw)
        assert Build(only_packets, PLAN)._journal(digests) in ({}, whole)
    Build(only_packets, PLAN).run()
    assert files(only_packets) == files(finished)


def test_a_damaged_block_is_made_again_without_packets(table, finished, monkeypatch):
    """After --prune only the packets that touch the block are computed, and removed again."""
    Build(table, PLAN).run(prune=True)
    assert not (table / "packets").exists()
    spec = array_specs(PLAN)[0]
    content = bytearray((table / spec.file).read_bytes())
    content[-5] ^= 1  # the last block: hands of the highest rank, which few rank sets have
    (table / spec.file).write_bytes(content)
    needed = _touching(PLAN, *row_cuts(5)[-2:])
    assert 0 < len(needed) < PLAN.packets
    computed: list[int] = []

    def in_process(function, work, **options):
        for packet in work:
            computed.append(packet.arguments["number"])
            write_bytes(packet.path, packets.packet_bytes(**packet.arguments))

    monkeypatch.setattr(distribute, "run", in_process)
    Build(table, PLAN).run()
    assert computed == sorted(needed)
    assert files(table) == files(finished)
    assert not list(table.glob("packets/*.packet"))


def test_a_damaged_packet_alone_is_computed_again(only_packets, finished):
    path = only_packets / "packets" / PLAN.file_name(5)
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    (only_packets / "packets" / PLAN.file_name(6)).unlink()
    said: list[str] = []
    Build(only_packets, PLAN, said.append).run(jobs=1)
    assert said == ["packet 5 is damaged and is computed again", "6 of 8 packets exist already"]
    assert path.read_bytes() == whole
    assert files(only_packets) == files(finished)


def test_a_block_changed_after_the_kill_is_made_again(only_packets, finished):
    """Blocks that the journal knows are still checked byte by byte."""
    command = [sys.executable, "-c", KILLED, str(only_packets), "manifest.json", "1"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    spec = array_specs(PLAN)[1]
    array = np.memmap(only_packets / spec.file, dtype=spec.dtype, mode="r+", shape=spec.shape)
    array[40, 40] ^= 1
    array.flush()
    Build(only_packets, PLAN).run()
    assert files(only_packets) == files(finished)


def test_two_runs_on_one_folder(table):
    with distribute.locked(table):
        second = subprocess.run(
            [sys.executable, "-m", "headsup", *words(table)], capture_output=True, text=True, check=False
        )
    assert second.returncode == 2
    assert f"another run (process {os.getpid()}) is at work in {table}" in second.stderr
    assert "Traceback" not in second.stderr


def test_another_version_of_the_table(table):
    content = json.loads((table / "manifest.json").read_text())
    (table / "manifest.json").write_text(json.dumps(content | {"version": 7}))
    words = (
        r"has format version 7, this headsup reads and writes version 1: choose another folder or delete the old one"
    )
    with pytest.raises(DataError, match=words):
        load("omaha8", table)
    with pytest.raises(DataError, match=words):
        Build(table, PLAN).run()


def test_another_version_of_a_packet(only_packets):
    path = only_packets / "packets" / PLAN.file_name(0)
    path.write_bytes(path.read_bytes().replace(b"headsup packet 1", b"headsup packet 2", 1))
    with pytest.raises(DataError, match="has format version 2"):
        Build(only_packets, PLAN).run()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[:200], "is damaged"),
        (lambda text: text.replace('"ranks": 5', '"ranks": 6', 1), "does not match its own checksum"),
        (lambda text: text.replace("headsup matchups", "something", 1), "does not describe a table of matchups"),
        (lambda text: "[]", "is damaged"),
    ],
)
def test_a_damaged_manifest(table, change, words):
    path = table / "manifest.json"
    path.write_text(change(path.read_text()))
    with pytest.raises(DataError, match=words):
        load("omaha8", table)


def test_without_its_manifest_a_table_is_rebuilt_the_same(table, finished):
    (table / "manifest.json").unlink()
    Build(table, PLAN).run()
    assert files(table) == files(finished)


@pytest.mark.ray
def test_ray_builds_the_same_table(tmp_path, finished):
    """One of its workers is killed at the end of a packet's work."""
    ray = pytest.importorskip("ray", reason="the ray extra is not installed")
    root = str(Path(__file__).parents[4])
    environment = {"PYTHONPATH": root, "HEADSUP_TEST_MARKER": str(tmp_path / "marker"), **distribute.ONE_THREAD}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": environment})
    try:
        build = Build(tmp_path / "table", PLAN)
        build.function = "tests.equity.omaha.matchups.fault_work:killed_first"
        build.run(engine="ray")
    finally:
        ray.shutdown()
    assert (tmp_path / "marker").exists()
    assert files(tmp_path / "table") == files(finished)


def test_pruned_tables_read_as_before(table, finished):
    Build(table, PLAN).run(prune=True)
    load("omaha8", table).verify_checksums()
    assert files(table) == files(finished)


def test_device_mistakes(tmp_path):
    with pytest.raises(UserError, match="'tpu' is not a device: choose one of cpu, gpu"):
        Build(tmp_path, Plan(5)).run(device="tpu")


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("rows", (1, None, [], ["x"])),
        ("ranks", (99, -1, "x", None)),
        ("classes", (7, -1)),
        ("blocks", (1, None, {}, {"wins": ["x"]})),
        ("counts", (1, None, {"hands": -1}, {"hands": float("nan")})),
        ("patterns", (1, None, {"x": [1]}, {"x": [1, -1]})),
    ],
)
def test_a_sealed_manifest_of_no_table_is_one_sentence(key: str, values: tuple, table: Path, capsys) -> None:
    path = table / "manifest.json"
    given = json.loads(path.read_text())
    given.pop("checksum")
    for value in values:
        told = given | {key: value}
        checksum = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        path.write_text(json.dumps(told | {"checksum": checksum}))
        for words in (
            ["tabulate", "omaha8", "--ranks", "5", "--work"],
            ["jamfold", "--stack", "9", "--game", "omaha8", "--table"],
        ):
            assert main([*words, str(table)]) == 2
            said = capsys.readouterr()
            assert (said.out, said.err.count("\n")) == ("", 1)
            assert "manifest.json" in said.err


@pytest.mark.parametrize(
    "change", [{"arrays": []}, {"arrays": [["hands", "<u2", [3]]]}, {"packet": None}, {"ranks": "x"}]
)
def test_a_sealed_packet_that_cannot_be_is_computed_again(change: dict, table: Path) -> None:
    path = table / "packets" / PLAN.file_name(0)
    content = path.read_bytes()
    head, _, body = content.partition(b"\n")
    about, _, rest = body.partition(b"\n")
    forged = json.dumps(json.loads(about) | change).encode() + b"\n" + rest
    words = head.split()
    path.write_bytes(
        b" ".join([*words[:-1], hashlib.sha256(forged).hexdigest().encode()]).ljust(len(head)) + b"\n" + forged
    )
    assert check_file(PLAN, 0, path) is None
