"""After a hand: at each of the guest's decisions what the equilibrium would have done, what the bot would have done in
that seat, and what each choice was worth.

Who knows what: in jam or fold the shipped equilibria, with exact values. In limit hold'em and in no-limit hold'em at 15
and 20 big blinds the blueprints that ship: how often they take each action, and what each is worth if both go on by
them (`headsup.play.coach.judges`), exactly or as an estimate with its error. In hold'em with discards our strategy,
without such values.

Against a bot that says how often each hand takes each action, a choice is worth what local best response gives it
(`headsup.play.agents.lbr`): the bot's range after all that it did, the choice, the bot's answer, and no more bets; in
jam or fold, and where the choice ends the betting, that is exact. With discards it is reckoned as if nobody changed
another card, from the flop on.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from headsup.games.betting.stakes import SEATS
from headsup.nolimit.shipped import STACKS
from headsup.play.agents.lbr import LocalBestResponse
from headsup.play.coach.judges import StrategyJudge, class_of, equilibrium, strategy_for
from headsup.play.coach.reference import NEVER, STRATEGY, ActionChoice, ReferenceAnswer
from headsup.play.protocols.guest import GuestHand
from headsup.play.table.agent import Mixed
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView
from headsup.web.asking import calculating
from headsup.web.bots import shared
from headsup.web.matches import MOST_PAGE, Sitting
from headsup.web.seeing import Card, act_words, part_of

EXACTLY, CONTINUED = "worth, exactly", "worth if both go on by it"
NAMES = {
    "jamfold": "the equilibrium",
    "limit": "the blueprint of limit hold'em",
    "nolimit:blueprint": "the no-limit blueprint",
    "discard": "our strategy",
}


@dataclass(frozen=True)
class Option:
    """One thing that could have been done."""

    words: str
    kind: str
    chosen: bool
    known: float | None
    """How often who knows the answer does it."""
    bots: float | None
    """How often the bot would."""
    value: float | None
    """What it is worth by who knows, in big blinds, the hand as a whole."""
    error: float
    """By how much its distance from what the strategy is worth may be wrong (95 %), where that is an estimate."""
    against: float | None
    """What it is worth against this bot."""
    read: str = ""
    """The action as which the strategy reads it, where it is not in the menu."""


@dataclass(frozen=True)
class Looked:
    """One decision."""

    street: str
    board: tuple[Card, ...]
    hole: tuple[Card, ...]
    did: str
    options: tuple[Option, ...]
    lost: float | None
    """The loss of the choice in big blinds (`headsup.play.coach.reference`), where values are known."""
    verdict: str
    notes: tuple[str, ...]
    """What does not fit, in sentences."""


@dataclass(frozen=True)
class Reviewed:
    """A hand looked at again."""

    knows: str
    """Who knows the answer; empty where nobody does."""
    bots: bool
    """Whether the bot says what it would have done."""
    values: str
    """What kind of values there are, in words; empty where there are none."""
    drawn: int
    """Turns and rivers behind each estimate; 0 where there is none."""
    against: str
    """Whom the second values are against; empty where there are none."""
    decisions: tuple[Looked, ...]
    left: bool = False
    """Whether values were left out because another hand of the match was asked for meanwhile."""
    later: bool = False
    """Whether values by a strategy's continuation are still to come."""


class _Asked:
    """A question about a match: who asks about another of its hands has gone on, and waits for this one no more."""

    _newest: ClassVar[OrderedDict[str, _Asked]] = OrderedDict()

    def __init__(self, match: str) -> None:
        self.match, self.left = match, False
        self._newest[match] = self
        self._newest.move_to_end(match)
        while len(self._newest) > MOST_PAGE:
            self._newest.popitem(last=False)

    @property
    def waits(self) -> bool:
        """Whether nobody has asked again."""
        self.left = self.left or self._newest.get(self.match, self) is not self
        return not self.left


def knower(sitting: Sitting) -> str:
    """The bot whose strategy is the best answer that is known to a game; empty where there is none."""
    if sitting.game.endswith("jamfold"):
        return "jamfold"
    if sitting.game == "holdem-nolimit":
        return "nolimit:blueprint" if sitting.stack in STACKS else ""
    return {"holdem-limit": "limit", "holdem-discard": "discard"}.get(sitting.game, "")


