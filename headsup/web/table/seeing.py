"""What a guest sees of a hand, ready for a template: own cards, the board so far, past and legal actions.

The opponent's cards are there only at a showdown. Events after the guest's last action have a stage, so that the page
can show them one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from headsup.cards.cards import RANK_WORDS, RANKS, SUIT_SYMBOLS, SUITS, card_name
from headsup.cards.games import GAMES as CARD_GAMES
from headsup.evaluate.names import rank
from headsup.games.betting.menu import Menu, parse_menu
from headsup.games.betting.rules import STREETS, UNLIMITED, Betting, State
from headsup.play.table.rules import BOARD, Legal, PastAction, TableHand
from headsup.play.table.words import act_words

MARKS = "50%, 100%, 200%, a; a | preflop 50%, 100%, a; 75%, a; a"
"""A menu: its sizes are marks on the slider."""
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


class Card(NamedTuple):
    name: str
    rank: str
    suit: str
    sign: str
    words: str

    @classmethod
    def of(cls, card: int) -> Card:
        rank, suit = card >> 2, card & 3
        words = f"{RANK_WORDS[rank]} of {SUIT_WORDS[suit]}"
        return cls(card_name(card), RANKS[rank].replace("T", "10"), SUITS[suit], SUIT_SYMBOLS[suit], words)


class Event(NamedTuple):
    seat: int  # -1 for dealt cards
    street: int
    text: str
    kind: str  # fold, check, call, bet, allin, swap or deal
    cards: tuple[Card, ...] = ()
    stage: int = 0  # 0 where the guest knows it already, else which of the new events it is, from 1


@dataclass(frozen=True)
class SeatView:
    name: str
    cards: tuple[Card, ...]
    hidden: int  # cards that lie there face down
    stack: int | None  # chips left; None where they have no end
    bet: int  # chips in front on this street
    dealer: bool
    last: Event | None  # the last thing done on this street
    has: str = ""  # what the cards are worth, where they can be seen with a board
    won: int = 0  # chips won by the end
    folded: bool = False


@dataclass(frozen=True)
class Choices:
    fold: bool
    call: int | None  # 0 is a check; None where it is not offered
    low: int
    high: int  # between which totals one may bet; 0 where one may not
    verb: str  # bet, raise to, jam
    marks: tuple[tuple[str, int], ...]
    discards: tuple[Card, ...]
    step: int


@dataclass(frozen=True)
class Seen:
    me: SeatView
    other: SeatView
    board: tuple[Card, ...]
    street: str
    pot: int  # chips in the middle, without the bets of this street
    events: tuple[Event, ...]
    over: bool
    shown: bool
    choices: Choices | None
    unit: int
    result: str = ""
    stages: dict[int, int] = field(default_factory=dict)  # by street, at which stage its cards came
    last_stage: int = 0
    blinds: tuple[int, int] = (0, 0)  # the guest's and the other's

    @property
    def total(self) -> int:
        return self.pot + self.me.bet + self.other.bet


def events_of(hand: TableHand, seat: int) -> list[Event]:
    """All public events of a hand; stages count from the guest's last action."""
    again = TableHand(hand.table, hand.deal)
    events, street = list[Event](), again.street
    mine = max((i for i, step in enumerate(hand.steps) if step.seat == seat), default=-1)
    stage = 0

    def dealt(upto: int) -> None:
        nonlocal street, stage
        while street < upto:
            street += 1
            cards = tuple(Card.of(card) for card in hand.deal.board[BOARD[street - 1] : BOARD[street]])
            stage += at > mine
            events.append(Event(-1, street, STREETS[street], "deal", cards, stage))

    at = -1
    for at, step in enumerate(hand.steps):
        dealt(step.street)
        if step.action.kind == "f" and not again.legal.allows(step.action):  # forfeited, where a fold is not legal
            text, kind = "give up" if step.seat == seat else "gives up", "fold"
        else:
            s = "" if step.seat == seat else "s"
            text, kind = act_words(step.action, again.legal, again.state, hand.table.betting, s)
        done(again, step)
        cards: tuple[Card, ...] = ()
        if kind == "swap" and step.seat == seat:
            cards = (Card.of(step.action.amount),)
            text = "swap"
        stage += at > mine
        events.append(Event(step.seat, step.street, text, kind, cards, stage))
    at += 1
    if not hand.over or hand.state.folder < 0:
        dealt(hand.street)
    return events


