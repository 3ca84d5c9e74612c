"""The exact rules of a hand between two players.

A `Table` is a game with its stakes: cards, betting (`headsup.games.betting.rules`), chips per big blind, and where
cards may be changed. A `Deal` is all cards of a hand, fixed before it begins. A `TableHand` is a hand in play:

    hand = table("holdem-nolimit", 20).hand(deal)
    while not hand.over:
        action = agents[hand.player].act(hand.view())
        hand.act(action)                                   # Illegal if the rules forbid it
    hand.chips                                             # what each seat has won

Seat 0 is the dealer, posts the small blind and acts first before the flop; seat 1 posts the big blind. In a match from
a spot (`headsup.play.table.start`) seat 0 is out of position.

Chips are whole. Split pots go in halves: the odd chip of high and low goes to the high, and the odd chip between equal
hands to the player out of position. Uncalled chips are returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from headsup.cards.games import GAMES as CARD_GAMES
from headsup.common.checks import as_list, as_text, between, door, each, finite, of_kind, quoted, whole
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, FOLD, UNLIMITED, Betting, State
from headsup.play.table.dice import DECK, Dice
from headsup.play.table.showdown import Shown, showdown

BOARD = (0, 3, 4, 5)  # board cards on each street
DISCARDS = 4  # the most cards drawn in a hand: one per player on two streets


class Action(NamedTuple):
    """f fold, c check or call (or keep both cards), r bet or raise, d discard a card."""

    kind: str
    amount: int = 0  # the total *to* which the player bets on this street, or the discarded card


FOLDS = Action("f")
CALLS = Action("c")


def raise_to(total: int) -> Action:
    return Action("r", total)


class Legal(NamedTuple):
    fold: bool
    call: int  # the cost of a check (0) or call in chips; -1 if not allowed
    low: int = 0  # the smallest legal total of a bet or raise; 0 if there is none
    high: int = 0
    discards: tuple[int, ...] = ()  # cards that may be discarded; `c` keeps them, and there is no betting at this turn

    @classmethod
    def of(cls, betting: Betting, state: State) -> Legal:
        owed = betting.owed(state)
        call = betting.call(state)
        low, high = betting.bounds(state) or (0, 0)
        behind = betting.stacks[state.player] - state.paid[state.player]
        return cls(owed > 0, -1 if call is None else min(owed, behind), low, high)

    def allows(self, action: Action) -> bool:
        kind, amount = action
        if kind == "f":
            return self.fold
        if kind == "c":
            return self.call >= 0
        if kind == "r":
            return type(amount) is int and 0 < self.low <= amount <= self.high
        return kind == "d" and amount in self.discards

    @property
    def passive(self) -> Action:
        """Check if free, else fold; a call where neither is offered."""
        return FOLDS if self.fold and self.call else CALLS

    def bet(self, total: float) -> Action:
        """The legal bet nearest to a total; without one a check or call, else a fold."""
        if self.low:
            return Action("r", min(max(round(total), self.low), self.high))
        return CALLS if self.call >= 0 else FOLDS


class PastAction(NamedTuple):
    street: int
    seat: int
    action: Action


class Deal(NamedTuple):
    """All cards of a hand, fixed before it begins."""

    holes: tuple[tuple[int, ...], tuple[int, ...]]
    board: tuple[int, ...]  # five cards in order
    draws: tuple[int, ...] = ()  # cards that replace discards, in order


class Illegal(ValueError):
    """An action that the rules forbid."""


class PlayerView(NamedTuple):
    """What the player to act sees: everything but the opponent's cards and cards to come."""

    table: Table
    seat: int
    hole: tuple[int, ...]
    board: tuple[int, ...]
    state: State
    legal: Legal
    steps: tuple[PastAction, ...]  # actions so far; the opponent's discarded cards are hidden (-1)

    @classmethod
    def at(
        cls, table: Table, state: State, hole: tuple[int, ...], board: tuple[int, ...], steps: tuple[PastAction, ...]
    ) -> PlayerView:
        """The view of the player to act in a state of the betting."""
        return cls(table, state.player, hole, board, state, Legal.of(table.betting, state), steps)

    @property
    def street(self) -> int:
        """0 preflop, 1 flop, 2 turn, 3 river."""
        return self.table.first_street + self.state.street

    @property
    def pot(self) -> int:
        """All chips in the middle, including this street's bets."""
        return self.table.betting.pot + sum(self.state.paid)

    @property
    def behind(self) -> int:
        return self.table.betting.stacks[self.seat] - self.state.paid[self.seat]

    @property
    def effective(self) -> float:
        """The smaller starting stack in big blinds."""
        return min(self.table.betting.stacks) / self.table.unit


