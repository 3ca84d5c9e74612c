"""Chapter 4 and section 5.2: the model's buckets, how hands move among them, bets, sizes; and what it plays."""

from functools import cache

import numpy as np

from headsup.abstraction.bets.sizes import METHODS, chances
from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_name, holdem_class_of_combo
from headsup.common.arrays import Floats
from headsup.common.plot import grid_chart
from headsup.games.betting.cut import decisions_below
from headsup.games.betting.rules import DEAL
from headsup.nolimit.shipped import nolimit_game, shipped_nolimit
from headsup.papers.andersson2006.bot.strategy import STACKS, preflop_model, shipped_bot
from headsup.papers.section import Rows, Section, written

MENU = (0.0, 0.5, 1.0, 2.0)  # the paper's bets as shares of the pot; the first is a check
PARTS = ("fold", "limp", "raise", "all-in")


def moves() -> Section:
    odds = shipped_bot(STACKS[0]).chances
    rows: Rows = []
    for street, name in ((0, "before the flop"), (1, "flop"), (2, "turn")):
        for bucket, row in enumerate(odds.move(street)):
            rows.append((f"{name}, bucket {bucket}", *(f"{share:.1%}" for share in row)))
    names = ("from", *(f"to bucket {k} of the next street" for k in range(odds.sizes()[1])))
    return Section("Section 4.1: transitions between buckets, counted over all deals", names, rows)


def wins() -> Section:
    odds = shipped_bot(STACKS[0]).chances
    rows: Rows = []
    for street, name in ((0, "before the flop"), (3, "river")):
        for bucket, row in enumerate(odds.share(street)):
            rows.append((f"{name}, bucket {bucket}", *(f"{share:.1%}" for share in row)))
    names = ("", *(f"against bucket {k}" for k in range(odds.sizes()[0])))
    return Section("Equity of a bucket against another, all-in", names, rows)


def readings() -> Section:
    rows: Rows = []
    for share, printed in ((0.3, "check 40 %, half the pot 60 %"), (0.25, "not worked out"), (1.5, ""), (3.0, "")):
        cells = (_reading(share, method) for method in METHODS)
        rows.append((f"{share:g} of the pot", printed, *cells))
    return written(__file__, "readings", rows)


def _reading(share: float, method: str) -> str:
    names = ("check", "half the pot", "the pot", "twice the pot", "all-in (at 5 pots)")
    return ", ".join(f"{names[at]} {chance:.0%}" for at, chance in chances(share, (*MENU, 5.0), method))


def sizes() -> Section:
    columns = [_column(stack) for stack in STACKS]
    labels = (
        "preflop model: nodes", "sequences of each player", "payoffs, written out", "postflop models",
        "payoffs of all of them", "time to solve, seconds of one core", "memory, MB",
    )  # fmt: skip
    printed = ("", "", "", "", "", '"a couple of hours" on a Pentium 4', '"up to 2.5Gb" at 20 bb')
    rows = [(label, *cells) for label, *cells in zip(labels, printed, *columns, strict=True)]
    names = ("", "paper", *(f"{stack} bb" for stack in STACKS))
    return Section("Section 5.2: sizes and times", names, rows)


def _column(stack: int) -> tuple[str, ...]:
    model = preflop_model(stack, shipped_bot(STACKS[0]).chances)
    tree, size = model.tree, model.size()
    lines = int(((tree.player == DEAL) & (tree.street == 0) & decisions_below(tree)).sum())
    made = shipped_bot(stack).made
    after = f"{made['payoffs of all postflop models']:,}"
    took = f"{made['seconds of the processor']} for all {made['models']} models"
    memory = f"{made['memory, MB']}"
    return f"{size.nodes:,}", f"{size.sequences[0]:,}", f"{size.payoffs:,}", f"{lines}", after, took, memory


# --- what is played --------------------------------------------------------------------------------------------------


@cache
def opening(agent: str, stack: int) -> Floats:
    """[1,326 hands, PARTS] the small blind's first action, by the paper's bot or by our older blueprint."""
    if agent == "aggrobot":
        from headsup.papers.andersson2006.bot.agent import BotHands

        bot = shipped_bot(stack)
        names, rows = bot.tree.actions(0), bot.table(0)[BotHands(bot).on(())[0]]
    else:
        played = nolimit_game(stack)
        names = played.betting.actions(0)
        rows = shipped_nolimit(stack).in_game(played).rows(0, played.board(0, 0)).T
    frequencies = np.zeros((len(rows), len(PARTS)))
    for name, column in zip(names, rows.T, strict=True):
        frequencies[:, PARTS.index({"call": "limp"}.get(name.split()[0], name.split()[0]))] += column
    return frequencies


def charts() -> dict[str, str]:
    """SVG files by name: the small blind's first action at 20 bb, the paper's bot and ours."""
    kind = holdem_class_of_combo()
    counts = np.bincount(kind, minlength=HOLDEM_CLASSES)
    drawn: dict[str, str] = {}
    for agent, title in (("aggrobot", "AggroBot, rebuilt"), ("nolimit", "our older blueprint")):
        shares = opening(agent, 20)
        means = np.stack([np.bincount(kind, column, HOLDEM_CLASSES) / counts for column in shares.T], axis=1)
        cells = [(holdem_class_name(i), means[i].tolist()) for i in range(HOLDEM_CLASSES)]
        drawn[f"{agent}-opens.svg"] = grid_chart(cells, PARTS, title=f"20 big blinds: the small blind opens, {title}")
    return drawn
