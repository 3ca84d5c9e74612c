"""Which packets are a shard's, and what is raised when they are done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from headsup.common.errors import UserError

MOST = 100_000
Thing = TypeVar("Thing")


class Shard(NamedTuple):
    number: int  # from 1
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read `3/16`."""
        match = re.fullmatch(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*", text)
        shard = cls(int(match[1]), int(match[2])) if match else cls(0, 0)
        if not 1 <= shard.number <= shard.of <= MOST:
            raise UserError(f"'{text[:20]}' is not a shard: write its number and how many there are, such as 3/16")
        return shard

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def file_name(self) -> str:
        return f"{self.number:05}-of-{self.of:05}.json"

    def pick(self, things: Sequence[Thing]) -> list[Thing]:
        """Those that are this shard's."""
        return list(things[self.number - 1 :: self.of])


class ShardDone(Exception):
    """A shard is finished: there is no result of the whole job yet."""

    def __init__(self, shard: Shard, files: int) -> None:
        super().__init__(f"shard {shard} is done")
        self.shard, self.files = shard, files

    def summary(self) -> dict[str, Any]:
        return {"shard": str(self.shard), "files": self.files}

    @property
    def sentence(self) -> str:
        many = f"{self.files:,} file{'s' * (self.files != 1)}"
        return (
            f"shard {self.shard} is done: {many}; when all are, run headsup merge and then the command without --shard"
        )
