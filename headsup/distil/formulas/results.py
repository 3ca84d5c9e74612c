"""A program of the study and its result: the best formula, the bound, and the time it took.

Both are plain records that go to JSON and back, so that runs in other processes and on other days can be combined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from headsup.common.contents import number
from headsup.common.errors import DataError
from headsup.common.files import parsed
from headsup.distil.formulas.outcome import Outcome

VERSION = 1  # of a file of results
CLOSED = 1e-7  # a bound this close to its value (a fraction of the pot) proves it


@dataclass(frozen=True, order=True)
class Task:
    """One program: the model and its limit, an error as a fraction of the pot or a number of features."""

    hand: str
    villain: str
    model: str
    limit: float
    places: int = 0  # equities are rounded to so many decimals; 0 means exact ones

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        limit = f"{100 * self.limit:g}" if self.model.startswith("FEAT") else f"{self.limit:g}"
        return f"{self.model}-{limit}-{self.hand}-{self.villain}" + (f"-{self.places}" if self.places else "")

    def same_pair(self, other: Task) -> bool:
        return (self.hand, self.villain, self.places) == (other.hand, other.villain, other.places)

    @property
    def rounded(self) -> Task:
        """The same program on equities in whole percents."""
        return replace(self, places=2)


@dataclass(frozen=True)
class Result:
    """The result of a program; errors are fractions of the pot, weights belong to the paper's feature numbers."""

    task: Task
    value: float  # number of features (FEAT_AVGERR) or average error (AVGERR)
    bound: float  # no formula has a smaller value: proved
    proved: bool
    average_error: float
    max_error: float
    weights: Mapping[int, float]
    seconds: float  # over all runs
    given: float  # the longest time limit of one run
    nodes: int
    how: str

    @property
    def gap(self) -> float:
        """The largest possible distance to the optimum."""
        return 0.0 if self.proved else self.value - self.bound

    @property
    def outcome(self) -> Outcome:
        weights = dict(self.weights)
        return Outcome(
            self.task.model, weights, self.value, self.bound, self.proved, self.nodes, self.seconds, self.how
        )

    @property
    def heaviest(self) -> tuple[tuple[int, float], ...]:
        """Feature numbers and weights, the largest absolute weight first."""
        return tuple(sorted(self.weights.items(), key=lambda item: (-abs(item[1]), item[0])))

    def as_dict(self) -> dict[str, Any]:
        fields = asdict(self)
        task: dict[str, Any] = fields.pop("task")
        fields["weights"] = {f"F{number}": round(weight, 12) for number, weight in self.heaviest}
        return task | fields | {"seconds": round(self.seconds, 3)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Result:
        rest = dict(given)
        try:
            task = Task(*(rest.pop(name) for name in ("hand", "villain", "model", "limit", "places")))
            rest["weights"] = {int(name[1:]): number(weight, name) for name, weight in rest["weights"].items()}
            for name in ("value", "bound", "average_error", "max_error", "seconds", "given", "nodes"):
                number(rest[name], name)
            return cls(task, **rest)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DataError(f"a result of a flop program is not complete ({error}): remove it and run again") from error

    def joined(self, before: Result | None) -> Result:
        """The combined result of two runs of a program."""
        if before is None:
            return self
        better = min(self, before, key=lambda result: (result.value, result.average_error))
        bound = max(self.bound, before.bound)
        proved = self.proved or before.proved or better.value - bound <= CLOSED
        return replace(
            better,
            bound=bound,
            proved=proved,
            seconds=self.seconds + before.seconds,
            given=max(self.given, before.given),
            nodes=self.nodes + before.nodes,
        )


def results_in(path: Path, content: Any) -> tuple[Result, ...]:
    def read() -> tuple[Result, ...]:
        if content["version"] != VERSION:
            raise DataError(f"{path.name} is of another version: make it again with this one")
        return tuple(Result.from_dict(given) for given in content["programs"])

    return parsed(path, read, "a file of flop programs")
