"""`simplify_sizes(spot)`: the one or two bet sizes that cost least, and what they cost at most and at least.

The spot's menu is dense. One player is restricted to a few of its sizes; the opponent keeps every size, and so answers
every bet as before. Let v be what the player wins in equilibrium with the dense menu, w with few sizes: the cost is
v - w >= 0, since the restricted strategies are some of the dense ones. Neither is known exactly, but any strategies
bound them. Let b and b' be what best responses of the player and of the opponent win against the dense solution, c and
c' the same in the restricted game, P the pot (both players together win P). A player cannot win less than by a strategy
that holds the opponent to b', and not more than b against some strategy of the opponent:

    P - b' <= v <= b,    P - c' <= w <= c,    so    max(0, P - b' - c) <= v - w <= b + c' - P.

The interval is as wide as twice both exploitabilities: b + b' - P and c + c' - P are twice the two. Its upper end is
what the pair (restricted strategy of the player, dense strategy of the opponent) is exploitable for in the dense game,
both seats together. How the sizes were chosen does not matter for it.

The search solves the dense game, leaves out sizes that are taken seldom or lie close to others, solves what is left
from there, and repeats that until few enough remain; then it tries neighbours of the chosen sizes, as time allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from headsup.common.arrays import Floats, Longs
from headsup.common.backend import gpu
from headsup.common.checks import (
    as_call,
    as_list,
    as_text,
    between,
    check_device,
    door,
    of_kind,
    positive,
    thread_count,
)
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.common.stop import Stop, until_stopped
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_streets import MEMORY_SHARE, fixed_bytes, free_bytes
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.store import free_memory, in_bytes
from headsup.solve.holdem.vector import VectorCfr, planned, start_vector
from headsup.solve.holdem.warm import reach_sums, resume_without
from headsup.solve.records.loop import next_measure
from headsup.solve.records.regrets import decisions_of
from headsup.spots.size_menu import Kept, SizeGroup, restricted_game, simple_spot, size_groups
from headsup.spots.solve import METHOD
from headsup.spots.view import PLAYERS, seat_of

PER = ("street", "node")
TARGET = 0.0003  # the exploitability of solves, as a fraction of the pot
KEEP = 0.6  # the fraction of the sizes in a list that a round of the search leaves
ROUND = 60  # iterations of a round of the search
TRIAL = 200  # iterations after which two choices of sizes are compared
STEP = 10  # iterations between two looks at the clock
TRIALS = {1: 12, 2: 2, 3: 2}  # neighbours that are tried for a player, by the number of streets
TRACE = 0.01  # of the opponent's range, which is thought to come to every decision when sizes are chosen
WORTH = 40  # iterations that a strategy stands for where a changed game is solved from it
MOST = 100  # sizes of a list that may be asked for
SOLVES = 4  # of which what was learnt is in memory at a time
NO_LIMIT = 1e9  # seconds
Done = Callable[[tuple[float, float]], bool]  # of what best responses of both seats win
ENOUGH = 0.25  # of its least cost: the width of the interval at which the price of a costly size is known well enough
CLEAR = 0.00005  # the least gain, as a fraction of the pot, for which a neighbouring size is taken


@dataclass(frozen=True)
class SizeChoice:
    """The sizes that a player keeps in one group of decisions."""

    player: str
    street: str
    kind: str  # bets, raises or reraises
    line: str  # of the decision, if sizes were chosen per node
    sizes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"street": self.street, "kind": self.kind, "line": self.line, "sizes": list(self.sizes)}


@dataclass(frozen=True)
class SimplePlayer:
    """One player with few sizes against an opponent with all of them."""

    player: str
    choices: tuple[SizeChoice, ...]
    low: float  # the least and the most that this costs, as fractions of the pot
    high: float
    exploitability_pot: float  # of the restricted solve
    iterations: int

    def __repr__(self) -> str:
        kept = "; ".join(f"{c.line or c.street} {c.kind} {', '.join(c.sizes)}" for c in self.choices)
        return f"<SimplePlayer {self.player}: {kept}; costs {self.low:.3%} to {self.high:.3%} of the pot>"


@dataclass(frozen=True, repr=False)
class SimpleSizes:
    """Few sizes for both players, each with its cost."""

    dense: Spot
    spot: Spot
    """The spot in which both players have only the chosen sizes."""
    per: str
    count: int
    players: tuple[SimplePlayer, ...]
    exploitability_pot: float  # of the dense solve
    seconds: float
    stopped: bool = field(default=False, compare=False)

    def __repr__(self) -> str:
        return f"<SimpleSizes {self.dense.board}: {', '.join(map(repr, self.players))}>"

    def summary(self) -> dict[str, Any]:
        """Plain values. At the top level `cost_pot` is that of the player whose sizes cost most."""
        dense, worst = self.exploitability_pot, max(self.players, key=lambda player: player.high)
        every = [
            {
                "player": player.player,
                "sizes": [choice.as_dict() for choice in player.choices],
                "cost_pot": {"low": player.low, "high": player.high},
                "dense_exploitability_pot": dense,
                "restricted_exploitability_pot": player.exploitability_pot,
                "iterations": player.iterations,
            }
            for player in self.players
        ]
        return {
            "sizes": {player["player"]: player["sizes"] for player in every},
            "cost_pot": {"low": max(p.low for p in self.players), "high": worst.high, "player": worst.player},
            "dense_exploitability_pot": dense,
            "restricted_exploitability_pot": max(p.exploitability_pot for p in self.players),
            "players": every,
            "per": self.per,
            "count": self.count,
            "dense_menu": self.dense.menu_text,
            "seconds": self.seconds,
            "spot": self.spot.text(),
        }


@door(spot=of_kind(Spot), per=as_text, device=check_device, progress=as_call)
def simplify_sizes(
    spot: Spot,
    count: int = 2,
    *,
    per: str = "street",
    target: float = TARGET,
    seconds: float | None = None,
    threads: int | None = None,
    device: str = "cpu",
    progress: Watch | None = None,
) -> SimpleSizes:
    """Choose at most `count` sizes for every list of a spot's menu and each player, and certify what that costs.

    Args:
        spot: Its menu is the dense one; `headsup.spots.size_menu.DENSE_MENUS` has some.
        count: The most sizes of a list that stay, all-in included.
        per: One list for a player on a `street`, or one for each `node`, that is, each decision.
        target: The exploitability at which solves stop, as a fraction of the pot. The interval is then at most four
            times as wide. A solve also stops where it proves a cost of at most three times the target.
        seconds: Time for all of it. The interval is right however early it ends, only wider.
    """
    curve = size_curve(
        spot, (count,), per=per, target=target, seconds=seconds, threads=threads, device=device, progress=progress
    )
    return curve[0]


@door(spot=of_kind(Spot), per=as_text, device=check_device, progress=as_call)
def size_curve(
    spot: Spot,
    counts: Sequence[int] = (1, 2, 3, 4),
    *,
    per: str = "street",
    target: float = TARGET,
    seconds: float | None = None,
    threads: int | None = None,
    device: str = "cpu",
    progress: Watch | None = None,
) -> list[SimpleSizes]:
    """`simplify_sizes` for several numbers of sizes, in ascending order; the dense game is solved once."""
    if per not in PER:
        raise UserError(f"sizes are chosen per {' or per '.join(PER)}, not per '{per}'")
    wanted = sorted({between(1, MOST)(count, "count") for count in as_list(counts, "counts")}, reverse=True)
    if not wanted:
        raise UserError("count: give at least one number of sizes, such as 2")
    began, groups = perf_counter(), size_groups(spot, per)
    limit = NO_LIMIT if seconds is None else positive(seconds, "seconds")
    options = {"threads": thread_count(threads), "device": device, "alike": False}
    with until_stopped() as stop:
        work = _Work(spot, groups, options, positive(target, "the target") * spot.pot, stop, progress)
        dense, out = work.dense(began + 0.5 * limit), []
        players = [_Player(work, dense, seat) for seat in (0, 1)]
        for turn, count in enumerate(wanted):
            share = 0.5 * limit / len(wanted)
            _search_both(players, count, began + 0.5 * limit + turn * share, share)
            kept = tuple(players[group.seat].kept[i] for i, group in enumerate(groups))
            certified = tuple(player.certified() for player in players)
            exploitability, spent = dense.measured.exploitability / spot.pot, perf_counter() - began
            simple = simple_spot(spot, groups, kept)
            out.append(SimpleSizes(spot, simple, per, count, certified, exploitability, spent, stop.asked()))
    return out[::-1]


@door(spot=of_kind(Spot), player=as_text, device=check_device)
def size_prices(
    spot: Spot,
    player: str,
    count: int = 1,
    *,
    target: float = TARGET,
    threads: int | None = None,
    device: str = "cpu",
) -> dict[str, tuple[float, float]]:
    """For each size of a player's first bet on the first street, or each choice of `count` sizes such as `75%, a`: what
    it costs to bet no other there.

    Bounds as fractions of the pot, as in `simplify_sizes`. Raises and later streets keep every size. A size that costs
    much is solved less far than the target.
    """
    seat = seat_of(player)
    groups, first = size_groups(spot), spot.streets[0]
    chosen = [i for i, group in enumerate(groups) if (group.seat, group.street, group.number) == (seat, first, 0)]
    if not chosen:
        raise UserError(f"{player} has no choice of bet sizes on the {first}: add sizes to its menu")
    with until_stopped() as stop:
        options = {"threads": thread_count(threads), "device": device, "alike": False}
        work = _Work(spot, groups, options, positive(target, "the target") * spot.pot, stop, None)
        dense, prices, pot = work.dense(inf), dict[str, tuple[float, float]](), spot.pot
        sizes = groups[chosen[0]].sizes
        for numbers in combinations(range(len(sizes)), between(1, len(sizes))(count, "count")):
            every: list[tuple[int, ...]] = [tuple(range(len(group.sizes))) for group in groups]
            every[chosen[0]] = numbers
            solve = work.start(dense, dense, tuple(every))
            solve.run(done=work.narrow(dense, seat, ENOUGH))
            low, high = cost_bounds(pot, dense.measured.best, solve.measured.best, seat)
            prices[", ".join(sizes[number] for number in numbers)] = low / pot, high / pot
        if stop.asked():
            raise KeyboardInterrupt
    return prices


def _search_both(players: list[_Player], count: int, start: float, seconds: float) -> None:
    """Both players' searches: at the same time on rivers, where a solve on the CPU takes one thread."""
    work, dense = players[0].work, players[0].dense
    together = dense.game.streets == 1 and work.options["threads"] > 1 and work.options["device"] == "cpu"
    each = seconds if together else seconds / 2.0
    with ThreadPoolExecutor(2 if together else 1) as pool:
        jobs = [
            pool.submit(player.search, count, start + (0.0 if together else seat * each), each)
            for seat, player in enumerate(players)
        ]
        for job in jobs:
            job.result()


