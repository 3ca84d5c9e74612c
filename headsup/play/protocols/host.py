"""A match hosted for programs that connect: our agents and other programs at one table.

A program behind a socket loses the hand if its answer is late or illegal. It is disconnected, and forfeits its
remaining hands, if its connection breaks, it is late three times in a row, or its time for the match is used up.
"""

import socket
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np

from headsup.common.checks import check_seed, positive, whole
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.play.protocols.wire import LOCAL, Wire, greet, listen
from headsup.play.statistics.interval import fixed
from headsup.play.table.agent import Agent, Disconnected, Player, TimedOut, make_agent
from headsup.play.table.record import HandRecord
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Action, PlayerView, Table, TableHand

LATE = 3  # consecutive late answers that count as a disconnection
MOST_IGNORED = 1000  # lines to ignore while waiting for an answer


@dataclass(frozen=True)
class TimeLimits:
    """Seconds for a program; the defaults are those of the competition's dealer."""

    answer: float = 600.0
    hand: float = 600.0  # per hand
    average: float = 7.0  # for a hand on average: over a match so many times the number of hands

    def __post_init__(self) -> None:
        positive(self.answer, "the seconds of an answer")
        positive(self.hand, "the seconds of a hand")
        positive(self.average, "the average seconds of a hand")


class Remote(Player):
    """A player whose program is behind a socket; subclasses implement `show` and `read`."""

    memory = True
    line_end = "\r\n"

    def __init__(self, name: str, wire: Wire, limits: TimeLimits, hands: int) -> None:
        self.name, self.wire, self.limits = name, wire, limits
        self.left = limits.average * hands  # seconds of the match that are left
        self.number = -1
        self._hand_left = limits.hand
        self._late = 0
        self.gone = ""  # why the program is asked no more, once it is not

    def tell(self, line: str) -> None:
        """Send a line; a broken connection shows at the next answer."""
        if not self.gone:
            try:
                self.wire.send(line, self.line_end)
            except Disconnected as error:
                self.gone = str(error)

    def new_hand(self, number: int) -> None:
        self.number, self._hand_left = number, self.limits.hand

    @abstractmethod
    def show(self, hand: TableHand, seat: int) -> None:
        """Report an event of a hand: its start, an action, its end."""

    @abstractmethod
    def read(self, line: str, view: PlayerView) -> Action | None:
        """The action of an answer; None for a line to ignore."""

    def act(self, view: PlayerView) -> Action:
        try:
            if self.gone:
                raise Disconnected(self.gone)
            return self._answer(view)
        except Disconnected as error:
            self.gone = str(error)
            raise

    def _answer(self, view: PlayerView) -> Action:
        began = monotonic()
        seconds = min(self.limits.answer, self._hand_left, self.left)
        try:
            action = self._wait(view, began + seconds)
        finally:
            spent = monotonic() - began
            self._hand_left -= spent
            self.left -= spent
        if action is not None:
            self._late = 0
            return action
        self._late += 1
        if self.left <= 0:
            raise Disconnected("the time for the match is used up")
        if self._late >= LATE:
            raise Disconnected(f"{LATE} consecutive answers were late")
        raise TimedOut(f"no answer within {seconds:.3g} s")

    def _wait(self, view: PlayerView, deadline: float) -> Action | None:
        for _ in range(MOST_IGNORED):
            line = self.wire.receive(deadline)
            if line is None:
                return None
            action = self.read(line, view)
            if action is not None:
                return action
        raise Disconnected(f"more than {MOST_IGNORED} lines instead of an answer")

    def close(self) -> None:
        self.wire.close()


@dataclass
class Hosted:
    names: tuple[str, str]
    table: Table
    seed: int
    scores: list[int] = field(default_factory=list)  # chips that the first player won, hand by hand
    faults: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False

    @property
    def chips(self) -> tuple[int, int]:
        won = sum(self.scores)
        return won, -won

    def summary(self) -> dict[str, Any]:
        interval = fixed(np.array(self.scores, dtype=np.float64) / self.table.unit)
        return {
            "agents": list(self.names),
            "game": self.table.name,
            "hands": len(self.scores),
            "seed": self.seed,
            "mean_bb": interval.mean,
            "interval_bb": interval.bounds,
            "chips": list(self.chips),
            "faults": [sum(fault["player"] == player for fault in self.faults) for player in (0, 1)],
            "stopped": self.stopped,
        }


