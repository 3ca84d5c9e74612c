"""`headsup equity`: exact equities with their counts."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from headsup.cli import as_shown
from headsup.cli.options import add_json, print_answer, show_progress
from headsup.common.checks import check_seed
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from headsup.discards.equity.best import SwapAdvice
    from headsup.equity.results import EquityResult

HELP = """Compute the exact equity of a hand or range against another, with counts of wins, ties and losses.

A and B are hands or ranges: AsKh, QQ+, 'A2s+,KTo+', AsQsAdJd, 'AA:$ds'. `headsup range` explains ranges.

In holdem-discard each player may swap a hole card on the flop and on the turn; both follow the rule of the ectomynx
report. With --swap best and a board, the output says which card of each hand of A goes."""

LONG = 10**13  # with this many deals, counts are printed as percentages
SHOWN = 12  # hands whose swaps are listed
SHORT = 12  # names may be folded to this width before counts are printed as percentages


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="the first player's hand or range")
    parser.add_argument("b", metavar="B", help="the second player's hand or range")
    parser.add_argument("--board", default="", metavar="CARDS", help="0, 3, 4 or 5 cards, such as Ks7d2c")
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards removed from the deck")
    games = "holdem (default), omaha, omaha8 or holdem-discard"
    parser.add_argument("--game", default="holdem", metavar="GAME", help=games)
    methods = "enumeration, sweep, factorisation, table or sampling (default: the fastest exact one)"
    parser.add_argument("--method", metavar="NAME", help=methods)
    parser.add_argument("--samples", type=int, metavar="N", help="sample N deals instead of counting all")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the sampling (default 0)")
    swap = "holdem-discard: how A swaps: rule (default), best, or best-last, which sees whether B has swapped"
    parser.add_argument("--swap", metavar="HOW", help=swap)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    method = _method(args)
    from headsup.cards.games import check_game
    from headsup.equity.question import SWAPS, WITH_SWAPS, read_question

    check_seed(args.seed or 0)
    if check_game(args.game, WITH_SWAPS) == SWAPS:
        return _with_swaps(args, method)
    if args.swap is not None:
        raise UserError(f"--swap is for game {SWAPS}: add --game {SWAPS} or leave it out")
    read_question(args.a, args.b, args.board, args.dead, args.game)  # errors come before the kernels are loaded
    from headsup.equity.api import equity
    from headsup.equity.sampling import DEFAULT_SAMPLES

    samples = DEFAULT_SAMPLES if args.samples is None else args.samples
    with show_progress("counting deals") as progress:
        result = equity(args.a, args.b, args.board, args.dead, args.game, method, samples, args.seed or 0, progress)
    return _print(result, args)


def _with_swaps(args: argparse.Namespace, method: str | None) -> int:
    """Hold'em with discards: from the table that ships, without kernels, or from random deals."""
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
        console.print(f"With the best swap: {best.equity:.4%}, a gain of {best.gain.gain:.4%} ({how_found}).")
        for advice in best.gain.advice[:SHOWN]:
            _show_swap(console, advice)
        if len(best.gain.advice) > SHOWN:
            console.print(f"{SHOWN} of {len(best.gain.advice)} hands are shown; --json has all.")

    return print_answer(args, best.as_dict, print_best)


def _show_swap(console: Console, advice: SwapAdvice) -> None:
    """One line for each situation: which card goes, and the equity of each choice."""
    for option in advice.options:
        card = advice.thrown(option.best)
        seen = {"first": "", "last, after a keep": " if B keeps", "last, after a swap": " if B swaps"}[option.situation]
        shares = [f"keep {option.keep:.2%}"]
        shares += [f"throw {advice.thrown(i + 1)} {share:.2%}" for i, share in enumerate(option.throw)]
        ruled = "" if advice.rule == option.best else f"; the rule {_does(advice.thrown(advice.rule))}"
        console.print(f"{advice.hand}{seen}: {_does(card, 'throw', 'keep both')} ({', '.join(shares)}{ruled})")


def _does(card: str | None, throw: str = "throws", keep: str = "keeps both") -> str:
    return keep if card is None else f"{throw} {card}"


def _print(result: EquityResult, args: argparse.Namespace) -> int:
    return print_answer(args, result.as_dict, lambda console: show(console, result, args.board, args.dead))


def _method(args: argparse.Namespace) -> str | None:
    method: str | None = args.method or ("sampling" if args.samples is not None else None)
    if method != "sampling":
        if args.samples is not None:
            raise UserError(f"--samples needs --method sampling, not {method}: leave one of them out")
        if args.seed is not None:
            raise UserError("--seed is for sampling: add --samples N or --method sampling, or leave it out")
    return method


def show(console: Console, result: EquityResult, board: str = "", dead: str = "") -> None:
    """A table of equities and counts, and one line on the method."""
    from rich.text import Text

    from headsup.cards.games import GAME_NAMES
    from headsup.cli.console import print_table
    from headsup.equity.question import SWAPS

    title = "hold'em with swaps" if result.game == SWAPS else GAME_NAMES[result.game]
    title += f" on {board}" if board else " before the flop"
    title += f", {dead} dead" if dead else ""
    percentages = result.deals >= LONG or _width(result, False) > console.width
    console.print(title, style="bold")
    print_table(console, _table(console, result, percentages))
    first = result.players[0]
    if first.low is not None:
        high, low = _three(first.high, result.deals, percentages), _three(first.low, result.deals, percentages)
        none = _count(first.low["none"], result.deals, percentages)
        console.print(f"{first.text}: high {high}; low {low}, none in {none}")
    if not result.parts:
        console.print("This method does not count high and low separately; factorisation and sweep do.")
    console.print(Text(result.how, style="green" if result.exact else "yellow"))


def _columns(result: EquityResult, percentages: bool) -> dict[str, list[str]]:
    from headsup.equity.results import WORDS

    players = result.players
    columns = {"equity": [f"{player.equity:.4%}" for player in players]}
    for name in players[0].counts:
        cells = [_count(player.counts[name], result.deals, percentages) for player in players]
        columns[WORDS.get(name, name)] = cells
    return columns


def _width(result: EquityResult, percentages: bool) -> int:
    """The width of the table with the shortest readable names."""
    names = min(SHORT, max(len(player.text) for player in result.players))
    return names + sum(1 + max(map(len, (name, *cells))) for name, cells in _columns(result, percentages).items())


def _table(console: Console, result: EquityResult, percentages: bool) -> Table:
    """Both players' numbers; names are folded before numbers, and nothing is cut off."""
    from rich.table import Table
    from rich.text import Text

    columns, texts = _columns(result, percentages), [player.text for player in result.players]
    table = Table(box=None, pad_edge=False)
    room = console.width - _width(result, percentages) + min(SHORT, max(map(len, texts)))
    table.add_column("", overflow="fold", max_width=max(1, room))
    for name in columns:
        table.add_column(as_shown(name, console.encoding), justify="right", overflow="fold")
    for i, colour in enumerate(("cyan", "magenta")):
        equity, *counts = (cells[i] for cells in columns.values())
        table.add_row(Text(texts[i], style=colour), Text(equity, style="bold"), *counts)
    return table


def _three(counts: Mapping[str, int], deals: int, percentages: bool) -> str:
    verbs = (("win", "wins"), ("tie", "ties"), ("lose", "loses"))
    return ", ".join(f"{verb} {_count(counts[name], deals, percentages)}" for name, verb in verbs)


def _count(count: int, deals: int, percentages: bool) -> str:
    """A count, or a percentage of the deals if counts are too long."""
    return f"{count / deals:.4%}" if percentages else f"{count:,}"
