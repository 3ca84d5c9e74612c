"""The stores of a solver for games of betting and boards: regrets and cumulative strategies, street by street.

Each player has one array of each, [boards, rows, hands] of every street in turn; a row is an action of a decision.
Values are float64, float32, or int16 with a scale for each decision on each board. Arrays may be mapped from files, or
lie on a GPU. `plan(game, ...)` computes the memory before anything is allocated.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.suits import SUIT_PERMUTATIONS, orbits, permuted_combos
from headsup.common.arrays import AnyArray
from headsup.common.checks import check_device, quoted
from headsup.common.errors import UserError
from headsup.games.holdem.four import FourCardSorted
from headsup.games.holdem.layout import Alike, Store
from headsup.games.holdem.showdown import CardShowdown, Sorted
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_streets import GRAIN, MEMORY_SHARE, fixed_bytes, free_bytes, least_bytes, walker_plan
from headsup.games.walk.live import left_hands, live_layout
from headsup.games.walk.plain import work_bytes
from headsup.games.walk.walk import Policy, check_kernels, sets_of, takes_kernels, widths
from headsup.solve.records.solution import Locks

KINDS = ("float32", "float64", "int16")
MOST_BOARDS = 1 << 17  # of the last street: more are not listed to see which four-card hands are alike


@dataclass(frozen=True)
class MemoryPlan:
    """What solving a game takes, in bytes."""

    values: int  # stored numbers: regrets, cumulative strategies, and predictions of predictive variants
    stores: int
    work: int  # workspaces of the workers; on a GPU, to walk all boards at once, though less will do
    boards: int  # hands in order on every board
    least: int = 0  # the part of `work` that a GPU needs
    averages: bool = True  # whether cumulative strategies are among the stored numbers

    @property
    def total(self) -> int:
        return self.stores + self.work + self.boards

    @property
    def bytes_a_value(self) -> float:
        """The stores' bytes for each stored number, scales included."""
        return self.stores / self.values if self.values else 0.0

    def __str__(self) -> str:
        kept = "regrets and averages" if self.averages else "regrets"
        parts = ((self.stores, kept), (self.boards, "boards"), (self.work, "work"))
        return f"{in_bytes(self.total)} ({', '.join(f'{in_bytes(size)} for {what}' for size, what in parts)})"


def in_bytes(size: float) -> str:
    """A number of bytes with a unit."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}" if unit != "B" else f"{size:.0f} B"
        size /= 1000
    return f"{size:.3g} TB"


def plan(
    game: VectorGame,
    kind: str = "float32",
    threads: int = 1,
    predictive: bool = False,
    device: str = "cpu",
    alike: bool = False,
    fused: bool = False,
    averages: bool = True,
    live: bool = False,
) -> MemoryPlan:
    """The memory that a solver of this game will take, counted without building its boards.

    `alike`: hands that are alike share a column. `fused`: a GPU walks the last street in one kernel. `averages`:
    whether cumulative strategies are kept. `live`: hands that a board of the last street blocks have no column there.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise UserError(f"a store is {', '.join(KINDS)}, not {quoted(kind)}")
    check_device(device)
    compiled = takes_kernels(game)
    if device == "gpu" and (not compiled or game.betting.rules.swaps):
        check_kernels(game, device)
    arrays = 1 + averages + predictive
    item = np.dtype(kind).itemsize
    values = scales = boards = 0
    columns = [kinds(game, seat) if alike else None for seat in (0, 1)]
    widest, more = max(widths(game, alike)[0]), 0 if sets_of(game) else 12 * alike
    for s, size in enumerate(game.boards.sizes()):
        for seat, shared in enumerate(columns):
            rows = int(game.rounds.rows[seat, s])
            hands = left_hands(game) if live and s == game.streets - 1 else game.showdown.sizes[seat]
            values += arrays * rows * (shared[s] if shared else size * hands)
            scales += (1 + averages) * size * rows * 4 if kind == "int16" else 0
            if isinstance(game.showdown, CardShowdown) and compiled:
                boards += size * widest * (game.showdown.order_bytes + more)
    dtype = np.float64 if kind == "float64" else np.float32
    if device == "gpu":
        # The result is measured in double precision after the solver's own walk has freed all but its fixed arrays.
        measuring = fixed_bytes(game, dtype, alike) + least_bytes(game, np.float64, alike)
        walking = least_bytes(game, dtype, alike), walker_plan(game, dtype, fused=fused, alike=alike).bytes
        least, work = (max(walk, measuring) + 10 * GRAIN for walk in walking)
        return MemoryPlan(values, values * item + scales, work, boards, least, averages)
    work = work_bytes(game, dtype, threads, alike)
    return MemoryPlan(values, values * item + scales, work, boards, averages=averages)


