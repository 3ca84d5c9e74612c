"""A thousand programs at once against our bots, by HTTP: how long they wait, and whether anything is lost.

The server is a process of its own, as `headsup serve` starts it; the clients are one process with a connection each. A
client checks and calls, and sends its next move as soon as it has its answer. At the end the server's file is read:
every hand that a client saw the end of must be in it, with the chips that the client was told. `server` is the time of
a core that a request takes.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.serving import serving

CLIENTS = 1000
BOTS = ("caller", "average")


async def _ask(line: Any, path: str, fields: dict[str, Any], waited: list[float]) -> dict[str, Any]:
    reader, writer = line
    body = json.dumps(fields).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    )
    began = time.perf_counter()
    writer.write(head.encode() + b"\r\n" + body)
    await writer.drain()
    headers = (await reader.readuntil(b"\r\n\r\n")).decode()
    size = re.search(r"content-length: (\d+)", headers, re.IGNORECASE)
    answer = json.loads(await reader.readexactly(int(size[1]) if size else 0))
    waited.append(time.perf_counter() - began)
    if " 200 " not in headers.splitlines()[0]:
        raise AssertionError(f"{headers.splitlines()[0]}: {answer}")
    return dict(answer)


async def _match(port: int, bot: str, hands: int, waited: list[float]) -> tuple[str, list[int]]:
    line = await asyncio.open_connection("127.0.0.1", port)
    token, won = "", list[int]()
    for _ in range(hands):
        fields: dict[str, Any] = {"token": token} if token else {"bot": bot}
        now = await _ask(line, "/api/new_hand", fields, waited)
        token = now["token"]
        while "winnings" not in now:
            move = "k" if now["legal"]["call"] == 0 else "c"
            sent = {"token": token, "incr": move, "decision": now["decision"]}
            now = await _ask(line, "/api/act", sent, waited)
        won.append(now["winnings"])
    line[1].close()
    return token, won


async def _all(port: int, bot: str, clients: int, hands: int, waited: list[float]) -> list[tuple[str, list[int]]]:
    return await asyncio.gather(*(_match(port, bot, hands, waited) for _ in range(clients)))


def run(quick: bool) -> None:
    """Print the waiting times, and what was lost."""
    hands = 1 if quick else 3
    with serving() as server:
        for bot in BOTS:  # data and kernels are there
            asyncio.run(_all(server.port, bot, 2, 5, []))
        print(f"{CLIENTS:,} matches at once, {hands} hands each, {os.cpu_count()} cores (ms)")
        print(f"{'against':14}{'p50':>8}{'p99':>8}{'worst':>8}{'a second':>10}{'server':>8}{'hands':>8}{'lost':>6}")
        for bot in BOTS:
            waited: list[float] = []
            began, used = time.perf_counter(), server.used()
            played = asyncio.run(_all(server.port, bot, CLIENTS, hands, waited))
            spent, used = time.perf_counter() - began, server.used() - used
            middle, late = 1000 * np.percentile(waited, [50, 99])
            lost = _lost(server.work, played)
            rate = len(waited) / spent
            print(
                f"{bot:14}{middle:8.0f}{late:8.0f}{1000 * max(waited):8.0f}{rate:10.0f}"
                f"{1000 * used / len(waited):8.1f}{len(played) * hands:8,}{lost:6}"
            )


def _lost(work: Path, played: list[tuple[str, list[int]]]) -> int:
    """Hands that the file has not, or has with other chips."""
    kept = dict[str, list[int]]()
    with sqlite3.connect(work / "headsup.sqlite") as db:
        for match, chips in db.execute("SELECT match, chips FROM hands WHERE ended IS NOT NULL ORDER BY match, number"):
            kept.setdefault(match, []).append(chips)
    return sum(
        max(len(won), len(kept.get(token, ()))) - sum(a == b for a, b in zip(won, kept.get(token, ()), strict=False))
        for token, won in played
    )
