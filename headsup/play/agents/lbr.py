"""Local best response: an agent that knows the other's strategy, and so measures from below how exploitable it is.

After Lisy and Bowling (2017). The opponent must be a `Mixed` agent. Then

1. the other's range follows from what it did: a weight for each of the 1,326 hands, times how often it does that;
2. a call is worth  w * pot - (1 - w) * owed,  where w is the chance to win at showdown against that range, cards to
come
   taken by their mean, as if nobody bet any more;
3. a bet to a total is worth  f * pot + (1 - f) * (w' * (pot + theirs) - (1 - w') * mine),  where f is the share of the
   range that folds to it, w' the chance against the rest, and mine and theirs what a call makes both put in;
4. the best of these is done, or a fold if nothing is worth more than nothing.

Where cards may be changed it calls or folds before the flop by equities with swaps, changes its own cards by the
ectomynx report's rule, moves the other's range through the swaps that it sees (`swap_probabilities`; a discarded card
may be drawn again, so the range is not exact), and from the flop on reckons as if no more swaps were to come.

It looks one bet ahead, so it is no best reply; what it wins a hand is a lower bound of what one would. In games of jam
or fold there is nothing further ahead, and it is the best reply itself.

    lbr              fold, check and call only
    lbr:0.5,1,2,a    bets of these shares of the pot too, a being all-in
    lbr:wide         0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5 times the pot, the least bet and all-in
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from headsup.cards.combos import colex, combos
from headsup.common.arrays import Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.play.table.agent import Agent, Mixed, Player, maker
from headsup.play.table.real import free_of
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Action, Legal, PastAction, PlayerView, Table, apply

MENUS = {"": (), "wide": ("min", 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, "a")}
Size = float | str


@lru_cache(maxsize=512)
def win_chances(hole: tuple[int, ...], board: tuple[int, ...]) -> Floats:
    """[1326] the share of the pot that a hand gets against each other one, over all cards to come; 0 where they share
    a card.
    """
    free = free_of((*hole, *board))
    if not board:
        from headsup.equity.holdem.table import combo_table

        found = np.zeros(len(free))
        row = colex(hole)
        table = combo_table()
        found[free] = (2.0 * table.wins[row][free] + table.ties[row][free]) / (2.0 * table.deals[row][free])
        return found
    from headsup.evaluate import rank_combos

    deck = [card for card in range(52) if card not in hole and card not in board]
    sets = list(combinations(deck, 5 - len(board)))
    boards = np.empty((len(sets), 5), dtype=np.uint8)
    boards[:, : len(board)] = board
    boards[:, len(board) :] = np.array(sets, dtype=np.uint8).reshape(len(sets), 5 - len(board))
    values = rank_combos(boards, check=False)
    mine = values[:, colex(hole)][:, None]
    met = values > 0
    won = ((met & (values < mine)).sum(axis=0) + 0.5 * (values == mine).sum(axis=0)) / np.maximum(1, met.sum(axis=0))
    return np.where(free, won, 0.0)


def drawn_chance(keeps: int, thrown: int, board: tuple[int, ...], reach: Floats) -> float:
    """The share of the pot of who keeps a card, throws one away and draws another, against weights of hands."""
    from headsup.evaluate import rank_combos

    left = [card for card in range(52) if card not in {keeps, thrown, *board}]
    sets = np.array(list(combinations(left, 5 - len(board))), dtype=np.uint8).reshape(-1, 5 - len(board))
    lying = np.broadcast_to(np.array(board, dtype=np.uint8), (len(sets), len(board)))
    met = np.where(free_of((keeps, thrown, *board)), reach, 0.0)
    hands = np.flatnonzero(met)
    values = rank_combos(np.concatenate([lying, sets], axis=1), check=False)
    theirs, weights, shares = values[:, hands], met[hands], list[float]()
    for card in left:
        free = (sets != card).all(axis=1)
        at = free_of((card,))[hands]
        mine, other = values[free, colex(sorted((keeps, card)))][:, None], theirs[free][:, at]
        alive, total = other > 0, float(weights[at].sum())
        points = (alive & (other < mine)).sum(axis=0) + 0.5 * (other == mine).sum(axis=0)
        won = points / np.maximum(1, alive.sum(axis=0))
        shares += [float(won @ weights[at]) / total] if total > 0.0 else []
    return float(np.mean(shares)) if shares else 0.5


_ASKED_TO_SWAP = Legal(False, 0, discards=(0, 1))


def swapped_range(reach: Floats, other: Mixed, view: PlayerView, action: Action, known: tuple[int, ...]) -> Floats:
    """[1326] weights after the other kept its cards or changed one; `known` are cards that it cannot draw."""
    chances: Floats = other.swap_probabilities(view)  # type: ignore[attr-defined]
    if action.kind != "d":
        return reach * chances[:, 0]
    hands, free = combos(2), free_of(known)
    kept = np.zeros(52)
    np.add.at(kept, hands[:, 1], reach * chances[:, 1])
    np.add.at(kept, hands[:, 0], reach * chances[:, 2])
    # a hand comes from all that kept one of its cards but from itself
    own = reach * (chances[:, 1] + chances[:, 2])
    return np.where(free, kept[hands[:, 0]] + kept[hands[:, 1]] - own, 0.0) / (52 - len(known) - 2)


class LocalBestResponse(Player):
    """Plays the local best response; see the module's text."""

    def __init__(self, name: str, sizes: tuple[Size, ...], swaps: bool = False) -> None:
        self.name, self.sizes, self.swaps = name, sizes, swaps
        self.other: Mixed | None = None

    def meet(self, other: Agent) -> None:
        """Learn whom one plays."""
        if not isinstance(other, Mixed):
            raise UserError(f"lbr needs to know how often {other.name} takes each action, and it does not say")
        if self.swaps and not hasattr(other, "swap_probabilities"):
            raise UserError(f"lbr needs to know which cards {other.name} changes, and it does not say")
        self.other = other

    def act(self, view: PlayerView) -> Action:
        """The best of what is looked at."""
        if view.legal.discards:
            from headsup.discards.swap import swap_rule

            which = swap_rule(view.hole, view.board)
            return Action("d", view.hole[which - 1]) if which else CALLS
        worths = self.worths(view, () if self.swaps and not view.board else self._bets(view))
        return max(worths, key=lambda one: worths[one])  # the first of equals: a fold, then a call

    def worths(self, view: PlayerView, bets: Sequence[Action]) -> dict[Action, float]:
        """Chips that each legal action wins from here on, and these bets: a fold is 0, what was paid is gone."""
        reach = self.range(view)
        legal, state, betting = view.legal, view.state, view.table.betting
        wins = self._wins(view)
        total = float(reach.sum())
        if total <= 0.0:  # the other did what its strategy never does
            reach = free_of((*view.hole, *view.board)).astype(np.float64)
            total = float(reach.sum())
        chance = float(reach @ wins) / total
        owed = min(betting.owed(state), view.behind)  # also where there is no call, in jam or fold
        # what is to be won is what both have matched, and what the other has put in more
        pot = view.table.betting.pot + state.start[0] + state.start[1]
        mine = state.paid[view.seat] - state.start[view.seat]
        theirs = min(state.paid[1 - view.seat] - state.start[1 - view.seat], mine + owed)
        pot += mine + theirs
        found = {FOLDS: 0.0} if legal.fold else {}
        if legal.call >= 0:
            found[CALLS] = chance * pot - (1.0 - chance) * owed
        for bet in bets:
            after = apply(betting, state, bet)
            seen = PlayerView(
                view.table, 1 - view.seat, (), view.board, after, Legal.of(betting, after),
                (*view.steps, PastAction(view.street, view.seat, bet)),
            )  # fmt: skip
            folds = self._answers(seen, reach)
            stay = reach - folds
            kept = float(stay.sum())
            fold = 1.0 - kept / total
            found[bet] = float(pot)
            if kept > 0.0:
                won = float(stay @ wins) / kept
                more = min(bet.amount, betting.stacks[1 - view.seat] - state.start[1 - view.seat])
                mine_in, theirs_in = more - mine, more - theirs
                found[bet] = fold * pot + (1.0 - fold) * (won * (pot + theirs_in) - (1.0 - won) * mine_in)
        return found

    def _wins(self, view: PlayerView) -> Floats:
        """[1326] the share of the pot that the hand gets from each of the other's."""
        if not self.swaps or view.board:
            return win_chances(view.hole, view.board)
        from headsup.discards.equity.table import equities_before

        return np.where(free_of(view.hole), equities_before(view.hole), 0.0)

    def swap_worths(self, view: PlayerView) -> dict[Action, float]:
        """Chips that keeping the cards and changing either is worth from here on, if nobody bets and nobody changes
        another card: the pot times the chance to win against the other's range, the mean over the cards that may come.
        """
        reach = self.range(view)
        if float(reach.sum()) <= 0.0:
            reach = free_of((*view.hole, *view.board)).astype(np.float64)
        pot = float(view.pot)
        found = {CALLS: pot * float(reach @ win_chances(view.hole, view.board)) / float(reach.sum())}
        for card in view.hole:
            keeps = view.hole[0] if view.hole[1] == card else view.hole[1]
            found[Action("d", card)] = pot * drawn_chance(keeps, card, view.board, reach)
        return found

    def range(self, view: PlayerView) -> Floats:
        """[1326] the weights of the other's hands after all that was done."""
        assert self.other is not None
        reach = free_of((*view.hole, *view.board)).astype(np.float64)
        weights = getattr(view.table, "weights", None)
        if weights is not None:
            reach = reach * np.asarray(weights[1 - view.seat])
        betting, state = view.table.betting, view.table.betting.root()
        asked = [0] * betting.n_streets
        for i, step in enumerate(view.steps):
            while state.street < step.street - view.table.first_street:  # cards are changed after an all-in, too
                state = betting.next_street(state)
            cards = view.board[: BOARD[view.table.first_street + state.street]]
            asked[state.street] += 1
            if state.street in view.table.draws and asked[state.street] <= 2:
                if step.seat != view.seat:
                    seen = PlayerView(view.table, step.seat, (), cards, state, _ASKED_TO_SWAP, view.steps[:i])
                    reach = swapped_range(reach, self.other, seen, step.action, (*view.hole, *view.board))
                continue
            if step.seat != view.seat:
                seen = PlayerView(view.table, step.seat, (), cards, state, Legal.of(betting, state), view.steps[:i])
                reach = reach * self.other.hand_probabilities(seen, step.action)
            state = apply(betting, state, step.action)
        return reach

    def _answers(self, seen: PlayerView, reach: Floats) -> Floats:
        """[1326] the weight that folds."""
        assert self.other is not None
        return reach * self.other.hand_probabilities(seen, FOLDS) if seen.legal.fold else np.zeros(len(combos(2)))

    def _bets(self, view: PlayerView) -> list[Action]:
        legal, state = view.legal, view.state
        if not legal.low:
            return []
        if view.table.betting.one_size:
            return [legal.bet(legal.low)]
        last = state.paid[1 - view.seat] - state.start[1 - view.seat]
        pot = view.table.betting.pot_after_call(state)
        totals = {"a": legal.high, "min": legal.low}
        found = {totals[one] if isinstance(one, str) else round(last + one * pot) for one in self.sizes}
        most = view.table.betting.most(state)
        return [Action("r", total) for total in sorted({min(max(total, legal.low), most) for total in found})]


@maker("lbr")
def make_lbr(rest: str, table: Table) -> Agent:
    """Local best response, with a menu of bets."""
    if table.cards != "holdem":
        raise UserError(f"lbr reckons with two-card hands, and {table.name} is another game: choose one of hold'em")
    if rest in MENUS:
        return LocalBestResponse(f"lbr:{rest}" if rest else "lbr", MENUS[rest], bool(table.draws))
    sizes: list[Size] = []
    for word in rest.split(","):
        try:
            size = word if word in ("a", "min") else parse_float(word)
        except ValueError:
            size = -1.0
        if not isinstance(size, str) and not 0.0 < size < 1e6:
            raise UserError(
                f"'lbr:{rest}' has no menu of bets: write shares of the pot and a for all-in, as lbr:0.5,1,a"
            )
        sizes.append(size)
    return LocalBestResponse(f"lbr:{rest}", tuple(sizes), bool(table.draws))
