"""What a writer of another program's format returns."""

from typing import NamedTuple


class Written(NamedTuple):
    """A script or configuration, and one sentence on what it cannot express, if anything."""

    text: str
    note: str = ""
