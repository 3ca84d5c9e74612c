"""Programs play our bots by HTTP, in the shape of Slumbot's API: `new_hand`, `act`, `login`, and a leaderboard.

`docs/play-api.md` says what a client must know. A token is a match; every answer is made of what its guest may see
(`headsup.web.matches`), and every mistake is one sentence, as `error` and as Slumbot's `error_msg`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from headsup.cards.cards import card_name, parse_card
from headsup.common.errors import UserError
from headsup.games.betting.rules import UNLIMITED
from headsup.play.table.rules import CALLS, FOLDS, Action, Illegal, Legal, TableHand, legal_text, raise_to
from headsup.web.leaders import as_dict, leaders
from headsup.web.limits import LOGINS, MOVES, TOKENS, Limits
from headsup.web.matches import API, Matches, NoMatch, Now, Sitting, Stale
from headsup.web.seeing import done
from headsup.web.sending import Number, Whole

GAME, STACK, BOT = "holdem-nolimit", 200.0, "average"
"""What is played where nothing is said: Slumbot's blinds and stacks."""
IDLE = 3600.0
"""Seconds after which a hand that waits for its client is given up."""
MOST_WRONG = 10
"""Moves that no rule allows, in one hand, before it is given up."""
NAME = re.compile(r"[A-Za-z0-9_.-]{3,32}")


