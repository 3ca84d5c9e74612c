"""`headsup demo`: a guided tour of what headsup can do so far, in colour, with the command for each stop.

The tour is the list `STOPS`: a title, the command that gives the same, and a function that prints the stop. A later
stage adds its stop to the list.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

HELP = "A guided tour in colour: exact equities, what they mean, and the command for each."

RANGE = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"


@dataclass(frozen=True)
class Stop:
    """One stop of the tour."""

    title: str
    command: str
    show: Callable[[Console], None]


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments: the tour is the same for everyone."""


def run(args: argparse.Namespace) -> int:
    """Walk through every stop."""
    from rich.console import Console

    console = Console(highlight=False)
    console.print("[bold]headsup[/]: from the rules of a heads-up poker game to play that can be proved good.")
    console.print("The first run compiles its kernels, which takes a few seconds; after that every stop is instant.\n")
    for number, stop in enumerate(STOPS, start=1):
        console.rule(f"[bold]{number}. {stop.title}", align="left")
        start = time.perf_counter()
        stop.show(console)
        console.print(f"[dim]{time.perf_counter() - start:.2f} s · the same from your shell:[/]  {stop.command}\n")
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


STOPS: list[Stop] = [
    Stop("Hand against hand, hold'em before the flop", "headsup equity AhKh QcQd", _hand_v_hand),
    Stop("Range against range on a flop", f"headsup equity QQ+,AKs {RANGE} --board Ks7d2c", _range_v_range),
    Stop("Omaha hi-lo, hand against hand", "headsup equity AsQsAdJd 5h4s3c2h --game omaha8", _hi_lo),
]
