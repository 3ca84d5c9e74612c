"""Whether the matchup table is still what was computed: every byte is hashed once, and the result is remembered.

A note beside a checked table holds the checksum of its manifest and the size and time of change of each file; while
these stay, the bytes are not read again. `headsup tabulate` on the same folder always reads every byte.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headsup.common.errors import UserError
from headsup.common.files import read_json, write_json

if TYPE_CHECKING:
    from headsup.equity.omaha.matchups import Matchups

NOTE = "checked.json"


def check_bytes(table: Matchups) -> bool:
    """Raise a `DataError` if any block of the table is damaged; whether its bytes had to be read."""
    now = _state(table)
    with suppress(UserError):
        if read_json(table.folder / NOTE) == now:
            return False
    table.verify_checksums()
    # Files that changed while they were read keep their older state in the note, so the next run reads them again.
    with suppress(UserError):
        write_json(table.folder / NOTE, now)
    return True


def _state(table: Matchups) -> dict[str, Any]:
    """What must stay for a finding to hold."""
    from headsup.equity.omaha.matchups.store import array_specs

    def file_state(path: Path) -> list[int]:
        status = path.stat()
        return [status.st_size, status.st_mtime_ns]

    files = {spec.file: file_state(table.folder / spec.file) for spec in array_specs(table.manifest.plan)}
    return {"table": table.manifest.checksum, "files": files}
