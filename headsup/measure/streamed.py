"""Exact best replies in games whose boards are too many to be held: board by board below the root, in packets.

What a best reply earns is a sum over the boards right below the root, the flops of hold'em. For each of them a packet
has, for both seats, what every hand earns at every line that sees it ([seats, lines, hands], with all later streets
played best), times how many flops it stands for. The packets are added up in order, and the betting before the flop is
walked on top: exactly the walk of `headsup.games.walk`, cut at its first deal.

On the CPU a packet is a file (`headsup.distribute`): processes or a Ray cluster make them, and a run that was stopped
goes on where it was. On a GPU (`headsup.games.gpu_buckets`) all boards take minutes, and the sums so far are written
down after every few flops.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headsup import distribute
from headsup.errors import DataError, UserError
from headsup.files import read_archive, write_archive
from headsup.games.arrays import AnyArray, Floats
from headsup.games.bucketed import BucketStrategy
from headsup.games.catalogue import game as named_game
from headsup.games.packet import board_packet
from headsup.games.simple import simple
from headsup.games.vector import Strategy, VectorGame
from headsup.games.walk import BEST, Asking
from headsup.measure.exploit import Measurement
from headsup.progress import Progress, Watch

FUNCTION = "headsup.measure.streamed:packet"
WHAT = "flops"


@dataclass(frozen=True)
class Streamed:
    """What best replies earn against a strategy, and how much was walked for it."""

    measurement: Measurement
    boards: int  # of the last street, up to suits
    seconds: float

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values; small blind is the first seat."""
        found = self.measurement
        best = [1000.0 * one / found.unit for one in found.best]
        return {
            "game": found.game,
            "exploitability_mbb": found.mbb,
            "reply_sb_mbb": best[0],
            "reply_bb_mbb": best[1],
            "boards": self.boards,
            "seconds": self.seconds,
        }


def part(game: VectorGame, strategy: Strategy, board: int) -> Floats:
    """[seats, lines, hands]: what a best reply of each seat earns on one board right below the root."""
    packet = board_packet(game, board)
    found = []
    for seat in (0, 1):
        walk = Asking(packet.game, packet.strategy(strategy), seat, BEST)
        walk.open(0, 0)
        walk.below(0, 0)
        found.append(walk.dealt(0))
    return np.stack(found)


def close(game: VectorGame, strategy: Strategy, sums: Floats) -> tuple[float, float]:
    """What best replies earn, from the sums of all parts."""
    root = board_packet(game, 0)
    best = []
    for seat in (0, 1):
        walk = Asking(root.game, root.strategy(strategy), seat, BEST)
        walk.open(0, 0)
        walk.close(0, 0, sums[seat])
        best.append(float(game.weights[seat] @ walk.room.value[0, : game.showdown.sizes[seat]]))
    return best[0], best[1]


def packet(game: str, strategy: str, board: int) -> bytes:
    """A part as bytes; both game and strategy are named by text."""
    played = named_game(game)
    assert isinstance(played, VectorGame)
    buffer = io.BytesIO()
    np.save(buffer, part(played, simple(played, strategy), board))
    return buffer.getvalue()


def streamed(
    game: VectorGame,
    strategy: Strategy | str,
    *,
    device: str = "cpu",
    engine: str = "local",
    jobs: int | None = None,
    address: str | None = None,
    folder: Path | None = None,
    progress: Watch | None = None,
) -> Streamed:
    """Best replies to a strategy, packet by packet.

    A strategy that is named (`headsup.games.simple`) can be shared out among processes; any other with `rows` is
    walked in this one, and on a GPU if it lies by bucket. With a folder, a run goes on where the last one stopped.
    """
    if game.streets < 2 or not int(game.rounds.deals[1]):
        raise UserError(f"{game} deals no boards: it is measured at once, without packets")
    if game.betting.total is None:
        raise UserError(f"{game} takes a rake: leave it out, or measure it at once")
    began = time.monotonic()
    if folder is not None:
        what = strategy if isinstance(strategy, str) else _content(strategy)
        settings = {"game": game.name, "content": game.checksum, "strategy": what, "device": device}
        folder.mkdir(parents=True, exist_ok=True)
        distribute.settle(folder, "the packets of another measurement, with another", settings)
    if device == "gpu":
        best = _on_gpu(game, strategy, folder, progress)
    else:
        sums = np.zeros((2, int(game.rounds.deals[1]), game.showdown.sizes[0]))
        for one in _parts(game, strategy, engine, jobs, address, folder, progress):
            sums += one
        best = close(game, _strategy(game, strategy), sums)
    values = (0.0, game.betting.total)  # only their sum counts
    measurement = Measurement(game.name, values, best, game.unit)
    return Streamed(measurement, game.boards.sizes()[-1], time.monotonic() - began)