class _Solve:
    """A solve of the game with all sizes or some, and what is known of it."""

    def __init__(self, solver: VectorCfr, nodes: Longs, pot: int, stop: Stop) -> None:
        self.solver, self.nodes, self.pot, self.stop = solver, nodes, pot, stop
        self.game: VectorGame = solver.game

    def run(self, iterations: int | None = None, done: Done | None = None, until: float = inf) -> None:
        """Iterate so many times, or until what best responses win is good enough, or until a time; then measure."""
        solver = self.solver
        last = inf if iterations is None else solver.iterations + iterations
        while solver.iterations < last and not self.over(until):
            to = int(min(next_measure(solver.iterations), last))
            while solver.iterations < to and not self.over(until):
                solver.step(min(to - solver.iterations, STEP))
            if done is not None and done(solver.best_values()):
                break
        self.measured: Measurement = solver.measure()

    def over(self, until: float) -> bool:
        return self.stop.asked() or perf_counter() >= until

    def value(self, seat: int) -> float:
        """The middle of the bounds of what the seat wins in equilibrium."""
        best = self.measured.best
        return (best[seat] + self.pot - best[1 - seat]) / 2.0


@dataclass(frozen=True)
class _Work:
    """What all solves have in common."""

    spot: Spot
    groups: list[SizeGroup]
    options: dict[str, Any]
    target: float  # in chips
    stop: Stop
    progress: Watch | None

    def dense(self, until: float) -> _Solve:
        self.tell("solving the dense menu")
        game = self.spot.game()
        _check_memory(game, self.options)
        solve = _Solve(
            start_vector(game, METHOD, self.options), np.arange(game.betting.n_nodes), self.spot.pot, self.stop
        )
        solve.run(done=lambda best: sum(best) - self.spot.pot <= 2.0 * self.target, until=until)
        return solve

    def narrow(self, dense: _Solve, seat: int, relative: float = 0.0) -> Done:
        """Whether a seat's cost is known well enough: the solve has reached the target, or the cost is at most three
        times the target, or the interval is no wider than a part of a large cost.
        """

        def done(best: tuple[float, float]) -> bool:
            low, high = cost_bounds(self.spot.pot, dense.measured.best, best, seat)
            reached = sum(best) - self.spot.pot <= 2.0 * self.target
            return reached or high <= 3.0 * self.target or high - low <= relative * low

        return done

    def start(self, dense: _Solve, known: _Solve, kept: Kept) -> _Solve:
        """A solve with these sizes alone that starts from the strategies and regrets of another one."""
        game, nodes = restricted_game(dense.game, self.groups, kept)
        solver = start_vector(game, METHOD, self.options)
        resume_without(solver, known.solver, WORTH)
        return _Solve(solver, nodes, self.spot.pot, self.stop)

    def tell(self, text: str) -> None:
        if self.progress is not None:
            self.progress(Progress(text=text))


