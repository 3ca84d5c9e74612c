"""The solved programs that ship, and what they imply for any other program of the same hand and range.

`headsup reproduce dalpasso-lancia-2015 --write` makes the file.
"""

import json
from functools import cache
from pathlib import Path

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class, holdem_class_name
from headsup.common.checks import as_text, door
from headsup.common.files import read_shipped
from headsup.distil.formulas.results import Result, Task, results_in
from headsup.distil.formulas.sharing import implied

DATA = Path(__file__).parents[1] / "data"
FORMULAS = "dalpasso-lancia-2015.json"


@cache
def shipped_results() -> tuple[Result, ...]:
    return results_in(DATA / FORMULAS, json.loads(read_shipped(DATA / FORMULAS)))


@door(hand=as_text, villain=as_text)
def shipped_for(hand: str, villain: str) -> dict[int, Result]:
    """The shipped results of a pair on exact equities, by number of features: the best of each."""
    best: dict[int, Result] = {}
    for result in _pair(hand, villain):
        size = len(result.weights)
        if size not in best or result.average_error < best[size].average_error:
            best[size] = result
    return dict(sorted(best.items()))


def shipped_answer(hand: str, villain: str, model: str, limit: float) -> Result | None:
    """The best formula and bound that the shipped programs have for this one; None if no formula of theirs fits.

    `hand` is two cards; their class decides, because the ranges of the programs are the same in all suits.
    """
    from headsup.equity.question import read_question

    pairs = {(result.task.hand, result.task.villain) for result in shipped_results()}
    name = holdem_class_name(holdem_class(parse_cards(hand)))
    named = sorted(text for held, text in pairs if held == name)
    theirs = read_question("ATC", villain).b
    same = next((text for text in named if read_question("ATC", text).b.same_as(theirs)), None)
    return None if same is None else implied(Task(name, same, model, limit), _pair(name, same))


def ships(task: Task) -> bool:
    """This very program was solved, as far as the time allowed."""
    return any(result.task == task for result in shipped_results())


def _pair(hand: str, villain: str) -> list[Result]:
    return [
        result
        for result in shipped_results()
        if (result.task.hand, result.task.villain, result.task.places) == (hand, villain, 0)
    ]
