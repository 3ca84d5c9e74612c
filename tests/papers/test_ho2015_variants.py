"""ho-2015: variants of its equations against plain sums over pairs of classes."""

import numpy as np
import pytest

from headsup.cards.classes import omaha_class_name, parse_omaha_class
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import without_card_removal
from headsup.jamfold.game import JamFoldGame
from headsup.papers.ho2015.equilibria import TABLE_4_1
from headsup.papers.ho2015.variants import (
    FIGURE_4_2,
    FINE,
    NAMED,
    OTHERS,
    WIDE,
    Beliefs,
    BeliefVariant,
    compared,
    figures,
    solve,
    variants,
)
from tests.naive_endgame import few_classes

TABLE = few_classes(9, outcomes=5)
GAMES = variants(outcomes=True)
POTS = {"quartered": (1, 0.75, 0.5, 0.25, 0), "halved": (1, 0.5, 0.5, 0.5, 0), "whole": (1, 1, 0.5, 0, 0)}


def naive_gain(game: BeliefVariant, seat: str, stack: float, a: int, x: np.ndarray) -> float:
    """What raising or calling with class `a` gains over folding, by the formulas of the module's text."""
    kind, own = (game.small if seat == "sb" else game.big), TABLE.outcomes[a] / TABLE.boards
    top = played = everything = unweighted = 0.0
    for b in range(TABLE.classes):
        met = own[b].sum()
        equity = own[b] @ POTS[game.pots] / met
        weight = {"sizes": TABLE.class_sizes[b], "alike": met / TABLE.class_sizes[b], "each": 1.0}.get(kind, met)
        if game.pairs == "once" and a == b:
            weight /= 2
        top += x[b] * weight * equity
        played += x[b] * weight
        everything += weight
        unweighted += x[b] * equity
    if seat == "sb":
        if kind == "printed":
            return 0.5 + 2 * stack * (top / everything - 0.5) + (1 - played / everything)
        return 1.5 + (2 * stack * (top - played / 2) - played) / everything
    if kind == "printed":
        return 2 * stack * (unweighted - 0.5) / (played / TABLE.total) + 1
    return 2 * stack * (top / played - 0.5) + 1


@pytest.mark.parametrize("seat", ["sb", "bb"])
def test_gains_are_sums_over_pairs(seat: str) -> None:
    beliefs = Beliefs.of(TABLE, GAMES)
    x = np.random.default_rng(2015).random((len(GAMES), TABLE.classes))
    gains = beliefs.gains(Stakes.of(7.0).payoffs, seat, x)
    for game, played, gain in zip(GAMES, x, gains, strict=True):
        slow = [naive_gain(game, seat, 7.0, a, played) for a in range(TABLE.classes)]
        np.testing.assert_allclose(gain, slow, rtol=1e-10, err_msg=game.name)


def test_the_exact_variants_are_equilibria_of_their_games() -> None:
    stacks = [3.0, 8.0]
    points = solve(Beliefs.of(TABLE, GAMES), stacks, rounds=400)
    plain = {"exact": TABLE, "sizes": without_card_removal(TABLE)}
    for point in points:
        for kind, table in plain.items():
            at = GAMES.index(BeliefVariant(f"small blind {kind}, big blind {kind}", kind, kind))
            proof = JamFoldGame.of(table, Stakes.of(point.stack)).certify(point.jam[at], point.call[at])
            assert proof.exploitability_mbb < 5
            assert proof.value_sb == pytest.approx(point.value[at], abs=1e-6)


def test_figures_of_all_variants() -> None:
    points = solve(Beliefs.of(TABLE, GAMES), [2.0, 5.0, 7.5], rounds=20)
    shown = figures(points, GAMES, TABLE.class_sizes / TABLE.hands, [0, 8])
    assert list(shown) == [game.name for game in GAMES]
    for at, kept in enumerate(shown.values()):
        plays = np.stack([point.jam[at] >= 0.5 for point in points])
        broken = [
            hand
            for hand in range(TABLE.classes)
            if any(plays[later, hand] and not plays[low, hand] for later in range(3) for low in range(later))
        ]
        assert kept["breaks"] == {"300/600": len(broken)}
        assert kept["jams"][1] == pytest.approx(points[1].jam[at] @ TABLE.class_sizes / TABLE.hands, abs=1e-6)
        assert [len(text) for text in next(iter(kept["hands"].values()))] == [3, 3]


def test_a_variant_that_prints_what_the_thesis_prints() -> None:
    """Made-up figures that fit: every hand is played exactly up to its printed level."""
    wide, fine = (np.arange(step, end + step / 2, step) for step, end in (WIDE, FINE))
    levels = {(row.hand, seat): float((row.sb, row.bb)[seat].rstrip("+")) for row in TABLE_4_1 for seat in (0, 1)}
    levels |= {key: float(level) for key, level in OTHERS}
    names = {hand: omaha_class_name(parse_omaha_class(hand)) for hand in NAMED}

    def text(stacks: np.ndarray, played: np.ndarray) -> str:
        return "".join("01"[int(each)] for each in played & (stacks > 0))

    hands = {
        name: [text(wide, wide <= levels.get((hand, seat), 0.0)) for seat in (0, 1)] for hand, name in names.items()
    }
    broken = {names[hand]: [text(fine, (fine <= low) | (fine > high)), ""] for hand, low, high in FIGURE_4_2}
    figure = {"jams": [0.33], "calls": [0.18], "regret": [0.001]}
    kept = {
        "wide": {
            "stacks": wide.tolist(),
            "variants": {"fits": figure | {"value": (16 - wide - 0.1).tolist(), "hands": hands}},
        },
        "fine": {
            "stacks": fine.tolist(),
            "variants": {
                "fits": figure
                | {"value": (-np.abs(fine - 9.5)).tolist(), "hands": broken, "breaks": {"a": 116, "b": 3, "c": 0}}
            },
        },
    }
    title, _, (target, row) = compared(kept)
    assert row[1:4] == (*target[1:3], "0.00")
    assert row[5:9] == target[5:9]
    assert title.endswith(": fits fits")
    kept["fine"]["variants"]["fits"]["breaks"]["a"] = 30
    assert compared(kept).title.endswith(
        f": none of 1 fits, the nearest has {int(target[1]) - 1} of {target[1]} figures"
    )
