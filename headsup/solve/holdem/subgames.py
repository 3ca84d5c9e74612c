"""Subgames of a stored game: what a worker does with one of them, on any machine.

A subgame is a board of the street at the cut, with some of the betting lines that come into it and everything below.
For each player it has a file, `SUBGAME-SEAT-VERSION.state`: regrets and, where the average is kept, its sums, squeezed
(`headsup.solve.holdem.squeeze`). The version counts the player's updates. A visit

1. reads both players' reach of the lines from the trunk's file, which can be mapped, and the state of both players;
2. walks the subgame for one player, who learns;
3. writes that player's next version, whole or not at all, and returns the values of the lines.

The version before stays until the trunk has taken in all values. The disk is synchronised once a step, not after each
file; a file damaged by a power cut before that fails its checksum and is made again. A visit depends only on what it
reads, so it may be repeated, on another machine too, and always writes the same bytes. All machines must see the
folder. Every file has the fingerprint of its run, subgame and version, so that no other file is taken for it.
"""

import io
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.archives import parse_array
from headsup.common.arrays import AnyArray
from headsup.common.errors import DataError
from headsup.common.files import fingerprint, opened, own_bytes, owned_bytes, parsed, write_bytes
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.layout import Rule, Store, WalkHands
from headsup.games.holdem.packet import board_piece, piece_on
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.piecewalk import PieceWalker
from headsup.games.walk.walk import BEST, LEARN, MIX, NO_RULE, check_kernels
from headsup.solve.holdem.squeeze import checked_parts, live_values, squeeze, unsqueeze

FUNCTION = "headsup.solve.holdem.subgames:visit"
MEASURES = ((0, BEST), (1, BEST), (0, MIX))
"""The walks of a measurement: best responses of both seats, and the value for the first."""
MOST_FILE = 1 << 34
_PIECES = 512  # subgames whose boards a worker keeps
_HEAD = struct.Struct("<32sQ")


@dataclass(frozen=True)
class Cut:
    """How a game is cut into a trunk and subgames, and how those are kept."""

    game: str
    street: int  # where the subgames begin
    lines: int  # how many lines into it a subgame takes
    store: str  # float32, float64, or int16: fixed point
    steps: int  # of fixed point, for regrets; 0 for floats
    sums: int  # the same for the sums of the average
    average: bool  # whether the average is kept beside the regrets

    @property
    def dtype(self) -> Any:
        """The precision of walks that learn."""
        return np.dtype(np.float64 if self.store == "float64" else np.float32)


