"""A hand of a poker room with any number of players, and its chips, played action by action.

A room's reader makes a `RoomHand` of a text; amounts are exact fractions. `play_chips` plays it: whose turn it is, what
a call costs, what is uncalled, and that stakes, payouts and rake add up. Each mistake is one sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from headsup.common.errors import DataError
from headsup.games.betting.rules import STREETS
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Action, raise_to
from headsup.play.table.showdown import showdown

CENTS = 100
MOST_CHIPS, MOST_PARTS = 10**12, 10**6  # the largest amount, and the finest fraction of it (1 / MOST_PARTS)


class RoomPost(NamedTuple):
    player: str
    kind: str  # `small blind`, `big blind`, `ante`, `dead`, `both` (a big blind and a dead small one) or `straddle`
    amount: Fraction


class RoomAction(NamedTuple):
    player: str
    kind: str  # `fold`, `check`, `call`, `bet` (or raise) or `all-in`
    amount: Fraction | None = None
    total: bool = False  # whether the amount is all that the player has bet on the street, not what is added now


@dataclass
class RoomHand:
    """What a text reports of a hand."""

    label: str
    cards: str = ""  # holdem, omaha or omaha8
    kind: str = ""  # no-limit, pot-limit or limit
    button: int = 0
    big_blind: Fraction = Fraction(0)
    seats: dict[str, tuple[int, Fraction]] = field(default_factory=dict)  # by player: the seat's number and the stack
    posts: list[RoomPost] = field(default_factory=list)
    streets: list[list[RoomAction]] = field(default_factory=lambda: [[]])  # those that were dealt
    board: list[int] = field(default_factory=list)
    holes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    returned: dict[str, Fraction] = field(default_factory=dict)  # uncalled bets
    collected: dict[str, Fraction] = field(default_factory=dict)
    rake: Fraction | None = None
    pot: Fraction | None = None
    unread: str = ""  # the first line of a player that nothing was made of

    def amounts(self) -> Iterator[Fraction]:
        """All amounts of the hand."""
        yield from (stack for _, stack in self.seats.values())
        yield from (post.amount for post in self.posts)
        yield from (action.amount for street in self.streets for action in street if action.amount is not None)
        yield from (*self.returned.values(), *self.collected.values(), self.big_blind)
        yield from (amount for amount in (self.rake, self.pot) if amount is not None)


class StreetStart(NamedTuple):
    live: tuple[str, ...]  # players who have not folded, the first to act after the flop first
    pot: int
    behind: dict[str, int]


@dataclass
class RoomPlay:
    """A hand in whole chips, as it was played."""

    scale: int  # chips in one unit of the text
    order: tuple[str, ...]  # the players from the left of the button to the button
    stacks: dict[str, int]
    starts: list[StreetStart] = field(default_factory=list)
    moves: list[list[tuple[str, Action]]] = field(default_factory=list)  # by street
    paid: dict[str, int] = field(default_factory=dict)
    dead: dict[str, int] = field(default_factory=dict)  # of that, antes and dead blinds
    live: tuple[str, ...] = ()
    uncalled: dict[str, int] = field(default_factory=dict)
    won: dict[str, int] = field(default_factory=dict)  # what each got back, uncalled chips included
    rake: int = 0

    def chips(self, amount: Fraction) -> int:
        return int(amount * self.scale)

    def text(self, chips: int) -> str:
        """Chips as the text writes them."""
        return f"{chips / self.scale:,.2f}" if self.scale > 1 else f"{chips:,}"


def play_chips(hand: RoomHand) -> RoomPlay:
    """Play a hand by its text; DataError if it is not one that can be."""
    play = _start(hand)
    bets, first = _post(hand, play)
    for street, actions in enumerate(hand.streets):
        live = play.starts[-1].live if not street else play.live
        behind = {name: play.stacks[name] - play.paid[name] for name in play.order}
        if street:
            bets, first = dict.fromkeys(play.order, 0), 0
            play.starts.append(StreetStart(live, sum(play.paid.values()), behind))
            if len(hand.board) < BOARD[street]:
                raise DataError(f"its board has {len(hand.board)} cards on the {STREETS[street]}")
            if len(live) < 2:
                raise DataError(f"the {STREETS[street]} is dealt to one player")
        play.moves.append([])
        turns = _Turns(play, bets, list(live), first)
        for action in actions:
            turns.act(action)
        turns.close()
        play.live = tuple(turns.live)
        if any(bets.values()):
            play.uncalled = _uncalled(bets)
    if len(play.live) > 1 and len(hand.streets) < len(BOARD):
        raise DataError(f"it stops on the {STREETS[len(hand.streets) - 1]} with {len(play.live)} players left")
    _settle(hand, play)
    return play


def _start(hand: RoomHand) -> RoomPlay:
    acting = {post.player for post in hand.posts} | {action.player for street in hand.streets for action in street}
    seats = sorted((number <= hand.button, number, name) for name, (number, _) in hand.seats.items() if name in acting)
    order = tuple(name for _, _, name in seats)
    if len(order) < 2:
        raise DataError(f"it has {len(order)} players with blinds or actions, not two or more")
    amounts = list(hand.amounts())
    scale = lcm(*(amount.denominator for amount in amounts))
    scale = CENTS if scale > 1 and CENTS % scale == 0 else scale
    if scale > MOST_PARTS or any(not 0 <= amount * scale <= MOST_CHIPS for amount in amounts):
        raise DataError(f"it has amounts that are negative, above {MOST_CHIPS:,} or finer than 1/{MOST_PARTS:,}")
    play = RoomPlay(scale, order, {})
    play.stacks = {name: play.chips(hand.seats[name][1]) for name in order}
    play.paid, play.dead = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    return play


def _post(hand: RoomHand, play: RoomPlay) -> tuple[dict[str, int], int]:
    """Blinds and antes; what each has bet with them, and who acts first, as a place in the order."""
    bets, last = dict.fromkeys(play.order, 0), ""
    for post in hand.posts:
        chips = play.chips(post.amount)
        play.paid[post.player] += chips
        if play.paid[post.player] > play.stacks[post.player]:
            raise DataError(f"{post.player} posts more than there is in front of {post.player}")
        part = {"ante": 0, "dead": 0, "both": min(chips, play.chips(hand.big_blind))}.get(post.kind, chips)
        bets[post.player] += part
        play.dead[post.player] += chips - part
        if post.kind == "straddle" or (post.kind == "big blind" and not last):
            last = post.player
    behind = {name: play.stacks[name] - play.paid[name] for name in play.order}
    play.starts.append(StreetStart(play.order, sum(play.paid.values()), behind))
    return bets, (play.order.index(last) + 1 if last else 2) % len(play.order)


class _Turns:
    """The betting of a street."""

    def __init__(self, play: RoomPlay, bets: dict[str, int], live: list[str], first: int) -> None:
        self.play, self.bets, self.live = play, bets, live
        self.waiting = [name for name in self._around(first) if self._behind(name)]

    def _around(self, first: int) -> list[str]:
        """Who has not folded, from a place in the order on."""
        order = self.play.order
        return [name for name in (*order[first:], *order[:first]) if name in self.live]

    def _behind(self, name: str) -> int:
        return self.play.stacks[name] - self.play.paid[name]

    @property
    def top(self) -> int:
        return max(self.bets.values())

    def _skip(self) -> None:
        """A player whom nobody can bet against any more does not act."""
        able = [name for name in self.live if self._behind(name)]
        if len(self.live) < 2 or (len(able) == 1 and self.bets[able[0]] >= self.top):
            self.waiting = []

    def act(self, action: RoomAction) -> None:
        self._skip()
        name = action.player
        if not self.waiting:
            raise DataError(f"{name} acts ({action.kind}) when the betting is over")
        if name != self.waiting[0]:
            raise DataError(f"{name} acts ({action.kind}) when it is the turn of {self.waiting[0]}")
        self.waiting.pop(0)
        moves = self.play.moves[-1]
        if action.kind == "fold":
            self.live.remove(name)
            moves.append((name, FOLDS))
            return
        chips = 0 if action.amount is None else self.play.chips(action.amount)
        owed, behind = self.top - self.bets[name], self._behind(name)
        added = chips - self.bets[name] if action.total else chips
        if action.kind == "check" and owed:
            raise DataError(f"{name} checks and owes {self.play.text(owed)}")
        if action.kind in ("check", "call") or (action.kind == "all-in" and added <= owed):
            if action.kind == "call" and action.amount is not None and added != min(owed, behind):
                raise DataError(
                    f"{name} calls {self.play.text(added)} where {self.play.text(min(owed, behind))} is to be called"
                )
            self._pay(name, min(owed, behind))
            moves.append((name, CALLS))
            return
        if not owed < added <= behind:
            raise DataError(
                f"{name} bets {self.play.text(added)} more with {self.play.text(owed)} to call and "
                f"{self.play.text(behind)} behind"
            )
        self._pay(name, added)
        moves.append((name, raise_to(self.bets[name])))
        around = self._around((self.play.order.index(name) + 1) % len(self.play.order))
        self.waiting = [other for other in around if other != name and self._behind(other)]

    def _pay(self, name: str, chips: int) -> None:
        self.play.paid[name] += chips
        self.bets[name] += chips

    def close(self) -> None:
        self._skip()
        if self.waiting:
            raise DataError(f"its betting has a gap: {self.waiting[0]} does not act")


def _uncalled(bets: dict[str, int]) -> dict[str, int]:
    (name, top), (_, second) = sorted(bets.items(), key=lambda bet: -bet[1])[:2]
    return {name: top - second} if top > second else {}


def _settle(hand: RoomHand, play: RoomPlay) -> None:
    """Payouts: everything that was paid is returned, collected or rake, and the right players collect it."""
    paid, uncalled = sum(play.paid.values()), sum(play.uncalled.values())
    returned = {name: play.chips(amount) for name, amount in hand.returned.items()}
    collected = {name: play.chips(amount) for name, amount in hand.collected.items() if amount}
    if returned and returned != play.uncalled:
        raise DataError(
            f"{play.text(sum(returned.values()))} is returned, and {play.text(uncalled)} was not called by the bets"
        )
    if not collected:
        raise DataError("nobody collects its pot")
    if not {*collected} <= {*play.live}:
        raise DataError(f"{next(name for name in collected if name not in play.live)} collects after folding")
    stated = None if hand.rake is None else play.chips(hand.rake)
    rest = paid - uncalled - sum(collected.values())
    counted = len(collected) > 1 and all(collected.get(name) == chips for name, chips in play.uncalled.items())
    if not returned and (rest >= 0 and not counted if stated is None else rest == stated):
        returned = play.uncalled  # the text does not mention it, and does not count it as collected either
    play.rake = paid - sum(returned.values()) - sum(collected.values())
    rake = play.rake if stated is None else stated
    if play.rake < 0 or play.rake != rake:
        raise DataError(
            f"its chips do not add up: players pay {play.text(paid)} and get back "
            f"{play.text(paid - play.rake)}, with a rake of {play.text(max(rake, 0))}"
        )
    if hand.pot is not None and play.chips(hand.pot) not in (paid - uncalled, paid, paid - play.rake, paid - uncalled - play.rake):  # noqa: E501  # fmt: skip
        raise DataError(f"the pot is {play.text(paid - uncalled)} by the bets, and {play.text(play.chips(hand.pot))} by the summary")  # noqa: E501  # fmt: skip
    play.won = dict.fromkeys(play.order, 0)
    for name, chips in (*returned.items(), *collected.items()):
        play.won[name] += chips
    _check_winners(hand, play)


def _check_winners(hand: RoomHand, play: RoomPlay) -> None:
    """Raise unless the best hands collect, where all cards of a showdown are known."""
    if len(play.live) < 2 or len(hand.board) < BOARD[-1] or not all(name in hand.holes for name in play.live):
        return
    due = _awards(hand, play)
    if due is None:
        return
    for name in play.live:
        got = play.won[name] - play.uncalled.get(name, 0)
        most = due[name] + len(play.order)  # odd chips
        if (got > 0) != (due[name] > 0) or got > most or got < due[name] - play.rake - len(play.order):
            raise DataError(
                f"{name} gets {play.text(got)} at the showdown, where the cards are worth {play.text(due[name])}"
            )


def _awards(hand: RoomHand, play: RoomPlay) -> dict[str, int] | None:
    """What the cards of each player win of main and side pots before the rake; None if an ante was all-in."""
    due = dict.fromkeys(play.order, 0)
    staked = {name: play.paid[name] - play.dead[name] - play.uncalled.get(name, 0) for name in play.order}
    if not all(staked[name] for name in play.live):
        return None
    board = tuple(hand.board)
    shown = {name: showdown(hand.cards, hand.holes[name], hand.holes[name], board) for name in play.live}
    below, dead = 0, sum(play.dead.values())
    for level in sorted({staked[name] for name in play.live}):
        pot, dead = dead + sum(min(chips, level) - min(chips, below) for chips in staked.values()), 0
        able = [name for name in play.live if staked[name] >= level]
        lows = {name: shown[name].lows[0] for name in able}
        halves = [(pot - pot // 2, {name: shown[name].highs[0] for name in able}), (pot // 2, lows)]
        for chips, values in halves if any(lows.values()) else [(pot, halves[0][1])]:
            winners = [name for name in able if values[name] == max(values.values())]
            for name in winners:
                due[name] += chips // len(winners)
        below = level
    return due


def known_cards(hand: RoomHand, players: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The cards of some players; () where they are unknown."""
    return tuple(hand.holes.get(name, ()) for name in players)
