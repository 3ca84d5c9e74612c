"""Exact best responses in games with too many boards to hold: board by board below the root, in packets.

A packet has, for one flop and both seats, what every hand earns at every line that sees it, times how many flops it
stands for. The packets are added up in order, and the betting before the flop is walked on top. On the CPU a packet is
a file (`headsup.common.distribute`), and the value of the strategy against itself comes at no extra cost; on a GPU it
takes a second walk, so it is computed only on request, and the sums so far are saved after every few flops.
"""

import hashlib
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from headsup.common import contents, distribute
from headsup.common.archives import parse_array, read_arrays, write_arrays
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import DataError, UserError
from headsup.common.files import fingerprint, own_bytes, owned_bytes, parsed
from headsup.common.progress import Progress, Watch
from headsup.common.shards.merge import seal
from headsup.common.shards.shard import Shard
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import BucketStrategy, on_device
from headsup.games.holdem.packet import BoardPacket, board_packet
from headsup.games.holdem.simple import simple
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.games.walk.streaming import Asking
from headsup.games.walk.walk import BEST, MIX
from headsup.measure.measurement import Measurement

FUNCTION = "headsup.measure.streamed:packet"
VERSION = 1
WHAT = "flops"


def part(game: VectorGame, strategy: Strategy, board: int) -> Floats:
    """[seats, lines + 1, hands]: what a best response of each seat earns on one board below the root, line by line.

    The last row of the first seat is what it earns there, on all lines, by its own strategy (`Asking.count_own`); what
    the second seat earns follows from it.
    """
    packet, earned = board_packet(game, board), np.zeros(_shape(game))
    for seat in (0, 1):
        walk, own = _walk(packet, strategy, seat)
        walk.below(0, 0)
        earned[seat, :-1], earned[seat, -1] = walk.dealt(0), own
    return earned


def close(game: VectorGame, strategy: Strategy, sums: Floats) -> tuple[tuple[float, float], float]:
    """What best responses earn, and what the first seat earns by its own strategy, from the sums of all parts."""
    root, best, value = board_packet(game, 0), [], 0.0
    for seat in (0, 1):
        walk, own = _walk(root, strategy, seat)
        walk.close(0, 0, sums[seat, :-1])
        best.append(float(game.weights[seat] @ walk.workspace.value[0, : game.showdown.sizes[seat]]))
        value += float(np.sum(own) + np.sum(sums[seat, -1]))
    return (best[0], best[1]), value


def _walk(packet: BoardPacket, strategy: Strategy, seat: int) -> tuple[Asking, Floats | float]:
    """A walk for the best response, its root open; and what the first seat's hands will have earned without it."""
    walk = Asking(packet.game, packet.strategy(strategy), seat, BEST)
    own = walk.count_own() if seat == 0 else 0.0
    walk.open(0, 0)
    return walk, own


def packet(game: str, strategy: str, board: int, job: str) -> bytes:
    """A part as the bytes of a packet's file; game and strategy are given by name."""
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
    shard: Shard | None = None,
) -> Measurement:
    """Measure a strategy packet by packet; on a GPU its value only if `value` is set.

    Packets of a named strategy (`headsup.games.holdem.simple`) can be shared out among processes. Any other strategy
    with `rows` is walked in this process, or on a GPU if it is by bucket. With a folder, a stopped run resumes.
    """
    if game.streets < 2 or not int(game.rounds.deals[1]):
        raise UserError(f"{game} deals no boards: it is measured at once, without packets")
    if game.betting.total is None:
        raise UserError(f"{game} takes a rake: leave it out, or measure it at once")
    if shard is not None and (folder is None or device != "cpu" or not isinstance(strategy, str)):
        raise UserError("a shard needs a folder, a strategy by name and the CPU: leave the shard out here")
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
        for earned in _parts(game, strategy, engine, jobs, address, folder, job, progress, shard):
            sums += earned
        best, first = close(game, _strategy(game, strategy), sums)
    return Measurement(
        game.name,
        (first, game.betting.total - first),
        best,
        game.unit,
        valued=device == "cpu" or value,
        boards=game.boards.sizes()[-1],
        seconds=time.monotonic() - began,
    )


