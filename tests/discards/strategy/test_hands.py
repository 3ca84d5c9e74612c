"""The report's strengths and textures, against its examples and against the categories of `headsup.evaluate`."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.discards.strategy.hands import STRENGTHS, strength, strengths, texture_bins, textures
from headsup.evaluate import rank_hands
from headsup.evaluate.categories import DRAWS, MADE, hand_categories
from headsup.evaluate.names import category


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("As9h", "KsKd2c3h", "nothing"),  # the report's own
        ("Kh9h", "9s4d4c", "top pair"),
        ("JhTh", "Ah8h4d", "strong draw"),
        ("AhKd", "7d6h2s", "weak draw"),
        ("AhKd", "7d6h2s3cJc", "nothing"),
        ("AhQd", "JdTh2s", "strong draw"),  # overcards and a gutshot
        ("5c5d", "7d7h4s", "middle pair"),
        ("AhKh", "2h5h9hTh3h", "strong flush"),
        ("9h2c", "AhKhTh4h3d", "strong flush"),  # queen and jack are out: the third nut flush
        ("8h2c", "AhTh4h3h9d", "weak flush"),  # king, queen, jack and nine
        ("2h3c", "Kh5h9hTh4h", "nothing"),  # the board's flush
        ("5c2d", "9sTdJdQcKh", "nothing"),  # the board's straight
        ("Ac2d", "9sTdJdQcKh", "straight"),
        ("AcAd", "KdKh2s2c2d", "full house"),
        ("AcQd", "KdKh2s2c2d", "nothing"),
        ("6h5h", "4h3h2hAcAd", "quads or better"),
    ],
)
def test_strengths(hole: str, board: str, name: str) -> None:
    assert strength(parse_cards(hole), parse_cards(board)) == name


def expected(board: list[int], hole: list[int]) -> str | None:
    """The strength by the other module's words; None where the board alone has what nobody's own cards make."""
    if len(board) == 5 and category(int(rank_hands([board])[0])) in (
        "straight",
        "flush",
        "full house",
        "four of a kind",
    ):
        return None
    found = hand_categories(board, [hole])
    made, draws = MADE[found.made[0]], {name for name, has in zip(DRAWS, found.draws[0], strict=True) if has}
    named = {
        **{"straight flush": "quads or better", "quads": "quads or better", "set": "three of a kind"},
        **{"trips": "three of a kind", "second pair": "middle pair", "third pair": "weak pair"},
        **{"low pair": "weak pair", "underpair": "weak pair"},
    }
    if made not in ("ace high", "no made hand"):
        return named.get(made, made)
    if "flush draw" in draws or "open-ended" in draws or {"gutshot", "overcards"} <= draws:
        return "strong draw"
    return "weak draw" if draws & {"gutshot", "overcards"} else "nothing"


def test_strengths_are_the_categories_that_spots_are_told_by() -> None:
    rng = np.random.default_rng(1)
    seen = set()
    for size in (3, 4, 5):
        for _ in range(400):
            cards = rng.permutation(52)[: 2 + size].tolist()
            words = expected(cards[2:], cards[:2])
            if words is None:
                continue
            name = strength(cards[:2], cards[2:])
            seen.add(name)
            assert (name.removeprefix("weak ").removeprefix("strong ") if "flush" in name else name) == words, cards
    assert len(seen) >= 11


def test_pairs_on_the_board_can_be_mistaken_for_ones_own() -> None:
    board = parse_cards("KsKd2c3h")
    hole = [list(parse_cards("As9h"))]
    assert STRENGTHS[strengths(hole, [board], board_pairs=True)[0]] == "top pair"
    river = parse_cards("Ah8h4d2c3s")
    hole = [list(parse_cards("JhTh"))]
    assert STRENGTHS[strengths(hole, [river], river_draws=True)[0]] == "strong draw"
    assert STRENGTHS[strengths(hole, [river])[0]] == "nothing"


@pytest.mark.parametrize(
    ("board", "wetness", "volatility", "place"),
    [
        # the report calls the first very wet, the second not, the third very volatile, the fourth not; numbers by hand
        ("QsJsTs", 3 + 3 * (2 / 1.5 + 1 / 1.5**2) + 33 / 12, 3 + 3 * (2 / 1.5 + 1 / 1.5**2) + 7 - 1.15**12, 11),
        ("9h6s2d", 3 * (1.5**-3 + 1.5**-4 + 1.5**-7) + 17 / 12, 3 * (1.5**-3 + 1.5**-4 + 1.5**-7) + 7 - 1.15**9, 1),
        ("6s5s3c", 1 + 3 * (1 / 1.5 + 1.5**-2 + 1.5**-3) + 14 / 12, 8 + 3 * (1 / 1.5 + 1.5**-2 + 1.5**-3) - 1.15**6, 8),
        ("As9d2h", 3 * (1.5**-5 + 1.5**-7 + 1.5**-12) + 25 / 12, 3 * (1.5**-5 + 1.5**-7 + 1.5**-12) + 7 - 1.15**14, 0),
        ("7c7d4h", 3 * 1.5**-3 + 18 / 12, 3 * 1.5**-3 + 7 - 1.15**7 - 1, 1),
        ("7c7d7h", 21 / 12, 7 - 1.15**7 - 2, 0),
        ("KsQsJd2d", 2 + 2 * (2 / 1.5 + 1.5**-2 + 1.5**-11 + 1.5**-10 + 1.5**-9) + 38 / 16, 0.0, 2),
        ("KsQsJs2s", 6 + 2 * (2 / 1.5 + 1.5**-2 + 1.5**-11 + 1.5**-10 + 1.5**-9) + 38 / 16, 0.0, 3),
        ("KsKd7c7h2s", 1.5 * (1.5**-6 + 1.5**-11 + 1.5**-5) + 42 / 20, 0.0, 0),
    ],
)  # fmt: skip
def test_textures(board: str, wetness: float, volatility: float, place: int) -> None:
    cards = parse_cards(board)
    assert textures([cards])[0] == pytest.approx((wetness, volatility))
    assert texture_bins([cards])[0] == place
