"""Matches: many hands between two agents, hand by hand the same whatever the number of processes.

1. A `Match` (`headsup.play.plan`) says everything: who plays, at which table, how many hands, the seed, what is done
against luck. 2. It is cut into sessions of a fixed number of hands. An agent that learns begins every session afresh,
so sessions may be
   played in any order and anywhere; what one session gives is one small JSON text (`headsup.play.session`).
3. Hand i has its own dice (`headsup.play.dice`). The players take the dealer's seat in turn; in a duplicate match
hands 2k
   and 2k + 1 have the same cards, and the players have changed seats.
4. With a folder, every session is kept there as a file; the same match goes on from there after it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from headsup import distribute
from headsup.errors import DataError, UserError
from headsup.files import read_json, write_bytes, write_json
from headsup.games.arrays import Floats
from headsup.play.plan import SESSION, Match, Result
from headsup.play.session import play_session
from headsup.progress import Progress, Watch
from headsup.stop import until_stopped

__all__ = ["SESSION", "Match", "Result", "play"]

FUNCTION = "headsup.play.session:play_session"


def play(
    match: Match,
    folder: str | Path | None = None,
    jobs: int = 1,
    progress: Watch | None = None,
    engine: str = "local",
    address: str | None = None,
    lines: Callable[[list[dict[str, Any]]], None] | None = None,
) -> Result:
    """Play a match, or what is left of it in a folder. Ctrl-C ends it after a session, with what there is.

    `lines` gets the records of each session in order, if the match keeps a log.
    """
    distribute.check_jobs(jobs)
    match.check()
    with TemporaryDirectory() if folder is None else nullcontext(folder) as place:
        home = Path(place)
        with distribute.locked(home):
            _claim(match, home)
            stopped = _play_missing(match, home, jobs, engine, address, progress)
            return _gather(match, home, stopped, lines)


def _path(home: Path, session: int) -> Path:
    return home / f"session-{session:06}.json"


def _read(home: Path, session: int) -> dict[str, Any] | None:
    """What a session gave; None if it is not there or damaged, and is to be played again."""
    path = _path(home, session)
    try:
        return dict(read_json(path)) if path.exists() else None
    except (DataError, TypeError, ValueError):
        return None


def _claim(match: Match, home: Path) -> None:
    """The folder is this match's, or one sentence says whose it is."""
    known = home / "match.json"
    if not known.exists():
        write_json(known, match.arguments())
        return
    there = read_json(known)
    mine = match.arguments()
    differ = [one.name for one in fields(Match) if not isinstance(there, dict) or there.get(one.name) != mine[one.name]]
    if differ:
        raise UserError(f"{home} holds another match, which differs in {', '.join(differ)}: choose another folder")


def _play_missing(
    match: Match, home: Path, jobs: int, engine: str, address: str | None, progress: Watch | None
) -> bool:
    missing = [session for session in range(match.sessions) if _read(home, session) is None]
    done = match.hands - sum(len(match.part(session)) for session in missing)
    unit = "games" if match.to_the_end else "hands"

    def tell(session: int | None = None) -> None:
        nonlocal done
        done += len(match.part(session)) if session is not None else 0
        if progress is not None:
            progress(Progress(done, match.hands, "match", unit=unit))

    tell()
    if (jobs == 1 or len(missing) < 2) and engine == "local":
        with until_stopped() as stop:
            for session in missing:
                if stop.asked():
                    return True
                write_bytes(_path(home, session), play_session(session, **match.arguments()))
                tell(session)
        return False
    packets = [distribute.Packet(_path(home, one), {"part": one, **match.arguments()}) for one in missing]
    try:
        distribute.run(FUNCTION, packets, engine, jobs, address, done=lambda packet: tell(packet.arguments["part"]))
    except KeyboardInterrupt:
        return True
    return False


def _gather(match: Match, home: Path, stopped: bool, lines: Callable[[list[dict[str, Any]]], None] | None) -> Result:
    scores: dict[str, list[Floats]] = {}
    lengths, won, faults, hands = list[float](), list[float](), list[dict[str, Any]](), 0
    for session in range(match.sessions):
        told = _read(home, session)
        if told is None:
            continue
        for name in ("plain", "equity", "aivat"):
            if name in told:
                scores.setdefault(name, []).append(np.array(told[name], dtype=np.float64))
        hands += int(told["hands"])
        lengths.extend(told.get("lengths", ()))
        won.extend(told.get("won", ()))
        faults.extend(told["faults"])
        if lines is not None:
            lines(told["lines"])
    if not scores:
        if stopped:
            raise KeyboardInterrupt
        raise DataError(f"{home} has no session of the match")
    found = {name: np.concatenate(parts) for name, parts in scores.items()}
    if not match.to_the_end:
        return Result(match, hands, found, faults, stopped=stopped)
    return Result(match, hands, found, faults, np.array(lengths), np.array(won), stopped)
