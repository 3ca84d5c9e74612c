"""Hands: bring histories, see the costliest decisions first, replay a hand step by step, take the lot away again."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.cards.cards import parse_cards
from headsup.common.display import json_line
from headsup.common.errors import UserError
from headsup.play.coach.judges import SpotJudge
from headsup.play.coach.reference import NEVER, SURE
from headsup.play.coach.review import Decision
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import TableHand
from headsup.spots.solve import SOLVED_TO
from headsup.web.api_spots import jobs_of
from headsup.web.imports import MOST_HANDS, Imports
from headsup.web.matches import PAGE, Matches
from headsup.web.render import address, show
from headsup.web.saving import file
from headsup.web.seeing import Card, Seen, events_of, part_of, see
from headsup.web.sending import Sent, Whole, redirected
from headsup.web.training import number
from headsup.web.walking import load

router = APIRouter()
Text = Annotated[str, Query(max_length=200)]
PAGE_SIZE = 40
"""Decisions that are listed at a time."""
MOST_SPOTS = 3
"""Solved spots that are asked, the newest first: as many as are held in memory."""
EXAMPLE = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
players = ['bob', 'ann']
actions = ['d dh p1 AsTh', 'd dh p2 Ks8s', 'p2 f']
"""


def imports_of(request: Request) -> Imports:
    """Where hands are kept."""
    found: Imports = request.app.state.imports
    return found


@router.get("/hands")
def hands(request: Request) -> Response:
    """What is kept, and more to bring."""
    matches: Matches = request.app.state.matches
    played = [one for one in matches.all(PAGE)[:20] if not one.table.draws]
    return show(request, "hands", kept=imports_of(request).all(), played=played, example=EXAMPLE, most=MOST_HANDS)


@router.post("/hands")
def bring(request: Request, form: Sent) -> Response:
    """Read the text of a form."""
    stack = form.get("stack", "").strip()
    size = number(stack, "the stack") if stack else None
    return _brought(request, form.get("text", ""), form.get("name", ""), size)


@router.post("/hands/text")
async def bring_text(request: Request, name: Text = "") -> Response:
    """Read a text that is sent as it is, as the script does with a file."""
    from starlette.concurrency import run_in_threadpool

    text = (await request.body()).decode("utf-8", "replace")
    return await run_in_threadpool(_brought, request, text, name)


def _brought(request: Request, text: str, name: str, stack: float | None = None) -> Response:
    imports = imports_of(request)
    made = imports.bring(text, name, stack)
    imports.look(made, _spots(request))
    return redirected(request, f"/hands/{made}")


@router.post("/hands/match/{match}")
def from_match(request: Request, match: str) -> Response:
    """The hands of a match that was played here, as the player knows them."""
    matches: Matches = request.app.state.matches
    sitting = matches.get(match, PAGE)
    found = [(f"hand {one.number + 1}", one.record()) for one in matches.hands(sitting)]
    if not found:
        raise UserError("no hand is over yet: play one to its end first")
    imports = imports_of(request)
    made = imports.keep(found[-MOST_HANDS:], "headsup", f"{sitting.game} against {sitting.bot}")
    imports.look(made, _spots(request))
    return redirected(request, f"/hands/{made}")


def _spots(request: Request) -> list[SpotJudge]:
    """The newest spots that were solved here; none that was stopped early."""
    solved = [job for job in jobs_of(request).all() if job.reached <= SOLVED_TO][:MOST_SPOTS]
    return [SpotJudge(load(job.solution).found, job.ask.name or job.id) for job in solved]


@router.get("/hands/{name}")
def one_list(request: Request, name: str, player: Text = "", start: Whole = 0) -> Response:
    """The decisions of some hands, the costliest first."""
    imports = imports_of(request)
    found = imports.get(name)
    imports.look(found.id, _spots(request) if not found.ready else ())
    decisions = imports.decisions(found.id, player)
    start = max(0, min(start, len(decisions) - 1))
    words: dict[str, Any] = {"found": found, "player": player, "players": imports.players(found.id), "start": start}
    page = show(
        request,
        "hands_list",
        rows=[row_of(one) for one in decisions[start : start + PAGE_SIZE]],
        total=len(decisions),
        size=PAGE_SIZE,
        **summed(decisions),
        **words,
    )
    page.headers["hx-replace-url"] = address(f"/hands/{name}", player=player, start=start or "")
    return page


def summed(decisions: list[Decision]) -> dict[str, Any]:
    """What a list comes to."""
    lost = [one.lost for one in decisions if one.lost is not None]
    return {
        "valued": len(lost),
        "lost": sum(lost),
        "right": sum(one < SURE for one in lost),
        "rare": sum(one.lost is None and one.share < 0.05 for one in decisions),
    }


def row_of(one: Decision) -> dict[str, Any]:
    """A decision in the words of the page."""
    choices = [
        {**vars(choice), "taken": i == one.taken, "kind": tone(choice.name)}
        for i, choice in enumerate(one.known.choices)
    ]
    return {
        "one": one,
        "cards": [Card.of(card) for card in parse_cards(one.cards)],
        "board": [Card.of(card) for card in parse_cards(one.board)],
        "choices": choices,
        "often": [choice for choice, known in zip(choices, one.known.choices, strict=True) if known in one.listed],
        "bad": one.lost is not None and one.lost >= SURE,
        "right": "✓ right" if one.share >= NEVER else "no loss",
        "verdict": one.known.verdict(one.taken),
        "notes": one.known.notes(),
    }


