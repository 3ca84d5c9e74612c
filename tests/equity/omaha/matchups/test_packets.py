"""Rank sets against eval8 and brute force; the plan; packet files."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from headsup.cards.classes import omaha_class_sizes, omaha_class_starts
from headsup.cards.deals import DEAL_CLASSES, DEAL_PATTERNS
from headsup.common.errors import DataError, UserError
from headsup.equity.omaha.eval8 import hands_against, matchup_grid
from headsup.equity.omaha.matchups import census, packets
from headsup.equity.omaha.matchups.packets import PacketData, Plan, WrongVersion
from headsup.equity.omaha.matchups.ranksets import KEPT, Tabulator, rank_sets
from headsup.equity.results import SHARES, outcomes

PLAN = Plan(5)


@pytest.mark.parametrize(("ranks", "seed"), [(13, 0), (13, 1), (13, 2), (6, 3), (5, 4)])
def test_rank_sets_agree_with_eval8(ranks, seed):
    """Entries of a rank set are sums of `matchup_grid` over all alignments; a small deck is a deck with dead cards."""
    rng = np.random.default_rng(seed)
    chosen = rank_sets(ranks)[rng.integers(len(rank_sets(ranks)))]
    dead = range(4 * ranks, 52)
    quarters, all_outcomes = Tabulator(ranks).blocks(chosen), Tabulator(ranks, outcomes=True).blocks(chosen)
    first = omaha_class_starts()
    for _ in range(12):
        block = rng.integers(len(quarters.hands))
        a, b = quarters.hands[block]
        cell = int(rng.integers(quarters.starts[block], quarters.starts[block + 1]))
        row, column = divmod(cell - quarters.starts[block], first[b + 1] - first[b])
        hand, others = hands_against(first[a] + row, first[b] + column)
        grid = sum((matchup_grid(hand, other, dead) for other in others.tolist()), np.zeros((3, 4), dtype=np.int64))
        assert quarters.number[cell] == all_outcomes.number[cell] == len(others)
        assert quarters.sums[0, cell] == (np.array(SHARES) * grid).sum()
        assert quarters.sums[1, cell] == grid.sum(axis=1) @ [4, 2, 0]
        expected = [*outcomes(grid.tolist()).values(), *grid.sum(axis=1).tolist()]
        assert dict(zip(KEPT[True], all_outcomes.sums[:, cell].tolist(), strict=True)) == dict(
            zip(KEPT[True], expected, strict=True)
        )


@pytest.mark.parametrize("ranks", [5, 6, 13])
def test_the_plan_has_every_rank_set_once_and_even_work(ranks):
    plan = Plan(ranks)
    cuts = plan.cuts.tolist()
    assert cuts[0] == 0
    assert cuts[-1] == len(rank_sets(ranks)) == (120_055 if ranks == 13 else cuts[-1])
    assert all(start < stop for start, stop in pairwise(cuts))
    work = [plan.work(number) for number in range(plan.packets)]
    assert plan.packets <= 512
    assert max(work) < 2 * sum(work) / plan.packets


def test_a_small_deck_is_the_start_of_the_full_one():
    assert (rank_sets(13)[: len(rank_sets(6))] == rank_sets(6)).all()
    assert Plan(13).classes == 16_432
    assert omaha_class_sizes()[: Plan(6).classes].sum() == comb(24, 4)


def test_census_of_all_patterns(finished):
    """Table 3.3 of ho-2015, in a deck of five ranks and in the full deck."""
    data = [packets.read(path) for path in sorted((finished / "packets").iterdir())]
    found = census.by_pattern(np.concatenate([one.census for one in data]))
    census.check(found, 5)
    assert sum(deals for _, deals in found.values()) == comb(20, 8)
    assert sum(pattern.classes for pattern in DEAL_PATTERNS) == DEAL_CLASSES
    found["C_A4B3C1D0"] = (found["C_A4B3C1D0"][0] - 1, found["C_A4B3C1D0"][1])
    with pytest.raises(DataError, match="pattern C_A4B3C1D0"):
        census.check(found, 5)


def test_packets_say_what_they_are(finished, tmp_path):
    path = finished / "packets" / PLAN.file_name(3)
    assert packets.check_file(PLAN, 3, path) == path.read_bytes().split(b"\n")[0].split()[-1].decode()
    assert packets.check_file(PLAN, 2, path) is None  # whole, but another packet's
    assert packets.check_file(Plan(6), 3, path) is None
    assert packets.check_file(Plan(5, outcomes=True), 3, path) is None


def test_the_same_bytes_every_time(finished):
    assert packets.packet_bytes(5, False, 2) == (finished / "packets" / PLAN.file_name(2)).read_bytes()


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other", "header"])
def test_damaged_packets_are_seen(finished, tmp_path, damage):
    content = bytearray((finished / "packets" / PLAN.file_name(1)).read_bytes())
    path = tmp_path / "packet"
    if damage == "cut":
        content = content[:-1]
    elif damage == "flip":
        content[len(content) // 2] ^= 1
    elif damage == "empty":
        content = bytearray()
    elif damage == "other":
        content = bytearray(b"something else entirely")
    else:
        content[100] ^= 1
    path.write_bytes(content)
    assert packets.check_file(PLAN, 1, path) is None


def test_another_version_is_one_sentence(finished, tmp_path):
    path = tmp_path / "packet"
    content = (finished / "packets" / PLAN.file_name(1)).read_bytes()
    path.write_bytes(content.replace(b"headsup packet 1 ", b"headsup packet 9 ", 1))
    with pytest.raises(
        WrongVersion, match=r"has format version 9, this headsup reads and writes version 1: choose another"
    ):
        packets.check_file(PLAN, 1, path)


def test_wrong_results_never_become_a_packet():
    """A deal too few, a quarter-pot too many, a board too many: each is caught when the packet is made."""
    sets = PLAN.rank_sets(0)[5:6]
    tabulator = Tabulator(5)
    good = tabulator.blocks(sets[0])
    assert isinstance(packets._gather(PLAN, sets, [good], tabulator.census), PacketData)
    with pytest.raises(DataError, match="deals were counted"):
        packets._gather(PLAN, sets, [good], 2 * tabulator.census)
    fewer = good.number.copy()
    fewer[np.flatnonzero(fewer)[0]] -= 1
    with pytest.raises(DataError, match="were counted"):
        packets._gather(PLAN, sets, [good._replace(number=fewer)], tabulator.census)
    more = good.sums.copy()
    more[0, np.flatnonzero(good.number)[0]] += 4 * PLAN.boards * 24
    with pytest.raises(DataError, match="do not add up"):
        packets._gather(PLAN, sets, [good._replace(sums=more)], tabulator.census)
    plan = Plan(5, outcomes=True)
    tabulator = Tabulator(5, outcomes=True)
    good = tabulator.blocks(sets[0])
    more = good.sums.copy()
    more[3, np.flatnonzero(good.number)[0]] += 1
    with pytest.raises(DataError, match="do not add up"):
        packets._gather(plan, sets, [good._replace(sums=more)], tabulator.census)


def test_mistakes():
    for ranks in (4, 14):
        with pytest.raises(UserError, match=f"a deck of {ranks} ranks cannot be tabulated: choose 5 to 13"):
            Plan(ranks)
    with pytest.raises(UserError, match="'tpu' is not a device"):
        packets.packet_bytes(5, False, 0, "tpu")


def test_arrays_are_mapped_where_a_machine_reads_them_best(finished):
    for array in packets.read(finished / "packets" / PLAN.file_name(4)):
        assert array.flags.aligned


def test_packets_joined_while_others_are_computed_have_the_same_bytes(finished, monkeypatch):
    """A device that hands out many rank sets at once, some packets at a time; its results are the CPU's."""

    class Device(Tabulator):
        def blocks_many(self, sets):
            return map(self.blocks, sets)

    device, cpu = Device(5), [(finished / "packets" / PLAN.file_name(number)).read_bytes() for number in range(3)]
    monkeypatch.setattr(packets, "_tabulator", lambda *_: device)
    monkeypatch.setattr(packets, "GPU_PACKETS", 2)
    assert list(packets.compute(PLAN, range(3), "gpu")) == cpu


