"""No-limit hold'em from a blueprint, with later streets re-solved at the table.

1. Before the flop the blueprint plays; off-menu bets are translated (`headsup.play.agents.strategy`), with deep stacks
   to both near sizes. Both ranges follow from the actions and the blueprint's probabilities. A chart with more sizes
   may play before the flop (`headsup.nolimit.opening`): reviews ask for it, and the agents below do not. The flop is
   solved from both ranges: depth-limited, with the blueprint's values where its betting ends. Where a GPU is present
   all of it is solved: that is how the equilibria before the flop were measured.
2. On the turn the rest of the hand is solved on the real cards without buckets. A gadget keeps every likely hand of the
   opponent from earning more than its best response to the blueprint (`headsup.solve.holdem.resolve`).
3. A later bet that is not in the tree is added, and what follows is solved again, with each of the opponent's hands
   worth at least what it was before that bet; only hands that gain by the bet make it. A flop, which has no gadget, is
   solved again from its start. An opening bet of the street is in the tree from the start.
4. The river is solved the same way, with more bets and from the turn's solution.

Play depends only on the public actions and cards: each solution takes as many iterations as a fixed amount of work
allows, so play is reproducible and can be measured. Only with a time limit per move (`Player.seconds`) does a slow
machine do fewer iterations.

    nolimit              the shipped blueprint for the stack nearest to the table's, from 5 to 250 big blinds
    nolimit:FILE         another one, from `headsup solve --buckets .. --save FILE`
    nolimit:blueprint    without re-solving
    nolimit:unsafe       re-solved from the ranges alone, without the gadget
    nolimit:cpu          the flop from the blueprint
    nolimit:flop         the flop solved depth-limited also where a GPU is present
"""

from __future__ import annotations

import math
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from headsup.abstraction.bets.sizes import Sizes
from headsup.cards.boards import BoardTree
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import Floats
from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import decisions_below, street_tree
from headsup.games.betting.rules import DEAL, FLOP, RIVER, TURN, Betting, Move, State
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import Strategy, VectorGame, holdem_game
from headsup.limit.shipped import board_by_board
from headsup.nolimit.opening import Opening
from headsup.play.agents.resolver import KEPT_FLOPS, Resolver, keep_last
from headsup.play.agents.strategy import StrategyPlayer
from headsup.play.agents.subgame import (
    OnRealCards,
    Source,
    Subgame,
    SubgameTask,
    alternative_below,
    pruned,
    rules_from,
    tree_with,
)
from headsup.play.table.agent import ActionProbabilities, Agent, maker
from headsup.play.table.real import free_of
from headsup.play.table.rules import (
    BOARD,
    CALLS,
    FOLDS,
    Action,
    Legal,
    PastAction,
    PlayerView,
    Table,
    apply,
    states_before,
)

if TYPE_CHECKING:
    from headsup.nolimit.leaves import LeafMemory, LeafValues, RunOuts

TURN_MENU, RIVER_MENU = "75%; 100%; none | river 75%; none | add 200%", "33%, 75%, 150%, 300%, a; 100%, a; a"
MENUS = {FLOP: "75%, a; a", TURN: TURN_MENU, RIVER: RIVER_MENU}
"""Bet menus of the subgames; the opponent's real bets are added. With few iterations a bet of many pots costs both
players more than it is worth, so before the river all-in is a bet of at most two.
"""
DEEP = 25.0  # big blinds from which on the flop has other bets, and bets between two sizes are answered as both
DEEP_FLOP = "75%; 100%; none | turn 75%; none | river 75%; none | add 200%"
LIMITED_MENU, DEEP_LIMITED_MENU = (f"{flop} | turn a | river a" for flop in ("75%, a; a", "75%, a; 100%, a; a"))
"""Of a flop that is solved depth-limited: below it the blueprint's bets count, and not these."""
LIMITED_ITERATIONS = 40  # more leave the flop as exploitable (docs/nolimit.md): the values where it ends are not exact
LATER = 0.75  # seconds more than on other streets after which no iteration on such a flop starts
OPTIONS = ("blueprint", "unsafe", "cpu", "flop")
BEGIN, HAND = (1, 14, 27, 40, 49), (0, 7)  # board and hand of the warm-up solution
_READY: WeakKeyDictionary[BoardTree, set[int]] = WeakKeyDictionary()
"""By the boards of blueprints, the first street of players who have warmed up in this process."""


