"""Train: questions, answers and their loss; missed questions are repeated, and progress is kept."""

import secrets
from random import Random
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from headsup.cards.cards import parse_cards
from headsup.cards.games import GAMES
from headsup.common.display import csv_text, json_line
from headsup.common.errors import UserError
from headsup.common.plot import line_chart
from headsup.games.betting.stakes import SEAT_NAMES
from headsup.play.coach.decks import HandsDeck, PreflopDeck, QuestionDeck, SpotDeck
from headsup.play.coach.questions import BB, POINTS, TrainingQuestion, read_mix, score
from headsup.play.coach.reference import CLOSEST
from headsup.play.coach.trainer import GAPS, Answered, answer, next_key, progress
from headsup.play.coach.whole_hands import PreflopHands, SpotHands, WholeHands
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.spots.solve import SOLVED_TO
from headsup.web.api_spots import jobs_of
from headsup.web.asking import calculating, one_of, short
from headsup.web.charts.formulas import RANGES
from headsup.web.jobs import Job
from headsup.web.pages.flops import HANDS as FLOP_HANDS
from headsup.web.pages.hands import ALL, tone
from headsup.web.render import address, show
from headsup.web.sending import Sent, chart_file, file, redirected
from headsup.web.study.walking import load
from headsup.web.table.imports import Imports
from headsup.web.table.seeing import Card
from headsup.web.training import (
    GRADES,
    WHATS,
    TrainingStore,
    card_deck,
    deck_words,
    flop_deck,
    grade,
    jamfold_deck,
    number,
    preflop_deck,
)

router = APIRouter()
FIELDS = {
    "jamfold": {"game": "holdem", "stack": "10", "seat": "both", "within": "0.01"},
    "preflop": {"play": "decision", "stack": "10", "seat": "both", "within": f"{CLOSEST:g}", "sizes": "all"},
    "spot": {"play": "decision", "spot": "", "sizes": "all"},
    "hands": {"hands": "", "player": ""},
    "flops": {"hand": "AKs", "villain": "RS"},
    "card": {"game": "holdem", "lines": "4"},
}
"""Parameters of each kind of deck, with their defaults."""
SIZES = {"all": "every size", "simple": "bet or not"}
PLAYS = {"decision": "single decision", "street": "one street", "hand": "full hand"}
KEYS = {"fold": "f", "check": "c", "call": "c", "jam": "j", "all-in": "a"}


def progress_of(request: Request) -> TrainingStore:
    progress: TrainingStore = request.app.state.progress
    return progress


def _words(given: Any) -> dict[str, str]:
    what = one_of(str(given.get("what") or "jamfold"), tuple(WHATS), "what to train")
    fields = FIELDS[what]
    words = {"what": what, **{key: short(str(given.get(key) or usual), key) for key, usual in fields.items()}}
    one_of(words.get("sizes", "all"), tuple(SIZES), "the sizes")
    one_of(words.get("play", "decision"), tuple(PLAYS), "how much of a hand to play")
    return words


def _deck(request: Request, words: dict[str, str]) -> QuestionDeck | None:
    what = words["what"]
    if what == "jamfold":
        one_of(words["game"], tuple(GAMES), "the game")
        return jamfold_deck(words["game"], words["stack"], words["seat"], words["within"])
    if what == "preflop":
        return preflop_deck(words["stack"], words["seat"], words["within"])
    if what == "flops":
        return flop_deck(
            one_of(words["hand"], FLOP_HANDS, "the hand"), one_of(words["villain"], tuple(RANGES), "range")
        )
    if what == "card":
        return card_deck(words["game"], words["lines"])
    if what == "spot":
        jobs = jobs_of(request).all()
        words["spot"] = words["spot"] or next((job.id for job in jobs if job.reached <= SOLVED_TO), "")
        if not words["spot"]:
            return None
        loaded = load(jobs_of(request).get(words["spot"]).solution)
        loaded.deck = loaded.deck or SpotDeck(loaded.solved, words["spot"])
        return loaded.deck
    imports: Imports = request.app.state.imports
    kept = imports.all()
    words["hands"] = words["hands"] or next((kept_hands.id for kept_hands in kept if kept_hands.valued), "")
    if not words["hands"]:
        return None
    hands = imports.get(words["hands"])
    return HandsDeck(
        imports.decisions(hands.id, "" if words["player"] == ALL else words["player"]),
        f"{hands.id} {words['player']}".strip(),
    )


