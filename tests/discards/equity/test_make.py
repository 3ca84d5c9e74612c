"""The table of gains is made flop by flop; a run that was cut goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from headsup.discards.equity import make as make_swaps
from headsup.discards.equity.best import gains_text


def test_a_run_that_was_cut_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = list[tuple[int, ...]]()

    def sums(flop: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        looked.append(flop)
        rng = np.random.default_rng(flop)
        return rng.random((169, 3)), rng.integers(1, 12, 169).astype(np.float64)

    monkeypatch.setattr(make_swaps, "flop_sums", sums)
    monkeypatch.setattr(make_swaps, "ProcessPoolExecutor", ThreadPoolExecutor)
    whole = make_swaps.make_gains(12)
    in_one_go, kept = list(looked), tmp_path / "sums"
    looked.clear()
    make_swaps.make_gains(5, kept)
    kept.write_bytes(kept.read_bytes()[:-9])  # the last flop was being written
    again = make_swaps.make_gains(12, kept)
    assert (len(looked), set(looked)) == (13, set(in_one_go))  # one of them again
    assert gains_text(again) == gains_text(whole)
    looked.clear()
    assert gains_text(make_swaps.make_gains(12, kept)) == gains_text(whole)
    assert not looked
