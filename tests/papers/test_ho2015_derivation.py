"""ho-2015: the steps from the printed regression to the printed rule."""

import pytest

from headsup.distil.rules.oracle import oracle
from headsup.papers.ho2015.derivation import CHAIN, derived, left_out, means, points, printed_coefficients


def test_the_steps_lead_from_the_printed_coefficients_to_the_printed_rule() -> None:
    from_print = points(printed_coefficients())
    assert [step.line for step in CHAIN] == [line.text for line in oracle().lines]
    assert [from_print[line.text] for line in oracle().lines] == [line.each for line in oracle().lines]
    assert from_print["the big blind"] == oracle().seat_points["bb"]


def test_a_line_is_the_mean_of_its_attributes_weighted_by_hand_classes() -> None:
    known = printed_coefficients()
    mean = means(known)
    assert mean["a single King"] == known["hasK"]
    assert known["low_card_2"] < mean["two or three different low ranks"] < known["low_card_3"]
    assert mean["one suit"] == pytest.approx(
        (known["suited_AAAA"] + known["suited_AAAB"] - 6 + known["suited_AABC"] - 12) / 3
    )


def test_what_the_rule_leaves_out() -> None:
    assert left_out() == ["hasBare5", "hasBare6", "hasBare7", "hasBare8", "hasT", "hasJ", "hasLow7", "hasPair4"]


def test_our_rule_has_the_lines_of_oracle_with_other_points() -> None:
    ours = {line.text: line.each for line in derived().lines}
    assert ours.keys() == {line.text for line in oracle().lines}
    assert (ours["a single Ace"], ours["three ranks from top to bottom"]) == (51, 20)
    assert derived().seat_points == {"sb": 0, "bb": -1}
