"""Luck taken out never changes a mean: summed over all cards and choices, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.games.betting.rules import Betting
from headsup.games.catalogue.names import game as named
from headsup.games.contract.game import TERMINAL, Game
from headsup.jamfold.shipped import shipped
from headsup.play.agents.baseline import Caller, Random
from headsup.play.arena.plan import Policy, SmallGame
from headsup.play.statistics.aivat import aivat_chips, make_value
from headsup.play.statistics.values import ChartValue, EquityValue, all_in_board, equity_chips, outcomes, pot_share
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, Player, make_agent
from headsup.play.table.record import HandRecord, parse_betting, record, replay
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Action, Deal, PlayerView, Table, TableHand, table


def lopsided(game: SmallGame, seed: int) -> Policy:
    """A policy of no merit that mixes everywhere."""
    rng = np.random.default_rng(seed)
    first, second = ([rng.dirichlet(np.ones(len(acts))).tolist() for _, acts in one] for one in game.sets)
    return first, second


def paths(game: SmallGame) -> list[list[int]]:
    """The nodes of every hand that there can be."""
    found = []
    for end in np.flatnonzero(game.tree.player == TERMINAL):
        path = [int(end)]
        while path[-1]:
            path.append(int(game.parent[path[-1]]))
        found.append(path[::-1])
    return found


@pytest.mark.parametrize("name", ["kuhn", "leduc:merged=true"])
def test_aivat_keeps_the_mean_of_a_small_game_whatever_it_believes(name: str) -> None:
    chosen = named(name)
    assert isinstance(chosen, Game)
    game = SmallGame(chosen)
    policies = (lopsided(game, 1), lopsided(game, 2))
    worth, shares, ends = game.values(policies), game.probabilities(policies), paths(game)
    likely = np.array([np.prod(shares[path[1:]]) for path in ends])
    payoffs = np.array([game.payoff(path) for path in ends])
    assert likely.sum() == pytest.approx(1.0)
    assert likely @ payoffs == pytest.approx(worth[0])
    foolish = np.random.default_rng(3).standard_normal(len(worth))
    for known in (policies, (policies[0], None), (None, policies[1]), (None, None)):
        for belief in (worth, foolish):
            luck = game.corrections(known, belief)
            scores = payoffs - [luck[path].sum() for path in ends]
            assert likely @ scores == pytest.approx(worth[0])
            if known is policies and belief is worth:
                assert abs(scores - worth[0]).max() < 1e-12  # nothing is left to luck


def test_the_names_of_policies() -> None:
    chosen = named("leduc")
    assert isinstance(chosen, Game)
    game = SmallGame(chosen)
    caller, raiser, folder = (game.policy(name) for name in ("caller", "raiser", "folder"))
    # bets that are always called by hands of the same deck: worth nothing to either
    assert game.values((raiser, caller))[0] == pytest.approx(0.0)
    assert game.values((raiser, folder))[0] == pytest.approx(1.0)


class Half(Mixed):
    """Mixes by its cards alone."""

    name = "half"

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """Three ways, unevenly."""
        found = [(action, 1.0 + i) for i, (action, _) in enumerate(Random().probabilities(view))]
        total = sum(pot_share for _, pot_share in found)
        return [(action, pot_share / total) for action, pot_share in found]


def every_hand(
    there: Table, deals: list[Deal], agents: tuple[Mixed | Player, Mixed | Player]
) -> Iterator[tuple[float, HandRecord]]:
    """All ways in which hands of some deals may go."""

    def ways(hand: TableHand) -> ActionProbabilities:
        agent = agents[hand.player]
        return agent.probabilities(hand.view()) if isinstance(agent, Mixed) else [(agent.act(hand.view()), 1.0)]

    for deal in deals:
        waiting: list[tuple[float, list[Action]]] = [(1.0 / len(deals), [])]
        while waiting:
            chance, actions = waiting.pop()
            hand = there.hand(deal)
            for action in actions:
                hand.act(action)
            if hand.over:
                yield chance, record(hand)
            else:
                waiting.extend((chance * p, [*actions, action]) for action, p in ways(hand))


@pytest.mark.parametrize(("cards", "agents"), [("omaha8", (Half(), Half())), ("holdem", (Half(), Caller()))])
def test_card_games_keep_their_mean_over_all_rivers_and_choices(cards: str, agents: tuple[Agent, Agent]) -> None:
    board = parse_cards("As7d2c3s")
    betting = Betting(first=(1, 1), stacks=(5, 4), pot=7, min_bet=3)  # small stacks: few ways to bet, and odd chips
    there = Table("turn", cards, betting, 2, board)
    first, second = ("4s5s", "AdKh") if cards == "holdem" else ("4s5s8hTc", "AdKh4c9d")
    holes = (parse_cards(first), parse_cards(second))
    free = [card for card in range(52) if card not in {*board, *holes[0], *holes[1]}]
    deals = [Deal(holes, (*board, river)) for river in free]
    value = EquityValue(there)
    plain = equity = aivat = total = 0.0
    for chance, kept in every_hand(there, deals, agents):  # type: ignore[arg-type]
        total += chance
        plain += chance * kept.chips[0]
        equity += chance * equity_chips(kept)
        aivat += chance * aivat_chips(kept, agents, value)
    assert total == pytest.approx(1.0)
    assert equity == pytest.approx(plain, abs=1e-9)
    assert aivat == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize(
    ("cards", "holes"), [("holdem", "AsKs QdQh"), ("omaha", "AsKs7d8d QdQh2c2s"), ("omaha8", "As2s7d8d QdQh3cKs")]
)
def test_a_share_is_the_mean_of_the_shares_after_the_next_card(cards: str, holes: str) -> None:
    first, second = (parse_cards(one) for one in holes.split())
    flop = parse_cards("4h5cJd")
    free = [card for card in range(52) if card not in {*first, *second, *flop}]
    after = [pot_share(cards, (first, second), (*flop, turn)) for turn in free]
    assert pot_share(cards, (first, second), flop) == pytest.approx(np.mean(after))
    counted = outcomes(cards, first, second, flop)
    assert sum(chance for _, chance in counted) == pytest.approx(1.0)
    rivers = list(combinations(free, 2))
    assert len(rivers) == (990 if cards == "holdem" else 820)


def test_before_the_flop_equities_are_those_of_the_table() -> None:
    aces, kings = parse_cards("AdAc"), parse_cards("KhKs")
    found = pot_share("holdem", (aces, kings), ())
    assert found == pytest.approx((1388072 + 6538 / 2) / 1712304)  # poker-eval
    assert pot_share("holdem", (kings, aces), ()) == pytest.approx(1 - found)
    # the mean over all deals is one half: what AIVAT takes for granted
    from headsup.equity.holdem.table import combo_table

    both = combo_table()
    assert float(np.nanmean(both.equities())) == pytest.approx(0.5, abs=1e-12)


def test_where_the_cards_lay_at_an_all_in() -> None:
    deal = Deal((parse_cards("AsAh"), parse_cards("7c2d")), parse_cards("Ks9h4c3s8d"))
    for text, cards in (("r2000c", 0), ("cc/cr1900c", 3), ("cc/cc/r1900c", 4), ("cc/cc/cc/cc", 5), ("r200f", 5)):
        assert all_in_board(record(replay(table("holdem-nolimit", 20), deal, parse_betting(text)))) == cards
    kept = record(replay(table("holdem-nolimit", 20), deal, parse_betting("cc/cc/r1900c")))
    assert equity_chips(kept) == pytest.approx(2000.0)  # seven-deuce is drawing dead
    early = record(replay(table("holdem-nolimit", 20), deal, parse_betting("r2000c")))
    assert equity_chips(early) == pytest.approx(4000 * pot_share("holdem", deal.holes, ()) - 2000)


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("holdem-jamfold", "jamfold", "rule:sage"),
        ("holdem-nolimit", "jamfold", "allin"),
        ("holdem-nolimit", "folder", "sklansky"),
        ("holdem-jamfold", "caller", "jamfold"),
    ],
)
def test_two_charts_leave_nothing_to_luck(game: str, first: str, second: str) -> None:
    there = table(game, 10)
    agents = make_agent(first, there), make_agent(second, there)
    value = make_value(there, agents)
    assert isinstance(value, ChartValue)
    assert value.start is not None
    referee = Referee(agents)
    for number in range(40):
        kept = referee.play(there, there.deal_number(2, number), number, 0)
        assert aivat_chips(kept, agents, value) == pytest.approx(value.start)


def test_the_value_of_two_equilibria_is_the_one_that_ships() -> None:
    there, sweep = table("holdem-jamfold", 10), shipped("holdem")
    agent = make_agent("jamfold", there)
    value = 100 * sweep.value_sb[sweep.nearest_index(10)]
    assert ChartValue(there, (agent, agent)).start == pytest.approx(value, abs=0.01)
