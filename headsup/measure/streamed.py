"""Exact best replies in games whose boards are too many to be held: board by board below the root, in packets.

What a best reply earns is a sum over the boards right below the root, the flops of hold'em. For each of them a packet
has, for both seats, what every hand earns at every line that sees it ([seats, lines, hands], with all later streets
played best), times how many flops it stands for. The packets are added up in order, and the betting before the flop is
walked on top: exactly the walk of `headsup.games.walk.walk`, cut at its first deal.

What the strategy earns against itself comes along: showdowns against the opponent's strategy are known anyway, and
count once more, by how often one's own strategy gets there. On a GPU it takes a walk of its own, half as long as that
of the best replies, so there it is found where it is asked for.

On the CPU a packet is a file (`headsup.common.distribute`): processes or a Ray cluster make them, and a run that was
stopped goes on where it was. On a GPU (`headsup.games.walk.gpu_buckets`) all boards take minutes, and the sums so far
are written down after every few flops.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common import contents, distribute
from headsup.common.arrays import AnyArray, Floats
from headsup.common.cache import read_arrays, write_arrays
from headsup.common.errors import DataError, UserError
from headsup.common.files import fingerprint, own_bytes, owned_bytes, parse_array, parsed
from headsup.common.progress import Progress, Watch
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.packet import BoardPacket, board_packet
from headsup.games.holdem.simple import simple
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.games.walk.walk import BEST, MIX, Asking
from headsup.measure.measurement import Measurement

FUNCTION = "headsup.measure.streamed:packet"
VERSION = 1
WHAT = "flops"


@dataclass(frozen=True)
class Streamed:
    """What best replies earn against a strategy, and how much was walked for it."""

    measurement: Measurement
    boards: int  # of the last street, up to suits
    seconds: float
    valued: bool = True  # whether the values of the measurement are known; else only their sum is right

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values; small blind is the first seat."""
        found = self.measurement
        best = found.best_response_mbb
        return {
            **found.figures(self.valued),
            "reply_sb_mbb": best["sb"],
            "reply_bb_mbb": best["bb"],
            "boards": self.boards,
            "seconds": self.seconds,
        }


def part(game: VectorGame, strategy: Strategy, board: int) -> Floats:
    """[seats, lines + 1, hands]: what a best reply of each seat earns on one board right below the root, line by line.

    The last row of the first seat is what it earns there, on all lines, by its own strategy (`Streaming.count_own`);
    what the other seat earns follows from it.
    """
    packet, found = board_packet(game, board), np.zeros(_shape(game))
    for seat in (0, 1):
        walk, own = _walk(packet, strategy, seat)
        walk.below(0, 0)
        found[seat, :-1], found[seat, -1] = walk.dealt(0), own
    return found


def close(game: VectorGame, strategy: Strategy, sums: Floats) -> tuple[tuple[float, float], float]:
    """What best replies earn, and what the first seat earns by its own strategy, from the sums of all parts."""
    root, best, value = board_packet(game, 0), [], 0.0
    for seat in (0, 1):
        walk, own = _walk(root, strategy, seat)
        walk.close(0, 0, sums[seat, :-1])
        best.append(float(game.weights[seat] @ walk.workspace.value[0, : game.showdown.sizes[seat]]))
        value += float(np.sum(own) + np.sum(sums[seat, -1]))
    return (best[0], best[1]), value


def _walk(packet: BoardPacket, strategy: Strategy, seat: int) -> tuple[Asking, Floats | float]:
    """A walk for the best reply, its root open; and what the first seat's hands will have earned without it."""
    walk = Asking(packet.game, packet.strategy(strategy), seat, BEST)
    own = walk.count_own() if seat == 0 else 0.0
    walk.open(0, 0)
    return walk, own


def packet(game: str, strategy: str, board: int, job: str) -> bytes:
    """A part as the bytes of a packet's file; both game and strategy are named by text."""
    played = named_game(game)
    assert isinstance(played, VectorGame)
    buffer = io.BytesIO()
    np.save(buffer, part(played, simple(played, strategy), board))
    return owned_bytes(buffer.getvalue(), job)


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
    value: bool = False,
) -> Streamed:
    """Best replies to a strategy, packet by packet, and what it earns against itself (on a GPU if `value` is asked).

    A strategy that is named (`headsup.games.holdem.simple`) can be shared out among processes; any other with `rows` is
    walked in this one, and on a GPU if it lies by bucket. With a folder, a run goes on where the last one stopped.
    """
    if game.streets < 2 or not int(game.rounds.deals[1]):
        raise UserError(f"{game} deals no boards: it is measured at once, without packets")
    if game.betting.total is None:
        raise UserError(f"{game} takes a rake: leave it out, or measure it at once")
    began, job = time.monotonic(), ""
    if folder is not None:
        what = strategy if isinstance(strategy, str) else content(strategy)
        settings = {"game": game.name, "content": game.checksum, "strategy": what, "device": device}
        folder.mkdir(parents=True, exist_ok=True)
        distribute.settle(folder, "the packets of another measurement, with another", settings)
        job = fingerprint(settings)
    if device == "gpu":
        best, first = _on_gpu(game, strategy, folder, job, progress, value)
    else:
        sums = np.zeros(_shape(game))
        for one in _parts(game, strategy, engine, jobs, address, folder, job, progress):
            sums += one
        best, first = close(game, _strategy(game, strategy), sums)
    measurement = Measurement(game.name, (first, game.betting.total - first), best, game.unit)
    return Streamed(measurement, game.boards.sizes()[-1], time.monotonic() - began, device == "cpu" or value)


