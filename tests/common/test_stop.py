"""Ctrl-C as a flag."""

from __future__ import annotations

import signal
from io import StringIO
from threading import Thread
from time import perf_counter

import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.common.stop import asked, time_up, until_stopped


def test_the_first_is_a_flag_and_the_second_an_interrupt() -> None:
    later = perf_counter() + 1000.0
    with until_stopped() as stop:
        assert not stop.asked()
        assert not time_up(later)
        signal.raise_signal(signal.SIGINT)
        assert stop.asked()
        assert asked()
        assert time_up(later)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not asked()
    assert time_up(perf_counter() - 1.0)


def test_inner_blocks_share_the_flag() -> None:
    with until_stopped() as outer:
        with until_stopped() as inner:
            signal.raise_signal(signal.SIGINT)
        assert inner is outer
        assert asked()
        with until_stopped() as late:
            assert late.asked()


def test_an_interrupt_that_is_raised_counts_once() -> None:
    with until_stopped() as stop:
        with stop.ending():
            raise KeyboardInterrupt
        assert asked()
        with pytest.raises(KeyboardInterrupt), stop.ending():
            raise KeyboardInterrupt


def test_another_handler_and_other_threads_are_left_alone() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with until_stopped():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    seen: list[object] = []

    def work() -> None:
        with until_stopped() as stop:
            seen.append((signal.getsignal(signal.SIGINT), stop.asked()))

    with until_stopped() as stop:
        stop.ask()
        ours = signal.getsignal(signal.SIGINT)
        thread = Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [(ours, False)]


@pytest.mark.parametrize("behind", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupt_out_of_a_kernel_is_no_traceback(
    behind: type[BaseException], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(args: object) -> int:
        raise SystemError("returned a result with an exception set") from behind()

    monkeypatch.setattr("headsup.cli.games.run", broken)
    if behind is KeyboardInterrupt:
        assert main(["games"]) == 130
        assert capsys.readouterr().err == "headsup games: interrupted\n"
    else:
        with pytest.raises(SystemError):
            main(["games"])


@pytest.mark.parametrize("error", [UserError("no such game"), OSError(28, "No space left on device")])
@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_while_an_error_is_told_is_no_traceback(
    error: Exception, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of the message, or also in that of the interrupt."""

    class Terminal(StringIO):
        left = times

        def write(self, text: str) -> int:
            if self.left:
                self.left -= 1
                signal.raise_signal(signal.SIGINT)
            return super().write(text)

    def broken(args: object) -> int:
        raise error

    said = Terminal()
    monkeypatch.setattr("headsup.cli.games.run", broken)
    monkeypatch.setattr("sys.stderr", said)
    assert main(["games"]) == 130
    assert said.getvalue() == ("headsup games: interrupted\n" if times == 1 else "")
