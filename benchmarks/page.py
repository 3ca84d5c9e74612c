"""The page under load: a hundred clients at once, each asking for view after view, and how long they wait.

The server is a process of its own, as `headsup serve` starts it. A client waits for each answer before it asks again.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection

import numpy as np

CLIENTS = 100


def run(quick: bool) -> None:
    """Print the waiting times."""
    each = 4 if quick else 20
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "headsup", "serve", "--port", "0", "--work", work]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            port = int(re.search(r":(\d+)/", server.stderr.readline())[1])  # type: ignore[index]
            threading.Thread(target=server.stderr.read, daemon=True).start()
            for game in ("holdem", "omaha", "omaha8"):  # wait until the data is there
                _ask(port, f"/jamfold?game={game}")
            print(f"{CLIENTS} clients at once, {each} questions each, {os.cpu_count()} cores (ms)")
            print(f"{'':34}{'p50':>8}{'p99':>8}{'worst':>8}{'a second':>10}")
            stacks = [n / 8 for n in range(8, 121)]
            for name, address in (
                ("one hand as JSON", "/api/jamfold?hand=K7o&stack={}"),
                ("a chart as JSON", "/api/jamfold?stack={}"),
                ("the page, a slide of the stack", "/jamfold?stack={}"),
                ("a style sheet", "/static/style.css?{}"),
            ):
                _measure(port, name, address, stacks, each)
        finally:
            server.terminate()
            server.wait(10)


def _ask(port: int, address: str, line: HTTPConnection | None = None) -> float:
    line = line or HTTPConnection("127.0.0.1", port, timeout=120)
    began = time.perf_counter()
    line.request("GET", address, headers={"hx-request": "true"})
    answer = line.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return time.perf_counter() - began


def _measure(port: int, name: str, address: str, stacks: list[float], each: int) -> None:
    waited: list[float] = []

    def client(seed: int) -> None:
        rng, line = random.Random(seed), HTTPConnection("127.0.0.1", port, timeout=120)
        mine = [_ask(port, address.format(rng.choice(stacks)), line) for _ in range(each)]
        waited.extend(mine)

    began = time.perf_counter()
    clients = [threading.Thread(target=client, args=(seed,)) for seed in range(CLIENTS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    spent = time.perf_counter() - began
    middle, late = 1000 * np.percentile(waited, [50, 99])
    print(f"{name:34}{middle:8.0f}{late:8.0f}{1000 * max(waited):8.0f}{len(waited) / spent:10.0f}")
