"""Tables 5.1 and 5.2 played again by one command: `headsup reproduce andersson-2006 --hands 2000 --work FOLDER`.

Every row is a match of AggroBot as it ships against the agent that stands for the opponent today; rows with the same
agent share it. Against Allin the result is exact. A printed result is a mean of so many hands, and the spread of a hand
gives it an interval too: it is taken from our match. `python -m headsup.papers.andersson2006.replay OUT.json` writes
such rows to a file; `data/replay.json` has those of the page, 100,000 hands each.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from headsup.common.errors import plainly
from headsup.common.files import parsed, write_json
from headsup.common.progress import Watch
from headsup.papers.andersson2006.bot.against_allin import against_allin
from headsup.papers.andersson2006.results import BOT, DATA, OURS, TABLES, PrintedMatch, result
from headsup.papers.section import Rows, Section, stored
from headsup.play.arena.match import Match, play

PLAYED = DATA / "replay.json"
SEED = 2026
NORMAL = 1.96  # standard errors on each side of a 95 % interval
NAMES = (
    *("opponent", "hands", "paper's AggroBot, 95 % CI by our spread", "our opponent"),
    *("AggroBot rebuilt, 95 % CI", "agree", "our older blueprint"),
)


class Replayed(NamedTuple):
    """What AggroBot won in a row, with half the width of its 95 % interval; and the spread of a hand."""

    mean: float
    margin: float
    sd: float
    hands: int

    def agrees(self, row: PrintedMatch) -> bool:
        """Whether both results may have the same mean, at 95 %."""
        off = row.won / row.hands - self.mean
        return abs(off) <= sqrt(self.margin**2 + self.printed_margin(row) ** 2)

    def printed_margin(self, row: PrintedMatch) -> float:
        return NORMAL * self.sd / sqrt(row.hands)

    def __str__(self) -> str:
        return (
            f"{self.mean:.3f} ± {self.margin:.3f}, {self.hands:,} hands" if self.margin else f"{self.mean:.3f}, exact"
        )


Played = Mapping[tuple[int, str], Replayed]  # by stack and agent


def replay_row(stack: int, agent: str, hands: int, folder: Path | None, jobs: int, watch: Watch | None) -> Replayed:
    if agent == "allin":
        exact = against_allin(stack)
        return Replayed(exact.mean, 0.0, exact.sd, 0)
    match = Match(BOT, agent, "holdem-nolimit", stack, hands, SEED, duplicate=True, aivat=True, session=500)
    outcome = play(match, None if folder is None else folder / f"{agent}-{stack}", jobs, watch)
    if outcome.stopped:
        raise KeyboardInterrupt
    interval = outcome.interval
    return Replayed(interval.mean, (interval.high - interval.low) / 2.0, float(outcome.scores["plain"].std()), hands)


def replay_rows(
    hands: int,
    folder: Path | None = None,
    jobs: int = 1,
    watch: Watch | None = None,
    say: Callable[[str], None] | None = None,
) -> Played:
    """New matches of so many hands for all rows; with a folder, a stopped run resumes."""
    pairs = dict.fromkeys((stack, row.agent) for stack, table in TABLES.items() for row in table)
    known: dict[tuple[int, str], Replayed] = {}
    for stack, agent in pairs:
        if say is not None:
            say(f"{stack} bb: {BOT} against {agent}")
        known[stack, agent] = replay_row(stack, agent, hands, folder, jobs, watch)
    return known


def stored_rows() -> Played:
    """The matches that ship."""
    return parsed(
        PLAYED,
        lambda: {
            (row["stack"], row["agent"]): Replayed(*(row[name] for name in Replayed._fields))
            for row in stored(PLAYED)["rows"]
        },
        "a list of matches",
    )


def compared(known: Played) -> list[Section]:
    """Both tables as printed beside these matches."""
    sections = []
    for number, (stack, table) in enumerate(TABLES.items(), 1):
        rows: Rows = [_cells(row, stack, known[stack, row.agent]) for row in table]
        sections.append(Section(f"Table 5.{number}: {stack} bb, big blinds per hand", NAMES, rows))
    return sections


def _cells(row: PrintedMatch, stack: int, now: Replayed) -> tuple[str, ...]:
    stands = f"`{row.agent}`" if row.alike else f"`{row.agent}`, stands in for {row.opponent}"
    divided = row.won / row.hands
    wrong = abs(round(divided, 2) - row.printed) > 0.005
    paper = f"{divided:.2f} ± {now.printed_margin(row):.2f}" + (f" ({row.printed:.2f} is printed)" if wrong else "")
    agree = "yes" if now.agrees(row) else "no"
    return row.opponent, f"{row.hands:,}", paper, stands, str(now), agree, result(OURS, row.agent, stack)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT.json")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--work", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    known = replay_rows(args.hands, args.work, args.jobs, say=partial(print, flush=True))
    rows = [{"stack": stack, "agent": agent, **now._asdict()} for (stack, agent), now in known.items()]
    write_json(args.out, {"rows": rows})


if __name__ == "__main__":
    plainly(main)
