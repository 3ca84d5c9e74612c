"""Hands: import histories, review the costliest decisions, replay hands, export."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.cards.cards import parse_cards
from headsup.common.display import csv_text, json_line
from headsup.common.errors import UserError
from headsup.play.coach.judges import SpotJudge
from headsup.play.coach.reference import NEVER, SURE
from headsup.play.coach.replay import parse_hands
from headsup.play.coach.review import Decision
from headsup.play.coach.spot_of import HandSpot, spot_of
from headsup.play.table.histories import has_phh, phh_text
from headsup.play.table.record import AssumedRanges, HandRecord
from headsup.play.table.rules import TableHand
from headsup.spots.solve import SOLVED_TO
from headsup.web.api_spots import jobs_of
from headsup.web.pages.play import matches_of, result_of
from headsup.web.render import address, show
from headsup.web.sending import Sent, Whole, file, redirected
from headsup.web.study.spots import fields_of
from headsup.web.study.walking import load
from headsup.web.table.bots import GAMES, bot_name
from headsup.web.table.imports import MOST_HANDS, Imports
from headsup.web.table.matches import PAGE, YOU
from headsup.web.table.seeing import Card, Seen, events_of, part_of, see
from headsup.web.training import number

router = APIRouter()
Text = Annotated[str, Query(max_length=200)]
ALL = "*"  # the decisions of all players
PAGE_SIZE = 40  # decisions that are listed at a time
MOST_SPOTS = 3  # the newest solved spots to use: as many as fit in the cache


def imports_of(request: Request) -> Imports:
    imports: Imports = request.app.state.imports
    return imports


@router.get("/hands")
def hands(request: Request) -> Response:
    matches = matches_of(request)
    played = [(match, result_of(matches, match)) for match in matches.all(PAGE)[:20] if not match.table.draws]
    return show(request, "hands", kept=imports_of(request).all(), played=played, games=GAMES, most=MOST_HANDS)


@router.post("/hands")
def bring(request: Request, form: Sent) -> Response:
    stack = form.get("stack", "").strip()
    size = number(stack, "the stack") if stack else None
    return _brought(request, form.get("text", ""), form.get("name", ""), size)


@router.post("/hands/text")
async def bring_text(request: Request, name: Text = "") -> Response:
    """Import a text sent as the body, as the script does with a file."""
    from starlette.concurrency import run_in_threadpool

    text = (await request.body()).decode("utf-8", "replace")
    return await run_in_threadpool(_brought, request, text, name)


@router.post("/hands/spot")
def to_spot(request: Request, form: Sent) -> Response:
    """The first hand of a text in which two players see a flop, as a spot with its fields filled in."""
    return redirected(request, study_address(*first_spot(form.get("text", ""))))


def first_spot(text: str) -> tuple[str, HandSpot]:
    """The label and the spot of the first hand of a text that has one; else why its first hand has none."""
    if not text.strip():
        raise UserError("the text is empty: paste a hand history")
    why = ""
    for logged in parse_hands(text.replace("\r\n", "\n"), "the text", files=False)[1]:
        hand = logged.hand or logged.betting
        try:
            if hand is not None:
                return logged.label, spot_of(hand, assumed=logged.assumed)
            why = why or (logged.unread if logged.is_hand else "")
        except UserError as error:
            why = why or f"{logged.label}: {error}"
    raise UserError(why or "the text has no hand: paste a hand history")


def study_address(label: str, start: HandSpot) -> str:
    """The Study page with the fields of a spot."""
    note = f"{label}, {start.street}. Ranges: {start.ranges}."
    return address("/study", **fields_of(start.spot), name=f"{label}, {start.street}"[:80], note=note)


def _brought(request: Request, text: str, name: str, stack: float | None = None) -> Response:
    imports = imports_of(request)
    made = imports.bring(text, name, stack)
    imports.look(made, _spots(request))
    return redirected(request, f"/hands/{made}")


@router.post("/hands/match/{match}")
def from_match(request: Request, match: str) -> Response:
    """Import the hands of a match played here."""
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    records = [(f"hand {now.number + 1}", now.record()) for now in matches.hands(sitting)]
    if not records:
        raise UserError("no hand is finished yet: play one first")
    imports = imports_of(request)
    made = imports.keep(
        records[-MOST_HANDS:], "headsup", f"{GAMES[sitting.game].title} against {bot_name(sitting.bot)}"
    )
    imports.look(made, _spots(request))
    return redirected(request, f"/hands/{made}")


def _spots(request: Request) -> list[SpotJudge]:
    solved = [job for job in jobs_of(request).all() if job.reached <= SOLVED_TO][:MOST_SPOTS]
    return [SpotJudge(load(job.solution).solved, job.ask.name or job.id) for job in solved]


@router.get("/hands/{name}")
def one_list(request: Request, name: str, player: Text = "", start: Whole = 0) -> Response:
    """The decisions of a player, at first of the hero; those of all players for `ALL`."""
    imports = imports_of(request)
    chosen = imports.get(name)
    player = player or imports.hero(chosen.id) or ALL
    imports.look(chosen.id, _spots(request) if not chosen.ready else ())
    decisions = imports.decisions(chosen.id, "" if player == ALL else player)
    start = max(0, min(start, len(decisions) - 1))
    words: dict[str, Any] = {"found": chosen, "player": player, "players": imports.players(chosen.id), "start": start}
    words["all"] = ALL
    url = address(f"/hands/{name}", player=player, start=start or "")
    rows = [row_of(decision) for decision in decisions[start : start + PAGE_SIZE]]
    sums = summed(decisions)
    return show(request, "hands_list", url=url, rows=rows, total=len(decisions), size=PAGE_SIZE, **sums, **words)


def summed(decisions: list[Decision]) -> dict[str, Any]:
    lost = [decision.lost for decision in decisions if decision.lost is not None]
    return {
        "valued": len(lost),
        "lost": sum(lost),
        "right": sum(loss < SURE for loss in lost),
        "rare": sum(decision.lost is None and decision.share < 0.05 for decision in decisions),
    }


def row_of(decision: Decision) -> dict[str, Any]:
    choices = [
        {**vars(choice), "taken": i == decision.taken, "kind": tone(choice.name)}
        for i, choice in enumerate(decision.known.choices)
    ]
    return {
        "one": decision,
        "cards": [Card.of(card) for card in parse_cards(decision.cards)],
        "board": [Card.of(card) for card in parse_cards(decision.board)],
        "choices": choices,
        "often": [
            choice for choice, known in zip(choices, decision.known.choices, strict=True) if known in decision.listed
        ],
        "bad": decision.lost is not None and decision.lost >= SURE,
        "right": "✓ correct" if decision.share >= NEVER else "no loss",
        "verdict": decision.known.verdict(decision.taken),
        "notes": decision.known.notes(),
    }


def tone(name: str) -> str:
    word = name.split()[0]
    return {"fold": "fold", "check": "check", "call": "call", "jam": "allin", "all-in": "allin"}.get(word, "bet")


@router.post("/hands/{name}/delete")
def delete(request: Request, name: str) -> Response:
    imports_of(request).delete(name)
    return redirected(request, "/hands")


@router.get("/hands/{name}/review.{ending}")
def taken_away(request: Request, name: str, ending: str, player: Text = "") -> Response:
    chosen = imports_of(request).get(name)
    decisions = imports_of(request).decisions(chosen.id, "" if player == ALL else player)
    if ending == "json":
        about = {"name": chosen.name, "hands": chosen.hands, **summed(decisions)}
        text = json_line({**about, "list": [decision.as_dict() for decision in decisions]}, indent=1)
        return file(text, "application/json", f"hands-{chosen.id}.json")
    if ending != "csv":
        raise UserError(f"decisions are available as json or csv, not {ending[:10]}")
    fields = ("seat", "street", "cards", "board", "before", "did")
    rows = [("hand", "player", *fields, "lost_bb", "error_bb", "share", "best", "kind", "source")]
    for decision in decisions:
        lost = "" if decision.lost is None else f"{decision.lost:.6f}"
        names = _plain(decision.label), _plain(decision.player)
        words = *names, *(getattr(decision, name) for name in fields)
        best = (decision.known.best or decision.known.usual).name
        given = lost, f"{decision.error:.4f}" if lost else "", f"{decision.share:.4f}", best, decision.known.kind
        rows.append((*words, *given, decision.known.source))
    return file(csv_text(rows), "text/csv", f"hands-{chosen.id}.csv")


def _plain(text: str) -> str:
    """A name from a log, made safe for spreadsheets."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


