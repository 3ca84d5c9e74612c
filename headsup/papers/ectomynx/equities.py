"""Section 0: equities with swaps, and what the rule loses."""

from functools import cache
from math import sqrt

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_sizes, parse_holdem_class
from headsup.common.arrays import Floats
from headsup.common.files import parsed, read_shipped
from headsup.common.plot import line_chart, scatter_chart
from headsup.discards.equity.best import gain_table
from headsup.discards.equity.table import swap_table
from headsup.equity.results import Z95
from headsup.papers.ectomynx.faulty import FAULTS, FOLDER, faulty
from headsup.papers.section import Rows, Section

REPORT = FOLDER / "equities.txt"
RANKS = "AKQJT98765432"
HANDS = 10_000_000
"""How many random deals the report's cells scatter like, both hands of each counted; it speaks of two billion."""
TOLD = {
    "straights": "straights missed if a middle card is paired",
    "power": "power comparison reversed",
    "both": "both faults",
}
SHOWN = (
    *("AA", "KK", "QQ", "JJ", "TT", "99", "88", "77", "66", "55", "44", "33", "22"),
    *("AKs", "AKo", "A3o", "A5o", "KQo", "JTs", "T9o", "98o", "65s", "54o", "72o", "32o"),
)


@cache
def report() -> Floats:
    """[169] the report's table, in the order of a chart."""
    read = lambda: np.array(read_shipped(REPORT).split(), dtype=np.float64).reshape(HOLDEM_CLASSES)  # noqa: E731
    return parsed(REPORT, read, "the report's table of equities")


def cells() -> Section:
    ours, printed = swap_table().equities.reshape(13, 13), report().reshape(13, 13)
    rows: Rows = [
        (RANKS[i], *(f"{printed[i, j]:.4f} / {ours[i, j]:.4f}" for j in range(13))) for i in range(13)
    ]  # fmt: skip
    title = "Section 0b: equity against a random hand, report / ours (suited above the diagonal; ours within 0.0005)"
    return Section(title, ("", *RANKS), rows)


def their_errors() -> Floats:
    """[169] standard errors of the report's cells if both hands of HANDS random deals were counted."""
    table = swap_table()
    seen = 2 * HANDS * holdem_class_sizes() / holdem_class_sizes().sum()
    return np.asarray(table.margins / Z95 * np.sqrt(table.deals / seen))


def summary() -> Section:
    row, column = np.divmod(np.arange(HOLDEM_CLASSES), 13)
    kinds = (row >= 0, row == column, row < column, row > column)
    rows: Rows = []
    tables = {"as stated": swap_table()} | {TOLD[fault]: faulty(fault) for fault in FAULTS}
    for name, table in tables.items():
        apart, own = report() - table.equities, table.margins / Z95
        squares = apart**2 / (their_errors() ** 2 + own**2)
        left = [sqrt(max(0.0, float((apart**2 - own**2)[which].mean()))) for which in kinds]
        beyond = int((squares > Z95**2).sum())
        rows.append((name, *(f"{error:.4f}" for error in left), f"{squares.sum():.0f}", f"{beyond}"))
    chance = [sqrt(float((their_errors()[which] ** 2).mean())) for which in kinds]
    rows.append(("sampling error alone", *(f"{error:.4f}" for error in chance), "169 ± 18", "8"))
    names = ("rule and showdown", "all", "pairs", "suited", "offsuit", "chi-square of 169", "beyond both errors")
    title = f"Distance of the report's table from its rule (root mean square; errors of {HANDS:,} random deals)"
    return Section(title, names, rows)


def gains() -> Section:
    table, best = swap_table(), gain_table()
    rows: Rows = []
    for name in SHOWN:
        at = parse_holdem_class(name)
        equity, gain = table.equities[at], best.gains[0, at]
        rows.append((name, f"{report()[at]:.4f}", f"{equity:.4f}", f"{gain:.4f}", f"{equity + gain:.4f}"))
    title = f"Section Id: what the rule loses (gains on all {best.flops:,} flops)"
    return Section(title, ("hand", "report", "by the rule", "gain of the best swap", "equity with it"), rows)


def differences() -> str:
    """The report's equities against ours, as SVG."""
    ours = swap_table().equities
    points = [(float(a), float(b), 1.0) for a, b in zip(ours, report(), strict=True)]
    notes = ("each dot a hand of 169", f"pairs lie above: aces by {report()[0] - ours[0]:.3f}")
    return scatter_chart(
        points, title="Equity with swaps, against a random hand", x="both by the report's rule", y="report", notes=notes
    )


def gain_chart() -> str:
    """What the best swap gains over the rule, by pair and kicker, as SVG."""
    best = gain_table().gains[0]
    lines = {
        "pairs": [(float(14 - i), 100 * float(best[14 * i])) for i in range(13)],
        "ace and offsuit kicker": [(float(14 - i), 100 * float(best[13 * i])) for i in range(1, 13)],
        "offsuit connectors": [(float(14 - i), 100 * float(best[13 * i + i - 1])) for i in range(1, 13)],
    }
    title = "What the best swap gains over the report's rule"
    return line_chart(lines, title=title, x="rank of the pair, or of the lower card", y="points of equity", dots=True)