def _shape(game: VectorGame) -> tuple[int, int, int]:
    """Of a part."""
    return 2, int(game.rounds.deals[1]) + 1, game.showdown.sizes[0]


def _strategy(game: VectorGame, given: Strategy | str) -> Strategy:
    return simple(game, given) if isinstance(given, str) else given


def _parts(
    game: VectorGame,
    given: Strategy | str,
    engine: str,
    jobs: int | None,
    address: str | None,
    folder: Path | None,
    job: str,
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
        own = [fingerprint({"job": job, "board": board}) for board in range(count)]
        left = [i for i, path in enumerate(paths) if _read(path, own[i]) is None]
        done = count - len(left)
        packets = [distribute.Packet(paths[i], {**about, "board": i, "job": own[i]}) for i in left]
        if packets:
            distribute.run(FUNCTION, packets, engine, jobs, address, done=tell)
        for path, mark in zip(paths, own, strict=True):
            found = _read(path, mark)
            if found is None:
                raise DataError(f"'{path}' is damaged: run the same command again")
            yield found


def _read(path: Path, job: str) -> AnyArray | None:
    try:
        return parsed(path, lambda: contents.array(parse_array(own_bytes(path, job)), "a flop", "f", None))
    except DataError:
        return None


def _on_gpu(
    game: VectorGame, given: Strategy | str, folder: Path | None, job: str, progress: Watch | None, value: bool
) -> tuple[tuple[float, float], float]:
    """What best replies earn; and what the strategy earns in the first seat against itself, 0 if not asked for."""
    from headsup.games.walk.gpu_buckets import GpuBucketWalker

    strategy = _strategy(game, given)
    if not isinstance(strategy, BucketStrategy):
        raise UserError("on a GPU strategies by bucket are measured, and those with a name: leave out device 'gpu'")
    walker = GpuBucketWalker(game, strategy.buckets)
    modes = {BEST: "sums", MIX: "value"} if value else {BEST: "sums"}
    walker.compile(*modes)
    policy, flops, found = walker.policy(strategy.numbers), game.boards.sizes()[1], {}
    for turn, (mode, name) in enumerate(modes.items()):
        path = folder / f"{name}.headsup" if folder is not None else None
        own = fingerprint({"job": job, "sums": name})
        each = _keeping(path, own, flops, turn * flops, len(modes) * flops, progress)
        found[mode] = walker.earned(policy, mode, *_sums(path, own), each, (0, 1) if mode == BEST else (0,))
    return found[BEST], found[MIX][0] if value else 0.0


def _keeping(
    path: Path | None, job: str, flops: int, before: int, total: int, progress: Watch | None
) -> Callable[[int, AnyArray], None]:
    """What to do after some flops: write their sums down now and then, and tell."""
    last = [time.monotonic()]

    def each(done: int, found: AnyArray) -> None:
        if path is not None and (done == flops or time.monotonic() - last[0] > 20.0):
            write_arrays(path, VERSION, {"done": np.array(done), "sums": found}, job)
            last[0] = time.monotonic()
        if progress is not None:
            progress(Progress(before + done, total, WHAT, unit=WHAT))

    return each


def _sums(path: Path | None, job: str) -> tuple[int, AnyArray | None]:
    """How many boards an earlier run has walked, and their sums; none if they are damaged or another measurement's."""
    kept = None if path is None else read_arrays(path, VERSION, job)
    return (0, None) if kept is None else (int(kept["done"]), kept["sums"])


def content(strategy: Strategy) -> str:
    """A checksum of a strategy by bucket: what was found of one is not another's."""
    import hashlib

    if not isinstance(strategy, BucketStrategy):
        raise UserError("a strategy of your own has no name to go on by: leave the folder out")
    digest = hashlib.sha256()
    for one in strategy.numbers:
        digest.update(np.ascontiguousarray(one).tobytes())
    return digest.hexdigest()
