"""Equities with swaps: deals against enumeration, the table that ships, maps on hand vectors, the command line."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.cards.classes import holdem_class_sizes, parse_holdem_class
from headsup.cli import main
from headsup.common.errors import DataError, UserError
from headsup.discards.equity.answer import best_equity, swap_equity
from headsup.discards.equity.best import GainTable, find_gain, gain_table, gains_text, parse_gains
from headsup.discards.equity.deals import deal_counts, sample_swaps
from headsup.discards.equity.maps import (
    choices,
    flop_values,
    free_of,
    gains,
    rule_policy,
    showdowns,
    spread,
    swap_down,
    swap_up,
    turn_values,
)
from headsup.discards.equity.table import parse_table, swap_table, table_text
from headsup.discards.game import short_deck
from headsup.discards.swap import rule_of, swap_rule
from headsup.equity import equity
from headsup.equity.question import read_question
from headsup.evaluate import rank_hands
from tests.equity import compiled
from tests.naive import best_key


def enumerated(hands: str, flop: str, left: str) -> list[int]:
    """Wins, ties and losses over all orders of the cards that are left, both swapping by the rule."""
    cards, board, deck = parse_cards(hands), parse_cards(flop), parse_cards(left)
    rows = []
    for coming in permutations(deck, 6):
        one, two, table, draws = list(cards[:2]), list(cards[2:]), [*board], iter(coming)
        for _ in range(2):
            for hole in (one, two):
                swap = swap_rule(hole, table)
                if swap:
                    hole[swap - 1] = next(draws)
            table.append(next(draws))
        rows.append([*one, *table, *two, *table])
    values = np.array(rows, dtype=np.uint8)
    sign = np.sign(rank_hands(values[:, :7]).astype(int) - rank_hands(values[:, 7:]))
    return [int((sign == s).sum()) for s in (1, 0, -1)]


def test_deals_come_as_often_as_enumeration_says() -> None:
    """On a deck of which six cards are left after the flop; the seed is fixed, the bound four standard errors."""
    hands, flop, left = "AcKdJh9h", "Th8s2d", "Ad9c7h7c4h2h"
    wanted = np.array(enumerated(hands, flop, left)) / 720
    there = {*parse_cards(hands), *parse_cards(flop), *parse_cards(left)}
    dead = sum(1 << card for card in range(52) if card not in there)
    n = 40_000 if compiled.args[0] is False else 2000
    found = deal_counts([parse_cards(hands)], n, 3, board=parse_cards(flop), dead=dead)[0] / n
    assert found == pytest.approx(wanted, abs=4 * 0.5 / n**0.5)
    assert wanted.min() < 0.95 * wanted.max()


@compiled
def test_without_swaps_it_is_holdem() -> None:
    question = read_question("AKs,QQ", "JJ-88,AJs", "Ks7d2c", "2h", "holdem")
    exact = equity("AKs,QQ", "JJ-88,AJs", "Ks7d2c", "2h")
    win, _, lose = (row[0] for row in sample_swaps(question, 100_000, 4, swapping=(False, False)))
    assert win / 100_000 == pytest.approx(exact.win / exact.deals, abs=0.006)
    assert lose / 100_000 == pytest.approx(exact.lose / exact.deals, abs=0.006)
    assert sample_swaps(question, 5000, 4) == sample_swaps(question, 5000, 4) != sample_swaps(question, 5000, 5)


def test_the_table_that_ships() -> None:
    table = swap_table()
    assert table.margins.max() < 0.0005
    assert np.array_equal(parse_table(table_text(table)).counts, table.counts)
    assert table.equities @ holdem_class_sizes() / 1326 == pytest.approx(0.5, abs=1e-4)  # a hand against itself
    with pytest.raises(DataError, match="not whole"):
        parse_table(table_text(table).replace("AKs", "AKx"))


@compiled
def test_the_table_and_new_deals_agree() -> None:
    known = swap_equity("AA,72o", "random")
    fresh = swap_equity("AA,72o", "random", method="sampling", samples=200_000, seed=8)
    assert known.interval is not None
    assert fresh.interval is not None
    assert known.equity == pytest.approx(fresh.equity, abs=2 * fresh.interval.margin)
    weights = np.array([6, 12]) / 18
    both = [swap_table().equities[parse_holdem_class(name)] for name in ("AA", "72o")]
    assert known.equity == pytest.approx(float(weights @ both))
    mirror = swap_equity("random", "AA,72o")
    assert (mirror.equity, mirror.win) == (pytest.approx(1 - known.equity), known.lose)
    assert equity("AA,72o", "random", game="holdem-discard") == known


def test_maps_move_hands_as_swaps_do() -> None:
    """Down and up against plain loops over hands and cards, for hands of a few cards."""
    rng = np.random.default_rng(2)
    flop, few = (0, 5, 10), [1, 2, 3, 20, 33, 51]
    reach, policy, values = np.zeros((52, 52)), np.zeros((52, 52)), spread(rng.random(comb(52, 2)))
    for i, x in enumerate(few):
        for y in few[:i]:
            reach[x, y] = reach[y, x] = rng.random()
            policy[x, y], policy[y, x] = rng.dirichlet((1, 1, 1))[:2]
    kept, moved = swap_down(reach, policy, flop)
    wanted = np.zeros((52, 52))
    for x in few:
        for y in few:
            for card in range(52):
                if x != y and card not in (x, y, *flop):
                    wanted[y, card] += reach[x, y] * policy[x, y] / 45
                    wanted[card, y] += reach[x, y] * policy[x, y] / 45
    assert moved == pytest.approx(wanted)
    assert kept == pytest.approx(reach * (1 - policy - policy.T))
    free = values.copy()
    free[list(flop)] = free[:, list(flop)] = 0.0
    thrown = swap_up(free)
    assert thrown[20, 33] == pytest.approx(sum(free[33, c] for c in range(52) if c not in (20, 33, *flop)))
    # Both directions are one map: what arrives, by value, is what leaves, by the value of leaving.
    assert (moved * free).sum() / 2 == pytest.approx((reach * policy * thrown).sum() / 45)


@compiled
def test_maps_without_swaps_are_holdem_and_the_best_swap_is_never_worse() -> None:
    every, flop = np.ones((52, 52)) - np.eye(52), tuple(sorted(parse_cards("AsKs4d")))
    never = flop_values(flop, every, lambda board: np.zeros((52, 52)), lambda board: np.zeros((52, 52)))
    for hand in ("AcAd", "7c2d", "JsTs"):
        x, y = parse_cards(hand)
        assert never.equities[0, x, y] == pytest.approx(equity(hand, "random", "AsKs4d").equity, abs=1e-9)
    ruled = flop_values(flop, every)
    assert (ruled.equities[1:] >= ruled.equities[0] - 1e-12).all()
    x, y = parse_cards("JhTh")
    counts = deal_counts([[x, y, 255, 255]], 200_000, 1, board=flop)[0]
    # What is forgotten moves an equity by less than a hundredth; chance by a quarter of that.
    assert ruled.equities[0, x, y] == pytest.approx((counts[0] + counts[1] / 2) / 200_000, abs=0.01)


@compiled
def test_the_corner_costs_what_the_best_swap_says() -> None:
    """84 on 9984: the rule keeps, though the eights are all that counts, and a swap of the four is free."""
    turn = parse_cards("9c9d8h4s")
    values = turn_values(tuple(sorted(turn)), np.ones((52, 52)) - np.eye(52))
    equities = values.equities
    eight, four = parse_cards("8c4d")
    assert equities[1, eight, four] > equities[0, eight, four] + 0.02
    one = spread(np.eye(1326)[[four * (four - 1) // 2 + eight if four > eight else eight * (eight - 1) // 2 + four]])[0]
    gain = gains(values, tuple(sorted(turn)), one)
    assert gain == pytest.approx(equities[:, eight, four] - equities[0, eight, four])
    told = best_equity("8c4d", "random", "9c9d8h4s", samples=20_000)
    assert (told.gain.gain, told.gain.margin) == (pytest.approx(gain[1]), 0.0)
    assert told.equity == told.rule.equity + told.gain.gain
    (advice,) = told.gain.advice
    assert (advice.hand, advice.thrown(advice.rule)) == ("8c4d", None)
    (option,) = advice.options
    assert advice.thrown(option.best) == "4d"
    assert option.throw[1] == pytest.approx(equities[1, eight, four])
    assert max(option.keep, option.throw[0]) < option.throw[1]


@compiled
def test_the_card_that_goes_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["equity", "8c4d", "random", "--board", "9c9d8h4s", "--game", "holdem-discard", "--samples", "20000"]
    assert main([*words, "--swap", "best"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "8c4d: throw 4d (keep " in out
    assert "; the rule keeps both)" in out
    assert main([*words, "--swap", "best-last", "--json"]) == 0
    (swaps,) = json.loads(capsys.readouterr().out)["swaps"]
    assert (swaps["hand"], swaps["rule_throws"]) == ("8c4d", None)
    assert [option["situation"] for option in swaps["best"]] == ["last, after a keep", "last, after a swap"]
    for option in swaps["best"]:
        assert option["throw"] == max(option["equities"], key=lambda name: option["equities"][name])


@compiled
@pytest.mark.parametrize(("cards", "to_come"), [("AcKdJh", 0), ("AcKdJhJc", 1)])
def test_the_last_swap_of_a_small_deck_agrees_with_loops(cards: str, to_come: int) -> None:
    """Card by card, as one who forgets discarded cards counts them, against weighted hands that swap by the rule."""
    deck, board = short_deck(4, 3), tuple(sorted(parse_cards(cards)))
    gone = (*board, *(card for card in range(52) if card not in deck))
    weights = spread(np.random.default_rng(3).random(1326)) * free_of(gone)
    options = choices(*showdowns(board, swap_down(weights, rule_policy(board), gone).sum(axis=0), deck, to_come))
    left = [card for card in deck if card not in board]
    boards = [(*board, card) for card in left] if to_come else [board]
    opponent: dict[tuple[int, ...], float] = {}
    for hand in combinations(left, 2):
        goes = rule_of(hand, board)
        for card in [card for card in left if card not in hand] if goes else [-1]:
            after = tuple(sorted((hand[2 - goes], card))) if goes else hand
            weight = float(weights[hand]) / (len(deck) - len(board) - 4 if goes else 1)
            opponent[after] = opponent.get(after, 0.0) + weight

    def sums(hand: tuple[int, ...]) -> tuple[float, float]:
        won = met = 0.0
        for there in boards:
            for other, weight in opponent.items():
                if len({*hand, *there, *other}) == len(there) + 4:
                    mine, theirs = best_key((*hand, *there)), best_key((*other, *there))
                    won, met = won + weight * ((mine > theirs) + 0.5 * (mine == theirs)), met + weight
        return won, met

    every = {hand: sums(hand) for hand in combinations(left, 2)}
    for low, high in every:
        changed = [_with(kept, left, (low, high)) for kept in (high, low)]
        for choice, hands in enumerate([[(low, high)], *changed]):
            won, met = np.sum([every[hand] for hand in hands], axis=0)
            assert options[choice, low, high] == pytest.approx(won / met)


def _with(kept: int, left: list[int], hand: tuple[int, int]) -> list[tuple[int, ...]]:
    """What a hand may be that keeps a card and draws another."""
    return [tuple(sorted((kept, card))) for card in left if card not in hand]


@compiled
def test_every_choice_on_the_turn_agrees_with_real_deals() -> None:
    """Each choice made by hand, then dealt. The model forgets that the opponent cannot hold the card thrown away."""
    board = parse_cards("9c9d8h4s")
    values = turn_values(tuple(sorted(board)), np.ones((52, 52)) - np.eye(52))
    hand, n = parse_cards("8c4d"), 60_000
    for choice, kept in ((0, [*hand]), (1, [hand[1]]), (2, [hand[0]])):
        dead = sum(1 << card for card in hand if card not in kept)
        rows = [[*[*kept, 255][:2], 255, 255]]
        win, tie, _ = deal_counts(rows, n, 5, board=board, dead=dead, swapping=(False, True))[0]
        assert values.options[0, choice, hand[0], hand[1]] == pytest.approx(
            (win + tie / 2) / n, abs=0.01 if choice != 1 else 0.05
        )


def test_gains_that_ship() -> None:
    table = gain_table()
    assert (table.gains >= -1e-9).all()
    read = parse_gains(gains_text(table))
    assert isinstance(read, GainTable)
    assert np.array_equal(read.gains, table.gains)
    twos, aces = (find_gain(read_question(name, "random", "", "", "holdem"), "best", 0).gain for name in ("22", "AA"))
    assert twos > 0.05 > 0.001 > aces  # the rule never breaks a pair


def test_the_command_line_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AA", "random", "--game", "holdem-discard", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["players"][0]["equity"] == pytest.approx(0.7307, abs=5e-4)
    assert main(["equity", "22", "random", "--game", "holdem-discard", "--swap", "best-last", "--json"]) == 0
    best = json.loads(capsys.readouterr().out)
    assert best["equity"] == best["rule"]["players"][0]["equity"] + best["gain"]["equity"]
    assert main(["equity", "22", "random", "--game", "holdem-discard", "--swap", "best"]) == 0
    assert "With the best swap" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("AA random --swap best", "--swap is for game holdem-discard"),
        ("AA random --game holdem-discard --swap worst", "'worst' is not a way to swap"),
        ("AA KK --game holdem-discard --swap best --dead 2c", "leave them out"),
        ("AA KK --game holdem-discard --board 2c3c4c5d6h", "nothing to swap"),
        ("AA KK --game holdem-discard --method sweep", "not a method of holdem-discard"),
        ("AA KK --game holdem-discard --method table", "use method sampling"),
    ],
)
def test_mistakes_are_one_sentence(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", *line.split()]) == 2
    assert said in capsys.readouterr().err


def test_mistakes_in_python_are_told_too() -> None:
    with pytest.raises(UserError, match="is not a way to swap"):
        best_equity("AA", "KK", swap="rule")
