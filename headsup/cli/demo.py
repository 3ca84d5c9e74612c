"""`headsup demo`: a guided tour with the command for each scene."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

HELP = "Show a guided tour: equities, jam or fold, a rule card and a flop formula, with their commands."

JAM_HAND = "AsKsQsJs"
CARD_HAND = "QsJs5h4d"
RANGE = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"


@dataclass(frozen=True)
class Scene:
    title: str
    command: str
    show: Callable[[Console], None]


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments: the tour is the same for everyone."""


def run(args: argparse.Namespace) -> int:
    from rich.text import Text

    from headsup.cli.console import make_console, print_heading

    console = make_console()
    promise = ": equilibria for heads-up poker, with exact exploitability, charts, rules and bots."
    console.print(Text.assemble(("headsup", "bold"), promise))
    console.print("The first run compiles kernels, which takes a few seconds; after that every scene is instant.\n")
    for number, scene in enumerate(SCENES, start=1):
        print_heading(console, f"{number}. {scene.title}")
        start = time.perf_counter()
        scene.show(console)
        console.print(f"{time.perf_counter() - start:.2f} s · the command:", style="dim")
        console.print(f"{scene.command}\n", soft_wrap=True)  # on one line, so that it can be copied
    console.print(Text.assemble("The same in a browser: ", ("make serve", "bold"), ", or headsup serve"))
    return 0


def _hand_v_hand(console: Console) -> None:
    from headsup.cli.equity import show
    from headsup.equity import equity

    show(console, equity("AhKh", "QcQd"))
    console.print(
        "The classic coin flip is not quite even. All 1,712,304 boards are counted exactly, ranks and suits separately."
    )


def _range_v_range(console: Console) -> None:
    from headsup.cli.equity import show
    from headsup.equity import equity

    show(console, equity("QQ+,AKs", RANGE, "Ks7d2c"), "Ks7d2c")
    console.print(
        "A tight range against a fifth of all hands on a flop, with card removal. Each turn and river is one sweep "
        "over the sorted hands."
    )


def _hi_lo(console: Console) -> None:
    from headsup.cli.equity import show
    from headsup.equity import equity

    result = equity("AsQsAdJd", "5h4s3c2h", game="omaha8")
    show(console, result)
    low = result.players[0].low or {}
    console.print(
        "Double-suited aces against four wheel cards. "
        f"The aces win the high in {result.win / result.deals:.0%} of deals and are still behind: "
        f"in {1 - low['none'] / result.deals:.0%} of deals a low takes half the pot."
    )


def _jam_or_fold(console: Console) -> None:
    from headsup.cli.jamfold_show import show
    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import answer

    stakes = Stakes.of(10)
    show(console, answer("holdem", stakes, fresh=True), stakes, "sb")
    console.print(
        "Solved just now from exact counts of all 169 x 169 matchups. No opponent can win more against this chart than "
        "the value of the game."
    )


def _jam_or_fold_hi_lo(console: Console) -> None:
    from headsup.cli.jamfold_show import show
    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import answer
    from headsup.jamfold.hands import parse_class

    stakes = Stakes.of(10)
    show(console, answer("omaha8", stakes), stakes, "sb", parse_class("omaha8", JAM_HAND))
    console.print(
        "One of 16,432 hand classes, from the equilibria that ship with headsup. Deeper stacks do not always mean "
        "fewer jams: some hands are folded at one stack and jammed again at a larger one."
    )


def _rule_card(console: Console) -> None:
    from headsup.distil.scorecards.drawing import WIDTH, card_text
    from headsup.distil.shipped import shipped_cards

    card = next(card for card in shipped_cards("omaha8") if card.lines == 4)
    console.print(card_text(card, min(WIDTH, console.width)), soft_wrap=True)
    console.print(
        "16,432 hand classes at every stack in four lines, found by optimisation. The cost is exact: the best opponent "
        "wins no more than that against the card."
    )


def _card_advice(console: Console) -> None:
    from headsup.cli.rule import show
    from headsup.distil.scorecards.rule import card_rule
    from headsup.distil.shipped import shipped_card
    from headsup.jamfold.hands import parse_class

    rule = card_rule(shipped_card("omaha8", 4, row=True))
    show(console, rule.advise(parse_class("omaha8", CARD_HAND), 10.0, "bb"), explain=True)
    console.print("The card's advice, checked against the equilibrium: the value of each choice is known exactly.")


def _flop_formula(console: Console) -> None:
    from headsup.distil.formulas.formula import measured, one_hand
    from headsup.distil.formulas.problem import problem
    from headsup.distil.formulas.results import Task
    from headsup.distil.formulas.shipped import shipped_results

    task = Task("AA", "ATC", "FEAT_AVGERR", 0.025)
    known = next(result for result in shipped_results() if result.task == task)
    # the search is quick but its kernels compile slowly: here the shipped result is only measured again
    formula = measured(task.hand, problem(one_hand(task.hand), task.villain), known.outcome)
    console.print(formula.sentence())
    console.print(
        f"A sum of three features estimates the equity on all 19,600 flops, {100 * formula.average_error:.2f} points "
        "off on average. It is proved that no two of the 73 features reach 2.5 points. The formula ships with headsup."
    )


SCENES: list[Scene] = [
    Scene("Hand against hand, hold'em before the flop", "headsup equity AhKh QcQd", _hand_v_hand),
    Scene("Range against range on a flop", f"headsup equity QQ+,AKs {RANGE} --board Ks7d2c", _range_v_range),
    Scene("Omaha hi-lo, hand against hand", "headsup equity AsQsAdJd 5h4s3c2h --game omaha8", _hi_lo),
    Scene("Jam or fold: an equilibrium and its exploitability", "headsup jamfold --stack 10 --solve", _jam_or_fold),
    Scene(
        "Jam or fold in Omaha hi-lo", f"headsup jamfold --game omaha8 --stack 10 --hand {JAM_HAND}", _jam_or_fold_hi_lo
    ),
    Scene("A rule card and its cost", "headsup distil --game omaha8 --rules 4", _rule_card),
    Scene(
        "What the card says about a hand", f"headsup rule card {CARD_HAND} --stack 10 --seat bb --explain", _card_advice
    ),
    Scene("Aces on any flop, from three features", "headsup flop-formula AA ATC --error 2.5", _flop_formula),
]
