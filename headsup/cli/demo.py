"""`headsup demo`: a guided tour of what headsup can do, in colour, with the command for each scene.

The tour is the list `SCENES`: a title, the command that gives the same, and a function that prints the scene.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

HELP = "A guided tour in colour: equities, jam or fold, a rule card and a flop formula, and the command for each."

JAM_HAND = "AsKsQsJs"
CARD_HAND = "QsJs5h4d"
RANGE = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"


@dataclass(frozen=True)
class Scene:
    """One scene of the tour."""

    title: str
    command: str
    show: Callable[[Console], None]


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments: the tour is the same for everyone."""


def run(args: argparse.Namespace) -> int:
    """Walk through every scene."""
    from rich.text import Text

    from headsup.cli.console import make_console, print_heading

    console = make_console()
    promise = ": from the rules of a heads-up poker game to play that can be proved good."
    console.print(Text.assemble(("headsup", "bold"), promise))
    console.print("The first run compiles its kernels, which takes a few seconds; after that every stop is instant.\n")
    for number, scene in enumerate(SCENES, start=1):
        print_heading(console, f"{number}. {scene.title}")
        start = time.perf_counter()
        scene.show(console)
        console.print(f"{time.perf_counter() - start:.2f} s · the same from your shell:", style="dim")
        console.print(f"{scene.command}\n", soft_wrap=True)  # whole on a line, so that it can be copied
    console.print(
        Text.assemble("All of this to click on, in a browser: ", ("make serve", "bold"), ", or headsup serve")
    )
    return 0


def _hand_v_hand(console: Console) -> None:
    from headsup.cli.equity import show
    from headsup.equity import equity

    show(console, equity("AhKh", "QcQd"))
    console.print(
        "The classic coin flip is not quite one. Nobody dealt the 1,712,304 boards: ranks and suits were counted apart."
    )


def _range_v_range(console: Console) -> None:
    from headsup.cli.equity import show
    from headsup.equity import equity

    show(console, equity("QQ+,AKs", RANGE, "Ks7d2c"), "Ks7d2c")
    console.print(
        "A tight range against a fifth of all hands on a flop. Each turn and river is one sweep over the sorted hands, "
        "and no hand meets one that shares a card with it."
    )


def _hi_lo(console: Console) -> None:
    from headsup.cli.equity import show
    from headsup.equity import equity

    result = equity("AsQsAdJd", "5h4s3c2h", game="omaha8")
    show(console, result)
    low = result.players[0].low or {}
    console.print(
        "Double-suited aces against four wheel cards. "
        f"The aces win the high in {result.win / result.deals:.0%} of deals and are still behind, "
        f"because in {1 - low['none'] / result.deals:.0%} of deals a low takes half the pot."
    )


def _jam_or_fold(console: Console) -> None:
    from headsup.cli.jamfold_show import show
    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import answer

    stakes = Stakes.of(10)
    show(console, answer("holdem", stakes, fresh=True), stakes, "sb")
    console.print(
        "Solved from nothing just now: all 169 x 169 matchups are exact counts, and no opponent, however clever, can "
        "win more against this chart than its value says."
    )


def _jam_or_fold_hi_lo(console: Console) -> None:
    from headsup.cli.jamfold_show import show
    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import answer
    from headsup.jamfold.hands import parse_class

    stakes = Stakes.of(10)
    show(console, answer("omaha8", stakes), stakes, "sb", parse_class("omaha8", JAM_HAND))
    console.print(
        "One of 16,432 hand classes, from the equilibria that ship with headsup. More chips do not always "
        "mean fewer hands: some are folded at one stack and jammed again at a larger one."
    )


def _rule_card(console: Console) -> None:
    from headsup.distil.scorecards.drawing import WIDTH, card_text
    from headsup.distil.shipped import shipped_cards

    card = next(one for one in shipped_cards("omaha8") if one.lines == 4)
    console.print(card_text(card, min(WIDTH, console.width)), soft_wrap=True)
    console.print(
        "16,432 hand classes at every stack in four lines, found by optimisation. The price is exact: an opponent who "
        "knows the card by heart wins no more than that from it."
    )


def _card_advice(console: Console) -> None:
    from headsup.cli.rule import show
    from headsup.distil.scorecards.rule import card_rule
    from headsup.distil.shipped import shipped_card
    from headsup.jamfold.hands import parse_class

    rule = card_rule(shipped_card("omaha8", 4, row=True))
    show(console, rule.advise(parse_class("omaha8", CARD_HAND), 10.0, "bb"), explain=True)
    console.print("The card counts, and the equilibrium has the last word: what each choice is worth is known exactly.")


def _flop_formula(console: Console) -> None:
    from headsup.distil.formulas.formula import measured, one_hand
    from headsup.distil.formulas.problem import problem
    from headsup.distil.formulas.results import Task
    from headsup.distil.shipped import shipped_results

    task = Task("AA", "ATC", "FEAT_AVGERR", 0.025)
    known = next(one for one in shipped_results() if one.task == task)
    # the solver takes a moment, but its kernels many to compile: here its answer is only measured again
    formula = measured(task.hand, problem(one_hand(task.hand), task.villain), known.outcome)
    console.print(formula.sentence())
    console.print(
        f"Exact equities on 19,600 flops: {100 * formula.average_error:.2f} points off on average. Nobody counts turns "
        "and rivers at the table, but a look at three things and a sum anyone can do. No fewer of the 73 things one "
        "could look at are enough for 2.5 points: that is proved, and the formula ships with headsup."
    )


SCENES: list[Scene] = [
    Scene("Hand against hand, hold'em before the flop", "headsup equity AhKh QcQd", _hand_v_hand),
    Scene("Range against range on a flop", f"headsup equity QQ+,AKs {RANGE} --board Ks7d2c", _range_v_range),
    Scene("Omaha hi-lo, hand against hand", "headsup equity AsQsAdJd 5h4s3c2h --game omaha8", _hi_lo),
    Scene("Jam or fold: an equilibrium and its proof", "headsup jamfold --stack 10 --solve", _jam_or_fold),
    Scene(
        "Jam or fold in Omaha hi-lo",
        f"headsup jamfold --game omaha8 --stack 10 --hand {JAM_HAND}",
        _jam_or_fold_hi_lo,
    ),
    Scene("A rule card, with its price", "headsup distil --game omaha8 --rules 4", _rule_card),
    Scene(
        "What the card says about a hand",
        f"headsup rule card {CARD_HAND} --stack 10 --seat bb --explain",
        _card_advice,
    ),
    Scene("Aces on any flop, from three features", "headsup flop-formula AA ATC --error 2.5", _flop_formula),
]
