"""Training decks: questions drawn at random, or made again from their keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import TYPE_CHECKING, Protocol

import numpy as np

from headsup.cards.cards import cards_name, parse_cards
from headsup.cards.classes import holdem_class_name, holdem_class_reps, omaha_class_reps
from headsup.cards.games import GAME_NAMES, check_game
from headsup.common.checks import as_text, door, each, finite, of_kind, whole
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.betting.stakes import CHIPS, SEAT_NAMES, SEATS
from headsup.jamfold.answer import JamFoldAnswer, answer
from headsup.jamfold.hands import class_name, class_sizes, parse_class
from headsup.play.coach.judges import known_from
from headsup.play.coach.questions import BB, POINTS, POT, TrainingQuestion
from headsup.play.coach.reference import CLOSEST, EXACT, SOLVED, ActionChoice, ReferenceAnswer
from headsup.play.coach.review import Decision
from headsup.preflop.shipped import shipped_preflop
from headsup.preflop.view import PreflopView, node_after
from headsup.spots.solve import SpotSolution
from headsup.spots.view import SpotView

if TYPE_CHECKING:
    from headsup.distil.formulas.formula import Formula

CLOSE = 0.3  # big blinds between the two choices of a close hand
FEATURES = 5  # of the flop formulas that are asked about, or nearest to that
WITHIN = 3.0  # percentage points: equity estimates this close count as correct


class QuestionDeck(Protocol):
    name: str  # unique

    def draw(self, random: Random) -> str:
        """The key of a random question."""

    def question(self, key: str) -> TrainingQuestion:
        """The question of a key; UserError if the deck has none."""


def _checked(seat: str, epsilon: float) -> tuple[str, float]:
    """The seat asked about, and the loss that counts as correct."""
    if seat not in (*SEATS, "both"):
        raise UserError(f"'{seat}' is not a seat: choose sb, bb or both")
    if not 0.0 <= finite(epsilon, "the accepted loss") <= 1.0:
        raise UserError(f"the accepted loss must be 0 to 1 big blinds, not {epsilon:g}")
    return seat, epsilon


class JamFoldDeck:
    """Jam or fold at a stack; keys are `sb K7o`."""

    @door(game=as_text, seat=as_text)
    def __init__(self, game: str = "holdem", stack: float = 10.0, seat: str = "both", epsilon: float = 0.01) -> None:
        self.seat, self.epsilon = _checked(seat, epsilon)
        self.game, self.stack = check_game(game), finite(stack, "the stack")
        self.name = f"jamfold {game} {stack:g} {seat}"

    @cached_property
    def equilibrium(self) -> JamFoldAnswer:
        return answer(self.game, self.stack)

    def draw(self, random: Random) -> str:
        seat = random.choice(SEATS) if self.seat == "both" else self.seat
        weights = class_sizes(self.game)[: len(self.equilibrium.jam)].astype(np.float64)
        if random.random() < 0.5:
            near = np.abs(self.equilibrium.ev(seat) - self.equilibrium.ev_fold(seat)) <= CLOSE
            weights = weights * near if near.any() else weights
        sums = np.cumsum(weights)
        hand = int(np.searchsorted(sums, random.random() * sums[-1], side="right"))
        return f"{seat} {class_name(self.game, hand)}"

    def question(self, key: str) -> TrainingQuestion:
        seat, _, name = key.partition(" ")
        if seat not in SEATS:
            raise UserError(f"'{key[:40]}' is not a jam-or-fold question")
        hand = parse_class(self.game, name)
        reps = holdem_class_reps() if self.game == "holdem" else omaha_class_reps()
        known = known_from(self.equilibrium, seat, hand, self.stack)
        first = "You are first to act in the small blind: jam or fold?"
        ask = first if seat == "sb" else "You are in the big blind, and the small blind jams: call or fold?"
        facts = (
            ("game", GAME_NAMES[self.game]),
            ("stack", f"{self.stack:g} bb"),
            ("hand", class_name(self.game, hand)),
        )
        cards = cards_name(reps[hand].tolist()[::-1])
        why = (known.note[0].upper() + known.note[1:] + ".",) if known.note else ()
        return TrainingQuestion(key, ask, cards, "", facts, known, epsilon=self.epsilon, why=why)


class PreflopDeck:
    """Decisions before the flop by the shipped chart of a stack; keys are `raise 2, all-in | K7o`."""

    @door(stack=finite, seat=as_text, epsilon=finite)
    def __init__(self, stack: float = 10.0, seat: str = "both", epsilon: float = CLOSEST) -> None:
        self.seat, self.epsilon = _checked(seat, epsilon)
        self.chart = shipped_preflop(stack)
        self.name = f"preflop {self.chart.stack:g} {seat}"
        self.lines = {line: player for player, line in self.chart.lines}
        self.at = lru_cache(maxsize=64)(self.chart.at)

    def draw(self, random: Random) -> str:
        """Follow the chart and stop at each decision of the seat with probability 1/2; then draw a hand."""
        while True:
            line = ""
            while line in self.lines:
                view = self.at(line)
                if self.seat in ("both", view.player) and random.random() < 0.5:
                    return f"{line} | {holdem_class_name(self.hand(view, random))}"
                line = self.act(line, random)

    def act(self, line: str, random: Random) -> str:
        """The line after an action that the chart draws."""
        view = self.at(line)
        return self.after(line, random.choices(view.actions, [*view.totals.values()])[0])

    @staticmethod
    def after(line: str, action: str) -> str:
        """The line after one more action."""
        word = re.sub(r"(all-in) .*", r"\1", action)
        return f"{line}, {word}" if line else word

    def hand(self, view: PreflopView, random: Random) -> int:
        """A hand by its weight; every other time one whose two best actions are close."""
        weights = view.weights
        if random.random() < 0.5:
            best = np.sort(view.ev, axis=0)
            near = np.where(best[-1] - best[-2] <= CLOSE, weights, 0.0)
            weights = near if near.any() else weights
        return random.choices(range(len(weights)), weights.tolist())[0]

    def question(self, key: str) -> TrainingQuestion:
        line, _, name = (part.strip() for part in key.partition("|"))
        if line not in self.lines:
            raise UserError(f"'{line[:40]}' is not a decision of this chart: choose another question")
        view, hand, betting = self.at(line), parse_class("holdem", name), self.chart.setting.betting
        paid = betting.paid[node_after(betting, line)] / CHIPS
        seat = SEATS.index(view.player)
        choices = tuple(
            ActionChoice(action, float(view.frequencies[i, hand]), round(float(view.ev[i, hand] + paid[seat]), 4))
            for i, action in enumerate(view.actions)
        )
        if any(choice.value != choice.value for choice in choices):
            raise UserError("no hand gets there: choose another question")
        facts = (
            ("stack", f"{self.chart.stack:g} bb"),
            ("pot", f"{paid.sum():g} bb"),
            ("to call", f"{paid[1 - seat] - paid[seat]:g} bb"),
            ("so far", line or "nothing"),
            ("hand", class_name("holdem", hand)),
        )
        source = f"the chart for {self.chart.stack:g} bb, {self.chart.exploitability_text}"
        cards = cards_name(holdem_class_reps()[hand].tolist()[::-1])
        ask = f"You are in the {SEAT_NAMES[view.player]}: what do you do?"
        known = ReferenceAnswer(source, SOLVED, choices)
        return TrainingQuestion(key, ask, cards, "", facts, known, epsilon=self.epsilon)


class SpotDeck:
    """Decisions of a solved spot; keys are `check, bet 94 | AsKh`."""

    @door(solution=of_kind(SpotSolution), name=as_text)
    def __init__(self, solution: SpotSolution, name: str) -> None:
        self.solution, self.name = solution, f"spot {name}"
        self.at = lru_cache(maxsize=64)(solution.at)

    def draw(self, random: Random) -> str:
        """Follow the solution with both ranges and stop at each decision with probability 1/2; then draw a hand by
        its weight.
        """
        while True:
            line: list[str] = []
            while (view := self.decision(line, random)) is not None:
                if random.random() < 0.5:
                    hand = random.choices(view.hands, view.weights.tolist())[0]
                    return f"{', '.join(line)} | {hand}"
                line.append(random.choices(view.actions, view.totals["frequencies"])[0])

    def decision(self, line: list[str], random: Random) -> SpotView | None:
        """The decision after a line, with cards added where they are dealt; None where the hand is over."""
        tree = self.solution.game.betting
        actions = [word for word in line if not re.fullmatch(r"[2-9TJQKA][cdhs]", word)]
        node = tree.find(", ".join(actions))
        if tree.player[node] > DEAL or (tree.player[node] == DEAL and tree.player[tree.child[node]] >= DEAL):
            return None
        if tree.player[node] == DEAL:
            came = [word for word in line if word not in actions]
            known = {*self.solution.spot.cards, *parse_cards(self.solution.spot.dead), *parse_cards("".join(came))}
            line.append(cards_name([random.choice([card for card in range(52) if card not in known])]))
        view = self.at(", ".join(line))
        return view if float(view.weights.sum()) > 0.0 else None

    def question(self, key: str) -> TrainingQuestion:
        line, _, hand = (part.strip() for part in key.partition("|"))
        view = self.at(line)
        if hand not in view.hands:
            raise UserError(f"'{hand[:10]}' is not in the range there: choose another question")
        at, pot = view.hands.index(hand), self.solution.spot.pot
        scale = 100.0 / pot
        choices = tuple(
            ActionChoice(name, float(view.frequencies[i, at]), round(float(view.ev[i, at]) * scale, 3))
            for i, name in enumerate(view.actions)
        )
        if any(choice.value != choice.value for choice in choices):
            raise UserError("no hand gets there: choose another question")
        reached = f"the spot, {self.solution.accuracy}"
        player = "Out of position" if view.player == "oop" else "In position"
        facts = (
            *([] if self.solution.is_solved else [("caution", self.solution.accuracy)]),
            ("pot", f"{view.pot:,}"),
            ("stack", f"{min(self.solution.spot.rules.stacks):,} at the start"),
            ("so far", line or "nothing"),
            ("you have", view.kinds.words(at)),
        )
        epsilon = max(0.5, 100 * self.solution.reached_pot)
        known = ReferenceAnswer(reached, SOLVED, choices)
        return TrainingQuestion(
            key, f"{player}: what do you do?", hand, view.board, facts, known, unit=POT, epsilon=epsilon
        )


class HandsDeck:
    """Decisions of played hands; keys are hand and step, `17.3`."""

    @door(decisions=each(of_kind(Decision)), name=as_text)
    def __init__(self, decisions: Sequence[Decision], name: str) -> None:
        self.name = f"hands {name}"
        self.decisions = {
            f"{decision.hand}.{decision.step}": decision for decision in decisions if decision.lost is not None
        }
        if not self.decisions:
            raise UserError("these hands have no decision with known values: import others")

    def draw(self, random: Random) -> str:
        """Decisions with a loss come twice as often."""
        keys = list(self.decisions)
        return random.choices(keys, [2.0 if (self.decisions[key].lost or 0.0) > 0.01 else 1.0 for key in keys])[0]

    def question(self, key: str) -> TrainingQuestion:
        if key not in self.decisions:
            raise UserError(f"'{key[:40]}' is not a decision of these hands: choose another question")
        decision = self.decisions[key]
        facts = (
            ("you are", decision.seat),
            ("pot", f"{decision.pot:g} bb"),
            ("to call", f"{decision.owed:g} bb"),
            ("behind", f"{decision.behind:g} bb"),
            ("so far", decision.before_words or "nothing"),
        )
        did = f"In {decision.label}, {decision.player or decision.seat} chose: {decision.did}."
        note = (f"{decision.known.note[0].upper()}{decision.known.note[1:]}.",) if decision.known.note else ()
        epsilon = 0.01 if decision.known.kind == EXACT else CLOSEST
        ask = f"{decision.street.capitalize()}: what do you do?"
        return TrainingQuestion(
            key, ask, decision.cards, decision.board, facts, decision.known, unit=BB, epsilon=epsilon, why=(did, *note)
        )


class FlopDeck:
    """A hand's equity on a flop, to estimate; keys are flops, `Ks7d2c`."""

    @door(villain=as_text)
    def __init__(self, hand: str = "AKs", villain: str = "RS") -> None:
        from headsup.distil.formulas.shipped import shipped_for

        there = shipped_for(hand, villain)
        if not there:
            raise UserError(f"no formula of {hand[:10]} against {villain[:20]} ships: choose AA, AKs .. and RUS .. ATC")
        size = min(there, key=lambda size: (abs(size - FEATURES), size))
        self.hand, self.villain, self.outcome = hand, villain, there[size].outcome
        self.name = f"flops {hand} {villain} {size}"

    @cached_property
    def formula(self) -> Formula:
        """The formula, with all flops counted."""
        from headsup.distil.formulas.formula import measured, one_hand
        from headsup.distil.formulas.problem import problem

        return measured(self.hand, problem(one_hand(self.hand), self.villain), self.outcome)

    def draw(self, random: Random) -> str:
        of = self.formula.problem
        return cards_name(of.flops[random.randrange(len(of.flops))].tolist())

    def question(self, key: str) -> TrainingQuestion:
        from headsup.distil.formulas.features import feature_matrix

        flop = parse_cards(key)
        of = self.formula.problem
        same = np.flatnonzero((np.sort(of.flops, axis=1) == np.sort(np.array(flop, dtype=np.uint8))).all(axis=1))
        if len(flop) != 3 or not len(same):
            raise UserError(f"'{key[:40]}' is not a flop for {of.hand}: choose another question")
        equity, estimate = float(of.flop_equity[same[0]]), self.formula.estimate(key)
        seen = feature_matrix(parse_cards(of.hand), np.array([flop], dtype=np.uint8))[0]
        lines = [f"{100 * term.weight:+.1f}  {term.text}" for term in self.formula.terms if seen[int(term.id[1:]) - 1]]
        why = (*lines, f"The formula gives {100 * estimate:.1f} %; the exact equity is {100 * equity:.2f} %.")
        facts = (("hand", self.hand), ("against", self.villain))
        ask = "What is your equity on this flop, in percent?"
        return TrainingQuestion(key, ask, of.hand, key, facts, None, round(100 * equity, 4), POINTS, WITHIN, why)


