"""The endgames that ship: one file for each game, made by `python -m headsup.endgame.make`.

Of each endgame (blinds 1:2, no ante, chips in big blinds) a file has the value of every state with both bounds, the
guarantee of playing each hand for chips, and every hand of every state that is not played as for chips. `extras`,
figures for other units, rising blinds and the like, lie beside it as JSON.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.games import check_game
from headsup.common import contents
from headsup.common.archives import read_arrays, write_arrays
from headsup.common.arrays import Floats
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed, read_json
from headsup.common.progress import Watch
from headsup.endgame.measure import Bounds, Floor, chances, confirm, hands_left, match, tallies, weights
from headsup.endgame.measure_free import check_fixed
from headsup.endgame.rules import BlindLevel, Endgame, endgame
from headsup.endgame.solve import SolvedEndgame, gains, solve_endgame
from headsup.endgame.solve_free import MOST_LEARNED, simple_free, solve_free
from headsup.equity.omaha.matchups import TABLE_COST
from headsup.games.betting.stakes import SEATS
from headsup.games.holdem.classes import Classes, check_source, class_table, has_table
from headsup.jamfold.hands import class_name

VERSION = 1
CHIPS = (4, 5, 6, 8, 10, 12, 15, 16, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)  # in all, in big blinds
LARGE = 50  # big blinds: above this only `LISTED_MOST` hands of every state and seat are listed
LISTED_MOST = 12
SAME = 1e-6  # frequencies closer than this are the same
_LISTED = ("seat", "state", "hand", "chip", "endgame", "gain")
_ROWS = (
    *("value", "low", "high", "chip_button", "chip_big", "match_button", "match_big", "hands_left"),
    *("free_button", "free_big", "limp_button", "limp_big"),
    *("more_sb", "less_sb", "more_bb", "less_bb"),
)


class Difference(NamedTuple):
    """A hand that the endgame plays otherwise than one hand for chips."""

    seat: str
    hand: int
    chip: float  # how often it is played for chips
    endgame: float
    gain: float  # what playing gains over folding in the endgame, as a chance to win; from the big blind given a jam


@dataclass(frozen=True, eq=False)
class EndgameRecord:
    rules: Endgame
    rows: dict[str, Floats]  # by name: float64[hands + 1, N + 1], by own chips in units. See `_ROWS`.
    listed: dict[str, npt.NDArray[Any]]  # the first hand's differences, as columns
    rounds: int
    confirmed: float  # by how much a response pushes the floor down in one hand, at worst: rounding
    source: str = "shipped"

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.rows["value"], self.rows["low"], self.rows["high"])

    def worth(self, chips: int, button: bool | None = None) -> tuple[float, ...]:
        """(value, low, high) of the chance to win with so many units: on the button, off it, or averaged over both."""
        value, low, high = (self.rows[name][0].tolist() for name in ("value", "low", "high"))
        left = self.rules.chips - chips
        if button is None:  # so that equal stacks are one half exactly
            pairs = ((value, value), (low, high), (high, low))
            return tuple(0.5 + (mine[chips] - theirs[left]) / 2 for mine, theirs in pairs)
        if button:
            return value[chips], low[chips], high[chips]
        return 1 - value[left], 1 - high[left], 1 - low[left]

    def loss(self, chips: int, button: bool | None = None, against: str = "chip") -> float:
        """The loss of chance from playing each hand for chips: against a best response (chip), or the plan (match)."""
        seats = [f"{against}_button", f"{against}_big"] if button is None else [f"{against}_{_seat(button)}"]
        return self.worth(chips, button)[0] - float(np.mean([self.rows[name][0][chips] for name in seats]))

    def free(self, chips: int, button: bool | None = None, plan: str | None = None) -> tuple[float, float] | None:
        """(low, high) of my chance to win the unrestricted game, from a plan for both players; if it is known.

        Plans: `free` jams or folds, always; `limp` checks limps that it does not jam over, and jams the flop or gives
        up. By default the better one that is known.
        """
        plan = plan or ("limp" if "limp_button" in self.rows else "free")
        if f"{plan}_button" not in self.rows or np.isnan(self.rows[f"{plan}_button"][0][chips]):
            return None
        on, off = (self.rows[f"{plan}_{seat}"][0].tolist() for seat in ("button", "big"))
        left = self.rules.chips - chips
        if button is None:
            return (on[chips] + off[chips]) / 2, 1 - (on[left] + off[left]) / 2
        return (on[chips], 1 - off[left]) if button else (off[chips], 1 - on[left])

    def differences(self, chips: int, seat: str) -> list[Difference]:
        """The hands of one state of the first hand that are played otherwise; `chips` are those of that seat."""
        button = chips if seat == "sb" else self.rules.chips - chips
        here = (self.listed["state"] == button) & (self.listed["seat"] == SEATS.index(seat))
        columns = [self.listed[name][here].tolist() for name in ("hand", "chip", "endgame", "gain")]
        return [Difference(seat, *row) for row in zip(*columns, strict=True)]

    def counts(self, chips: int, seat: str) -> tuple[int, int]:
        """How many hands of one state are played more often, and less often, than for chips."""
        if f"more_{seat}" in self.rows:
            more, less = (int(self.rows[f"{name}_{seat}"][0][chips]) for name in ("more", "less"))
            return more, less
        listed = self.differences(chips, seat)
        more = sum(difference.endgame > difference.chip for difference in listed)
        return more, len(listed) - more

    def as_dict(self, stack: int, button: str | None = None, pays: tuple[float, float] | None = None) -> dict[str, Any]:
        """For JSON; chances are of 1, chips in the user's own."""
        rules = self.rules
        on = None if button is None else button == "me"
        value, low, high = self.worth(stack, on)
        share, unit, first = stack / rules.chips, float(rules.unit), rules.levels[0]
        loss = self.loss(stack, on)
        seats = SEATS if on is None else SEATS[:1] if on else SEATS[1:]
        result: dict[str, Any] = {
            "game": rules.game,
            "chips": rules.chips * unit,
            "stack": stack * unit,
            "unit": unit,
            "blinds": [
                {name: getattr(level, name) * unit for name in ("small", "big", "ante", "bb_ante")}
                | {"hands": level.hands}
                for level in rules.levels
            ],
            "button": button,
            "value": value,
            "low": low,
            "high": high,
            "on_button": self.worth(stack, True)[0],
            "off_button": self.worth(stack, False)[0],
            "share": share,
            "value_minus_share": value - share,
            "chip_play_loss": loss,
            "chip_play_loss_chips": loss * rules.chips * unit,
            "chip_play_loss_bb": loss * rules.chips / first.big,
            "differences": [
                {
                    "seat": seat,
                    "hand_class": class_name(rules.game, difference.hand),
                    "chips": difference.chip,
                    "endgame": difference.endgame,
                    "gain": difference.gain,
                }
                for seat in seats
                for difference in sorted(
                    self.differences(stack, seat), key=lambda d: -abs(d.endgame - d.chip) * abs(d.gain)
                )
            ],
            "differ": {seat: sum(self.counts(stack, seat)) for seat in seats},
            "source": self.source,
            "rounds": self.rounds,
            "confirmed": self.confirmed if self.confirmed == self.confirmed else None,
        }
        if "match_button" in self.rows:
            result["chip_play_loss_to_endgame_play"] = self.loss(stack, on, "match")
        free, jam_or_fold = self.free(stack, on), self.free(stack, on, "free")
        if free is not None and jam_or_fold is not None:
            result |= {"free_low": free[0], "free_high": free[1], "jam_or_fold_low": jam_or_fold[0]}
        if pays is not None:
            result |= {"payouts": pays, "payout": pays[1] + (pays[0] - pays[1]) * value}
        return result

    def curve(self) -> dict[str, list[float]]:
        """Value against chips, all states."""
        every, unit = range(self.rules.chips + 1), float(self.rules.unit)
        return {
            "stack": [chips * unit for chips in every],
            "value": [self.worth(chips)[0] for chips in every],
            "on_button": [self.worth(chips, True)[0] for chips in every],
            "off_button": [self.worth(chips, False)[0] for chips in every],
        }


