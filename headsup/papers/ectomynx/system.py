"""Sections I to V: the report's parameters, what it leaves open, its faults and misplays, our strategy beside it."""

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
from headsup.papers.ectomynx.faulty import FIGURES
from headsup.papers.section import Rows, Section, stored, stored_rows, written

FLOPS = (("QsJsTs", "very wet"), ("9h6s2d", "not wet"), ("6s5s3c", "very volatile"), ("As9d2h", "not volatile"))
WET, WILD = ("very low", "low", "high", "very high"), ("low", "medium", "high")
OPEN, RAISED = 0, 2  # lines before the flop of our strategy: the button opens; the big blind after a raise
HOLDEM = {"AA": 0.8520, "22": 0.5033, "AKs": 0.6704, "AKo": 0.6532, "A3o": 0.5584, "98o": 0.4810}
"""Exact equities without swaps, `headsup equity HAND random`."""


def textures() -> Section:
    boards = [parse_cards(text) for text, _ in FLOPS]
    rows: Rows = []
    for (text, printed), (wet, wild), place in zip(
        FLOPS, measured_textures(boards).tolist(), texture_bins(boards).tolist(), strict=True
    ):
        rows.append((text, printed, f"{wet:.2f}: {WET[place // 3]}", f"{wild:.2f}: {WILD[place % 3]}"))
    return written(__file__, "textures", rows)


def misplays() -> Section:
    river = trained().after[1][FLOP_ROWS + TURN_ROWS : ROWS].reshape(4 * 12, 14, -1, 12)
    nothing = float(np.delete(river[:, 0], (0, 6), axis=-1).max())  # levels above 0, leading or checking
    even = start_rows((), LEAD)[1]
    high = int((even[[3, 4, 5, 9, 10, 11]] > 0).sum())
    slow = [
        [float(start_rows(TABLES[s][k], lead)[1][6:].sum()) for s, k in ((1, 7), (2, 8))] for lead in (LEAD, 1 / LEAD)
    ]
    return written(__file__, "misplays", nothing=nothing, high=high, even=int((even > 0).sum()), slow=slow)


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
    at = {name: parse_holdem_class(name) for name in ("AA", "22", "32o", "A3o", "98o", "AKs", "AKo")}
    ours = {name: float(swap_table().equities[i]) for name, i in at.items()}
    twos, least = (ours[name] + float(gain_table().gains[0][at[name]]) for name in ("22", "32o"))
    sizes = np.bincount(holdem_class_of_combo(), minlength=169)
    return written(
        __file__,
        "intuitions",
        ours=ours,
        holdem=HOLDEM,
        twos=(ours["22"], HOLDEM["22"], twos),
        least=least,
        suited=(ours["AKs"] - ours["AKo"], HOLDEM["AKs"] - HOLDEM["AKo"]),
        folded=[float(_opening(line)[:, 0] @ sizes / sizes.sum()) for line in (OPEN, RAISED)],
        small=(_plays("66"), _plays("22")),
        plays={hand: _plays(hand) for hand in ("AA", "KK", "A3o", "98o")},
    )


def measured(name: str) -> Section:
    """A table that took long runs."""
    return written(__file__, name, stored_rows(FIGURES, name))


def commands() -> Section:
    tables = {"duels": "hand against hand", "faults": "faults", "matches": "matches", "parts": "improvements"}
    rows: Rows = [(name, f"`{stored(FIGURES)[key]['command']}`") for key, name in tables.items()]
    return written(__file__, "commands", rows)


def mistakes() -> Section:
    corner = "discards one" if swap_rule(parse_cards("8c4d"), parse_cards("9c9d8h4s")) else "keeps both, as stated"
    return written(__file__, "mistakes", hands=HANDS, corner=corner)