def review(sitting: Sitting, guest: GuestHand, continued: bool = True) -> Reviewed:
    """Look at every decision of a guest in a hand that is over; values by a strategy's continuation, which take
    seconds, may be left for later.
    """
    knows, model = knower(sitting), "nolimit:blueprint" if sitting.bot == "nolimit" else sitting.bot
    decisions = []
    shipped, asked = strategy_for(sitting.table) if knows else None, _Asked(sitting.id)
    values, drawn, bots, against, left = "", 0, False, "", ""
    for i, step in enumerate(guest.hand.steps):
        hand = part_of(guest.hand, i)
        if step.seat != guest.place.seat or not hand.legal.allows(step.action):
            continue
        view = hand.view()
        right = _shares(sitting, knows, view) if knows else {}
        theirs = _shares(sitting, model, view) if model != knows else {}
        exact, found = _exact(sitting, view), None
        if shipped is not None and continued:
            found = _continued(shipped, view, step.action, asked)
            left = left or _left(shipped, view, asked)
        if found is not None:
            exact, drawn = found.values, max(drawn, found.runouts)
        every = [one for one in (FOLDS, CALLS) if view.legal.allows(one)]
        known = {*right, *theirs, *exact, step.action, *(Action("d", card) for card in view.legal.discards)}
        if 0 < view.legal.low == view.legal.high:
            known.add(view.legal.bet(view.legal.low))
        every += sorted(one for one in known if one.kind in "rd")
        worth = _worths(sitting, model, view, [one for one in every if one.kind == "r"])
        kind = EXACTLY if shipped is None else CONTINUED
        values, bots, against = values or kind * bool(exact), bots or bool(theirs), against or (model if worth else "")
        options = []
        for one in every:
            words, kind = act_words(one, view.legal, view.state, view.table.betting)
            if one.kind == "d":
                words = f"change {Card.of(one.amount).name}"
            options.append(
                Option(
                    words, kind, one == step.action,
                    right.get(one, 0.0) if right else None,
                    theirs.get(one, 0.0) if theirs else None,
                    exact.get(one), 0.0 if found is None else found.errors.get(one, 0.0), worth.get(one),
                    _named(found.read, view) if found is not None and one == step.action else "",
                )
            )  # fmt: skip
        did = next(one for one in options if one.chosen)
        lost, verdict, notes = _judged(did, options, NAMES.get(knows, ""), left)
        if shipped is None and right and not left and not _taken(right, step.action):
            left = "you took an action before that it never takes with this hand"
        decisions.append(
            Looked(
                hand.table.betting.street_names[hand.state.street],
                tuple(Card.of(card) for card in view.board),
                tuple(Card.of(card) for card in sorted(view.hole, reverse=True)),
                did.words, tuple(options), lost, verdict, tuple(notes),
            )
        )  # fmt: skip
    return Reviewed(
        NAMES.get(knows, ""),
        bots,
        values,
        drawn,
        against,
        tuple(decisions),
        asked.left,
        shipped is not None and not continued,
    )


class Continued(NamedTuple):
    """What actions are worth if both go on by a strategy, in big blinds, the hand as a whole."""

    values: dict[Action, float]
    errors: dict[Action, float]
    runouts: int
    read: Action | None
    """As which of them what was done is read, if it is none of them."""


def _continued(shipped: StrategyJudge, view: PlayerView, did: Action, asked: _Asked) -> Continued | None:
    """By a strategy that ships; what was done and is not in its menu is read as the nearest that is."""
    with calculating(wait=True):
        found = shipped.by_action(view, did) if asked.waits else None
    if found is None:
        return None
    worth, actions, taken = found
    paid, which = view.state.paid[view.seat] / view.table.unit, dict(zip(actions, range(len(actions)), strict=True))
    read = None if did in which else actions[taken]
    which[did] = which.get(did, taken)
    values = {action: worth.values[i] - paid for action, i in which.items()}
    return Continued(values, {action: worth.errors[i] for action, i in which.items()}, worth.runouts, read)


def _left(shipped: StrategyJudge, view: PlayerView, asked: _Asked) -> str:
    """Where the line has left the strategy, in words."""
    with calculating(wait=True):
        return shipped.left(view, "you") if asked.waits else ""


def _named(action: Action | None, view: PlayerView) -> str:
    return "" if action is None else act_words(action, view.legal, view.state, view.table.betting)[0]


def _shares(sitting: Sitting, bot: str, view: PlayerView) -> dict[Action, float]:
    """How often a bot takes each action in the guest's place; empty where it does not say."""
    seated = shared(sitting.game, sitting.stack, bot)
    if not isinstance(seated.agent, Mixed):
        return {}
    with seated.alone():
        return dict(seated.agent.probabilities(view))


def _exact(sitting: Sitting, view: PlayerView) -> dict[Action, float]:
    """Jam or fold's expected values at the equilibrium, in big blinds."""
    found = equilibrium(view.table) if sitting.game.endswith("jamfold") else None
    if found is None:
        return {}
    seat, play = SEATS[view.seat], view.legal.bet(view.legal.high) if view.legal.low else CALLS
    return {FOLDS: float(found.ev_fold(seat)), play: float(found.ev(seat)[class_of(view)])}


def _worths(sitting: Sitting, bot: str, view: PlayerView, bets: list[Action]) -> dict[Action, float]:
    """What actions are worth against a bot that is known, in big blinds, what was paid before counted."""
    seated, swaps = shared(sitting.game, sitting.stack, bot), bool(view.table.draws)
    if view.table.cards != "holdem" or not isinstance(seated.agent, Mixed):
        return {}
    if swaps and (not view.board or not hasattr(seated.agent, "swap_probabilities")):
        return {}  # equities before the flop know nothing of swaps
    watcher = LocalBestResponse("lbr", (), swaps)
    watcher.meet(seated.agent)
    with seated.alone():
        found = watcher.swap_worths(view) if view.legal.discards else watcher.worths(view, bets)
    paid = view.state.paid[view.seat]
    return {action: (worth - paid) / view.table.unit for action, worth in found.items()}


def _taken(shares: dict[Action, float], action: Action) -> bool:
    """Whether a strategy ever does something like an action: a bet of any size is one."""
    return any(share >= NEVER for one, share in shares.items() if one == action or one.kind == action.kind == "r")


def _judged(did: Option, options: list[Option], source: str, left: str) -> tuple[float | None, str, list[str]]:
    """The loss of a choice, how good it was in words, and what does not fit; options without a value are left out where
    the choice has one. A bet that is read as another is judged as that one.
    """
    if did.known is None:
        return None, "", []
    listed = [one for one in options if did.value is None or one.value is not None]
    values = [None if did.value is None else one.value for one in listed]
    choices = [
        ActionChoice(one.words, one.known or 0.0, value, one.error) for one, value in zip(listed, values, strict=True)
    ]
    known = ReferenceAnswer(source, STRATEGY, tuple(choices), left=left)
    taken = [one.words for one in listed].index(did.read or did.words)
    return known.lost_by(taken), known.verdict(taken), known.notes()