@dataclass
class RemoteResult:
    """The result of an agent of ours at another program's table."""

    agent: str
    table: Table
    scores: list[int] = field(default_factory=list)  # chips won, hand by hand

    def summary(self) -> dict[str, Any]:
        hands = len(self.scores)
        mean = sum(self.scores) / hands / self.table.unit if hands else None
        return {"agent": self.agent, "hands": hands, "chips": sum(self.scores), "mean_bb": mean}


class Host(ABC):
    """Seats two players: an agent's name seats that agent, and `word` or `word:NAME` a program that connects."""

    word: str
    first_dealer: int  # which player sits in seat 0 in the first hand; they take turns

    def __init__(
        self,
        table: Table,
        players: tuple[str, str],
        hands: int,
        seed: int = 0,
        limits: TimeLimits | None = None,
        ports: tuple[int, ...] = (),
        host: str = LOCAL,
        patience: float | None = None,
    ) -> None:
        self.table, self.seed, self.hands = table, check_seed(seed), whole(hands, "the number of hands", 1)
        self.limits, self.patience = limits or TimeLimits(), patience
        remote = [player.partition(":")[0] == self.word for player in players]
        if ports and len(ports) != sum(remote):
            raise UserError(f"{len(ports)} ports for {sum(remote)} programs that connect: give one for each")
        self.names = _names(players, remote)
        self.listeners: list[socket.socket | None] = [None, None]  # where each player's program connects
        self._agents: list[Agent | None] = [None, None]
        given = iter(ports)
        try:
            for player, text in enumerate(players):
                if remote[player]:
                    self.listeners[player] = listen(next(given, 0), host)
                else:
                    self._agents[player] = make_agent(text, table)
        except BaseException:
            self._close()
            raise
        self.ports = [int(listener.getsockname()[1]) for listener in self.listeners if listener is not None]
        """The ports of the programs that connect, in the players' order."""

    @abstractmethod
    def seat(self, player: int, listener: socket.socket) -> Remote:
        """Wait for a player's program."""

    def greeted(self, player: int, listener: socket.socket, ready: Callable[[str], bool] | None) -> Wire:
        """The connection of a player's program, whose first line must be `ready`."""
        wire = greet(listener, ready, self.patience)
        if wire is None:
            raise UserError(f"{self.names[player]} did not connect within {self.patience:g} s: start it sooner")
        return wire

    def ended(self, agents: tuple[Agent, Agent]) -> None:  # noqa: B027
        """Called after the last hand."""

    def play(self, log: Callable[[HandRecord], None] | None = None, progress: Watch | None = None) -> Hosted:
        """Wait for the programs and play. Ctrl-C stops the match and returns the result so far."""
        hosted = Hosted(self.names, self.table, self.seed)
        try:
            for player, listener in enumerate(self.listeners):
                if listener is not None:
                    self._agents[player] = self.seat(player, listener)
                    listener.close()
            first, second = self._agents
            assert first is not None
            assert second is not None
            self._hands((first, second), hosted, log, progress)
            self.ended((first, second))
        except KeyboardInterrupt:
            if not hosted.scores:
                raise
            hosted.stopped = True
        finally:
            self._close()
        return hosted

    def _hands(
        self,
        agents: tuple[Agent, Agent],
        hosted: Hosted,
        log: Callable[[HandRecord], None] | None,
        progress: Watch | None,
    ) -> None:
        referee = Referee(agents, self.seed)
        remote = [(player, agent) for player, agent in enumerate(agents) if isinstance(agent, Remote)]

        def watch(hand: TableHand, number: int, dealer: int) -> None:
            for player, agent in remote:
                if agent.number != number:
                    agent.new_hand(number)
                agent.show(hand, player ^ dealer)

        referee.watch = watch
        referee.start(self.table)
        for number in range(self.hands):
            dealer = (number + self.first_dealer) % 2
            record = referee.play(self.table, self.table.deal_number(self.seed, number), number, dealer)
            hosted.scores.append(record.chips[dealer])
            hosted.faults.extend(record.fault_entries(dealer))
            if log is not None:
                log(record)
            if progress is not None:
                progress(Progress(number + 1, self.hands, "match", unit="hands"))

    def _close(self) -> None:
        for resource in (*self.listeners, *self._agents):
            if resource is not None:
                with suppress(Exception):  # an agent may raise anything
                    resource.close()


def _names(players: tuple[str, str], remote: list[bool]) -> tuple[str, str]:
    names = []
    for player, text in enumerate(players):
        name = text.partition(":")[2] if remote[player] else text
        names.append("-".join(name.replace(":", "-").replace("|", "-").split()) or f"player{player + 1}")
    return names[0], names[1] if names[0] != names[1] else f"{names[1]}-2"
