"""The frontier: for each number of lines the best card that was found, what it costs, and what is proved.

`make` finds one card and prices it; `make_all` makes every card of a game and can be stopped and called again.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from headsup.cards.cards import with_article
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.common.stop import asked
from headsup.distil.price import best_response_losses
from headsup.distil.scorecards.bounds import proved
from headsup.distil.scorecards.lines import pool
from headsup.distil.scorecards.objective import aim_of, lowest_floor, shares, stacks_up_to
from headsup.distil.scorecards.priced import ExactTrial, burden, losses, polish
from headsup.distil.scorecards.program import proof
from headsup.distil.scorecards.records import DIGITS, CardRecord, every_stack, read, write
from headsup.distil.scorecards.scorecard import ScoreCard
from headsup.distil.scorecards.search import CardTrial, choose, fit
from headsup.games.holdem.classes import Classes

MAX_STACK = {"holdem": 12.0, "omaha8": 11.25}  # the largest stack of the shipped cards; ORACLE is made for 11.25
MOST_LINES = 8


def record(card: ScoreCard, table: Classes | None, floor: float, made: str) -> CardRecord:
    """Measure a card at every stack."""
    stacks = every_stack(card.max_stack)
    lost = losses(card, stacks)
    paid = None if table is None else best_response_losses(card, card.game, stacks, table)
    return CardRecord(
        card,
        _pair(lost.max(axis=1)),
        _pair(lost.mean(axis=1)),
        None if paid is None else _pair(paid.max(axis=1)),
        None if paid is None else _pair(paid.mean(axis=1)),
        float(shares(card.game, stacks, lost if paid is None else paid).max()),
        floor,
        aim_of(card.game, stacks, lost if paid is None else paid) + burden(card),
        made,
    )


def _pair(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def make(
    game: str,
    k: int,
    max_stack: float,
    *,
    seconds: float,
    row: bool = True,
    table: Classes | None = None,
    shorter: ScoreCard | None = None,
    known: ScoreCard | None = None,
    seed: int = 0,
    watch: Watch | None = None,
) -> CardRecord:
    """Find a card of k lines and price it: two thirds of the time on the loss, one third on the price.

    `shorter` is a card of one line less to build on, `known` one of this length to go on from.
    """
    lines = pool(game)
    if not 1 <= k <= len(lines):
        raise UserError(f"{with_article(game)} card has 1 to {len(lines)} lines, not {k}")
    stacks = stacks_up_to(max_stack, row)
    share = 0.65 if table is not None else 1.0
    if known is None:
        choices = 6 if shorter is not None else 15
        fitted = choose(
            game, k, stacks, row=row, seconds=seconds * share, choices=choices, shorter=shorter, watch=watch, seed=seed
        )
    else:
        fitted = fit(CardTrial(game, tuple(known.points), stacks, row), seconds=seconds * share, start=known, seed=seed)
    begun = "" if known is None else " from a known card"
    card, made = fitted.card, f"search on the loss{begun}, {fitted.tried} trials in the last fit"
    if table is not None and game == "holdem":
        every, starts = every_stack(max_stack), [card]
        if shorter is not None and known is None:
            # one line less is one line of zeros: so the frontier does not rise
            extra = {name: (0,) * len(points) for name, points in card.points.items() if name not in shorter.points}
            starts += [replace(shorter, points={**shorter.points, **extra})] * (len(extra) == 1)
        rest = seconds * (1 - share) / len(starts)
        fits = [
            fit(ExactTrial(game, tuple(start.points), every, row, table), seconds=rest, seed=seed, start=start)
            for start in starts
        ]
        card = min(fits, key=lambda fitted: fitted.value).card
        made += f"; then {sum(fitted.tried for fitted in fits)} trials priced against a best responder at every stack"
    elif table is not None:
        polished = polish(card, every_stack(max_stack), table, seconds=seconds * (1 - share), watch=watch)
        card = polished.card
        made += f"; then {polished.tried} best response{'s' * (polished.tried != 1)}"
        made += ", until no small change helped" * polished.finished
    return record(card, table, lowest_floor(game, k, max_stack), made)


def make_all(
    game: str,
    path: Path,
    *,
    seconds: float,
    most_lines: int = MOST_LINES,
    prove: float = 0.0,
    table: Classes | None = None,
    watch: Watch | None = None,
) -> list[CardRecord]:
    """Make every card of a game, `seconds` each, and write each into the file as soon as it is there.

    Cards that the file already has are the start of a further search and are replaced only by better ones; others stay
    as they are, with what `made` says. With `prove` the bounds of every card that has none are made too, with so many
    seconds for its integer programs.
    """
    kept = {_place(record): record for record in (read(path) if path.exists() else [])}
    for row, k in product((True, False), range(1, min(most_lines, len(pool(game))) + 1)):
        known, shorter = kept.get((game, row, k)), kept.get((game, row, k - 1))
        best = _best_of(game, k, row, known, shorter, seconds, table, watch)
        if best is not None:
            if prove and best.program is None and not asked():
                bounded = with_bounds(best, prove)
                best = best if asked() else bounded
            if best is not known:
                kept[_place(best)] = best
                write(kept.values(), path)
            if watch is not None:
                watch(Progress(text=_progress(best)))
        if asked():
            break
    return [record for record in kept.values() if record.card.game == game]


def _progress(record: CardRecord) -> str:
    rival = "the equilibrium" if record.worst_price is None else "a best responder"
    return f"{record.length}, {record.card.kind}: {record.share:.3f} of the rival's price, lost to {rival} at worst"


def _best_of(
    game: str,
    k: int,
    row: bool,
    known: CardRecord | None,
    shorter: CardRecord | None,
    seconds: float,
    table: Classes | None,
    watch: Watch | None,
) -> CardRecord | None:
    """The best of a known card, a search from it and a new search; None if every card has an unused line."""
    given: dict[str, Any] = {"row": row, "table": table, "watch": watch}
    given["seed"] = 0 if known is None else round(1e6 * known.value) % 2**31
    fields = [] if known is None else [known]
    if known is not None and seconds > 0 and not asked():
        seconds /= 2
        fields.append(make(game, k, known.card.max_stack, seconds=seconds, known=known.card, **given))
    if seconds > 0 and not (fields and asked()):
        start = None if shorter is None else shorter.card
        fields.append(make(game, k, MAX_STACK[game], seconds=seconds, shorter=start, **given))
    return cheapest(fields)


def cheapest(records: Iterable[CardRecord]) -> CardRecord | None:
    """The card of least value among those that use all their lines; of equal ones the first.

    Values are compared as they stand in a file: what was lost there by rounding makes no other card a better one.
    """
    used = [record for record in records if all(any(points) for points in record.card.points.values())]
    return min(used, key=lambda record: round(record.value, DIGITS), default=None)


def with_bounds(record: CardRecord, seconds: float) -> CardRecord:
    """The record with the bounds for cards with its lines."""
    card = record.card
    return replace(record, proved=proved(card.game, tuple(card.points), card.max_stack), program=proof(card, seconds))


def _place(record: CardRecord) -> tuple[str, bool, int]:
    return record.card.game, record.card.row, record.lines
