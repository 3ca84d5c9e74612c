"""Sections I to V: the report's parameters, what it leaves open, its faults and misplays, our strategy beside it."""

from __future__ import annotations

from functools import cache

import numpy as np

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_of_combo, parse_holdem_class
from headsup.common.arrays import Floats
from headsup.discards.equity.best import gain_table
from headsup.discards.equity.table import swap_table
from headsup.discards.strategy.data import shipped
from headsup.discards.strategy.hands import texture_bins
from headsup.discards.strategy.hands import textures as measured_textures
from headsup.discards.swap import swap_rule
from headsup.papers.ectomynx.bot.data import trained
from headsup.papers.ectomynx.bot.start import LEAD, TABLES, start_rows
from headsup.papers.ectomynx.bot.train_kernels import FLOP_ROWS, ROWS, TURN_ROWS
from headsup.papers.ectomynx.equities import HANDS
from headsup.papers.ectomynx.figures import command, figures
from headsup.papers.section import Rows, Section

FLOPS = (
    ("QsJsTs", "very wet"),
    ("9h6s2d", "not wet"),
    ("6s5s3c", "very volatile"),
    ("As9d2h", "not volatile"),
)
WET, WILD = ("very low", "low", "high", "very high"), ("low", "medium", "high")
OPEN, RAISED = 0, 2
"""Lines before the flop of our strategy: the button opens; the big blind after a raise."""
HOLDEM = {"AA": 0.8520, "22": 0.5033, "AKs": 0.6704, "AKo": 0.6532, "A3o": 0.5584, "98o": 0.4810}
"""Exact equities without swaps, `headsup equity HAND random`."""
CHOICES: Rows = [
    (
        "46 of 169 rows of the start",
        "illegible",
        "offsuit as suited; 55 to 22 limp 60 to 90 %; 54s, 53s, 52s, 43s, 42s, 32s fold",
    ),
    ("the row of 82s", "adds up to 1.8", ".70 and .30 make 1: the .80 is left out"),
    ("check-raises", '"significantly decreased"', "2.5 times rarer, as the slip that it reports turned round"),
    ("the constant in the exponent", "not said", "0.08 a chip, the best of 0.02, 0.08 and 0.3 in matches"),
    ("between played and intended level", '"to varying degrees"', "half as much for each level below the intended"),
    ("hands a cycle", "1e9, about an hour", "2,000,000, about 2.5 s of one core; 20 cycles"),
    ("textures of the river", "five bins, and an index for four", "five"),
    ("who swaps first", "not said", "the player out of position, and the other sees that it happened"),
    ("the swap rule in three corners", "not said", "`headsup.discards.swap` says how each is read"),
]  # fmt: skip


def textures() -> Section:
    """The flops that the report names."""
    boards = [parse_cards(text) for text, _ in FLOPS]
    rows: Rows = []
    for (text, said), (wet, wild), place in zip(
        FLOPS, measured_textures(boards).tolist(), texture_bins(boards).tolist(), strict=True
    ):
        rows.append((text, said, f"{wet:.2f}: {WET[place // 3]}", f"{wild:.2f}: {WILD[place % 3]}"))
    title = "Section Ia: wetness and volatility of the flops that it names"
    return Section(title, ("flop", "report", "wetness", "volatility"), rows)


def choices() -> Section:
    """What the report leaves open."""
    return Section("Sections I to IV: what is left open, and what we chose", ("", "report", "here"), CHOICES)


def faults() -> Section:
    """What each fault costs who has it."""
    names = ("fault", "report", "played with it, bb a hand", "trained with it, bb a hand")
    return Section("Section V: what was wrong, and what it cost", names, figures("faults"))


def misplays() -> Section:
    """The three plays that the report cannot explain."""
    river = trained().after[1][FLOP_ROWS + TURN_ROWS : ROWS].reshape(4 * 12, 14, -1, 12)
    nothing = float(np.delete(river[:, 0], (0, 6), axis=-1).max())  # levels above 0, leading or checking
    even = start_rows((), LEAD)[1]
    high = int((even[[3, 4, 5, 9, 10, 11]] > 0).sum())
    slow = [
        [float(start_rows(TABLES[s][k], lead)[1][6:].sum()) for s, k in ((1, 7), (2, 8))] for lead in (LEAD, 1 / LEAD)
    ]
    rows: Rows = [
        (
            "all-in on the river with ten high, which began at 0",
            f"weights are only multiplied, and the trained bot has {nothing:g} above level 0 with nothing; but draws "
            f"have no row for the river and begin evenly: {high} of {int((even > 0).sum())} choices go to level 3 or "
            "higher (our reading)",
        ),
        (
            "a set that checks to the end",
            f"the big blind's three of a kind begins by checking {slow[0][0]:.0%} on the turn and {slow[0][1]:.0%} on "
            f"the river, with the slip about check-raises {slow[1][0]:.0%} and {slow[1][1]:.0%}",
        ),
        (
            "a fold for 8 into a pot of 384",
            "cannot be by the rules as told: level 0 calls a fifth of the pot; such a history is not in its tables",
        ),
    ]  # fmt: skip
    return Section("Section V: the three misplays", ("what happened", "what we find"), rows)


