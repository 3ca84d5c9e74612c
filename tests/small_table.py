"""Packets of matchups for a deck of five ranks, which take seconds: computed once for all processes of a run."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from headsup.common.files import write_bytes
from headsup.equity.omaha.matchups import packets
from headsup.equity.omaha.matchups.packets import Plan


def packets_of(plan: Plan, places: pytest.TempPathFactory) -> Path:
    """The folder with all packets of a plan; whichever process asks first computes them."""
    root = places.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent  # each process has a folder of its own there
    shared = root / f"packets of {plan.ranks} ranks{' with outcomes' if plan.outcomes else ''}"
    if not shared.exists():
        made = places.mktemp("packets")
        for number, content in enumerate(packets.compute(plan, range(plan.packets))):
            write_bytes(made / plan.file_name(number), content)
        with suppress(OSError):  # another process was first
            made.rename(shared)
    return shared
