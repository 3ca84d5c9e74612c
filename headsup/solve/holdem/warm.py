"""Warm starts: carry a strategy over to a changed game, and put it into a solver as if the solver had found it.

`carry`: where both games have the same actions, cards (up to suits) and hands, probabilities stay; elsewhere play
starts uniform. `warm_start`: the cumulative strategy is recovered exactly, as reach times probability times the weight
of all iterations. Regrets are those kept with the solution; without them they are set in proportion to the
probabilities, so that a reached hand's add up to about one pot times the weight of the opponent's hands, as in real
runs. `worth_iterations`: a carried strategy is measured in the changed game, and counts for as many iterations as the
old run took to be as good. `resume_without`: between games that differ in actions only, rows are copied as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.suits import SUIT_PERMUTATIONS, permuted_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Move
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.loop import next_measure
from headsup.solve.records.matching import regret_matching
from headsup.solve.records.regrets import decisions_of, rounded, scales_of, street_of
from headsup.solve.records.solution import History, Locks

POTS = 1.0  # the sum of the regrets of a hand at the start, in pots
TRACE = 0.001  # a locked probability up to this may be lost with its action: averages keep traces of abandoned actions
CELLS = 1 << 22  # numbers processed together


# --- from one game to another -----------------------------------------------------------------------------------------


def carry(old: VectorGame, policy: Policy, new: VectorGame, regrets: bool = False) -> Policy:
    """A policy of one game in another: probabilities where both have the place, the hand and the action, else 0.

    Regrets are only rescaled, by the weight of all hands.
    """
    first, second = old.showdown, new.showdown
    if not isinstance(first, CardShowdown) or not isinstance(second, CardShowdown) or first.game != second.game:
        raise UserError("a solution is carried over to a spot of the same game with cards: solve it from the start")
    if first.boards.root != second.boards.root or old.streets != new.streets:
        raise UserError("a solution is carried over to a spot on the same board: solve another board from the start")
    nodes, carried = same_decisions(old.betting, new.betting), []
    boards = _same_boards(first.boards, second.boards)
    for seat in (0, 1):
        out = np.zeros(int(new.layout[seat][-1]), dtype=np.float32)
        place = np.full(comb(52, first.held) + 1, -1)
        place[first.hands[seat]] = np.arange(first.sizes[seat])
        for s in range(new.streets):
            number, combos = boards[s]
            hands = place[combos[:, second.hands[seat]]]
            there = street_of(new, out, seat, s)
            here = street_of(old, policy[seat], seat, s)
            for node in range(int(new.betting.start[s]), int(new.betting.start[s + 1])):
                was = int(nodes[node])
                if was < 0 or new.betting.player[node] != seat:
                    continue
                rows = here[:, int(old.rounds.row[was]) : int(old.rounds.row[was]) + int(old.rounds.count[was])]
                known = (
                    rows * (old.mass / new.mass)
                    if regrets
                    else regret_matching(rows, axis=1, otherwise=0.0, dtype=np.float64)
                )
                for a, b in _same_actions(old.betting, was, new.betting, node):
                    row = known[number, a]
                    row = np.take_along_axis(row, np.broadcast_to(np.maximum(hands, 0), (len(row), hands.shape[1])), 1)
                    there[:, int(new.rounds.row[node]) + b] = np.where(hands >= 0, row, 0.0)
        carried.append(out)
    return carried[0], carried[1]


def same_decisions(old: BettingTree, new: BettingTree) -> AnyArray:
    """For each node of the new tree the one of the old tree to which the same actions lead, or -1."""
    old_node = np.full(new.n_nodes, -1)
    old_node[0] = 0
    for node in range(new.n_nodes):
        was = int(old_node[node])
        if was >= 0 and new.player[node] == old.player[was] and new.player[node] <= DEAL:
            for a, b in _same_actions(old, was, new, node):
                old_node[int(new.child[node]) + b] = int(old.child[was]) + a
    return np.where([a >= 0 and new.player[i] == old.player[a] for i, a in enumerate(old_node)], old_node, -1)


def _same_actions(old: BettingTree, was: int, new: BettingTree, node: int) -> list[tuple[int, int]]:
    """Pairs of actions that are one: of the same kind and size, or both all-in."""

    def names(tree: BettingTree, at: int) -> list[tuple[int, int]]:
        below = tree.children(at)
        return [(int(tree.kind[c]), 0 if tree.kind[c] == Move.ALLIN else int(tree.amount[c])) for c in below]

    known = {name: a for a, name in enumerate(names(old, was))}
    return [(known[name], b) for b, name in enumerate(names(new, node)) if name in known]


def _same_boards(old: BoardTree, new: BoardTree) -> list[tuple[AnyArray, AnyArray]]:
    """For each street: the old board of each new one, and the number of every hand on it (or for all)."""
    count = comb(52, new.held)
    if old.identity() == new.identity():
        same = np.arange(count)[None]
        return [(np.arange(len(level)), same) for level in new.levels]
    boards = [(np.zeros(1, dtype=np.int64), np.arange(count)[None])]
    paths: list[list[int]] = [[]]
    for s in range(1, len(new.streets)):
        level, (above, combos) = new.levels[s], boards[-1]
        number, called, below = np.zeros(len(level), dtype=np.int64), np.zeros((len(level), count), int), []
        for b in range(len(level)):
            parent = int(level.parent[b])
            number[b], renaming = old.dealt(int(level.cards[b, -1]), int(above[parent]), s, paths[parent])
            called[b] = permuted_combos(new.held, SUIT_PERMUTATIONS[renaming])[combos[parent % len(combos)]]
            below.append([*paths[parent], renaming])
        boards.append((number, called))
        paths = below
    return boards


def carry_locks(old: VectorGame, locks: Locks, new: VectorGame) -> Locks:
    """Locks of one game in another that has the hand; new actions are never taken, and none may be missing."""
    _check_locked(old, locks, new)
    nothing = [np.zeros(int(at[-1]), dtype=np.float32) for at in old.layout]
    carried, cells, values = carry(old, locks.on((nothing[0], nothing[1])), new), [], []
    for seat in (0, 1):
        locked = np.zeros(len(carried[seat]), dtype=bool)
        for _, s, here in decisions_of(new, seat):
            rows = street_of(new, carried[seat], seat, s)
            rows[:, here] = regret_matching(rows[:, here], axis=1, otherwise=0.0, dtype=np.float64)
            street_of(new, locked, seat, s)[:, here] = rows[:, here].any(axis=1, keepdims=True)
        cells.append(np.flatnonzero(locked))
        values.append(carried[seat][locked].astype(np.float64))
    return Locks((cells[0], cells[1]), (values[0], values[1]), locks.texts)


def _check_locked(old: VectorGame, locks: Locks, new: VectorGame) -> None:
    """Refuse locks that another game cannot keep, since it lacks the decision or an action taken there."""
    nodes, nothing = same_decisions(old.betting, new.betting), [np.zeros(int(at[-1])) for at in old.layout]
    new_node = {int(was): node for node, was in enumerate(nodes) if was >= 0}
    for seat, probabilities in enumerate(locks.on((nothing[0], nothing[1]))):
        for was, s, here in decisions_of(old, seat):
            taken = street_of(old, probabilities, seat, s)[:, here].max(axis=(0, 2))
            both = _same_actions(old.betting, was, new.betting, new_node[was]) if was in new_node else []
            kept = {a for a, _ in both}
            lost = [name for a, name in enumerate(old.betting.actions(was)) if taken[a] > TRACE and a not in kept]
            if lost:
                where = f"after '{old.betting.line(was)}'" if was else "at the first decision"
                raise UserError(
                    f"locked hands play '{lost[0]}' {where}, which the changed spot has not: unlock them and lock again"
                )


# --- from a strategy to a solver --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reached:
    """A decision on some boards of its street."""

    node: int
    boards: slice
    probabilities: Floats  # [boards, actions, hands] of the mover
    reach: Floats  # [boards, hands] of the mover
    met: Floats  # [boards, hands] the weight of the opponent's hands that each hand meets there


def decisions_reached(game: VectorGame, policy: Policy) -> Iterator[Reached]:
    """Every decision on every board, with how it is reached when both follow a policy."""
    rounds, showdown = game.rounds, game.showdown
    above = [np.asarray(game.weights[p], dtype=np.float64)[None, None] for p in (0, 1)]
    for s in range(game.streets):
        level, entries = game.boards.levels[s], int(rounds.entries[s + 1] - rounds.entries[s])
        deals = rounds.deal[rounds.deals[s] : rounds.deals[s + 1]]
        below = [np.zeros((len(level), len(deals), showdown.sizes[p])) for p in (0, 1)]
        widest = max((entries + int(rounds.rows[p, s])) * showdown.sizes[p] for p in (0, 1))
        step = max(1, CELLS // max(1, widest))
        for low in range(0, len(level), step):
            here = slice(low, min(len(level), low + step))
            reach, probabilities = [], []
            for p in (0, 1):
                come = above[p][level.parent[here]] if s else above[p]
                alive = np.zeros((here.stop - low, showdown.sizes[p]))
                for b in range(low, here.stop):
                    alive[b - low, showdown.alive(p, s, b)] = 1.0
                reached = _descend(game, s, p, street_of(game, policy[p], p, s)[here], come * alive[:, None], alive)
                reach.append(reached[0])
                probabilities.append(reached[1])
                below[p][here] = reached[0][:, rounds.at[p, deals]]
            yield from _each(game, s, here, reach, probabilities)
        above = below


def _descend(
    game: VectorGame, s: int, p: int, policy: AnyArray, come: Floats, alive: Floats
) -> tuple[Floats, dict[int, Floats]]:
    """A player's reach on some boards of a street, and the probabilities at each decision."""
    rounds, probabilities = game.rounds, dict[int, Floats]()
    entries = come.shape[1]
    reach = np.zeros((len(come), entries + int(rounds.rows[p, s]), come.shape[2]))
    reach[:, :entries] = come
    for node in range(int(rounds.start[s]), int(rounds.start[s + 1])):
        if rounds.player[node] == p:
            begin, n = int(rounds.row[node]), int(rounds.count[node])
            probabilities[node] = regret_matching(policy[:, begin : begin + n], axis=1, dtype=np.float64)
            reach[:, entries + begin : entries + begin + n] = (
                reach[:, rounds.at[p, node]][:, None] * probabilities[node]
            )
            if rounds.swap[node] > 0.0:  # see `headsup.discards.exact.spots`
                low, high = reach[:, entries + begin + 1], reach[:, entries + begin + 2]
                holds = np.eye(52)[game.showdown.arrays.cards[p].T]  # type: ignore[attr-defined]
                kept = low @ holds[1] + high @ holds[0]
                low[:] = rounds.swap[node] * alive * (kept @ holds.sum(axis=0).T - low - high)
    return reach, probabilities


