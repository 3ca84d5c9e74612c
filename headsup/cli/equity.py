"""`headsup equity`: who wins how much of the pot, exactly, with the counts behind it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from headsup.cli.options import add_json, print_answer
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from headsup.equity.results import EquityResult

HELP = """Exact equity of a hand or range against another, with the counts behind it.

A and B are hands or ranges: AsKh, QQ+, 'A2s+,KTo+', AsQsAdJd, 'AA:$ds'. See `headsup range` for what a text means.

In holdem-discard each may change a hole card on the flop and on the turn; both follow the ectomynx report's rule."""

LONG = 10**13
"""From so many deals on, as finely weighted ranges have them, counts are printed as shares."""
SHORT = 12
"""Names of players may be folded to so many characters before counts are printed as shares."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("a", metavar="A", help="the first player's hand or range")
    parser.add_argument("b", metavar="B", help="the second player's hand or range")
    parser.add_argument("--board", default="", metavar="CARDS", help="0, 3, 4 or 5 cards, such as Ks7d2c")
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards out of the deck")
    games = "holdem (default), omaha, omaha8 or holdem-discard"
    parser.add_argument("--game", default="holdem", metavar="GAME", help=games)
    parser.add_argument(
        "--method",
        metavar="NAME",
        help="enumeration, sweep, factorisation, table or sampling (default: the cheapest exact)",
    )
    parser.add_argument("--samples", type=int, metavar="N", help="deals to sample; asks for sampling")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the sampling (default 0)")
    parser.add_argument(
        "--swap",
        metavar="HOW",
        help="holdem-discard: how A swaps: rule (default), best, or best-last, which sees whether B has swapped",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Answer the question and print it."""
    method = _method(args)
    from headsup.cards.games import check_game
    from headsup.common.checks import check_seed
    from headsup.equity.question import SWAPS, WITH_SWAPS, read_question

    check_seed(args.seed or 0)
    if check_game(args.game, WITH_SWAPS) == SWAPS:
        return _with_swaps(args, method)
    if args.swap is not None:
        raise UserError(f"--swap is for game {SWAPS}: add --game {SWAPS} or leave it out")
    read_question(args.a, args.b, args.board, args.dead, args.game)  # a mistake is told before the kernels are loaded
    from headsup.cli.progress import show_progress
    from headsup.equity.api import equity
    from headsup.equity.sampling import DEFAULT_SAMPLES

    samples = DEFAULT_SAMPLES if args.samples is None else args.samples
    with show_progress("counting deals") as progress:
        result = equity(args.a, args.b, args.board, args.dead, args.game, method, samples, args.seed or 0, progress)
    return _print(result, args)


def _with_swaps(args: argparse.Namespace, method: str | None) -> int:
    """Answer where cards may be changed: from the table that ships, without the kernels, or from random deals."""
    from headsup.cli.progress import show_progress
    from headsup.discards.equity.answer import DEFAULT_SAMPLES, best_equity, swap_equity

    samples, seed = DEFAULT_SAMPLES if args.samples is None else args.samples, args.seed or 0
    if args.swap in (None, "rule"):
        with show_progress("dealing") as progress:
            result = swap_equity(args.a, args.b, args.board, args.dead, method, samples, seed, progress)
        return _print(result, args)
    with show_progress("dealing") as progress:
        best = best_equity(args.a, args.b, args.board, args.dead, args.swap, samples, seed, progress, method)
    margin, flops = best.gain.margin, best.gain.flops
    how_found = f"+- {margin:.2%}, on {flops} flops" if margin else "on all flops" if flops > 1 else "on this board"

    def print_best(console: Console) -> None:
        show(console, best.rule, args.board, args.dead)
        console.print(f"With the best swap {best.equity:.4%}: a gain of {best.gain.gain:.4%} ({how_found}).")

    return print_answer(args, best.as_dict, print_best)


def _print(result: EquityResult, args: argparse.Namespace) -> int:
    return print_answer(args, result.as_dict, lambda console: show(console, result, args.board, args.dead))


def _method(args: argparse.Namespace) -> str | None:
    """The method that the options ask for, if any; options that contradict each other are a mistake."""
    method: str | None = args.method or ("sampling" if args.samples is not None else None)
    if method != "sampling":
        if args.samples is not None:
            raise UserError(f"--samples asks for sampling and --method for {method}: leave one of them out")
        if args.seed is not None:
            raise UserError("--seed is for sampling: add --samples N or --method sampling, or leave it out")
    return method


def show(console: Console, result: EquityResult, board: str = "", dead: str = "") -> None:
    """Print a result for people: a table of shares and counts, and one line that says how it was found."""
    from rich.text import Text

    from headsup.cards.games import GAME_NAMES
    from headsup.cli.console import print_table
    from headsup.equity.question import SWAPS

    title = "hold'em with swaps" if result.game == SWAPS else GAME_NAMES[result.game]
    title += f" on {board}" if board else " before the flop"
    title += f", {dead} dead" if dead else ""
    shares = result.deals >= LONG or _width(result, False) > console.width
    console.print(title, style="bold")
    print_table(console, _table(console, result, shares))
    first = result.players[0]
    if first.low is not None:
        high, low = _three(first.high, result.deals, shares), _three(first.low, result.deals, shares)
        none = _count(first.low["none"], result.deals, shares)
        console.print(f"{first.text}: high {high}; low {low}, none in {none}")
    if not result.parts:
        console.print("The high and low parts are not counted by this route; factorisation and sweep count them.")
    console.print(Text(result.how, style="green" if result.exact else "yellow"))


def _columns(result: EquityResult, shares: bool) -> dict[str, list[str]]:
    """The columns of numbers: heading, and a cell for each player."""
    from headsup.equity.results import WORDS

    players = result.players
    columns = {"equity": [f"{player.equity:.4%}" for player in players]}
    for name in players[0].counts:
        cells = [_count(player.counts[name], result.deals, shares) for player in players]
        columns[WORDS.get(name, name)] = cells
    return columns


def _width(result: EquityResult, shares: bool) -> int:
    """How wide the numbers are beside the shortest column of names that is still good to read."""
    names = min(SHORT, max(len(player.text) for player in result.players))
    return names + sum(1 + max(map(len, (name, *cells))) for name, cells in _columns(result, shares).items())


def _table(console: Console, result: EquityResult, shares: bool) -> Table:
    """Both players' numbers; the names give way before a number is folded, and nothing is ever cut off."""
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.streams import as_shown

    columns, texts = _columns(result, shares), [player.text for player in result.players]
    table = Table(box=None, pad_edge=False)
    room = console.width - _width(result, shares) + min(SHORT, max(map(len, texts)))
    table.add_column("", overflow="fold", max_width=max(1, room))
    for name in columns:
        table.add_column(as_shown(name, console.encoding), justify="right", overflow="fold")
    for i, colour in enumerate(("cyan", "magenta")):
        equity, *counts = (cells[i] for cells in columns.values())
        table.add_row(Text(texts[i], style=colour), Text(equity, style="bold"), *counts)
    return table


def _three(counts: Mapping[str, int], deals: int, shares: bool) -> str:
    verbs = (("win", "wins"), ("tie", "ties"), ("lose", "loses"))
    return ", ".join(f"{verb} {_count(counts[name], deals, shares)}" for name, verb in verbs)


def _count(count: int, deals: int, shares: bool) -> str:
    """A count in full, or its share of the deals where counts are too long to read."""
    return f"{count / deals:.4%}" if shares else f"{count:,}"
