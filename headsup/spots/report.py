"""Flop reports: one spot solved on every flop, or on a weighted subset, with averages by texture.

Each flop is a packet (`headsup.common.distribute`), so interrupted work resumes and flops solved before are reused.
Averages weight a flop by the flops it stands for and the probability that both ranges allow it, at later decisions also
by reach. The average equity is known exactly: on a subset its error is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import cards_name, mask_of, parse_cards
from headsup.cards.games import OMAHA_GAMES, hand_size
from headsup.cards.ranges import Range, parse_range
from headsup.common import contents, distribute
from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_path, as_text, check_device, door, of_kind, parse_float, whole
from headsup.common.display import csv_text, jsonable
from headsup.common.errors import DataError, MissingExtra, UserError
from headsup.common.files import (
    Unlogged,
    fingerprint,
    json_text,
    own_json,
    read_text,
    replacing,
    telling_full_disk,
    write_text,
)
from headsup.common.plot import bar_chart
from headsup.common.progress import Progress, Watch
from headsup.common.shards.merge import seal
from headsup.common.shards.shard import Shard
from headsup.equity.api import equity
from headsup.equity.holdem.flop_subsets import FlopSubset, flop_masses, flop_subset
from headsup.evaluate.texture import GROUPS, textures
from headsup.games.betting.line import parse_line
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.spot import HOLDEM, Spot
from headsup.spots.solve import METHOD, TARGET, solve_spot

FUNCTION = "headsup.spots.report:solve_flop"
WHAT = "flops"
ALL_RENAMINGS = (1 << 24) - 1


@dataclass(frozen=True, eq=False)
class FlopList:
    names: tuple[str, ...]
    counts: Floats  # [n] how many flops each stands for
    masses: Floats  # [n] how likely both ranges make each of those, in proportion; none is 0
    subset: FlopSubset | None = None
    all: bool = False

    @property
    def shares(self) -> Floats:
        """[n] the weight of each flop, adding up to 1."""
        weights = self.counts * self.masses
        return np.asarray(weights / weights.sum())

    @cached_property
    def textures(self) -> dict[str, Any]:
        """For each group of textures, the index of each flop's texture."""
        return textures([parse_cards(name) for name in self.names])

    def only(self, names: Collection[str]) -> FlopList:
        """Some of the flops: all of them, or a list that stands for no others."""
        keep = [i for i, name in enumerate(self.names) if name in names]
        if len(keep) == len(self.names):
            return self
        return FlopList(tuple(self.names[i] for i in keep), self.counts[keep], self.masses[keep])

    def by_texture(self) -> Iterator[tuple[str, str, Any]]:
        """All flops first, then those of each texture that any has: the group, the texture, and a mask of the flops."""
        yield "all", "all flops", np.ones(len(self.names), dtype=bool)
        for group, words in GROUPS.items():
            for i, word in enumerate(words):
                if (here := self.textures[group] == i).any():
                    yield group, word, here


@door(oop=of_kind(str, Range), ip=of_kind(str, Range), dead=as_text, which=of_kind(str, int), variant=as_text)
def flop_list(
    oop: str | Range, ip: str | Range, dead: str = "", which: str | int = "all", variant: str = ""
) -> FlopList:
    """`all` flops, the size of a shipped subset, or a file with one flop a line, optionally with weights.

    `variant` is that of the spot: omaha or omaha8, whose flops take too long to solve all of them.
    """
    gone, text, game = parse_cards(dead), str(which).strip(), variant or HOLDEM
    if text == "all" and game in OMAHA_GAMES:
        raise UserError(
            f"a report of {game} is of some flops: give a subset of 9, 25, 49, 95 or 184, or a file of flops"
        )
    weights = tuple(parse_range(str(given), game).without(mask_of(gone)).weights for given in (oop, ip))
    tree, subset = BoardTree((), (0, 3), ranges=weights, dead=gone, held=hand_size(game)), None
    if text == "all":
        level = tree.levels[1]
        flops, counts = np.asarray(level.cards), level.count.astype(np.float64)
    elif text.isascii() and text.isdigit():
        if tree.group != ALL_RENAMINGS:
            raise UserError(
                "the ranges or dead cards tell suits apart, and a subset of flops stands for flops up to suits: "
                "give all, or a file of flops"
            )
        try:
            subset = flop_subset(int(text))
        except UserError as error:
            raise UserError(f"{error}, or all") from None
        flops, counts = subset.flops, subset.weights
    else:
        flops, counts = _flops_of_file(text, gone)
    masses = flop_masses(flops, (weights[0], weights[1]))
    if not (masses > 0.0).any():
        raise UserError("no two hands of the ranges can be dealt on any of these flops: widen a range")
    keep = np.flatnonzero(masses > 0.0)
    names = tuple(cards_name(flops[i].tolist()[::-1]) for i in keep)
    return FlopList(names, counts[keep], masses[keep], subset, text == "all")