def matches() -> Section:
    """Matches in the arena."""
    return Section("Matches, big blinds a hand for the first", ("match", "hands", "result", ""), figures("matches"))


def parts() -> Section:
    """What each part of ours is worth."""
    names = ("taken away from ours", "report", "bb a hand")
    return Section("Section V: what each improvement is worth", names, figures("parts"))


@cache
def _opening(line: int) -> Floats:
    """[169, 4] fold, call or limp, raise, all-in: our strategy on a line before the flop."""
    rows = shipped()[169 * line : 169 * (line + 1)].astype(np.float64)
    return np.asarray(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-9))


def _plays(hand: str) -> str:
    at = parse_holdem_class(hand)
    first, then = _opening(OPEN)[at], _opening(RAISED)[at]
    return f"{hand} opens with a raise {first[2] + first[3]:.0%}, folds to one {then[0]:.0%}"


def intuitions() -> Section:
    """What the authors expected, by equities and by the strategy that ships."""
    equity, gain = swap_table().equities, gain_table().gains[0]
    sizes = np.bincount(holdem_class_of_combo(), minlength=169)
    at = {name: parse_holdem_class(name) for name in ("AA", "66", "22", "32o", "A3o", "98o", "AKs", "AKo")}
    folded = [float(_opening(line)[:, 0] @ sizes / sizes.sum()) for line in (OPEN, RAISED)]
    small, least = (equity[at[name]] + gain[at[name]] for name in ("22", "32o"))
    rows: Rows = [
        (
            "small pairs fall: 22 has ~34 %",
            f"by the rule {equity[at['22']]:.1%}, {HOLDEM['22']:.1%} in hold'em; but {small:.1%} if it is broken "
            f"in time, as good as 32o ({least:.1%}): most of the fall is the rule's",
            f"{_plays('66')}; {_plays('22')}",
        ),
        (
            "big pairs are played fast before the flop",
            f"AA {equity[at['AA']]:.1%}, {HOLDEM['AA']:.1%} in hold'em: still far ahead",
            f"{_plays('AA')}; {_plays('KK')}",
        ),
        (
            "suits matter less",
            f"AKs is worth {equity[at['AKs']] - equity[at['AKo']]:.1%} more than AKo, "
            f"{HOLDEM['AKs'] - HOLDEM['AKo']:.1%} in hold'em",
            "",
        ),
        (
            "high cards rather than connectors: A3 above 98",
            f"{equity[at['A3o']]:.1%} against {equity[at['98o']]:.1%}; in hold'em {HOLDEM['A3o']:.1%} against "
            f"{HOLDEM['98o']:.1%}, so high cards lose some of their lead too",
            f"{_plays('A3o')}; {_plays('98o')}",
        ),
        (
            "hands are close, so nearly all are played",
            f"unpaired hands from {equity[at['32o']]:.1%} to {equity[at['AKs']]:.1%}",
            f"the button folds {folded[0]:.1%} of all hands, the big blind {folded[1]:.1%} to a raise",
        ),
        (
            "bets should be larger",
            "",
            "by texture, half the pot to the pot, they earn more than 2/3 of the pot everywhere, below",
        ),
    ]
    return Section("Section 0a: its intuitions", ("report", "equity", "our strategy (sampled, no equilibrium)"), rows)


def commands() -> Section:
    """How the figures of long runs were made."""
    told = {"duels": "hand against hand", "faults": "faults", "matches": "matches", "parts": "improvements"}
    rows: Rows = [(name, f"`{command(key)}`") for key, name in told.items()]
    return Section("How the figures that are not computed at once were measured", ("table", "command"), rows)


def mistakes() -> Section:
    """What cannot be as printed."""
    corner = "throws one" if swap_rule(parse_cards("8c4d"), parse_cards("9c9d8h4s")) else "keeps both, as told"
    rows: Rows = [
        ("section 0b", "2 billion hands", f"its cells scatter as {HANDS:,} random deals would"),
        ("section 0b", "the table of equities", "two faults explain it: straights missed, power reversed"),
        ("section 0b", "hand against hand", "pairs are up to two points too good against high cards, faults or not"),
        ("section Id", "84 on 99884 should throw the four", f"no swap is left there; on the turn 9984 it {corner}"),
        ("section III", "an index of 0 to 4 for the river", "five bins, so 0 to 5"),
        ("section Ic", "level 9 is level 3 if the big blind bets", "only if twelve levels are counted from 0"),
        ("appendix a", "a swap re-makes a flush draw 20 %", "the turn card may bring one back too: 31 % in all"),
        ("appendix a, gutshot", "67 + 13 + 9 = 89 %", "the row of not swapping does not add up to 100"),
        ("appendix b", "the row of 82s adds up to 1.8", "123 of 169 rows are legible"),
    ]  # fmt: skip
    return Section("What cannot be as printed", ("where", "printed", "so"), rows)
