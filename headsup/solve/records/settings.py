"""The settings of CFR and its named presets, explained in `headsup.solve.small.cfr`; importing them loads no solver."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from headsup.common.checks import as_number, as_text, as_truth, finite, quoted
from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.common.arrays import Floats

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


def checked(
    method: str, given: Mapping[str, Any], defaults: Mapping[str, Any], also: Sequence[str] = ()
) -> dict[str, Any]:
    """The defaults, replaced by the given values; a `UserError` names an unknown option or a wrong value.

    A default that is a tuple allows the types of all its values; the first is the default. `also` lists names that
    are read elsewhere.
    """
    out = {key: value[0] if isinstance(value, tuple) else value for key, value in defaults.items()}
    for key, value in given.items():
        if key not in defaults:
            known = ", ".join(sorted([*defaults, *also])) or "none"
            raise UserError(f"'{key}' is not an option of {method}: it takes {known}")
        allowed = defaults[key] if isinstance(defaults[key], tuple) else (defaults[key],)
        kinds = [type(choice) for choice in allowed]
        fits = any(isinstance(value, kind) and isinstance(value, bool) == (kind is bool) for kind in kinds)
        if not fits and float in kinds and isinstance(value, int) and not isinstance(value, bool):
            with suppress(OverflowError):
                value, fits = float(value), True
        if isinstance(value, float) and isnan(value):
            fits = False
        if not fits:
            wanted = " or ".join(KINDS[kind] for kind in kinds)
            raise UserError(f"{key} of {method} must be {wanted}, not {quoted(value)}")
        out[key] = value
    return out


AVERAGING = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0}


class Switches(NamedTuple):
    """The switches of an update, as kernels take them."""

    alternating: bool
    predictive: bool


@dataclass(frozen=True)
class Settings:
    """What makes one variant of CFR differ from another."""

    alternating: bool = True
    predictive: bool = False  # expect the next regrets to be the last ones again
    positive: float = math.inf  # exponent of the discount on positive regrets; inf keeps them
    negative: float = math.inf  # the same for negative ones; -inf sets them to 0
    averaging: str | float = "uniform"
    strategy: str = "average"

    def __post_init__(self) -> None:
        for name in ("alternating", "predictive"):
            as_truth(getattr(self, name), name)
        for name in ("positive", "negative"):
            if math.isnan(as_number(getattr(self, name), name)):
                raise UserError(f"{name} must be a number, not nan")
        if as_text(self.strategy, "strategy") not in ("average", "current"):
            raise UserError(f"strategy must be 'average' or 'current', not '{self.strategy}'")
        if isinstance(self.averaging, str) and self.averaging not in AVERAGING:
            raise UserError(f"averaging must be {', '.join(AVERAGING)} or an exponent, not '{self.averaging}'")
        if not isinstance(self.averaging, str) and not 0.0 <= finite(self.averaging, "averaging") <= 10.0:
            raise UserError(f"averaging as an exponent must be from 0 to 10, not {self.averaging}")

    def rule(self) -> Switches:
        """The switches of the update."""
        return Switches(bool(self.alternating), bool(self.predictive))

    def schedule(self, after: int, n: int) -> Floats:
        """For the next n iterations: how much of positive and of negative regrets is kept, and the weight in the
        average.

        After iteration t positive regrets are multiplied with t^a / (t^a + 1), negative ones with t^b / (t^b + 1).
        """
        import numpy as np

        t = np.arange(after + 1, after + n + 1, dtype=np.float64)
        power = AVERAGING[self.averaging] if isinstance(self.averaging, str) else float(self.averaging)
        return np.stack([_kept(t, self.positive), _kept(t, self.negative), t**power], axis=1)


def _kept(t: Floats, exponent: float) -> Floats:
    if math.isinf(exponent):
        return t * 0.0 + (exponent > 0)
    return t**exponent / (t**exponent + 1.0)


PRESETS = {
    "cfr": Settings(),
    "cfr+": Settings(negative=-math.inf, averaging="linear"),
    "linear": Settings(positive=1.0, negative=1.0, averaging="linear"),
    "dcfr": Settings(positive=1.5, negative=0.0, averaging="quadratic"),
    "pcfr+": Settings(negative=-math.inf, averaging="quadratic", predictive=True),
    "dcfr-holdem": Settings(positive=1.2, negative=0.5, averaging=3.0),  # `python -m benchmarks variants`
}
PROGRAMS = ("lp", "normal")
SAMPLERS = ("external", "outcome", "fsi")
METHODS = (*PROGRAMS, *PRESETS, *SAMPLERS, "fictitious")  # every method that `headsup.solve.solve` knows


def settings(preset: str, options: dict[str, Any], also: Sequence[str] = ()) -> Settings:
    """A preset with some settings changed; `also` names options that the caller reads itself."""
    defaults = {**vars(PRESETS[preset]), "averaging": (PRESETS[preset].averaging, 0.0, "uniform")}
    return Settings(**checked(preset, options, defaults, also))
