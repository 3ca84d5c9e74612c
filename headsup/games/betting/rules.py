"""The rules of betting between two players, in whole chips, as a small machine over states.

1. `root()` posts antes, then blinds; a player who is short posts what there is.
2. `moves(state, amounts)` lists what may be done: fold (only to a bet), check or call, and a bet or raise for each
   amount, a total *to* which the player bets on this street. `bounds(state)` returns which totals are legal.
3. A street closes when a bet is called or both have checked; a blind who is only called may still raise. Then the
   player is `DEAL`, and `next_street(state)` continues; after the last street it is `SHOWDOWN`.
4. `payoffs(state)` settles a hand: uncalled chips go back, the rake is taken, the rest is won or split.
5. On the streets in `swaps` each player may first change a hole card: KEEP, LOW (the lower card goes) or HIGH, which
   leads to `JOINED`, the node after LOW, since both look the same to the opponent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from math import inf
from typing import NamedTuple

from headsup.common.checks import as_number, as_text, as_truth, finite, of_kind, quoted
from headsup.common.checks import whole as whole_number
from headsup.common.errors import UserError

DEAL, FOLD, SHOWDOWN, JOINED = 2, 3, 4, 5  # what stands in a state's `player` where nobody acts
UNLIMITED = 1 << 40  # a stack that no limit betting reaches
KINDS = ("no-limit", "pot-limit", "limit")
STREETS = ("preflop", "flop", "turn", "river")
FLOP, TURN, RIVER = 1, 2, 3  # their numbers


class Move(IntEnum):
    """What a player does; NONE where no action led to a place: the root, and the first place of a street."""

    HIGH = -3  # the higher hole card is changed
    LOW = -2
    KEEP = -1  # none is
    NONE = 0
    FOLD = 1
    CHECK = 2
    CALL = 3
    BET = 4
    RAISE = 5
    ALLIN = 6  # a bet or raise after which nobody can raise


class State(NamedTuple):
    street: int
    player: int  # to act: 0 or 1; or DEAL, FOLD, SHOWDOWN
    paid: tuple[int, int]  # chips each has put in since the root, blinds and antes too
    start: tuple[int, int]  # the same before the bets of this street (of the last one with bets, after an all-in)
    size: int  # the last full bet or raise, or the smallest bet there can be
    bets: int  # bets and raises on this street; a blind counts as one
    acted: int  # actions on this street
    called: int = -1  # the player who called last, if nobody has checked since
    folder: int = -1  # the player who folded
    swapping: int = 0  # how many players have yet to decide whether they change a card on this street


class Winnings(NamedTuple):
    """What each seat wins or loses in chips, net of all that it has put in."""

    win: tuple[float, float]
    lose: tuple[float, float]


@dataclass(frozen=True)
class Betting:
    """The rules of betting. Chips are whole; a hand starts with blinds or antes, or in the middle with a pot."""

    first: tuple[int, ...]  # the seat that opens each street
    stacks: tuple[int, int] = (UNLIMITED, UNLIMITED)  # before blinds and antes
    blinds: tuple[int, int] = (0, 0)
    antes: tuple[int, int] = (0, 0)
    pot: int = 0  # chips in the middle that belong to nobody
    kind: str = "no-limit"
    sizes: tuple[int, ...] = ()  # limit: the bet of each street
    cap: tuple[int, ...] = ()  # bets and raises that a street allows, a blind counted; () for any number
    min_bet: int = 0  # the smallest bet; 0 for the greater blind, or one chip where there is none
    full_raises: bool = True  # whether a raise must be as large as the last bet or raise
    jam_or_fold: bool = False  # whether every bet is all-in and the opener may not just call
    rake: float = 0.0  # the share of the pot that the house takes
    rake_cap: float = inf  # in chips
    no_flop_no_drop: bool = True  # whether a hand that started here and ends on its first street pays no rake
    swaps: tuple[int, ...] = ()  # streets on which each may change a hole card before the betting
    together: bool = False  # whether both decide on that before they see what the opponent does

    def __post_init__(self) -> None:
        for name in ("first", "stacks", "blinds", "antes", "sizes", "cap", "swaps"):
            of_kind(tuple)(getattr(self, name), name)
        for name in ("stacks", "blinds", "antes"):
            if len(getattr(self, name)) != 2:
                raise UserError(f"{name} must be two numbers, one for each player, not {quoted(getattr(self, name))}")
        for name in ("full_raises", "jam_or_fold", "no_flop_no_drop", "together"):
            as_truth(getattr(self, name), name)
        finite(self.rake, "rake")
        as_text(self.kind, "kind")
        as_number(self.rake_cap, "rake_cap")
        for seat in (*self.first, *self.swaps):
            whole_number(seat, "a seat of `first` or a street of `swaps`")
        if not 1 <= len(self.first) <= len(STREETS) or any(seat not in (0, 1) for seat in self.first):
            raise UserError(f"`first` names the seat, 0 or 1, that opens each of one to four streets, not {self.first}")
        if self.kind not in KINDS:
            raise UserError(f"there is no betting '{self.kind}': choose from {', '.join(KINDS)}")
        whole = (*self.stacks, *self.blinds, *self.antes, self.pot, *self.sizes, *self.cap, self.min_bet)
        if any(type(chips) is not int or chips < 0 for chips in whole):
            raise UserError("stacks, blinds, antes, the pot, bets and caps are whole numbers of chips, none negative")
        if max(whole) > UNLIMITED:
            raise UserError("stacks, blinds, antes, the pot, bets and caps are at most 2^40 chips each")
        if min(self.stacks) < 1:
            raise UserError(f"each player needs at least one chip, and the stacks are {self.stacks}")
        if self.kind != "limit" and max(self.stacks) >= UNLIMITED:
            raise UserError(f"{self.kind} betting needs stacks: give the chips of both players")
        if self.kind == "limit" and (len(self.sizes) != len(self.first) or min(self.sizes) < 1):
            raise UserError(f"limit betting needs one bet size a street: {len(self.first)} sizes of a chip or more")
        if self.cap and len(self.cap) != len(self.first):
            raise UserError(f"a cap is given for each street: {len(self.first)} numbers, not {len(self.cap)}")
        if self.blinds[self.first[0]] > self.blinds[1 - self.first[0]]:
            raise UserError("the first to act has the greater blind: let the opponent open, or exchange the blinds")
        if not 0.0 <= self.rake < 1.0 or not self.rake_cap >= 0.0:
            raise UserError(f"the rake is a share from 0 to below 1 with a cap of 0 or more, not {self.rake}")

    @property
    def n_streets(self) -> int:
        return len(self.first)

    @property
    def starts_hand(self) -> bool:
        """Whether the root is the start of a hand: somebody has a blind or an ante to pay."""
        return any(self.blinds) or any(self.antes)

    @property
    def street_names(self) -> tuple[str, ...]:
        """Preflop and on from the start of a hand; up to the river from the middle of one."""
        return STREETS[: self.n_streets] if self.starts_hand else STREETS[-self.n_streets :]

    @cached_property
    def smallest(self) -> int:
        """The smallest bet, unless a player has less."""
        return self.min_bet or max(*self.blinds, 1)

    @property
    def total(self) -> float | None:
        """What both seats win together; None where the rake makes it differ from hand to hand."""
        return None if self.rake > 0 else float(self.pot)

    @property
    def one_size(self) -> bool:
        """Whether there is never more than one amount to bet."""
        return self.kind == "limit" or self.jam_or_fold

    def root(self) -> State:
        """Antes and blinds are in, nobody has acted."""
        antes = (min(self.antes[0], self.stacks[0]), min(self.antes[1], self.stacks[1]))
        if self.antes[0] == self.antes[1]:  # of an ante that both owe, both pay what the shorter stack can
            antes = (min(antes), min(antes))
        paid = tuple(min(antes[i] + self.blinds[i], self.stacks[i]) for i in (0, 1))
        bets = 1 if any(self.blinds) else 0
        return self._open(State(0, self.first[0], (paid[0], paid[1]), antes, self.smallest, bets, 0))

    def bounds(self, state: State) -> tuple[int, int] | None:
        """The least and the greatest total to which the player may bet or raise, or None if there is no such bet."""
        me = state.player
        top = self._bet(state, 1 - me)
        mine, theirs = self._most(state, me), self._most(state, 1 - me)
        if mine <= top or theirs <= top or (self.cap and state.bets >= self.cap[state.street]):
            return None
        if self.kind == "limit":
            total = min(mine, top + self.sizes[state.street])
            return total, total
        low = min(mine, top + (max(state.size, self.smallest) if self.full_raises else self.smallest))
        high = mine
        if self.kind == "pot-limit":
            high = min(mine, max(low, top + self.pot_after_call(state)))
        if self.jam_or_fold:
            low = high
        return low, high

    def most(self, state: State) -> int:
        """The greatest total worth betting: what puts either player all-in, as far as the rules let it. Where
        `bounds` is None there is none.
        """
        low, high = self.bounds(state) or (0, 0)
        return min(high, max(low, self._most(state, 1 - state.player)))

    def all_in(self, state: State) -> int:
        """The least total on this street that is all-in for either player."""
        return min(self._most(state, 0), self._most(state, 1))

    def amounts(self, state: State) -> Sequence[int]:
        """Every total to which the player may bet, up to what the opponent can call."""
        bounds = self.bounds(state)
        return range(bounds[0], self.most(state) + 1) if bounds else ()

    def pot_after_call(self, state: State) -> int:
        """The pot if the player to act called."""
        return self.pot + sum(state.paid) + self.owed(state)

    def moves(self, state: State, amounts: Iterable[int]) -> list[tuple[Move, int, State]]:
        """What the player to act may do: the move, the total bet on this street after it, and the state it leads to.

        Fold comes first, then check or call, then the bets in the order of `amounts`, which must be legal.
        """
        if state.swapping:
            return self._swaps(state)
        out: list[tuple[Move, int, State]] = []
        if self.owed(state):
            out.append((Move.FOLD, self._bet(state, state.player), self.fold(state)))
        passive = self.call(state)
        if passive is not None:
            out.append(passive)
        all_in = self.all_in(state)
        for total in amounts:
            move = Move.ALLIN if total >= all_in else Move.RAISE if state.bets else Move.BET
            out.append((move, total, self.bet(state, total)))
        return out

    def owed(self, state: State) -> int:
        """How far the player to act is behind the opponent's bet; a check is free where it is 0."""
        me = state.player
        return max(0, self._bet(state, 1 - me) - self._bet(state, me))

    def fold(self, state: State) -> State:
        """The state after the player to act gave up."""
        return state._replace(player=FOLD, folder=state.player)

    def call(self, state: State) -> tuple[Move, int, State] | None:
        """A check, or a call as far as the chips go, as `moves` has it; None where the player may only jam or fold."""
        me = state.player
        mine, top = self._bet(state, me), self._bet(state, 1 - me)
        if top <= mine:
            return Move.CHECK, mine, self._pay(state, mine, closes=state.acted > 0, called=-1)
        most = self._most(state, me)
        total = min(top, most)
        if self.jam_or_fold and not state.acted and total < most:
            return None
        return Move.CALL, total, self._pay(state, total, closes=state.acted > 0, called=me)

    def bet(self, state: State, total: int) -> State:
        """The state after a bet or raise to this total on the street."""
        me = state.player
        raised = total - self._bet(state, 1 - me)
        paid = (state.start[0] + total, state.paid[1]) if me == 0 else (state.paid[0], state.start[1] + total)
        size = max(state.size, raised)
        return State(state.street, 1 - me, paid, state.start, size, state.bets + 1, state.acted + 1, state.called)

    def next_street(self, state: State) -> State:
        """The first state of the next street; nobody acts on it if a player is all-in."""
        street = state.street + 1
        if not self._both_behind(state):
            return self._open(state._replace(street=street, player=self.first[street]))
        return self._open(State(street, self.first[street], state.paid, state.paid, self.smallest, 0, 0, state.called))

    def dealt(self, state: State) -> State:
        """The state in which somebody acts or the hand is over."""
        while state.player == DEAL:
            state = self.next_street(state)
        return state

    def payoffs(self, state: State) -> Winnings:
        """What each seat wins or loses when the hand ends here; both get the mean of the two if they split."""
        matched = min(self._bet(state, 0), self._bet(state, 1))
        a, b = state.start[0] + matched, state.start[1] + matched
        pot = self.pot + a + b
        free = self.no_flop_no_drop and self.starts_hand and state.street == 0 and state.player == FOLD
        taken = 0.0 if free else min(self.rake * pot, self.rake_cap)
        return Winnings((pot - taken - a, pot - taken - b), (float(-a), float(-b)))

    def _bet(self, state: State, seat: int) -> int:
        return state.paid[seat] - state.start[seat]

    def _most(self, state: State, seat: int) -> int:
        return self.stacks[seat] - state.start[seat]

    def _both_behind(self, state: State) -> bool:
        return state.paid[0] < self.stacks[0] and state.paid[1] < self.stacks[1]

    def _pay(self, state: State, total: int, closes: bool, called: int) -> State:
        me = state.player
        paid = (state.start[0] + total, state.paid[1]) if me == 0 else (state.paid[0], state.start[1] + total)
        after = State(state.street, 1 - me, paid, state.start, state.size, state.bets, state.acted + 1, called)
        return self._close(after) if closes or not self._both_behind(after) else after

    def _open(self, state: State, swapped: bool = False) -> State:
        """A street begins: swaps first, then the opener acts, unless nobody can any more."""
        if state.street in self.swaps and not swapped:
            return state._replace(swapping=2)
        opener = state.player
        behind, owes = self.stacks[opener] > state.paid[opener], self.owed(state) > 0
        return state if behind and (owes or self._both_behind(state)) else self._close(state)

    def _swaps(self, state: State) -> list[tuple[Move, int, State]]:
        """Keep both cards, or change one; what follows does not depend on which."""
        if state.swapping == 2:
            after = state._replace(player=1 - state.player, swapping=1)
        else:
            after = self._open(state._replace(player=self.first[state.street], swapping=0), swapped=True)
        joined = after._replace(player=JOINED, swapping=0)
        return [(Move.KEEP, 0, after), (Move.LOW, 0, after), (Move.HIGH, 0, joined)]

    def _close(self, state: State) -> State:
        return state._replace(player=SHOWDOWN if state.street + 1 == self.n_streets else DEAL)


