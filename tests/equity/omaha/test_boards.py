"""The two values that the factorised kernels compare with are the evaluator's."""

from pathlib import Path

from headsup import evaluate
from headsup.equity.omaha import boards as omaha_boards


def test_borders_between_categories() -> None:
    borders = {omaha_boards.FULL_HOUSE: ("flush", "full house")}
    borders[omaha_boards.STRAIGHT_FLUSH] = ("four of a kind", "straight flush")
    for value, (below, above) in borders.items():
        assert (evaluate.category(value - 1), evaluate.category(value)) == (below, above)


def test_the_gpu_source_has_the_same_values() -> None:
    source = (Path(omaha_boards.__file__).parent / "matchups" / "kernels.cu").read_text()
    assert f"#define FULL_HOUSE {omaha_boards.FULL_HOUSE}\n" in source
    assert f"#define STRAIGHT_FLUSH {omaha_boards.STRAIGHT_FLUSH}\n" in source