@pytest.fixture
def device():
    from headsup.common.backend import gpu_present

    if not gpu_present():
        pytest.skip("no CUDA device, or the gpu extra is not installed")


@pytest.mark.gpu
@pytest.mark.parametrize("outcomes", [False, True])
def test_gpu_packets_have_the_same_bytes(outcomes, device, monkeypatch):
    monkeypatch.setattr(packets, "GPU_PACKETS", 2)
    plan = Plan(6, outcomes)
    assert list(packets.compute(plan, range(3), "gpu")) == list(packets.compute(plan, range(3), "cpu"))


@pytest.mark.gpu
@pytest.mark.parametrize("outcomes", [False, True])
def test_a_gpu_and_a_core_agree_on_rank_sets_of_the_full_deck(outcomes, device):
    """Of every number of different ranks some, several of the same shape among them."""
    from headsup.equity.omaha.matchups.gpu import GpuTabulator

    sets = rank_sets(13)
    different = 1 + (np.diff(sets.astype(np.int64), axis=1) != 0).sum(axis=1)
    rng = np.random.default_rng(5)
    chosen = np.concatenate([rng.choice(sets[different == n], 4) for n in range(2, 9)] + [sets[different == 8][:3]])
    cpu, gpu = Tabulator(13, outcomes), GpuTabulator(13, outcomes)
    for rank_set, found in zip(chosen, gpu.blocks_many(chosen), strict=True):
        for ours, theirs in zip(cpu.blocks(rank_set), found, strict=True):
            np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(cpu.counted(), gpu.counted())