def least_memory(game: VectorGame, options: dict[str, Any]) -> int:
    """The bytes that a search takes: those of the dense solve, of one with fewer sizes for each player, and of a trial.

    Only one of them walks at a time.
    """
    need = planned(game, METHOD, options)
    if options["device"] == "cpu":
        return SOLVES * need.stores + need.boards + need.work
    return int(SOLVES * (need.stores + fixed_bytes(game, np.float32)) + need.least / MEMORY_SHARE)


def _check_memory(game: VectorGame, options: dict[str, Any]) -> None:
    """Refuse a dense menu that does not fit."""
    least, on_gpu = least_memory(game, options), options["device"] == "gpu"
    free = free_bytes(gpu()) if on_gpu else free_memory()
    if free is not None and least > free:
        what = "the GPU's memory" if on_gpu else "memory"
        raise UserError(
            f"this menu needs {in_bytes(least)} of {what}, and {in_bytes(free)} are free: give fewer sizes with "
            "--flop, --turn and --river"
        )


class _Player:
    """The search for one player's sizes; fewer sizes start from more."""

    def __init__(self, work: _Work, dense: _Solve, seat: int) -> None:
        self.work, self.dense, self.seat, self.now = work, dense, seat, dense
        self.kept: Kept = tuple(tuple(range(len(group.sizes))) for group in work.groups)
        self.own = [i for i, group in enumerate(work.groups) if group.seat == seat]

    def search(self, count: int, start: float, seconds: float) -> None:
        """Choose so many sizes and solve with them, in this time."""
        until = start + 0.6 * seconds
        self._drop(count, until)
        self._refine(TRIALS[self.dense.game.streets], until)
        self.work.tell(f"certifying the cost for {PLAYERS[self.seat]}")
        if self.now is self.dense:
            self.now = self.work.start(self.dense, self.dense, self.kept)
        self.now.run(done=self.work.narrow(self.dense, self.seat), until=start + seconds)

    def certified(self) -> SimplePlayer:
        """The record, with the bounds of the module's text."""
        player, pot, few = PLAYERS[self.seat], self.work.spot.pot, self.now.measured
        low, high = cost_bounds(pot, self.dense.measured.best, few.best, self.seat)
        groups = [(self.work.groups[i], self.kept[i]) for i in self.own]
        choices = [
            SizeChoice(player, group.street, group.kind, group.line, tuple(group.sizes[i] for i in kept))
            for group, kept in groups
        ]
        iterations = self.now.solver.iterations
        return SimplePlayer(player, tuple(choices), low / pot, high / pot, few.exploitability / pot, iterations)

    def _drop(self, count: int, until: float) -> None:
        """Leave out some sizes at a time: those that are taken seldom or lie close to others (`medoids`)."""
        while any(len(self.kept[i]) > count for i in self.own):
            taken, kept = self._taken(), list(self.kept)
            for i in self.own:
                left = count if self.now.over(until) else max(count, int(KEEP * len(kept[i])))
                places = [self.work.groups[i].places[size] for size in kept[i]]
                chips = np.array(taken[i]) * np.exp(places)  # a large bet that is made a little too small costs more
                kept[i] = tuple(kept[i][j] for j in medoids(places, chips, left))
            self.kept = tuple(kept)
            self.work.tell(f"choosing sizes for {PLAYERS[self.seat]}")
            self.now = self.work.start(self.dense, self.now, self.kept)
            self.now.run(ROUND, until=until)

    def _taken(self) -> dict[int, list[float]]:
        """By group, how often each kept size is taken, over all deals; sizes that are one bet share it.

        A trace of the opponent's whole range is added everywhere: where the opponent never comes now, sizes matter
        too, since the opponent would come if the answers became worse. Cards that both ranges hold are not counted off.
        """
        game, mass, seat = self.now.game, np.zeros(self.dense.game.betting.n_nodes), self.seat
        own, met = (reach_sums(self.now.solver, p) for p in (seat, 1 - seat))
        for node, street, rows in decisions_of(game, seat):
            boards = game.boards.levels[street].count * float(game.chance[street])  # type: ignore[attr-defined]
            first = int(game.betting.child[node])
            opponent = met[street][:, int(game.rounds.at[1 - seat, node])] + TRACE * met[0][0, 0]
            entries = own[street].shape[1] - int(game.rounds.rows[seat, street])
            taken = own[street][:, entries + rows.start : entries + rows.stop]
            mass[self.now.nodes[first : first + rows.stop - rows.start]] += (boards * opponent) @ taken / game.mass
        taken_by = {}
        for i in self.own:
            children = self.work.groups[i].children[:, list(self.kept[i])]
            ways = (children[:, :, None] == children[:, None, :]).sum(axis=2)
            taken_by[i] = (mass[children] / ways).sum(axis=0).tolist()
        return taken_by

    def _refine(self, trials: int, until: float) -> None:
        """Replace chosen sizes by their neighbours in the menu where the player then wins more; so many are tried."""
        better, known = self.now is not self.dense, {self.kept}
        if better:
            self.now.run(TRIAL - ROUND, until=until)
        while better:
            better, taken = False, self._taken()
            if self.dense.value(self.seat) - self.now.value(self.seat) <= 2.0 * self.work.target:
                return  # a cost that both solves cannot tell from zero
            for i in sorted(self.own, key=lambda i: -sum(taken[i])):
                for size, other in self._neighbours(i):
                    if trials <= 0 or self.now.over(until):
                        return
                    changed = list(self.kept)
                    changed[i] = tuple(sorted({*changed[i], other} - {size}))
                    kept = tuple(changed)
                    if kept in known:
                        continue
                    known.add(kept)
                    trials -= 1
                    if self._try(kept, until):
                        better = True
                        break

    def _try(self, kept: Kept, until: float) -> bool:
        """Take other sizes if the player wins more with them; a trial that time has cut short does not count."""
        tried = self.work.start(self.dense, self.now, kept)
        tried.run(TRIAL, until=until)
        gain = tried.value(self.seat) - self.now.value(self.seat)
        better = gain > CLEAR * self.work.spot.pot and not tried.over(until)
        if better:
            self.kept, self.now = kept, tried
        return better

    def _neighbours(self, i: int) -> list[tuple[int, int]]:
        """Pairs of a chosen size of a group and a size beside it that was not chosen."""
        kept, last = self.kept[i], len(self.work.groups[i].sizes) - 1
        pairs = [(size, other) for size in kept for other in (size - 1, size + 1)]
        return [(size, other) for size, other in pairs if 0 <= other <= last and other not in kept]


