"""JSON under /api: the same functions and keys as `--json` on the command line."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from headsup.common.errors import UserError
from headsup.web.asking import (
    STANDARD,
    asked_equity,
    calculating,
    one_of,
    painted,
    pasted_range,
    read_lock,
    short,
)
from headsup.web.sending import Number, Whole

router = APIRouter(prefix="/api", responses={400: {"description": "A user error, as one sentence under `error`."}})
Text = Annotated[str, Query(max_length=20_000)]
Maybe = Annotated[str | None, Query(max_length=20_000)]
Json = dict[str, Any]


@router.get("/jamfold")
def jamfold(
    game: Text = "holdem",
    stack: Text = "10",
    opponent_stack: Maybe = None,
    blinds: Text = STANDARD,
    ante: Text = "0",
    bb_ante: Text = "0",
    seat: Text = "sb",
    hand: Maybe = None,
    lock: Maybe = None,
    *,
    response: Response,
) -> Json:
    """The jam-or-fold equilibrium of a stack, whole or for one hand; `lock` is the opponent's fixed range."""
    from headsup.games.betting.stakes import read_stakes
    from headsup.games.holdem.classes import check_source, class_table
    from headsup.jamfold.answer import TRANSFERRED, answer, solved
    from headsup.jamfold.as_json import answer_dict as as_dict
    from headsup.jamfold.hands import parse_class
    from headsup.jamfold.locked import against_locked
    from headsup.jamfold.shipped import has_shipped, shipped

    check_source(game, "cpu", None)
    stakes = read_stakes(stack, blinds, ante, bb_ante, opponent_stack, seat)
    index = None if hand is None else parse_class(game, hand)
    fixed = None if lock is None else read_lock(lock, game)
    if fixed is None and stakes.standard and has_shipped(game) and shipped(game).has(stakes.payoffs.stack):
        return as_dict(answer(game, stakes), stakes, seat, index)
    with calculating():
        if fixed is None:
            equilibrium = answer(game, stakes)
            if equilibrium.source == TRANSFERRED:
                response.headers["cache-control"] = "no-store"  # with the table of the game it would be another
            return as_dict(equilibrium, stakes, seat, index)
        table = class_table(game)
        equilibrium = solved(table, stakes.payoffs)
        return as_dict(equilibrium, stakes, seat, index, against_locked(table, equilibrium, seat, fixed))


@router.get("/preflop")
def preflop(stack: Annotated[Number, Query(gt=0, le=1000)] = 10.0, line: Text = "", hand: Maybe = None) -> Json:
    """The chart before the flop for the nearest stack that ships: a decision, or both ranges where the flop comes."""
    from headsup.preflop.chart import answer_dict
    from headsup.preflop.shipped import shipped_preflop

    return answer_dict(shipped_preflop(stack), short(line, "the line"), hand, stack)


@router.get("/endgame")
def endgame(game: Text = "holdem", chips: Whole = 20, stack: Text = "10", button: Maybe = None) -> Json:
    """The probability of winning a shipped endgame: blinds 0.5/1, chips in big blinds."""
    from headsup.endgame.rules import endgame as rules_of
    from headsup.endgame.shipped import CHIPS, answer

    if chips not in CHIPS:
        raise UserError(f"endgames are precomputed for {', '.join(map(str, CHIPS))} chips: choose one of them")
    rules = rules_of(game, str(chips), blinds=STANDARD, ante="0", bb_ante="0", unit=None)
    mine = rules.units(stack, "stack")
    if not 0 < mine < rules.chips:
        raise UserError(f"stack is {stack}: it must be between 0 and {chips}")
    who = None if button is None else one_of(button, ("me", "opponent"), "button")
    return answer(rules).as_dict(mine, who)


@router.get("/range")
def range_(text: Text, game: Text = "holdem") -> Json:
    """Explain a range."""
    from headsup.cards.ranges import parse_range
    from headsup.cards.ranges.words import as_dict

    return as_dict(parse_range(short(text, "the range"), game))


