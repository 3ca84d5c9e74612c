"""Plans against limps: one flop against its best response, and the shipped plan against plain jam or fold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import card_classes, holdem_class_of_combo
from headsup.cards.combos import colex
from headsup.common import distribute
from headsup.common.arrays import Floats
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import DataError
from headsup.common.files import owned_bytes, write_bytes
from headsup.endgame.solve_limp import STEPS, Ranges, _Hand, learn_flop, limps, meeting
from headsup.equity.holdem.flop_pairs import FlopPairs, flop_pairs
from headsup.equity.holdem.flop_subsets import FlopSubset
from headsup.games.holdem.classes import holdem_classes
from headsup.solve.records.matching import regret_matching

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="one flop is a billion comparisons")
FLOP = np.array(sorted(parse_cards("Ts9s2s")), dtype=np.uint8)
DEPTHS = (4.0, 7.0)


@pytest.fixture(scope="module")
def pairs() -> FlopPairs:
    return flop_pairs(FLOP)


def sure_of(pairs: FlopPairs, limp: Floats, check: Floats, jam: Floats) -> Floats:
    """What a plan makes of a flop at each depth against the best response, beyond giving every pot up."""
    worth = []
    for depth, mine in zip(DEPTHS, check * jam, strict=True):
        win, tie, lose = pairs.outcomes(mine)
        theirs = np.maximum(depth * (win - lose), -(win + tie + lose)) - pairs.met(mine)
        worth.append(-(limp * theirs).sum())
    return np.array(worth)


def test_a_learned_flop_is_sure_of_more_than_simple_plans(pairs: FlopPairs) -> None:
    shares = np.random.default_rng(1).random((2, 169))
    ranges = Ranges(np.stack([shares[0]] * 2), np.stack([shares[1]] * 2))
    kind = holdem_class_of_combo()[pairs.hands]
    limp, check = 0.97 * shares[0][kind] + 0.03, 1 - shares[1][kind]
    found = learn_flop(pairs, ranges, DEPTHS).astype(np.float64)
    learned = sure_of(pairs, limp, check, found)
    strength = pairs.wins.sum(axis=1)
    for part in (0.0, 0.3, 0.5, 0.8, 1.0):
        jam = np.stack([strength >= np.quantile(strength, 1 - part)] * 2) if part else np.zeros_like(found)
        assert (learned > sure_of(pairs, limp, check, jam.astype(np.float64))).all()
    # far from what more iterations make of it, it is not
    longer = sure_of(pairs, limp, check, learn_flop(pairs, ranges, DEPTHS, 300).astype(np.float64))
    assert (np.abs(longer - learned) < 0.02 * longer).all()


def test_hands_that_differ_in_suits_only_are_met_alike() -> None:
    random = np.random.default_rng(2)
    over, played = random.random((2, 169)), random.integers(0, STEPS + 1, (2, 1176), dtype=np.uint8)
    kind, met = meeting(FLOP, over, played)
    hands = flop_pairs(FLOP).hands
    for first, second in (("AhKh", "AdKd"), ("AsKh", "AsKc"), ("7h7d", "7d7c"), ("2h2d", "2d2c")):
        a, b = (int(np.flatnonzero(hands == colex(parse_cards(one)))[0]) for one in (first, second))
        assert kind[a] == kind[b]
        assert met[:, :, a] == pytest.approx(met[:, :, b], rel=1e-12)


def test_a_folder_with_the_plan_is_counted_and_packets_of_other_plans_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, random = card_classes(3), np.random.default_rng(3)
    monkeypatch.setattr(
        "headsup.endgame.solve_limp.card_classes",
        lambda cards: SimpleNamespace(reps=every.reps[:2], sizes=every.sizes[:2]),
    )
    monkeypatch.setattr("headsup.endgame.solve_limp.DEPTHS", DEPTHS)
    over, played = random.random((2, 2, 169)), random.integers(0, STEPS + 1, (2, 2, 1176), dtype=np.uint8)
    ranges = iter([Ranges(over[0], over[0]), Ranges(over[1], over[1])])
    monkeypatch.setattr("headsup.endgame.solve_limp.learn_ranges", lambda table, watch: next(ranges))
    made: list[str] = []

    def make(function: str, packets: list[distribute.Packet], done: Callable[[distribute.Packet], None]) -> None:
        for packet in packets:
            write_bytes(packet.path, owned_bytes(played.tobytes(), packet.arguments["job"]))
            made.append(packet.path.parent.name)
            done(packet)

    monkeypatch.setattr(distribute, "run", make)
    found = limps(holdem_classes(), tmp_path / "mine")
    for flop in (0, 1):
        kind, met = meeting(every.reps[flop], over[0], played[flop])
        assert (found.kind[flop] == kind).all()
        assert (found.outcomes[:, :, flop] == met.transpose(1, 0, 2)).all()
    limps(holdem_classes(), tmp_path / "mine")
    limps(holdem_classes(), tmp_path / "other")  # with other ranges
    assert made == ["mine", "other"]
    path = tmp_path / "mine/flops-0000.bin"
    for foreign in ((tmp_path / "other/flops-0000.bin").read_bytes(), path.read_bytes()[1:], played.tobytes()):
        path.write_bytes(foreign)
        limps(holdem_classes(), tmp_path / "mine")
    assert made[2:] == ["mine"] * 3
    monkeypatch.setattr("headsup.endgame.solve_limp.DEPTHS", (4.0, 9.0))
    with pytest.raises(DataError, match="other depths"):
        limps(holdem_classes(), tmp_path / "mine")


def test_without_flops_a_limp_takes_what_is_not_jammed_over() -> None:
    """So it pays with deeper stacks, where jamming over it is dear."""
    none = FlopSubset(np.zeros((0, 3), dtype=np.uint8), np.zeros(0), 0.0, 0.0)
    hand = _Hand(holdem_classes(), (3.0, 9.0), none)
    for _ in range(30):
        hand.small_blind()
        hand.big_blind()
    limp = regret_matching(hand.root)[2] @ (holdem_classes().class_sizes / 1326)
    assert limp[0] < 0.5 < 0.9 < limp[1]