class Stores:
    """Both players' stores on every street.

    Where hands that are alike share a column (`alike`), policies have those columns; all other arrays that go in or out
    have the usual layout.
    """

    def __init__(
        self,
        game: VectorGame,
        kind: str = "float32",
        *,
        predictive: bool = False,
        folder: Path | None = None,
        device: str = "cpu",
        threads: int = 1,
        alike: Alike | None = None,
        averages: bool = True,
        live: bool = False,
    ) -> None:
        """`threads` is the number of workers, whose workspaces must fit into memory too.

        Without `averages` no cumulative strategy is kept: walks that learn must give it a weight of 0. `live`: hands
        that a board of the last street blocks have no column there, in any array that goes in or out.
        """
        need = plan(game, kind, threads, predictive, device, alike is not None, averages=averages, live=live)
        self.averages, self.live = averages, live
        self.kind, self.predictive, self.folder, self.alike = kind, predictive, folder, alike
        if folder is not None and device == "gpu":
            raise UserError("stores on the GPU are not mapped from files: leave out the folder, or use device 'cpu'")
        self._xp: Any = np
        if device == "gpu":
            from headsup.common.backend import gpu

            self._xp = gpu()
        check_room(need, folder is not None, self._xp)
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(f"the folder {folder} cannot hold the stores: {error.strerror}") from None
        self.seats = (self._store(game, 0), self._store(game, 1))

    def _store(self, game: VectorGame, seat: int) -> Store:
        layout = live_layout(game) if self.live else game.layout
        at = layout[seat] if self.alike is None else self.alike.layout[seat]
        scale_at = game.layout[seat] // game.showdown.sizes[seat]
        scales = int(scale_at[-1]) if self.kind == "int16" else 0
        regret, regret_scale = self._array(f"regret{seat}", int(at[-1])), self._xp.zeros(scales, dtype=np.float32)
        return Store(
            regret,
            self._array(f"total{seat}", int(at[-1])) if self.averages else regret,
            self._array(f"guess{seat}", int(at[-1]) if self.predictive else 0),
            regret_scale,
            self._xp.zeros(scales, dtype=np.float32) if self.averages else regret_scale,
            at,
            scale_at,
        )

    def _array(self, name: str, size: int) -> AnyArray:
        if self.folder is None or not size:
            return self._xp.zeros(size, self.kind)  # type: ignore[no-any-return]
        try:
            mapped = np.memmap(self.folder / f"{name}.bin", dtype=self.kind, mode="w+", shape=(size,))
        except OSError as error:
            raise UserError(f"the folder {self.folder} cannot hold the stores: {error.strerror}") from None
        return mapped.view(np.ndarray)

    def policy(self, average: bool) -> Policy:
        """What strategies are matched to: the average's sums, or the regrets (guesses, for predictive variants)."""
        name = "cumulative" if average else "prediction" if self.predictive else "regret"
        return getattr(self.seats[0], name), getattr(self.seats[1], name)

    def near(self, array: AnyArray) -> Any:
        return self._xp.asarray(array)

    def far(self, array: Any) -> AnyArray:
        """On the host."""
        return np.asarray(array if self._xp is np else self._xp.asnumpy(array))

    def on_host(self, policy: Policy) -> Policy:
        """A policy on the CPU, hand by hand: a copy if it lies on a GPU, or hands share columns."""
        near = policy if self._xp is np else (self._xp.asnumpy(policy[0]), self._xp.asnumpy(policy[1]))
        return near if self.alike is None else (self.alike.unfolded(near[0], 0), self.alike.unfolded(near[1], 1))

    def arrays(self) -> dict[str, AnyArray]:
        """Every array by name, for a checkpoint; copies where they lie on a GPU or hands share columns."""
        arrays = self.in_place()
        if self._xp is not np:
            arrays = {name: self._xp.asnumpy(array) for name, array in arrays.items()}
        if self.alike is None:
            return arrays
        return {k: array if "scale" in k else self.alike.unfolded(array, int(k[-1])) for k, array in arrays.items()}

    def in_place(self) -> dict[str, Any]:
        """Every array by name, where it lies: what is written to it changes the stores."""
        names = ("regret", "total", "guess", "regret_scale", "total_scale")  # as in files
        arrays = {
            f"{name}{seat}": array for seat in (0, 1) for name, array in zip(names, self.seats[seat], strict=False)
        }
        missing = () if self.averages else ("total",)
        return {name: array for name, array in arrays.items() if array.size and not name.startswith(missing)}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        for name, array in self.in_place().items():
            given = arrays[name]
            if self.alike is not None and "scale" not in name:
                given = self.alike.folded(given, int(name[-1]))
            if given.shape != array.shape or given.dtype != array.dtype:
                raise ValueError(f"{name} is {given.dtype}{list(given.shape)}, not {array.dtype}{list(array.shape)}")
            if self._xp is np:
                array[...] = given
            else:
                array.set(given)  # without a copy on the device


