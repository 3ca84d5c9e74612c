"""Play: choose a game and a bot, play, replay hands, and see the result of the match."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.cards.cards import cards_name
from headsup.common.display import json_line
from headsup.common.errors import DataError, UserError
from headsup.nolimit.shipped import LEAST, MOST
from headsup.play.table.histories import phh_text
from headsup.play.table.record import parse_betting
from headsup.play.table.rules import Action, Illegal
from headsup.web.api_play import settle
from headsup.web.render import address, is_part, part, show, signed
from headsup.web.sending import Sent, Whole, file, redirected
from headsup.web.table.bots import GAMES, WORDS, bot_name, bots_of, levels_of, table_of, warm
from headsup.web.table.leaders import RANKED, leaders
from headsup.web.table.matches import PAGE, YOU, Matches, Now, Sitting, Stale
from headsup.web.table.review import review
from headsup.web.table.seeing import part_of, see
from headsup.web.training import number

router = APIRouter()
Text = Annotated[str, Query(max_length=200)]
NEWEST = 30  # hands that the list beside the table shows


def matches_of(request: Request) -> Matches:
    matches: Matches = request.app.state.matches
    return matches


@router.get("/play")
def lobby(request: Request, game: Text = "holdem-nolimit", stack: Text = "", bot: Text = "") -> Response:
    if game not in GAMES:
        raise UserError(f"the game is one of {', '.join(GAMES)}")
    size = _stack(game, stack)
    table_of(game, size)  # raises on a stack that no table has
    bots = bots_of(game, size)
    matches = matches_of(request)
    kept = [(match, result_of(matches, match)) for match in matches.all(PAGE)[:50]]
    levels = levels_of(bots)
    chosen = bot if bot in bots else next(iter(levels.values()), bots[0])
    if request.app.state.warm:
        warm(game, size, chosen)
    return show(
        request, "play", url=address("/play", game=game, stack=_number(size), bot=chosen), games=GAMES,
        game=game, offer=GAMES[game], stack=size, bots=bots, levels=levels, limits=(LEAST, MOST), bot=chosen,
        words=WORDS, kept=kept,
    )  # fmt: skip


def _stack(game: str, text: str) -> float | None:
    """One of the stacks that a game offers, in no-limit hold'em any that the blueprints play."""
    offered = GAMES[game].stacks
    if not offered:
        return None
    if game == "holdem-nolimit" and text:
        return number(text, "the stack")
    return float(text) if text in map(_number, offered) else offered[0]


def _number(stack: float | None) -> str:
    return "" if stack is None else f"{stack:g}"


@router.post("/play")
def sit_down(request: Request, sent: Sent) -> Response:
    game = sent.get("game", "")
    if game not in GAMES:
        raise UserError(f"the game is one of {', '.join(GAMES)}")
    matches = matches_of(request)
    made = matches.create(PAGE, game, _stack(game, sent.get("stack", "")), sent.get("bot", ""))
    matches.deal(made)
    return redirected(request, f"/play/{made.id}")


@router.get("/play/leaders")
def board(request: Request) -> Response:
    settle(matches_of(request))
    return show(request, "play_leaders", boards=leaders(matches_of(request)), ranked=RANKED, games=GAMES)


@router.get("/play/{match}")
def table(request: Request, match: str) -> Response:
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    now = matches.now(sitting) or matches.deal(sitting)
    return show(request, "play_table", **_context(matches, sitting, now))


def _context(matches: Matches, sitting: Sitting, now: Now) -> dict[str, Any]:
    seen = see(now.guest.hand, now.guest.setup.seat, (YOU, bot_name(sitting.bot)))
    newest = matches.hands(sitting, newest=NEWEST)
    return {
        "sitting": sitting,
        "title": title_of(sitting),
        "now": now,
        "seen": seen,
        "told": result_of(matches, sitting),
        "newest": newest[::-1],
        "phh": has_phh(sitting),
    }


def title_of(sitting: Sitting) -> str:
    deep = "" if sitting.stack is None else f", {sitting.stack:g} big blinds"
    return f"{GAMES[sitting.game].title}{deep}"


def has_phh(sitting: Sitting) -> bool:
    return sitting.game in ("holdem-limit", "holdem-nolimit", "holdem-jamfold")


def result_of(matches: Matches, sitting: Sitting) -> dict[str, Any] | None:
    """The result of a match: plain and with AIVAT, in bb/hand with intervals."""
    result = matches.result(sitting)
    if result is None:
        return None
    summary = result.summary()
    chips = round(float(result.scores["plain"].sum()) * sitting.table.unit)
    return {
        "hands": result.hands,
        "chips": chips,
        "bb": signed(chips / sitting.table.unit, 1),
        "rows": [
            (name, signed(summary["estimates"][key]["mean_bb"], 2), _interval(summary["estimates"][key]["interval_bb"]))
            for key, name in (("plain", "actual result"), ("aivat", "with variance reduction (AIVAT)"))
            if key in summary["estimates"]
        ],
        "any": _interval(summary["anytime_bb"]) if "anytime_bb" in summary else "",
        "luck": "aivat" in summary["estimates"],
    }


