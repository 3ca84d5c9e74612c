"""A page's server for benchmarks: a process of its own, as `headsup serve` starts it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Server(NamedTuple):
    """Where it listens, its process, and the folder where it keeps what it must."""

    port: int
    process: int
    work: Path

    def used(self) -> float:
        """Seconds of a core that it has used, without waiting for others; 0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving() -> Iterator[Server]:
    """A server in a folder of its own."""
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "headsup", "serve", "--port", "0", "--work", work]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            port = int(re.search(r":(\d+)/", server.stderr.readline())[1])  # type: ignore[index]
            threading.Thread(target=server.stderr.read, daemon=True).start()
            yield Server(port, server.pid, Path(work))
        finally:
            server.terminate()
            server.wait(10)