def _flops_of_file(path: str, dead: Sequence[int]) -> tuple[Any, Floats]:
    flops: dict[tuple[int, ...], float] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            flop, weight = tuple(sorted(parse_cards(words[0]))), parse_float(words[1]) if len(words) > 1 else 1.0
        except ValueError as error:
            raise DataError(f"{path}, line {number}: {error}") from None
        if len(flop) != 3 or len(words) > 2 or not 0.0 < weight < np.inf:
            raise DataError(f"{path}, line {number}: write three cards and perhaps a weight above 0, as QsJh2h 24")
        if set(flop) & set(dead):
            raise DataError(f"{path}, line {number}: {words[0]} has a dead card: leave it out")
        if flop in flops:
            raise DataError(f"{path}, line {number}: {words[0]} is there twice: leave one out")
        flops[flop] = weight
    if not flops:
        raise DataError(f"{path} has no flop in it: write one a line, as QsJh2h")
    return np.array(list(flops), dtype=np.uint8), np.array(list(flops.values()))


def solve_flop(job: str, spot: str, line: str, threads: int, **how: Any) -> bytes:
    """One packet: the figures of a solved flop, at its root and at the decision of a line."""
    solved = solve_spot(Spot.parse(spot), threads=threads, **how)
    solved.solution.finished()
    view = solved.at(line)
    ranges = np.zeros((2, len(solved.spot.ranges[0].weights)))
    ranges[0, view.combos], ranges[1, view.opponent.combos] = view.reach, view.opponent.reach
    names = ("exploitability_pot", "value_oop", "value_ip", "equity_oop", "iterations")
    flop = np.array([solved.spot.cards], dtype=np.uint8)
    content = {"job": job, "flop": solved.spot.board, **{name: getattr(solved, name) for name in names}} | {
        "player": view.player,
        "pot": view.pot,
        "comes": float(flop_masses(flop, (ranges[0], ranges[1]))[0] / solved.game.mass),
        "actions": list(view.actions),
        **{key: view.totals[key] for key in ("frequencies", "ev", "equity")},
    }
    return json_text(jsonable(content)).encode()


def _check(row: dict[str, Any]) -> None:
    """Raise an error if this cannot come from `solve_flop`; null stands for values that do not exist."""
    for name in ("exploitability_pot", "value_oop", "value_ip", "equity_oop", "iterations", "pot", "comes"):
        contents.number(row[name], name)
    for name in ("ev", "equity"):
        if row[name] is not None:
            contents.number(row[name], name)
    contents.text(row["flop"], "the flop")
    contents.text(row["player"], "the player")
    names = [contents.text(item, "an action") for item in contents.items(row["actions"], "the actions")]
    shares = [item for item in contents.items(row["frequencies"], "the frequencies") if item is not None]
    most = max((contents.number(item, "a frequency", 0.0) for item in shares), default=0.0)
    if len(row["frequencies"]) != len(names) or most > 1.0 + contents.NOISE:
        raise ValueError("the frequencies are not those of the actions")