@dataclass(frozen=True)
class Table:
    name: str
    cards: str  # holdem, omaha or omaha8
    betting: Betting
    unit: int  # chips in a big blind
    board: tuple[int, ...] = ()  # cards on the board when a hand begins
    draws: tuple[int, ...] = ()  # streets (of `betting`) before whose betting each player may change a card

    def __post_init__(self) -> None:
        as_text(self.name, "name")
        as_text(self.cards, "cards")
        of_kind(Betting)(self.betting, "betting")
        whole(self.unit, "unit", 1)
        for name, most in (("board", 51), ("draws", self.betting.n_streets - 1)):
            object.__setattr__(self, name, each(between(0, most))(getattr(self, name), name))
        if len(self.board) != BOARD[4 - self.betting.n_streets]:
            raise UserError(
                f"a hand of {self.betting.n_streets} streets starts with {BOARD[4 - self.betting.n_streets]} cards on "
                f"the board, not {len(self.board)}"
            )

    @cached_property
    def root(self) -> State:
        """The state in which every hand begins."""
        return self.betting.root()

    @cached_property
    def first_street(self) -> int:
        """The street on which a hand begins: 0 preflop to 3 river."""
        return 4 - self.betting.n_streets

    @property
    def oop(self) -> int:
        """The seat out of position, which gets odd chips."""
        return self.betting.first[-1]

    def deal(self, dice: Dice) -> Deal:
        """The cards of a hand: seat 0's, seat 1's, then the board's."""
        size, known = CARD_GAMES[self.cards], len(self.board)
        deck = [card for card in range(52) if card not in self.board] if known else range(52)
        cards = dice.deal(2 * size + 5 - known + (DISCARDS if self.draws else 0), deck)
        end = 2 * size + 5 - known
        board = self.board + tuple(cards[2 * size : end])
        return Deal((tuple(cards[:size]), tuple(cards[size : 2 * size])), board, tuple(cards[end:]))

    def deal_number(self, seed: int, number: int) -> Deal:
        """The cards of one hand of a match."""
        return self.deal(Dice(seed, number, DECK))

    def hand(self, deal: Deal, actions: Iterable[Action] = ()) -> TableHand:
        """A hand after some actions; blinds and antes are posted."""
        hand = TableHand(self, deal)
        for action in actions:
            hand.act(action)
        return hand

    def with_stacks(self, stacks: tuple[int, int]) -> Table:
        return replace(self, betting=replace(self.betting, stacks=stacks))