class BlueprintPlayer(StrategyPlayer):
    """Plays a blueprint; where the tree counts a call as all-in it jams, and it defends against small raises.

    A raise between the menu's last size and all-in may be translated as all-in. After a plain call the tree would have
    no decision left, so the agent jams instead.

    A small raise may be translated as a call, which ends the street in the tree. Then the weakest hands fold by bucket,
    as many as make a bluff break even: the call divided by the pot.

    With deep stacks a bet may be far from both near sizes of the menu. A player who `mixes` answers as to each of them,
    in the proportion of the harmonic rule. After the answer the bet counts as the likelier of them that is not all-in.
    """

    mixes = False
    opening: Opening | None = None
    """A chart that plays before the flop in a tree of its own, in place of the blueprint; None: the blueprint."""

    def sizes_on(self, street: int) -> Sizes:
        return self.sizes if street or self.opening is None else self.opening.sizes

    def rows_at(self, node: int, view: PlayerView) -> Floats:
        if view.street or self.opening is None:
            return super().rows_at(node, view)
        return self.opening.rows(node, view.board)[:, self.real.showdown.hands[view.seat]]

    def _on_street(self, node: int, street: int, later: int) -> int:
        if street == 0 < later and self.opening is not None:
            node, street = self.opening.flop(node), 1
        return super()._on_street(node, street, later)

    def _rows(self, view: PlayerView) -> tuple[list[Action], Floats] | None:
        known = self._mixed(view) if self.mixes else None
        return known or super()._rows(view) or self._against_small(view)

    def _against_small(self, view: PlayerView) -> tuple[list[Action], Floats] | None:
        """The rows against a raise that the tree reads as a call."""
        legal = view.legal
        if not legal.fold or legal.call < 0 or not isinstance(self.strategy, BucketStrategy):
            return None
        place = self.real.canonical(view.board).place
        number = self.strategy.buckets.rows(view.seat, place.street, place.number, place.number + 1)[0]
        alive = free_of(place.cards)[self.real.showdown.hands[view.seat]]
        size = np.bincount(number[alive], minlength=int(number.max()) + 1) / alive.sum()
        folded = legal.call / view.pot - (np.cumsum(size) - size)  # what the bucket still has to fold
        fold = np.clip(folded / np.where(size > 0.0, size, 1.0), 0.0, 1.0)[number]
        return [FOLDS, CALLS], np.stack([fold, 1.0 - fold])

    def _mixed(self, view: PlayerView) -> tuple[list[Action], Floats] | None:
        """The rows after an opponent's bet between two sizes of the menu, both in their proportion; else None."""
        actions, rows = list[Action](), list[Floats]()
        for node, weight in self._near(view):
            decides = self.sizes_on(view.street).tree.player[node] == view.seat
            known = self._rows_of(node, view) if decides else self._against_small(view)
            if known is None:
                return None
            actions += known[0]
            rows.append(weight * known[1])
        return (actions, np.concatenate(rows)) if rows else None

    def _after(self, node: int, real: Betting, state: State, action: Action) -> int:
        return self.likeliest(self.readings_of(node, real, state, action), self.sizes_on(state.street).tree)

    def likeliest(self, near: list[tuple[int, float]], tree: BettingTree) -> int:
        """The node as which a bet is read. A player who mixes reads only all-in so: an answer to other bets follows."""
        if self.mixes and len(near) > 1:
            near = [reading for reading in near if tree.kind[reading[0]] != Move.ALLIN]
        return max(near, key=lambda reading: reading[1])[0]

    def _near(self, view: PlayerView) -> list[tuple[int, float]]:
        """The nodes as which the opponent's last bet may be read, with their weights; none where it is one node."""
        if not view.steps or view.steps[-1].action.kind != "r" or view.steps[-1].street != view.street:
            return []
        _, node, street = self._walked(view, view.steps[:-1])
        node = self._on_street(node, street, view.street)
        if self.sizes_on(view.street).tree.player[node] != 1 - view.seat:
            return []
        *_, (step, state) = states_before(view.table, view.steps)
        near = self.readings_of(node, view.table.betting, state, step.action)
        return near if len(near) > 1 else []

    def passive(self, child: int, view: PlayerView) -> Action:
        """All-in where a call is all-in in the tree but not at the table."""
        tree, legal = self.sizes_on(view.street).tree, view.legal
        ended = tree.kind[child] == Move.CALL and int(tree.paid[child].min()) >= min(tree.rules.stacks)
        return legal.bet(legal.high) if ended and legal.low and not self.mixes else super().passive(child, view)


