"""The application, and where there is one a browser with a running server."""

from __future__ import annotations

import os
import random
import secrets
import shutil
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the web extra")
pytest.importorskip("httpx", reason="asking the page needs httpx")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have another client
    from starlette.testclient import TestClient

from headsup.common.files import write_json
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.web.app import make_app
from headsup.web.jobs import SOLUTION, Ask, mark_of
from tests.waiting import PATIENCE, until

CHROMIUM = os.environ.get("HEADSUP_CHROMIUM") or shutil.which("chromium")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What asks the API at random is long, and even to load it takes seconds."""
    skipped = collection_path.name == "test_schema.py" and config.getoption("markexpr") == "not long"
    return True if skipped else None


def _needs_kernels() -> None:
    from headsup.common.backend import JIT_DISABLED

    if JIT_DISABLED:
        pytest.skip("the page counts millions of deals")


@pytest.fixture(autouse=True)
def same_secrets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has secrets of its own, the same in every run: cards, questions and the bots' choices come of them."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: drawn.randbytes(size))
    monkeypatch.setattr(secrets, "randbits", drawn.getrandbits)


@pytest.fixture(scope="module", autouse=True)
def few_iterations() -> Iterator[None]:
    """What is solved again during a hand or its review takes few iterations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("headsup.play.agents.subgame.ITERATIONS", (6, 6))
        yield


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of the application, without a server; a fault of ours is raised."""
    _needs_kernels()
    with TestClient(make_app(work=tmp_path_factory.mktemp("spots"))) as one:
        yield one


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its spots."""
    return tmp_path_factory.mktemp("spots")


def keep_solved(folder: Path, found: SpotSolution, name: str = "", created: float = 0.0) -> None:
    """A folder of a job that has solved a spot."""
    folder.mkdir(parents=True)
    write_json(folder / "job.json", {**vars(Ask(found.spot.text(), name, created=created)), "locks": []})
    mark = mark_of(folder)
    found.save(folder / SOLUTION, job=mark)
    write_json(folder / "summary.json", {"job": mark, **found.summary()})
    write_json(folder / "state.json", {"state": "done", "message": ""})


@pytest.fixture(scope="session")
def served(work: Path) -> Iterator[str]:
    """The address of a server on this machine."""
    _needs_kernels()
    uvicorn = pytest.importorskip("uvicorn")
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = make_app(work=work)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright."""
    api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    if CHROMIUM is None:
        pytest.skip("no chromium on the path: apt-get install chromium, or set HEADSUP_CHROMIUM")
    with api.sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield one
        one.close()


@pytest.fixture(scope="session")
def window(browser: Any, served: str) -> Iterator[Any]:
    """A window for one test after the other: opening one takes the browser longer than most tests take."""
    context = browser.new_context(base_url=served)
    context.set_default_timeout(1000 * PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(window: Any, served: str) -> Iterator[Any]:
    """A page of the server; whatever it asks for elsewhere, and every complaint of the browser, fails the test.

    Nothing is kept of it: no cookies, no storage, no size and no route.
    """
    wrong = list[str]()
    listeners: dict[str, Callable[[Any], None]] = {
        "pageerror": lambda error: wrong.append(f"script: {error}"),
        "console": lambda said: wrong.append(said.text) if "Content Security" in said.text else None,
        "request": lambda asked: None if asked.url.startswith(served) else wrong.append(f"elsewhere: {asked.url}"),
    }
    window.set_viewport_size({"width": 1280, "height": 900})
    for event, listener in listeners.items():
        window.on(event, listener)
    yield window
    for event, listener in listeners.items():
        window.remove_listener(event, listener)
    for other in window.context.pages:
        if other != window:
            other.close()
    window.unroute_all()
    window.context.set_offline(False)
    window.goto("about:blank")
    window.mouse.move(0, 0)
    window.emulate_media(media="null", color_scheme="light")
    window.context.clear_cookies()
    session = window.context.new_cdp_session(window)
    session.send("Storage.clearDataForOrigin", {"origin": served, "storageTypes": "all"})
    session.detach()
    assert not wrong


@pytest.fixture(scope="session")
def turn(work: Path) -> str:
    """The address of a solved turn."""
    spot = Spot("Td9d6hQc", "AA,T9s,KJs", "QQ,AQs,J8s", 200, 900, bets="60%, a", raises="2.5x")
    keep_solved(work / "0123456789ab", solve_spot(spot, None, iterations=20), "A turn", 1.0)
    return "/study/0123456789ab"


AXE = Path(__file__).parent / "vendor" / "axe.min.js"
