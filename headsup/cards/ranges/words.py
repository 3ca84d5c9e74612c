"""A range in words and in categories, for people."""

from __future__ import annotations

import numpy as np

from headsup.cards.cards import RANK_WORDS, cards_name, plural_rank, with_article
from headsup.cards.classes import card_classes, holdem_class_name, holdem_class_of_combo, holdem_class_sizes
from headsup.cards.combos import holdem_combos
from headsup.cards.games import hand_size
from headsup.cards.ranges.model import Range, range_text
from headsup.cards.ranges.pattern import ACE, Mask, match_macro
from headsup.cards.ranges.weights import UNIT, weights_in
from headsup.cards.ranges.write import ChartRun, chart_runs, whole_classes

_CATEGORIES: dict[int, dict[str, dict[str, str]]] = {
    2: {"kinds": {"pairs": "$op", "suited": "$s", "offsuit": "$o$np"}},
    4: {
        "suits": {
            "double-suited": "$ds",
            "single-suited": "$ss",
            "three of a suit": "$ts",
            "one suit": "$ms",
            "rainbow": "$rb",
        },
        "ranks": {"no pair": "$np", "one pair": "$op", "two pairs": "$tp", "three of a rank": "", "four of a rank": ""},
    },
}


def breakdown(hands: Range) -> dict[str, dict[str, tuple[int, int]]]:
    """For each way to sort hands: how many combos of the range, and of all hands, are of each sort."""
    n = hand_size(hands.game)
    classes = card_classes(n)
    inside = np.bincount(classes.of_combo[hands.weights > 0], minlength=len(classes.sizes))
    table: dict[str, dict[str, tuple[int, int]]] = {}
    for heading, sorts in _CATEGORIES[n].items():
        table[heading] = {}
        for name, macros in sorts.items():
            mask = _category(name, macros, n)
            table[heading][name] = (int(inside[mask].sum()), int(classes.sizes[mask].sum()))
    return table


def _category(name: str, macros: str, n: int) -> Mask:
    """One bool a class of `card_classes`: whether it is of this sort."""
    reps = card_classes(n).reps
    if not macros:
        ranks = reps >> 2  # ascending, as the cards are
        quads = ranks[:, 0] == ranks[:, 3]
        trips = (ranks[:, 0] == ranks[:, 2]) | (ranks[:, 1] == ranks[:, 3])
        return np.asarray(quads if name.startswith("four") else trips & ~quads)
    chosen = np.ones(len(reps), dtype=np.bool_)
    for macro in macros.split("$")[1:]:
        mask = match_macro(f"${macro}", n)
        assert mask is not None, "the table above names macros"
        chosen &= mask
    return chosen


def describe(hands: Range) -> str:
    if hands.combos == 0:
        return "No hand at all."
    if hands.combos == len(hands.weights) and hands.weights.min() == 1:
        return "Every hand."
    return _holdem_words(hands) if hands.game == "holdem" else _omaha_words(hands)


def _holdem_words(hands: Range) -> str:
    units = hands.units
    sentences = []
    for weight in weights_in(units):
        members = units == weight
        whole = whole_classes(members)
        words = [_run_words(run) for run in chart_runs(whole)]
        single = int(members.sum()) - hands_in(whole)
        if single:
            words.append(_single_words(members, whole) if single <= 6 else f"{single} single combos")
        text = ", ".join(words)
        often = "" if weight == UNIT else f" {100 * weight / UNIT:g}% of the time"
        sentences.append(f"{text[0].upper()}{text[1:]}{often}.")
    return " ".join(sentences)


def hands_in(whole: Mask) -> int:
    """How many combos a set of chart classes has."""
    return int(holdem_class_sizes()[whole].sum())


def _run_words(run: ChartRun) -> str:
    low, top = RANK_WORDS[run.low], RANK_WORDS[run.top]
    if run.kind == "p":
        if (run.low, run.top) == (0, ACE):
            return "every pair"
        if run.low == run.top:
            return f"a pair of {plural_rank(low)}"
        return (
            f"pairs of {plural_rank(low)} or better"
            if run.top == ACE
            else f"pairs from {plural_rank(low)} to {plural_rank(top)}"
        )
    kind = {"s": "suited ", "o": "offsuit ", "": ""}[run.kind]
    high = RANK_WORDS[run.high]
    if run.low == run.top:
        return f"{kind}{high}-{low}"
    if (run.low, run.top) == (0, run.high - 1):
        return f"every {kind}{high}" if run.high == ACE else f"every {kind}{high} with a lower card"
    if run.top == run.high - 1:
        return f"{kind}{high} with {with_article(low)} or better"
    return f"{kind}{high} with {with_article(low)} to {with_article(top)}"


def _single_words(members: Mask, whole: Mask) -> str:
    rest = members & ~whole[holdem_class_of_combo()]
    return ", ".join(cards_name(reversed(cards)) for cards in holdem_combos()[rest][::-1].tolist())


def _percent(share: float) -> str:
    return "under 0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"


def _omaha_words(hands: Range) -> str:
    table = breakdown(hands)
    count = hands.combos
    everywhere = len(hands.weights)
    sentences = []
    for heading, sorts in table.items():
        parts = [f"{_percent(inside / count)} {name}" for name, (inside, _) in sorts.items() if inside]
        sentences.append(f"By {heading}: {', '.join(parts)}.")
    mixed = int(((hands.weights > 0) & (hands.weights < 1)).sum())
    if mixed:
        sentences.append(f"{mixed:,} of them have a weight below 1.")
    return f"{count:,} of {everywhere:,} hands. " + " ".join(sentences)


def as_dict(hands: Range) -> dict[str, object]:
    """For JSON: counts, categories, and for hold'em the mean weight of each class in the range."""
    table = breakdown(hands)
    result: dict[str, object] = {
        "game": hands.game,
        "text": range_text(hands),
        "combos": hands.combos,
        "weighted_combos": hands.weighted_combos,
        "share": hands.share,
        "meaning": describe(hands),
        "breakdown": {heading: {name: pair[0] for name, pair in sorts.items()} for heading, sorts in table.items()},
    }
    if hands.game == "holdem":
        means = class_weights(hands)
        result["classes"] = {holdem_class_name(i): round(mean, 6) for i, mean in enumerate(means) if mean > 0}
    return result


def class_weights(hands: Range) -> list[float]:
    """The mean weight of each of the 169 classes, in the order of the chart."""
    totals = np.bincount(holdem_class_of_combo(), weights=hands.units, minlength=169)
    means: list[float] = (totals / 10000 / holdem_class_sizes()).tolist()
    return means