def medoids(places: Sequence[float], weights: Floats, count: int) -> list[int]:
    """The numbers of so many points on a line for which the others are nearest: the least sum of weight times squared
    distance to the next chosen point. Points ascend, so those nearest to a chosen one lie side by side.
    """
    n, at, weight = len(places), np.array(places), weights + 1e-12
    squares = weight[:, None] * (at[:, None] - at[None, :]) ** 2  # [point, chosen]
    best: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}  # points served so far -> cost, chosen
    for _ in range(min(count, n)):
        after: dict[int, tuple[float, list[int]]] = {}
        for begin, (cost, chosen) in best.items():
            for end in range(begin + 1, n + 1):
                sums = squares[begin:end, begin:end].sum(axis=0)
                total, centre = cost + float(sums.min()), begin + int(np.argmin(sums))
                if end not in after or total < after[end][0]:
                    after[end] = total, [*chosen, centre]
        best = after
    return best[n][1]


def cost_bounds(
    pot: float, dense: tuple[float, float], restricted: tuple[float, float], seat: int
) -> tuple[float, float]:
    """Bounds of what a seat loses by its fewer sizes, in chips (see the module's text).

    `dense` and `restricted` are what best responses of both seats win against each solution, in the solution's game.
    """
    opponent = 1 - seat
    low = max(0.0, pot - dense[opponent] - restricted[seat])
    return low, max(low, dense[seat] + restricted[opponent] - pot)
