"""A match that is hosted for programs which connect: agents of our own and others' sit at one table.

The referee is the arena's, and so are its rules for faults (`headsup.play.table.referee`): what loses a hand loses it
at once, and the match goes on. A program behind a socket

    loses the hand   when its answer is late, or is not a legal action of the protocol
    is gone          when its connection breaks, when it has been late three times running, or when the time that it
                     has for the whole match is used up: it is asked no more, and loses each hand at its turn

The time of a match is its average a hand times the number of hands; what one hand leaves, later ones may use.
"""

from __future__ import annotations

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
from headsup.play.protocols.wire import LOCAL, Wire, listen
from headsup.play.statistics.interval import fixed
from headsup.play.table.agent import Agent, Disconnected, Player, TimedOut, make_agent
from headsup.play.table.record import HandRecord
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Action, PlayerView, Table, TableHand

LATE = 3
"""Late answers running after which a program is taken for gone."""
MOST_IGNORED = 1000
"""Lines that are passed over while an answer is waited for."""


@dataclass(frozen=True)
class TimeLimits:
    """Seconds that a program has; the competition's dealer has the same three unless told otherwise."""

    answer: float = 600.0
    hand: float = 600.0
    """For all its answers in a hand."""
    average: float = 7.0
    """For a hand on average: over a match so many times the number of hands."""

    def __post_init__(self) -> None:
        positive(self.answer, "the seconds of an answer")
        positive(self.hand, "the seconds of a hand")
        positive(self.average, "the average seconds of a hand")


class Remote(Player):
    """A player whose program is behind a socket. Its kinds know their protocol: `show` and `read`."""

    memory = True
    line_end = "\r\n"

    def __init__(self, name: str, wire: Wire, limits: TimeLimits, hands: int) -> None:
        self.name, self.wire, self.limits = name, wire, limits
        self.left = limits.average * hands
        """Seconds of the match that are left."""
        self.number = -1
        self._hand_left = limits.hand
        self._late = 0
        self.gone = ""
        """Why the program is asked no more, once it is not."""

    def tell(self, line: str) -> None:
        """Send a line; a connection that is broken shows when an answer is asked for."""
        if not self.gone:
            try:
                self.wire.send(line, self.line_end)
            except Disconnected as error:
                self.gone = str(error)

    def new_hand(self, number: int) -> None:
        """A hand begins: its time is full."""
        self.number, self._hand_left = number, self.limits.hand

    @abstractmethod
    def show(self, hand: TableHand, seat: int) -> None:
        """Something has happened in a hand, or it begins, or is over."""

    @abstractmethod
    def read(self, line: str, view: PlayerView) -> Action | None:
        """The action of an answer; None for a line that is to be passed over."""

    def act(self, view: PlayerView) -> Action:
        """Wait for the answer."""
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
            raise Disconnected("the time of the match is used up")
        if self._late >= LATE:
            raise Disconnected(f"{LATE} answers running were late")
        raise TimedOut(f"no answer within {seconds:.3g} s")

    def _wait(self, view: PlayerView, deadline: float) -> Action | None:
        for _ in range(MOST_IGNORED):
            line = self.wire.receive(deadline)
            if line is None:
                return None
            action = self.read(line, view)
            if action is not None:
                return action
        raise Disconnected(f"more than {MOST_IGNORED} lines in place of an answer")

    def close(self) -> None:
        """End the connection."""
        self.wire.close()


@dataclass
class Hosted:
    """What a hosted match came to."""

    names: tuple[str, str]
    table: Table
    seed: int
    scores: list[int] = field(default_factory=list)
    """Chips that the first player won, hand by hand."""
    faults: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False

    @property
    def chips(self) -> tuple[int, int]:
        """What both have won over the match."""
        won = sum(self.scores)
        return won, -won

    def summary(self) -> dict[str, Any]:
        """As a JSON object, with the keys of any match."""
        interval = fixed(np.array(self.scores, dtype=np.float64) / self.table.unit)
        bounds = [bound if abs(bound) < float("inf") else None for bound in (interval.low, interval.high)]
        return {
            "agents": list(self.names),
            "game": self.table.name,
            "hands": len(self.scores),
            "seed": self.seed,
            "mean_bb": interval.mean,
            "interval_bb": bounds,
            "chips": list(self.chips),
            "faults": [sum(one["player"] == player for one in self.faults) for player in (0, 1)],
            "stopped": self.stopped,
        }


class Host(ABC):
    """Sits two players at a table: an agent's name sits that agent, and `word` or `word:NAME` a program that connects
    to a port of its own.
    """

    word: str
    first_dealer: int
    """Which player sits in seat 0 in the first hand; they take turns."""

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
        self.listeners: list[socket.socket | None] = [None, None]
        """Where each player's program connects."""
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
        self.ports = [int(one.getsockname()[1]) for one in self.listeners if one is not None]
        """The ports of the programs that connect, in the players' order."""

    @abstractmethod
    def seat(self, player: int, listener: socket.socket) -> Remote:
        """Wait for a player's program."""

    def ended(self, agents: tuple[Agent, Agent]) -> None:  # noqa: B027
        """The last hand is over."""

    def play(self, log: Callable[[HandRecord], None] | None = None, progress: Watch | None = None) -> Hosted:
        """Wait for the programs and play the match. Ctrl-C ends it with what there is."""
        found = Hosted(self.names, self.table, self.seed)
        try:
            for player, listener in enumerate(self.listeners):
                if listener is not None:
                    self._agents[player] = self.seat(player, listener)
                    listener.close()
            first, second = self._agents
            assert first is not None
            assert second is not None
            self._hands((first, second), found, log, progress)
            self.ended((first, second))
        except KeyboardInterrupt:
            if not found.scores:
                raise
            found.stopped = True
        finally:
            self._close()
        return found

    def _hands(
        self,
        agents: tuple[Agent, Agent],
        found: Hosted,
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
            found.scores.append(record.chips[dealer])
            for one in record.faults:
                told = {"hand": number, "player": one.seat ^ dealer, "kind": one.kind, "text": one.text}
                found.faults.append(told)
            if log is not None:
                log(record)
            if progress is not None:
                progress(Progress(number + 1, self.hands, "match", unit="hands"))

    def _close(self) -> None:
        for one in (*self.listeners, *self._agents):
            if one is not None:
                with suppress(Exception):  # what an agent does at its end is its own affair
                    one.close()


def _names(players: tuple[str, str], remote: list[bool]) -> tuple[str, str]:
    """What the players are called, each by a name of its own."""
    found = []
    for player, text in enumerate(players):
        name = text.partition(":")[2] if remote[player] else text
        found.append("-".join(name.replace(":", "-").replace("|", "-").split()) or f"player{player + 1}")
    return found[0], found[1] if found[0] != found[1] else f"{found[1]}-2"
