"""Learn our strategy: linear Monte Carlo CFR over dealt hands; `walk_kernels` has the game and its entries.

A round is `LANES` blocks of deals that start with the same regrets; their updates are added in order, so the result
depends on lanes, rounds and seed alone. Before round t everything learned is multiplied by (t - 1) / t. Actions with
regret below HOPELESS are skipped in most walks. `respond` learns against a fixed strategy, which bounds its
exploitability from below.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.progress import Progress, Watch
from headsup.discards.strategy import walk_kernels as kernels
from headsup.discards.strategy.facts import deal_cards, make_facts
from headsup.discards.strategy.packed import normalised
from headsup.equity.blocks import map_blocks

Table = npt.NDArray[np.float32]
LANES = 8
BLOCK = 2_000  # deals of a lane in a round
TIMES = 4
HOPELESS, EARLY = -1000.0, 64  # chips; in round t < EARLY the bound is EARLY / t times as low
CLEAN = 0.05  # what a bot cleans, by default


@dataclass
class Learned:
    """What was learned so far; `learn` continues from here."""

    regret: Table  # [ENTRIES, 4]
    cumulative: list[Table]  # cumulative strategies, [ENTRIES, 4] for each lane
    rounds: int = 0
    deals: int = 0  # how many hands were dealt


def nothing(lanes: int = LANES) -> Learned:
    empty = np.zeros((kernels.ENTRIES, kernels.ACTIONS), dtype=np.float32)
    return Learned(empty, [empty.copy() for _ in range(lanes)])


def learn(
    rounds: int, *, seed: int = 1, mode: int = 0, learned: Learned | None = None, against: Table | None = None,
    watch: Watch | None = None, device: str = "cpu",
) -> Learned:  # fmt: skip
    """Learn so many rounds more, both seats or (`against`) one that meets shares which stay.

    `mode` says what is taken away. On the CPU the result does not depend on how rounds are split into calls.
    """
    if device == "gpu":
        return _learn_on_gpu(rounds, seed, mode, learned or nothing(1), against, watch)
    so_far = learned or nothing()
    lanes = len(so_far.cumulative)
    for done in range(rounds):
        fades, hopeless = schedule(so_far.rounds)
        so_far.regret *= np.float32(fades)

        def lane(block: slice, fades: float = fades, hopeless: float = hopeless) -> Table:
            counter = new_counter(seed, so_far.rounds, block.start)
            facts, textures = make_facts(deal_cards(counter, BLOCK))
            regret, cumulative = so_far.regret.copy(), so_far.cumulative[block.start]
            cumulative *= np.float32(fades)
            theirs = regret if against is None else against
            for _ in range(TIMES):
                kernels.learn(facts, textures, mode, regret, theirs, cumulative, hopeless, counter)
            return regret

        so_far.regret = _merged(so_far.regret, list(map_blocks(lane, lanes, 1)))
        so_far.rounds += 1
        so_far.deals += lanes * BLOCK
        if watch is not None:
            watch(Progress(done + 1, rounds, "rounds", unit="rounds"))
    return so_far


def _learn_on_gpu(
    rounds: int, seed: int, mode: int, so_far: Learned, against: Table | None, watch: Watch | None
) -> Learned:  # fmt: skip
    from headsup.common import backend
    from headsup.discards.strategy import gpu

    cp = backend.gpu()
    regret, cumulative = cp.asarray(so_far.regret), cp.asarray(np.sum(so_far.cumulative, axis=0, dtype=np.float32))
    theirs = regret if against is None else cp.asarray(against)
    for done in range(rounds):
        fades, hopeless = schedule(so_far.rounds)
        regret *= np.float32(fades)
        cumulative *= np.float32(fades)
        first, then = (int(new_counter(seed, so_far.rounds, step)[0]) for step in (0, 1))
        dealt = gpu.deal(first, gpu.DEALS)
        gpu.walks(dealt, gpu.TIMES, mode, regret, theirs, cumulative, regret, hopeless, then)
        cp.cuda.get_current_stream().synchronize()
        so_far.rounds += 1
        so_far.deals += gpu.DEALS
        if watch is not None:
            watch(Progress(done + 1, rounds, "rounds", unit="rounds"))
    so_far.regret, so_far.cumulative = cp.asnumpy(regret), [cp.asnumpy(cumulative)]
    return so_far


def schedule(rounds: int) -> tuple[float, float]:
    """The factor for everything learned so far, and the regret below which actions are hopeless."""
    return rounds / (rounds + 1.0), HOPELESS * max(1.0, EARLY / (rounds + 1.0))


def average(learned: Learned, clean: float = CLEAN, rare: float = 0.0) -> Table:
    """[ENTRIES, 4] cleaned probabilities of actions; rows that were played less often than `rare` are 0."""
    numbers: Table = np.asarray(np.sum(learned.cumulative, axis=0, dtype=np.float32))
    numbers[numbers.sum(axis=1) < rare] = 0.0
    return cleaned(numbers, clean)


def cleaned(numbers: Table, clean: float) -> Table:
    """Rows as probabilities, without those below `clean`; from 0.5 on only the largest stays."""
    shares = normalised(numbers, numbers.shape[1])
    shares[shares < np.minimum(clean, shares.max(axis=1, keepdims=True))] = 0.0
    return normalised(shares, shares.shape[1])


def respond(
    strategy: Table, rounds: int, *, seed: int = 1, mode: int = 0, watch: Watch | None = None, device: str = "cpu"
) -> Table:  # fmt: skip
    """[ENTRIES, 4] what learning against a strategy that stays finds best; in each row one action."""
    learned = learn(rounds, seed=seed, mode=mode, against=strategy, watch=watch, device=device)
    tried = np.where(learned.regret != 0.0, learned.regret, -np.inf)  # what was never tried is not there
    best = (tried >= tried.max(axis=1, keepdims=True)) & np.isfinite(tried)
    return np.where(best.any(axis=1, keepdims=True), cleaned(best.astype(np.float32), 0.0), strategy)


def compare(
    first: Any, second: Any, deals: int, modes: tuple[int, int] = (0, 0), seed: int = 1, device: str = "cpu"
) -> npt.NDArray[Any]:
    """What the first of two strategies wins, in big blinds a hand, each deal played from both seats."""

    def work(block: slice) -> npt.NDArray[Any]:
        counter, count = new_counter(seed, block.start), block.stop - block.start
        if device == "gpu":
            from headsup.discards.strategy import gpu

            facts, textures = (each.get() for each in gpu.deal(int(counter[0]), count)[1:])
        else:
            facts, textures = make_facts(deal_cards(counter, count))
        won = np.empty((2, len(facts)))
        kernels.play(facts, textures, np.array(modes), (first, second), counter, won[0])
        kernels.play(facts, textures, np.array(modes[::-1]), (second, first), counter, won[1])
        return np.asarray((won[0] - won[1]) / 4.0)

    return np.concatenate(list(map_blocks(work, deals, BLOCK)))


def _merged(begun: Table, lanes: list[Table]) -> Table:
    """The sum of the start and what each lane added to it."""

    def work(rows: slice) -> Table:
        out = begun[rows].copy()
        for lane in lanes:
            out += lane[rows] - begun[rows]
        return out

    return np.concatenate(list(map_blocks(work, len(begun), 1 << 17)))


def new_counter(*key: int) -> npt.NDArray[np.uint64]:
    """A counter of its own for random numbers."""
    return np.random.SeedSequence(key).generate_state(1, np.uint64).astype(np.uint64)
