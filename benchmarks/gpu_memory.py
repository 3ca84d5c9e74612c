"""The memory of a GPU: what solving announces, and the peaks of CuPy's pool.

Games of growing size are solved for two iterations and measured. A run with less free memory than announced walks fewer
boards at a time, so the largest games take less than announced; a game that cannot fit is refused in one sentence.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from headsup.common.backend import gpu, gpu_present
from headsup.common.errors import UserError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_streets import free_bytes
from headsup.solve.holdem.store import in_bytes
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

GAMES = (
    "holdem-limit:ranks=4,suits=2,streets=3,raises=2",
    "holdem-limit:ranks=6,streets=3,raises=2",
    "holdem-nolimit:stack=20,ranks=5,menu=100%, a; a",
    "holdem-nolimit:stack=20,ranks=5,menu=50%, 100%, a; a",
    "holdem-nolimit:stack=20,ranks=6,menu=100%, a; a",
    "holdem-nolimit:stack=20,ranks=6,menu=50%, 100%, a; a",
)
QUICK = 3


class Peak(NamedTuple):
    """Bytes of a run."""

    announced: int
    used: int
    """The peak of the bytes in use of CuPy's pool."""
    held: int
    """The peak of the bytes that the pool held of the device."""
    chunks: list[int]


def peak(game: VectorGame, store: str) -> Peak:
    """Solve a game for two iterations and measure it, with the peaks of the pool."""
    cp = gpu()
    pool, most = cp.get_default_memory_pool(), [0, 0]
    pool.free_all_blocks()
    before = pool.used_bytes()

    class Watch(cp.cuda.MemoryHook):  # type: ignore[misc,name-defined]
        name = "peak"

        def malloc_postprocess(self, **unused: Any) -> None:
            most[0] = max(most[0], pool.used_bytes() - before)
            most[1] = max(most[1], pool.total_bytes() - before)

    with Watch():
        solver = VectorCfr(game, PRESETS["dcfr"], store=store, device="gpu")
        solver.step(2)
        solver.measure()
    chunks = list(solver.walker.chunks)  # type: ignore[attr-defined]
    announced = solver.memory.total
    del solver
    pool.free_all_blocks()
    return Peak(announced, most[0], most[1], chunks)


def run(quick: bool = False) -> None:
    """Print a line a game and store."""
    if not gpu_present():
        print("memory of a GPU: no CUDA device, or the gpu extra is not installed")
        return
    cp = gpu()
    name = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"memory of {name}, {in_bytes(free_bytes(cp))} free", flush=True)
    for text in GAMES[:QUICK] if quick else GAMES:
        game = named_game(text)
        assert isinstance(game, VectorGame)
        for store in ("float32", "int16"):
            try:
                memory = peak(game, store)
            except UserError as error:
                print(f"  {text}, {store}: {error}", flush=True)
                continue
            print(
                f"  {text}, {store}: announced {in_bytes(memory.announced)}, used {in_bytes(memory.used)}, held "
                f"{in_bytes(memory.held)}; chunks of {memory.chunks} of {game.boards.sizes()} boards",
                flush=True,
            )


if __name__ == "__main__":
    run()
