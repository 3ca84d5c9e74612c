"""Matches: many hands between two agents, identical for any number of processes.

A `Match` is cut into sessions of a fixed length; a learning agent starts afresh in each, so sessions may be played in
any order and anywhere. Every hand has its own dice. In a duplicate match hands 2k and 2k + 1 have the same cards with
the seats swapped. With a folder, every session is saved, and the same match resumes from there.
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from headsup.common import contents, distribute
from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_path, as_text, door, of_kind, whole
from headsup.common.errors import DataError, UserError
from headsup.common.files import fingerprint, own_json, read_json, write_bytes, write_json
from headsup.common.progress import Progress, Watch
from headsup.common.stop import until_stopped
from headsup.play.arena.plan import SESSION, Match, MatchResult
from headsup.play.arena.session import play_session

__all__ = ["SESSION", "Match", "MatchResult", "play"]

SCORES = ("plain", "equity", "aivat")
FUNCTION = "headsup.play.arena.session:play_session"


@door(
    match=of_kind(Match), folder=as_path, jobs=whole, progress=as_call, engine=as_text, address=as_text, lines=as_call
)
def play(
    match: Match,
    folder: str | Path | None = None,
    jobs: int = 1,
    progress: Watch | None = None,
    engine: str = "local",
    address: str | None = None,
    lines: Callable[[list[dict[str, Any]]], None] | None = None,
) -> MatchResult:
    """Play a match, or resume one in a folder. Ctrl-C stops after the current session and returns the results so
    far.

    `lines` receives the records of each session in order, if the match keeps a log.
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


def _arguments(match: Match, session: int) -> dict[str, Any]:
    given = {"part": session, **match.arguments()}
    return {"job": fingerprint(given), **given}


def _read(match: Match, home: Path, session: int) -> dict[str, Any] | None:
    """The result of a session; None if missing, damaged or of another match."""
    return own_json(_path(home, session), _arguments(match, session)["job"], _check)


def _check(result: dict[str, Any]) -> None:
    """Raise if this is not the result of a session."""
    contents.count(result["hands"], "the number of hands")
    scores = [contents.numbers(result[name], name) for name in SCORES if name in result or name == "plain"]
    if len({len(values) for values in scores}) != 1 or not scores[0]:
        raise ValueError("the scores are not of the same hands")
    for name in ("lengths", "won"):
        contents.numbers(result.get(name, []), name)
    for name in ("faults", "lines"):
        for values in contents.items(result[name], name):
            contents.mapping(values, f"one of the {name}")


def _claim(match: Match, home: Path) -> None:
    """Claim the folder for this match, or raise if it holds another."""
    known = home / "match.json"
    if not known.exists():
        write_json(known, match.arguments())
        return
    there = read_json(known)
    mine = match.arguments()
    differ = [
        field.name
        for field in fields(Match)
        if not isinstance(there, dict) or there.get(field.name) != mine[field.name]
    ]
    if differ:
        raise UserError(f"{home} holds another match, which differs in {', '.join(differ)}: choose another folder")


def _play_missing(
    match: Match, home: Path, jobs: int, engine: str, address: str | None, progress: Watch | None
) -> bool:
    missing = [session for session in range(match.sessions) if _read(match, home, session) is None]
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
                write_bytes(_path(home, session), play_session(**_arguments(match, session)))
                tell(session)
        return False
    packets = [distribute.Packet(_path(home, session), _arguments(match, session)) for session in missing]
    try:
        distribute.run(FUNCTION, packets, engine, jobs, address, done=lambda packet: tell(packet.arguments["part"]))
    except KeyboardInterrupt:
        return True
    return False


def _gather(
    match: Match, home: Path, stopped: bool, lines: Callable[[list[dict[str, Any]]], None] | None
) -> MatchResult:
    scores: dict[str, list[Floats]] = {}
    lengths, won, faults, hands = list[float](), list[float](), list[dict[str, Any]](), 0
    for session in range(match.sessions):
        result = _read(match, home, session)
        if result is None:
            continue
        for name in SCORES:
            if name in result:
                scores.setdefault(name, []).append(np.array(result[name], dtype=np.float64))
        hands += int(result["hands"])
        lengths.extend(result.get("lengths", ()))
        won.extend(result.get("won", ()))
        faults.extend(result["faults"])
        if lines is not None:
            lines(result["lines"])
    if not scores:
        if stopped:
            raise KeyboardInterrupt
        raise DataError(f"{home} has no session of the match")
    joined = {name: np.concatenate(parts) for name, parts in scores.items()}
    if not match.to_the_end:
        return MatchResult(match, hands, joined, faults, stopped=stopped)
    return MatchResult(match, hands, joined, faults, np.array(lengths), np.array(won), stopped)