def tone(name: str) -> str:
    """The kind of a choice, for its colour."""
    word = name.split()[0]
    return {"fold": "fold", "check": "check", "call": "call", "jam": "allin", "all-in": "allin"}.get(word, "bet")


@router.post("/hands/{name}/delete")
def delete(request: Request, name: str) -> Response:
    """Forget these hands."""
    imports_of(request).delete(name)
    return redirected(request, "/hands")


@router.get("/hands/{name}/review.{ending}")
def taken_away(request: Request, name: str, ending: str, player: Text = "") -> Response:
    """The decisions as a file: json or csv."""
    found = imports_of(request).get(name)
    decisions = imports_of(request).decisions(found.id, player)
    if ending == "json":
        told = {"name": found.name, "hands": found.hands, **summed(decisions)}
        text = json_line({**told, "list": [one.as_dict() for one in decisions]}, indent=1)
        return file(text, "application/json", f"hands-{found.id}.json")
    if ending != "csv":
        raise UserError(f"a list comes as json or csv, not as {ending[:10]}")
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("hand", "player", "seat", "street", "cards", "board", "before", "did", "lost_bb", "error_bb", "share", "best", "kind", "source"))  # noqa: E501  # fmt: skip
    for one in decisions:
        lost = "" if one.lost is None else f"{one.lost:.6f}"
        words = _plain(one.label), _plain(one.player), one.seat, one.street, one.cards, one.board, one.before, one.did
        best = (one.known.best or one.known.usual).name
        given = lost, f"{one.error:.4f}" if lost else "", f"{one.share:.4f}", best, one.known.kind
        table.writerow((*words, *given, one.known.source))
    return file(out.getvalue(), "text/csv", f"hands-{found.id}.csv")


def _plain(text: str) -> str:
    """A name out of somebody's log: no program that opens a table takes it for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


@router.get("/hands/{name}/history.{ending}")
def history(request: Request, name: str, ending: str) -> Response:
    """The hands themselves: phh, or a line of JSON a hand."""
    found = imports_of(request).get(name)
    records = imports_of(request).hands(found.id)
    if ending == "jsonl":
        text = "".join(json_line(one.line()) + "\n" for one in records)
        return file(text, "application/jsonl", f"hands-{found.id}.jsonl")
    if ending != "phh":
        raise UserError(f"hands come as phh or jsonl, not as {ending[:10]}")
    from headsup.play.table.histories import phh_text

    return file(phh_text(one for one in records if not one.faults), "text/plain", f"hands-{found.id}.phh")


@router.get("/hands/{name}/{number}")
def replay(request: Request, name: str, number: Whole, step: Whole = -1, seat: Whole = -1) -> Response:
    """A hand step by step, seen from one of the seats; hands are counted from 1."""
    imports = imports_of(request)
    found = imports.get(name)
    label, record = imports.hand(found.id, number - 1)
    decisions = imports.decisions(found.id, hand=number - 1)
    seat = seat if seat in (0, 1) else 0 if record.deal.holes[0] or not record.deal.holes[1] else 1
    whole = _played(record)
    last = len(whole.steps)
    at = last if not 0 <= step <= last else step
    words: dict[str, Any] = {
        "found": found,
        "label": label,
        "number": number,
        "record": record,
        "at": at,
        "last": last,
        "seat": seat,
    }
    now = sorted(decisions, key=lambda one: one.step)
    page = show(
        request,
        "hands_one",
        seen=_seen(part_of(whole, at) if at < last else whole, seat, record.players),
        events=events_of(whole, -1),
        judged=[row_of(one) for one in now],
        judging=next((row_of(one) for one in now if one.step == at), None),
        more=number < found.hands,
        **words,
    )
    page.headers["hx-replace-url"] = address(f"/hands/{name}/{number}", step=at, seat=seat)
    return page


def _played(record: HandRecord) -> TableHand:
    """The hand of a record, played to its end."""
    hand = TableHand(record.table, record.deal)
    for i, one in enumerate(record.steps):
        if record.faults and i == len(record.steps) - 1:
            hand.forfeit()
        else:
            hand.act(one.action)
    return hand


def _seen(hand: TableHand, seat: int, players: tuple[str, str]) -> Seen:
    """A hand of a history, with all cards that the history has."""
    seen = see(hand, seat, (players[seat], players[1 - seat]))
    cards = tuple(Card.of(card) for card in hand.holes[1 - seat])
    other = replace(seen.other, cards=cards, hidden=0 if cards else seen.other.hidden)
    won = hand.chips[seat] if hand.over else 0
    names = players[seat] or "the dealer", players[1 - seat] or "the other"
    result = f"{names[0] if won > 0 else names[1]} wins {abs(won):,}." if won else "Nobody wins anything."
    return replace(seen, other=other, result=result if hand.over else "")
