from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.games import GAMES
from headsup.common.errors import UserError
from headsup.equity.omaha.matchups import load
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import holdem_classes
from headsup.jamfold import shipped as jamfold_data
from headsup.jamfold.hands import class_sizes
from headsup.jamfold.shipped import (
    STACKS,
    Sweep,
    changes,
    data_path,
    has_shipped,
    read,
    shipped,
    shipped_equilibrium,
    shipped_hand,
    stacks_played,
    with_deep,
    write,
)
from headsup.jamfold.vector import jamfold_game


def made_up(game: str = "omaha8", stacks: int = 9, classes: int = 40, seed: int = 0) -> Sweep:
    rng = np.random.default_rng(seed)

    def frequencies() -> np.ndarray:
        pure = (rng.random((stacks, classes)) < 0.5).astype(float)
        return np.where(rng.random((stacks, classes)) < 0.05, rng.random((stacks, classes)), pure)

    return Sweep(
        game=game,
        stacks=np.arange(1, stacks + 1) / 2,
        jam=frequencies(),
        call=frequencies(),
        ev={"jam": rng.normal(size=(stacks, classes)) * 20, "call": rng.normal(size=(stacks, classes))},
        value_sb=rng.normal(size=stacks),
        exploitability_mbb=rng.random(stacks) * 1e-3,
        jam_frequency=rng.random(stacks),
        call_frequency=rng.random(stacks),
        iterations=np.arange(stacks, dtype=np.int32),
    )


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 12), st.integers(1, 50), st.integers(0, 1000))
def test_what_is_written_is_read_back(tmp_path_factory, stacks: int, classes: int, seed: int) -> None:
    path = tmp_path_factory.mktemp("sweep") / "sweep.npz"
    sweep = made_up(stacks=stacks, classes=classes, seed=seed)
    write(path, sweep)
    back = read(path)
    assert back.game == sweep.game
    exact = ("stacks", "jam", "call", "value_sb", "exploitability_mbb", "jam_frequency", "call_frequency", "iterations")
    for name in exact:
        assert np.array_equal(getattr(back, name), getattr(sweep, name)), name
    for name in ("ev_jam", "ev_call"):
        assert np.abs(getattr(back, name) - getattr(sweep, name)).max() <= 0.0005 + 1e-12
    with pytest.raises(ValueError, match="read-only"):
        back.jam[0, 0] = 0.5


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
@pytest.mark.parametrize("seat", ["sb", "bb"])
def test_one_hand_is_a_column_of_the_sweep(game: str, seat: str) -> None:
    sweep = shipped(game)
    values, lost = (sweep.ev_jam, 0.5) if seat == "sb" else (sweep.ev_call, np.minimum(sweep.stacks, 1.0))
    mixes = np.flatnonzero(((sweep.played(seat) % 1) != 0).any(axis=0))
    for hand in (0, sweep.classes // 3, sweep.classes - 1, *mixes[:2].tolist()):
        found = shipped_hand(game, seat, hand)
        assert np.array_equal(found.stacks, sweep.stacks)
        assert np.array_equal(found.played, sweep.played(seat)[:, hand])
        np.testing.assert_allclose(found.gain, values[:, hand] + lost, rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
def test_figures_of_one_hand_are_those_of_the_sweep(game: str) -> None:
    sweep = shipped(game)
    mixes = np.flatnonzero(((sweep.call % 1) != 0).any(axis=0))
    for at, hand in ((0, 0), (60, sweep.classes - 1), (76, sweep.classes // 2), (120, int(mixes[0]))):
        single = shipped_equilibrium(game, float(sweep.stacks[at]), hand)
        assert single is not None
        for name, figure in sweep.equilibrium(at).equilibrium_fields().items():
            part = getattr(single, name)
            if np.ndim(figure):
                assert part[hand] == figure[hand]
                assert np.isnan(np.delete(part, hand)).all()
            else:
                assert part == figure
        for seat in ("sb", "bb"):
            known = stacks_played(game, Stakes.of(10), seat, hand)
            assert known is not None
            whole = with_deep(game)
            assert known.at == changes(whole.stacks, whole.played(seat)[:, hand])
            assert known.among == (0.5, 50.0 if game == "holdem" else 100.0)
    assert shipped_equilibrium(game, 10.01, 0) is None


def test_damage_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "sweep.npz"
    write(path, made_up())
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match="damaged"):
        read(path)


def test_stacks_of_the_sweep() -> None:
    assert len(STACKS) == 187
    assert (STACKS[0], STACKS[116], STACKS[117], STACKS[-1]) == (0.5, 15.0, 15.5, 50.0)
    assert set(np.diff(STACKS[:117])) == {0.125}
    assert set(np.diff(STACKS[116:])) == {0.5}


def test_intervals() -> None:
    stacks = np.arange(1.0, 7.0)
    assert changes(stacks, np.array([1, 1, 0, 0, 0.5, 0.4])) == [(1, 2), (5, 5)]
    assert changes(stacks, np.zeros(6)) == []
    assert changes(stacks, np.ones(6)) == [(1, 6)]


@pytest.mark.parametrize("game", GAMES)
def test_what_ships_is_whole(game: str) -> None:
    sweep = shipped(game)
    shares = class_sizes(game) / class_sizes(game).sum()
    assert sweep.game == game
    assert np.array_equal(sweep.stacks, STACKS)
    assert sweep.jam.shape == (187, len(shares))
    assert sweep.exploitability_mbb.max() <= 1e-3
    assert sweep.jam @ shares == pytest.approx(sweep.jam_frequency)
    assert sweep.call @ shares == pytest.approx(sweep.call_frequency)
    # What is played has the better expected value, up to the rounding of those values.
    slack = 0.5 * jamfold_data.EV_STEPS[game] + 1e-9
    small, big = np.minimum(STACKS, 0.5)[:, None], np.minimum(STACKS, 1.0)[:, None]
    for played, ev, fold in ((sweep.jam, sweep.ev_jam, -small), (sweep.call, sweep.ev_call, -big)):
        assert (ev - fold)[played > 0].min() >= -slack - 1e-5
        assert (ev - fold)[played < 1].max(initial=-1) <= slack + 1e-5
    value = (shares * (sweep.jam * sweep.ev_jam + (1 - sweep.jam) * -small)).sum(axis=1)
    assert value == pytest.approx(sweep.value_sb, abs=1e-4)


def test_every_shipped_holdem_certificate_from_the_table() -> None:
    sweep = shipped("holdem")
    for at, stack in enumerate(sweep.stacks.tolist()):
        proof = jamfold_game(holdem_classes(), Stakes.of(stack)).certify(sweep.jam[at], sweep.call[at])
        assert proof.exploitability_mbb <= 1e-3
        assert proof.exploitability_mbb == pytest.approx(sweep.exploitability_mbb[at], abs=1e-9)
        assert proof.value_sb == pytest.approx(sweep.value_sb[at], abs=1e-12)
        assert np.abs(proof.ev_jam - sweep.ev_jam[at]).max() < 1e-6
        assert np.abs(proof.ev_call - sweep.ev_call[at]).max() < 1e-6


def test_shipped_data_is_small_and_missing_data_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert sum(data_path(game).stat().st_size for game in GAMES) < 8e6
    shipped.cache_clear()
    monkeypatch.setattr(jamfold_data, "data_path", lambda game: tmp_path / "none.npz")
    assert not has_shipped("omaha")
    with pytest.raises(UserError, match="headsup sweep --game omaha"):
        shipped("omaha")


@pytest.mark.long
@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_every_shipped_omaha_certificate_from_the_table(game: str) -> None:
    """All 187 stacks at once, in plain matrix products over blocks of rows: no kernel and no code of the solvers."""
    try:
        table = load(game)
    except UserError as error:
        pytest.skip(str(error))
    sweep = shipped(game)
    n, stack = len(sweep.stacks), sweep.stacks
    both = np.concatenate([sweep.call, sweep.jam]).T.copy()
    net, met = np.empty(both.shape), np.empty(both.shape)
    for rows in table.row_blocks(1024):
        met[rows] = table.number[rows].astype(np.float64) @ both
        net[rows] = table.quarters[rows].astype(np.float64) @ both / (4 * table.boards) - met[rows] / 2
    small, big = np.minimum(stack, 0.5), np.minimum(stack, 1.0)
    jam_gain = small + big + (2 * stack * net[:, :n] - big * met[:, :n]) / 194580
    call_gain = (2 * stack * net[:, n:] + big * met[:, n:]) / 194580
    weights = table.class_sizes[:, None] / 270725
    most = (weights * np.maximum(jam_gain, 0)).sum(axis=0)
    sure = (weights * (sweep.jam.T * (small + big) - np.maximum(call_gain, 0))).sum(axis=0)
    assert (500 * (most - sure)).max() <= 1e-3
    assert (weights * sweep.jam.T * jam_gain).sum(axis=0) - small == pytest.approx(sweep.value_sb, abs=1e-12)
    assert np.abs(jam_gain.T - small[:, None] - sweep.ev_jam).max() <= 0.0005 + 1e-9
