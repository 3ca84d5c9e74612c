"""The supplement's definitions and equations in the words of this house: where each of them lives, and remarks."""

from __future__ import annotations

from typing import NamedTuple

from headsup.papers.section import Rows, Section


class Entry(NamedTuple):
    """A definition or an equation."""

    number: str
    what: str
    ours: tuple[str, ...]  # names that can be imported
    remark: str = ""


ENTRIES = (
    Entry(
        "rules",
        "two players, blinds, four rounds, bets of fixed size",
        ("headsup.games.catalogue.names.holdem_limit", "headsup.games.betting.bettingtree.betting_tree"),
        '"call ... causes the next round to begin" does not hold for the dealer\'s first call: the big blind may still '
        "raise, as the glossary's *limp* implies and as our tree has it",
    ),
    Entry(
        "H, Z, P, u",
        "histories, ends, who moves, utilities",
        ("headsup.games.holdem.vector.VectorGame", "headsup.games.trees.tree.Tree"),
        "never listed for hold'em: betting, boards and showdown are kept as factors, and a node stands for all hands",
    ),
    Entry(
        "I",
        "information sets; perfect recall",
        ("headsup.games.holdem.vector.VectorGame.infosets",),
        "buckets may forget: then no theorem of the supplement holds",
    ),
    Entry(
        "σ",
        "a behaviour strategy",
        ("headsup.games.holdem.vector.Strategy",),
        "`rows(decision, board)`: [actions, hands]",
    ),
    Entry(
        "π",
        "reach of a history, and each player's part of it",
        ("headsup.games.walk.walk.look_inside",),
        "a vector over hands for each player",
    ),
    Entry(
        "1", "ε-equilibrium", ("headsup.measure.measurement.Measurement",), "`epsilon` is the larger gain of the two"
    ),
    Entry(
        "2",
        "counterfactual value",
        ("headsup.games.walk.walk.hand_values",),
        "π(h, z), the reach from h to z, is used without a definition; it is the player's own actions after h",
    ),
    Entry(
        "3",
        "counterfactual regret",
        ("headsup.solve.holdem.vector.VectorCfr",),
        "the sum is over the actions at I, printed as all of A; kept as a running sum",
    ),
    Entry(
        "4, 10",
        "regret matching",
        ("headsup.games.holdem.vector.matched",),
        "one function for both: what is negative counts as 0",
    ),
    Entry("5, 7", "bounds", ("headsup.papers.bowling2015.history.bounds",), "true and far away: see the table"),
    Entry(
        "6",
        "overall regret",
        ("headsup.measure.exploit.measure",),
        "the last term is printed as the utility of σ; it must be of σ at iteration t. And the sentence after it needs "
        "R / T ≤ ε, not R ≤ ε, for a 2ε-equilibrium",
    ),
    Entry(
        "8",
        "average strategy",
        ("headsup.solve.holdem.store.Stores",),
        "`total` has the numerators. The sum over h in I is a multiple of one reach where recall is perfect, and "
        "cancels. A set that was never reached has no average: ours plays all actions alike there",
    ),
    Entry(
        "9",
        "regret matching +",
        ("headsup.solve.records.settings.Settings",),
        "`negative=-inf`: what falls below 0 is set to 0. The difference of two regrets in it is the regret of one "
        "iteration, played by Q's strategy. Not said: players update in turn (`alternating`), and which average is "
        "meant; Tammelin's weighs iteration t with t",
    ),
    Entry(
        "11, 12, 13",
        "x = (x1 + x2) / 2, ε ≤ 2x",
        ("headsup.measure.measurement.Measurement",),
        'the sentence before them should read "not less than the value less the exploitability"; with the largest '
        "gains for ε1 and ε2 both are equalities",
    ),
)


def notation() -> Section:
    """The table."""
    rows: Rows = [(one.number, one.what, ", ".join(f"`{name}`" for name in one.ours), one.remark) for one in ENTRIES]
    return Section("Notation", ("supplement", "what", "ours", "remarks"), rows)