def _strategy(game: VectorGame, given: Strategy | str) -> Strategy:
    return simple(game, given) if isinstance(given, str) else given


def _parts(
    game: VectorGame,
    given: Strategy | str,
    engine: str,
    jobs: int | None,
    address: str | None,
    folder: Path | None,
    progress: Watch | None,
) -> Iterator[AnyArray]:
    """The parts of all boards in order, from files where there are such."""
    count, done = game.boards.sizes()[1], 0

    def tell(one: distribute.Packet | None = None) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(Progress(done, count, WHAT, unit=WHAT))

    if folder is None or not isinstance(given, str):
        if engine != "local" or jobs not in (None, 1):
            raise UserError("only strategies that have a name are shared out, into a folder: leave engine and jobs out")
        strategy = _strategy(game, given)
        for board in range(count):
            yield part(game, strategy, board)
            tell()
        return
    paths = [folder / f"{board:05}.npy" for board in range(count)]
    with distribute.locked(folder):
        distribute.clear_scratch(folder)
        about = {"game": game.name, "strategy": given}
        left = [i for i, path in enumerate(paths) if _read(path, game) is None]
        done = count - len(left)
        packets = [distribute.Packet(paths[i], {**about, "board": i}) for i in left]
        if packets:
            distribute.run(FUNCTION, packets, engine, jobs, address, done=tell)
        for path in paths:
            found = _read(path, game)
            if found is None:
                raise DataError(f"'{path}' is damaged: run the same command again")
            yield found


def _read(path: Path, game: VectorGame) -> AnyArray | None:
    try:
        found = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    shape = (2, int(game.rounds.deals[1]), game.showdown.sizes[0])
    return found if found.shape == shape and found.dtype == np.float64 and np.isfinite(found).all() else None


def _on_gpu(
    game: VectorGame, given: Strategy | str, folder: Path | None, progress: Watch | None
) -> tuple[float, float]:
    from headsup.games.gpu_buckets import GpuBucketWalker

    strategy = _strategy(game, given)
    if not isinstance(strategy, BucketStrategy):
        raise UserError("on a GPU strategies by bucket are measured, and those with a name: leave out device 'gpu'")
    walker = GpuBucketWalker(game, strategy.buckets)
    walker.compile(BEST)
    policy, total = walker.policy(strategy.numbers), game.boards.sizes()[1]
    path = folder / "sums.headsup" if folder is not None else None
    begin, sums = _sums(path, game)

    def each(done: int, found: AnyArray) -> None:
        if path is not None and (done == total or time.monotonic() - last[0] > 20.0):
            write_archive(path, {"done.json": json.dumps(done).encode(), "sums.npy": found})
            last[0] = time.monotonic()
        if progress is not None:
            progress(Progress(done, total, WHAT, unit=WHAT))

    last = [time.monotonic()]
    return walker.earned(policy, BEST, begin, sums, each)


def _sums(path: Path | None, game: VectorGame) -> tuple[int, AnyArray | None]:
    """How many boards a run before has walked, and their sums."""
    if path is None or not path.exists():
        return 0, None
    members, _ = read_archive(path)
    done, sums = int(json.loads(bytes(members["done.json"]))), np.asarray(members["sums.npy"])
    return (done, sums) if sums.shape[1:] == (int(game.rounds.deals[1]), game.showdown.sizes[0]) else (0, None)


def _content(strategy: Strategy) -> str:
    import hashlib

    if not isinstance(strategy, BucketStrategy):
        raise UserError("a strategy of your own has no name to go on by: leave the folder out")
    digest = hashlib.sha256()
    for one in strategy.numbers:
        digest.update(np.ascontiguousarray(one).tobytes())
    return digest.hexdigest()
