"""Spots solved by another machine: `headsup serve` there, `headsup spot --remote URL` here.

The server keeps a job in files and solves it in a process of its own. Here a small record remembers which job a spot
is, so that the same command finds it again after this side was stopped. If the process on the server was killed, it is
resumed. Only the standard library is needed here.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from headsup.common.errors import DataError, UserError
from headsup.common.files import fingerprint, read_json, replacing, write_json
from headsup.common.progress import Progress, Watch
from headsup.games.holdem.spot import FIELDS, Spot

MOST_ANSWER = 32 << 20  # bytes of JSON
PATIENCE = 30.0  # seconds for one answer
GONE = 600.0  # seconds for which a server that does not answer is waited for
SOLVED = "Solved"  # how the message of a job begins whose solution is saved
EVERY = 1.0  # seconds between questions
LIMITS = (0.005, 600.0)  # target and seconds, as the server has them by default
LOCAL = ("localhost", "127.0.0.1", "::1")


class _NoRedirects(HTTPRedirectHandler):
    """Redirects are errors: another server would receive the token or key."""

    def redirect_request(self, *_: Any) -> None:
        return None


def opener_to(url: str) -> OpenerDirector:
    """Sends requests to a server and to nobody else; for this machine also not to a proxy."""
    local = urlsplit(url).hostname in LOCAL
    return build_opener(_NoRedirects(), *([ProxyHandler({})] if local else []))


def redirected(url: str, error: HTTPError) -> UserError | None:
    """What is wrong where a server answers with another address."""
    if not 300 <= error.code < 400:
        return None
    to = " ".join(str(error.headers["location"] or "another address").split())[:80]
    return UserError(f"{url} redirects to {to}, which is not followed: give the final address")


class Unreachable(UserError):
    """The server does not answer; it may be restarting."""


@dataclass(frozen=True)
class SolvingServer:
    """A server: its address without a path, and its token."""

    url: str
    token: str = ""

    @classmethod
    def parse(cls, text: str, token: str = "") -> SolvingServer:
        """Read an address, as `headsup serve` prints it: a token in it counts if none is given."""
        parts = urlsplit(text if "://" in text else f"http://{text}")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise UserError(f"'{text[:60]}' is not the address of a server: write http://HOST:PORT or https://HOST")
        token = token or parse_qs(parts.query).get("token", [""])[0]
        if token and not (token.isascii() and token.isalnum()):
            raise UserError("a token is letters and digits: copy it from the address that headsup serve printed")
        return cls(f"{parts.scheme}://{parts.netloc}", token)

    @property
    def is_open(self) -> bool:
        """Whether a token would travel unencrypted to another machine."""
        return self.url.startswith("http://") and urlsplit(self.url).hostname not in LOCAL

    def _request(self, path: str, method: str, body: Mapping[str, Any] | None) -> Request:
        headers = {"accept": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["content-type"] = "application/json"
        return Request(self.url + path, data, headers, method=method)

    def ask(self, path: str, method: str = "GET", body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A JSON object of the server; its errors are sentences."""
        try:
            with opener_to(self.url).open(self._request(path, method, body), timeout=PATIENCE) as answer:
                content = answer.read(MOST_ANSWER + 1)
        except HTTPError as error:
            raise _refusal(self.url, error) from None
        except (URLError, OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            raise Unreachable(f"{self.url} does not answer ({str(why)[:80]}): check the address, and that it runs") from None  # noqa: E501  # fmt: skip
        try:
            value = json.loads(content) if len(content) <= MOST_ANSWER else None
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise DataError(f"{self.url} answers something else than headsup serve does: check the address")
        return value

    def download(self, path: str, to: str | Path) -> None:
        """Save a file of the server; what was there is replaced only by a whole one."""
        try:
            request = self._request(path, "GET", None)
            with opener_to(self.url).open(request, timeout=PATIENCE) as answer, replacing(to) as file:
                shutil.copyfileobj(answer, file)
                size = answer.headers.get("content-length")
                if size is not None and file.tell() != int(size):
                    raise Unreachable(f"{self.url} stopped in the middle of the solution: run the same command again")
        except HTTPError as error:
            raise _refusal(self.url, error) from None
        except URLError as error:
            raise Unreachable(f"{self.url} does not answer ({str(error.reason)[:80]})") from None


def _refusal(url: str, error: HTTPError) -> UserError:
    """What a server refuses, in its own words where it has some."""
    if error.code == 401:
        return UserError(f"{url} wants its token: give it with --token or in HEADSUP_TOKEN")
    elsewhere = redirected(url, error)
    if elsewhere is not None:
        return elsewhere
    with suppress(Exception):
        message = json.loads(error.read(1 << 16))["error"]
        return UserError(f"{url}: {' '.join(str(message).split())[:300]}")
    if error.code >= 500:
        return Unreachable(f"{url} has an internal error ({error.code}): see its log")
    return UserError(f"{url} refuses the request ({error.code}): check that it runs this version of headsup")


def solve_remote(
    spot: Spot,
    remote: SolvingServer,
    *,
    records: Path,
    target: float = LIMITS[0],
    seconds: float = LIMITS[1],
    store: str = "float32",
    locks: tuple[str, ...] = (),
    save: str | Path | None = None,
    progress: Watch | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Have a spot solved, and return the state of its job with the `summary` of the solution.

    Args:
        spot: what is solved.
        remote: where.
        records: a folder in which the job is remembered while it is not finished.
        target, seconds, store, locks: as for `solve_spot`; the server limits memory and time.
        save: a file for the solution.
        progress: hears of iterations and the exploitability.
        say: hears of trouble that passes.
    """
    ask: dict[str, Any] = {key: text for key in FIELDS if (text := _text(getattr(spot, key)))}
    ask |= {"target": target, "seconds": seconds, "store": store, "locks": list(locks), "name": ""}
    record = records / f"{fingerprint({'url': remote.url, **ask})}.json"
    job = _known(remote, record, say) or _started(remote, spot, ask, record)
    answer = _watched(remote, job, ask, progress, say)
    if answer["state"] == "failed" or not answer["solved"]:
        record.unlink(missing_ok=True)
        why = str(answer.get("message") or "no reason given")[:200]
        raise UserError(f"{remote.url} could not solve the spot: {why}")
    if save is not None:
        remote.download(f"/study/{job}/solution", save)
    record.unlink(missing_ok=True)
    return answer


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _started(remote: SolvingServer, spot: Spot, ask: Mapping[str, Any], record: Path) -> str:
    answer = remote.ask("/api/spots", "POST", ask)
    job = str(answer.get("id", ""))
    if not job.isalnum():
        raise DataError(f"{remote.url} answers something else than headsup serve does: check the address")
    record.parent.mkdir(parents=True, exist_ok=True)
    write_json(record, {"url": remote.url, "job": job})
    if answer.get("spot") != spot.text():
        with suppress(UserError):
            remote.ask(f"/api/spots/{job}/stop", "POST")
        record.unlink(missing_ok=True)
        raise DataError(f"{remote.url} understands the spot differently: run the same version of headsup on both sides")
    return job


def _known(remote: SolvingServer, record: Path, say: Callable[[str], None]) -> str | None:
    """The job of an earlier, unfinished run of the same command."""
    with suppress(UserError, KeyError, TypeError):
        job = str(read_json(record)["job"])
        if job.isalnum():
            _patient(lambda: remote.ask(f"/api/spots/{job}"), say)
            say(f"continuing with job {job} of {remote.url}")
            return job
    return None


def _watched(
    remote: SolvingServer, job: str, ask: Mapping[str, Any], progress: Watch | None, say: Callable[[str], None]
) -> dict[str, Any]:
    """Wait for the end of a job; one whose process was killed is resumed."""
    resumed, limits = 0, {"target": ask["target"], "seconds": ask["seconds"]}
    while True:
        answer = _patient(lambda: remote.ask(f"/api/spots/{job}"), say)
        points = answer.get("progress") or []
        if progress is not None and points:
            iteration, _, share = points[-1]
            progress(Progress(int(iteration), text=f"{float(share):.3%} of the pot", unit="iterations"))
        if answer.get("state") == "lost" and resumed < 3:
            resumed += 1
            say(f"the process of job {job} was killed: it is resumed")
            _patient(lambda: remote.ask(f"/api/spots/{job}/go-on", "POST", limits), say)
        elif answer.get("state") != "running":
            return answer
        elif answer.get("solved") and str(answer.get("message", "")).startswith(SOLVED):
            return {**answer, "state": "done"}  # the server only prepares views for its page
        time.sleep(EVERY)


def _patient(question: Callable[[], dict[str, Any]], say: Callable[[str], None]) -> dict[str, Any]:
    """Ask until the server answers; it may be restarting."""
    began, warned = time.monotonic(), False
    while True:
        try:
            return question()
        except Unreachable as error:
            if time.monotonic() - began > GONE:
                raise
            if not warned:
                say(f"{error}; trying again")
                warned = True
            time.sleep(EVERY)
