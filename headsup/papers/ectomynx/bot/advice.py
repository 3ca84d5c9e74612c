"""A bot hard-coded after the report's advice: its authors believe that one would have done better.

Before the flop it plays the report's start table, and it swaps by the report's rule. Bets are larger on wet and
volatile boards; two pair and better bet and raise, top pair and overpairs bet and call; weak and middle pairs call one
bet on the flop; strong draws bet two times in five on the flop and call one bet; on paired boards flushes and straights
do not raise; with four of a suit hands below a flush only call small bets; bets of a fifth of the pot are called.
"""

from collections.abc import Callable
from functools import partial

from headsup.discards.strategy.hands import STRENGTHS, bet_share
from headsup.papers.ectomynx.bot.agent import LevelPlayer
from headsup.play.agents.discard_history import check_discard, follow
from headsup.play.table.agent import ActionProbabilities, Agent, maker, nothing_after
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView, Table

PAIRS = STRENGTHS.index("weak pair"), STRENGTHS.index("middle pair")
TOP, OVER = STRENGTHS.index("top pair"), STRENGTHS.index("overpair")
TWO_PAIR, TRIPS = STRENGTHS.index("two pair"), STRENGTHS.index("three of a kind")
FLUSH, FULL_HOUSE = STRENGTHS.index("weak flush"), STRENGTHS.index("full house")
SMALL = 0.2
COMMITTED = 0.6  # the share of the chips from which a player stays in, and that makes a bet an all-in


class AdvicePlayer(LevelPlayer):
    def _acts(self, view: PlayerView) -> Callable[[int], ActionProbabilities]:
        return partial(self.advised, view) if view.board else super()._acts(view)

    def advised(self, view: PlayerView, hand: int) -> ActionProbabilities:
        now, legal = follow(view)[-1], view.legal
        pot, owed = now.pot, 2.0 * max(legal.call, 0) / view.table.unit
        raises = sum(turn.kind == "r" for turn in now.turns)
        bold = self.boldness(hand, view.board)
        if owed == 0.0:
            if bold >= 1:
                return [(self.bet(view), 1.0)]
            if hand == 2 and len(view.board) == 3:
                return [(self.bet(view), 0.4), (CALLS, 0.6)]
            return [(CALLS, 1.0)]
        price = owed / (pot + sum(now.bets))
        if bold >= 3 or (bold == 2 and raises <= 1):
            return [(self.bet(view), 1.0)]
        stays = bold >= 2 or (bold == 1 and raises <= 1) or owed <= SMALL * pot
        if len(view.board) < 5:
            stays = stays or (hand == 2 and price <= 0.5 and raises <= 1) or (hand == 1 and price <= 0.25)
        if hand in PAIRS:
            last = 3 if hand == PAIRS[0] else 4
            stays = stays or (len(view.board) <= last and raises <= 1 and price <= 0.5)
        chips = 2.0 * view.behind / view.table.unit
        stays = stays or (hand >= PAIRS[0] and owed + 200.0 - chips > COMMITTED * 200.0 and price <= 0.34)
        return [(CALLS if stays or not legal.fold else FOLDS, 1.0)]

    def boldness(self, hand: int, board: tuple[int, ...]) -> int:
        """0 checks, 1 bets and calls one bet, 2 bets and raises once, 3 goes all the way."""
        ranks, suits = [card >> 2 for card in board], [card & 3 for card in board]
        paired = len(set(ranks)) < len(ranks)
        suited = max(suits.count(suit) for suit in set(suits))
        if hand >= FULL_HOUSE:
            return 3
        if suited >= 4 and hand < FLUSH:
            return 0
        if hand >= TRIPS:
            return 1 if hand < FLUSH and suited == 3 else 2 if paired or len(board) == 5 else 3
        if hand == TWO_PAIR:
            return 1 if paired or suited >= 3 else 2
        return 1 if hand in (TOP, OVER) else 0

    def bet(self, view: PlayerView) -> Action:
        """By the texture; a raise adds as much of the pot after a call to the last bet; near all-in, all-in."""
        legal, betting = view.legal, view.table.betting
        last = view.state.paid[1 - view.seat] - view.state.start[1 - view.seat]
        total = last + bet_share(view.board) * betting.pot_after_call(view.state)
        mine = view.state.paid[view.seat] - view.state.start[view.seat]
        return legal.bet(legal.high if total - mine > COMMITTED * view.behind else total)


@maker("advice")
def make_advice(rest: str, table: Table) -> Agent:
    from headsup.papers.ectomynx.bot.train import start

    check_discard("advice", table)
    nothing_after("advice", rest)
    return AdvicePlayer("advice", start())