def _seat(button: bool) -> str:
    return "button" if button else "big"


def record(table: Classes, solved: SolvedEndgame, *, full: bool = True) -> EndgameRecord:
    """The record of a solution; `full` confirms it by the second route and matches it against the charts for chips."""
    rules, bounds = solved.rules, solved.bounds
    rows = {"value": bounds.value, "low": bounds.low, "high": bounds.high}
    rows |= {"chip_button": solved.chip_floor.button, "chip_big": solved.chip_floor.big}
    met = tallies(table, solved.plan)
    rows["hands_left"] = hands_left(rules, chances(weights(table), solved.plan.charts[-1].jam, met[-1].calls))[None]
    confirmed = float("nan")
    if full:
        chip = match(table, solved.chip_plan, solved.plan, tallies(table, solved.chip_plan), met)
        rows |= {"match_button": chip.button, "match_big": chip.big}
        confirmed = confirm(table, solved.plan, Floor(bounds.low, 1 - bounds.high[:, ::-1]))
    after = bounds.value[min(1, rules.rising)]
    jam_gain, call_gain = gains(rules, rules.schedule[0], met[0], after)
    parts = []
    for seat, gain in enumerate((jam_gain, call_gain)):
        mine, chips = solved.plan.charts[0][seat], solved.chip_plan.charts[0][seat]
        state, hand = np.nonzero(np.abs(mine - chips) > SAME)
        parts.append(
            (np.full(len(state), seat), state + 1, hand, chips[state, hand], mine[state, hand], gain[state, hand])
        )
    kinds = (np.uint8, np.uint16, np.uint16, np.float64, np.float64, np.float32)
    columns = [np.concatenate(part).astype(kind) for part, kind in zip(zip(*parts, strict=True), kinds, strict=True)]
    return EndgameRecord(rules, rows, dict(zip(_LISTED, columns, strict=True)), solved.rounds, confirmed, "solved now")


