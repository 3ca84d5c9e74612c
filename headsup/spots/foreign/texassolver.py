"""Input scripts of TexasSolver.

TexasSolver builds its tree from percentages of the pot: for each street and player those of bets, raises and donk bets,
and whether all-in is added. With `committed` half the starting pot and what the player has paid since, and `gap` what a
call costs:

    amount     gap + round(percentage * pot after the call), all-in at most
    all-in     instead, where amount + committed > threshold * (stack + half the starting pot)
    dropped    an amount below twice the gap, even if it is all-in; bets and raises after the fourth of a street

A spot is written if some percentages give its tree, apart from bets that TexasSolver drops. They are found from the
bets of the tree, so the spot's menu may be written in any other way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil
from typing import NamedTuple

import numpy as np

from headsup.cards.cards import mask_of
from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import holdem_combos
from headsup.cards.ranges import Range, parse_range
from headsup.cards.ranges.formats import write_range
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Betting, Move, State
from headsup.games.holdem.spot import MENUS, Spot
from headsup.spots.foreign.written import Written
from headsup.spots.upi.lines import Line, line_text, lines_offered
from headsup.spots.upi.numbers import read_number
from headsup.spots.upi.settings import UpiSettings, read_seat

SEATS = ("oop", "ip")
KINDS = ("bet", "raise", "donk")
MOST_BETS = 4  # on a street
USUAL_THRESHOLD = 0.67
STEPS = (50.0, 25.0, 10.0, 5.0, 1.0, 0.5, 0.1, 0.01, 0.001, 0.0001)  # of percentages, the roundest first
ALL_IN = 1_000_000.0  # percent of any pot
LEAST_POT = 3  # TexasSolver takes smaller pots for blinds


class SizesPlace(NamedTuple):
    """Where a list of percentages holds."""

    street: str
    seat: int
    kind: str


class CountedDecision(NamedTuple):
    """A decision as TexasSolver counts it."""

    place: SizesPlace
    pot: int  # after a call
    gap: int
    behind: int
    committed: float

    def amount(self, percent: float) -> int:
        share = float(np.float32(percent)) / 100.0
        return min(self.gap + int(share * self.pot + 0.5), self.behind)

    def takes(self, amount: int) -> bool:
        return amount > self.gap and amount >= 2 * self.gap


@dataclass(frozen=True)
class BetSizes:
    """What `set_bet_sizes` and `set_allin_threshold` set."""

    percents: dict[SizesPlace, tuple[float, ...]] = field(default_factory=dict)
    all_in: set[tuple[str, int]] = field(default_factory=set)  # streets and seats where it is added
    threshold: float = USUAL_THRESHOLD

    def offered(self, rules: Betting) -> Callable[[State], Sequence[int]]:
        """The totals that TexasSolver offers, ascending."""
        if rules.pot < LEAST_POT:
            raise UserError("TexasSolver takes a pot of one or two chips for blinds: multiply all chips by 10")
        limit = self.limit(rules)

        def totals(state: State) -> Sequence[int]:
            if rules.bounds(state) is None or state.bets >= MOST_BETS:
                return ()
            here = decision(rules, state)
            amounts = set(self.amounts(here, limit))
            paid = state.paid[state.player] - state.start[state.player]
            return sorted(paid + amount for amount in amounts if here.takes(amount))

        return totals

    def limit(self, rules: Betting) -> float:
        """What a player may have committed without being all-in."""
        return float(np.float32(_whole_stack(rules)) * np.float32(self.threshold))

    def amounts(self, here: CountedDecision, limit: float) -> Iterator[int]:
        for percent in self.percents.get(here.place, ()):
            amount = here.amount(percent)
            yield here.behind if amount + here.committed > limit else amount
        if here.place[:2] in self.all_in:
            yield here.behind


def decision(rules: Betting, state: State) -> CountedDecision:
    me = state.player
    gap, behind = rules.owed(state), rules.stacks[me] - state.paid[me]
    is_donk = me == 0 and state.street > 0 and not state.acted and state.called == me
    kind = "raise" if gap else "donk" if is_donk else "bet"
    place = SizesPlace(rules.street_names[state.street], me, kind)
    return CountedDecision(place, rules.pot_after_call(state), gap, behind, rules.pot / 2 + state.paid[me])


def _whole_stack(rules: Betting) -> float:
    return rules.stacks[0] + rules.pot / 2


# reading


def read(text: str) -> Spot:
    """The spot of a script."""
    settings, sizes, threshold = UpiSettings(), BetSizes(), USUAL_THRESHOLD
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, rest = line.partition(" ")
        words = [word.strip() for word in rest.split(",")]
        if name == "set_pot":
            settings.pot = _chips(rest, name)
        elif name == "set_effective_stack":
            settings.stack = _chips(rest, name)
        elif name == "set_board":
            settings.set_board("".join(words))
        elif name in ("set_range_oop", "set_range_ip"):
            settings.set_range(read_seat(name[len("set_range_") :]), rest.split())
        elif name == "set_allin_threshold":
            threshold = read_number(rest.strip(), name)
        elif name == "set_bet_sizes":
            _take_sizes(words, sizes)
    rules = settings.rules()
    settings.lines = lines_offered(rules, BetSizes(sizes.percents, sizes.all_in, threshold).offered(rules))
    return settings.spot()


def _take_sizes(words: list[str], sizes: BetSizes) -> None:
    """`oop,flop,bet,50` or `ip,river,allin`; later sizes replace earlier ones."""
    if len(words) < 3 or words[0] not in SEATS or words[1] not in MENUS:
        raise UserError(f"set_bet_sizes: write oop or ip, a street, and bet, raise, donk or allin, not {quoted(words)}")
    street, seat = words[1], SEATS.index(words[0])
    if words[2] == "allin":
        sizes.all_in.add((street, seat))
    elif words[2] in KINDS:
        percents = tuple(read_number(word, "set_bet_sizes") for word in words[3:])
        if not all(0.0 < percent <= ALL_IN for percent in percents):
            raise UserError(f"set_bet_sizes: sizes are above 0 % and at most {ALL_IN:,.0f} % of the pot")
        sizes.percents[SizesPlace(street, seat, words[2])] = percents
    else:
        raise UserError(f"set_bet_sizes: sizes are for bet, raise, donk or allin, not {quoted(words[2])}")


def _chips(text: str, what: str) -> int:
    chips = read_number(text.strip(), what)
    if chips != int(chips) or chips < 1:
        raise UserError(
            f"{what}: {quoted(text.strip())} is not a whole number of chips: multiply all chips by 10 or 100"
        )
    return int(chips)


# writing


def write(spot: Spot) -> Written:
    """The commands up to `build_tree`."""
    if spot.rake:
        raise UserError("TexasSolver has no rake: leave it out of the spot")
    walked = _walk(spot.tree)
    sizes = _sizes_of(spot.rules, walked)
    cards = [spot.board[at : at + 2] for at in range(0, len(spot.board), 2)]
    lines = [f"set_pot {spot.pot}", f"set_effective_stack {spot.stacks[0]}", f"set_board {','.join(cards)}"]
    for name, text in (("ip", spot.ip), ("oop", spot.oop)):
        lines.append(
            f"set_range_{name} {write_range(_by_class(parse_range(text), mask_of(spot.cards)), 'texassolver')}"
        )
    for seat, street in product((0, 1), spot.streets):
        for kind in KINDS:
            if percents := sizes.percents.get(SizesPlace(street, seat, kind)):
                numbers = ",".join(f"{percent:.10g}" for percent in percents)
                lines.append(f"set_bet_sizes {SEATS[seat]},{street},{kind},{numbers}")
        if (street, seat) in sizes.all_in:
            lines.append(f"set_bet_sizes {SEATS[seat]},{street},allin")
    note = ""
    if walked.left_out:
        example = line_text(spot.rules, min(walked.left_out, key=lambda line: (len(line), line)))
        bets = f"{len(walked.left_out):,} bets" if len(walked.left_out) > 1 else "a bet"
        note = (
            f"TexasSolver never has {bets} of this tree, such as '{example}': it makes no all-in raise of less than a "
            f"minimum raise and at most {MOST_BETS} bets on a street"
        )
    return Written("\n".join([*lines, f"set_allin_threshold {sizes.threshold:.10g}", "build_tree", ""]), note)


def _by_class(hands: Range, board: int) -> Range:
    """The range with the weight of its class for hands that the board makes impossible."""
    weights, kind = hands.weights.copy(), holdem_class_of_combo()
    blocked = np.array([bool(board & mask_of(combo)) for combo in holdem_combos().tolist()])
    for number in np.unique(kind[blocked]):
        possible = (kind == number) & ~blocked
        if possible.any():
            weights[(kind == number) & blocked] = weights[possible][0]
    return Range("holdem", weights)


def _sizes_of(rules: Betting, walked: Walked) -> BetSizes:
    """Percentages that give the lines of a tree."""
    seen = walked.seen
    percents = {place: _percents(places) for place, places in _grouped(seen).items()}
    committed = [here.committed + chips for here, amounts in seen for chips in amounts if chips < here.behind]
    least = ceil(1e4 * max(committed, default=0.0) / _whole_stack(rules)) / 1e4
    attempts = list[set[Line]]()
    for threshold in (1.0, USUAL_THRESHOLD, least):
        sizes = _with_all_in(rules, seen, BetSizes(percents, set(), threshold))
        differing = walked.lines ^ {edit.line for edit in lines_offered(rules, sizes.offered(rules))}
        if not differing:
            return sizes
        attempts.append(differing)
    nearest = min(attempts, key=len)
    first = min(nearest, key=lambda line: (len(line), line))
    raise UserError(
        "TexasSolver offers the same percentages of the pot wherever a player bets on a street: "
        f"'{line_text(rules, first)}' would be {'missing' if first in walked.lines else 'added'}; "
        "write this tree for pio or wasm-postflop"
    )


SeenBets = tuple[CountedDecision, frozenset[int]]  # a decision and the amounts that are bet there


@dataclass(frozen=True)
class Walked:
    """The decisions of a tree that TexasSolver can have, its bets, and the bets that it never offers."""

    seen: list[SeenBets] = field(default_factory=list)
    lines: set[Line] = field(default_factory=set)
    left_out: list[Line] = field(default_factory=list)


def _walk(tree: BettingTree) -> Walked:
    rules, walked = tree.rules, Walked()
    waiting: list[tuple[int, State, Line]] = [(0, rules.root(), ())]
    while waiting:
        node, state, line = waiting.pop()
        while state.player == DEAL:
            node, state = int(tree.child[node]), rules.next_street(state)
        if state.player > DEAL:
            continue
        children = tree.children(node)
        totals = [int(tree.amount[child]) for child in children if tree.kind[child] >= Move.BET]
        moves = rules.moves(state, totals)
        if len(moves) != len(children):
            raise UserError("TexasSolver offers every check and call: leave lines that are taken away out of the menu")
        here, amounts = decision(rules, state), set[int]()
        for child, (move, _, after) in zip(children, moves, strict=True):
            amount, longer = after.paid[state.player] - state.paid[state.player], (*line, after.paid[state.player])
            if move >= Move.BET:
                if state.bets >= MOST_BETS or not here.takes(amount):
                    walked.left_out.append(longer)
                    continue
                amounts.add(amount)
                walked.lines.add(longer)
            waiting.append((child, after, longer))
        if rules.bounds(state) is not None and state.bets < MOST_BETS:
            walked.seen.append((here, frozenset(amounts)))
    return walked


def _grouped(seen: Iterable[SeenBets]) -> Mapping[SizesPlace, list[SeenBets]]:
    groups = defaultdict(list)
    for here, amounts in seen:
        groups[here.place].append((here, amounts))
    return groups


def _percents(seen: Iterable[SeenBets]) -> tuple[float, ...]:
    """The fewest percentages, ascending, that round to all bets that are not all-in."""
    limits = []
    for here, amounts in seen:
        for chips in (amount - here.gap for amount in amounts if amount < here.behind):
            limits.append((100.0 * (chips + 0.5) / here.pot, 100.0 * (chips - 0.5) / here.pot))
    percents, low, high = list[float](), 0.0, 0.0
    for above, least in sorted(limits):
        if least >= high:  # it shares no percentage with those before
            percents += [_roundest(low, high)] if high else []
            low, high = least, above
        low = max(low, least)
    percents += [_roundest(low, high)] if high else []
    return tuple(percents)


def _roundest(low: float, high: float) -> float:
    for step in STEPS:
        percent = round(ceil(low / step) * step, 6)
        if low <= percent < high and percent > 0.0:
            return percent
    return (low + high) / 2.0


def _with_all_in(rules: Betting, seen: Sequence[SeenBets], sizes: BetSizes) -> BetSizes:
    """All-in added where the percentages do not lead to it."""
    limit = sizes.limit(rules)
    missing = {
        here.place for here, amounts in seen if here.behind in amounts and here.behind not in sizes.amounts(here, limit)
    }
    percents, all_in = dict(sizes.percents), set[tuple[str, int]]()
    can = {here.place for here, _ in seen if here.takes(here.behind)}
    for place in missing:
        if all(other in missing for other in can if other[:2] == place[:2]):
            all_in.add((place.street, place.seat))
        else:  # only for bets, raises or donk bets
            percents[place] = (*percents[place], ALL_IN)
    return BetSizes(percents, all_in, sizes.threshold)
