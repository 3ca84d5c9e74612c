"""`headsup equity`: who wins how much of the pot, exactly, with the counts behind it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.equity.blocks import Progress
    from headsup.equity.results import EquityResult

HELP = """Exact equity of a hand or range against another, with the counts behind it.

A and B are hands or ranges: AsKh, QQ+, 'A2s+,KTo+', AsQsAdJd, 'AA:$ds'. See `headsup range` for what a text means."""

GAME_NAMES = {"holdem": "hold'em", "omaha": "Omaha high", "omaha8": "Omaha hi-lo, eight or better"}
_COLUMNS = {"three_quarter": "¾ pot", "half": "½ pot", "quarter": "¼ pot"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("a", metavar="A", help="the first player's hand or range")
    parser.add_argument("b", metavar="B", help="the second player's hand or range")
    parser.add_argument("--board", default="", metavar="CARDS", help="0, 3, 4 or 5 cards, such as Ks7d2c")
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards out of the deck")
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default), omaha or omaha8")
    parser.add_argument(
        "--method",
        metavar="NAME",
        help="enumeration, sweep, factorisation, table or sampling (default: the cheapest exact)",
    )
    parser.add_argument("--samples", type=int, metavar="N", help="deals to sample; asks for sampling")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the sampling (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Answer the question and print it."""
    from headsup.equity.spot import read_spot

    read_spot(args.a, args.b, args.board, args.dead, args.game)  # a mistake is told before the kernels are loaded
    from headsup.equity.api import equity
    from headsup.equity.sampling import DEFAULT_SAMPLES

    method = args.method or ("sampling" if args.samples is not None else None)
    samples = DEFAULT_SAMPLES if args.samples is None else args.samples
    with progress_bar("counting deals") as progress:
        result = equity(args.a, args.b, args.board, args.dead, args.game, method, samples, args.seed, progress)
    if args.json:
        print(json.dumps(result.as_dict()))
    else:
        from rich.console import Console

        show(Console(highlight=False), result, args.board, args.dead)
    return 0


@contextmanager
def progress_bar(what: str) -> Iterator[Progress | None]:
    """A bar with an estimate on standard error when that is a terminal; it goes away when the work is done."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def show(console: Console, result: EquityResult, board: str = "", dead: str = "") -> None:
    """Print a result for people: a table of shares and counts, and one line that says how it was found."""
    from rich.table import Table
    from rich.text import Text

    title = GAME_NAMES[result.game]
    title += f" on {board}" if board else " before the flop"
    title += f", {dead} dead" if dead else ""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    table.add_column("equity", justify="right")
    players = result.players
    for name in players[0].counts:
        table.add_column(_COLUMNS.get(name, name), justify="right")
    for player, colour in zip(players, ("cyan", "magenta"), strict=True):
        cells = [_count(count, result.deals) for count in player.counts.values()]
        table.add_row(Text(player.text, style=colour), Text(f"{player.equity:.4%}", style="bold"), *cells)
    console.print(table)
    if players[0].low is not None:
        high, low = _three(players[0].high, result.deals), _three(players[0].low, result.deals)
        none = _count(players[0].low["none"], result.deals)
        console.print(f"{players[0].text}: high {high}; low {low}, none in {none}", markup=False)
    console.print(Text(how(result), style="green" if result.exact else "yellow"))


def how(result: EquityResult) -> str:
    """One sentence: exact or estimated, over how many deals, and by which method."""
    if result.interval is None:
        kind = "deals" if result.unit == 1 else f"weighted deals (each worth {result.unit})"
        return f"Exact: all {result.deals:,} {kind}, by {result.method}."
    why = f" because {result.note}" if result.note else ""
    return (
        f"Estimated{why}: {result.equity:.4%} ± {result.interval.margin:.4%} (95 % confidence) "
        f"from {result.deals:,} random deals, seed {result.seed}."
    )


def _three(counts: Mapping[str, int], deals: int) -> str:
    verbs = (("win", "wins"), ("tie", "ties"), ("lose", "loses"))
    return ", ".join(f"{verb} {_count(counts[name], deals)}" for name, verb in verbs)


def _count(count: int, deals: int) -> str:
    """A count in full; a share of the deals where finely weighted ranges make counts too long to read."""
    return f"{count:,}" if deals < 10**13 else f"{count / deals:.4%}"