class ResolvingPlayer(Resolver, BlueprintPlayer):
    """Plays a blueprint and re-solves turn and river; depth-limited or with a device for it, the flop too."""

    def __init__(
        self,
        name: str,
        game: VectorGame,
        blueprint: Strategy,
        table: Table,
        safe: bool = True,
        flop_device: str | None = None,
        limited: bool = False,
    ) -> None:
        """`limited`: without a device for it, the flop is solved depth-limited."""
        BlueprintPlayer.__init__(self, name, game, blueprint, table)
        Resolver.__init__(self)
        self.safe, self.blueprint = safe, OnRealCards(game, blueprint, self.real)
        self.flop_device, self.limited = flop_device, flop_device is None and limited
        self.first = FLOP if self.limited or flop_device is not None else TURN
        deep = min(table.betting.stacks) > DEEP * table.unit
        self.menus = MENUS | {FLOP: DEEP_FLOP} if deep else MENUS
        self.limited_menu = DEEP_LIMITED_MENU if deep else LIMITED_MENU
        self._run_outs: OrderedDict[tuple[tuple[int, ...], int], RunOuts] = OrderedDict()
        self._leaf_memory: LeafMemory | None = None

    def unsolved(self, view: PlayerView) -> ActionProbabilities:
        return BlueprintPlayer.probabilities(self, view)

    def unsolved_range(self, view: PlayerView) -> dict[Action, Floats]:
        return BlueprintPlayer.range_probabilities(self, view)

    def start(self, table: Table) -> None:
        """Before the first hand of a process, solve all streets once with as few iterations as possible, so that no
        decision waits for what is loaded or built once.
        """
        ready = _READY.setdefault(self.real.tree, set())
        if self.first in ready:
            return
        ready.add(self.first)
        state, steps, odd = table.root, list[PastAction](), 2
        while state.street < RIVER or state.player == DEAL or odd:
            if state.player == DEAL:
                state = table.betting.next_street(state)
                continue
            action, legal = CALLS, Legal.of(table.betting, state)
            if state.street == RIVER:  # bets that are in no menu: what follows is solved again
                odd -= 1
                if legal.low == legal.high:
                    continue
                action = legal.bet(legal.low + 1)
            steps.append(PastAction(state.street, state.player, action))
            state = apply(table.betting, state, action)
        seconds, self.seconds = self.seconds, -math.inf
        self.probabilities(PlayerView.at(table, state, HAND, BEGIN, tuple(steps)))
        self.seconds = seconds
        for kept in (self._kept, self._flops, self._tasks, self._run_outs):
            kept.clear()

    def _from_blueprint(self, view: PlayerView, before: tuple[PastAction, ...], board: tuple[int, ...]) -> SubgameTask:
        """The first street that is solved, with the blueprint's ranges; a flop without the gadget."""
        node, reach, state = self._followed(view, before)
        rules = rules_from(view.table.betting, state)
        mine, theirs = (pruned(reach[seat], board) for seat in (view.seat, 1 - view.seat))
        alternative, tree = None, self.game.betting
        if self.safe and self.first > FLOP and tree.player[node] < DEAL and tree.street[node] == self.first:
            alternative = alternative_below(self.blueprint, node, board, view.seat, mine, rules.pot)
        return SubgameTask(view.seat, board, rules, (), mine, theirs, alternative, start=node)

    def _solve(self, task: SubgameTask) -> Subgame:
        """A flop depth-limited, where the blueprint knows it."""
        if not self.limited or len(task.board) != BOARD[FLOP]:
            return super()._solve(task)
        from headsup.nolimit.flop import solve_flop

        game, values, entries = self.limited_flop(task)
        until = None if self._until is None else self._until + LATER
        strategy, _, made = solve_flop(game, values, LIMITED_ITERATIONS, until)
        rest = task.solved(game, strategy, made, start=task.start, entries=entries)
        self._note_flop(rest, values)
        return rest

    def _note_flop(self, rest: Subgame, values: LeafValues) -> None:
        """Called when a flop was solved depth-limited, while the values where it ends are there."""

    def limited_flop(self, task: SubgameTask) -> tuple[VectorGame, LeafValues, dict[int, int]]:
        """The betting of a flop as a game, the values where it ends, and the blueprint's turn after each deal."""
        from headsup.nolimit.leaves import Leaf, LeafMemory, LeafValues, run_outs

        assert isinstance(self.blueprint.strategy, BucketStrategy)
        seat, board, rules, _, mine, theirs, _, opened, start = task
        tree, _ = tree_with(rules, self.limited_menu, opened)
        known, acted = self._readings(tree, start), decisions_below(tree)
        betting = street_tree(tree, 0, range(1), streets=1)
        deals = np.flatnonzero(betting.player == DEAL).tolist()
        entries = {deal: self.sizes.dealt(known[deal]) for deal in deals}
        leaves = [
            Leaf(entries[deal], rules.pot + float(paid.sum()), (float(paid[0]), float(paid[1])), not acted[deal])
            for deal, paid in zip(deals, betting.paid[deals], strict=True)
        ]
        ranges = (mine, theirs) if seat == 0 else (theirs, mine)
        game = holdem_game("flop", betting, root=board, streets=(0,), ranges=ranges, merged=False)
        hands = np.flatnonzero(mine), np.flatnonzero(theirs)
        memory = self._leaf_memory = self._leaf_memory or LeafMemory(self.blueprint.strategy)
        rivers = memory.rivers(leaves, len(hands[0]) * len(hands[1]))
        if (board, rivers) not in self._run_outs:
            dealt = self.real.hands(0, board) >= 0
            outs = run_outs(board, dealt, self.blueprint.buckets, rivers)
            keep_last(self._run_outs, (board, rivers), outs, KEPT_FLOPS)
        outs = self._run_outs[board, rivers]
        return game, LeafValues(memory, outs, leaves, seat, hands, float(rules.pot)), entries

    def _readings(self, tree: BettingTree, start: int) -> list[int]:
        """For each node of a real flop, the blueprint's node as which it is read; `start` is that of the first."""
        known, real = [start] * int(tree.start[1]), Sizes(tree)
        for node in range(1, len(known)):
            at, above = known[int(tree.parent[node])], int(tree.parent[node])
            if self.game.betting.player[at] == tree.player[above]:
                choices = self.sizes.read(at, Move(int(tree.kind[node])), float(real.fraction[node]), "harmonic")
                at = self.likeliest(choices, self.game.betting)
            known[node] = at
        return known

    def _source_below(self, rest: Subgame, deal: int) -> tuple[Source, int]:
        """Below a flop that was solved depth-limited, the blueprint."""
        return (self.blueprint, rest.entries[deal]) if rest.entries else super()._source_below(rest, deal)

    def _theirs(self, rest: Subgame, node: int, board: tuple[int, ...]) -> Floats:
        """After a flop that was solved depth-limited, the mean of the solution's weights and the blueprint's: such a
        solution plays most hands one way only, and an opponent need not.
        """
        solved = super()._theirs(rest, node, board)
        if not rest.entries:
            return solved
        known, weights, whole = self._readings(rest.tree, rest.start), rest.theirs, self.game.betting
        for above, choice in reversed(rest.tree.choices_to(node)):
            below = known[int(rest.tree.child[above]) + choice]
            if rest.tree.player[above] != rest.seat and below != known[above]:
                rows = self.blueprint.rows(known[above], rest.board)
                weights = weights * rows[below - int(whole.child[known[above]])]
        weights = np.where(free_of(board), weights, 0.0)
        return pruned(solved / solved.sum() + weights / max(1e-300, float(weights.sum())), board)

    def _followed(self, view: PlayerView, before: tuple[PastAction, ...]) -> tuple[int, tuple[Floats, Floats], State]:
        """The blueprint's node at the first street that is solved, both ranges, and the real state."""
        _, node, street = self._walked(view, before)
        state = view.table.root
        reach = (free_of(()).astype(np.float64), free_of(()).astype(np.float64))
        for number, (step, earlier) in enumerate(states_before(view.table, before)):
            board = view.board[: BOARD[step.street]]
            there = PlayerView.at(view.table, earlier, view.hole, board, before[:number])
            reach[step.seat][:] *= self._played(there, step.action)
            state = apply(view.table.betting, earlier, step.action)
        while state.player == DEAL and state.street < self.first:
            state = view.table.betting.next_street(state)
        return self._on_street(node, street, self.first), reach, state

    def _played(self, view: PlayerView, action: Action) -> Floats:
        """[1326] how likely each hand takes an action; a bet of another size than any hand makes is read as a near one.

        After a bet that counts as two sizes, a raise comes from the answer to one that may be raised, if there is any.
        """
        known = self.unsolved_range(view)
        if action in known:
            return known[action]
        source = self.blueprint if view.street or self.opening is None else self.opening
        tree, betting = source.tree, view.table.betting
        nodes = (self._near(view) if self.mixes else []) or [(self.node(view), 1.0)]
        nodes = [(node, weight) for node, weight in nodes if node >= 0 and tree.player[node] == view.seat]
        if action.kind == "r":
            sizes = self.sizes_on(view.street)
            raised = [(n, w) for n, w in nodes if max(tree.kind[child] for child in sizes.children(n)) >= Move.BET]
            nodes = raised or nodes
        played = np.zeros(HOLDEM_COUNT)
        for node, weight in nodes:
            rows, first = source.rows(node, view.board), int(tree.child[node])
            near = self.readings_of(node, betting, view.state, action)
            for child, chance in near if self.mixes else [(self.likeliest(near, tree), 1.0)]:
                played += weight * chance * rows[child - first]
        return played if nodes else np.ones(HOLDEM_COUNT)


