"""Mistakes and readers that go away, at the command line of a module."""

import subprocess
import sys


def test_standard_output_may_be_closed() -> None:
    lines = "from headsup.common.errors import plainly\nplainly(lambda: print('a line'))"
    run = subprocess.run(["sh", "-c", f'exec "{sys.executable}" -c "$1" >&-', "sh", lines], stderr=subprocess.PIPE)
    assert (run.returncode, run.stderr) == (0, b"")


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
