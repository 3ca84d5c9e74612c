"""Poker with small decks: a `Deck` of private hands and public cards, and `Poker`, which puts betting on top."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from functools import cache, cached_property
from itertools import accumulate, combinations, pairwise, permutations
from math import comb, perm
from typing import Any, NamedTuple

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import card, card_name
from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards
from headsup.common.arrays import Floats, Ints, Longs
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.menu import Menu
from headsup.games.betting.rules import DEAL, FOLD, Betting, State, lettered_moves
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.contract.public import PublicGame
from headsup.games.holdem.boardlist import PlainBoards
from headsup.games.holdem.showdown import Dense
from headsup.games.holdem.vector import VectorGame

Cards = tuple[int, ...]


class Deck(ABC):
    """Private hands, public cards and showdowns; a hand or a public card is named by its index."""

    names: Sequence[str]

    @abstractmethod
    def deal(self) -> Floats:
        """How often each pair of hands is dealt."""

    def boards(self, board: Cards, count: int) -> Sequence[tuple[str, Cards]]:
        """The public cards that may come next: their names, and all public cards after them."""
        return []

    def weight(self, board: Cards) -> Floats:
        """The probability of the public cards for each pair of hands."""
        return np.ones_like(self.deal())

    @abstractmethod
    def strength(self, board: Cards) -> Longs:
        """A number for each hand, greater is better, given all public cards."""

    def renamings(self) -> Sequence[tuple[Cards, Longs]]:
        """The ways to exchange suits: what becomes of each card, and what becomes of each hand."""
        return []

    def up_to_suits(self, streets: Sequence[int]) -> tuple[list[list[Cards]], BoardTree, Longs] | None:
        """The boards of each street up to suits, as cards of this deck and as a tree, and what renamings make of hands.

        None where boards are listed one by one.
        """
        return None

    def showdown(self, board: Cards) -> Floats:
        """+1 where player 0's hand wins, -1 where player 1's does, 0 where they split."""
        strength = self.strength(board)
        sign: Floats = np.sign(strength[:, None] - strength[None, :]).astype(np.float64)
        return sign


def _suit_renamings(cards: int, suits: int) -> Sequence[tuple[Cards, Longs]]:
    """All ways to exchange suits where a hand is one card."""
    deck = np.arange(cards).reshape(-1, suits)
    moved = [deck[:, list(order)].ravel() for order in permutations(range(suits))]
    return [(tuple(map(int, image)), image) for image in moved]


class RankDeck(Deck):
    """One private card each from `ranks` ranks of `suits` suits; at most one public card, which may pair a hand.

    With `merged` suits a hand is a rank and the deal counts its cards, which loses nothing since no suit ever matters.
    """

    def __init__(self, ranks: Sequence[str], suits: str = "", merged: bool = False) -> None:
        self.copies = max(1, len(suits))
        self.merged = merged
        if merged or self.copies == 1:
            self.names: Sequence[str] = list(ranks)
        else:
            self.names = [rank + suit for rank in ranks for suit in suits]
        cards = len(ranks) * self.copies
        self.total = cards
        size = len(ranks) if merged else cards
        self.rank = np.arange(size) if merged else np.arange(size) // self.copies
        self.count = np.full(size, self.copies if merged else 1)

    def deal(self) -> Floats:
        return self._pairs

    @cached_property
    def _pairs(self) -> Floats:
        pairs: Floats = (self.count[:, None] * (self.count[None, :] - np.eye(len(self.count)))).astype(np.float64)
        return pairs

    def boards(self, board: Cards, count: int) -> Sequence[tuple[str, Cards]]:
        """Any card of the deck; its weight is 0 for those who hold all copies of it."""
        return [(name, (*board, c)) for c, name in enumerate(self.names)]

    @cache  # noqa: B019 - a deck lives as long as its game
    def weight(self, board: Cards) -> Floats:
        if not board:
            return np.ones_like(self._pairs)
        card = board[0]
        here = (np.arange(len(self.count)) == card).astype(np.float64)
        left = self.count[card] - here[:, None] - here[None, :]
        return np.where(self._pairs > 0, np.maximum(left, 0.0), 0.0) / (self.total - 2)

    def strength(self, board: Cards) -> Longs:
        """A pair with the public card beats all; then the rank decides."""
        paired = self.rank == self.rank[board[0]] if board else np.zeros(len(self.rank), dtype=bool)
        strength: Longs = (self.rank + 1000 * paired).astype(np.int64)
        return strength

    @cache  # noqa: B019 - a deck lives as long as its game
    def renamings(self) -> Sequence[tuple[Cards, Longs]]:
        if self.merged:
            return []
        return _suit_renamings(len(self.count), self.copies)


class ThreeCardDeck(Deck):
    """One private card each from the top ranks of some suits, and two public cards, dealt one at a time."""

    def __init__(self, ranks: int, suits: int) -> None:
        self.top, self.suits = ranks, suits
        self._cards = np.array([card(rank, suit) for rank in range(13 - ranks, 13) for suit in range(suits)])
        self.names = [card_name(c) for c in self._cards.tolist()]
        self._rank, self._suit = np.divmod(np.arange(ranks * suits), suits)
        self._apart: Floats = 1.0 - np.eye(ranks * suits)

    def deal(self) -> Floats:
        return self._apart

    def boards(self, board: Cards, count: int) -> Sequence[tuple[str, Cards]]:
        return [(name, (*board, c)) for c, name in enumerate(self.names) if c not in board]

    @cache  # noqa: B019 - a deck lives as long as its game
    def weight(self, board: Cards) -> Floats:
        """One over the number of boards that two cards leave possible; 0 where a player holds a board card."""
        free = np.ones(len(self.names))
        free[list(board)] = 0.0
        weight: Floats = self._apart * np.outer(free, free) / perm(len(self.names) - 2, len(board))
        return weight

    @cache  # noqa: B019 - a deck lives as long as its game
    def strength(self, board: Cards) -> Longs:
        """Straight flush, three of a kind, straight, flush, pair, high card; an ace also begins the lowest straight."""
        cards = np.stack([np.arange(len(self.names)), *(np.full(len(self.names), c) for c in board)])
        ranks, suits = -np.sort(-self._rank[cards], axis=0), self._suit[cards]
        lowest = (ranks == [[self.top - 1], [1], [0]]).all(axis=0)
        straight = lowest | ((ranks[:2] - ranks[1:] == 1).all(axis=0))
        flush, pair = (suits == suits[0]).all(axis=0), (ranks[0] == ranks[1]) | (ranks[1] == ranks[2])
        kinds = [straight & flush, ranks[0] == ranks[2], straight, flush, pair]
        kind = np.select(kinds, [5, 4, 3, 2, 1], 0)
        ranks = np.where(
            lowest, [[1], [0], [0]], np.where(pair, np.stack([ranks[1], ranks[0] + ranks[2], ranks[1]]), ranks)
        )
        strength: Longs = ((kind * 32 + ranks[0]) * 32 + ranks[1]) * 32 + ranks[2]
        return strength

    @cache  # noqa: B019 - a deck lives as long as its game
    def renamings(self) -> Sequence[tuple[Cards, Longs]]:
        return _suit_renamings(len(self.names), self.suits)

    def up_to_suits(self, streets: Sequence[int]) -> tuple[list[list[Cards]], BoardTree, Longs]:
        tree = BoardTree((), streets, self.top, self.suits)
        here = np.full(52, -1)
        here[self._cards] = np.arange(len(self._cards))
        listed = [[tuple(here[cards].tolist()) for cards in level.cards] for level in tree.levels]
        renamed: Longs = np.stack([here[permute_cards(self._cards, order)] for order in SUIT_PERMUTATIONS])
        return listed, tree, renamed


class Numbers(Deck):
    """A random number each, drawn independently, so that ties happen."""

    def __init__(self, n: int) -> None:
        self.names = [str(i + 1) for i in range(n)]

    def deal(self) -> Floats:
        """Every pair is equally likely, equal numbers included."""
        return np.ones((len(self.names), len(self.names)))

    def strength(self, board: Cards) -> Longs:
        return np.arange(len(self.names), dtype=np.int64)


class HoldemDeck(Deck):
    """Two private cards each from the top ranks of some suits, and a board that completes five-card hands."""

    def __init__(self, ranks: int, suits: int) -> None:
        self.suits = suits
        self.cards = [card(rank, suit) for rank in range(13 - ranks, 13) for suit in range(suits)]
        self.pairs = list(combinations(range(len(self.cards)), 2))
        self.names = ["".join(card_name(self.cards[c]) for c in reversed(pair)) for pair in self.pairs]
        self._holds = np.zeros((len(self.pairs), len(self.cards)), dtype=bool)
        for i, pair in enumerate(self.pairs):
            self._holds[i, list(pair)] = True

    @cached_property
    def _apart(self) -> Floats:
        holds = self._holds.astype(np.float64)
        apart: Floats = (holds @ holds.T == 0).astype(np.float64)
        return apart

    def deal(self) -> Floats:
        return self._apart

    def boards(self, board: Cards, count: int) -> Sequence[tuple[str, Cards]]:
        """Every set of that many cards that are not on the board yet."""
        rest = [c for c in range(len(self.cards)) if c not in board]
        return [("".join(card_name(self.cards[c]) for c in new), (*board, *new)) for new in combinations(rest, count)]

    def weight(self, board: Cards) -> Floats:
        """One over the number of boards that two hands leave possible; 0 where a hand holds a board card."""
        free = ~self._holds[:, list(board)].any(axis=1)
        boards = comb(len(self.cards) - 4, len(board)) if board else 1
        weight: Floats = self._apart * np.outer(free, free) / boards
        return weight

    def strength(self, board: Cards) -> Longs:
        """The five-card rank of each hand with the board; 0 for hands that hold a board card."""
        from headsup.evaluate import rank_hands

        free = np.flatnonzero(~self._holds[:, list(board)].any(axis=1))
        out = np.zeros(len(self.pairs), dtype=np.int64)
        fives = np.array([[self.cards[c] for c in (*self.pairs[i], *board)] for i in free], dtype=np.uint8)
        out[free] = rank_hands(fives)
        return out

    @cache  # noqa: B019 - a deck lives as long as its game
    def renamings(self) -> Sequence[tuple[Cards, Longs]]:
        index = {pair: i for i, pair in enumerate(self.pairs)}
        cards = np.arange(len(self.cards)).reshape(-1, self.suits)
        out = []
        for order in permutations(range(self.suits)):
            moved = tuple(int(c) for c in cards[:, list(order)].ravel())
            hands = [index[min(moved[a], moved[b]), max(moved[a], moved[b])] for a, b in self.pairs]
            out.append((moved, np.array(hands, dtype=np.int64)))
        return out


class Runout(Deck):
    """A deck whose public cards come only at the showdown, so that hands are compared by their average over all
    boards.
    """

    def __init__(self, deck: Deck, count: int) -> None:
        self.deck, self.count, self.names = deck, count, deck.names

    def deal(self) -> Floats:
        return self.deck.deal()

    def strength(self, board: Cards) -> Longs:
        raise NotImplementedError("hands of a run-out are compared by `showdown`")

    @cache  # noqa: B019 - a deck lives as long as its game
    def showdown(self, board: Cards) -> Floats:
        total = np.zeros_like(self.deck.deal())
        for _, full in self.deck.boards((), self.count):
            total += self.deck.weight(full) * self.deck.showdown(full)
        return total


class Position(NamedTuple):
    """A public state: the betting, the board, and the text of both."""

    state: State
    board: Cards
    text: str


class Poker(PublicGame):
    """Private cards from a deck, betting by a menu or any amount, and `board[s]` public cards before street s."""

    def __init__(
        self,
        name: str,
        deck: Deck,
        betting: Betting,
        board: tuple[int, ...],
        unit: float = 1.0,
        menu: Menu | None = None,
        **params: Any,
    ) -> None:
        if betting.total != 0 or betting.antes[0] != betting.antes[1]:
            raise UserError(f"{name} must be zero-sum: no rake, no pot at first, equal antes")
        self.name, self.deck, self.betting, self.board, self.unit = name, deck, betting, board, unit
        self.params = params
        self._amounts = menu.amounts(betting) if menu else betting.amounts
        self._menu = menu
        self._boards: dict[tuple[Cards, int], Sequence[tuple[str, Cards]]] = {}
        self._known: dict[State, list[tuple[str, State]]] = {}

    def hands(self, seat: int) -> Sequence[str]:
        return self.deck.names

    def deal(self) -> Floats:
        return self.deck.deal()

    def public_root(self) -> Position:
        return Position(self.betting.root(), (), "")

    def public_player(self, public: Position) -> int:
        """The player to act, chance between streets, nobody at the end."""
        player = public.state.player
        return player if player < DEAL else CHANCE if player == DEAL else TERMINAL

    def public_actions(self, public: Position) -> Sequence[str]:
        """Letters for actions (f fold, c check or call, r raise, a all-in), names for cards."""
        return [name for name, _ in (self._cards(public) if public.state.player == DEAL else self._moves(public.state))]

    def public_next(self, public: Position, index: int) -> Position:
        """Bet or deal; after an all-in the cards still come, but nobody acts on them."""
        if public.state.player == DEAL:
            name, board = self._cards(public)[index]
            return Position(self.betting.next_street(public.state), board, f"{public.text}/{name}/")
        name, state = self._moves(public.state)[index]
        return Position(state, public.board, public.text + name)

    def public_text(self, public: Position) -> str:
        return public.text

    def public_cards(self, public: Position) -> Hashable:
        return public.board

    def weight(self, cards: Any) -> Floats:
        return self.deck.weight(cards)

    def public_end(self, public: Position) -> tuple[float, Hashable]:
        """A fold pays what the folder put in; a showdown what either did."""
        won, lost = self.betting.payoffs(public.state)
        if public.state.player == FOLD:
            return (lost if public.state.folder == 0 else won)[0], "fold"
        return won[0], "showdown"

    def result(self, key: Hashable, cards: Any) -> Floats:
        """1 everywhere after a fold, the deck's comparison at a showdown."""
        return np.ones_like(self.deck.deal()) if key == "fold" else self.deck.showdown(cards)

    def twins(self, public: Position) -> Sequence[int] | None:
        """Public cards that a renaming turns into each other count as one."""
        fixing = self._fixing(public.board)
        count: list[int] = []
        seen: dict[Cards, int] = {}
        for i, (_, board) in enumerate(self._cards(public)):
            new = board[len(public.board) :]
            kind = min(tuple(sorted(moved[c] for c in new)) for moved, _ in fixing) if fixing else new
            count.append(0)
            count[seen.setdefault(kind, i)] += 1
        return count

    def alike(self, public: Position) -> Ints | None:
        """Each hand's least image under the renamings that leave the board as it is."""
        fixing = self._fixing(public.board)
        if not fixing:
            return None
        least: Longs = np.min([hands for _, hands in fixing], axis=0)
        return least.astype(np.int32)

    def vector(self) -> VectorGame:
        """The same game as betting, boards and a showdown of matrices; boards are up to suits where the deck can say
        which ones.
        """
        listed, boards, renamed = self.deck.up_to_suits(self.board) or (*self._listed(), None)
        deal = self.deck.deal()
        weights = [np.stack([deal * self.deck.weight(board) for board in street]) for street in listed]
        showdown = Dense(weights, np.stack([self.deck.showdown(board) for board in listed[-1]]), renamed)
        even = np.ones(len(deal)), np.ones(len(deal))
        betting = betting_tree(self.betting, self._menu)
        return VectorGame(str(self), betting, boards, showdown, even, np.ones(len(listed)), self.unit)

    def _listed(self) -> tuple[list[list[Cards]], PlainBoards]:
        """The boards of each street, and where each of them goes on."""
        boards: list[list[Cards]] = [[()]]
        deals: list[list[list[Cards]]] = []
        for street, new in enumerate(self.board[1:]):
            known = sum(self.board[: street + 1])
            after = [[board for _, board in self.deck.boards(above, new)] for above in boards[-1]]
            deals.append([[board[known:] for board in following] for following in after])
            boards.append([board for following in after for board in following])
        return boards, PlainBoards(deals)

    def _fixing(self, board: Cards) -> Sequence[tuple[Cards, Longs]]:
        """The renamings that leave every street's public cards as they are."""
        ends = [min(end, len(board)) for end in accumulate(self.board)]
        rounds = [set(board[a:b]) for a, b in pairwise([0, *ends])]
        return [
            (moved, hands)
            for moved, hands in self.deck.renamings()
            if all({moved[c] for c in cards} == cards for cards in rounds)
        ]

    def _moves(self, state: State) -> list[tuple[str, State]]:
        if state not in self._known:
            self._known[state] = lettered_moves(self.betting, state, self._amounts(state), self._menu is not None)
        return self._known[state]

    def _cards(self, public: Position) -> Sequence[tuple[str, Cards]]:
        key = (public.board, self.board[public.state.street + 1])
        if key not in self._boards:
            self._boards[key] = self.deck.boards(*key)
        return self._boards[key]