class TableHand:
    __slots__ = ("_drawn", "_legal", "_waiting", "deal", "holes", "shown", "state", "steps", "table")

    def __init__(self, table: Table, deal: Deal) -> None:
        self.table, self.deal = table, deal
        self.state = table.root
        self.holes = list(deal.holes)
        self.steps: list[PastAction] = []
        self.shown: Shown | None = None
        self._drawn = 0
        self._waiting: list[int] = []  # seats that still choose whether to change a card
        self._legal: Legal | None = None
        self._run()

    @property
    def over(self) -> bool:
        return self.state.player >= FOLD and not self._waiting

    @property
    def player(self) -> int:
        return self._waiting[0] if self._waiting else self.state.player

    @property
    def street(self) -> int:
        """The last street that was dealt: 0 preflop to 3 river."""
        return self.table.first_street + self.state.street

    @property
    def board(self) -> tuple[int, ...]:
        return self.deal.board[: BOARD[self.street]]

    @property
    def swaps_to_come(self) -> int:
        """How many players still choose on this street whether to change a card."""
        return len(self._waiting)

    @property
    def next_draw(self) -> int:
        return self.deal.draws[self._drawn]

    @property
    def legal(self) -> Legal:
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def view(self) -> PlayerView:
        seat = self.player
        return PlayerView(self.table, seat, self.holes[seat], self.board, self.state, self.legal, self.seen_by(seat))

    def seen_by(self, seat: int) -> tuple[PastAction, ...]:
        """The actions so far as one seat knows them."""
        if not self.table.draws:
            return tuple(self.steps)
        return hidden(self.steps, seat)

    def act(self, action: Action) -> None:
        """Take an action; `Illegal` if the rules forbid it, with the hand unchanged."""
        if self.over:
            raise Illegal("the hand is over")
        legal, seat = self.legal, self.player
        if not legal.allows(action):
            raise Illegal(f"{action_text(action)} is not allowed: {legal_text(legal)}")
        self.steps.append(PastAction(self.street, seat, action))
        self._legal = None
        if self._waiting:
            self._waiting.pop(0)
            if action.kind == "d":
                hole = self.holes[seat]
                self.holes[seat] = tuple(self.deal.draws[self._drawn] if c == action.amount else c for c in hole)
                self._drawn += 1
        else:
            self.state = apply(self.table.betting, self.state, action)
        self._run()

    def forfeit(self) -> None:
        """The player to act gives up the hand, even where a check is free."""
        self.steps.append(PastAction(self.street, self.player, FOLDS))
        self.state = self.state._replace(player=FOLD, folder=self.player)
        self._waiting, self._legal = [], None

    @property
    def pot(self) -> int:
        """The final pot without uncalled chips."""
        return self.table.betting.pot + sum(self.paid)

    @property
    def paid(self) -> tuple[int, int]:
        """What each seat has put into that pot."""
        lost = self.table.betting.payoffs(self.state).lose
        return -int(lost[0]), -int(lost[1])

    @property
    def chips(self) -> tuple[int, int]:
        """What each seat has won or lost by the end; both together are the pot that lay there at the start."""
        if not self.over:
            raise Illegal("the hand is not over")
        paid = self.paid
        pot = self.table.betting.pot + sum(paid)
        folder = self.state.folder
        if folder >= 0:
            first = pot if folder else 0
        else:
            self.shown = showdown(self.table.cards, self.holes[0], self.holes[1], self.deal.board)
            first = award(pot, self.shown, self.table.oop)
        return first - paid[0], pot - first - paid[1]

    def _find_legal(self) -> Legal:
        if self._waiting:
            return Legal(False, 0, discards=self.holes[self._waiting[0]])
        return Legal.of(self.table.betting, self.state)

    def _run(self) -> None:
        """Deal streets until somebody has a choice, or the hand is over."""
        while self.state.player == DEAL and not self._waiting:
            betting = self.table.betting
            self.state = betting.next_street(self.state)
            if self.state.street in self.table.draws:
                opener = betting.first[self.state.street]
                self._waiting = [opener, 1 - opener]


def hidden(steps: Iterable[PastAction], seat: int) -> tuple[PastAction, ...]:
    """Actions as one seat knows them: the opponent's discarded cards are hidden."""
    unknown = Action("d", -1)
    return tuple(
        step._replace(action=unknown) if step.action.kind == "d" and step.seat != seat else step for step in steps
    )


