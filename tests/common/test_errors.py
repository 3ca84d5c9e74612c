"""Mistakes and readers that go away, at the command line of a module."""

import subprocess
import sys


def test_a_reader_that_goes_away_is_no_error() -> None:
    """As `head` does: no traceback, and status 141."""
    lines = (
        "from headsup.common.errors import plainly\nplainly(lambda: [print('a line', flush=True) for _ in range(9)])"
    )
    with subprocess.Popen([sys.executable, "-c", lines], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 141
