"""ho-2015, section 4.1, beside the shipped Omaha hi-lo equilibria.

The thesis measures a hand by its playability (`playability`) and calls it a discontinuity if the hand is folded at some
smaller R. Its stakes of 200/400, 250/500 and 300/600 with 9,000 chips in all end at R = 11.25, 9 and 7.5.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import omaha_class_name, parse_omaha_class
from headsup.cards.hands import LOW, omaha_cards
from headsup.common.arrays import Floats
from headsup.common.plot import line_chart
from headsup.jamfold.hands import Mask, class_sizes
from headsup.jamfold.shipped import Sweep, changes, shipped
from headsup.papers.section import Rows, Section, written


@dataclass(frozen=True, eq=False)
class Cutoff:
    """The playability of every class of one game from one seat, up to a largest stack."""

    game: str
    seat: str
    end: float  # no stack above this was looked at, so a value equal to it means at least that
    largest: Floats  # the largest stack at which each class is played, 0 if at none
    broken: npt.NDArray[np.intp]  # the classes that are folded at some smaller stack than that

    def intervals(self, hand: int) -> list[tuple[float, float]]:
        """The stacks at which a class is played; more than one interval if it is broken."""
        sweep = shipped(self.game)
        inside = sweep.stacks <= self.end + 1e-9
        return changes(sweep.stacks[inside], sweep.played(self.seat)[inside, hand])


def cutoff(game: str, seat: str, end: float = 50.0) -> Cutoff:
    """The playability of every class in the shipped equilibria, at stacks up to `end`."""
    sweep = shipped(game)
    return Cutoff(game, seat, end, playability(sweep, seat, end), discontinuities(sweep, seat, end))


def playability(sweep: Sweep, seat: str, end: float = np.inf) -> Floats:
    """The largest stack of the sweep, up to `end`, at which each class is played; 0 if at none."""
    inside = sweep.stacks <= end + 1e-9
    plays = sweep.played(seat)[inside] >= 0.5
    return np.asarray(np.where(plays, sweep.stacks[inside, None], 0.0).max(axis=0))


def discontinuities(sweep: Sweep, seat: str, end: float) -> npt.NDArray[np.intp]:
    """The classes that are folded at some stack and played at a larger one, both up to `end`."""
    plays = (sweep.played(seat) >= 0.5)[sweep.stacks <= end + 1e-9]
    later = np.logical_or.accumulate(plays[::-1], axis=0)[::-1]
    return np.flatnonzero((later & ~plays).any(axis=0))


ENDS = {"200/400": 11.25, "250/500": 9.0, "300/600": 7.5}
THESIS_BREAKS = {"200/400": "116", "250/500": "3", "300/600": "0"}


@dataclass(frozen=True)
class Attribute:
    name: str
    hand: str
    sb: str
    bb: str


TABLE_4_1 = (
    Attribute("Two or more Aces", "AsAhAdAc", "45+", "8.5"),
    Attribute("Two Kings", "KsKh9d2c", "15", "10"),
    Attribute("Two Queens", "QsQh9d2c", "6", "7.5"),
    Attribute("Ace and Lo card, not trips", "AsTh9d8c", "18.5", "14"),
    Attribute("Ace and Pair", "AsTh9d9c", "5", "7.5"),
    Attribute("Double-suited", "Ks2s9h2h", "2", "4"),
    Attribute("Double-suited with Ace", "As9sTh9h", "38.5", "17"),
    Attribute("Two Pairs", "9s9h2d2c", "2", "4"),
    Attribute("Double-suited Two Pairs", "9s9h2s2h", "4.5", "7"),
    Attribute("Double-suited and three different Lo cards", "Qs8s7h3h", "27", "14.5"),
)


def attribute_masks() -> dict[str, Mask]:
    """Which hand classes have each attribute of table 4.1."""
    cards = omaha_cards()
    aces, most = cards.count("A"), cards.of_rank.max(axis=1)
    double_suited, two_pairs = cards.pattern[:, 1] == 2, cards.pairs == 2
    masks = (
        aces >= 2,
        cards.count("K") == 2,
        cards.count("Q") == 2,
        (aces >= 1) & (cards.kinds(LOW[1:]) >= 1) & (most <= 2),
        (aces == 1) & (cards.pairs >= 1),
        double_suited,
        double_suited & (aces >= 1),
        two_pairs,
        double_suited & two_pairs,
        double_suited & (cards.low_ranks == 3),
    )
    return dict(zip((row.name for row in TABLE_4_1), masks, strict=True))


def sections(sweep: Sweep) -> list[Section]:
    made = (_table_4_1, _other_hands, _figure_4_1, _figure_4_2, _breaks, _value, _pure, _epsilon)
    return [make(sweep) for make in made]


def _level(value: float, sweep: Sweep) -> str:
    return f"{value:g}" + ("+" if value == sweep.stacks[-1] else "") if value else "never"


def _table_4_1(sweep: Sweep) -> Section:
    sb, bb = playability(sweep, "sb"), playability(sweep, "bb")
    rows: Rows = []
    for row, mask in zip(TABLE_4_1, attribute_masks().values(), strict=True):
        theirs = parse_omaha_class(row.hand)
        within = np.flatnonzero(mask)
        least = within[np.lexsort((bb[within], sb[within]))[0]]
        rows.append(
            (
                row.name,
                row.hand,
                f"{row.sb} / {row.bb}",
                f"{_level(sb[theirs], sweep)} / {_level(bb[theirs], sweep)}",
                omaha_class_name(int(least)),
                f"{_level(sb[least], sweep)} / {_level(bb[least], sweep)}",
            )
        )
    return written(__file__, "table-4-1", rows)


def _other_hands(sweep: Sweep) -> Section:
    sb, bb = playability(sweep, "sb"), playability(sweep, "bb")
    low = np.flatnonzero(attribute_masks()["Ace and Lo card, not trips"])
    least = int(low[bb[low].argmin()])

    def at(hand: str, levels: npt.NDArray[np.float64]) -> str:
        return _level(levels[parse_omaha_class(hand)], sweep)

    return written(
        __file__,
        "hands",
        kings=at("KsKhKdKc", sb),
        low=at("As9h2d2c", bb),
        least=omaha_class_name(least),
        least_level=_level(bb[least], sweep),
        tens=(at("Js6sTh9h", sb), at("Js6sTh9h", bb)),
    )


def _figure_4_1(sweep: Sweep) -> Section:
    printed = {45.0: "just over 33 % / 18 %", 10.0: "more than 70 % each at R <= 10"}
    rows: Rows = []
    for stack in (1.0, 2.0, 5.0, 7.5, 10.0, 11.25, 15.0, 20.0, 30.0, 45.0, 50.0):
        if sweep.has(stack):
            at = sweep.nearest_index(stack)
            ours = f"{sweep.jam_frequency[at]:.2%} / {sweep.call_frequency[at]:.2%}"
            rows.append((f"{stack:g}", printed.get(stack, ""), ours))
    return written(__file__, "figure-4-1", rows)


def _figure_4_2(sweep: Sweep) -> Section:
    cases = (
        ("8s5s6h2c", "raise up to 8.75 and above 10.25", "raise / fold"),
        ("AsKsQsJs", "raise up to 6.625 and above 9.875", "fold / raise"),
    )
    rows: Rows = []
    for hand, printed, at_two in cases:
        frequencies = sweep.jam[:, parse_omaha_class(hand)]
        spans = [f"{low:g} to {high:g}" for low, high in changes(sweep.stacks, frequencies)]
        two = " / ".join("raise" if frequencies[sweep.nearest_index(stack)] >= 0.5 else "fold" for stack in (7.5, 10.0))
        rows.append((hand, at_two, two, printed, " and ".join(spans) or "never"))
    return written(__file__, "figure-4-2", rows)


def _breaks(sweep: Sweep) -> Section:
    rows: Rows = []
    for stakes, end in (*ENDS.items(), ("all", float(sweep.stacks[-1]))):
        sb, bb = discontinuities(sweep, "sb", end), discontinuities(sweep, "bb", end)
        share = len(sb) / sweep.classes
        rows.append((stakes, f"{end:g}", THESIS_BREAKS.get(stakes, ""), str(len(sb)), f"{share:.2%}", str(len(bb))))
    return written(__file__, "breaks", rows)


def _value(sweep: Sweep) -> Section:
    peak = int(sweep.value_sb.argmax())
    negative = np.flatnonzero((sweep.value_sb < 0) & (sweep.stacks > sweep.stacks[peak]))
    below = f"{sweep.stacks[negative[0]]:g}" if len(negative) else "never"
    rows: Rows = [
        ("peak at R", "9.5", f"{sweep.stacks[peak]:g} ({sweep.value_sb[peak]:+.6f} bb)"),
        ("below zero from R", "16", below),
    ]
    return written(__file__, "value", rows)


def _pure(sweep: Sweep) -> Section:
    mixed = ((sweep.jam % 1) != 0).sum(axis=1) + ((sweep.call % 1) != 0).sum(axis=1)
    rows: Rows = [("all stacks", "", f"{sweep.pure.mean():.1%} of {len(sweep.stacks)}")]
    for stakes, end in ENDS.items():
        inside = sweep.stacks <= end + 1e-9
        rows.append((f"R up to {end:g} ({stakes})", "", f"{sweep.pure[inside].mean():.1%} of {inside.sum()}"))
    rows[0] = ("all stacks", "in many cases", rows[0][2])
    rows.append(("most hands that mix at one stack, both seats", "", str(int(mixed.max()))))
    rows.append(
        ("largest exploitability, mbb/g", "0.0025 (0.001 of 400 chips)", f"{sweep.exploitability_mbb.max():.1e}")
    )
    return written(__file__, "pure", rows)


EPSILONS = (0.001, 0.01)  # chips: the thesis stops at the first, after 10,000 iterations at the second


def _epsilon(sweep: Sweep) -> Section:
    """What the printed equilibria lose in ours, weighted as the thesis weighs regrets, beside its epsilon.

    The stakes of a stack are the largest of the thesis with 9,000 chips in all. A strategy that jams less often loses
    at least what the jams that gain least are worth.
    """
    chances, rows = class_sizes("omaha8") / class_sizes("omaha8").sum(), list[tuple[str, ...]]()

    def gains(stack: float) -> Floats:
        return np.asarray(chances * (sweep.ev_jam[sweep.at(stack)] + 0.5))

    def add(words: str, big_blind: int, lost: float) -> None:
        allowed = ("yes" if big_blind * lost <= epsilon else "no" for epsilon in EPSILONS)
        rows.append((words, f"{big_blind // 2}/{big_blind}", f"{big_blind * lost:.5f}", *allowed))

    for hand, stack, big_blind, done in (
        ("KsKh9d2c", 15.0, 300, "is jammed"),
        ("8s5s6h2c", 9.5, 400, "is folded"),
        ("AsKsQsJs", 10.0, 400, "is jammed"),
    ):
        add(f"{hand} {done} at R = {stack:g}", big_blind, abs(float(gains(stack)[parse_omaha_class(hand)])))
    jams = np.flatnonzero(sweep.jam[sweep.at(45.0)] >= 0.5)
    order = jams[np.argsort(gains(45.0)[jams] / chances[jams])]
    fewer = np.cumsum(chances[order]) <= sweep.jam_frequency[sweep.at(45.0)] - 0.34
    add("34 % of hands are jammed at R = 45, not more", 100, float(gains(45.0)[order[fewer]].sum()))
    add("the value is below zero at R = 16", 200, float(sweep.value_sb[sweep.at(16.0)]))
    return written(__file__, "epsilon", rows)


def plots(sweeps: dict[str, Sweep]) -> dict[str, str]:
    """SVG files by name: figures 4.1 and 4.3 for every game that has a sweep."""
    drawn: dict[str, str] = {}
    for game, sweep in sweeps.items():
        stacks = sweep.stacks.tolist()
        drawn[f"jamfold-{game}-frequency.svg"] = line_chart(
            {
                "small blind jams": list(zip(stacks, (100 * sweep.jam_frequency).tolist(), strict=True)),
                "big blind calls": list(zip(stacks, (100 * sweep.call_frequency).tolist(), strict=True)),
            },
            title=f"Play frequency at equilibrium: {game}",
            x="effective stack R in big blinds, before posting",
            y="% of hands",
        )
    drawn["jamfold-value.svg"] = line_chart(
        {
            game: list(zip(sweep.stacks.tolist(), sweep.value_sb.tolist(), strict=True))
            for game, sweep in sweeps.items()
        },
        title="Value of jam or fold to the small blind",
        x="effective stack R in big blinds, before posting",
        y="big blinds per hand",
    )
    return drawn