@router.get("/train")
def train(request: Request) -> Response:
    words = _words(request.query_params)
    deck = _deck(request, words)
    context: dict[str, Any] = {"question": None}
    if deck is not None:
        store = progress_of(request)
        with calculating():
            random, hands = Random(secrets.randbits(64)), _whole_hands(deck, words)
            key = short(request.query_params.get("key", ""), "the question")
            if hands is None:
                key = next_key(deck, store, random)
            elif not key:
                key = hands.begin(random)
            context = _asked(deck.question(key), words.get("sizes", "")) | {
                "again": hands is None and store.waiting(deck.name, key) is not None
            }
        context |= _went(store, deck, context["question"].unit)
    return _page(request, words, **context)


@router.post("/train")
def answered(request: Request, form: Sent) -> Response:
    """Score an answer; it counts only if its question is the last one asked."""
    words = _words(form)
    deck = _deck(request, words)
    if deck is None:
        raise UserError("there is nothing to train yet: choose something else")
    store, key, text = progress_of(request), short(form.get("key", ""), "the question"), _given(form)
    with calculating():
        fresh = form.get("turn", "") == str(store.turn(deck.name))
        if fresh:
            question, scored = answer(deck, store, key, text)
        else:  # sent twice, or from another window: shown again, but not counted
            question = deck.question(key)
            scored = score(question, text)
    context = _asked(question, words.get("sizes", "")) | {
        "grade": grade(scored.lost, scored.right, question.unit),
        "other": _other(question),
        "score": scored,
        "fresh": fresh,
        "due": store.waiting(deck.name, key),
        "caution": deck.at(key.partition("|")[0].strip()).caution if isinstance(deck, PreflopDeck) else None,
    }
    hands = _whole_hands(deck, words)
    if hands is not None:
        with calculating():
            mix = read_mix(question, text)
            action = question.choices[mix.index(max(mix))]
            context["then"] = hands.proceed(key, action, Random(secrets.randbits(64)))
        context["hand_so_far"] = _hand_so_far(store.session(deck.name), key)
    return _page(request, words, **context, **_went(store, deck, question.unit))


def _whole_hands(deck: QuestionDeck, words: dict[str, str]) -> WholeHands | None:
    """What plays whole hands or streets; None where single decisions are trained."""
    play = words.get("play", "decision")
    if play == "decision":
        return None
    if isinstance(deck, PreflopDeck):
        return PreflopHands(deck)
    assert isinstance(deck, SpotDeck)
    return SpotHands(deck, one_street=play == "street")


def _hand_so_far(session: list[Answered], key: str) -> list[Answered]:
    """The last answers of a session that belong to the hand of a question, the first decision first."""
    line, _, hand = (part.strip() for part in key.partition("|"))
    answers = list[Answered]()
    for answered in reversed(session):
        before, _, held = (part.strip() for part in answered.key.partition("|"))
        if held != hand or not line.startswith(before) or (answers and before == line):
            break
        answers.insert(0, answered)
        line = before
    return answers


def _given(form: dict[str, str]) -> str:
    if form.get("answer", "").strip():
        return short(form["answer"], "the answer")
    shares = sorted((key, value) for key, value in form.items() if key.startswith("mix-"))
    if not shares:
        raise UserError("the answer is missing: choose one")
    return ", ".join(f"{key.removeprefix('mix-').partition('-')[2]} {value.strip() or 0}" for key, value in shares)


def _asked(question: TrainingQuestion, sizes: str = "all") -> dict[str, Any]:
    choices = []
    taken = set[str]()
    for i, name in enumerate(question.choices, start=1):
        key = KEYS.get(name.split()[0], str(i))
        key = str(i) if key in taken else key
        taken.add(key)
        choices.append({"name": name, "kind": tone(name), "key": key, "number": i})
    cards, board = ([Card.of(card) for card in parse_cards(text)] for text in (question.cards, question.board))
    facts = [(name, RANGES.get(value, value)) for name, value in question.facts]
    offered = simple(question, choices) if sizes == "simple" else choices
    shown = {"choices": choices, "offered": offered, "cards": cards, "board": board}
    return {"question": question, "facts": facts, **shown}