def _each(
    game: VectorGame, s: int, here: slice, reach: list[Floats], probabilities: list[dict[int, Floats]]
) -> Iterator[Reached]:
    rounds, showdown = game.rounds, game.showdown
    for p in (0, 1):
        rows = np.unique([rounds.at[1 - p, node] for node in probabilities[p]]).astype(np.int64)
        if not len(rows):
            continue
        met = [showdown.lines(p, s, b, reach[1 - p][b - here.start, rows], 0)[1] for b in range(here.start, here.stop)]
        every = np.stack(met)
        for node, played in probabilities[p].items():
            their = every[:, int(np.searchsorted(rows, rounds.at[1 - p, node]))]
            yield Reached(node, here, played, reach[p][:, rounds.at[p, node]], their)


def warm_start(solver: VectorCfr, policy: Policy, iterations: int, regrets: Policy | None = None) -> None:
    """Put a strategy into a solver before its first step, as if it had found it in so many iterations.

    With known regrets it continues like the run that found the strategy.
    """
    game, whole = solver.game, solver.stores.kind == "int16"
    arrays = solver.arrays()  # its own, or copies of those of a GPU
    weight = _all_weight(solver, iterations)
    for place in decisions_reached(game, policy) if iterations else ():
        node, seat = place.node, int(game.betting.player[place.node])
        s, begin = int(game.betting.street[node]), int(game.rounds.row[node])
        rows = slice(begin, begin + int(game.rounds.count[node]))
        known = (street_of(game, policy[seat], seat, s)[place.boards, rows] > 0).any(axis=1, keepdims=True)
        played = np.where(known, place.probabilities, 0.0)
        if regrets is not None:
            regret = street_of(game, regrets[seat], seat, s)[place.boards, rows].astype(np.float64)
        else:
            pot = game.betting.rules.pot + int(game.betting.paid[node].sum())
            regret = POTS * pot * float(game.chance[s]) / game.mass * place.met[:, None] * played
        cumulative = weight * place.reach[:, None] * played
        for name, numbers in (("regret", regret), ("total", cumulative), ("guess", regret)):
            if f"{name}{seat}" in arrays:
                if whole:
                    numbers, top = rounded(numbers)
                    if name != "guess":
                        scales_of(game, arrays[f"{name}_scale{seat}"], seat, s)[place.boards, begin] = top
                street_of(game, arrays[f"{name}{seat}"], seat, s)[place.boards, rows] = numbers
    solver.restore(iterations, arrays)