def check_room(need: MemoryPlan, mapped: bool, xp: Any = np, way: str = "") -> None:
    """Refuse what the memory of the machine, or of its GPU, cannot hold; mapped stores take none.

    `way` names what takes less in place of the usual advice.
    """
    if xp is not np:
        on_gpu, least = free_bytes(xp), need.stores + need.least / MEMORY_SHARE
        if least > on_gpu:
            raise UserError(
                f"this needs {in_bytes(least)} or more of the GPU's memory, and {in_bytes(on_gpu)} are free: take "
                f"{way or 'fewer bet sizes, or store=int16'}"
            )
        return
    free = free_memory()
    if free is not None and need.total - mapped * need.stores > free:
        usual = "fewer cards or bet sizes" + ("" if mapped else ", store=int16, or folder=PATH on a disk with room")
        raise UserError(f"this needs {need}, and {in_bytes(free)} are free: take {way or usual}")


def free_memory() -> int | None:
    """Available bytes, the file cache included; None where the system does not report them."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):  # no Linux
        return _in_pages("SC_AVPHYS_PAGES")


def total_memory() -> int | None:
    """Physical memory in bytes; None where the system does not report it."""
    return _in_pages("SC_PHYS_PAGES")


def _in_pages(name: str) -> int | None:
    try:
        return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


class LockHolder:
    """Keeps the locks in the stores of a solver, on the CPU or a GPU."""

    def __init__(self, locks: Locks, game: VectorGame, stores: Stores) -> None:
        self.stores, self.hands, near = stores, game.showdown.sizes, stores.near
        self.cells = [near(cells) for cells in locks.cells]
        self.values = [near(locks.values(seat, stores.kind)) for seat in (0, 1)]
        self.decisions: list[list[tuple[int, Any]]] = [[], []]
        if stores.kind == "int16":
            self.decisions = [[(n, near(rows)) for n, rows in locks.decisions(game, seat)] for seat in (0, 1)]
        for seat in (0, 1):
            self.hold(seat)

    def hold(self, seat: int) -> None:
        """Write the locks of a seat again after an update."""
        store = self.stores.seats[seat]
        for n, rows in self.decisions[seat]:
            for array, scale in ((store.regret, store.regret_scale), (store.cumulative, store.cumulative_scale)):
                self._silence(array.reshape(-1, self.hands[seat]), scale, n, rows)
        for array in (store.regret, store.cumulative, store.prediction):
            if array.size:
                array[self.cells[seat]] = self.values[seat]

    @staticmethod
    def _silence(numbers: Any, scale: Any, n: int, rows: Any) -> None:
        """The scale of a decision at which nothing has been learnt is 1, or 0 already: make it 0."""
        rows = rows[scale[rows] == 1.0]
        if len(rows):
            some = numbers[rows].any(axis=1)
            for a in range(1, n):
                some |= numbers[rows + a].any(axis=1)
            scale[rows[~some]] = 0.0


def kinds(game: VectorGame, seat: int = 0) -> list[int] | None:
    """How many columns of a player the boards of each street have together, counted before hands are put in order.

    None for a game whose hands cannot share any: in hold'em both players must be able to hold every hand of the deck.
    """
    if isinstance(game.showdown, FourCardSorted):
        return game.showdown.columns(seat) if game.boards.sizes()[-1] <= MOST_BOARDS else None
    if not isinstance(game.showdown, Sorted) or not isinstance(game.boards, BoardTree) or game.private:
        return None
    every = len(game.boards.hands())
    return [game.boards.kinds(s) for s in range(game.streets)] if game.showdown.sizes == (every, every) else None


def alike_columns(game: VectorGame) -> Alike:
    """The columns of a game in which hands that are alike share one (`kinds` returns whether they can)."""
    showdown = game.showdown
    if isinstance(showdown, FourCardSorted):
        return showdown.alike(game.rounds.rows)
    hands = showdown.arrays  # type: ignore[attr-defined]
    n, boards = showdown.sizes[0], int(hands.start[-1])
    levels = game.boards.levels
    group = np.concatenate([level.group for level in levels])  # type: ignore[attr-defined]
    parent = np.concatenate([level.parent + int(hands.start[max(0, s - 1)]) for s, level in enumerate(levels)])
    copies = np.diff(hands.first)
    cards, maps = hands.cards[0, :n].astype(np.int64), hands.maps[0, :, :n].astype(np.int64)
    order, strength = np.zeros((boards, n), np.int16), np.zeros((boards, n), np.int16)
    facts, number = np.zeros((boards, n, 5), np.uint8), np.zeros((boards, n), np.int64)
    column, wide = np.full((boards, n), -1, np.int16), np.zeros(boards, np.int64)
    for renamings in np.unique(group):
        here = np.flatnonzero(group == renamings)
        chosen = [i for i in range(len(SUIT_PERMUTATIONS)) if int(renamings) >> i & 1]
        first, size = orbits(maps[chosen])
        card, many = orbits(np.stack([permuted_combos(1, SUIT_PERMUTATIONS[i]) for i in chosen]))
        a, b = card[cards[:, 0]], card[cards[:, 1]]
        both = a == b
        row = np.stack([1 + a, 1 + b, size, size * (1 + both) // many[a], np.where(both, 0, size // many[b])], axis=1)
        mine = hands.order[0, here, :n].astype(np.int64)
        kept = (first[mine] == mine) & (np.arange(n) < hands.alive[0, here, None])
        turn = np.argsort(~kept, axis=1, kind="stable")
        wide[here] = kept.sum(axis=1)
        sorted_ = np.take_along_axis(mine, turn, axis=1)
        order[here], strength[here] = sorted_, np.take_along_axis(hands.strength[0, here, :n], turn, axis=1)
        facts[here], number[here] = row[sorted_], size[sorted_]
        place = np.full((len(here), n), -1, np.int64)
        np.put_along_axis(place, sorted_, np.where(np.arange(n) < wide[here, None], np.arange(n), -1), axis=1)
        column[here] = place[:, first]
    above = np.maximum(np.take_along_axis(column[parent], order.astype(np.int64), axis=1), 0)
    times = copies[:, None] * number / np.take_along_axis(number[parent], above.astype(np.int64), axis=1)
    before = np.cumsum(wide) - wide
    before -= np.repeat(before[hands.start[:-1]], np.diff(hands.start))
    two = hands._replace(
        order=np.stack([order, order]),
        strength=np.stack([strength, strength]),
        alive=np.stack([wide, wide]).astype(np.int32),
        wide=np.stack([wide, wide]),
        before=np.stack([before, before]),
        link=np.tile(np.arange(boards), (2, 1)),
        above=above,
        times=times,
        facts=facts,
    )
    return Alike(two, column, game.rounds.rows, showdown.sizes)
