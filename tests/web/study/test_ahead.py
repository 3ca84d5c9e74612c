"""What is worked out ahead is what a look would find, is not taken from another solution, and damage is found out."""

from __future__ import annotations

import io
import json
import os
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from headsup.common import archives
from headsup.common.errors import DataError, UserError
from headsup.common.files import read_json, write_json
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.spots.view import PLAYERS, SpotView
from headsup.web.app import make_app
from headsup.web.jobs import Ask, Jobs, mark_of
from headsup.web.study import ahead, walking, worker
from headsup.web.study.ahead import Ahead
from tests.solve import compiled
from tests.web.conftest import TestClient, keep_solved

SPOT = Spot("Td9d6hQc", "AA,T9s,KJs,87s:0.5,A5s", "QQ,AQs,J8s,55", 20, 50, bets="50%, a", raises="3x")
pytestmark = compiled


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a solution and what is kept beside it."""
    folder = tmp_path_factory.mktemp("job")
    found = solve_spot(SPOT, None, iterations=5, store="float64")
    found.save(folder / "solution")
    ahead.keep(found, folder)
    return folder


def plain(kept: Path) -> SpotSolution:
    """The solution, with nothing known of it."""
    return SpotSolution.load(kept / "solution", regrets=False, mapped=True)


def same(one: SpotView, other: SpotView) -> bool:
    names = ("reach", "weights", "frequencies", "ev", "equity")
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in names)


def test_looks_from_what_was_kept_are_those_of_the_solution_and_its_best_replies(kept: Path) -> None:
    one, slow = walking.load(kept / "solution"), plain(kept)
    assert sorted(one.solved.known.walks) == [((0,), 0), ((0,), 1)]
    for line in ("", "check", "check, bet 10"):
        assert same(walking.view(one, line), slow.at(line))
    for player in PLAYERS:
        reply = slow.exploit(player)
        assert walking.gains(one, player) == pytest.approx(reply.gains)
        for line in ("", "check", "check, bet 10"):
            assert same(walking.view(one, line, player), reply.solution.at(line))
        for line in ("check, check, 2c", "check, bet 10, call, Ah, check"):
            assert same(walking.view(one, line, player), reply.solution.at(line))
        assert player not in one.replies  # all that without the reply on other boards


def near(one: SpotView, other: SpotView) -> bool:
    """The same but for float32, in which values of the second street are kept."""
    assert (one.board, one.player, one.actions, one.hands) == (other.board, other.player, other.actions, other.hands)
    names = ("reach", "weights", "frequencies", "ev", "equity")
    return all(np.allclose(getattr(one, name), getattr(other, name), 0, 1e-3, equal_nan=True) for name in names)


def test_turns_and_rivers_of_a_flop_are_those_of_looks_at_the_whole_solution(tmp_path: Path) -> None:
    flop = Spot("Td9d6h", "AA,T9s", "QQ,J8s", 20, 30, bets="a")
    solve_spot(flop, None, iterations=2, store="float64").save(tmp_path / "solution")
    slow = plain(tmp_path)
    ahead.keep(plain(tmp_path), tmp_path)
    one = walking.load(tmp_path / "solution")
    turns, rivers = ("check, check, 2c", "check, check, Kd, check"), ("Qs", "9h")
    for player in ("", *PLAYERS):
        found = slow.exploit(player).solution if player else slow
        for line in ("", "check", *turns, *(f"check, check, 2c, check, check, {card}" for card in rivers)):
            assert near(walking.view(one, line, player), found.at(line))
    assert not one.replies
    for node, row in plain(tmp_path).taken.items():
        np.testing.assert_allclose(one.solved.taken[node], row)
    assert len(one.solved.compare(one.solved).lines) == 0
    walking.warm(tmp_path / "solution")
    assert {len(walking.parts(line)) for line, _ in one.views} >= {0, 3, 6}


def test_best_replies_to_a_solution_of_which_nothing_was_kept(kept: Path) -> None:
    one, slow = walking.Loaded(plain(kept), Ahead()), plain(kept)
    for player in PLAYERS:
        reply = slow.exploit(player)
        assert walking.gains(one, player) == pytest.approx(reply.gains)
        for line in ("check", "check, check, 2c"):
            assert same(walking.view(one, line, player), reply.solution.at(line))


def test_next_cards_that_were_kept_are_those_of_looks(kept: Path) -> None:
    one, slow = walking.load(kept / "solution"), plain(kept)
    assert {"check, check", "bet 10, call", "check, bet 10, call"} <= one.ahead.cards.keys()
    for line, rows in one.ahead.cards.items():
        assert [row["card"] for row in rows] == list(walking.where(slow, line).cards)
        here = slow.at(f"{line}, {rows[7]['card']}")
        assert (rows[7]["player"], tuple(rows[7]["actions"])) == (here.player, here.actions)
        assert [rows[7]["ev"], rows[7]["equity"]] == pytest.approx(
            [here.totals["ev"], here.totals["equity"]], nan_ok=True
        )
    assert walking.runouts(kept / "solution", "check, check")[0]["shares"][0][0] == "check"


def test_what_belongs_to_another_solution_or_is_damaged_is_left_alone(kept: Path, tmp_path: Path) -> None:
    other = solve_spot(SPOT.with_(pot=30), None, iterations=1, store="float64")
    assert ahead.read(other, kept) == Ahead()
    assert not other.known.walks
    assert ahead.read(plain(kept), tmp_path) == Ahead()  # there is nothing
    (tmp_path / ahead.FILE).write_bytes((kept / ahead.FILE).read_bytes()[:-100])
    assert ahead.read(plain(kept), tmp_path) == Ahead()


def job_folder(place: Path, pot: int) -> Path:
    """A folder as a job leaves it."""
    spot = SPOT.with_(board="Td9d6hQc2s", pot=pot)
    place.mkdir(parents=True)
    write_json(place / "job.json", vars(Ask(spot.text())))
    found = solve_spot(spot, None, iterations=1, store="float64")
    found.save(place / "solution", job=mark_of(place))
    write_json(place / "summary.json", {"job": mark_of(place), "pot": pot})
    return place


def test_files_of_another_job_are_refused(tmp_path: Path) -> None:
    names = ("0" * 12, "1" * 12)
    first, second = (job_folder(tmp_path / name, pot) for name, pot in zip(names, (20, 30), strict=True))
    jobs = Jobs(tmp_path)
    assert walking.load(second / "solution").solved.spot.pot == 30
    assert jobs.get(names[1]).summary() == {"pot": 30}
    own = (second / "solution").read_bytes()
    for name in ("solution", "summary.json"):
        (second / name).write_bytes((first / name).read_bytes())
    os.utime(second / "solution", ns=(1, 1))  # solutions in memory are known by their times
    for look in (lambda: walking.load(second / "solution"), lambda: worker.solve(second)):
        with pytest.raises(DataError, match="the solution of another one: delete this spot"):
            look()
    with pytest.raises(DataError, match="of another spot: delete it"):
        jobs.get(names[1]).summary()
    (second / "solution").write_bytes(own)
    os.utime(second / "solution", ns=(2, 2))
    assert walking.load(second / "solution").solved.spot.pot == 30
    (second / "job.json").write_bytes((first / "job.json").read_bytes())
    with pytest.raises(DataError, match="the solution of another one"):
        ahead.solution_of(second)


def test_what_was_kept_for_another_solution_of_the_same_spot_is_left_alone(kept: Path, tmp_path: Path) -> None:
    other = solve_spot(SPOT, None, iterations=3, store="float64")
    other.save(tmp_path / "solution")
    (tmp_path / ahead.FILE).write_bytes((kept / ahead.FILE).read_bytes())
    assert ahead.read(other, tmp_path) == Ahead()
    ahead.keep(other, tmp_path)
    assert ahead.read(other, tmp_path).gains


def test_many_boards_are_looked_at_and_the_first_stays_known(kept: Path) -> None:
    found = plain(kept)
    for seat_line in ("", "check"):
        found.at(seat_line)
    for card in ahead.cards_left(found):
        found.at(f"check, check, {card}")
    assert len(found.known.walks) == found.known.KEPT
    assert {((0,), 0), ((0,), 1)} <= found.known.walks.keys()


def damage(folder: Path, name: str, content: bytes, member: str) -> None:
    """Write a file into a folder with one bit of a member changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        about = archive.getinfo(member)
    raw = bytearray(content)
    raw[about.header_offset + about.compress_size // 2 + 100] ^= 1
    (folder / name).write_bytes(raw)


@pytest.mark.parametrize("large", [False, True], ids=["read", "mapped"])
def test_no_number_of_a_damaged_solution_is_told(
    kept: Path, tmp_path: Path, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(archives, "_LARGE", 64)  # small arrays are stored as large ones are
        monkeypatch.setattr(archives, "_MAPPED", 64)
    job = tmp_path / "0123456789ab"
    keep_solved(job, plain(kept))
    (job / ahead.FILE).write_bytes((kept / ahead.FILE).read_bytes())
    whole = (job / "solution").read_bytes()
    client = TestClient(make_app(work=tmp_path))
    for member in ("strategy0.npy", "strategy1.npy"):
        damage(job, "solution", whole, member)
        for path in ("/study/{}", "/study/{}/chart.csv", "/api/spots/{}/look", "/api/spots/{}/exploit"):
            answer = client.get(path.format(job.name))  # the first question that is asked of it
            assert (answer.status_code, "is damaged: solve it again" in answer.text) == (400, True)
    (job / "solution").write_bytes(whole)
    assert client.get(f"/api/spots/{job.name}/look").status_code == 200


@pytest.mark.parametrize("member", ["-values-0.npy", "oop-rows.npy", "told.json"])
def test_damage_beside_a_solution_costs_time_alone(kept: Path, tmp_path: Path, member: str) -> None:
    (tmp_path / "solution").write_bytes((kept / "solution").read_bytes())
    damage(tmp_path, ahead.FILE, (kept / ahead.FILE).read_bytes(), member)
    one = walking.load(tmp_path / "solution")
    assert one.ahead == Ahead()
    assert same(walking.view(one, "check"), plain(kept).at("check"))


def test_a_stamp_is_that_of_one_solution(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    with pytest.raises(UserError, match="no solution yet"):
        walking.stamp(file)
    file.write_bytes((kept / "solution").read_bytes())
    first = walking.stamp(file)
    assert walking.stamp(file) == first
    os.utime(file, ns=(1, 1))
    assert walking.stamp(file) != first


NAN, WRONG = float("nan"), (1, "x", None, [], True)
FORGED = {
    "job.json": {"spot": (1, None, []), "target": (NAN, "x", None), "locks": (1, None, [1]), "created": (NAN, "x")},
    "state.json": {"state": (1, None), "message": (1, None)},
    "summary.json": {"exploitability_pot": (NAN, float("inf"), "x", [])},
}


def sealed(told: object) -> str:
    """JSON with its checksum, also of what `write_json` refuses."""
    if not isinstance(told, dict):
        return json.dumps(told)
    return json.dumps({**told, "checksum": sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()})


@pytest.mark.parametrize("name", FORGED)
def test_a_spot_whose_files_say_what_cannot_be_is_told_damaged(name: str, kept: Path, tmp_path: Path) -> None:
    job = tmp_path / "0123456789ab"
    keep_solved(job, plain(kept))
    write_json(job / "state.json", {"state": "done", "message": ""})
    client = TestClient(make_app(work=tmp_path), raise_server_exceptions=False)
    whole = read_json(job / name)
    forged = [told for told in WRONG if name != "summary.json"]
    forged += [whole | {key: value} for key, values in FORGED[name].items() for value in values]
    for told in forged:
        (job / name).write_text(sealed(told))
        answer = client.get(f"/api/spots/{job.name}")
        assert answer.status_code == 400, told
        assert "damaged" in answer.text, told
        assert "NaN" not in answer.text
        for path in ("/study", f"/study/{job.name}", "/api/spots"):
            assert client.get(path).status_code in (200, 400), (path, told)


def test_lines_of_progress_that_cannot_be_are_left_out(tmp_path: Path) -> None:
    folder = job_folder(tmp_path / ("0" * 12), 20)
    lines = ["[1, 0.5, 0.25]", "[1, NaN, 1]", "[1, 2]", "3", "null", '["a", "b", "c"]', "[2, 1.0, Infinity]", "[1"]
    (folder / "progress.jsonl").write_text("\n".join(lines))
    assert Jobs(tmp_path).get(folder.name).progress() == [(1, 0.5, 0.25)]


@pytest.mark.parametrize("key", ["gains", "cards", "taken", "-values-0.npy", "oop-rows.npy", "lead.npy"])
def test_what_was_written_ahead_and_cannot_be_is_left_alone(key: str, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "solution").write_bytes((kept / "solution").read_bytes())
    members, _ = archives.read_archive(kept / ahead.FILE)
    if key.endswith(".npy"):
        array = np.asarray(members[key], dtype=np.float64)
        wrong = [array[:-1] if key != "lead.npy" else array * np.nan, array * np.nan, array.astype("U3"), b"x"]
        forged = [{key: one} for one in wrong]
    else:
        told = json.loads(bytes(members["told.json"]))
        wrong = [*WRONG, {"oop": NAN, "ip": 1.0}, {"1": [NAN]}, {"check, check": [{"card": "2c"}]}]
        forged = [{"told.json": json.dumps(told | {key: one}).encode()} for one in wrong]
    assert ahead.read(plain(tmp_path), kept).gains
    for parts in forged:
        archives.write_archive(tmp_path / ahead.FILE, members | parts)
        assert ahead.read(plain(tmp_path), tmp_path) == Ahead()
