"""`swap_equity`: equities of hold'em with swaps, from the shipped table (any range against `random`, without known
cards) or from random deals. On a board of three or four cards the swaps of that street are still to come.
"""

from headsup.cards.cards import Cards
from headsup.common.checks import check_seed, whole
from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.discards.equity.best import BestSwap, find_gain
from headsup.discards.equity.table import random_side, swap_table
from headsup.equity.question import SWAPS, Holding, Question, read_question
from headsup.equity.results import EquityResult, high_grid, mirrored

METHODS = ("table", "sampling")
DEFAULT_SAMPLES = 4_000_000  # deals that leave an interval of 0.0005 to either side


def swap_equity(
    a: Holding,
    b: Holding,
    board: Cards | None = (),
    dead: Cards | None = (),
    method: str | None = None,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    progress: Watch | None = None,
) -> EquityResult:
    """The first player's equity against the second's where both swap by the report's rule.

    `a`, `b`, `board` and `dead` are as in `headsup.equity.equity`; `samples` and `seed` matter to sampling only.
    """
    question = read_swaps(a, b, board, dead)
    samples, seed = whole(samples, "the number of samples", least=1), check_seed(seed)
    if method is None:
        method = "sampling" if random_side(question) is None else "table"
    if method == "table":
        return _from_table(question)
    if method != "sampling":
        raise UserError(f"'{method}' is not a method of {SWAPS}: choose one of {', '.join(METHODS)}")
    from headsup.discards.equity.deals import sample_swaps
    from headsup.equity.sampling import interval_of

    grid = sample_swaps(question, samples, seed, progress)
    texts = (question.a.text, question.b.text)
    return EquityResult(SWAPS, texts, grid, method, False, question.unit, seed, samples, interval_of(grid))


def best_equity(
    a: Holding,
    b: Holding,
    board: Cards | None = (),
    dead: Cards | None = (),
    swap: str = "best",
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    progress: Watch | None = None,
    method: str | None = None,
) -> BestSwap:
    """The first player's equity where it takes the best swap and the second follows the report's rule.

    `method`, `samples` and `seed` are those of `swap_equity`, which the gain of the swap is added to.
    """
    gain = find_gain(read_swaps(a, b, board, dead), swap, check_seed(seed), progress)
    return BestSwap(swap, swap_equity(a, b, board, dead, method, samples, seed, progress), gain)


def read_swaps(a: Holding, b: Holding, board: Cards | None, dead: Cards | None) -> Question:
    question = read_question(a, b, board, dead, "holdem")
    if len(question.board) == 5:
        raise UserError("five cards on the board leave nothing to swap: ask for game holdem")
    return question


def _from_table(question: Question) -> EquityResult:
    side = random_side(question)
    if side is None:
        raise UserError("the table has hands against random before the flop, no cards known: use method sampling")
    table = swap_table()
    counts, interval = table.of_side(question.b if side == 0 else question.a)
    win, tie, lose = counts.tolist()
    grid = high_grid(win, tie, lose)
    if side == 0:
        grid, interval = mirrored(grid), interval.mirrored()
    texts = (question.a.text, question.b.text)
    return EquityResult(SWAPS, texts, grid, "table", False, question.unit, table.seed, table.deals, interval)
