"""How it went for an agent of ours at somebody else's table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from headsup.play.table.rules import Table


@dataclass
class RemoteResult:
    """A match that was played there."""

    agent: str
    table: Table
    scores: list[int] = field(default_factory=list)
    """Chips that it won, hand by hand."""

    def summary(self) -> dict[str, Any]:
        """As a JSON object."""
        hands = len(self.scores)
        mean = sum(self.scores) / hands / self.table.unit if hands else None
        return {"agent": self.agent, "hands": hands, "chips": sum(self.scores), "mean_bb": mean}