def letters(rules: Betting, move: Move, total: int, menu: bool) -> str:
    """The short name of a move: f fold, c check or call, r bet or raise, with the total where there is a choice of
    sizes; a for an all-in picked from a menu.
    """
    if move == Move.FOLD:
        return "f"
    if move in (Move.CHECK, Move.CALL):
        return "c"
    if move < Move.NONE:
        return "k" if move == Move.KEEP else "d"
    if rules.one_size:
        return "r"
    return "a" if menu and move == Move.ALLIN else f"r{total}"


def lettered_moves(rules: Betting, state: State, amounts: Sequence[int], menu: bool) -> list[tuple[str, State]]:
    """The legal moves by their short names, with the states they lead to."""
    return [(letters(rules, move, total, menu), after) for move, total, after in rules.moves(state, amounts)]


def words(move: Move, total: int) -> str:
    """The long name of a move: 'check', 'bet 94', 'all-in 910'."""
    if move in (Move.FOLD, Move.CHECK, Move.CALL, Move.KEEP):
        return move.name.lower()
    if move < Move.NONE:
        return f"swap {move.name.lower()}"
    return f"{'all-in' if move == Move.ALLIN else move.name.lower()} {total}"


LIMIT_HOLDEM = Betting(
    first=(0, 1, 1, 1), blinds=(1, 2), kind="limit", sizes=(2, 2, 4, 4), cap=(4, 4, 4, 4)
)  # heads-up: the dealer has the small blind and opens before the flop
