"""`headsup flops`: a hold'em hand against a range on all 19,600 flops at once, exactly."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.equity.flops import FlopEquities

HELP = """A hold'em hand against a range on every flop at once, exactly: how its equity is spread, best and worst flops.

--out FILE.csv writes all 19,600 flops with their counts."""
SHOWN = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("hand", metavar="HAND", help="one hold'em hand, such as AsKs")
    parser.add_argument("range", metavar="RANGE", help="the opponent's range, such as RML, 15%% or random")
    parser.add_argument("--out", type=Path, metavar="FILE.csv", help="write every flop with its counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Count, then print the spread, and write the file if one is named."""
    import json

    from headsup.cli.progress import show_progress
    from headsup.equity import flop_equities
    from headsup.files import writable

    if args.out is not None:
        writable(args.out)
    with show_progress("counting boards") as progress:
        found = flop_equities(args.hand, args.range, progress)
    summary = _summary(args, found)
    try:
        if args.out is not None:
            _write(found, args.out)
    finally:  # a full disk does not take the figures with it
        if args.json:
            print(json.dumps(summary))
        else:
            _show(summary)
    return 0


def _summary(args: argparse.Namespace, found: FlopEquities) -> dict[str, object]:
    """The figures of all flops that leave the range a hand."""
    import numpy as np

    from headsup.cards.cards import cards_name

    equities = found.equities()
    order = np.argsort(equities, kind="stable")[: int((found.deals > 0).sum())]

    def flop(i: int) -> dict[str, object]:
        win, tie, deals = int(found.wins[i]), int(found.ties[i]), int(found.deals[i])
        name = cards_name(found.flops[i].tolist()[::-1])
        return {"flop": name, "equity": float(equities[i]), "win": win, "tie": tie, "lose": deals - win - tie}

    quarters = np.quantile(equities[order], [0, 0.25, 0.5, 0.75, 1])
    pots = 2 * found.wins.sum() + found.ties.sum()
    return {
        "hand": args.hand,
        "range": args.range,
        "exact": True,
        "flops": len(order),
        "deals": int(found.deals.sum()),
        "equity": float(pots / (2 * found.deals.sum())),
        "quantiles": dict(
            zip(("least", "quarter", "median", "three_quarters", "most"), quarters.tolist(), strict=True)
        ),
        "best": [flop(int(i)) for i in order[::-1][:SHOWN]],
        "worst": [flop(int(i)) for i in order[:SHOWN]],
    }


def _show(summary: dict[str, object]) -> None:
    from headsup.cli.console import make_console

    console = make_console()
    spread, best, worst = summary["quantiles"], summary["best"], summary["worst"]
    assert isinstance(spread, dict)
    assert isinstance(best, list)
    assert isinstance(worst, list)
    title = f"{summary['hand']} against {summary['range']} on {summary['flops']:,} flops"
    console.print(title, style="bold")
    parts = ", ".join(f"{name.replace('_', ' ')} {value:.2%}" for name, value in spread.items())
    console.print(f"equity {summary['equity']:.4%}; by flop: {parts}")
    for name, some in (("best", best), ("worst", worst)):
        console.print(f"{name}: " + ", ".join(f"{one['flop']} {one['equity']:.2%}" for one in some))
    console.print(f"Exact: {summary['deals']:,} deals in all.", style="green")


def _write(found: FlopEquities, path: Path) -> None:
    from headsup.cards.cards import cards_name
    from headsup.files import write_text

    rows = zip(found.flops.tolist(), found.wins.tolist(), found.ties.tolist(), found.deals.tolist(), strict=True)
    lines = [f"{cards_name(flop[::-1])},{win},{tie},{deals - win - tie}" for flop, win, tie, deals in rows]
    write_text(path, "\n".join(["flop,win,tie,lose", *lines, ""]))
