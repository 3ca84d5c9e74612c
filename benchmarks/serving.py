"""A page's server for benchmarks: a process of its own, as `headsup serve` starts it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple


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

    def used_by_threads(self) -> dict[str, float]:
        """The same by thread, of those that it has now, and finer than a hundredth of a second."""
        seconds = {}
        for file in Path(f"/proc/{self.process}/task").glob("*/schedstat"):
            with suppress(OSError):  # it has ended meanwhile
                seconds[file.parent.name] = int(file.read_text().split()[0]) / 1e9
        return seconds

    def ask(self, address: str, body: Any = None) -> Any:
        """What it answers: an address under /api with JSON, others with bytes."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=120)
        kind = {} if body is None else {"content-type": "application/json"}
        line.request("GET" if body is None else "POST", address, None if body is None else json.dumps(body), kind)
        answer = line.getresponse()
        text = answer.read()
        assert answer.status < 300, (answer.status, text[:200])
        return json.loads(text) if address.startswith("/api") else text

    def solved(self, **fields: Any) -> str:
        """The page's example with other fields, solved; its id. One of that name that is there already is taken."""
        from headsup.web.study.spots import EXAMPLE

        there = [listed["id"] for listed in self.ask("/api/spots")["spots"] if listed["name"] == fields["name"]]
        spot = there[0] if there else self.ask("/api/spots", EXAMPLE | {"seconds": 60} | fields)["id"]
        while self.ask(f"/api/spots/{spot}")["state"] == "running":
            time.sleep(0.3)
        return str(spot)


@contextmanager
def serving(work: str | None = None) -> Iterator[Server]:
    """A server in a folder of its own, or in one that is there."""
    with nullcontext(work) if work else tempfile.TemporaryDirectory() as work:
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