@lru_cache(maxsize=8)
def _menu(text: str) -> Menu:
    return parse_menu(text)


def marks(betting: Betting, state: State, legal: Legal) -> tuple[tuple[str, int], ...]:
    """Usual bet sizes here, with names, as marks on the slider."""
    if not legal.low or legal.low == legal.high:
        return ()
    totals = {legal.low, *_menu(MARKS).amounts(betting)(state), legal.high}
    last = state.paid[1 - state.player] - state.start[1 - state.player]
    pot = betting.pot_after_call(state)
    named = []
    for total in sorted(total for total in totals if legal.low <= total <= legal.high):
        share = (total - last) / pot
        name = "all-in" if total == legal.high else "min" if total == legal.low else f"{share:.0%} pot"
        named.append((name, total))
    return tuple(named)


def _choices(hand: TableHand) -> Choices:
    legal, betting, state = hand.legal, hand.table.betting, hand.state
    bets = max(state.paid[i] - state.start[i] for i in (0, 1))
    verb = "Jam" if betting.jam_or_fold else "Raise to" if bets else "Bet"
    if 0 < legal.low == legal.high >= betting.all_in(state) and not betting.jam_or_fold:
        verb = "All-in,"
    return Choices(
        legal.fold,
        legal.call if legal.call >= 0 else None,
        legal.low,
        legal.high,
        verb,
        marks(betting, state, legal),
        tuple(Card.of(card) for card in sorted(legal.discards, reverse=True)),
        max(1, hand.table.unit // 4),
    )


def _has(hand: TableHand, hole: Sequence[int]) -> str:
    if not hand.board or not hole:
        return ""
    ranked = rank(hole, hand.board, hand.table.cards)
    return ranked.name + (f", low {ranked.low.name}" if ranked.low is not None else "")


def see(hand: TableHand, seat: int, names: tuple[str, str]) -> Seen:
    """A hand from a seat; `names` are the guest's and the opponent's."""
    events = events_of(hand, seat)
    over, shown = hand.over, hand.over and hand.state.folder < 0
    betting, state = hand.table.betting, hand.state
    chips = hand.chips if over else (0, 0)
    board = hand.deal.board if shown else hand.board
    pot = hand.pot if over else betting.pot + sum(state.start)

    def side(who: int, name: str) -> SeatView:
        mine = who == seat
        last = next(
            (event for event in reversed(events) if event.seat == who and (over or event.street == hand.street)), None
        )
        known = hand.holes[who] if mine or shown else ()
        stack = None if betting.stacks[who] >= UNLIMITED else betting.stacks[who] - state.paid[who]
        if over and stack is not None:
            stack = betting.stacks[who] + chips[who]
        folded = over and hand.state.folder == who
        return SeatView(
            name,
            tuple(Card.of(card) for card in sorted(known, reverse=True)),
            0 if known or folded else CARD_GAMES[hand.table.cards],
            stack,
            0 if over else state.paid[who] - state.start[who],
            who == 0 and hand.table.oop == 1,  # of the blinds of a larger table neither is the dealer
            last,
            _has(hand, known),
            chips[who],
            folded,
        )

    stages = {event.street: event.stage for event in events if event.kind == "deal"}
    return Seen(
        side(seat, names[0]),
        side(1 - seat, names[1]),
        tuple(Card.of(card) for card in board),
        STREETS[hand.street],
        pot,
        tuple(events),
        over,
        shown,
        _choices(hand) if not over and hand.player == seat else None,
        hand.table.unit,
        _result(hand, seat, names[1]) if over else "",
        stages,
        max((event.stage for event in events), default=0),
        (betting.blinds[seat], betting.blinds[1 - seat]),
    )


def _result(hand: TableHand, seat: int, other: str) -> str:
    won = hand.chips[seat]
    word = f"You win {won:,}" if won > 0 else f"You lose {-won:,}" if won < 0 else "The pot is split"
    if hand.state.folder == seat:
        return f"You fold. {word}."
    if hand.state.folder >= 0:
        return f"{other} folds. {word}."
    return f"{word}."


def part_of(hand: TableHand, steps: int) -> TableHand:
    again = TableHand(hand.table, hand.deal)
    for step in hand.steps[:steps]:
        done(again, step)
    return again


def done(hand: TableHand, step: PastAction) -> None:
    if step.action.kind == "f" and not hand.legal.allows(step.action):
        hand.forfeit()
    else:
        hand.act(step.action)
