"""Settings that every test shares."""

import ctypes
import gc
import os
import signal
import sys
from pathlib import Path

# Tests run side by side, one a core; products of matrices that also want every core mostly wait for each other. This
# must come before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # many tests start commands, which would parse every module anew
os.environ.pop("COLUMNS", None)  # xdist gives its workers the width of the terminal, and commands would wrap to it

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# Without a word on it, Hypothesis repeats its examples wherever it finds itself in CI.
settings.register_profile("random", deadline=None, max_examples=50, derandomize=False)
settings.register_profile("same", settings.get_profile("random"), derandomize=True)
settings.register_profile("long", settings.get_profile("random"), max_examples=200)
settings.load_profile("same")

sys.dont_write_bytecode = False  # processes side by side take over what another of them has parsed
gc.disable()  # until every test is loaded: nothing of it is thrown away

if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt"):
    # glibc returns large arrays to the system at once, and fetching their pages again takes a tenth of the time.
    MMAP_THRESHOLD, TRIM_THRESHOLD, TOP_PAD = -3, -1, -2  # of malloc.h; older versions take 32 MB at most for the first
    for option, size in ((MMAP_THRESHOLD, 25), (MMAP_THRESHOLD, 30), (TRIM_THRESHOLD, 29), (TOP_PAD, 26)):
        ctypes.CDLL(None).mallopt(option, 1 << size)

# A shell starts what runs in its background with Ctrl-C ignored; tests of Ctrl-C want what a terminal gives.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Properties are tried on the same examples every time; on new ones, and more, where long tests run too.

    `--hypothesis-seed=N` asks for other examples as well, and `--hypothesis-profile` overrides all of this.
    """
    if config.getoption("markexpr") != "not long":
        settings.load_profile("long")
    elif config.getoption("--hypothesis-seed") is not None:
        settings.load_profile("random")
    else:
        # Else Hypothesis would parse all code for constants, which takes each process seconds, and an edit of any of
        # them would change the examples of every test.
        providers._get_local_constants = lambda: providers._local_constants
    worker = getattr(config, "workerinput", None)
    if worker is not None and os.name == "posix":
        from tests.compile_once import compile_once

        compile_once()
    if worker is not None and [config.rootpath / name for name in config.args] == [HERE]:
        config.args[:] = all_tests_from(int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def all_tests_from(worker: int, workers: int) -> list[str]:
    """The folders and files of all tests, for each process from another place on.

    Parsing them takes pytest as long as loading them, so each process parses some and finds those of the others done.
    """
    files = {path.relative_to(HERE).parts[0] for path in HERE.rglob("test_*.py")}
    names = [str(HERE / name) for name in sorted(files)]
    first = len(names) * worker // workers
    return names[first:] + names[:first]


HERE = Path(__file__).parent
ORDER = ("abstraction", "evaluate", "equity", "games", "solve", "measure", "play",
         "papers", "web", "distil", "cards",
         "cli")  # fmt: skip
"""Of three processes each begins near the start of a line: so cut that few kernels are used by two of them before
either has compiled them. Other folders, and what lies in none, come last."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the order above, then by path, whatever was loaded first."""
    places = {name: i for i, name in enumerate(ORDER)}
    paths = {path: path.relative_to(HERE).parts for path in {item.path for item in items}}
    items.sort(key=lambda item: (places.get(paths[item.path][0], len(ORDER)), paths[item.path]))


def pytest_collection_finish() -> None:
    """What was loaded stays, so that nobody need look through it for garbage again and again."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # compilers and naive twins make many objects and little garbage
    gc.enable()


@pytest.fixture
def packets_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packets are done in this process; tests/common/test_distribute.py is about those of other processes."""
    from tests.distribute_work import Here

    monkeypatch.setattr("headsup.common.distribute._Local", Here)


@pytest.fixture(autouse=True)
def quiet_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word about compilation: which test is the first to use a kernel is chance, and says nothing."""
    monkeypatch.setattr("headsup.cli.compiling_notice", lambda name: lambda busy: None)
