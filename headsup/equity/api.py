"""`equity`: one question, the cheapest exact route to its answer, or sampling when exact would take minutes.

| game    | board  | route         | what it does                                                    |
|---------|--------|---------------|-----------------------------------------------------------------|
| hold'em | none   | factorisation | ranks and suits apart, for a few pairs of hands or dead cards   |
|         | none   | table         | a weighted sum over the table of all 1,326 x 1,326 matchups     |
|         | any    | sweep         | every board up to suits, sorted showdown with card removal      |
| Omaha   | none   | factorisation | ranks and suits apart: pairs of hands, or a hand against all    |
|         | none   | table         | a weighted sum over all class matchups, where a table is there  |
|         | any    | sweep         | as above, for four cards, high and low together                 |
|         | any    | enumeration   | every board, pair by pair: the least work for a few hands       |
| swaps   | any    | table         | hold'em with discards: see `headsup.discards.equity.answer`         |

Every route returns the same integers. The cost of each is estimated from counts of boards and hands, and the cheapest
is taken. If it is above `PATIENCE` seconds, the answer is sampled and reports so. While no kernel is loaded, small
questions are answered in NumPy (`headsup.equity.plain`): by factorisation before the flop, by enumeration on a board.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from math import comb

from headsup.cards.cards import Cards
from headsup.cards.games import check_game
from headsup.common.checks import as_call, as_text, check_seed, count, door, of_kind, whole
from headsup.common.display import duration
from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.equity.enumeration import PER_BLOCK, enumerate_grid
from headsup.equity.question import SWAPS, WITH_SWAPS, Holding, Question, read_question
from headsup.equity.results import EquityResult, Grid, high_grid, high_only
from headsup.equity.sampling import DEFAULT_SAMPLES, interval_of, sample_grid

METHODS = ("enumeration", "sweep", "factorisation", "table", "sampling")
PATIENCE = 60.0  # seconds that an exact answer may take before sampling is used instead, unless a method is asked for
LOADING = 0.5  # seconds that an answer in NumPy may take rather than load the compiler

Route = Callable[[Question, Watch | None], Grid]


@door(method=as_text, samples=count(), progress=as_call)
def equity(
    a: Holding,
    b: Holding,
    board: Cards | None = (),
    dead: Cards | None = (),
    game: str = "holdem",
    method: str | None = None,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    progress: Watch | None = None,
) -> EquityResult:
    """The first player's equity against the second's, exact unless sampling is asked for or exact would take minutes.

    `a` and `b` are range text, ranges or cards; `board` has 0, 3, 4 or 5 cards; `dead` cards are out of the deck.
    Cards are text, or a list of names or card ints: "Ks7d2c", ["Ks", "7d", "2c"] or [47, 21, 0]. `method` forces a
    route. `samples` and `seed` matter to sampling only. In `holdem-discard` both swap by the ectomynx report's rule.
    """
    samples, seed = whole(samples, "the number of samples", least=1), check_seed(seed)
    if check_game(game, WITH_SWAPS) == SWAPS:
        swaps = import_module("headsup.discards.equity.answer")
        many = swaps.DEFAULT_SAMPLES if samples == DEFAULT_SAMPLES else samples
        answer: EquityResult = swaps.swap_equity(a, b, board, dead, method, many, seed, progress)
        return answer
    question = read_question(a, b, board, dead, game)
    note, chosen = None, method is None
    if method is None:
        method, seconds = cheapest(question)
        if seconds > PATIENCE:
            method, note = "sampling", f"the exact answer would take about {duration(seconds)} by {method}"
    elif method not in METHODS:
        raise UserError(f"'{method}' is not a method: choose one of {', '.join(METHODS)}")
    texts = (question.a.text, question.b.text)
    if method == "sampling":
        grid = sample_grid(question, samples, seed, progress)
        return EquityResult(game, texts, grid, method, False, question.unit, seed, samples, interval_of(grid), note)
    plain = _plain(question, method) if chosen else None
    grid, method = plain or (_route(question, method)(question, progress), method)
    parts = game != "omaha8" or method != "table"
    result = EquityResult(game, texts, grid, method, unit=question.unit, parts=parts)
    if result.deals != question.deals:
        raise AssertionError(f"{method} counted {result.deals} deals where there are {question.deals}")
    return result


def cheapest(question: Question) -> tuple[str, float]:
    """The exact method with the least estimated time, and that time in seconds."""
    if not question.board and len(question.a.combos) == len(question.b.combos) == 1:
        return "factorisation", 1e-3  # always the least, and faster than the estimates
    costs = estimates(question)
    best = min(costs, key=lambda method: costs[method])
    return best, costs[best]


@door(question=of_kind(Question))
def estimates(question: Question) -> dict[str, float]:
    """Roughly how many seconds each exact method takes on this question, compiled and on one core."""
    hands = len(question.a.combos) + len(question.b.combos)
    pairs = len(question.a.combos) * len(question.b.combos)
    every = comb(52 - len(question.board) - len(question.dead), question.missing)
    boards = max(every / len(question.symmetry), 1)
    # Brute force values hands one after the other, some boards at a time: a call for each hand in each block of boards.
    calls = hands * max(1.0, every * hands / PER_BLOCK)
    costs = {"enumeration": every * (40e-9 * hands + 3e-9 * pairs) + 50e-6 * calls}
    if question.game == "holdem":
        costs["sweep"] = boards * (0.3e-6 + 12e-9 * hands)
        if not question.board:
            costs["factorisation"] = 0.4e-3 * pairs if question.dead else 1e-3 + 60e-9 * pairs
            if not question.dead:
                from headsup.equity.holdem.table import table_cost

                costs["table"] = table_cost() + 4e-9 * pairs
        return costs
    costs["enumeration"] *= 3
    costs["sweep"] = 0.02 + boards * (10e-6 + (400e-9 if question.game == "omaha8" else 150e-9) * hands)
    if not question.board:
        costs |= _omaha_preflop_estimates(question)
    return costs


def _omaha_preflop_estimates(question: Question) -> dict[str, float]:
    from headsup.equity.omaha.preflop import pairs_cost, random_cost, table_cost

    costs = {"factorisation": min(random_cost(question), pairs_cost(question))}
    from_table = table_cost(question)
    return costs if from_table is None else costs | {"table": from_table}


def _route(question: Question, method: str) -> Route:
    """The function for a method; a `UserError` if it cannot answer this question."""
    if method == "enumeration":
        return enumerate_grid
    if method == "factorisation" and question.board:
        raise UserError("factorisation answers preflop questions: leave the board out or use method sweep")
    if method == "table" and (question.board or question.dead):
        raise UserError("the table answers preflop questions without dead cards: use method sweep")
    return (_holdem_route if question.game == "holdem" else _omaha_route)(method)


def _plain(question: Question, method: str) -> tuple[Grid, str] | None:
    """The answer to a small question without the compiler, if that is quicker than `method`, and how it was counted."""
    if question.game == "holdem" and not (question.board or question.dead):
        return None  # looked up in what ships, without the compiler
    if not is_quicker(question, method):
        return None
    from headsup.equity.plain import plain_grid

    return plain_grid(question), "enumeration" if question.board else "factorisation"


def is_quicker(question: Question, method: str) -> bool:
    """Whether NumPy takes less time than loading the compiler for a method; not once kernels are loaded."""
    if "numba" in sys.modules:
        return False
    pairs = len(question.a.combos) * len(question.b.combos)
    if not question.board:
        return method == "factorisation" and pairs * 5e-3 < LOADING
    boards = comb(52 - len(question.board), question.missing)
    each = 2e-9 if question.game == "holdem" else 2e-8
    hands = len(question.a.combos) + len(question.b.combos)
    return method in ("sweep", "enumeration") and boards * (each * pairs + 1e-7 * hands) < LOADING


def _holdem_route(method: str) -> Route:
    if method == "sweep":
        from headsup.equity.holdem.sweep import sweep_counts

        return lambda question, progress: high_grid(*sweep_counts(question, progress))
    if method == "table":
        from headsup.equity.holdem.table import table_counts

        return lambda question, progress: high_grid(*table_counts(question))
    from headsup.equity.holdem.preflop import pairs_counts

    return lambda question, progress: high_grid(*pairs_counts(question, progress))


def _omaha_route(method: str) -> Route:
    from headsup.equity.omaha import preflop as omaha_preflop
    from headsup.equity.omaha.sweep import omaha_sweep

    if method == "sweep":
        return omaha_sweep
    if method == "factorisation":
        return lambda question, progress: _in_game(question, omaha_preflop.factorised_grid(question, progress))
    return omaha_preflop.table_grid


def _in_game(question: Question, grid: Grid) -> Grid:
    return grid if question.game == "omaha8" else high_only(grid)