def shortened(known: EndgameRecord, most: int = LISTED_MOST) -> EndgameRecord:
    """The same endgame with only the hands of every state and seat that matter most, and the number of all."""
    listed, chips = known.listed, known.rules.chips
    matters = np.abs(listed["endgame"] - listed["chip"]) * np.abs(listed["gain"])
    order = np.lexsort((-matters, listed["state"], listed["seat"]))
    group = listed["seat"][order].astype(np.int64) * (chips + 1) + listed["state"][order]
    place = np.arange(len(order)) - np.searchsorted(group, group)
    kept = np.sort(order[place < most])
    rows = dict(known.rows)
    for seat, name in enumerate(SEATS):
        own = listed["seat"] == seat
        state = listed["state"][own].astype(np.int64)
        mine = state if name == "sb" else chips - state
        up = listed["endgame"][own] > listed["chip"][own]
        for kind, which in (("more", up), ("less", ~up)):
            rows[f"{kind}_{name}"] = np.bincount(mine[which], minlength=chips + 1).astype(np.float64)[None]
    return replace(known, rows=rows, listed={name: column[kept] for name, column in listed.items()})


def write(path: Path, records: list[EndgameRecord], job: str = "") -> None:
    """Write the file of one game in one step; `job` is that of `headsup.common.archives.write_arrays`."""
    arrays: dict[str, npt.NDArray[Any]] = {"game": np.frombuffer(records[0].rules.game.encode(), dtype=np.uint8)}
    arrays["about"] = np.array(
        [
            (float(record.rules.unit), record.rules.chips, *record.rules.levels[0][:2], record.rounds, record.confirmed)
            for record in records
        ]
    )
    for at, record in enumerate(records):
        arrays |= {f"{at}-{name}": row for name, row in record.rows.items()}
        arrays |= {f"{at}-{name}": column for name, column in record.listed.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_arrays(path, VERSION, arrays, job)


def read(path: Path, job: str = "") -> list[EndgameRecord]:
    """Read a file; its version, checksum and job are checked."""
    arrays = read_arrays(path, VERSION, job)
    if arrays is None:
        raise DataError(
            f"{path.name} is missing, damaged or of another version: make it again with  python -m headsup.endgame.make"
        )
    return parsed(path, lambda: _unpacked(arrays), "a file of endgames")


def _unpacked(arrays: dict[str, npt.NDArray[Any]]) -> list[EndgameRecord]:
    game, records = contents.array(arrays["game"], "the game", "u").tobytes().decode(), []
    for at, (unit, chips, small, big, rounds, confirmed) in enumerate(arrays["about"].tolist()):
        rules = Endgame(game, int(chips), (BlindLevel(int(small), int(big)),), Fraction(str(unit)))
        of = {name.removeprefix(f"{at}-"): array for name, array in arrays.items() if name.startswith(f"{at}-")}
        rows = {name: contents.array(of[name], f"the list {name}", "f", 2) for name in _ROWS if name in of}
        listed = {name: contents.array(of[name], f"the list {name}") for name in _LISTED}
        widths, lengths = {array.shape[1] for array in rows.values()}, {len(array) for array in listed.values()}
        if widths != {rules.chips + 1} or not all(map(len, rows.values())) or len(lengths) > 1:
            raise ValueError("its lists do not belong together")
        for name in ("chip", "endgame"):
            contents.chances(listed[name], f"the list {name}")
        for name in ("value", "low", "high"):
            if np.abs(rows[name] - 0.5).max() > 0.5 + contents.NOISE:
                raise ValueError(f"the list {name} has a chance that is not from 0 to 1")
        records.append(EndgameRecord(rules, rows, listed, int(rounds), confirmed))
    return records


def data_path(game: str) -> Path:
    return Path(__file__).parent / "data" / f"endgame-{check_game(game)}.npz"


@cache
def shipped(game: str) -> tuple[EndgameRecord, ...]:
    """The shipped endgames of a game; empty if there are none."""
    path = data_path(game)
    return tuple(read(path)) if path.exists() else ()


def extras(game: str) -> dict[str, Any]:
    """Figures of one game that its endgames do not have; lists go by the button's chips, in units.

    All games: `units`, endgames of `chips` big blinds in units of 0.5, 0.25 and 0.125, and `rising`, the same with
    rising `blinds`: `value`, `gap` of its bounds, and what playing for chips is sure of, `chip_button` and `chip_big`;
    `free`, by big blinds in all, what bounds the unrestricted no-limit game without learned answers, in units of half
    a big blind. Omaha Hi-Lo: `unquartered`, where a fair coin between all and half of a pot stands for three quarters
    of it. Hold'em: `limp` and `raise`, how wide the interval with learned answers is in the endgame of Miltersen and
    Sorensen if this is all that the opponent may do beside jam and fold.
    """
    figures: dict[str, Any] = read_json(data_path(game).with_name(f"endgame-extras-{game}.json"))
    return figures


def find(rules: Endgame) -> EndgameRecord | None:
    """The shipped endgame of these rules in any unit of the user's chips, or None."""
    for known in shipped(rules.game):
        if (known.rules.chips, known.rules.levels) == (rules.chips, rules.levels):
            return known
    return None


def with_free(known: EndgameRecord) -> EndgameRecord:
    """An endgame of Omaha with the bounds of `extras` for an opponent who may limp and raise, where these ship.

    They hold for chips, stacks and raises in whole small blinds; states between them are nan.
    """
    rules = known.rules
    if "free_button" in known.rows or not data_path(rules.game).with_name(f"endgame-extras-{rules.game}.json").exists():
        return known
    bounds = extras(rules.game)["free"].get(f"{rules.big_blinds:g}")
    if bounds is None or rules.chips % (len(bounds["low"]) - 1):
        return known
    every = slice(None, None, rules.chips // (len(bounds["low"]) - 1))
    on, off = (np.full((1, rules.chips + 1), np.nan) for _ in SEATS)
    on[0, every], off[0, every] = bounds["low"], 1 - np.array(bounds["high"])[::-1]
    return replace(known, rows=known.rows | {"free_button": on, "free_big": off})


def answer(
    rules: Endgame,
    *,
    folder: Path | None = None,
    device: str = "cpu",
    fresh: bool = False,
    free: bool = False,
    watch: Watch | None = None,
) -> EndgameRecord:
    """The endgame of these rules: shipped where it is there, else solved now; a folder or a GPU always solve.

    `free` asks for bounds against an opponent who may limp and raise as well.
    """
    check_source(rules.game, device, folder)
    if free:
        check_fixed(rules)
    if not (fresh or device != "cpu" or folder is not None):
        known = find(rules)
        if known is not None:
            known = with_free(known)
        if known is not None and (not free or "free_button" in known.rows):
            return replace(known, rules=rules)
    if rules.game != "holdem" and not has_table(folder):
        raise UserError(_lacking(rules, folder, fresh=fresh or device != "cpu" or folder is not None))
    table = class_table(rules.game, device=device, folder=folder)
    solved = solve_endgame(table, rules, watch=watch)
    solution = record(table, solved)
    if free:
        plan = solve_free if table.classes <= MOST_LEARNED else simple_free
        sure = plan(table, rules, solved.plan.charts[-1], solved.bounds.value[0], watch=watch).floor
        solution.rows.update(free_button=sure.button, free_big=sure.big)
    return solution


def _lacking(rules: Endgame, folder: Path | None, *, fresh: bool) -> str:
    if fresh:
        why = (
            f"there is no table of matchups {f'in {folder} ' if folder else ''}to solve an endgame of {rules.game} with"
        )
    elif find(rules) is not None:
        sizes = ", ".join(extras(rules.game)["free"])
        why = (
            f"bounds for an opponent who may limp and raise did not come with this endgame of {rules.game} (chips in "
            f"big blinds for which they did: {sizes})"
        )
    else:
        sizes = ", ".join(f"{known.rules.big_blinds:g}" for known in shipped(rules.game)) or "none"
        why = (
            f"this endgame of {rules.game} did not come with headsup (chips in big blinds that did, with blinds 1:2, "
            f"no ante and the default unit: {sizes})"
        )
    out = f" --work {folder}" if folder else ""
    return (
        f"{why}: make the table with its outcomes,  headsup tabulate omaha8 --outcomes{out}  ({TABLE_COST}, 9 GB more "
        "for outcomes)"
    )


def anchor() -> Endgame:
    """The endgame of Miltersen and Sorensen (2007)."""
    return endgame("holdem", "8000", blinds="300/600", unit="50")


def grid(game: str, chips: tuple[int, ...] = CHIPS) -> list[Endgame]:
    """The endgames that ship; hold'em has that of Miltersen and Sorensen too."""
    return [*(endgame(game, str(total)) for total in chips), *([anchor()] if game == "holdem" and chips else [])]
