"""Safe exploitation in jam or fold: the best response to a model of the opponent among strategies of bounded risk.

A strategy risks what a best response wins from it beyond the value of the game. Of all strategies with at most a given
risk, a linear program finds the one that wins the most from the model. With w, j, c and the gains of
`headsup.jamfold.game`, for the small blind against calls c' and for the big blind against jams j':

    maximise   sum_A w(A) j(A) jam_gain(A; c')       so that   sum_A w(A) j(A) (b + s) - sum_B w(B) t(B) >= v + s - risk
                                                               t(B) >= call_gain(B; j),  t(B) >= 0
    maximise   sum_B w(B) c(B) call_gain(B; j')      so that   sum_A w(A) t(A) <= v + s + risk
                                                               t(A) >= jam_gain(A; c),  t(A) >= 0

Both gains are linear in the strategy. The bound holds whatever the opponent does, however wrong the model is. These
strategies are the restricted Nash responses of Johanson, Zinkevich and Bowling (2007), chosen by risk.
"""

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_numbers, finite
from headsup.common.errors import UserError
from headsup.common.highs import INFINITY, Program, optimum
from headsup.games.betting.stakes import check_seat
from headsup.jamfold.game import JamFoldGame

REMEDY = "give a larger risk"


def safe_response(game: JamFoldGame, seat: str, model: Floats, risk: float, value: float) -> Floats:
    """[classes] the strategy of a seat, sb or bb, that wins the most from a model of the opponent's frequencies.

    `risk` is in big blinds per game, and `value` what the small blind wins at equilibrium.
    """
    check_seat(seat)
    model = np.asarray(as_numbers(model, "model"), dtype=np.float64)
    if finite(risk, "risk") < 0.0:
        raise UserError(f"a risk is at least 0 big blinds, not {risk:g}")
    every = np.arange(game.table.classes)
    weights = np.asarray(game.table.to_host(game.class_probabilities), dtype=np.float64)
    pairs = np.asarray(game.pair_matrix(every, every))  # [A, B] what calling with B adds to the gain of jamming A
    _, small, big, gift = game.payoffs
    opens = seat == "sb"
    sums = game.table.sums(game.strategy(model, "model"))
    gain = np.asarray(game.jam_gain(sums) if opens else game.call_gain(sums))
    program = Program()
    played = program.columns(len(every), 0.0, 1.0, -weights * gain)
    slack = program.columns(len(every), 0.0, INFINITY)
    # the opponent's gains: w(B) M(B, A) = -w(A) P(A, B) turns one player's pairs into the other's
    against = -(weights[:, None] * pairs / weights).T if opens else pairs
    at, of = (index.ravel() for index in np.indices(against.shape))
    least = 0.0 if opens else small + big
    program.rows(len(every), least, INFINITY, (every, slack, 1.0), (at, played[of], -against.ravel()))
    above = value - gift + small
    if opens:
        program.rows(1, above - risk, INFINITY, (0, played, weights * (small + big)), (0, slack, -weights))
    else:
        program.rows(1, -INFINITY, above + risk, (0, slack, weights))
    solution = optimum(program, REMEDY, solver="simplex")
    return np.clip(solution.columns[played], 0.0, 1.0)