def award(pot: int, shown: Shown, oop: int) -> int:
    """What seat 0 gets of a pot; odd chips by the book."""
    if shown.lows == (0, 0):
        return _divided(pot, shown.highs, oop)
    return _divided(pot - pot // 2, shown.highs, oop) + _divided(pot // 2, shown.lows, oop)


def _divided(chips: int, values: tuple[int, int], oop: int) -> int:
    if values[0] != values[1]:
        return chips if values[0] > values[1] else 0
    return chips // 2 if oop else chips - chips // 2


def action_text(action: Action) -> str:
    kind, amount = action
    return {"f": "fold", "c": "check or call", "r": f"raise to {amount}", "d": f"discard {amount}"}.get(kind, kind)


def legal_text(legal: Legal) -> str:
    if legal.discards:
        return "keep or discard a card"
    options = ["fold"] if legal.fold else []
    if legal.call >= 0:
        options.append(f"call {legal.call}" if legal.call else "check")
    if legal.low:
        options.append(f"raise to {legal.low}" + (f" to {legal.high}" if legal.high > legal.low else ""))
    return " or ".join(options)


# --- the games by name -----------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    cards: str
    kind: str
    stack: float | None  # default, in big blinds
    jam: bool = False
    draws: tuple[int, ...] = ()


TABLES = {
    "holdem-limit": _Kind("holdem", "limit", None),
    "holdem-nolimit": _Kind("holdem", "no-limit", 100.0),
    "holdem-jamfold": _Kind("holdem", "no-limit", 10.0, jam=True),
    "omaha-jamfold": _Kind("omaha", "no-limit", 10.0, jam=True),
    "omaha8-jamfold": _Kind("omaha8", "no-limit", 10.0, jam=True),
    "omaha-potlimit": _Kind("omaha", "pot-limit", 100.0),
    "omaha8-potlimit": _Kind("omaha8", "pot-limit", 100.0),
    "holdem-discard": _Kind("holdem", "no-limit", 100.0, draws=(1, 2)),
}  # the games of the arena: cards, betting, default stack in big blinds
UNITS = (100, 200, 1000)  # chips per big blind: the first of these that makes the stack a whole number
MOST_STACK = 1_000_000


def check_table(name: str) -> str:
    if name not in TABLES:
        raise UserError(f"'{name}' is not a game of the arena: choose one of {', '.join(TABLES)}")
    return name


@door(name=as_text, blinds=as_list, ante=between(0, 10**12))
def table(name: str, stack: float | None = None, *, blinds: tuple[int, int] | None = None, ante: int = 0) -> Table:
    """A game of the arena by name. The stack is in big blinds; blinds and the ante are chips.

    Blinds default to 50 and 100, in limit games to 5 and 10 (bets 10 and 20, at most four per street, counting the big
    blind), or to a multiple that makes the stack a whole number of chips. Limit games have unlimited chips unless a
    stack is given.
    """
    game = TABLES[check_table(name)]
    size = game.stack if stack is None else finite(stack, "the stack")
    if size is not None and not 0 < size <= MOST_STACK:
        raise UserError(f"a stack is above 0 and at most {MOST_STACK:,} big blinds, not {size:g}")
    exact = None if size is None else Fraction(str(size))
    if blinds is None:
        units = tuple(chips // 10 for chips in UNITS) if game.kind == "limit" else UNITS
        unit = next((chips for chips in units if exact is None or (exact * chips).denominator == 1), units[0])
        small = unit // 2
    else:
        if len(blinds) != 2:
            raise UserError(f"blinds must be two numbers of chips, small and big, not {quoted(blinds)}")
        small, unit = (whole(chips, "a blind", 1) for chips in blinds)
    chips = UNLIMITED if exact is None else exact * unit
    if chips != int(chips):
        raise UserError(
            f"a stack of {size:g} big blinds of {unit} chips is no whole number of chips: take another stack"
        )
    betting = Betting(
        first=(0, 1, 1, 1),
        stacks=(int(chips), int(chips)),
        blinds=(small, unit),
        antes=(ante, ante),
        kind=game.kind,
        sizes=(unit, unit, 2 * unit, 2 * unit) if game.kind == "limit" else (),
        cap=(4, 4, 4, 4) if game.kind == "limit" else (),
        jam_or_fold=game.jam,
    )
    return Table(name, game.cards, betting, unit, draws=game.draws)


def states_before(table: Table, steps: Iterable[PastAction]) -> Iterator[tuple[PastAction, State]]:
    """Each past action with the state in which it was taken; for hands without discards."""
    state, last = table.root, None
    for step in steps:
        if last is not None:
            state = apply(table.betting, state, last)
        state = table.betting.dealt(state)
        yield step, state
        last = step.action


def apply(betting: Betting, state: State, action: Action) -> State:
    if action.kind == "f":
        return betting.fold(state)
    if action.kind == "r":
        return betting.bet(state, action.amount)
    passive = betting.call(state)
    assert passive is not None
    return passive[2]
