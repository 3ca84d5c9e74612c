"""The record of a run whose strategy stays in its folder: how it was solved, and its figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from headsup.common.contents import History
from headsup.measure.measurement import Measurement
from headsup.solve.records.solution import plain
from headsup.version import __version__


@dataclass(frozen=True)
class MeasuredRun:
    """A run, measured."""

    game: str
    method: str
    params: dict[str, Any]
    iterations: int
    seconds: float
    measurement: Measurement
    history: History
    folder: str | None
    stopped: bool = field(default=False, kw_only=True)

    def summary(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            **{name: getattr(self, name) for name in ("game", "method", "iterations", "seconds")},
            **{name: getattr(self.measurement, name) for name in ("value", "exploitability", "epsilon")},
            **self.measurement.in_mbb(),
            "params": plain(self.params),
            "folder": self.folder,
            "history": [list(point) for point in self.history],
            "version": __version__,
        }
