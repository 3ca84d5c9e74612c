"""andersson-2006's bot: no-limit hold'em in few buckets, a preflop model and a postflop model for each preflop line.

1. Four buckets per street (`BUCKETS`): the paper's of the river, at 40, 60 and 80 % to win against a random hand; flop
   and turn at the same edges, the hands before the flop in four equal parts.
2. Bets (`MENU`): half the pot, the pot, twice the pot, all-in; three bets and raises a street, blinds not counted.
3. The preflop model has all streets but the river. It is solved as it is, for play before the flop, and with every
   preflop action forced a little (`FORCED`), for the ranges after each line.
4. In a postflop model each player starts with the range of step 3 and has forgotten the bucket before the flop.

`VARIANTS` are the proposals of chapters 6 and 7 as bots of their own.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.abstraction.hands.partitions import partitions_from
from headsup.abstraction.hands.spec import kinds_by_pot
from headsup.common import contents
from headsup.common.archives import read_archive, write_archive
from headsup.common.arrays import AnyArray, Floats, Longs
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed
from headsup.common.progress import Progress, Watch
from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.cut import decisions_below
from headsup.games.betting.rules import DEAL, Betting
from headsup.measure.measurement import of_plans
from headsup.papers.andersson2006.bot.bucket_chances import BucketChances
from headsup.papers.andersson2006.bot.factored import factored_form
from headsup.papers.andersson2006.bot.model import BucketModel, ModelSize
from headsup.papers.andersson2006.bot.model_lp import ProgramSolution

BUCKETS = "4-4-4-4:edges,preflop=ehs,edges=0/40/60/80/100"
MENU = "50%, 100%, 200%, a | preflop cap 4 | flop cap 3 | turn cap 3 | river cap 3"
FORCED = 0.01
STACKS = (15, 20, 30)  # big blinds for which the bot ships
UNIT = 100
STEPS = 255
FORMAT = "headsup-aggrobot"
DATA = Path(__file__).parent / "data"


class Variant(NamedTuple):
    """A bot of chapters 6 and 7: what differs from the paper's own."""

    about: str
    buckets: str = BUCKETS
    forgets: bool = False  # each street's bucket is all that a player knows of the cards
    folds: bool = False  # the small blind folds its worst bucket
    stacks: tuple[int, ...] = (20,)  # big blinds for which it ships


EDGES = "4-4-4-4:edges,edges=0/40/60/80/100"
VARIANTS = {
    "edges": Variant("the river's buckets before the flop as well", EDGES, stacks=(15, 20)),
    "five": Variant("five buckets per street", "5-5-5-5:edges,preflop=ehs,edges=0/35/50/65/80/100"),
    "betting": Variant("other buckets where the pot is large", f"{BUCKETS}|0/60/75/93/100"),
    "potential": Variant("one bucket for weak hands with potential", "4-4-4-4:potential,preflop=ehs"),
    "forgets": Variant("forgets the buckets of earlier streets", forgets=True),
    "folds": Variant("the small blind folds its worst quarter of hands", folds=True),
}

Solves = Callable[[BucketModel, float], ProgramSolution]  # solves a model with this share forced on its first street


class SolvedModel(NamedTuple):
    """A model that was solved on the way."""

    name: str
    size: ModelSize
    value: float
    exploitability: float
    """In the model, in big blinds; where actions are forced, what an opponent gains who must not take them."""
    seconds: float


@dataclass(frozen=True, eq=False)
class Bot:
    """A strategy of no-limit hold'em by node of a betting tree and path of buckets."""

    stack: int
    chances: BucketChances = field(repr=False)
    shares: AnyArray = field(repr=False)  # uint8: of each decision in order, [paths, actions] in 255ths
    menu: str = MENU
    parts: dict[str, AnyArray] = field(default_factory=dict, repr=False)
    """The numbers of the buckets' partitions, and packed tables of them before and on the flop."""
    made: dict[str, Any] = field(default_factory=dict)  # how it was made

    @property
    def tree(self) -> BettingTree:
        return _tree(self.stack, self.menu)

    def paths(self, street: int) -> int:
        """The number of paths of a street: buckets since the flop, or the bucket before it."""
        return paths_on(self.chances.sizes(), street)

    def table(self, node: int) -> Floats:
        """[paths, actions] at a decision."""
        rows = self.numbers(node)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True, dtype=np.float64))

    def numbers(self, node: int) -> AnyArray:
        """uint8[paths, actions] at a decision, in proportion to the probabilities."""
        at, actions = int(self._starts[node]), int(self.tree.count[node])
        return self.shares[at : at + self.paths(int(self.tree.street[node])) * actions].reshape(-1, actions)

    @cached_property
    def ways(self) -> Longs:
        """[nodes, streets] the partition of each street on the way to a node; 0 for streets that are to come."""
        tree, kinds = self.tree, kinds_of(self.tree, self.chances)
        ways = np.zeros((tree.n_nodes, tree.n_streets), dtype=np.int64)
        for street, entries in enumerate(tree.entries):
            ways[entries, street] = kinds[street]
        for node in range(1, tree.n_nodes):
            above, street = tree.parent[node], int(tree.street[node])
            known = street if tree.street[above] != street else street + 1
            ways[node, :known] = ways[above, :known]
        return ways

    @property
    def _starts(self) -> Longs:
        return _starts(self.stack, self.menu, self.chances.sizes())


