"""Two faults that turn the report's rule into its table of equities, of some four hundred tried (docs/discards.md).

1. *Straights are missed where a middle card is doubled*: 5-6-7-7-8-9 is none, 5-5-6-7-8-9 is one.
2. *Power is compared the wrong way round*: where neither card is marked, the one with more straight draws goes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import rank_multisets
from headsup.common.files import parsed, read_shipped
from headsup.discards.equity.table import SwapTable, parse_table
from headsup.discards.swap import ROWS
from headsup.evaluate.classes import STRAIGHT, classes

if TYPE_CHECKING:  # these bring the compiler, which a reader of the tables does without
    from headsup.discards.equity.kernels import RuleTables, Values

FOLDER = Path(__file__).parent / "data"
FIGURES = FOLDER / "figures.json"  # what was measured in long runs, with the command of each
FAULTS = ("straights", "power", "both")
_RANK_BITS = 3 * 13


def broken(ranks: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which rows of sorted ranks contain no five neighbours in a row."""
    held = np.bitwise_or.reduce(1 << ranks.astype(np.int64), axis=1)
    doubled = np.where(ranks[:, 1:] == ranks[:, :-1], 1 << ranks[:, 1:].astype(np.int64), 0)
    twice = np.bitwise_or.reduce(doubled, axis=1)
    out = np.ones(len(ranks), dtype=np.bool_)
    for low, row in enumerate(ROWS, start=-1):
        middle = sum(1 << rank for rank in range(low + 1, low + 4))
        out &= (held & row != row) | (twice & middle != 0)
    return out


def without_straights() -> npt.NDArray[np.uint16]:
    """The value of every multiset of seven ranks if straights do not count; 0 if there is nothing else."""
    from headsup.evaluate.tables import unsuited_tables, with_one_more

    worth = unsuited_tables()[5]
    is_straight = np.array([False] + [hand_class.category == STRAIGHT for hand_class in classes()])
    worth = np.where(is_straight[worth], 0, worth).astype(np.uint16)
    return with_one_more(with_one_more(worth, 6), 7)


def missed_straights() -> npt.NDArray[np.uint16]:
    """The evaluator's packed values of ranks, with the first fault."""
    from headsup.evaluate import tables

    rows, keys, right = rank_multisets(7), np.array(tables.RANK_KEYS, dtype=np.int64), tables.load()
    row, column = tables.split(keys[rows].sum(axis=1))
    slots = right.row_starts[row].astype(np.int64) + column
    lies = tables.possible(rows) & broken(rows)
    lies[lies] = [classes()[value - 1].category == STRAIGHT for value in right.values[slots[lies]].tolist()]
    values = right.values.copy()
    values[slots[lies]] = without_straights()[lies]
    values.setflags(write=False)  # as the right ones: another kind of array would be another kernel
    return values


@cache
def faulty_tables(fault: str) -> tuple[RuleTables, Values]:
    """The rule's and the evaluator's tables with one of FAULTS, for `deal_counts`."""
    from headsup.discards.equity.deals import rule_tables, value_tables

    rule, values = rule_tables(), value_tables()
    if fault in ("power", "both"):  # seven less the power, in each rank's three bits
        rule = rule._replace(power=np.uint64((1 << _RANK_BITS) - 1) - rule.power)
    if fault in ("straights", "both"):
        values = values._replace(values=missed_straights())
    return rule, values


def path_of(fault: str) -> Path:
    return FOLDER / f"faulty-{fault}.txt"


@cache
def faulty(fault: str) -> SwapTable:
    """The shipped deals of every class against a random hand with a fault."""
    return parsed(path_of(fault), lambda: parse_table(read_shipped(path_of(fault)).decode()), "a table of equities")