@router.get("/range/preset")
def range_preset(group: Text, name: Text) -> Json:
    """A range of the page's list of presets."""
    from headsup.web.study.library import preset

    return {"group": group, "name": name, "text": preset(group, name)}


class Painting(BaseModel):
    """Hand classes to set to a weight in a range."""

    text: str = Field("", max_length=20_000, description="the range before")
    set: dict[str, Number] = Field(default_factory=dict, description="the weight of each painted class, 0 to 1")


@router.post("/range/paint")
def paint(given: Painting) -> Json:
    """A hold'em range with some hand classes set to a weight, in the form of `range`."""
    from headsup.cards.ranges.words import as_dict

    return as_dict(painted(given.text, given.set))


class Pasted(BaseModel):
    """A range in the format of another program."""

    text: str = Field(max_length=200_000, description="the text, whose format is recognised")
    player: str = Field("", max_length=200, description="which range of a script with several, such as oop")


@router.post("/range/read")
def read_pasted(given: Pasted) -> Json:
    """A hold'em range as another program writes it, in the form of `range`, with the `format` that was recognised."""
    from headsup.cards.ranges.words import as_dict

    pasted = pasted_range(given.text, given.player)
    return {**as_dict(pasted.hands), "format": pasted.format}


@router.get("/equity")
def equity(
    a: Text,
    b: Text,
    board: Text = "",
    dead: Text = "",
    game: Text = "holdem",
    method: Maybe = None,
    samples: Whole | None = None,
    seed: Annotated[Whole, Query(ge=0, lt=2**63)] = 0,
) -> Json:
    """Equity by exact counts; long calculations are sampled and marked as such."""
    return asked_equity(a, b, board, dead, game, method, samples, seed).as_dict()


@router.get("/rule")
def rule(
    hand: Text,
    stack: Annotated[Number, Query(gt=0, le=1000)] = 10.0,
    rule: Text = "card",
    seat: Text = "sb",
    game: Maybe = None,
    rules: Whole | None = None,
    threshold: Maybe = None,
) -> Json:
    """The points of a hand by a rule, line by line, and the equilibrium."""
    from headsup.distil.rules.coach import as_dict
    from headsup.jamfold.hands import parse_class
    from headsup.web.charts.rules import find_rule

    chosen = find_rule(rule, game or ("omaha8" if len(hand) >= 8 else "holdem"), rules, threshold)
    one_of(seat, ("sb", "bb"), "seat")
    return as_dict(chosen.advise(parse_class(chosen.game, hand), stack, seat))


@router.get("/rule/price")
def rule_price(rule: Text = "card", game: Text = "holdem", rules: Whole | None = None, threshold: Maybe = None) -> Json:
    """The cost of a rule at every stack."""
    from headsup.distil.price import prices_of
    from headsup.web.charts.rules import find_rule

    return prices_of(find_rule(rule, game, rules, threshold)).as_dict()


@router.get("/cards")
def cards(game: Text = "holdem") -> Json:
    """The shipped rule cards: number of lines and cost."""
    from headsup.distil.scorecards.lines import pool
    from headsup.distil.shipped import shipped_cards

    pool(game)  # raises if the game has no cards
    return {"game": game, "cards": [card.as_dict() for card in shipped_cards(game)]}


@router.get("/flop-formula")
def flop_formula(hand: Text = "AA", villain: Text = "ATC", features: Whole = 3) -> Json:
    """A shipped flop formula, measured on every flop: `villain` is RUS, RS, RML or ATC."""
    from headsup.web.pages.flops import shipped_formula

    return shipped_formula(hand, villain, features).as_dict()


@router.get("/papers/{paper}")
def paper(paper: str) -> Json:
    """A paper's tables next to ours, from the shipped data."""
    from headsup.web.pages.papers import as_dict

    return as_dict(paper)