class CardDeck:
    """The points of a hand by a rule card, to add up; keys are `sb 8 K7o`."""

    @door(game=as_text, lines=whole)
    def __init__(self, game: str = "holdem", lines: int | None = None) -> None:
        from headsup.distil.scorecards.rule import card_rule
        from headsup.distil.shipped import LINES, shipped_card

        if game not in ("holdem", "omaha8"):
            raise UserError("cards are for holdem and omaha8: choose one of them")
        record = shipped_card(game, LINES if lines is None else lines, row=True)
        self.game, self.rule, self.record = game, card_rule(record), record
        self.name = f"card {game} {record.lines}"

    def draw(self, random: Random) -> str:
        sums = np.cumsum(class_sizes(self.game))
        hand = int(np.searchsorted(sums, random.randrange(int(sums[-1])), side="right"))
        stack = random.randint(1, int(self.rule.max_stack))
        return f"{random.choice(SEATS)} {stack} {class_name(self.game, hand)}"

    def question(self, key: str) -> TrainingQuestion:
        from headsup.distil.rules.coach import counted_lines, needed_text, view, view_text

        seat, stack, name = (*key.split(" "), "", "")[:3]
        if seat not in SEATS or not (
            stack.isascii() and stack.isdigit() and 1 <= int(stack[:4]) <= self.rule.max_stack
        ):
            raise UserError(f"'{key[:40]}' is not a rule card question")
        hand = parse_class(self.game, name)
        advice = self.rule.advise(hand, float(stack), seat)
        reps = holdem_class_reps() if self.game == "holdem" else omaha_class_reps()
        play = f"{advice.action.capitalize()}: {needed_text(advice)}."
        seats = {"sb": "small blind, first in", "bb": "big blind, facing a jam"}
        facts = (("card", self.rule.title), ("seat", seats[seat]), ("stack", f"{stack} bb"), ("hand", name))
        why = (*counted_lines(advice), play, view_text(advice, view(advice)))
        cards = cards_name(reps[hand].tolist()[::-1])
        ask = "How many points does the card give this hand?"
        return TrainingQuestion(key, ask, cards, "", facts, None, advice.score, POINTS, 0.0, why)