def resume_without(solver: VectorCfr, known: VectorCfr, iterations: int) -> None:
    """Put what a solver has learnt into another one before its first step, as if in so many iterations.

    The other's game has the same boards and hands; actions may be missing or new. Rows of actions that both have are
    copied where they lie, on the CPU or a GPU; the rest starts uniform. The cumulative strategy keeps the reach that it
    was added up with, and is scaled to the weight of the iterations.
    """
    old, new = known.game, solver.game
    if old.boards is not new.boards or solver.stores.alike is not None or known.stores.alike is not None:
        raise ValueError("rows are copied between games with the same boards and a column for each hand")
    if "int16" in (solver.stores.kind, known.stores.kind):
        raise ValueError("rows are copied between stores of floats")
    iterations = min(iterations, known.iterations)
    if not iterations:
        return
    weight = _all_weight(solver, iterations) / _all_weight(known, known.iterations)
    given, taken = known.stores.in_place(), solver.stores.in_place()
    for seat, street, there, here in _same_rows(old, new):
        for name in ("regret", "total", "guess"):
            if f"{name}{seat}" in taken:
                rows = street_of(old, given[f"{name}{seat}"], seat, street)
                out = street_of(new, taken[f"{name}{seat}"], seat, street)
                step = max(1, CELLS // max(1, len(here) * rows.shape[2]))
                for low in range(0, len(rows), step):
                    part = rows[low : low + step, solver.stores.near(here)]
                    out[low : low + step, solver.stores.near(there)] = part * weight if name == "total" else part
    solver.iterations = iterations


def _all_weight(solver: VectorCfr, iterations: int) -> float:
    """The weight of so many iterations in the average."""
    return float(solver.settings.schedule(0, iterations)[:, 2].sum())


def _same_rows(old: VectorGame, new: VectorGame) -> Iterator[tuple[int, int, AnyArray, AnyArray]]:
    """For each seat and street: rows of the new game that the old one has too, and their numbers in the old one."""
    nodes = same_decisions(old.betting, new.betting)
    for seat in (0, 1):
        for street in range(new.streets):
            pairs = []
            for node in range(int(new.betting.start[street]), int(new.betting.start[street + 1])):
                was = int(nodes[node])
                if was >= 0 and new.betting.player[node] == seat:
                    first, before = int(new.rounds.row[node]), int(old.rounds.row[was])
                    pairs += [(first + b, before + a) for a, b in _same_actions(old.betting, was, new.betting, node)]
            if pairs:
                there, here = np.ascontiguousarray(np.array(pairs, dtype=np.int64).T)
                yield seat, street, there, here


def reach_sums(solver: VectorCfr, seat: int) -> list[Floats]:
    """For each street [boards, entries + rows]: a seat's whole range there, by its average strategy, as walks number
    rows of reach. Hands that a board blocks count in its entries.
    """
    game, rounds = solver.game, solver.game.rounds
    weight = _all_weight(solver, solver.iterations) or 1.0
    cumulative, out = solver.stores.in_place()[f"total{seat}"], list[Floats]()
    for street, level in enumerate(game.boards.levels):
        deals = rounds.deal[rounds.deals[street - 1] : rounds.deals[street]] if street else ()
        if street:
            entries = out[-1][level.parent][:, rounds.at[seat, deals]]
        else:
            entries = np.full((1, 1), float(game.weights[seat].sum()))
        if rounds.rows[seat, street]:
            rows = solver.stores.far(street_of(game, cumulative, seat, street).sum(axis=2, dtype=np.float64))
            entries = np.concatenate([entries, rows / weight], axis=1)
        out.append(entries)
    return out


def worth_iterations(history: History, iterations: int, exploitability: float, each: int = 10) -> int:
    """The measuring point at which an old run was about as good; at most its last one. `each`: see `next_measure`."""
    for at, _, measured in history:
        if at > 0 and measured <= exploitability:
            return min(at, _measured_before(iterations, each))
    return _measured_before(iterations, each)


def _measured_before(iteration: int, each: int) -> int:
    """The last measuring point up to an iteration, if there is one, so that a run is measured where it starts."""
    point = 0
    while next_measure(point, each) <= iteration:
        point = next_measure(point, each)
    return point or iteration
