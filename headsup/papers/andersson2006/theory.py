"""Chapter 3 and section 5.1.1: the normal and the sequence form of two small games, and the ten that is folded."""

from __future__ import annotations

import numpy as np

from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.names import game
from headsup.papers.section import Section, written
from headsup.solve.small.lp import normal_form, optimal_range, sequence_lp

RPS = ((0, 1, -1), (-1, 0, 1), (1, -1, 0))  # Figure 3.2
PLAN = {"a": 0, "b": 1, "c": 0, "d": 0, "e": 0.25, "f": 0.75, "g": 0.09375, "h": 0.6875, "i": 0.21875}  # Figure 3.8
MOST = "10|r10"  # the information set of the player in the blind who has a ten against the largest bet


def example() -> Section:
    simple, form = sequence_form(game("rps")), sequence_form(game("andersson"))
    matrix, (value, plans) = normal_form(simple)[0], sequence_lp(simple)
    example_value, best = sequence_lp(form)
    printed = np.array([1.0, *PLAN.values()])
    return written(
        __file__,
        "example",
        matrices=["; ".join(", ".join(map(str, row)) for row in rows) for rows in (RPS, matrix.astype(int).tolist())],
        plan=", ".join(f"{probability:.4f}" for probability in plans[0][1:]),
        value=value,
        payoffs=len(form.seats[0].payoff),
        infosets=" and ".join(str(seat.n_infosets) for seat in form.seats),
        sequences=len(best[1]),
        printed=", ".join(f"{name} {probability:g}" for name, probability in PLAN.items() if probability),
        ours=", ".join(name for name, probability in zip(PLAN, best[1][1:], strict=True) if probability > 0.5),
        best_response=form.seats[0].best_response(printed)[0],
        example_value=example_value,
    )


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
    return written(__file__, "tens", value=-value, low=abs(low), high=high, least=least, best=best)