@maker("nolimit")
def make_nolimit(rest: str, table: Table) -> Agent:
    """A blueprint of no-limit hold'em with later streets re-solved."""
    words = [word for word in rest.split(",") if word]
    options = {word for word in words if word in OPTIONS}
    files = [word for word in words if word not in options]
    if table.name != "holdem-nolimit" or table.first_street or len(set(table.betting.stacks)) > 1:
        raise UserError("nolimit plays holdem-nolimit from the start of a hand with equal stacks: choose another agent")
    if len(files) > 1 or len(options) > 1:
        raise UserError(
            f"'nolimit:{rest}' has too many options: write blueprint, unsafe, cpu or flop, or a file, or both"
        )
    stack = table.betting.stacks[0] / table.unit
    game, strategy = _from_file(files[0]) if files else _shipped(stack)
    ours = min(game.betting.rules.stacks) / game.unit
    if files and ours != stack:
        raise UserError(f"the blueprint is for {ours:g} big blinds, and the table has {stack:g}: take that stack")
    name = f"nolimit:{rest}" if rest else "nolimit"
    player: BlueprintPlayer
    if "blueprint" in options:
        player = BlueprintPlayer(name, game, strategy, table)
    else:
        if "flop" in options and not has_columns(strategy):
            raise UserError(
                f"nolimit:flop needs buckets with one partition on the turn and one on the river, and '{files[0]}' has "
                "others: take nolimit:FILE without flop"
            )
        device = "gpu" if not options & {"cpu", "flop"} and gpu_present() else None
        limited = "cpu" not in options and has_columns(strategy)
        player = ResolvingPlayer(name, game, strategy, table, "unsafe" not in options, device, limited)
    player.mixes = stack > DEEP
    return player


