"""The client: an agent of ours at another dealer."""

from headsup.common.errors import DataError, UserError
from headsup.play.protocols.acpc.definition import check_speakable
from headsup.play.protocols.acpc.text import VERSION, action_text, read_fault, read_hand, read_state
from headsup.play.protocols.host import RemoteResult
from headsup.play.protocols.wire import Wire, connect
from headsup.play.table.agent import Agent, Disconnected, make_agent
from headsup.play.table.dice import FIRST, Dice
from headsup.play.table.record import record
from headsup.play.table.rules import Table, TableHand


def play_client(name: str, table: Table, host: str, port: int, seed: int = 0) -> RemoteResult:
    """Connect to a dealer and play until it ends the match."""
    agent = make_agent(name, check_speakable(table))
    try:
        wire = connect(host, port)
        try:
            wire.send(VERSION)
            return _play(wire, agent, RemoteResult(name, table), seed)
        except Disconnected as error:
            raise UserError(f"the dealer disconnected: {error}") from error
        finally:
            wire.close()
    finally:
        agent.close()


def _play(wire: Wire, agent: Agent, result: RemoteResult, seed: int) -> RemoteResult:
    agent.start(result.table)
    number, seat = -1, 0
    hand: TableHand | None = None
    while True:
        try:
            line = wire.receive()
        except Disconnected:
            if hand is None or hand.over:
                return result  # the match has ended
            raise
        assert line is not None
        if not line.strip() or line[0] in "#;":
            if hand is not None and not hand.over and read_fault(line) == (number, hand.player):
                hand.forfeit()
                _end(hand, seat, number, agent, result)
            continue
        try:
            state = read_state(line)
            hand = read_hand(result.table, state.deal, state.betting)
        except DataError as error:
            raise DataError(f"the dealer's line cannot be read, or it plays another game: {error}") from error
        if state.number != number:
            number, seat = state.number, state.seat
            agent.dice = Dice(seed, number, FIRST)
        if hand.over:
            _end(hand, seat, number, agent, result)
        elif hand.player == seat:
            action = agent.act(hand.view())
            wire.send(f"{line}:{action_text(result.table, hand.state, action)}")


def _end(hand: TableHand, seat: int, number: int, agent: Agent, result: RemoteResult) -> None:
    names = (agent.name, "") if seat == 0 else ("", agent.name)
    finished = record(hand, number, names)
    result.scores.append(finished.chips[seat])
    agent.end(finished.seen_by(seat), seat)
