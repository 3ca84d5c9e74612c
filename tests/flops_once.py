"""Problems of the same hand and range count its 19,600 flops once a process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from headsup.equity import flop_equities


@pytest.fixture(autouse=True, scope="module")
def flops_once() -> Iterator[None]:
    """Counts are read only, so tests may share them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("headsup.equity.flop_equities", known)
        yield


known = cache(flop_equities)
