"""The referee plays a hand to its end and handles agents' faults.

A fault forfeits the hand at once: the opponent wins the pot, even where a check is free. The match continues and the
record names the fault:

    crash    `act` raised an exception
    illegal  the return value is not a legal action
    slow     the answer exceeded the time limit; agents in this process are not interrupted
    gone     the agent's program has disconnected; it forfeits its remaining hands

An agent that crashes in `start` counts as gone; a crash in `end` is ignored, because the hand is already scored.
"""

from collections.abc import Callable, Sequence
from time import perf_counter

from headsup.common.checks import door, each, with_calls
from headsup.common.errors import UserError
from headsup.play.table.agent import Agent, Disconnected, Player, TimedOut
from headsup.play.table.dice import FIRST, Dice
from headsup.play.table.record import Fault, HandRecord, record
from headsup.play.table.rules import Action, Deal, Table, TableHand, action_text, legal_text


class Referee:
    @door(agents=each(with_calls("an agent", "start", "act")))
    def __init__(self, agents: Sequence[Agent], seed: int = 0, seconds: float | None = None) -> None:
        if len(agents) != 2:
            raise UserError(f"agents must be two, one for each player, not {len(agents)}")
        self.agents = (agents[0], agents[1])
        self.seed, self.seconds = seed, seconds
        self.gone = [False, False]
        self.score: Callable[[HandRecord], None] | None = None  # called before the agents learn from a hand
        self.watch: Callable[[TableHand, int, int], None] | None = None  # called with hand, number and dealer
        for agent in self.agents:
            if seconds is not None and isinstance(agent, Player):
                agent.seconds = seconds
        self._learns = [getattr(type(agent), "end", None) is not Player.end for agent in self.agents]

    def start(self, table: Table) -> None:
        for player, agent in enumerate(self.agents):
            try:
                agent.start(table)
            except Exception:  # an agent may raise anything
                self.gone[player] = True

    def play(self, table: Table, deal: Deal, number: int, dealer: int) -> HandRecord:
        """Play one hand. `dealer` is the agent (0 or 1) in seat 0."""
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
        finished = record(hand, number, names, () if fault is None else (fault,))
        if self.score is not None:
            self.score(finished)
        for player, agent in enumerate(self.agents):
            if self._learns[player] and not self.gone[player]:
                self._tell(agent, finished, player ^ dealer, player)
        return finished

    def _tell(self, agent: Agent, finished: HandRecord, seat: int, player: int) -> None:
        try:
            agent.end(finished.seen_by(seat), seat)
        except Disconnected:
            self.gone[player] = True
        except Exception:  # the hand is over and counted; a crash while learning costs nothing more
            return

    def _turn(self, hand: TableHand, player: int) -> Fault | None:
        """Ask the player to act; returns a fault if that fails."""
        if self.gone[player]:
            return Fault(hand.player, "gone", "the agent is gone")
        fault = turn(self.agents[player], hand, self.seconds)
        self.gone[player] |= fault is not None and fault.kind == "gone"
        return fault


def turn(agent: Agent, hand: TableHand, seconds: float | None = None) -> Fault | None:
    """Ask an agent to act; returns a fault, with the hand unchanged, if that fails."""
    seat, began = hand.player, perf_counter()
    try:
        action = agent.act(hand.view())
    except Disconnected as error:
        return Fault(seat, "gone", str(error) or "the agent is gone")
    except TimedOut as error:
        return Fault(seat, "slow", str(error) or "the answer came too late")
    except Exception as error:  # an agent may raise anything
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
