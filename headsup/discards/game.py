"""Hold'em with discards on small decks, as a plain game: each player may change a hole card on the flop and the turn.

Before the betting of a street the player out of position (seat 1) keeps or swaps first; with `together` both decide at
once. Only its owner knows a discarded card. Seats in `by_rule` swap by the report's rule. Swaps happen after an all-in
too. Players have perfect recall, so best responses are exact.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from headsup.cards.cards import card, card_name, cards_name
from headsup.common.errors import UserError
from headsup.discards.swap import rule_of
from headsup.games.betting.menu import Menu
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN, Betting, lettered_moves
from headsup.games.betting.rules import State as Bets
from headsup.games.contract.game import CHANCE, TERMINAL, Game

Cards = tuple[int, ...]
KEEP = "k"  # the action that changes nothing; the others are `d` and the card that goes


class DiscardState(NamedTuple):
    holes: tuple[Cards, ...]  # the hole cards of the seats dealt so far, ascending
    board: Cards
    bets: Bets
    dead: Cards  # cards that were thrown away
    seen: tuple[str, str]  # what each seat has seen in private: its hand, then each card gone and come
    public: str
    waiting: Cards = ()  # seats that have yet to say whether they change a card on this street
    drawing: int = -1  # the seat whose new card is to come
    hidden: str = ""  # what swaps of this street will tell once both are done, where they are made together


class Discard(Game):
    name = "holdem-discard"

    def __init__(
        self,
        deck: Sequence[int],
        betting: Betting,
        board: tuple[int, ...],
        swaps: tuple[int, ...],
        together: bool = False,
        menu: Menu | None = None,
        unit: float = 1.0,
        params: dict[str, Any] | None = None,
        by_rule: tuple[int, ...] = (),
        root: Cards = (),
    ) -> None:
        """`board[s]` public cards come before street s, `root`'s before all, and swaps on the streets in `swaps`.

        A pot in the middle is half of each player's: payoffs are counted from there.
        """
        need = 4 + len(root) + sum(board) + 2 * len(swaps)
        if len(deck) < need:
            raise UserError(f"two hands, this board and its swaps need {need} cards: raise ranks or suits")
        self.deck, self.betting, self.board, self.swaps = tuple(sorted(deck)), betting, board, swaps
        self.together, self.params, self.unit, self._menu = together, params or {}, unit, menu
        self.by_rule, self._root = by_rule, root
        self._amounts = menu.amounts(betting) if menu else betting.amounts
        self._known: dict[Bets, list[tuple[str, Bets]]] = {}
        self._values: dict[Cards, int] = {}
        self._rules: dict[tuple[Cards, Cards], int] = {}
        self._last: tuple[DiscardState | None, list[Cards]] = (None, [])  # the deals of the last state

    def root(self) -> DiscardState:
        return DiscardState((), self._root, self.betting.root(), (), ("", ""), "", self._waiting(0))

    def player(self, state: DiscardState) -> int:
        if len(state.holes) < 2 or state.drawing >= 0:
            return CHANCE
        if state.waiting:
            return state.waiting[0]
        player = state.bets.player
        return player if player < DEAL else CHANCE if player == DEAL else TERMINAL

    def actions(self, state: DiscardState) -> Sequence[str]:
        """Dealt cards, `k` or `d` with a card for a swap, letters for bets."""
        if self.player(state) == CHANCE:
            return [cards_name(cards) for cards in self._coming(state)]
        if state.waiting:
            names = [KEEP, *("d" + card_name(held) for held in state.holes[state.waiting[0]])]
            return [names[self._ruled(state)]] if state.waiting[0] in self.by_rule else names
        return [name for name, _ in self._moves(state.bets)]

    def chance(self, state: DiscardState) -> Sequence[float]:
        n = len(self._coming(state))
        return [1.0 / n] * n

    def next(self, state: DiscardState, index: int) -> DiscardState:
        if self.player(state) == CHANCE:
            return self._dealt(state, self._coming(state)[index])
        if state.waiting:
            return self._swapped(state, self._ruled(state) if state.waiting[0] in self.by_rule else index)
        name, bets = self._moves(state.bets)[index]
        return state._replace(bets=bets, public=state.public + name)

    def infoset(self, state: DiscardState) -> str:
        """What the player to act has seen in private, and what is public."""
        return f"{state.seen[self.player(state)]}|{state.public}"

    def payoff(self, state: DiscardState) -> float:
        """A fold pays what the folder put in, a showdown what the loser did, a tie nothing."""
        won, lost = (paid[0] - self.betting.pot / 2.0 for paid in self.betting.payoffs(state.bets))
        if state.bets.player == FOLD:
            return lost if state.bets.folder == 0 else won
        assert state.bets.player == SHOWDOWN
        mine, theirs = (self._value(tuple(sorted((*hole, *state.board)))) for hole in state.holes)
        return won if mine > theirs else lost if mine < theirs else 0.0

    def rule(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """The report's swap rule as a pair of strategies by name, for games without betting."""
        strategies: tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]] = ({}, {})
        todo = [self.root()]
        while todo:
            state = todo.pop()
            player, actions = self.player(state), self.actions(state) if self.player(state) != TERMINAL else ()
            if player >= 0:
                if not state.waiting:
                    raise UserError("the swap rule says nothing about bets: take a game with stack=0")
                swap = self._ruled(state)
                strategies[player][self.infoset(state)] = {name: float(i == swap) for i, name in enumerate(actions)}
            todo += [self.next(state, i) for i in range(len(actions))]
        return strategies

    def _ruled(self, state: DiscardState) -> int:
        """The rule's swap for the hand to swap: 0 keeps, 1 and 2 change a card."""
        hole = state.holes[state.waiting[0]]
        if (hole, state.board) not in self._rules:
            self._rules[hole, state.board] = rule_of(hole, state.board)
        return self._rules[hole, state.board]

    def _coming(self, state: DiscardState) -> list[Cards]:
        """The cards, or sets of cards, that chance may deal now."""
        if self._last[0] is not state:
            self._last = (state, self._left(state))
        return self._last[1]

    def _left(self, state: DiscardState) -> list[Cards]:
        gone = {*state.board, *state.dead, *(each for hole in state.holes for each in hole)}
        left = [each for each in self.deck if each not in gone]
        if len(state.holes) < 2:
            return list(combinations(left, 2))
        return list(combinations(left, 1 if state.drawing >= 0 else self.board[state.bets.street + 1]))

    def _dealt(self, state: DiscardState, cards: Cards) -> DiscardState:
        seat = len(state.holes)
        if seat < 2:
            return state._replace(holes=(*state.holes, cards), seen=_told(state.seen, seat, cards_name(cards)))
        if state.drawing >= 0:
            seat = state.drawing
            holes = [*state.holes]
            holes[seat] = tuple(sorted((*holes[seat], *cards)))
            seen = _told(state.seen, seat, "+" + cards_name(cards))
            return self._told_all(state._replace(holes=tuple(holes), seen=seen, drawing=-1))
        bets = self.betting.next_street(state.bets)
        public = f"{state.public}/{cards_name(cards)}/"
        waiting = self._waiting(bets.street)
        return state._replace(board=(*state.board, *cards), bets=bets, waiting=waiting, public=public)

    def _waiting(self, street: int) -> Cards:
        opener = self.betting.first[street]
        return (opener, 1 - opener) if street in self.swaps else ()

    def _swapped(self, state: DiscardState, index: int) -> DiscardState:
        seat, shown = state.waiting[0], "d" if index else KEEP
        after = state._replace(waiting=state.waiting[1:], hidden=state.hidden + shown)
        if not self.together:
            after = after._replace(public=state.public + shown, hidden="")
        if not index:
            return self._told_all(after._replace(seen=_told(state.seen, seat, "=")))
        gone = state.holes[seat][index - 1]
        holes = [*state.holes]
        holes[seat] = tuple(held for held in holes[seat] if held != gone)
        seen = _told(state.seen, seat, "-" + card_name(gone))
        return after._replace(holes=tuple(holes), dead=(*state.dead, gone), seen=seen, drawing=seat)

    def _told_all(self, state: DiscardState) -> DiscardState:
        """Swaps become public after the last one of a street."""
        if state.waiting or not state.hidden:
            return state
        return state._replace(public=state.public + state.hidden, hidden="")

    def _moves(self, bets: Bets) -> list[tuple[str, Bets]]:
        if bets not in self._known:
            self._known[bets] = lettered_moves(self.betting, bets, self._amounts(bets), self._menu is not None)
        return self._known[bets]

    def _value(self, cards: Cards) -> int:
        if cards not in self._values:
            from headsup.evaluate import rank_hands

            self._values[cards] = int(rank_hands([cards])[0])
        return self._values[cards]


def _told(seen: tuple[str, str], seat: int, text: str) -> tuple[str, str]:
    return (seen[0] + text, seen[1]) if seat == 0 else (seen[0], seen[1] + text)


def short_deck(ranks: int, suits: int) -> list[int]:
    """The top ranks of the first suits."""
    return [card(rank, suit) for rank in range(13 - ranks, 13) for suit in range(suits)]
