"""Solutions: a strategy with its origin and its exploitability.

A `Solution` is saved as one file, a ZIP archive with

- `solution.json`: `format` ("headsup-solution"), `format_version`, `headsup` (the version that wrote it), `game`,
  `method`, `params`, `iterations`, `seconds`, `value`, `exploitability`, `epsilon`, `seed`, `history`, a list of
  [iteration, seconds, exploitability], `content`, the checksum of the game itself, and `source`, its text if it came
  from an `.efg` file or is a spot, so that the record can be measured without that file;
- `strategy0.npy` and `strategy1.npy`: each player's behaviour strategy, one float64 a sequence in the order of the
  game's sequence form, in NumPy's own array format; of a game of betting and boards, [boards, rows, hands] a street;
- where they were measured, `best`, what a best response of each player wins;
- where hands were locked, `locks`, their texts, and `exploitability_locked` in the JSON, and the arrays
  `locked0.npy`, `share0.npy` and the same for player 1;
- where it was solved in buckets, `strategy0.npy` and `strategy1.npy` are numbers by bucket
  (`headsup.games.holdem.bucketed`), of 4, 8 or 16 bits a probability if they were packed (`BucketStrategy.stored`),
  and the JSON's `buckets` is the text that makes the buckets, or null where their tables are in the file
  (`headsup.abstraction.hands.named`);
- where regrets were kept, `regret0.npy`, `regret_scale0.npy` and the same for player 1
  (`headsup.solve.records.regrets`).

Checkpoints are files of the same kind (`format` "headsup-checkpoint") with the solver's arrays instead. Neither
contains code. `headsup.common.files` writes them whole or not at all, and detects every changed byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from headsup.abstraction.hands.named import NamedBuckets
from headsup.common import contents
from headsup.common.archives import load_record, save_record
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import as_path, cores, door
from headsup.common.contents import chances
from headsup.common.display import finite
from headsup.common.errors import DataError, UserError
from headsup.common.files import Missing, about_file, parsed
from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.poker import Poker
from headsup.games.contract.game import Game
from headsup.games.holdem.bucketed import BucketStrategy, packed
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame, tables
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.measure.measurement import Measurement
from headsup.solve.records.regrets import decisions_of
from headsup.version import __version__

if TYPE_CHECKING:
    from headsup.games.walk.walk import Policy

UNIT = 8000  # what a probability of 1 is in int16


@dataclass(frozen=True, eq=False)
class Locks:
    """Hands with fixed strategies that do not learn, as positions in each seat's arrays, while all others do.

    Strategies are read in proportion to what is positive, so the probabilities are written into regrets, predictions
    and the cumulative strategy, before the first step and after every walk of the seat. In int16 they are whole
    8000ths, a quarter of the range, so they never decide the scale of the hands that learn.
    """

    cells: tuple[AnyArray, AnyArray]
    """int64, ascending: places in the seat's arrays [boards, rows, hands] of every street in turn."""
    probabilities: tuple[Floats, Floats]  # what stands there; all actions of a hand at a decision are locked, or none
    texts: tuple[str, ...] = ()  # the locks as they were written

    @classmethod
    def none(cls) -> Locks:
        nothing = np.zeros(0, dtype=np.int64)
        return cls((nothing, nothing), (np.zeros(0), np.zeros(0)))

    @classmethod
    def at(
        cls, game: VectorGame, node: int, boards: list[int], rows: list[Floats], masks: list[AnyArray], text: str
    ) -> Locks:
        """The hands of a mask at one decision on some boards, [actions, hands] on each."""
        seat, street = int(game.betting.player[node]), int(game.betting.street[node])
        n, hands = int(game.rounds.count[node]), game.showdown.sizes[seat]
        begin = int(game.layout[seat][street]) + int(game.rounds.row[node]) * hands
        cells, probabilities = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
        for board, row, mask in zip(boards, rows, masks, strict=True):
            chosen, low = np.flatnonzero(mask), begin + board * int(game.rounds.rows[seat, street]) * hands
            cells.append((low + hands * np.arange(n)[:, None] + chosen).ravel())
            probabilities.append(row[:, chosen].ravel())
        every, locked = np.concatenate(cells), np.concatenate(probabilities)
        order = np.argsort(every)
        mine, other = (every[order], locked[order]), (np.zeros(0, dtype=np.int64), np.zeros(0))
        first, second = (mine, other) if seat == 0 else (other, mine)
        return cls((first[0], second[0]), (first[1], second[1]), (text,))

    def __or__(self, other: Locks) -> Locks:
        """Both; where both lock a hand, the second one counts."""
        cells, probabilities = [], []
        for seat in (0, 1):
            every = np.concatenate([other.cells[seat], self.cells[seat]])
            distinct, first = np.unique(every, return_index=True)
            cells.append(distinct)
            probabilities.append(np.concatenate([other.probabilities[seat], self.probabilities[seat]])[first])
        return Locks((cells[0], cells[1]), (probabilities[0], probabilities[1]), (*self.texts, *other.texts))

    def __bool__(self) -> bool:
        return any(len(cells) for cells in self.cells)

    def __repr__(self) -> str:
        return f"<Locks: {'; '.join(self.texts) or 'none'}>"

    def values(self, seat: int, dtype: Any) -> AnyArray:
        """The probabilities as a store of this type has them."""
        whole = np.dtype(dtype).kind == "i"
        return (np.rint(self.probabilities[seat] * UNIT) if whole else self.probabilities[seat]).astype(dtype)

    def on(self, policy: Policy) -> Policy:
        """The policy with the locks in it."""
        return self._put(policy[0].copy(), policy[1].copy())

    def held(self, policy: Policy) -> Policy:
        """For best responses within the locks: probabilities where hands are locked, -1 where they are free."""
        return self._put(*(np.full(len(numbers), -1, numbers.dtype) for numbers in policy))

    def _put(self, *arrays: AnyArray) -> Policy:
        for seat, array in enumerate(arrays):
            array[self.cells[seat]] = self.values(seat, array.dtype)
        return arrays[0], arrays[1]

    def checksum(self) -> str:
        digest = hashlib.sha256()
        for array in (*self.cells, *self.probabilities):
            digest.update(array.tobytes())
        return digest.hexdigest()

    def arrays(self) -> dict[str, AnyArray]:
        named = {"locked": self.cells, "share": self.probabilities}
        return {f"{name}{seat}": pair[seat] for name, pair in named.items() for seat in (0, 1)}

    @classmethod
    def of(cls, arrays: dict[str, AnyArray], texts: tuple[str, ...]) -> Locks:
        cells, probabilities = ([arrays[f"{name}{seat}"] for seat in (0, 1)] for name in ("locked", "share"))
        for place, probability in zip(cells, probabilities, strict=True):
            chances(probability, "a lock")
            if place.dtype.kind != "i" or place.shape != probability.shape or (np.diff(place) <= 0).any():
                raise ValueError("the locks are not a list of places with their probabilities")
        return cls((cells[0], cells[1]), (probabilities[0], probabilities[1]), texts)

    def decisions(self, game: VectorGame, seat: int) -> list[tuple[int, AnyArray]]:
        """Decisions of a seat with locked hands: how many actions they have, and their first rows on all boards."""
        hands, decisions = game.showdown.sizes[seat], []
        rows = np.unique(self.cells[seat] // hands)
        for _, s, here in decisions_of(game, seat):
            low, high = (int(at) // hands for at in game.layout[seat][s : s + 2])
            mine = rows[(rows >= low) & (rows < high)]
            first = mine[(mine - low) % int(game.rounds.rows[seat, s]) == here.start]
            if len(first):
                decisions.append((here.stop - here.start, first))
        return decisions


MOST_SOURCE = 1 << 26  # the longest text of a game that a record holds, in bytes

FIGURES = ("value", "exploitability", "epsilon")

History = contents.History


@dataclass(frozen=True)
class Solution:
    """The result of a solver. Values are in chips for each game played; the exploitability averages both seats."""

    game: str
    method: str
    params: Mapping[str, Any]
    iterations: int
    seconds: float
    value: float
    exploitability: float
    epsilon: float
    strategy: Profile = field(repr=False)
    history: History = field(default=(), repr=False)
    seed: int = 0
    version: str = __version__
    content: str = field(default="")  # the checksum of the game; empty in old records
    source: str | None = field(default=None)  # the text of the game, where it came from an `.efg` file or is a spot
    job: str = field(default="", repr=False, compare=False)
    """The fingerprint of the job of the web interface that it was solved for."""
    locks: Locks | None = field(default=None, repr=False, compare=False)  # hands with fixed strategies
    exploitability_locked: float | None = None
    """The exploitability if best responses must keep to the locks; `exploitability` is that of the real game."""
    regrets: Mapping[str, AnyArray] = field(default_factory=dict, repr=False, compare=False)
    """The solver's regrets, if kept to resume from (`headsup.solve.records.regrets`)."""
    buckets: NamedBuckets | None = field(default=None, repr=False, compare=False)
    """The buckets of the strategy, if it was solved in buckets."""
    file: str = field(default="", repr=False, compare=False)  # the file that it was read from, for error messages
    form: SequenceForm | VectorGame | None = field(default=None, compare=False)
    """The form whose order `strategy` has; not saved, since it follows from the name or text of the game."""
    stopped: bool = field(default=False, repr=False, compare=False)  # whether Ctrl-C ended the run early; not saved
    unsaved: DataError | None = field(default=None, repr=False, compare=False)
    """Why the last checkpoint could not be written, if so; not saved."""
    best: tuple[float, float] | None = field(default=None, repr=False, compare=False)
    """What a best response of each player wins; unknown in old records."""

    def finished(self) -> Solution:
        """This record; `KeyboardInterrupt` if Ctrl-C ended its run early, the error if its checkpoint was lost."""
        if self.unsaved is not None:
            raise self.unsaved
        if self.stopped:
            raise KeyboardInterrupt
        return self

    def __repr__(self) -> str:
        how = f"{self.method}, {self.iterations:,} iterations" if self.iterations else self.method
        figures = f"value {self.value:+.6g}, exploitability {self.exploitability:.3g}"
        return f"<Solution of {self.game} by {how}: {figures}>"

    def _repr_html_(self) -> str:
        from headsup.common.display import table

        how = f"{self.method}, {self.iterations:,} iterations" if self.iterations else self.method
        figures = (("by", how), ("value", f"{self.value:+.6g}"), ("exploitability", f"{self.exploitability:.3g}"))
        return table(f"Solution of {self.game}", (), figures)

    def table(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """For each player, information set -> action -> probability; `measure` reads it back."""
        form = self.played_form()
        if isinstance(form, VectorGame):
            return tables(form, self.in_game(form))
        first, second = form.seats
        return first.table(self.strategy[0]), second.table(self.strategy[1])

    def in_game(self, game: VectorGame) -> Strategy:
        """The strategy in a game of betting and boards."""
        with about_file(self.file):
            if self.buckets is None:
                return ArrayStrategy(game, self.strategy)
            return BucketStrategy(game, self.buckets.on(game), self.strategy)

    def packed(self, bits: int) -> Solution:
        """The same solution with the probabilities of buckets in 4, 8 or 16 bits, measured again."""
        from headsup.measure.exploit import measure

        form = self.played_form()
        if self.buckets is None or not isinstance(form, VectorGame):
            raise UserError("a solution is packed if it was solved in buckets: this one was not")
        strategy = packed(BucketStrategy(form, self.buckets.on(form), self.strategy), bits)
        measured = measure(form, strategy, threads=cores())
        return replace(
            self,
            strategy=strategy.stored(),
            params={**self.params, "bits": bits},
            value=measured.value,
            exploitability=measured.exploitability,
            epsilon=measured.epsilon,
            best=measured.best,
        )

    def marks(self) -> tuple[dict[str, str], dict[str, str]]:
        """For each player, the information sets whose strategies are unreliable, and why: see `Seat.marks`."""
        form = self.played_form()
        return ({}, {}) if isinstance(form, VectorGame) else form.marks(self.strategy)

    def columns(self) -> dict[str, list[Any]]:
        """One row an action of an information set, as columns of equal length, ready for a data frame."""
        rows = [
            (player, name, action, probability)
            for player, table in enumerate(self.table())
            for name, row in table.items()
            for action, probability in row.items()
        ]
        return {key: [row[i] for row in rows] for i, key in enumerate(("player", "infoset", "action", "share"))}

    def played_form(self) -> SequenceForm | VectorGame:
        """The form that was solved, or that of the game by name; a game of betting and boards is its own form."""
        form = self.form
        if form is None:
            played = self.played()
            if self.buckets is not None:
                return vector_game(played)
            vector = isinstance(played, VectorGame) and ArrayStrategy.fits(played, self.strategy)
            form = played if vector and isinstance(played, VectorGame) else sequence_form(played)
        if isinstance(form, VectorGame):
            return form
        if any(len(numbers) != seat.n_sequences for numbers, seat in zip(self.strategy, form.seats, strict=True)):
            name = self.file or "this solution"
            raise DataError(f"{name} is not one of the game that is called {self.game} now: solve it again")
        if self.form is None:
            with about_file(self.file):
                for seat, numbers in zip(form.seats, self.strategy, strict=True):
                    seat.check(numbers)
        return form

    def summary(self) -> dict[str, Any]:
        """The record without its strategy, as plain JSON values; a figure that is unknown is null."""
        figures = {name: finite(getattr(self, name)) for name in FIGURES}
        return {**self._meta(), **figures, **self.in_mbb()}

    def in_mbb(self) -> dict[str, Any]:
        """The figures that every JSON answer has, in mbb/g; those that are unknown are null."""
        unit = getattr(self.played() if self.form is None else self.form, "unit", 1.0)
        best: dict[str, Any] = {seat: self.params.get(f"reply_{seat}_mbb") for seat in ("sb", "bb")}
        if self.best is not None:
            best = {**Measurement(self.game, (self.value, -self.value), self.best, unit).best_response_mbb}
        exploitability = finite(1000.0 * self.exploitability / unit)
        return {
            "exploitability_mbb": exploitability,
            "best_response_mbb": None if None in best.values() else best,
            "value_mbb": finite(1000.0 * self.value / unit),
            "exact": None if exploitability is None else True,
        }

    def _meta(self) -> dict[str, Any]:
        names = ("game", "method", "params", "iterations", "seconds", *FIGURES, "seed", "version")
        return {name: plain(getattr(self, name)) for name in names}

    def save(self, path: str | Path) -> None:
        meta = {**self._meta(), "history": [list(point) for point in self.history]}
        meta["headsup"] = meta.pop("version")
        meta |= {"content": self.content, "source": self.source, **({"job": self.job} if self.job else {})}
        meta |= {} if self.best is None else {"best": list(self.best)}
        arrays: dict[str, AnyArray] = {"strategy0": self.strategy[0], "strategy1": self.strategy[1]}
        if self.locks:
            meta |= {"locks": list(self.locks.texts), "exploitability_locked": self.exploitability_locked}
            arrays |= self.locks.arrays()
        if self.buckets:
            meta |= {"buckets": self.buckets.text, "buckets_checksum": self.buckets.checksum}
            arrays |= self.buckets.arrays()
        form = self.played_form() if self.regrets else None
        if isinstance(form, VectorGame):
            from headsup.solve.records.regrets import packed

            arrays |= packed(form, self.regrets)
        save_record(path, "headsup-solution", meta, arrays)

    @classmethod
    @door(path=as_path)
    def load(cls, path: str | Path, regrets: bool = True, mapped: bool = False) -> Solution:
        """Read a record, with or without its regrets; `mapped` is that of `read_archive`."""
        meta, arrays = load_record(path, "headsup-solution", () if regrets else ("regret",), mapped)
        try:
            return replace(parsed(path, lambda: cls._from(meta, arrays)), file=str(path))
        except DataError as error:
            raise DataError(f"{path} lacks a part of a solution ({error.__cause__}): solve the game again") from error

    @classmethod
    def _from(cls, meta: dict[str, Any], arrays: dict[str, AnyArray]) -> Solution:
        params = contents.mapping(meta["params"], "params")
        # regrets, which a current strategy is in proportion to, may be below 0
        check = contents.array if params.get("strategy") == "current" else contents.weights
        strategy = tuple(np.ascontiguousarray(check(arrays[f"strategy{seat}"], "a strategy")) for seat in (0, 1))
        source, locks = meta.get("source"), None
        if "locks" in meta:
            texts = contents.items(meta["locks"], "the locks")
            locks = Locks.of(arrays, tuple(contents.text(text, "a lock") for text in texts))
            for seat, cells in enumerate(locks.cells):
                if cells.size and not 0 <= cells[0] <= cells[-1] < len(strategy[seat]):
                    raise ValueError("a lock is of a hand that the strategy does not have")
        text = meta.get("buckets")
        buckets = None
        if "buckets" in meta:
            text = None if text is None else contents.text(text, "buckets")
            buckets = NamedBuckets.read(text, arrays, contents.text(meta.get("buckets_checksum", ""), "a checksum"))
        best = contents.numbers(meta["best"], "the best responses") if "best" in meta else None
        if best is not None and len(best) != 2:
            raise ValueError("there are not two best responses")
        return cls(
            game=contents.text(meta["game"], "the game"),
            method=contents.text(meta["method"], "the method"),
            params={key: _back(value) for key, value in params.items()},
            iterations=contents.count(meta["iterations"], "the number of iterations"),
            seconds=contents.number(meta["seconds"], "the time", 0.0),
            value=contents.measured(meta["value"], "the value"),
            exploitability=contents.measured(meta["exploitability"], "the exploitability", -contents.NOISE),
            epsilon=contents.measured(meta["epsilon"], "epsilon", -contents.NOISE),
            best=None if best is None else (best[0], best[1]),
            strategy=(strategy[0], strategy[1]),
            history=contents.history(meta["history"]),
            seed=contents.count(meta["seed"], "the seed"),
            version=contents.text(meta["headsup"], "the version"),
            content=contents.text(meta.get("content", ""), "the checksum of the game"),
            source=None if source is None else contents.text(source, "the text of the game"),
            job=contents.text(meta.get("job", ""), "the job"),
            locks=locks,
            exploitability_locked=contents.exploitability(meta["exploitability_locked"]) if locks else None,
            buckets=buckets,
            regrets={n: contents.array(array, "the regrets") for n, array in arrays.items() if n.startswith("regret")},
        )

    def played(self) -> Game | VectorGame:
        """The game that was solved; see `solved_game`."""
        with about_file(self.file):
            return solved_game(self.game, self.content, self.source)


def vector_game(game: Any) -> VectorGame:
    """A game as betting, boards and a showdown."""
    if isinstance(game, VectorGame):
        return game
    if not isinstance(game, Poker):
        raise UserError(f"{game} is not betting, boards and a showdown, so it has no buckets: leave them out")
    return game.vector()


def solved_game(name: str, content: str, source: str | None) -> Game | VectorGame:
    """The game of a record: from its text if it has one (an existing `.efg` file must agree), else by its name."""
    from headsup.games.catalogue.names import game
    from headsup.games.holdem.spot import Spot, is_spot
    from headsup.games.trees.efg import parse_efg, read_efg

    if is_spot(name) and source is not None:
        return Spot.parse(source).game()
    if not name.endswith(".efg") or not content:
        return game(name)
    try:
        now = read_efg(name)
    except Missing:
        if source is None:
            raise
        return parse_efg(source, name)
    if now.text != source and sequence_form(now).checksum != content:
        raise UserError(
            f"{name} is another game than the one that was solved: solve it again, or add "
            f"--game {name} to measure the old strategies in it"
        )
    return now


def plain(value: Any) -> Any:
    """A value as it is saved; infinities and functions become text."""
    if callable(value):
        return getattr(value, "__name__", str(value))
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def _back(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf", "nan") else value