def _shape(game: VectorGame) -> tuple[int, int, int]:
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
    shard: Shard | None = None,
) -> Iterator[AnyArray]:
    """The parts of all boards in order, from files where they exist; those of a shard are computed and sealed."""
    count, done = game.boards.sizes()[1], 0
    mine = range(count) if shard is None else shard.pick(range(count))

    def report(packet: distribute.Packet | None = None) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(Progress(done, len(mine), WHAT, unit=WHAT))

    if folder is None or not isinstance(given, str):
        if engine != "local" or jobs not in (None, 1):
            raise UserError("only strategies that have a name are shared out, into a folder: leave engine and jobs out")
        strategy = _strategy(game, given)
        for board in range(count):
            yield part(game, strategy, board)
            report()
        return
    paths = [folder / f"{board:05}.npy" for board in range(count)]
    with distribute.locked(folder, shard):
        distribute.clear_scratch(folder, shard)
        about = {"game": game.name, "strategy": given}
        own = [fingerprint({"job": job, "board": board}) for board in range(count)]
        left = [i for i in mine if _read(paths[i], own[i]) is None]
        done = len(mine) - len(left)
        packets = [distribute.Packet(paths[i], {**about, "board": i, "job": own[i]}) for i in left]
        if packets:
            distribute.run(FUNCTION, packets, engine, jobs, address, done=report)
        if shard is not None:
            raise seal(folder, shard, [paths[i] for i in mine])
        for path, mark in zip(paths, own, strict=True):
            earned = _read(path, mark)
            if earned is None:
                raise DataError(f"'{path}' is damaged: run the same command again")
            yield earned


def _read(path: Path, job: str) -> AnyArray | None:
    try:
        return parsed(path, lambda: contents.array(parse_array(own_bytes(path, job)), "a flop", "f", None))
    except DataError:
        return None


def _on_gpu(
    game: VectorGame, given: Strategy | str, folder: Path | None, job: str, progress: Watch | None, value: bool
) -> tuple[tuple[float, float], float]:
    """What best responses earn; and what the strategy earns in the first seat against itself, 0 if not requested."""
    from headsup.games.walk.gpu_buckets import GpuBucketWalker

    strategy = _strategy(game, given)
    if not isinstance(strategy, BucketStrategy):
        raise UserError("on a GPU strategies by bucket are measured, and those with a name: leave out device 'gpu'")
    walker = GpuBucketWalker(game, on_device(strategy.buckets))
    modes = {BEST: "sums", MIX: "value"} if value else {BEST: "sums"}
    walker.compile(*modes)
    policy, flops, earned = walker.policy(strategy.numbers), game.boards.sizes()[1], {}
    for turn, (mode, name) in enumerate(modes.items()):
        path = folder / f"{name}.headsup" if folder is not None else None
        own = fingerprint({"job": job, "sums": name})
        each = _keeping(path, own, flops, turn * flops, len(modes) * flops, progress)
        earned[mode] = walker.earned(policy, mode, *_sums(path, own), each, (0, 1) if mode == BEST else (0,))
    return earned[BEST], earned[MIX][0] if value else 0.0


def _keeping(
    path: Path | None, job: str, flops: int, before: int, total: int, progress: Watch | None
) -> Callable[[int, AnyArray], None]:
    """A callback after every few flops that saves their sums now and then, and reports progress."""
    last = [time.monotonic()]

    def each(done: int, sums: AnyArray) -> None:
        if path is not None and (done == flops or time.monotonic() - last[0] > 20.0):
            write_arrays(path, VERSION, {"done": np.array(done), "sums": sums}, job)
            last[0] = time.monotonic()
        if progress is not None:
            progress(Progress(before + done, total, WHAT, unit=WHAT))

    return each


def _sums(path: Path | None, job: str) -> tuple[int, AnyArray | None]:
    """How many boards an earlier run walked, and their sums; none if these are damaged or of another measurement."""
    kept = None if path is None else read_arrays(path, VERSION, job)
    return (0, None) if kept is None else (int(kept["done"]), kept["sums"])


def content(strategy: Strategy) -> str:
    """The checksum of a strategy by bucket."""
    if not isinstance(strategy, BucketStrategy):
        raise UserError("a strategy of your own has no name to resume by: leave the folder out")
    digest = hashlib.sha256()
    for numbers in strategy.numbers:
        digest.update(np.ascontiguousarray(numbers).tobytes())
    return digest.hexdigest()
