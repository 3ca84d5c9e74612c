"""Whoever has to wait for the compiler is told before, once, and on standard error."""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from headsup import cli
from headsup.common import backend
from headsup.common.backend import JIT_DISABLED
from headsup.common.progress import on_compile

notice = cli.compiling_notice  # before the shared fixture takes it away

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of kernels that no cache has: one calls the other, and a third stands alone."""
    lines = ["from headsup.common.backend import jit", "@jit", "def one(x):", "    return x + 1"]
    lines += ["@jit", "def two(x):", "    return one(x) + 1", "@jit", "def three(x):", "    return x + 3"]
    (tmp_path / "fresh_kernels.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "fresh_kernels", raising=False)
    return "fresh_kernels"


def test_compiling_is_told_before_it_starts(
    kernels: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []

    def run(args: argparse.Namespace) -> int:
        module = __import__(kernels)
        said.append(capsys.readouterr().err)
        assert module.two(1) == 3
        said.append(capsys.readouterr().err)
        assert module.three(1) == 4
        assert module.two(2) == 4
        return 0

    monkeypatch.setattr(cli, "compiling_notice", notice)
    monkeypatch.setattr("headsup.cli.rank.run", run)
    assert cli.main(["rank", "As"]) == 0
    assert said[0] == ""
    assert said[1].startswith("headsup rank: compiling its kernels (on first use only")
    assert said[1].count("\n") == 1
    assert capsys.readouterr().err == ""  # once is enough
    assert cli.main(["rank", "As"]) == 0  # and what is compiled is not told again
    assert said[3] == ""


def test_the_innermost_listener_hears_it(kernels: str) -> None:
    outer: list[bool] = []
    inner: list[bool] = []
    with on_compile(outer.append):
        with on_compile(inner.append):
            assert __import__(kernels).two(1) == 3
        assert (outer, inner) == ([], [True, False])
        assert __import__(kernels).three(1) == 4
    assert (outer, inner) == ([True, False], [True, False])


INTERRUPTED = """
import signal, sys, time, fresh_kernels
from numba.core.registry import cpu_target

assert fresh_kernels.three(1) == 4  # the first compilation of a process sets the compiler up
engine = cpu_target.target_context.codegen()._engine._ee
finished, calls, lost = engine._object_cache_notify, [], []

def interrupted(*compiled):
    if not calls:
        calls.append(True)
        signal.raise_signal(signal.SIGINT)
    finished(*compiled)

engine._object_cache_notify, sys.unraisablehook = interrupted, lost.append
try:
    time.sleep(30 + fresh_kernels.two(1))
except KeyboardInterrupt:
    print(len(calls), len(lost), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_ctrl_c_in_a_call_of_the_compiler_waits_for_its_end(kernels: str, tmp_path: Path) -> None:
    # in a process of its own: other tests leave threads that compile
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    ran = subprocess.run(
        [sys.executable, str(tmp_path / "interrupted.py")], capture_output=True, text=True, timeout=200, check=False
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("1 0 True\n", "", 0)


def test_a_thread_that_compiles_does_not_hide_another() -> None:
    heard: list[bool] = []
    notice = backend._Notice()

    def compiles() -> None:
        notice.on_start(None)
        notice.on_end(None)

    notice.on_start(None)
    try:
        with on_compile(heard.append):
            thread = threading.Thread(target=compiles)
            thread.start()
            thread.join()
    finally:
        notice.on_end(None)
    assert heard == [True, False]
