"""Tables 5.1 and 5.2 played again by one command: `headsup reproduce andersson-2006 --hands 2000 --work FOLDER`.

Every row is a match of AggroBot as it ships against the agent that stands for the opponent today; rows with the same
agent share it. Against Allin the result is exact. A printed result is a mean of so many hands, and the spread of a hand
gives it an interval too: it is taken from our match.
"""

from collections.abc import Callable
from math import sqrt
from pathlib import Path

from headsup.common.progress import Watch
from headsup.papers.andersson2006.bot.against_allin import against_allin
from headsup.papers.andersson2006.results import BOT, TABLES, PrintedMatch
from headsup.papers.section import Rows, Section
from headsup.play.arena.match import Match, play

SEED = 2026
NORMAL = 1.96  # standard errors on each side of a 95 % interval
NAMES = ("opponent", "paper, 95 % CI by our spread", "our opponent", "AggroBot now, 95 % CI", "hands", "agree")


class Replayed:
    """What AggroBot won in a row, with half the width of its 95 % interval; and the spread of a hand."""

    def __init__(self, mean: float, margin: float, sd: float, hands: int) -> None:
        self.mean, self.margin, self.sd, self.hands = mean, margin, sd, hands

    def agrees(self, row: PrintedMatch) -> bool:
        """Whether both results may have the same mean, at 95 %."""
        off = row.won / row.hands - self.mean
        return abs(off) <= sqrt(self.margin**2 + self.printed_margin(row) ** 2)

    def printed_margin(self, row: PrintedMatch) -> float:
        return NORMAL * self.sd / sqrt(row.hands)


def replay_row(stack: int, agent: str, hands: int, folder: Path | None, jobs: int, watch: Watch | None) -> Replayed:
    if agent == "allin":
        exact = against_allin(stack)
        return Replayed(exact.mean, 0.0, exact.sd, 0)
    match = Match(BOT, agent, "holdem-nolimit", stack, hands, SEED, aivat=True, session=500)
    result = play(match, None if folder is None else folder / f"{agent}-{stack}", jobs, watch)
    if result.stopped:
        raise KeyboardInterrupt
    interval = result.interval
    return Replayed(interval.mean, (interval.high - interval.low) / 2.0, float(result.scores["plain"].std()), hands)


def replay(
    hands: int,
    folder: Path | None = None,
    jobs: int = 1,
    watch: Watch | None = None,
    say: Callable[[str], None] | None = None,
) -> list[Section]:
    """Both tables with new matches of so many hands; with a folder, a stopped run resumes."""
    sections, known = [], dict[tuple[int, str], Replayed]()
    for number, (stack, table) in enumerate(TABLES.items(), 1):
        rows: Rows = []
        for row in table:
            if (stack, row.agent) not in known:
                if say is not None:
                    say(f"{stack} bb: {BOT} against {row.agent}")
                known[stack, row.agent] = replay_row(stack, row.agent, hands, folder, jobs, watch)
            rows.append(_cells(row, known[stack, row.agent]))
        sections.append(Section(f"Table 5.{number} played again: {stack} bb, big blinds per hand", NAMES, rows))
    return sections


def _cells(row: PrintedMatch, now: Replayed) -> tuple[str, ...]:
    stands = f"`{row.agent}`" if row.alike else f"`{row.agent}`, stands in for {row.opponent}"
    ours = f"{now.mean:.3f} ± {now.margin:.3f}" if now.margin else f"{now.mean:.3f}, exact"
    paper = f"{row.won / row.hands:.2f} ± {now.printed_margin(row):.2f}"
    return row.opponent, paper, stands, ours, f"{now.hands:,}" if now.hands else "", "yes" if now.agrees(row) else "no"