def _interval(ends: list[float | None]) -> str:
    low, high = ends
    if low is None or high is None:
        return ""
    return f"{signed(low, 2)} to {signed(high, 2)}"


@router.post("/play/{match}/act")
def act(request: Request, match: str, sent: Sent) -> Response:
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    try:
        now = matches.act(sitting, _decision(sent), read_move(sent.get("move", ""), sent.get("amount", "")))
    except Stale as error:
        return _stale(request, sitting, error)
    except Illegal as error:
        raise UserError(f"illegal action: {error}") from None
    return _shown(request, matches, sitting, now)


@router.post("/play/{match}/deal")
def deal(request: Request, match: str, sent: Sent) -> Response:
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    try:
        now = matches.deal(sitting, _decision(sent))
    except Stale as error:
        return _stale(request, sitting, error)
    return _shown(request, matches, sitting, now)


def _decision(sent: dict[str, str]) -> int:
    text = sent.get("decision", "")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise UserError("the number of the decision is missing: send it as decision")
    return int(text)


def read_move(text: str, amount: str = "") -> Action:
    """An action in log notation: f, c, r and a total, d and a card; the total may be separate."""
    if text == "r":
        digits = amount.replace(",", "").replace(" ", "")
        if not (digits.isascii() and digits.isdigit()):
            raise UserError(f"'{amount[:20]}' is not a number of chips: write the size of the bet")
        text = f"r{digits}"
    try:
        actions = parse_betting(text[:40])
    except DataError as error:
        raise UserError(str(error)) from None
    if len(actions) != 1 or actions[0].kind == "x" or len(text) > 40:
        raise UserError(f"'{text[:20]}' is not an action: send f, c, r and a total, or d and a card")
    return actions[0]


def _shown(request: Request, matches: Matches, sitting: Sitting, now: Now) -> Response:
    if not is_part(request):
        return redirected(request, f"/play/{sitting.id}")
    return part(request, "play_table_view", **_context(matches, sitting, now))


def _stale(request: Request, sitting: Sitting, error: Stale) -> Response:
    if not is_part(request):
        return show(request, "play_stale", 409, message=str(error), sitting=sitting)
    answer = part(request, "play_stale_view", 409, message=str(error), sitting=sitting)
    answer.headers["hx-retarget"], answer.headers["hx-reswap"] = "#mistake", "innerHTML"
    return answer


@router.post("/play/{match}/delete")
def delete(request: Request, match: str) -> Response:
    matches = matches_of(request)
    matches.delete(matches.get(match, PAGE))
    return redirected(request, "/play")


@router.get("/play/{match}/hands/{number}")
def replay(request: Request, match: str, number: Whole, step: Whole = -1) -> Response:
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    now = matches.hand(sitting, number - 1)
    last = len(now.guest.hand.steps)
    at = last if not 0 <= step <= last else step
    hand = now.guest.hand if at == last else part_of(now.guest.hand, at)
    seen = see(hand, now.guest.setup.seat, (YOU, bot_name(sitting.bot)))
    words: dict[str, Any] = {
        "sitting": sitting,
        "title": title_of(sitting),
        "now": now,
        "seen": seen,
        "at": at,
        "last": last,
    }
    page = show(request, "play_hand", told=result_of(matches, sitting), phh=has_phh(sitting), **words)
    page.headers["hx-replace-url"] = address(f"/play/{sitting.id}/hands/{number}", step=at)
    return page


@router.get("/play/{match}/hands/{number}/review")
def after(request: Request, match: str, number: Whole, values: bool = False) -> Response:
    """The review of a hand; slow values only on request."""
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    now = matches.hand(sitting, number - 1)
    return part(request, "play_review", sitting=sitting, now=now, found=review(sitting, now.guest, values))


@router.get("/play/{match}/history.{ending}")
def history(request: Request, match: str, ending: str, hand: Whole = 0) -> Response:
    """Finished hands as the player knows them, one or all: phh or jsonl."""
    matches = matches_of(request)
    sitting = matches.get(match, PAGE)
    hands = [matches.hand(sitting, hand - 1)] if hand else matches.hands(sitting)
    if not hands:
        raise UserError("no hand is finished yet: play one first")
    records = [record.record() for record in hands]
    name = f"{sitting.game}-{sitting.bot.partition(':')[0]}-{sitting.id[:6]}" + (f"-{hand}" if hand else "")
    if ending == "jsonl":
        named = {"headsup": "log", "game": sitting.game, "stack": sitting.stack}
        head = [] if sitting.table.draws else [named]  # cards that the bot threw away are not known
        lines = ({**record.line(), "holes": [cards_name(hole) for hole in record.holes]} for record in records)
        return file("\n".join(map(json_line, (*head, *lines))) + "\n", "application/jsonl", f"{name}.jsonl")
    if ending != "phh":
        raise UserError(f"a history is available as phh or jsonl, not {ending[:10]}")
    return file(phh_text(record for record in records if not record.faults), "text/plain", f"{name}.phh")