def paths_on(sizes: tuple[int, ...], street: int) -> int:
    """The number of bucket paths that a bot distinguishes on a street."""
    return sizes[0] if street == 0 else prod(sizes[1 : street + 1])


@cache
def _tree(stack: int, menu: str) -> BettingTree:
    chips = stack * UNIT
    rules = Betting(first=(0, 1, 1, 1), stacks=(chips, chips), blinds=(UNIT // 2, UNIT))
    return betting_tree(rules, menu)


@cache
def _starts(stack: int, menu: str, sizes: tuple[int, ...]) -> Longs:
    """[nodes + 1] where the numbers of each decision begin."""
    tree = _tree(stack, menu)
    rows = np.array([paths_on(sizes, street) for street in range(tree.n_streets)])
    numbers = np.where(tree.player < DEAL, rows[tree.street] * tree.count, 0)
    return np.concatenate(([0], np.cumsum(numbers)))


def kinds_of(tree: BettingTree, chances: BucketChances) -> tuple[AnyArray, ...]:
    """By street, the partition of each line into it; by the pot where there are several."""
    return tuple(kinds_by_pot(tree, street, len(won)) for street, won in enumerate(chances.won))


def preflop_model(stack: int, chances: BucketChances, menu: str = MENU, folds: bool = False) -> BucketModel:
    """The model of step 3; with `folds`, of the hands that the small blind does not fold at once."""
    tree, starts = _tree(stack, menu), None
    if folds:
        played = np.where(np.arange(len(chances.start)) > 0, chances.first(), 0.0)
        starts = played / played.sum(), chances.first()
    name = f"preflop model at {stack} bb"
    return BucketModel(tree, chances, last=2, starts=starts, kinds=kinds_of(tree, chances), name=name)


def postflop_models(model: BucketModel, forced: tuple[Floats, Floats]) -> dict[int, BucketModel]:
    """The models of step 4 by the first node of the flop, after the forced play of a preflop model."""
    tree, acted, models = model.tree, decisions_below(model.tree), {}
    for deal in np.flatnonzero((tree.player == DEAL) & (tree.street == 0) & acted).tolist():
        entry = int(tree.child[deal])
        starts = tuple(_range(model, seat, forced[seat], entry) for seat in (0, 1))
        name = f"postflop model after {tree.line(deal)}"
        models[entry] = BucketModel(
            tree, model.chances, entry, tree.n_streets - 1, (starts[0], starts[1]), model.kinds, name=name
        )
    return models


def _range(model: BucketModel, seat: int, behaviour: Floats, entry: int) -> Floats:
    """The probability of each bucket for a player who reached the flop."""
    tree, kinds = model.tree, (model.kind(0), model.kind(entry))
    weight = model.chances.first() if model.starts is None else model.starts[seat]
    for above, choice in reversed(tree.choices_to(int(tree.parent[entry]))):
        if tree.player[above] == seat:
            weight = weight * model.table(seat, behaviour, above)[:, choice]
    weights = weight @ model.chances.move(0, kinds)
    return np.asarray(weights / weights.sum())


def solve_bot(
    stack: int,
    chances: BucketChances,
    solve: Solves,
    *,
    menu: str = MENU,
    folds: bool = False,
    watch: Watch | None = None,
) -> tuple[Bot, list[SolvedModel]]:
    """Steps 3 and 4, and the models solved for them."""
    model, parts = preflop_model(stack, chances, menu, folds), []
    tree, starts = model.tree, _starts(stack, menu, chances.sizes())
    shares = np.zeros(int(starts[-1]), dtype=np.uint8)

    def solved(model: BucketModel, share: float = 0.0) -> ProgramSolution:
        began = time.perf_counter()
        solution = solve(model, share)
        took = time.perf_counter() - began
        form = factored_form(model)
        name = model.name + (f", {share:.0%} forced" if share else "")
        parts.append(
            SolvedModel(
                name, model.size(), solution.value, of_plans(form, form.plans(solution.profile)).exploitability, took
            )
        )
        return solution

    def keep(model: BucketModel, solution: ProgramSolution, street: int | None = None) -> None:
        for seat in (0, 1):
            for node in model.decisions[seat].tolist():
                if street is None or tree.street[node] == street:
                    rows = np.rint(STEPS * model.table(seat, solution.profile[seat], node)).astype(np.uint8)
                    shares[starts[node] : starts[node + 1]] = rows.ravel()

    keep(model, solved(model), 0)
    if folds:
        shares[: tree.count[0]] = np.where(np.arange(tree.count[0]) == 0, STEPS, 0)  # the worst bucket's first action
    after = postflop_models(model, solved(model, FORCED).profile)
    for number, (_, postflop) in enumerate(after.items()):
        keep(postflop, solved(postflop))
        if watch is not None:
            watch(Progress(number + 1, len(after), "preflop lines", unit="lines"))
    return Bot(stack, chances, shares, menu), parts


# --- files -----------------------------------------------------------------------------------------------------------


def save_bot(path: str | Path, bot: Bot) -> None:
    """Write a bot as one sealed archive; the same bot gives the same bytes."""
    head = {"format": FORMAT, "stack": bot.stack, "menu": bot.menu, "buckets": bot.chances.text, "made": bot.made}
    arrays = {"shares": bot.shares, **bot.chances.arrays(), **bot.parts}
    members: dict[str, Any] = {"bot.json": (json.dumps(head, indent=1) + "\n").encode()}
    write_archive(path, members | {f"{name}.npy": array for name, array in arrays.items()}, squeeze=True)


def load_bot(path: str | Path) -> Bot:
    """Read what `save_bot` wrote; a strategy that does not fit its game raises an error."""
    members, sealed = read_archive(path, "a bot")
    head = parsed(path, lambda: dict(json.loads(bytes(members["bot.json"]))), "a bot")
    if head.get("format") != FORMAT or not sealed:
        raise DataError(f"{path} is not a bot of this kind, or it is damaged: give another file")
    arrays = {name.removesuffix(".npy"): array for name, array in members.items() if isinstance(array, np.ndarray)}
    bot = parsed(path, lambda: _bot_in(head, arrays), "a bot")
    wanted = int(bot._starts[-1])
    if len(bot.shares) != wanted:
        raise DataError(
            f"{path} has {len(bot.shares):,} shares, and the game of {bot.stack} bb with the menu {bot.menu} has "
            f"{wanted:,}: it belongs to another game"
        )
    decisions = np.flatnonzero(bot.tree.player < DEAL).tolist()
    if not all(bot.numbers(node).any(axis=1).all() for node in decisions):
        raise DataError(f"{path} has a decision at which nothing is played: make the bot again")
    return bot


def pack(table: AnyArray, size: int) -> AnyArray:
    """Buckets as bytes: four per byte if there are at most four buckets, else two."""
    bits = 2 if size <= 4 else 4
    each = 8 // bits
    flat = np.zeros(-(-table.size // each) * each, dtype=np.uint8)
    flat[: table.size] = table.ravel()
    return np.asarray(np.bitwise_or.reduce([flat[i::each] << bits * i for i in range(each)]), dtype=np.uint8)


def unpack(packed: AnyArray, size: int) -> AnyArray:
    """What `pack` packed, in one row with a few zeros at its end."""
    bits = 2 if size <= 4 else 4
    return np.stack([packed >> shift & (1 << bits) - 1 for shift in range(0, 8, bits)], axis=1).ravel()


def _bot_in(head: dict[str, Any], arrays: dict[str, AnyArray]) -> Bot:
    chances = BucketChances.read(contents.text(head["buckets"], "the text of the buckets"), arrays)
    kept = {name: array for name, array in arrays.items() if name.startswith(("part", "table"))}
    partitions = partitions_from(kept, chances.streets)
    wanted = [[size] * len(won) for size, won in zip(chances.sizes(), chances.won, strict=True)]
    if [[partition.size for partition in many] for many in partitions] != wanted:
        raise ValueError("its buckets are not those that its chances are of")
    stack, menu = contents.count(head["stack"], "the stack"), contents.text(head["menu"], "the menu")
    shares = contents.array(arrays["shares"], "the list of shares", "u")
    bot = Bot(stack, chances, shares, menu, kept, contents.mapping(head["made"], "how it was made"))
    if bot.tree.n_streets != chances.streets:
        raise ValueError("its buckets are not those of all streets")
    return bot


@cache
def shipped_bot(stack: float, variant: str = "") -> Bot:
    """The paper's bot for a stack in big blinds, or one of its variants."""
    name = f"aggrobot:{variant}" if variant else "aggrobot"
    stacks = VARIANTS[variant].stacks if variant else STACKS
    if stack not in stacks:
        known = ", ".join(map(str, stacks))
        raise UserError(f"{name} ships for stacks of {known} big blinds, not {stack:g}: play it with one of these")
    return load_bot(DATA / f"{name.replace(':', '-')}-{stack:g}.headsup")
