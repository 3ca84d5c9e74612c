"""Chapter 3 and section 5.1.1: the normal and the sequence form of two small games, and the ten that is folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.names import game
from headsup.papers.section import Rows, Section
from headsup.solve.small.lp import normal_form, optimal_range, sequence_lp

RPS = ((0, 1, -1), (-1, 0, 1), (1, -1, 0))
"""Figure 3.2."""
PLAN = {"a": 0, "b": 1, "c": 0, "d": 0, "e": 0.25, "f": 0.75, "g": 0.09375, "h": 0.6875, "i": 0.21875}
"""Figure 3.8."""
MOST = "10|r10"
"""The information set of the player in the blind who has a ten against the largest bet."""


def example() -> Section:
    """Rock, paper, scissors and the tree of figures 3.3 to 3.8."""
    simple, form = sequence_form(game("rps")), sequence_form(game("andersson"))
    matrix, (value, plans) = normal_form(simple)[0], sequence_lp(simple)
    worth, best = sequence_lp(form)
    names = [*PLAN]
    printed = np.array([1.0, *(PLAN[name] for name in names)])
    ours = ", ".join(name for name, share in zip(names, best[1][1:], strict=True) if share > 0.5)
    sets = " and ".join(str(seat.n_infosets) for seat in form.seats)
    rows: Rows = [
        ("figure 3.2: rock, paper, scissors", _matrix(RPS), _matrix(matrix.astype(int).tolist())),
        ("3.17: its solution, and its value", "1/3, 1/3, 1/3; 0", f"{_shares(plans[0][1:])}; {value:g}"),
        ("figure 3.4: payoffs of the example", "16", f"{len(form.seats[0].payoff)}: the game is built from them"),
        ("figures 3.5, 3.6: information sets of both", "4 and 4", sets),
        ("figure 3.6: P2's sequences", "9 columns, the start among them", f"{len(best[1])}, i among them (as in 3.7)"),
        ("figure 3.8: P2's best plan", _plan(), ours),
        ("what P1 wins at most against it", "not said", f"{form.seats[0].best_reply(printed)[0]:g}"),
        ("the value for P1", "not said", f"{worth:g}: the printed plan is not the best for the printed matrix"),
    ]  # fmt: skip
    return Section("Chapter 3: normal form and sequence form", ("", "paper", "ours"), rows)


def folded_tens() -> Section:
    """Section 5.1.1: numbers from one to ten, a blind, one bet and two raises.

    The last row takes a linear program of seconds; docs/papers/andersson-2006.md runs it.
    """
    form = sequence_form(game("numbers"))
    value = sequence_lp(form)[0]
    seat = form.seats[1]
    fold = int(seat.first[[seat.labels.infoset(i) for i in range(seat.n_infosets)].index(MOST)])
    low, high = optimal_range(form, 1, fold)
    most = np.zeros(form.seats[0].n_sequences)
    most[form.seats[0].first[1:] - 1] = 1.0  # the last action of each set is the largest bet
    against = seat.utility(form.seats[0].plan(most))
    least, best = optimal_range(form, 1, against)
    rows: Rows = [
        ("the player in the blind wins", "-0.23", f"{-value:.4f}"),
        (
            "it folds a ten to the largest bet",
            "about 30 %",
            f"{abs(low):.0%} to {high:.1%} in plans that are all optimal",
        ),
        ("against one who always bets the most it wins", "-0.21", f"{least:.2f} to {best:+.2f}, likewise"),
        (
            "the same, where every action happens 0.01 % of the time",
            "not tried",
            "it calls with every ten, and wins +0.27",
        ),
    ]
    return Section("Section 5.1.1: the folded tens", ("", "paper", "ours"), rows)


def _matrix(rows: Sequence[Sequence[int]]) -> str:
    return "; ".join(", ".join(map(str, row)) for row in rows)


def _shares(plan: Iterable[float]) -> str:
    return ", ".join(f"{share:.4f}" for share in plan)


def _plan() -> str:
    return ", ".join(f"{name} {share:g}" for name, share in PLAN.items() if share)
