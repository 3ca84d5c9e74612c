"""Review of a finished hand: for each decision, the reference strategy, the bot's own, and the value of each choice.

References are those of `headsup.play.coach.judges`; in hold'em with discards the shipped strategy, without values.
Against a bot with a known strategy, the value of a choice comes from local best response (`headsup.play.agents.lbr`),
which is exact in jam or fold and if the choice ends the betting.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from headsup.games.betting.stakes import SEATS
from headsup.nolimit.shipped import flop_stack
from headsup.play.agents.lbr import LocalBestResponse
from headsup.play.agents.resolver import Resolver
from headsup.play.coach.any_stack import ChartChoices, blueprint_for, chart_choices
from headsup.play.coach.continuation import ActionValues
from headsup.play.coach.judges import StrategyJudge, class_of, equilibrium, strategy_for
from headsup.play.coach.reference import NEVER, STRATEGY, ActionChoice, ReferenceAnswer
from headsup.play.protocols.guest import GuestHand
from headsup.play.table.agent import Mixed
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView
from headsup.play.table.words import act_words
from headsup.web.asking import calculating
from headsup.web.table.bots import shared
from headsup.web.table.matches import MOST_PAGE, Sitting
from headsup.web.table.seeing import Card, part_of

EXACT, CONTINUED = "exact value", "value if both follow it"
NAMES = {
    "jamfold": "the equilibrium",
    "limit": "the limit hold'em blueprint",
    "nolimit:blueprint": "the no-limit blueprint",
    "discard": "the discard strategy",
}


@dataclass(frozen=True)
class Option:
    words: str
    kind: str
    chosen: bool
    known: float | None  # frequency in the reference strategy
    bots: float | None  # how often the bot would
    value: float | None  # value by the reference strategy, for the whole hand in big blinds
    error: float
    """By how much its distance from what the strategy is worth may be wrong (95 %), where that is an estimate."""
    against: float | None  # what it is worth against this bot
    read: str = ""  # the action as which the strategy reads it, where it is not in the menu


@dataclass(frozen=True)
class Looked:
    street: str
    board: tuple[Card, ...]
    hole: tuple[Card, ...]
    did: str
    options: tuple[Option, ...]
    lost: float | None  # the loss of the choice in big blinds (`headsup.play.coach.reference`), where values are known
    verdict: str
    notes: tuple[str, ...]  # what does not fit, in sentences
    by: str  # the reference strategy of this decision; empty if there is none
    charted: bool  # whether it is a chart before the flop


@dataclass(frozen=True)
class Reviewed:
    knows: str  # the reference strategy; empty if there is none
    bots: str  # whose frequencies in the guest's seat stand beside the reference; empty if there are none
    values: str  # what kind of values there are, in words; empty where there are none
    drawn: int  # turns and rivers behind each estimate; 0 where there is none
    against: str  # the opponent of the second values; empty if there are none
    decisions: tuple[Looked, ...]
    left: bool = False  # whether values are missing because another hand was requested
    later: bool = False  # whether values by a strategy's continuation are still to come

    @property
    def charted(self) -> bool:
        """Whether a decision is judged by a chart before the flop."""
        return any(one.charted for one in self.decisions)


class _Asked:
    """A request about a match; a later request for another hand cancels it."""

    _newest: ClassVar[OrderedDict[str, _Asked]] = OrderedDict()

    def __init__(self, match: str) -> None:
        self.match, self.left = match, False
        self._newest[match] = self
        self._newest.move_to_end(match)
        while len(self._newest) > MOST_PAGE:
            self._newest.popitem(last=False)

    @property
    def waits(self) -> bool:
        self.left = self.left or self._newest.get(self.match, self) is not self
        return not self.left


def knower(sitting: Sitting) -> str:
    """The bot with the best known strategy for a game; empty if there is none."""
    if sitting.game.endswith("jamfold"):
        return "jamfold"
    if sitting.game == "holdem-nolimit":
        return "nolimit:blueprint" if blueprint_for(sitting.table) is not None else ""
    return {"holdem-limit": "limit", "holdem-discard": "discard"}.get(sitting.game, "")


def review(sitting: Sitting, guest: GuestHand, continued: bool = True) -> Reviewed:
    """Review the guest's decisions in a finished hand; slow values of a strategy may be left for later."""
    knows, model = knower(sitting), "nolimit:blueprint" if sitting.bot == "nolimit" else sitting.bot
    decisions = []
    judge_for = blueprint_for if sitting.game == "holdem-nolimit" else strategy_for
    shipped, asked = judge_for(sitting.table) if knows else None, _Asked(sitting.id)
    values, drawn, bots, against, left = "", 0, "", "", ""
    name = NAMES.get(knows, "")
    if knows == "nolimit:blueprint" and sitting.stack and flop_stack(sitting.stack) != sitting.stack:
        name += f" for {flop_stack(sitting.stack)} bb"
    for i, step in enumerate(guest.hand.steps):
        hand = part_of(guest.hand, i)
        if step.seat != guest.setup.seat or not hand.legal.allows(step.action):
            continue
        view = hand.view()
        charted = _by_chart(view, step.action) if knows == "nolimit:blueprint" and not view.street else None
        by = name if charted is None else f"the chart for {charted.chart.stack:g} bb"
        right = _probabilities(sitting, knows, view) if knows and charted is None else {}
        if charted is not None:
            right = dict(zip(charted.actions, charted.shares, strict=True))
        theirs = _probabilities(sitting, model, view) if model != knows else {}
        named = sitting.bot
        if model == knows == "nolimit:blueprint" and continued and asked.waits and (solved := _solved(sitting, view)):
            named, theirs = "nolimit", solved
        exact, continued_by = _exact(sitting, view), None
        if charted is not None:
            if charted.values is not None:
                values_of = ActionValues(charted.values, [0.0] * len(charted.values))
                continued_by = _whole_hand(view, step.action, values_of, charted.actions, charted.taken)
        elif shipped is not None and continued:
            continued_by = _continued(shipped, view, step.action, asked)
            left = left or _left(shipped, view, asked)
        if continued_by is not None:
            exact, drawn = continued_by.values, max(drawn, continued_by.runouts)
        every = [action for action in (FOLDS, CALLS) if view.legal.allows(action)]
        known = {*right, *theirs, *exact, step.action, *(Action("d", card) for card in view.legal.discards)}
        if 0 < view.legal.low == view.legal.high:
            known.add(view.legal.bet(view.legal.low))
        every += sorted(action for action in known if action.kind in "rd")
        worth = _worths(sitting, model, view, [action for action in every if action.kind == "r"])
        kind = EXACT if shipped is None else CONTINUED
        values, against = values or kind * bool(exact), against or (model if worth else "")
        bots = bots or (named if theirs else "")
        options = []
        for action in every:
            words, kind = act_words(action, view.legal, view.state, view.table.betting)
            if action.kind == "d":
                words = f"swap {Card.of(action.amount).name}"
            options.append(
                Option(
                    words, kind, action == step.action,
                    right.get(action, 0.0) if right else None,
                    theirs.get(action, 0.0) if theirs else None,
                    exact.get(action),
                    0.0 if continued_by is None else continued_by.errors.get(action, 0.0),
                    worth.get(action),
                    _named(continued_by.read, view) if continued_by is not None and action == step.action else "",
                )
            )  # fmt: skip
        did = next(action for action in options if action.chosen)
        lost, verdict, notes = _judged(did, options, by, left if charted is None else charted.left)
        notes += [f"{note[0].upper()}{note[1:]}." for note in ([] if charted is None else charted.notes)]
        if shipped is None and right and not left and not _taken(right, step.action):
            left = "you took an action earlier that it never takes with this hand"
        decisions.append(
            Looked(
                hand.table.betting.street_names[hand.state.street],
                tuple(Card.of(card) for card in view.board),
                tuple(Card.of(card) for card in sorted(view.hole, reverse=True)),
                did.words, tuple(options), lost, verdict, tuple(notes), by, charted is not None,
            )
        )  # fmt: skip
    return Reviewed(
        name,
        bots,
        values,
        drawn,
        against,
        tuple(decisions),
        asked.left,
        shipped is not None and not continued,
    )