@router.get("/hands/{name}/history.{ending}")
def history(request: Request, name: str, ending: str) -> Response:
    chosen = imports_of(request).get(name)
    records = imports_of(request).hands(chosen.id)
    if ending == "jsonl":
        text = "".join(json_line(record.line()) + "\n" for record in records)
        return file(text, "application/jsonl", f"hands-{chosen.id}.jsonl")
    if ending != "phh":
        raise UserError(f"hands are available as phh or jsonl, not {ending[:10]}")
    named = [record for record in records if has_phh(record)]
    if not named:
        raise UserError("none of these is a complete heads-up hand, so PHH cannot hold them: download jsonl instead")
    return file(phh_text(named), "text/plain", f"hands-{chosen.id}.phh")


@router.get("/hands/{name}/{number}")
def replay(request: Request, name: str, number: Whole, step: Whole = -1, seat: Whole = -1) -> Response:
    imports = imports_of(request)
    chosen = imports.get(name)
    label, record = imports.hand(chosen.id, number - 1)
    decisions = imports.decisions(chosen.id, hand=number - 1)
    hero = imports.hero(chosen.id)
    if seat not in (0, 1):
        seat = record.players.index(hero) if hero in record.players else int(not record.deal.holes[0])
    whole = _played(record)
    last = len(whole.steps)
    at = last if not 0 <= step <= last else step
    now = sorted(decisions, key=lambda decision: decision.step)
    you = record.players.index(YOU) if YOU in record.players else -1
    return show(
        request, "hands_one", url=address(f"/hands/{name}/{number}", step=at, seat=seat), found=chosen, label=label,
        number=number, record=record, games=GAMES, at=at, last=last, seat=seat, more=number < chosen.hands,
        seen=_seen(part_of(whole, at) if at < last else whole, seat, record.players), events=events_of(whole, you),
        judged=[row_of(decision) for decision in now],
        spots=_streets(label, whole, record.assumed),
        judging=next((row_of(decision) for decision in now if decision.step == at), None),
    )  # fmt: skip