class SubgameShape:
    """The subgames of a cut game, with walkers for them."""

    def __init__(self, cut: Cut) -> None:
        self.cut = cut
        game = named_game(cut.game)
        assert isinstance(game, VectorGame)
        self.game, street = game, cut.street
        self.entries = int(game.rounds.entries[street + 1] - game.rounds.entries[street])
        self.groups = -(-self.entries // cut.lines)
        self.count = len(game.boards.levels[street]) * self.groups
        self._walkers: dict[tuple[int, Any], PieceWalker] = {}
        self._first: dict[int, VectorGame] = {}  # by group of lines, the subgame of the first board
        self.piece = lru_cache(maxsize=_PIECES)(self._piece)

    def place(self, subgame: int) -> tuple[int, range]:
        """The board and the lines of a subgame."""
        board, group = divmod(subgame, self.groups)
        return board, range(group * self.cut.lines, min(self.entries, (group + 1) * self.cut.lines))

    def parent(self, subgame: int) -> int:
        """The board above it, the last one of the trunk."""
        return int(self.game.boards.levels[self.cut.street].parent[subgame // self.groups])

    def walker(self, subgame: int, dtype: Any) -> PieceWalker:
        """The walker of a subgame; those of the same lines share one."""
        key = subgame % self.groups, np.dtype(dtype)
        if key not in self._walkers:
            self._walkers[key] = PieceWalker(self.piece(subgame), dtype)
        return self._walkers[key]

    def _piece(self, subgame: int) -> VectorGame:
        (board, lines), group, street = self.place(subgame), subgame % self.groups, self.cut.street
        if group not in self._first:
            self._first[group] = board_piece(self.game, street, 0, lines)
        return piece_on(self.game, self._first[group], street, board)


@lru_cache(maxsize=4)
def shape_of(cut: Cut) -> SubgameShape:
    """The shape of a cut game, kept from one visit to the next."""
    return SubgameShape(cut)


def state_path(folder: Path, subgame: int, seat: int, version: int) -> Path:
    """Where the state of a player in a subgame lies."""
    return folder / f"{subgame // 1000:03}" / f"{subgame:07}-{seat}-{version}.state"


def values_path(folder: Path, subgame: int, what: str) -> Path:
    """Where the values of a subgame's lines wait for the trunk."""
    return folder / f"{subgame // 1000:03}" / f"{subgame:07}-{what}.npy"


def values_job(job: str, subgame: int, reach: str) -> str:
    """The fingerprint of the values of a visit; the name of the reach distinguishes steps from measurements."""
    return fingerprint({"job": job, "subgame": subgame, "reach": reach})


def state_job(job: str, subgame: int, seat: int, version: int) -> str:
    return fingerprint({"job": job, "subgame": subgame, "seat": seat, "version": version})


def visit(job: str, cut: dict[str, Any], folder: str, subgame: int, reach: str, what: str, **about: Any) -> bytes:
    """A visit to `learn` or to `measure`: the values of the lines as an `.npy` file, [walks, lines, hands].

    `job` is the fingerprint of the run.
    """
    shape, where = shape_of(Cut(**cut)), Path(folder)
    _, lines = shape.place(subgame)
    trunk = parsed(where / reach, lambda: np.load(where / reach, mmap_mode="r", allow_pickle=False))
    come = np.array(trunk[shape.parent(subgame)][:, lines.start : lines.stop])
    come *= alive(check_kernels(shape.piece(subgame)), come)
    values = (_learn if what == "learn" else _measure)(shape, where, job, subgame, come, **about)
    buffer = io.BytesIO()
    np.save(buffer, values)
    return owned_bytes(buffer.getvalue(), values_job(job, subgame, reach))


def read_values(path: Path, job: str) -> AnyArray:
    """The values that a visit returned."""
    return parse_array(own_bytes(path, job, MOST_FILE))


def visited(values: Path, job: str, subgame: int, reach: str, learnt: tuple[int, int] | None) -> bool:
    """Whether a visit was made and its files are intact; `learnt` is the seat and version of its new state, if any."""
    try:
        read_values(values, values_job(job, subgame, reach))
        if learnt is not None:
            state = state_path(values.parents[1], subgame, *learnt)
            for part in _parts(state, state_job(job, subgame, *learnt)):
                parsed(state, lambda part=part: checked_parts(part))  # type: ignore[misc]
    except DataError:
        return False
    return True


def alive(hands: WalkHands, like: AnyArray) -> AnyArray:
    """[2, 1, hands]: 1 for the hands that the board of a piece leaves, else 0."""
    out = np.zeros((2, 1, like.shape[2]), like.dtype)
    for p in (0, 1):
        out[p, 0, hands.order[p, 0, : int(hands.alive[p, 0])]] = 1.0
    return out


def _learn(
    shape: SubgameShape,
    folder: Path,
    job: str,
    subgame: int,
    reach: AnyArray,
    seat: int,
    versions: list[int],
    rule: list[float],
) -> AnyArray:
    cut, piece = shape.cut, shape.piece(subgame)
    hands = check_kernels(piece)
    states = [read_state(shape, folder, job, subgame, p, versions[p], average=p == seat) for p in (0, 1)]
    stores = stores_of(piece, states)
    policy = states[0][0], states[1][0]
    keep, shrink, weight = rule
    how = Rule(keep, shrink, weight if cut.average else 0.0, False, False, versions[seat])
    walker = shape.walker(subgame, cut.dtype)
    walker.begin(hands, reach)
    values = walker.whole(seat, LEARN, policy, stores, how)
    content = []
    for i, (flat, steps) in enumerate(zip(states[seat][: 1 + cut.average], (cut.steps, cut.sums), strict=False)):
        content.append(squeeze(piece, hands, seat, flat, steps, 2 * subgame + i, versions[seat]))
    version = versions[seat] + 1
    head = _HEAD.pack(state_job(job, subgame, seat, version).encode(), len(content[0]))
    write_bytes(state_path(folder, subgame, seat, version), head + b"".join(content), lasting=False)
    return values[None]


def _measure(
    shape: SubgameShape, folder: Path, job: str, subgame: int, reach: AnyArray, versions: list[int]
) -> AnyArray:
    piece, walker = shape.piece(subgame), shape.walker(subgame, np.float64)
    policy = walker.copied(read_policy(shape, folder, job, subgame, versions))
    stores = stores_of(piece, [(numbers, numbers) for numbers in policy])
    out = []
    for seat, mode in MEASURES:
        walker.begin(check_kernels(piece), reach)
        out.append(walker.whole(seat, mode, policy, stores, NO_RULE))
    return np.stack(out)


def read_policy(
    shape: SubgameShape, folder: Path, job: str, subgame: int, versions: list[int]
) -> tuple[AnyArray, AnyArray]:
    """Both players' policies in a subgame: the average where it is kept, else the regrets."""
    which = 1 if shape.cut.average else 0
    states = [read_state(shape, folder, job, subgame, p, versions[p], average=True) for p in (0, 1)]
    return states[0][which], states[1][which]


def read_state(
    shape: SubgameShape, folder: Path, job: str, subgame: int, seat: int, version: int, average: bool
) -> tuple[AnyArray, AnyArray]:
    """A player's regrets, and the cumulative strategy if it is kept and asked for, else the regrets again."""
    cut, piece = shape.cut, shape.piece(subgame)
    hands, size = check_kernels(piece), int(piece.layout[seat][-1])
    if version == 0:
        regret = np.zeros(size, cut.dtype)
        return regret, np.zeros(size, cut.dtype) if average and cut.average else regret
    path = state_path(folder, subgame, seat, version)
    parts = _parts(path, state_job(job, subgame, seat, version), average and cut.average)

    def read(part: bytes) -> AnyArray:
        return parsed(path, lambda: unsqueeze(piece, hands, seat, part, cut.steps, cut.dtype))

    regret = read(parts[0])
    return regret, read(parts[1]) if average and cut.average else regret


def _parts(path: Path, job: str, average: bool = True) -> list[bytes]:
    """The regrets in a player's file, and the cumulative strategy if asked for and there."""
    with opened(path, MOST_FILE) as file:
        owner, length = parsed(path, lambda: _HEAD.unpack(file.read(_HEAD.size)))
        if owner != job.encode():
            raise DataError(f"{path} is not the state of this subgame in this run: solve again in another folder")
        parts = [file.read(length), file.read() if average else b""]
    return parts if parts[1] else parts[:1]


def kept_values(shape: SubgameShape, subgame: int) -> int:
    """How many numbers the two states of a subgame hold."""
    piece = shape.piece(subgame)
    return sum(live_values(piece, check_kernels(piece), p) for p in (0, 1)) * (2 if shape.cut.average else 1)


def stores_of(piece: VectorGame, states: list[tuple[AnyArray, AnyArray]]) -> tuple[Store, Store]:
    """Both players' regrets and cumulative strategies as stores of a walk."""
    none = np.zeros(0, dtype=np.float32)
    stores = [
        Store(regret, cumulative, regret[:0], none, none, piece.layout[p], piece.layout[p])
        for p, (regret, cumulative) in enumerate(states)
    ]
    return stores[0], stores[1]