class _Route(APIRoute):
    """Mistakes as a client of Slumbot reads them."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except RequestValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(one) for one in first.get("loc", ())[1:]) or "the request"
                return _no(422, f"{where}: {first.get('msg', 'cannot be read')}")
            except UserError as error:
                found = _no(getattr(error, "status", 400), str(error))
                if hasattr(error, "wait"):
                    found.headers["retry-after"] = str(max(1, round(error.wait)))
                return found

        return handler


def _no(status: int, message: str) -> Response:
    return JSONResponse({"error": message, "error_msg": message}, status)


router = APIRouter(prefix="/api", route_class=_Route, tags=["play"])


class NewHand(BaseModel):
    """Ask for a hand; without a token a match begins, and the answer has its token."""

    token: str | None = Field(None, max_length=64)
    game: str | None = Field(None, max_length=40)
    stack: Number | None = Field(None, description="big blinds", gt=0, le=1000)
    bot: str | None = Field(None, max_length=40)
    duplicate: bool = False


class Act(BaseModel):
    """A move."""

    token: str = Field(max_length=64)
    incr: str = Field("", max_length=20, description="f, k, c, b and a total, s, d and a card")
    decision: Whole | None = Field(None, description="the number of the decision that it answers")


class Login(BaseModel):
    """A name for the leaderboard; the first login with a name makes it."""

    username: str = Field(max_length=32)
    password: str = Field(min_length=8, max_length=200)


@router.post("/new_hand")
def new_hand(request: Request, asked: NewHand) -> dict[str, Any]:
    """The next hand of a match, or the first of a new one. A hand that is open is given up."""
    matches, limits = _state(request)
    chosen = {key: getattr(asked, key) for key in ("game", "stack", "bot") if getattr(asked, key) is not None}
    if not asked.token:
        limits.take(TOKENS, _address(request))
        sitting = matches.create(API, *_game(chosen), duplicate=asked.duplicate)
    else:
        limits.take(MOVES, asked.token)
        sitting = _match(matches, asked.token)
        wanted = (*_game(chosen), asked.duplicate) if chosen or asked.duplicate else None
        if wanted is not None and wanted != (sitting.game, sitting.stack, sitting.bot, sitting.duplicate):
            sitting = matches.choose(sitting, *wanted)
    with limits.one_of_few(sitting.id):
        return _told(matches, matches.deal(sitting, leave="a new hand was asked for"))


def _game(chosen: dict[str, Any]) -> tuple[str, float | None, str]:
    """What is to be played, with what is usual where nothing was said."""
    from headsup.web.bots import GAMES, bots_of, table_of

    game = chosen.get("game", GAME)
    if game == GAME:
        return game, chosen.get("stack", STACK), chosen.get("bot", BOT)
    there = table_of(game, chosen.get("stack"))
    stack = there.betting.stacks[0] / there.unit if GAMES[game].stacks else None
    return game, stack, chosen.get("bot", bots_of(game, stack)[0])


@router.post("/act")
def act(request: Request, asked: Act) -> Any:
    """A move, and what the bot did after it. A move that answers another decision than the one that is open has status
    409, and under `now` where the match stands.
    """
    matches, limits = _state(request)
    limits.take(MOVES, asked.token)
    sitting = _match(matches, asked.token)
    with limits.one_of_few(sitting.id):
        if time.time() - sitting.touched > IDLE:
            matches.give_up(sitting, f"no move for {IDLE:g} seconds")
            raise Stale(f"the hand waited for more than {IDLE:g} seconds and is lost: ask for a new one")

        def read(legal: Legal) -> Action:
            return read_incr(asked.incr, legal)

        try:
            now = matches.act(sitting, asked.decision, read)
        except Stale as error:
            stands = matches.now(sitting)
            where = {} if stands is None else {"now": _told(matches, stands)}
            return JSONResponse({"error": str(error), "error_msg": str(error), **where}, 409)
        except Illegal as error:
            stands = matches.now(sitting)
            if stands is not None and stands.wrong >= MOST_WRONG:
                matches.give_up(sitting, f"{MOST_WRONG} moves that no rule allows")
                raise UserError(f"{error}; after {MOST_WRONG} such moves the hand is lost: ask for a new one") from None
            raise UserError(str(error)) from None
        return _told(matches, now)


@router.post("/login")
def login(request: Request, asked: Login) -> dict[str, Any]:
    """A token whose hands count for a name."""
    matches, limits = _state(request)
    if not NAME.fullmatch(asked.username):
        raise UserError("a name is 3 to 32 letters, digits, dots, dashes and underscores: choose such a one")
    limits.take(LOGINS, asked.username)
    limits.take(TOKENS, _address(request))
    _check(matches, asked.username, asked.password)
    made = matches.create(API, GAME, STACK, BOT, client=asked.username)
    return {"token": made.id, "username": asked.username}


@router.get("/leaderboard")
def board(request: Request) -> list[dict[str, Any]]:
    """What named clients have won of each bot. Hands that wait for more than an hour are given up first."""
    matches, _ = _state(request)
    settle(matches)
    return [as_dict(one) for one in leaders(matches)]


def settle(matches: Matches) -> None:
    """Give up the hands whose clients are gone."""
    for one in matches.forgotten(API, time.time() - IDLE):
        matches.give_up(one, f"no move for {IDLE:g} seconds")


def _state(request: Request) -> tuple[Matches, Limits]:
    state = request.app.state
    return state.matches, state.limits


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _match(matches: Matches, token: str) -> Sitting:
    try:
        return matches.get(token, API)
    except NoMatch:
        raise NoMatch("this token is not known: leave it out, and a new one is made") from None


def _check(matches: Matches, name: str, password: str) -> None:
    """The password of a name, or a new name with it."""
    row = matches.db.execute("SELECT salt, password FROM clients WHERE name = ?", (name,)).fetchone()
    if row is None:
        salt = secrets.token_bytes(16)
        try:
            with matches.db as db:
                kept = (name, salt, _hashed(password, salt), time.time())
                db.execute("INSERT INTO clients VALUES (?, ?, ?, ?)", kept)
            return
        except sqlite3.IntegrityError:  # made by somebody else in this moment
            return _check(matches, name, password)
    if not hmac.compare_digest(_hashed(password, row["salt"]), row["password"]):
        error = UserError("the name is taken, and this is not its password")
        error.status = 401  # type: ignore[attr-defined]
        raise error


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)


# --- the language of moves --------------------------------------------------------------------------------------------


def read_incr(text: str, legal: Legal) -> Action:
    """A move: f fold, k check, c call, bN bet or raise to a total of N on the street, s keep, dXx change a card."""
    kind, rest = text[:1], text[1:]
    passive = {"s"} if legal.discards else {"k"} if legal.call == 0 else {"c"}
    found: Action | None = None
    if kind == "f" and not rest:
        found = FOLDS
    elif kind in passive and not rest:
        found = CALLS
    elif kind == "b" and rest.isascii() and rest.isdigit() and len(rest) < 10:
        found = raise_to(int(rest))
    elif kind == "d" and len(rest) == 2:
        with suppress(UserError):
            found = Action("d", parse_card(rest))
    if found is None or not legal.allows(found):
        raise Illegal(f"'{text}' is not allowed: {_offered(legal)}")
    return found


def _offered(legal: Legal) -> str:
    """What may be sent, in words."""
    if legal.discards:
        return "send s, or d and one of " + ", ".join(card_name(card) for card in legal.discards)
    said = ["f"] if legal.fold else []
    said += ["k" if legal.call == 0 else "c"] if legal.call >= 0 else []
    if legal.low:
        said.append(f"b{legal.low}" + (f" to b{legal.high}" if legal.high > legal.low else ""))
    return f"send {', '.join(said)} ({legal_text(legal)})"


def action_texts(hand: TableHand, seat: int) -> tuple[str, str]:
    """What was done before the client's last move and what was done in all, in Slumbot's letters, a slash after each
    street; the other's changes without their cards.
    """
    again, said, before = TableHand(hand.table, hand.deal), list[str](), ""
    street = again.street
    for step in hand.steps:
        said.append("/" * (step.street - street))
        street = step.street
        if step.seat == seat:
            before = "".join(said)
        legal = again.legal
        kind, amount = step.action
        if kind == "r":
            said.append(f"b{amount}")
        elif kind == "d":
            said.append(f"d{card_name(amount) if step.seat == seat else ''}")
        elif kind == "c":
            said.append("s" if legal.discards else "c" if legal.call else "k")
        else:
            said.append("f")
        done(again, step)
    if not hand.over or hand.state.folder < 0:
        said.append("/" * (hand.street - street))
    return before, "".join(said)


def _told(matches: Matches, now: Now) -> dict[str, Any]:
    """The answer to a move: what the client may see."""
    hand, seat, sitting = now.guest.hand, now.guest.place.seat, now.sitting
    shown = hand.over and hand.state.folder < 0
    before, action = action_texts(hand, seat)
    stack = hand.table.betting.stacks[seat]
    told: dict[str, Any] = {
        "token": sitting.id,
        "game": sitting.game,
        "bot": sitting.bot,
        "stack": None if stack >= UNLIMITED else stack,
        "blinds": list(hand.table.betting.blinds),
        "hand": now.number,
        "decision": now.decision,
        "old_action": before,
        "action": action,
        "client_pos": 1 - seat,
        "hole_cards": [card_name(card) for card in hand.holes[seat]],
        "board": [card_name(card) for card in (hand.deal.board if shown else hand.board)],
    }
    if not hand.over:
        legal = hand.legal
        told["legal"] = {
            "fold": legal.fold,
            "call": legal.call if legal.call >= 0 and not legal.discards else None,
            "bet": [legal.low, legal.high] if legal.low else None,
            "discard": [card_name(card) for card in legal.discards],
        }
        return told
    won = hand.chips[seat]
    total = matches.get(sitting.id, API)
    told |= {
        "winnings": won,
        "won_pot": max(0, won + hand.paid[seat]),
        "bot_hole_cards": [card_name(card) for card in hand.holes[1 - seat]] if shown else None,
        "winnings_without_luck": None if now.luckless is None else now.luckless * hand.table.unit,
        "session_num_hands": total.played,
        "session_total": total.chips,
    }
    if now.guest.fault is not None:
        told["fault"] = now.guest.fault.text
    return told
