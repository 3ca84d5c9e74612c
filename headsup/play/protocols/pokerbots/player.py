"""The player: an agent of ours at another engine.

The events of a hand are kept and replayed at each request, with unknown cards as negative numbers, so the agent sees
what it would see at our own table.
"""

from __future__ import annotations

from headsup.cards.cards import parse_card
from headsup.common.checks import quoted
from headsup.common.errors import DataError, UserError
from headsup.play.protocols.host import RemoteResult
from headsup.play.protocols.pokerbots.engine import action_word, pokerbots_table, read_action
from headsup.play.protocols.wire import Wire, connect
from headsup.play.table.agent import Agent, Disconnected, make_agent
from headsup.play.table.dice import FIRST, Dice
from headsup.play.table.record import record
from headsup.play.table.rules import BOARD, Action, Deal, Illegal, Table, TableHand

UNKNOWN = (-1, -2)  # cards of the other


def play_player(name: str, game: str, host: str, port: int, seed: int = 0) -> RemoteResult:
    """Connect to an engine and play until it ends the match."""
    pokerbots_table(game)  # fail before connecting
    make_agent(name, pokerbots_table(game)).close()
    wire = connect(host, port)
    client = PokerbotsClient(name, game, seed)
    try:
        _play(wire, client)
    except Disconnected as error:
        raise UserError(f"the engine disconnected: {error}") from error
    finally:
        wire.close()
        if client.agent is not None:
            client.agent.close()
    return client.result


def _play(wire: Wire, client: PokerbotsClient) -> None:
    while True:
        try:
            line = wire.receive()
        except Disconnected:
            if client.over:
                return  # the match has ended
            raise
        assert line is not None
        try:
            answer = client.hear(line.split())
        except (DataError, Disconnected):
            raise
        except (ValueError, IndexError, AttributeError) as error:
            raise DataError(f"the engine's line {quoted(line)} cannot be read: {error}") from error
        if answer:
            wire.send(answer, "\n")


class PokerbotsClient:
    """The player's knowledge; `hear` takes a line of the engine and returns the answer."""

    def __init__(self, name: str, game: str, seed: int = 0) -> None:
        self.name, self.game, self.seed = name, game, seed
        self.table: Table = pokerbots_table(game)
        self.result = RemoteResult(name, self.table)
        self.agent: Agent | None = None
        self.over = True
        self.seat = 0
        self.me = ""
        self._number, self._bank = 0, 0
        self._hole: tuple[int, ...] = ()
        self._events: list[str] = []

    def hear(self, words: list[str]) -> str:
        """The answer to a line of the engine; empty if none is expected."""
        kind = words[0] if words else ""
        if kind == "NEWGAME":
            self._new_game(words)
        elif kind == "NEWHAND":
            self._new_hand(words)
        elif kind == "GETACTION":
            return self._act(words)
        elif kind == "HANDOVER":
            self._hand_over(words)
        elif kind == "REQUESTKEYVALUES":
            return "FINISH"
        return ""

    def _new_game(self, words: list[str]) -> None:
        self.me = words[1]
        self.table = pokerbots_table(self.game, int(words[3]), int(words[4]))
        self.result.table = self.table
        self.agent = make_agent(self.name, self.table)
        self.agent.start(self.table)

    def _new_hand(self, words: list[str]) -> None:
        if self.agent is None:
            raise DataError("the engine deals before NEWGAME")
        self._number, self.seat = int(words[1]), 0 if words[2] == "true" else 1
        self._hole = parse_card(words[3]), parse_card(words[4])
        self._events, self.over = [], False
        self.agent.dice = Dice(self.seed, self._number, FIRST)

    def _act(self, words: list[str]) -> str:
        board, rest = _listed(words[2:])
        last, _ = _listed(rest)
        self._events += last
        hand = self._played(tuple(parse_card(card) for card in board))
        if self.agent is None or hand.over or hand.player != self.seat:
            raise DataError("the engine requests an action out of turn")
        view = hand.view()
        return action_word(self.agent.act(view), view.legal, view.state)

    def _hand_over(self, words: list[str]) -> None:
        bank = int(words[1])
        self.result.scores.append(bank - self._bank)
        self._bank, self.over = bank, True
        board, rest = _listed(words[3:])
        self._events += _listed(rest)[0]
        hand = self._played(tuple(parse_card(card) for card in board))
        if self.agent is not None and hand.over:
            names = (self.agent.name, "") if self.seat == 0 else ("", self.agent.name)
            self.agent.end(record(hand, self._number, names).seen_by(self.seat), self.seat)

    def _played(self, board: tuple[int, ...]) -> TableHand:
        """Replay the hand so far."""
        split = [event.split(":") for event in self._events]
        shown = [words for words in split if words[0] == "SHOW" and words[-1] != self.me]
        other = tuple(parse_card(card) for card in shown[0][1:3]) if shown else ()
        # unreported cards are the opponent's draws
        draws = tuple(parse_card(words[2]) if len(words) == 4 else -1 for words in split if words[0] == "DISCARD")
        hidden = UNKNOWN if self.table.draws or not other else other
        holes = (self._hole, hidden) if self.seat == 0 else (hidden, self._hole)
        hand = self.table.hand(Deal((holes[0], holes[1]), board, draws))
        for words in split:
            if words[0] in ("CHECK", "CALL", "FOLD", "BET", "RAISE", "DISCARD"):
                self._step(hand, words)
        if len(board) < BOARD[hand.street]:
            raise DataError(f"the engine shows {len(board)} cards of a board that has {BOARD[hand.street]}")
        if other:
            hand.holes[1 - self.seat] = other
        return hand

    def _step(self, hand: TableHand, words: list[str]) -> None:
        if hand.over or (words[-1] == self.me) != (hand.player == self.seat):
            raise DataError(f"{':'.join(words)} cannot happen in this hand")
        if words[0] == "DISCARD":
            action = Action("d", parse_card(words[1]) if len(words) == 4 else UNKNOWN[0])
        else:
            action = read_action(":".join(words[:-1]), hand.legal, hand.state)
        if words[0] == "FOLD" and not hand.legal.fold:
            hand.forfeit()  # a fault of either player
            return
        try:
            hand.act(action)
        except Illegal as error:
            raise DataError(f"{':'.join(words)} cannot be: {error}") from error


def _listed(words: list[str]) -> tuple[list[str], list[str]]:
    """A list that begins with its length, and the words after it."""
    count = int(words[0])
    if not 0 <= count < len(words):
        raise DataError(f"a list of {count} has {len(words) - 1} words")
    return words[1 : count + 1], words[count + 1 :]
