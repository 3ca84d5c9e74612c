"""JSON under /api: the answers of the command line's `--json`, by the same functions, with the same keys."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from headsup.web.asking import STANDARD, calculating, read_lock, read_stakes

router = APIRouter(prefix="/api", responses={400: {"description": "A mistake, as one sentence under `error`."}})
Text = Annotated[str, Query(max_length=20_000)]


@router.get("/jamfold")
def jamfold(
    game: Text = "holdem",
    stack: Text = "10",
    opponent_stack: Text | None = None,
    blinds: Text = STANDARD,
    ante: Text = "0",
    bb_ante: Text = "0",
    seat: Text = "sb",
    hand: Text | None = None,
    lock: Text | None = None,
) -> dict[str, Any]:
    """The jam-or-fold equilibrium of a stack, whole or for one hand; `lock` is the opponent's fixed range."""
    from headsup.cli.jamfold import as_dict
    from headsup.games.classes import check_source, class_table
    from headsup.games.jamfold_hands import parse_class
    from headsup.solve.jamfold import against_locked, answer, solved

    check_source(game, "cpu", None)
    stakes = read_stakes(stack, blinds, ante, bb_ante, opponent_stack, seat)
    index = None if hand is None else parse_class(game, hand)
    fixed = None if lock is None else read_lock(lock, game)
    with calculating():
        if fixed is None:
            return as_dict(answer(game, stakes), stakes, seat, index)
        table = class_table(game)
        found = solved(table, stakes.payoffs)
        return as_dict(found, stakes, seat, index, against_locked(table, found, seat, fixed))
