"""The GPU's deals and walks are the CPU's: the same counters give the same cards, buckets and sums.

Without a device the same text is compiled for the host and run by one thread, where there is a compiler.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.common.backend import gpu_present
from headsup.discards.strategy import gpu as module
from headsup.discards.strategy import learn as learning
from headsup.discards.strategy import walk_kernels as kernels
from headsup.discards.strategy.facts import COLUMNS, make_facts
from headsup.evaluate.cuda import cuda_text
from headsup.papers.ectomynx.bot.train import deal_cards

needs_device = pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")
DEALS, TIMES, SEED, HOPELESS = 60, 2, 77, -600.0
HOST = """
#include <algorithm>
#include <cmath>
using std::max;
using std::min;
#define __device__
#define __global__
#define __shared__ static
static void __syncthreads() {}
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static struct { unsigned x; } threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};
template <class T> static void atomicAdd(T* to, T more) { *to += more; }
"""


class Host:
    """The kernels compiled for this machine."""

    def __init__(self, folder: Path) -> None:
        text, library = folder / "learn.cpp", folder / "learn.so"
        text.write_text(HOST + cuda_text(module.SOURCE, module.definitions()))
        compiler = shutil.which("g++")
        assert compiler
        options = ("-O1", "-ffp-contract=off", "-std=c++17", "-shared", "-fPIC")
        subprocess.run([compiler, *options, str(text), "-o", str(library)], check=True)
        self.library = ctypes.CDLL(str(library))
        self.arrays = [np.ascontiguousarray(array) for array in module.tables()]

    def deal(self, seed: int, deals: int) -> module.DeviceDeals:
        """As `module.deal`."""
        addresses = np.array([array.ctypes.data for array in self.arrays], dtype=np.uint64)
        found = module.DeviceDeals(*(np.empty((deals, *size), dtype) for size, dtype in SHAPES))
        self.library.deal(_at(addresses), ctypes.c_uint64(seed), deals, *map(_at, found))
        return found

    def walks(self, dealt: module.DeviceDeals, times: int, mode: int, *given: Any) -> None:
        """As `module.walks`."""
        *tables, hopeless, seed = given
        self.library.learn(
            _at(dealt.facts), _at(dealt.textures), len(dealt.facts), times, mode, *map(_at, tables),
            ctypes.c_double(hopeless), ctypes.c_uint64(seed),
        )  # fmt: skip


SHAPES = (((13,), np.uint8), ((2, COLUMNS), np.uint16), ((3,), np.uint8))


def _at(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def check(twin: Any, near: Any, far: Any) -> None:
    """Deals and walks of a twin; `near` and `far` bring arrays there and back."""
    dealt = twin.deal(SEED, DEALS)
    cards = np.concatenate([deal_cards(one[None], 1) for one in module.counters(SEED, DEALS)])
    facts, textures = make_facts(cards)
    for mine, theirs in zip((cards, facts, textures), dealt, strict=True):
        assert np.array_equal(mine, far(theirs))
    regret = np.random.default_rng(1).normal(0.0, 500.0, (kernels.ENTRIES, kernels.ACTIONS)).astype(np.float32)
    workspace = kernels.DealWorkspace(np.zeros((40, 3, kernels.ACTIONS)), np.zeros((40, kernels.WIDTH + 2)))
    for mode in (0, kernels.BY_RULE | kernels.ONE_SIZE, kernels.UNSEEN):
        plain = [np.zeros_like(regret) for _ in range(2)]
        for i, counter in enumerate(module.counters(SEED, 2 * DEALS * TIMES)):
            seat, at = divmod(i, DEALS * TIMES)
            deal = facts[at // TIMES], textures[at // TIMES]
            kernels.walk(*deal, mode, seat, (regret, regret, *plain), HOPELESS, workspace, counter[None].copy())
        there, found = near(regret), [near(np.zeros_like(regret)) for _ in range(2)]
        twin.walks(dealt, TIMES, mode, there, there, *found, HOPELESS, SEED)
        for mine, theirs in zip(plain, found, strict=True):
            assert (np.abs(mine) > 0.0).sum() > 1000
            np.testing.assert_allclose(far(theirs), mine, rtol=1e-5, atol=1e-3)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler")
def test_the_gpus_text_on_this_machine_is_the_cpus(tmp_path: Path) -> None:
    check(Host(tmp_path), np.copy, np.asarray)


@pytest.mark.gpu
@needs_device
def test_a_round_on_the_gpu_is_the_cpus() -> None:
    import cupy

    check(module, cupy.asarray, cupy.asnumpy)


@pytest.mark.gpu
@needs_device
def test_learning_on_the_gpu_beats_playing_at_random() -> None:
    learned = learning.learn(20, device="gpu")
    assert (learned.rounds, learned.deals) == (20, 20 * module.DEALS)
    learning.learn(5, learned=learned, device="gpu")
    found = learning.average(learned)
    won = learning.compare(found, np.zeros_like(found), 4_000, device="gpu")
    assert won.mean() > 3 * won.std() / len(won) ** 0.5