def simple(question: TrainingQuestion, choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The choices with all bets as one, which stands for the best of them."""
    bets = [choice for choice in choices if choice["kind"] in ("bet", "allin")]
    if question.known is None or len(bets) < 2:
        return choices
    known = question.known
    best = min(bets, key=lambda choice: known.lost_by(choice["number"] - 1) or 0.0)
    word = "raise" if any(choice["name"].startswith("raise") for choice in bets) else "bet"
    joined = {"name": f"{word}, any size", "kind": "bet", "key": "r", "number": best["number"]}
    return [choice for choice in choices if choice not in bets] + [joined]


def _went(store: TrainingStore, deck: QuestionDeck, unit: str) -> dict[str, Any]:
    went = progress(store.answers(deck.name))
    chart = ""
    if len(went["curve"]) > 1:
        series = {"lost": [(float(at), lost) for at, lost in went["curve"]]}
        title = "Mean loss per ten answers" if unit != POINTS else "Mean error per ten answers"
        chart = line_chart(series, title=title, x="answers", y=unit, width=520, height=300, dots=True)
    session = store.session(deck.name)
    grades = [grade(answered.lost, answered.right, unit) for answered in session]
    counts = {name: grades.count(name) for name in GRADES}
    sitting = {"session": session, "grades": counts, "session_lost": sum(answered.lost for answered in session)}
    return {
        **sitting,
        "deck": deck.name,
        "turn": went["answers"],
        "went": went,
        "chart": chart,
        "missed": store.missed(deck.name),
    }


def _trained(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    title, words = deck_words(row["deck"])
    title = f"Spot {names.get(words['spot'], 'that was deleted')}" if "spot" in words else title
    return {**row, "title": title, "link": address("/train", what=row["deck"].partition(" ")[0], **words)}


def _named(job: Job) -> str:
    name = job.ask.name or job.id
    return (
        name
        if job.reached <= SOLVED_TO
        else f"{name} (not solved: exploitability {100 * job.reached:.2g} % of the pot)"
    )


def _other(question: TrainingQuestion) -> dict[str, Any] | None:
    known = question.known
    if known is None or known.value is None or len(known.choices) != 2:
        return None
    worse = min((0, 1), key=lambda i: known.choices[i].value or 0.0)
    return {"name": known.choices[worse].name, "lost": known.lost_by(worse)}


def _page(request: Request, words: dict[str, str], **context: Any) -> Response:
    store = progress_of(request)
    imports: Imports = request.app.state.imports
    spots = [(job.id, _named(job)) for job in jobs_of(request).all() if job.solved]
    brought = [(item.id, item.name) for item in imports.all() if item.valued]
    nearest = ""
    if words["what"] == "preflop":
        stack = number(words["stack"], "the stack")
        answered = shipped_preflop(stack).stack
        nearest = f"{answered:g}" if answered != stack else ""
    return show(
        request, "train", url=address("/train", **words), words=words, whats=WHATS,
        seats={"both": "both"} | SEAT_NAMES, spots=spots, brought=brought, flop_hands=FLOP_HANDS, ranges=RANGES,
        stacks=shipped_stacks(), nearest=nearest, sizes=SIZES, plays=PLAYS,
        decks=[_trained(deck, dict(spots)) for deck in store.decks()], bb=BB, points=POINTS, gaps=GAPS,
        **{"score": None, "again": False, "then": None, "caution": None, **context},
    )  # fmt: skip


@router.get("/train/progress.{ending}")
def taken_away(request: Request, ending: str) -> Response:
    rows = progress_of(request).every()
    if ending == "json":
        return file(json_line({"answers": rows}, indent=1), "application/json", "training.json")
    if ending != "csv":
        raise UserError(f"progress is available as json or csv, not {ending[:10]}")
    names = ("deck", "key", "given", "lost", "right", "made")
    text = csv_text([names, *([row[name] for name in names] for row in rows)])
    return file(text, "text/csv", "training.csv")


@router.get("/train/curve.{kind}")
def curve(request: Request, kind: str) -> Response:
    store, deck, drawn = progress_of(request), _deck(request, _words(request.query_params)), ""
    if deck is not None:
        with calculating():
            unit = deck.question(next_key(deck, store, Random(0))).unit
        drawn = _went(store, deck, unit)["chart"]
    return chart_file(drawn, kind, "training")


@router.post("/train/delete")
def delete(request: Request, form: Sent) -> Response:
    progress_of(request).delete(short(form.get("deck", ""), "the deck"))
    return redirected(request, "/train")