def _streets(label: str, hand: TableHand, assumed: AssumedRanges | None) -> list[tuple[str, str]]:
    """The streets of a hand that can be solved, each with its address on the Study page."""
    links = list[tuple[str, str]]()
    for street in range(max(1, hand.table.first_street), hand.street + 1):
        try:
            start = spot_of(hand, street, assumed)
        except UserError:
            break
        links.append((start.street, study_address(label, start)))
    return links


def _played(record: HandRecord) -> TableHand:
    hand = TableHand(record.table, record.deal)
    for i, step in enumerate(record.steps):
        if record.faults and i == len(record.steps) - 1:
            hand.forfeit()
        else:
            hand.act(step.action)
    return hand


def _seen(hand: TableHand, seat: int, players: tuple[str, str]) -> Seen:
    seen = see(hand, seat, (players[seat], players[1 - seat]))
    cards = tuple(Card.of(card) for card in hand.holes[1 - seat])
    other = replace(seen.other, cards=cards, hidden=0 if cards else seen.other.hidden)
    return replace(seen, other=other, result=_result(hand, players) if hand.over else "")


def _result(hand: TableHand, players: tuple[str, str]) -> str:
    chips, paid = hand.chips, hand.paid
    winners = [seat for seat in (0, 1) if chips[seat] + paid[seat] > 0]
    if len(winners) > 1:
        return "The pot is split."
    name = players[winners[0]] or ("the dealer", "the opponent")[winners[0]]
    return f"{'You win' if name == YOU else f'{name} wins'} {chips[winners[0]]:,}."
