"""The referee: turns a hand until it is over, and settles what agents do wrong.

A fault loses the hand at once: the pot goes to the other, whatever the cards, and even where a check would be free. The
match goes on, the record names the fault, and the log has it. Faults are

    crash    `act` raised an exception
    illegal  what came back is not an action, or not a legal one (a raise too small, a call that is not offered)
    slow     the answer took longer than the match's seconds a move; a program in this process is not cut off, only
             late; one behind a socket is not waited for (`TimedOut`)
    gone     the agent said that its program is gone (`Disconnected`): it forfeits its remaining hands

What an agent does in `start` or `end` can crash too; that is a fault of the hand that begins, or is noted and forgiven.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from headsup.common.checks import door, each, with_calls
from headsup.common.errors import UserError
from headsup.play.table.agent import Agent, Disconnected, Player, TimedOut
from headsup.play.table.dice import FIRST, Dice
from headsup.play.table.record import Fault, HandRecord, record
from headsup.play.table.rules import Action, Deal, Table, TableHand, action_text, legal_text


class Referee:
    """Sits two agents at tables, hand after hand."""

    @door(agents=each(with_calls("an agent", "start", "act")))
    def __init__(self, agents: Sequence[Agent], seed: int = 0, seconds: float | None = None) -> None:
        if len(agents) != 2:
            raise UserError(f"agents must be two, one for each player, not {len(agents)}")
        self.agents = (agents[0], agents[1])
        self.seed, self.seconds = seed, seconds
        self.gone = [False, False]
        self.score: Callable[[HandRecord], None] | None = None  # told of every hand before the agents learn from it
        self.watch: Callable[[TableHand, int, int], None] | None = (
            None  # told of a hand, its number and dealer at each event
        )
        for agent in self.agents:
            if seconds is not None and isinstance(agent, Player):
                agent.seconds = seconds
        self._learns = [getattr(type(agent), "end", None) is not Player.end for agent in self.agents]

    def start(self, table: Table) -> None:
        """A session begins."""
        for player, agent in enumerate(self.agents):
            try:
                agent.start(table)
            except Exception:  # whatever an agent does wrong is the agent's
                self.gone[player] = True

    def play(self, table: Table, deal: Deal, number: int, dealer: int) -> HandRecord:
        """Play one hand. `dealer` is the player (0 or 1 of the agents) who sits in seat 0."""
        for player, agent in enumerate(self.agents):
            agent.dice = Dice(self.seed, number, FIRST + player)
        hand = table.hand(deal)
        fault: Fault | None = None
        while not hand.over:
            if self.watch is not None:
                self.watch(hand, number, dealer)
            fault = self._turn(hand, hand.player ^ dealer)
            if fault is not None:
                hand.forfeit()
        if self.watch is not None:
            self.watch(hand, number, dealer)
        names = (self.agents[dealer].name, self.agents[1 - dealer].name)
        found = record(hand, number, names, () if fault is None else (fault,))
        if self.score is not None:
            self.score(found)
        for player, agent in enumerate(self.agents):
            if self._learns[player] and not self.gone[player]:
                self._tell(agent, found, player ^ dealer, player)
        return found

    def _tell(self, agent: Agent, found: HandRecord, seat: int, player: int) -> None:
        try:
            agent.end(found.seen_by(seat), seat)
        except Disconnected:
            self.gone[player] = True
        except Exception:  # the hand is over and counted; a crash while learning costs nothing more
            return

    def _turn(self, hand: TableHand, player: int) -> Fault | None:
        """Let the player to act act; a fault if that goes wrong."""
        if self.gone[player]:
            return Fault(hand.player, "gone", "the agent is gone")
        fault = turn(self.agents[player], hand, self.seconds)
        self.gone[player] |= fault is not None and fault.kind == "gone"
        return fault


def turn(agent: Agent, hand: TableHand, seconds: float | None = None) -> Fault | None:
    """Let an agent act for the player to act; a fault if that goes wrong, and then the hand is as it was."""
    seat, began = hand.player, perf_counter()
    try:
        action = agent.act(hand.view())
    except Disconnected as error:
        return Fault(seat, "gone", str(error) or "the agent is gone")
    except TimedOut as error:
        return Fault(seat, "slow", str(error) or "the answer came too late")
    except Exception as error:  # whatever an agent does wrong is the agent's
        return Fault(seat, "crash", f"{type(error).__name__}: {error}"[:200])
    if seconds is not None and perf_counter() - began > seconds:
        return Fault(seat, "slow", f"the answer took more than {seconds:g} s")
    if type(action) is not Action:
        return Fault(seat, "illegal", f"{type(action).__name__} is no action")
    try:
        allowed = hand.legal.allows(action)
    except Exception:  # an action made of nonsense
        allowed = False
    if not allowed:
        return Fault(seat, "illegal", f"{action_text(action)} is not allowed: {legal_text(hand.legal)}"[:200])
    hand.act(action)
    return None