class Continued(NamedTuple):
    """Values of actions if both continue with a strategy, for the whole hand in big blinds."""

    values: dict[Action, float]
    errors: dict[Action, float]
    runouts: int
    read: Action | None  # as which of them what was done is read, if it is none of them


def _continued(shipped: StrategyJudge, view: PlayerView, did: Action, asked: _Asked) -> Continued | None:
    """By a shipped strategy."""
    with calculating(wait=True):
        judged = shipped.by_action(view, did) if asked.waits else None
    if judged is None:
        return None
    return _whole_hand(view, did, *judged)


def _by_chart(view: PlayerView, did: Action) -> ChartChoices | None:
    """Before the flop the chart of the nearest stack, as in `headsup review`."""
    return chart_choices(view, did, min(view.table.betting.stacks) / view.table.unit, "you")


def _whole_hand(view: PlayerView, did: Action, worth: ActionValues, actions: list[Action], taken: int) -> Continued:
    """Values from here on as those of the whole hand; an unused bet size has that of the one as which it is read."""
    paid, which = view.state.paid[view.seat] / view.table.unit, dict(zip(actions, range(len(actions)), strict=True))
    read = None if did in which else actions[taken]
    which[did] = which.get(did, taken)
    values = {action: worth.values[i] - paid for action, i in which.items()}
    return Continued(values, {action: worth.errors[i] for action, i in which.items()}, worth.runouts, read)


