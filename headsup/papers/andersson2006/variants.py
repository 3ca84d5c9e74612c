"""Why AggroBot was not the paper's: buckets before the flop, equilibria of the model; and chapters 6 and 7 as bots.

    python -m headsup.papers.andersson2006.variants 15

prints a line of JSON for each bot that ships at a stack: what it wins from Allin, exactly, and from Caller. With
`--samples 100` it makes and prints the paper's bot and that of the river's buckets with odds of 100 random boards.
"""

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

from headsup.common.display import print_line
from headsup.common.errors import plainly
from headsup.papers.andersson2006.bot.equilibria import figures
from headsup.papers.andersson2006.bot.make import make
from headsup.papers.andersson2006.bot.strategy import STACKS, VARIANTS, shipped_bot
from headsup.papers.andersson2006.model import PARTS
from headsup.papers.andersson2006.results import TABLES, PrintedMatch
from headsup.papers.section import Rows, Section, stored, written

STORED = Path(__file__).parent / "data" / "variants.json"
NORMAL = 1.96
SAMPLED = ("", "edges")  # bots that are made with sampled odds as well


def bots_at(stack: int) -> list[str]:
    """The bots that ship for a stack, the paper's and its variants; not those whose buckets depend on the betting."""
    own = [""] if stack in STACKS else []
    variants = {name: variant for name, variant in VARIANTS.items() if "|" not in variant.buckets}
    return own + [name for name, variant in variants.items() if stack in variant.stacks]


def _printed(stack: int, opponent: str) -> PrintedMatch:
    return next(row for row in TABLES[stack] if row.opponent == opponent)


def _paper(stack: int, sd: dict[str, float]) -> list[str]:
    """The printed results against Allin and Caller, with 95 % margins by the spread of a hand of ours."""
    rows = [(_printed(stack, name), sd[name]) for name in ("Allin", "Caller")]
    return [f"{row.printed:.2f} ± {NORMAL * spread / sqrt(row.hands):.2f}" for row, spread in rows]


def _shares(line: dict[str, float]) -> list[str]:
    return [f"{line[name]:.1%}" for name in PARTS]


def causes() -> list[Section]:
    """What each bot wins from the two opponents whose rules are known, beside the printed results."""
    rows: Rows = []
    for stack in TABLES:
        lines = [line for line in stored(STORED)["bots"] if line["stack"] == stack]
        plain = next(line for line in lines if not line["variant"])
        spreads = {"Allin": plain["allin_sd"], "Caller": plain["caller_sd"]}
        rows.append((f"{stack} bb", "the paper", *_paper(stack, spreads), *("" for _ in PARTS)))
        for line in lines:
            name = f"`aggrobot:{line['variant']}`" if line["variant"] else "`aggrobot`"
            name += f", odds of {line['samples']} random boards" if "samples" in line else ""
            caller = f"{line['caller']:.2f} ± {NORMAL * line['caller_se']:.2f}"
            rows.append(("", name, f"{line['allin']:.3f}", caller, *_shares(line)))
    groups: Rows = [
        (f"{line['stack']} bb", line["by"], f"{line['allin']:.3f}", f"{line['value']:.3f}", *_shares(line))
        for line in stored(STORED)["groups"]
    ]
    wishes: Rows = []
    for line in stored(STORED)["equilibria"]:
        seats = line.get("small_blind"), line.get("big_blind")
        bound = "" if seats[0] is None else f"{seats[0]['most']:.3f}, {seats[1]['most']:.3f}"
        name = line["wish"] or "as CFR+ finds it"
        caller = f"{line['caller']:.2f} ± {NORMAL * line['caller_se']:.2f}"
        wishes.append((f"{line['stack']} bb", name, f"{line['allin']:.3f}", caller, *_shares(line), bound))
    return [
        written(__file__, "causes", rows),
        written(__file__, "groups", groups),
        written(__file__, "equilibria", wishes),
    ]


def proposals() -> Section:
    """Chapters 6 and 7 as bots."""
    rows: Rows = []
    for name, variant in VARIANTS.items():
        for stack in variant.stacks:
            made = shipped_bot(stack, name).made
            worst = 1000.0 * made["largest exploitability of a model, bb"]
            drawn = made.get("boards per street drawn for the odds")
            odds = "all deals" if drawn is None else f"{drawn:,} boards"
            cells = (f"{made['value']:.4f}", f"{worst:.1f}", odds, f"{made['seconds of the processor']}")
            rows.append((f"`aggrobot:{name}`", f"{stack} bb", variant.about, *cells))
    return written(__file__, "proposals", rows)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What the bots that ship win from Allin and Caller, as JSON.")
    parser.add_argument("stack", type=int, help="in big blinds")
    parser.add_argument("--boards", type=int, default=600, help="boards drawn for the results against Caller")
    parser.add_argument("--samples", type=int, help="random boards for the odds of bots that are made now")
    args = parser.parse_args(given)
    for name in bots_at(args.stack) if args.samples is None else SAMPLED:
        line = {"stack": args.stack, "variant": name}
        if args.samples is None:
            bot = shipped_bot(args.stack, name)
        else:
            line["samples"] = args.samples
            with TemporaryDirectory() as folder:
                bot = make(Path(folder), args.stack, variant=name, samples=args.samples)
        print_line(**line, **figures(bot, args.boards))


if __name__ == "__main__":
    plainly(main)
