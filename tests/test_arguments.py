"""Public calls with arguments of the wrong kind: each is answered by one sentence that names the argument."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import headsup
from headsup import abstraction, cards, evaluate, games, play
from headsup.cards.suits import permute_card
from headsup.common.checks import as_list, as_numbers, as_path, as_text, as_truth, between, door, of_kind
from headsup.common.errors import UserError
from headsup.distil.price import against_equilibrium, price
from headsup.distil.shipped import find_rule, shipped_cards
from headsup.endgame.rules import endgame
from headsup.equity import equity, estimates
from headsup.games.holdem.vector import ArrayStrategy, Uniform
from headsup.jamfold import jamfold
from headsup.measure import best_response, measure
from headsup.play.arena.match import play as play_match
from headsup.play.coach.decks import HandsDeck
from headsup.play.coach.replay import replay_log
from headsup.play.coach.review import review
from headsup.play.coach.trainer import train_at_terminal
from headsup.play.statistics.duel import deal_out
from headsup.play.table.referee import Referee
from headsup.play.table.rules import table
from headsup.preflop import compare_checked_down, shipped_preflop
from headsup.solve import solve
from headsup.solve.records.settings import Settings
from headsup.spots.compare import compare
from headsup.spots.profile import OpponentProfile, play_profile
from headsup.spots.report import flop_list
from headsup.spots.sizes import simplify_sizes, size_curve
from headsup.spots.solve import SpotSolution
from tests.naive_games import suit_blind

WRONG = (
    *(None, True, 1.5, float("nan"), float("inf"), -1, b"x", [], {}, object(), 1j, int, 10**5000, [1, "a", None]),
    *(np.zeros(3), np.zeros((2, 2)), np.zeros(3, complex), np.array([1, "a", None], dtype=object), [[1], [2, 3]]),
)
"""Of every kind; a row of the table says which of them its argument takes."""
NOT_NUMBERS = tuple(one for one in WRONG if type(one) not in (float, int))
NO_ARRAYS = tuple(one for one in WRONG if type(one) is not np.ndarray or one.dtype.kind in "cO")

NO_REALS = (None, b"x", {}, object(), 1j, int, 10**5000, [1, "a", None], [[1], [2, 3]])
WRONG_ROWS = tuple(one for one in WRONG if not isinstance(one, list | dict) or one)
"""Of every kind but an empty list."""


def _but(*taken: type) -> tuple[Any, ...]:
    return tuple(one for one in WRONG if type(one) not in taken)


@cache
def _small() -> Any:
    return headsup.game("holdem-nolimit:ranks=4,suits=2,streets=2,stack=2")


@cache
def _spot() -> Any:
    return headsup.Spot("Ks7d2c5h9s", "AA,KK", "QQ,JJ", 10, 10, bets="50%")


@cache
def _limit() -> Any:
    return headsup.game("holdem-limit:ranks=4,suits=2,streets=2")


def _arrays(kind: Any) -> tuple[Any, ...]:
    return tuple(np.ones(int(at[-1])).astype(kind) for at in _limit().layout)


def _array_strategy(kind: Any) -> ArrayStrategy:
    return ArrayStrategy(_limit(), _arrays(kind))  # type: ignore[arg-type]


def _match(**changes: Any) -> play.Match:
    return replace(play.Match("caller", "random", hands=4, session=4), **changes)


ROWS: list[tuple[str, Callable[[Any], Any], tuple[Any, ...], str]] = [
    ("parse_cards text", cards.parse_cards, WRONG, "text"),
    ("parse_card text", cards.parse_card, WRONG, "text"),
    ("card_name card", cards.card_name, _but(bool), "card"),
    ("cards_name cards", cards.cards_name, _but(list, dict, np.ndarray), "cards"),
    ("colex cards", cards.colex, _but(list, dict, np.ndarray), "cards"),
    ("rank_of card", cards.rank_of, _but(bool), "card"),
    ("suit_of card", cards.suit_of, _but(bool), "card"),
    ("card rank", lambda one: cards.card(one, 0), WRONG, "rank"),
    ("card suit", lambda one: cards.card(0, one), WRONG, "suit"),
    ("mask_of cards", cards.mask_of, (*WRONG_ROWS, [52], [-1], [10**5000]), "cards"),
    ("cards_in mask", cards.cards_in, (*WRONG, 1 << 52), "mask"),
    ("mask_name mask", cards.mask_name, WRONG, "mask"),
    ("permute_cards cards", lambda one: cards.permute_cards(one, (0, 1, 2, 3)), (*WRONG_ROWS, [52]), "cards"),
    ("permute_cards permutation", lambda one: cards.permute_cards([1], one), WRONG, "permutation"),
    ("permute_card card", lambda one: permute_card(one, (0, 1, 2, 3)), (None, 1.5, "As", np.zeros(3), 1j), "card"),
    ("permute_card permutation", lambda one: permute_card(3, one), (None, [], 1.5, object()), "permutation"),
    ("permute_mask mask", lambda one: cards.permute_mask(one, (0, 1, 2, 3)), WRONG, "mask"),
    ("permute_mask permutation", lambda one: cards.permute_mask(1, one), WRONG, "permutation"),
    ("permute_masks masks", lambda one: cards.permute_masks(one, (0, 1, 2, 3)), WRONG_ROWS, "masks"),
    ("permute_masks permutation", lambda one: cards.permute_masks(cards.combo_masks(1), one), WRONG, "permutation"),
    ("permuted_combos n", lambda one: cards.permuted_combos(one, (0, 1, 2, 3)), _but(bool), "n |cards"),
    ("permuted_combos permutation", lambda one: cards.permuted_combos(2, one), WRONG, "permutation"),
    ("canonical masks", cards.canonical, WRONG_ROWS, "masks"),
    ("canonical permutations", lambda one: cards.canonical([1], one), _but(list), "permutations"),
    ("canonical_masks masks", cards.canonical_masks, WRONG_ROWS, "masks"),
    ("canonical_boards n_cards", cards.canonical_boards, _but(bool), "n |cards"),
    ("canonical_boards dead_mask", lambda one: cards.canonical_boards(1, one), WRONG, "dead_mask"),
    ("canonical_boards permutations", lambda one: cards.canonical_boards(1, 0, one), WRONG, "permutations"),
    ("stabiliser objects", cards.stabiliser, WRONG, "object|array"),
    ("stabiliser permutations", lambda one: cards.stabiliser(1, permutations=one), WRONG_ROWS, "permutations"),
    ("suit_sets cards", cards.suit_sets, (*WRONG, [[52]]), "cards"),
    ("deal_patterns_of_sets sets", cards.deal_patterns_of_sets, WRONG, "sets"),
    ("combo_masks n", cards.combo_masks, _but(bool), "n "),
    ("combos_with_card n", cards.combos_with_card, _but(bool), "n "),
    ("card_classes n", cards.card_classes, _but(bool), "n "),
    ("street_indexer rounds", cards.street_indexer, WRONG, "rounds"),
    ("StreetIndexer rounds", cards.StreetIndexer, WRONG, "rounds"),
    ("StreetIndexer.index cards", cards.street_indexer((2,)).index, WRONG, "cards"),
    ("StreetIndexer.unindex index", cards.street_indexer((2,)).unindex, _but(bool), "index"),
    ("StreetIndexer.class_size index", cards.street_indexer((2,)).class_size, _but(bool), "index"),
    ("StreetIndexer.index_array cards", cards.street_indexer((2,)).index_array, WRONG, "cards"),
    ("StreetIndexer.unindex_array index", cards.street_indexer((2,)).unindex_array, WRONG_ROWS, "index|indices"),
    ("rank_multiset_index ranks", cards.rank_multiset_index, (*WRONG_ROWS, [13], [-1]), "ranks"),
    ("BoardTree root", lambda one: cards.BoardTree(one), _but(list, np.ndarray), "root"),
    ("BoardTree ranks", lambda one: cards.BoardTree(ranks=one), WRONG, "ranks"),
    ("parse_range text", headsup.parse_range, WRONG, "range"),
    ("parse_range game", lambda one: headsup.parse_range("AA", one), WRONG, "game"),
    ("range_text hands", headsup.range_text, (*WRONG, np.zeros(1326)), "hands must be a Range"),
    ("Range weights", lambda one: headsup.Range("holdem", one), WRONG, "weights"),
    ("Range game", lambda one: headsup.Range(one, np.zeros(1326)), WRONG, "game"),
    ("Range other", lambda one: headsup.parse_range("AA") | one, WRONG, "range"),
    ("rank cards", headsup.rank, WRONG, "hand|card"),
    ("rank game", lambda one: headsup.rank("AsKs", game=one), WRONG, "game"),
    ("rank_hands cards", headsup.rank_hands, WRONG, "hands"),
    ("omaha_high boards", lambda one: evaluate.omaha_high([[1, 2, 3, 4]], one), WRONG, "boards"),
    ("category value", evaluate.category, WRONG, "value"),
    ("equity a", lambda one: equity(one, "QQ"), WRONG, "hand|card"),
    ("equity b", lambda one: equity("QQ", one), WRONG, "hand|card"),
    ("equity board", lambda one: equity("AA", "QQ", one), _but(type(None), list), "board|card"),
    ("equity game", lambda one: equity("AA", "QQ", game=one), WRONG, "game"),
    ("equity method", lambda one: equity("AA", "QQ", method=one), _but(type(None)), "method"),
    ("equity samples", lambda one: equity("AA", "QQ", method="sampling", samples=one), WRONG, "samples"),
    ("equity progress", lambda one: equity("AA", "QQ", progress=one), _but(type(None)), "progress"),
    ("estimates question", estimates, WRONG, "question"),
    ("flop_equities progress", lambda one: headsup.flop_equities("AsKs", "QQ", one), _but(type(None)), "progress"),
    ("game text", headsup.game, WRONG, "game"),
    ("game ranks", lambda one: headsup.game("leduc", ranks=one), WRONG, "ranks"),
    ("game merged", lambda one: headsup.game("leduc", merged=one), _but(bool), "merged"),
    ("flatten game", headsup.flatten, WRONG, "game"),
    ("sequence_form game", headsup.sequence_form, WRONG, "game"),
    ("public_tree game", games.public_tree, WRONG, "game"),
    ("betting_tree rules", games.betting_tree, WRONG, "rules"),
    ("Betting stacks", lambda one: games.Betting((0,), stacks=one), WRONG, "stacks"),
    ("Betting rake", lambda one: games.Betting((0,), (9, 9), rake=one), WRONG, "rake"),
    ("parse_menu text", games.parse_menu, WRONG, "text"),
    ("Mixture fold", lambda one: games.Mixture(_small(), one, 0.5, 0.5), _but(bool, int, float), "fold"),
    ("measure game", lambda one: measure(one, None), WRONG, "game"),
    ("measure strategy", lambda one: measure("kuhn", one), WRONG, "strateg|profile"),
    ("measure complex", lambda one: measure("kuhn", (one, one)), (np.ones(13, complex),), "strategy"),
    ("exploitability strategy", lambda one: headsup.exploitability(_small(), one), WRONG, "strateg|profile"),
    ("best_response profile", lambda one: best_response("kuhn", one, 0), WRONG, "strateg|profile"),
    ("best_response seat", lambda one: best_response("kuhn", (None, None), one), WRONG, "seat"),
    ("solve game", lambda one: solve(one), WRONG, "game"),
    ("solve method", lambda one: solve("kuhn", one), WRONG, "method"),
    ("solve iterations", lambda one: solve("kuhn", iterations=one), _but(type(None)), "iterations"),
    ("solve seed", lambda one: solve("kuhn", seed=one), _but(), "seed"),
    ("solve progress", lambda one: solve("kuhn", progress=one), _but(type(None)), "progress"),
    ("solve checkpoint", lambda one: solve("kuhn", checkpoint=one), _but(type(None)), "checkpoint"),
    ("solve form", lambda one: solve("kuhn", form=one), _but(type(None)), "form"),
    (
        "Settings averaging",
        lambda one: Settings(averaging=one),
        (None, True, -1, b"x", [], {}, 1j, np.zeros(3)),
        "averaging",
    ),
    ("Spot board", lambda one: headsup.Spot(one, "AA", "QQ", 10, 10, bets="a"), WRONG, "board"),
    ("Spot oop", lambda one: headsup.Spot("Ks7d2c", one, "QQ", 10, 10, bets="a"), WRONG, "oop"),
    ("Spot pot", lambda one: headsup.Spot("Ks7d2c", "AA", "QQ", one, 10, bets="a"), WRONG, "pot"),
    ("Spot bets", lambda one: headsup.Spot("Ks7d2c", "AA", "QQ", 10, 10, bets=one), WRONG, "bets"),
    ("solve_spot spot", headsup.solve_spot, (*WRONG, "kuhn"), "spot must be a Spot"),
    ("solve_spot target", lambda one: headsup.solve_spot(_spot(), one, iterations=1), NOT_NUMBERS[1:], "target"),
    ("solve_spot locks", lambda one: headsup.solve_spot(_spot(), locks=one), _but(list), "lock"),
    ("solve_spot start", lambda one: headsup.solve_spot(_spot(), start=one), _but(type(None)), "start"),
    ("solve_spot device", lambda one: headsup.solve_spot(_spot(), device=one), WRONG, "device"),
    ("SpotSolution spot", lambda one: SpotSolution(one, None), WRONG, "spot"),  # type: ignore[arg-type]
    ("SpotSolution.load path", headsup.SpotSolution.load, WRONG, "path"),
    ("simplify_sizes spot", simplify_sizes, (*WRONG, "kuhn"), "spot must be a Spot"),
    ("simplify_sizes count", lambda one: simplify_sizes(_spot(), one), WRONG, "count"),
    ("simplify_sizes per", lambda one: simplify_sizes(_spot(), per=one), WRONG, "per"),
    ("size_curve counts", lambda one: size_curve(_spot(), one), _but(list, np.ndarray, tuple), "counts"),
    ("play_profile solution", lambda one: play_profile(one, one, "ip"), WRONG, "solution"),
    ("OpponentProfile.parse", OpponentProfile.parse, WRONG, "text"),
    ("make_report spot", lambda one: headsup.make_report(one, "x"), WRONG, "spot"),
    ("flop_list oop", lambda one: flop_list(one, "AA"), WRONG, "oop"),
    ("shipped_preflop stack", shipped_preflop, NOT_NUMBERS, "stack"),
    ("compare_checked_down chart", compare_checked_down, WRONG, "chart must be a PreflopChart"),
    ("solve_preflop stack", headsup.solve_preflop, NOT_NUMBERS, "stack"),
    ("Stakes sb_stack", lambda one: headsup.Stakes(one, 10), NOT_NUMBERS, "stack"),
    ("jamfold game", lambda one: jamfold(one, 10), WRONG, "game"),
    ("jamfold stakes", lambda one: jamfold("holdem", one), NOT_NUMBERS, "stakes"),
    ("jamfold hand out of range", lambda one: jamfold("holdem", 10, hand=one), (-1, 169, 10**5000), "hand"),
    ("solve store", lambda one: solve(_small(), iterations=1, store=one), WRONG, "store"),
    ("solve device", lambda one: solve(_small(), iterations=1, device=one), WRONG, "device"),
    ("jamfold hand", lambda one: jamfold("holdem", 10, hand=one), _but(type(None), int), "hand"),
    ("endgame blinds", lambda one: endgame("holdem", "3", blinds=one), WRONG, "blinds"),
    ("endgame chips", lambda one: endgame("holdem", one), NOT_NUMBERS[2:], "chips"),
    ("price stacks", lambda one: price(find_rule("sage", "holdem"), "holdem", one), (None, 1.5, "x"), "stacks"),
    ("price rule", lambda one: price(one, "holdem", (5.0,)), WRONG, "rule"),
    ("against_equilibrium", lambda one: against_equilibrium(one, "holdem", 5.0, "sb"), NO_ARRAYS, "strategy"),
    ("find_rule name", lambda one: find_rule(one, "holdem"), WRONG, "name"),
    (
        "flop_formula features",
        lambda one: headsup.flop_formula("AsKs", "QQ", features=one),
        (True, "x", 1.5),
        "features",
    ),
    ("flop_formula seconds", lambda one: headsup.flop_formula("AsKs", "QQ", seconds=one), NOT_NUMBERS, "seconds"),
    ("parse_spec text", abstraction.parse_spec, WRONG, "abstraction"),
    ("build_buckets game", lambda one: abstraction.build_buckets(one, "3-3:ehs"), WRONG, "game"),
    ("build_buckets spec", lambda one: abstraction.build_buckets(_small(), one), WRONG, "spec"),
    ("Spec counts", abstraction.Spec, WRONG, "counts"),
    ("chances sizes", lambda one: abstraction.chances(0.5, one), NO_ARRAYS, "sizes"),
    ("Forced strategy", lambda one: abstraction.Forced(_small(), one), WRONG, "strategy"),
    ("Translated game", lambda one: abstraction.Translated(one, _small(), Uniform(_small())), WRONG, "game"),
    ("merge real", lambda one: abstraction.merge(one, suit_blind), WRONG, "real"),
    ("Match first", lambda one: _match(first=one), WRONG, "first"),
    ("Match game", lambda one: _match(game=one), WRONG, "game"),
    ("Match hands", lambda one: _match(hands=one), WRONG, "hands"),
    ("Match stack", lambda one: _match(stack=one), NOT_NUMBERS[1:], "stack"),
    ("Match duplicate", lambda one: _match(duplicate=one), _but(bool), "duplicate"),
    ("Match log", lambda one: _match(log=one), _but(bool), "log"),
    ("play match", play_match, WRONG, "match"),
    ("play folder", lambda one: play_match(_match(), one), _but(type(None)), "folder"),
    ("play jobs", lambda one: play_match(_match(), jobs=one), _but(int, bool), "jobs"),
    ("play_league agents", lambda one: play.play_league(one, _match()), WRONG, "agent"),
    ("play_league match", lambda one: play.play_league(["caller", "random"], one), WRONG, "match"),
    ("make_agent text", lambda one: play.make_agent(one, table("holdem-nolimit")), WRONG, "text"),
    ("make_agent table", lambda one: play.make_agent("caller", one), WRONG, "table"),
    ("table blinds", lambda one: table("holdem-nolimit", 10, blinds=one), _but(type(None)), "blind"),
    ("replay_log path", replay_log, WRONG, "path"),
    ("review hands", review, _but(list), "hands"),
    ("rank_hands check", lambda one: headsup.rank_hands([[1, 2]], check=one), _but(bool), "check"),
    (
        "omaha_high check",
        lambda one: evaluate.omaha_high([[1, 2, 3, 4]], [[5, 6, 7, 8, 9]], check=one),
        _but(bool),
        "check",
    ),
    ("review spots", lambda one: review([], one), WRONG_ROWS, "spots"),
    ("HandsDeck decisions", lambda one: HandsDeck(one, "x"), WRONG_ROWS, "decisions"),
    ("train_at_terminal deck", lambda one: train_at_terminal(one, 1, 1), WRONG, "deck"),
    ("Referee agents", Referee, WRONG, "agents"),
    ("reaches score", lambda one: find_rule("sage", "holdem").reaches(one, 1.0), NO_REALS, "score"),
    ("reaches threshold", lambda one: find_rule("sage", "holdem").reaches(1.0, one), NO_REALS, "threshold"),
    ("compare first", lambda one: compare(one, one), WRONG, "first"),
    ("shipped_cards game", shipped_cards, WRONG, "game"),
    ("solve buckets store", lambda one: solve(_small(), buckets="3-3:ehs", store=one), WRONG, "store"),
    ("solve buckets threads", lambda one: solve(_small(), buckets="3-3:ehs", threads=one), _but(type(None)), "threads"),
    ("solve threads", lambda one: solve(_small(), threads=one), _but(type(None)), "threads"),
    ("GAMES kuhn ranks", lambda one: games.GAMES["kuhn"](ranks=one), WRONG, "ranks"),
    ("GAMES leduc merged", lambda one: games.GAMES["leduc"](merged=one), _but(bool), "merged"),
    ("GAMES preflop stack", lambda one: games.GAMES["preflop"](stack=one), NOT_NUMBERS, "stack"),
    ("Betting pot", lambda one: games.Betting((0,), (9, 9), pot=one), WRONG, "pot"),
    ("Range.without dead_mask", headsup.parse_range("AA").without, (*WRONG, 1 << 64), "dead_mask"),
    ("Table draws", lambda one: replace(table("holdem-nolimit"), draws=one), (*WRONG_ROWS, (4,)), "draws"),
    ("ArrayStrategy policy", _array_strategy, (complex, object, "U3"), "strategy of player 0"),
    ("measure arrays", lambda one: measure(_limit(), _arrays(one)), (complex, object, "U3"), "strategy of player 0"),
    ("deal_out hands", lambda one: deal_out(_small(), Uniform(_small()), one), WRONG, "hands"),
]


@pytest.mark.parametrize(("call", "values", "message"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_wrong_argument_is_one_sentence(call: Callable[[Any], Any], values: tuple[Any, ...], message: str) -> None:
    assert values
    for number, value in enumerate(values):
        try:
            answer = call(value)
        except UserError as error:
            sentence = str(error)
            assert re.search(message, sentence, re.IGNORECASE), f"value {number} gets: {sentence}"
            assert "\n" not in sentence, f"value {number} gets: {sentence}"
            assert len(sentence) < 400, f"value {number} gets: {sentence}"
        except Exception as error:
            pytest.fail(f"value {number} ends in {type(error).__name__}: {error}")
        else:
            pytest.fail(f"value {number} is taken: {type(answer).__name__}")


def test_numbers_of_numpy_are_kept_as_json_writes_them() -> None:
    match = _match(hands=np.int64(5), seed=np.uint8(3), stack=np.float32(20), log=np.bool_(True), seconds=np.float64(2))
    assert (
        json.loads(json.dumps(match.arguments()))
        == _match(hands=5, seed=3, stack=20.0, log=True, seconds=2.0).arguments()
    )


def test_a_door_checks_by_place_and_by_name() -> None:
    @door(text=as_text, often=between(1, 9), kind=of_kind(int, str))
    def call(text: str, often: int = 1, kind: int | str | None = None) -> tuple[str, int, int | str | None]:
        """Said once."""
        return text, often, kind

    assert call("x") == ("x", 1, None)
    assert call("x", np.int8(3), kind=None) == ("x", 3, None)
    assert call.__doc__ == "Said once."
    with pytest.raises(UserError, match="often must be from 1 to 9, not 10"):
        call("x", 10)
    with pytest.raises(UserError, match="kind must be a whole number or text, not"):
        call("x", kind=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="missing"):
        call()  # type: ignore[call-arg]


def test_what_checks_take() -> None:
    assert as_truth(np.bool_(False), "x") is False
    assert as_list(np.zeros(2), "x").tolist() == [0, 0]
    assert as_numbers([1, 2.5], "x").tolist() == [1, 2.5]
    for check, wrong in ((as_list, "ab"), (as_list, np.array(1)), (as_path, ""), (as_path, "a\0b"), (as_truth, 1)):
        with pytest.raises(UserError, match="x must be"):
            check(wrong, "x")
