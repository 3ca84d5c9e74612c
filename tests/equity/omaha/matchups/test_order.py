"""The order behind Omaha percentages is that of the full table, where one has been built."""

import numpy as np
import pytest

from headsup.cards.ranges.order import hand_order
from headsup.common.errors import UserError
from headsup.equity.omaha import matchups


@pytest.mark.long
@pytest.mark.parametrize("game", matchups.GAMES)
def test_shipped_order_is_that_of_the_table(game: str) -> None:
    try:
        table = matchups.load(game)
    except UserError as error:
        pytest.skip(str(error))
    quarters = np.concatenate([table.quarters[rows].sum(axis=1, dtype=np.int64) for rows in table.row_blocks()])
    assert (np.diff(quarters[hand_order(game)]) < 0).all()


def test_best_and_worst_hands() -> None:
    from headsup.cards.classes import omaha_class_name

    order = hand_order("omaha8")
    assert omaha_class_name(int(order[0])) == "AsAh3s2h"
    assert omaha_class_name(int(order[-1])) == "2s2h2d2c"