def _left(shipped: StrategyJudge, view: PlayerView, asked: _Asked) -> str:
    with calculating(wait=True):
        return shipped.left(view, "you") if asked.waits else ""


def _named(action: Action | None, view: PlayerView) -> str:
    return "" if action is None else act_words(action, view.legal, view.state, view.table.betting)[0]


def _solved(sitting: Sitting, view: PlayerView) -> dict[Action, float]:
    """How often the re-solving blueprint takes each action on a street that it solves.

    A hand that a solved flop never plays so is looked up after the blueprint's flop.
    """
    for bot in ("nolimit", "nolimit:cpu") if view.street else ():  # none is made for a hand that sees no flop
        agent = shared(sitting.game, sitting.stack, bot).agent
        if isinstance(agent, Resolver) and agent.is_solved(view) and (known := _probabilities(sitting, bot, view)):
            return known
    return {}


def _probabilities(sitting: Sitting, bot: str, view: PlayerView) -> dict[Action, float]:
    """How often a bot takes each action in the guest's seat; empty if unknown."""
    seated = shared(sitting.game, sitting.stack, bot)
    if not isinstance(seated.agent, Mixed):
        return {}
    with seated.alone():
        if isinstance(seated.agent, Resolver) and not seated.agent.has_hand(view):
            return {}
        return dict(seated.agent.probabilities(view))


def _exact(sitting: Sitting, view: PlayerView) -> dict[Action, float]:
    answer = equilibrium(view.table) if sitting.game.endswith("jamfold") else None
    if answer is None:
        return {}
    seat, play = SEATS[view.seat], view.legal.bet(view.legal.high) if view.legal.low else CALLS
    return {FOLDS: float(answer.ev_fold(seat)), play: float(answer.ev(seat)[class_of(view)])}


def _worths(sitting: Sitting, bot: str, view: PlayerView, bets: list[Action]) -> dict[Action, float]:
    """Values of actions against a known bot, for the whole hand in big blinds."""
    seated, swaps = shared(sitting.game, sitting.stack, bot), bool(view.table.draws)
    if view.table.cards != "holdem" or not isinstance(seated.agent, Mixed):
        return {}
    if swaps and (not view.board or not hasattr(seated.agent, "swap_probabilities")):
        return {}  # equities before the flop know nothing of swaps
    watcher = LocalBestResponse("lbr", swaps=swaps)
    watcher.meet(seated.agent)
    with seated.alone():
        worths = watcher.swap_worths(view) if view.legal.discards else watcher.worths(view, bets)
    paid = view.state.paid[view.seat]
    return {action: (worth - paid) / view.table.unit for action, worth in worths.items()}


def _taken(probabilities: dict[Action, float], action: Action) -> bool:
    """Whether a strategy ever takes such an action; all bet sizes count as one."""
    return any(
        probability >= NEVER
        for taken, probability in probabilities.items()
        if taken == action or taken.kind == action.kind == "r"
    )


def _judged(did: Option, options: list[Option], source: str, left: str) -> tuple[float | None, str, list[str]]:
    """The loss of a choice, the verdict and notes; options without a value are left out if the choice has one."""
    if did.known is None:
        return None, "", []
    listed = [option for option in options if did.value is None or option.value is not None]
    values = [None if did.value is None else option.value for option in listed]
    choices = [
        ActionChoice(option.words, option.known or 0.0, value, option.error)
        for option, value in zip(listed, values, strict=True)
    ]
    known = ReferenceAnswer(source, STRATEGY, tuple(choices), left=left)
    taken = [option.words for option in listed].index(did.read or did.words)
    return known.lost_by(taken), known.verdict(taken), known.notes()
