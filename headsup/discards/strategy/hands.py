"""The report's description of a hand: 14 strengths, and the texture of a board in bins.

Strengths ignore what the board gives to both. Where the report is silent: a pair is a pair, whatever it draws to; a
flush draw is four of a suit with a hole card; the ace counts 14, also next to a deuce.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

STRENGTHS = (
    *("nothing", "weak draw", "strong draw", "weak pair", "middle pair", "top pair", "overpair", "two pair"),
    *("three of a kind", "straight", "weak flush", "strong flush", "full house", "quads or better"),
)
"""Weakest first."""
WETNESS = {3: (4.0, 6.0, 8.0), 4: (5.0, 7.5, 10.0), 5: (5.5, 7.0, 8.5, 10.0)}
"""Where bins of wetness begin, after the first, by the number of board cards."""
VOLATILITY = (3.5, 7.0)

Small = npt.NDArray[np.uint8]


def strengths(
    holes: npt.ArrayLike, boards: npt.ArrayLike, *, board_pairs: bool = False, river_draws: bool = False
) -> Small:
    """[n] the place in STRENGTHS of each hand (two cards a row) on its board (three to five cards a row).

    `board_pairs` counts what lies on the board as one's own, `river_draws` looks for draws where no card comes any
    more.
    """
    from headsup.discards.strategy import hand_kernels

    held = np.ascontiguousarray(holes, dtype=np.uint8).reshape(-1, 2)
    tables = np.ascontiguousarray(boards, dtype=np.uint8)
    out = np.empty(len(held), dtype=np.uint8)
    there = np.require(np.broadcast_to(tables, (len(held), tables.shape[-1])), np.uint8, ("C", "W"))
    hand_kernels.strengths(held, there, board_pairs, river_draws, out)
    return out


def textures(boards: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """[n, 2] wetness and volatility of boards of three to five cards; volatility is defined on flops, else 0."""
    from headsup.discards.strategy import hand_kernels

    tables = np.ascontiguousarray(boards, dtype=np.uint8)
    tables = tables.reshape(-1, tables.shape[-1])
    out = np.empty((len(tables), 2))
    hand_kernels.textures(tables, out)
    return out


def texture_bins(boards: npt.ArrayLike) -> Small:
    """[n] the bin of each board: wetness * 3 + volatility on the flop, wetness on turn and river."""
    measured = textures(boards)
    size = np.asarray(boards).shape[-1]
    wet = np.searchsorted(WETNESS[size], measured[:, 0], side="right")
    if size == 3:
        wet = 3 * wet + np.searchsorted(VOLATILITY, measured[:, 1], side="right")
    return wet.astype(np.uint8)


def strength(hole: Sequence[int], board: Sequence[int]) -> str:
    return STRENGTHS[int(strengths([list(hole)], [list(board)])[0])]


def bet_share(board: tuple[int, ...]) -> float:
    """A bet as a fraction of the pot: the wetter and more volatile the board, the larger."""
    place = int(texture_bins([board])[0])
    if len(board) == 3:
        return 0.5 + 0.1 * (place // 3 + place % 3)
    return 0.6 + 0.4 * place / (3 if len(board) == 4 else 4)