@door(
    spot=of_kind(Spot),
    folder=as_path,
    flops=of_kind(str, int),
    line=as_text,
    method=as_text,
    store=as_text,
    device=check_device,
    engine=as_text,
    jobs=whole,
    address=as_text,
    progress=as_call,
    shard=of_kind(Shard),
)
def make_report(
    spot: Spot,
    folder: str | Path,
    flops: str | int = "all",
    *,
    line: str = "",
    target: float | None = TARGET,
    iterations: int | None = None,
    method: str = METHOD,
    store: str = "float32",
    device: str = "cpu",
    engine: str = "local",
    jobs: int | None = None,
    address: str | None = None,
    progress: Watch | None = None,
    shard: Shard | None = None,
) -> Report:
    """Solve a spot on many flops, whatever its own board is, and write the report into a folder.

    `flops` is `all`, the size of a subset, or a file's name. With a shard only its flops are solved, and `ShardDone` is
    raised in place of a report. If the report cannot be written, `Unlogged` is raised with it.

    After Ctrl-C the report is of the flops that are done, has `stopped` set and is not written; `KeyboardInterrupt` if
    there are none. Call it again to resume.
    """
    if device != "cpu" and jobs not in (None, 1) and engine == "local":
        raise UserError("one process at a time uses the GPU: leave --jobs out")
    listed, place = flop_list(spot.oop, spot.ip, spot.dead, flops, spot.variant), Path(folder)
    how = {"line": line, "target": target, "iterations": iterations, "method": method, "store": store, "device": device}
    first = spot.with_(board=listed.names[0])  # reports mistakes before any work
    _check_line(first, line)
    work: dict[str, Any] = {"engine": engine, "jobs": jobs, "address": address, "progress": progress, "shard": shard}
    with distribute.locked(place, shard), telling_full_disk(place):
        rows = each_flop(FUNCTION, first, listed, place, "a report with another", how, _check, **work)
        left = len(listed.names) - len(rows)
        report = Report(spot, line, listed.only(rows.keys()), list(rows.values()), left)
        if report.stopped:
            return report
        try:
            report.write(place)
        except DataError as error:
            raise Unlogged(report, error) from error
        return report


def each_flop(
    function: str,
    spot: Spot,
    flops: FlopList,
    folder: Path,
    what: str,
    how: dict[str, Any],
    check: Callable[[dict[str, Any]], object],
    *,
    engine: str = "local",
    jobs: int | None = None,
    address: str | None = None,
    progress: Watch | None = None,
    shard: Shard | None = None,
) -> dict[str, dict[str, Any]]:
    """For each flop the row that `function` makes from the spot there and the options `how`; the folder keeps them.

    Flops are solved in a random order, and after Ctrl-C those that are done have rows; `KeyboardInterrupt` if there are
    none. Rows that `check` refuses are made again. `what` is in the complaint about a folder
    of other options (`headsup.common.distribute.settle`). The caller holds the folder's lock.
    """
    rest, done, on_gpu = _without_board(spot), folder / "solved", how["device"] != "cpu"
    distribute.settle(folder, what, {"spot": rest, **how})
    done.mkdir(exist_ok=True)
    distribute.clear_scratch(done, shard)
    names = flops.names if shard is None else shard.pick(flops.names)
    packets, jobs_of, stopped = [], {}, False
    for name in np.random.default_rng(0).permutation(names).tolist():
        arguments = {"spot": f"board: {name}\n{rest}", "threads": 1, **how}
        jobs_of[name] = fingerprint(arguments)
        if own_json(done / f"{name}.json", jobs_of[name], check) is None:
            packets.append(distribute.Packet(done / f"{name}.json", {"job": jobs_of[name], **arguments}))
    count = len(names) - len(packets)

    def tell(packet: distribute.Packet | None) -> None:
        nonlocal count
        count += packet is not None
        if progress is not None:
            progress(Progress(count, len(names), WHAT, unit=WHAT))

    try:
        tell(None)
        if packets:
            processes = 1 if on_gpu and engine == "local" else jobs
            distribute.run(function, packets, engine, processes, address, gpus=float(on_gpu), done=tell)
    except KeyboardInterrupt:
        if count == 0 or shard is not None:
            raise
        stopped = True
    if shard is not None:
        raise seal(folder, shard, [done / f"{name}.json" for name in names])
    rows = {name: own_json(done / f"{name}.json", jobs_of[name], check) for name in names}
    missing = [name for name, row in rows.items() if row is None]
    if missing and not stopped:
        raise DataError(f"{missing[0]} was solved, but its figures are damaged: run the same again")
    return {name: row for name, row in rows.items() if row is not None}


