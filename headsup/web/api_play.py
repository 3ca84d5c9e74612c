"""Programs play the bots over HTTP with an API like Slumbot's: `new_hand`, `act`, `login`, and a leaderboard.

`docs/play-api.md` describes the protocol. A token is a match. Responses contain only what the client may see
(`headsup.web.table.matches`); errors are one sentence, as `error` and as Slumbot's `error_msg`.
"""

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
from headsup.web.limits import LOGINS, MOVES, TOKENS, RateLimits
from headsup.web.sending import Number, Whole
from headsup.web.table.leaders import as_dict, leaders
from headsup.web.table.matches import API, Matches, NoMatch, Now, Sitting, Stale
from headsup.web.table.seeing import done

GAME, STACK, BOT = "holdem-nolimit", 200.0, "average"  # defaults: Slumbot's blinds and stacks
IDLE = 3600.0  # seconds after which a hand that waits for its client is given up
MOST_WRONG = 10  # moves that no rule allows, in one hand, before it is given up
NAME = re.compile(r"[A-Za-z0-9_.-]{3,32}")


class _Route(APIRoute):
    """Errors in the form that clients of Slumbot expect."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except RequestValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first.get("loc", ())[1:]) or "the request"
                return _no(422, f"{where}: {first.get('msg', 'cannot be read')}")
            except UserError as error:
                response = _no(getattr(error, "status", 400), str(error))
                if hasattr(error, "wait"):
                    response.headers["retry-after"] = str(max(1, round(error.wait)))
                return response

        return handler


def _no(status: int, message: str) -> Response:
    return JSONResponse({"error": message, "error_msg": message}, status)


router = APIRouter(prefix="/api", route_class=_Route, tags=["play"])


class NewHand(BaseModel):
    """Request a hand; without a token a new match starts, and the response has its token."""

    token: str | None = Field(None, max_length=64)
    game: str | None = Field(None, max_length=40)
    stack: Number | None = Field(None, description="big blinds", gt=0, le=1000)
    bot: str | None = Field(None, max_length=40)
    duplicate: bool = False


class Act(BaseModel):
    """An action."""

    token: str = Field(max_length=64)
    incr: str = Field(
        "", max_length=20, description="f fold, k check, c call, bN bet to a total of N, s keep, dXx swap a card"
    )
    decision: Whole | None = Field(None, description="the number of the decision")


class Login(BaseModel):
    """A name for the leaderboard; the first login with a name registers it."""

    username: str = Field(max_length=32)
    password: str = Field(min_length=8, max_length=200)


@router.post("/new_hand")
def new_hand(request: Request, asked: NewHand) -> dict[str, Any]:
    """The next hand of a match, or the first of a new one. An open hand is forfeited."""
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
        return _client_view(matches, matches.deal(sitting, leave="a new hand was requested"))


def _game(chosen: dict[str, Any]) -> tuple[str, float | None, str]:
    from headsup.web.table.bots import GAMES, bots_of, table_of

    game = chosen.get("game", GAME)
    if game == GAME:
        return game, chosen.get("stack", STACK), chosen.get("bot", BOT)
    there = table_of(game, chosen.get("stack"))
    stack = there.betting.stacks[0] / there.unit if GAMES[game].stacks else None
    return game, stack, chosen.get("bot", bots_of(game, stack)[0])


@router.post("/act")
def act(request: Request, asked: Act) -> Any:
    """An action and the bot's response. An action for another decision than the open one has status 409, with the state
    of the match under `now`.
    """
    matches, limits = _state(request)
    limits.take(MOVES, asked.token)
    sitting = _match(matches, asked.token)
    with limits.one_of_few(sitting.id):
        if time.time() - sitting.touched > IDLE:
            matches.give_up(sitting, f"no action for {IDLE:g} seconds")
            raise Stale(f"the hand was forfeited after {IDLE:g} seconds without an action: request a new one")

        def read(legal: Legal) -> Action:
            return read_incr(asked.incr, legal)

        try:
            now = matches.act(sitting, asked.decision, read)
        except Stale as error:
            stands = matches.now(sitting)
            where = {} if stands is None else {"now": _client_view(matches, stands)}
            return JSONResponse({"error": str(error), "error_msg": str(error), **where}, 409)
        except Illegal as error:
            stands = matches.now(sitting)
            if stands is not None and stands.wrong >= MOST_WRONG:
                matches.give_up(sitting, f"{MOST_WRONG} illegal actions")
                raise UserError(
                    f"{error}; after {MOST_WRONG} illegal actions the hand is forfeited: request a new one"
                ) from None
            raise UserError(str(error)) from None
        return _client_view(matches, now)


@router.post("/login")
def login(request: Request, asked: Login) -> dict[str, Any]:
    """A token whose hands count for a name."""
    matches, limits = _state(request)
    if not NAME.fullmatch(asked.username):
        raise UserError("a name has 3 to 32 letters, digits, dots, dashes and underscores: choose another one")
    limits.take(LOGINS, asked.username)
    limits.take(TOKENS, _address(request))
    _check(matches, asked.username, asked.password)
    made = matches.create(API, GAME, STACK, BOT, client=asked.username)
    return {"token": made.id, "username": asked.username}


@router.get("/leaderboard")
def board(request: Request) -> list[dict[str, Any]]:
    """Results of named clients against each bot. Hands without an action for an hour are forfeited first."""
    matches, _ = _state(request)
    settle(matches)
    return [as_dict(leaderboard) for leaderboard in leaders(matches)]


def settle(matches: Matches) -> None:
    for sitting in matches.forgotten(API, time.time() - IDLE):
        matches.give_up(sitting, f"no action for {IDLE:g} seconds")


def _state(request: Request) -> tuple[Matches, RateLimits]:
    state = request.app.state
    return state.matches, state.limits


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _match(matches: Matches, token: str) -> Sitting:
    try:
        return matches.get(token, API)
    except NoMatch:
        raise NoMatch("unknown token: leave it out to get a new one") from None


def _check(matches: Matches, name: str, password: str) -> None:
    row = matches.db.execute("SELECT salt, password FROM clients WHERE name = ?", (name,)).fetchone()
    if row is None:
        salt = secrets.token_bytes(16)
        try:
            with matches.db as db:
                kept = (name, salt, _hashed(password, salt), time.time())
                db.execute("INSERT INTO clients VALUES (?, ?, ?, ?)", kept)
            return
        except sqlite3.IntegrityError:  # registered by another request at this moment
            return _check(matches, name, password)
    if not hmac.compare_digest(_hashed(password, row["salt"]), row["password"]):
        error = UserError("the name is taken, and this is not its password")
        error.status = 401  # type: ignore[attr-defined]
        raise error


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)


# --- the language of actions ------------------------------------------------------------------------------------------


def read_incr(text: str, legal: Legal) -> Action:
    """An action: f fold, k check, c call, bN bet or raise to a total of N on the street, s keep, dXx swap a card."""
    kind, rest = text[:1], text[1:]
    passive = {"s"} if legal.discards else {"k"} if legal.call == 0 else {"c"}
    action: Action | None = None
    if kind == "f" and not rest:
        action = FOLDS
    elif kind in passive and not rest:
        action = CALLS
    elif kind == "b" and rest.isascii() and rest.isdigit() and len(rest) < 10:
        action = raise_to(int(rest))
    elif kind == "d" and len(rest) == 2:
        with suppress(UserError):
            action = Action("d", parse_card(rest))
    if action is None or not legal.allows(action):
        raise Illegal(f"'{text}' is not allowed: {_offered(legal)}")
    return action


def _offered(legal: Legal) -> str:
    if legal.discards:
        return "send s, or d and one of " + ", ".join(card_name(card) for card in legal.discards)
    moves = ["f"] if legal.fold else []
    moves += ["k" if legal.call == 0 else "c"] if legal.call >= 0 else []
    if legal.low:
        moves.append(f"b{legal.low}" + (f" to b{legal.high}" if legal.high > legal.low else ""))
    return f"send {', '.join(moves)} ({legal_text(legal)})"


def action_texts(hand: TableHand, seat: int) -> tuple[str, str]:
    """The actions before the client's last one, and all actions, in Slumbot's notation with a slash after each street;
    cards swapped by the opponent are hidden.
    """
    again, letters, before = TableHand(hand.table, hand.deal), list[str](), ""
    street = again.street
    for step in hand.steps:
        letters.append("/" * (step.street - street))
        street = step.street
        if step.seat == seat:
            before = "".join(letters)
        legal = again.legal
        kind, amount = step.action
        if kind == "r":
            letters.append(f"b{amount}")
        elif kind == "d":
            letters.append(f"d{card_name(amount) if step.seat == seat else ''}")
        elif kind == "c":
            letters.append("s" if legal.discards else "c" if legal.call else "k")
        else:
            letters.append("f")
        done(again, step)
    if not hand.over or hand.state.folder < 0:
        letters.append("/" * (hand.street - street))
    return before, "".join(letters)


def _client_view(matches: Matches, now: Now) -> dict[str, Any]:
    hand, seat, sitting = now.guest.hand, now.guest.setup.seat, now.sitting
    shown = hand.over and hand.state.folder < 0
    before, action = action_texts(hand, seat)
    stack = hand.table.betting.stacks[seat]
    state: dict[str, Any] = {
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
        state["legal"] = {
            "fold": legal.fold,
            "call": legal.call if legal.call >= 0 and not legal.discards else None,
            "bet": [legal.low, legal.high] if legal.low else None,
            "discard": [card_name(card) for card in legal.discards],
        }
        return state
    won = hand.chips[seat]
    total = matches.get(sitting.id, API)
    state |= {
        "winnings": won,
        "won_pot": max(0, won + hand.paid[seat]),
        "bot_hole_cards": [card_name(card) for card in hand.holes[1 - seat]] if shown else None,
        "winnings_without_luck": None if now.luckless is None else now.luckless * hand.table.unit,
        "session_num_hands": total.played,
        "session_total": total.chips,
    }
    if now.guest.fault is not None:
        state["fault"] = now.guest.fault.text
    return state