def has_columns(strategy: Strategy) -> bool:
    """Whether the flop can be solved depth-limited: buckets on turn and river, in one partition each."""
    return isinstance(strategy, BucketStrategy) and [len(many) for many in strategy.buckets.sizes[TURN:]] == [1, 1]


def blueprint_note(name: str, stack: float) -> str | None:
    """Which blueprint plays under the name of an agent, where it was made for another stack."""
    from headsup.nolimit.shipped import flop_stack, nearest_stack

    agent, _, rest = name.partition(":")
    if agent != "nolimit" or rest not in ("", *OPTIONS):
        return None
    first, later = nearest_stack(stack), flop_stack(stack)
    if first != later:
        return f"made for {first} big blinds before the flop and {later} after it; bets are scaled by the pot"
    return None if first == stack else f"made for {first} big blinds, the nearest stack; bets are scaled by the pot"


@cache
def _shipped(stack: float) -> tuple[VectorGame, Strategy]:
    """Made once: every session of a match asks for them."""
    from headsup.nolimit.shipped import shipped_blueprint

    strategy = shipped_blueprint(stack)
    return strategy.game, board_by_board(strategy)


@cache
def _from_file(path: str) -> tuple[VectorGame, Strategy]:
    from headsup.nolimit.shipped import game_below_chart, in_shipped_buckets
    from headsup.solve.records.solution import Solution

    if not Path(path).exists():
        raise UserError(f"'{path}' is not an existing blueprint file: write nolimit:FILE")
    solution = Solution.load(path, regrets=False)
    game = game_below_chart(solution) or solution.played_form()
    if not isinstance(game, VectorGame) or game.betting.rules.kind != "no-limit":
        raise UserError(f"'{path}' is of {solution.game}, not of no-limit hold'em with all cards: give another file")
    return game, board_by_board(in_shipped_buckets(solution, game) or solution.in_game(game))