def _check_line(spot: Spot, line: str) -> None:
    """A line must lead to a decision on the flop: later cards differ between flops."""
    tree, node = spot.tree, 0
    for step in parse_line(line) if line.strip() else ():
        node = tree.after(node, step)
        if tree.player[node] >= DEAL:
            raise UserError(f"after '{line.strip()}' nobody acts on the flop any more: leave the end out")


def _without_board(spot: Spot) -> str:
    return "".join(line for line in spot.text().splitlines(keepends=True) if not line.startswith("board:"))


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A spot on many flops."""

    spot: Spot  # its board is one of them, or any
    line: str
    flops: FlopList
    rows: list[dict[str, Any]]  # the figures of each flop
    left: int = 0  # flops that are missing after Ctrl-C

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended it early."""
        return self.left > 0

    def __repr__(self) -> str:
        every = self.textures()[0]
        shares = ", ".join(f"{action} {every[f'frequency {action}']:.1%}" for action in self.actions)
        return f"<Report on {self.done}: oop wins {every['value_oop']:.3f} of {self.spot.pot:,}; {shares}>"

    @property
    def done(self) -> str:
        """How many flops it has, in words."""
        return f"{len(self.rows):,}" + f" of {len(self.rows) + self.left:,}" * self.stopped + " flops"

    @property
    def player(self) -> str:
        return str(self.rows[0]["player"])

    @property
    def pot(self) -> int:
        return int(self.rows[0]["pot"])

    @property
    def actions(self) -> list[str]:
        """The actions there: the same on every flop."""
        return list(self.rows[0]["actions"])

    def columns(self) -> dict[str, list[Any]]:
        """One row per flop, as columns of equal length, ready for a data frame."""
        columns: dict[str, list[Any]] = {"flop": list(self.flops.names), "stands for": self.flops.counts.tolist()}
        columns["share"] = self.flops.shares.tolist()
        for group, words in GROUPS.items():
            columns[group] = [words[i] for i in self.flops.textures[group]]
        for key in ("equity_oop", "value_oop", "value_ip", "comes"):
            columns[key] = [row[key] for row in self.rows]
        for i, action in enumerate(self.actions):
            columns[f"frequency {action}"] = [row["frequencies"][i] for row in self.rows]
        for key in ("ev", "equity", "exploitability_pot", "iterations"):
            columns[key] = [row[key] for row in self.rows]
        return columns

    def textures(self) -> list[dict[str, Any]]:
        """All flops first, then those of each texture: `group`, `texture`, `flops`, `share` and averages.

        `equity_oop`, `value_oop` and `value_ip` are at the root; frequencies, `ev` and `equity` are those of the player
        who acts at the decision reported. A texture that no flop has is left out.
        """
        return [self._average(*place) for place in self.flops.by_texture()]

    def _average(self, group: str, texture: str, here: Any) -> dict[str, Any]:
        shares, table = self.flops.shares, self._table
        row = {"group": group, "texture": texture, "flops": int(here.sum()), "share": float(shares[here].sum())}
        at_root = shares * here
        there = at_root * np.where(np.isfinite(table["ev"]), table["comes"], 0.0)
        for name, values in table.items():
            weight = at_root if name in ("equity_oop", "value_oop", "value_ip", "comes") else there
            total = weight.sum()
            row[name] = float(weight @ np.where(weight > 0.0, values, 0.0) / total) if total else float("nan")
        return row

    @cached_property
    def _table(self) -> dict[str, Floats]:
        columns = self.columns()
        names = ("equity_oop", "value_oop", "value_ip", "comes", *(f"frequency {a}" for a in self.actions))
        return {name: np.array(columns[name], dtype=np.float64) for name in (*names, "ev", "equity")}

    @cached_property
    def exact_equity(self) -> float:
        """Out of position before the flop: the average over all flops."""
        return equity(self.spot.oop, self.spot.ip, dead=self.spot.dead).equity

    def accuracy(self) -> list[str]:
        """What is exact and what is not, in sentences."""
        worst = max(row["exploitability_pot"] for row in self.rows)
        sentences = [f"Every flop is solved to an exploitability of at most {worst:.3%} of its pot, measured exactly."]
        if self.stopped:
            sentences.insert(0, f"Stopped after {self.done}, in a random order.")
        weigh = "each as likely as both ranges make it"
        if self.flops.all:
            every = f"{len(self.rows):,} flops up to suits ({int(self.flops.counts.sum()):,} in all)"
            return [f"Averages are over all {every}, {weigh}: exact.", *sentences]
        if self.spot.variant:
            about = f"Averages are over {len(self.rows):,} flops, {weigh}: not exact, and their error is not known."
            if self.flops.subset is not None:
                about += " These flops and their weights were chosen for hold'em."
            return [about, *sentences]
        off = self.textures()[0]["equity_oop"] - self.exact_equity
        about = f"Averages are over {len(self.rows):,} flops, {weigh}: not exact. For these ranges the average equity "
        about += f"of oop is off by {off:+.3%} of the pot (it is {self.exact_equity:.3%} over all flops)."
        if self.flops.subset is not None:
            subset = self.flops.subset
            about += f" For ten other pairs of ranges it was off by {subset.rms:.3%} (root mean square), "
            about += f"{subset.worst:.3%} at most."
        if self.flops.subset is not None or self.stopped:
            sentences.append("Values and frequencies may be off by more than equity is; a texture has few flops.")
        return [about, *sentences]

    def write(self, folder: Path) -> list[Path]:
        """Write flops and textures as CSV, both charts, and the whole as JSON."""
        texts = {
            "flops.csv": _csv(self.columns()),
            "textures.csv": _csv(_turned(self.textures())),
            "frequency.svg": self.chart("frequency"),
            "value.svg": self.chart("value"),
            "report.json": json_text(jsonable(self.as_dict())),
        }
        for name, text in texts.items():
            write_text(folder / name, text)
        return [folder / name for name in texts]

    def write_parquet(self, folder: Path) -> list[Path]:
        """Write flops and textures as Parquet files, which needs the `parquet` extra."""
        arrow, parquet = parquet_module()
        for name, columns in (("flops", self.columns()), ("textures", _turned(self.textures()))):
            with replacing(folder / f"{name}.parquet") as file:
                parquet.write_table(arrow.table(columns), file)
        return [folder / "flops.parquet", folder / "textures.parquet"]

    def as_dict(self) -> dict[str, Any]:
        head = {"line": self.line, "player": self.player, "pot": self.pot, "actions": self.actions}
        exact = {"exact": self.flops.all, "flops": len(self.rows), "stopped": self.stopped, "accuracy": self.accuracy()}
        return {**head, **exact, "textures": self.textures(), "spot": _without_board(self.spot)}

    def chart(self, what: str) -> str:
        """An SVG of the `frequency` of each action, or of the `value` out of position, by texture."""
        rows = [row for row in self.textures() if row["ev"] == row["ev"]]  # nan where play never comes
        where = f" after {self.line}" if self.line else ""
        if what == "frequency":
            bars = [(row["texture"], [row[f"frequency {action}"] for action in self.actions]) for row in rows]
            title = f"What {self.player} does{where}, by flop"
            return bar_chart(bars, self.actions, title=title, x="share of the range")
        bars = [(row["texture"], [row["value_oop"] / self.spot.pot, row["equity_oop"]]) for row in rows]
        title = "What oop wins of the pot, by flop"
        return bar_chart(bars, ["value", "equity"], title=title, x="share of the pot", stacked=False)


def parquet_module() -> tuple[Any, Any]:
    """PyArrow and its Parquet writer."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra("Parquet", "parquet") from error


def _turned(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    return {key: [row[key] for row in rows] for key in rows[0]}


def _csv(columns: dict[str, list[Any]]) -> str:
    return csv_text([columns, *zip(*(map(_cell, values) for values in columns.values()), strict=True)])


def _cell(value: Any) -> str:
    return "" if value is None or value != value else f"{value:.6g}" if isinstance(value, float) else str(value)


__all__ = ["FlopList", "Report", "flop_list", "make_report", "solve_flop"]
