"""The engine: hosts a match for programs that speak the protocol, under the arena's referee.

The protocol has no greeting: the first connection to a port is the player. Time is one bank per match; a player without
time left is disconnected. Illegal answers forfeit the hand.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from time import monotonic
from typing import Any

from headsup.cards.cards import card_name
from headsup.common.checks import positive
from headsup.common.errors import UserError
from headsup.play.protocols.host import MOST_IGNORED, Host, Remote, TimeLimits
from headsup.play.protocols.pokerbots.text import GAMES, events, legal_words, read_action
from headsup.play.table.agent import Agent, Disconnected
from headsup.play.table.rules import Action, PlayerView, Table, TableHand

BANK = 30.0  # seconds per match
GOODBYE = 2.0  # seconds to wait for FINISH
BYTES = 1000  # offered for key values, of which none are kept


class PokerbotsPlayer(Remote):
    """A program that speaks the protocol."""

    line_end = "\n"
    other = ""
    _hand: TableHand
    _seat = 0
    _heard = 0
    _bank = 0
    _over = True

    def show(self, hand: TableHand, seat: int) -> None:
        """Report a new hand and a finished one; other events are sent with the next request."""
        self._hand, self._seat = hand, seat
        if self._over:
            self._over, self._heard = False, 0
            cards = " ".join(card_name(card) for card in hand.deal.holes[seat])
            button = "true" if seat == 0 else "false"
            self.tell(f"NEWHAND {self.number + 1} {button} {cards} {self._bank} {-self._bank} {self.left:.6f}")
        if hand.over:
            self._over = True
            self._bank += hand.chips[seat]
            news = self._news()
            self.tell(f"HANDOVER {self._bank} {-self._bank} {news} {max(0.0, self.left):.6f}")

    def _news(self) -> str:
        """The board and the events since the last line."""
        names = (self.name, self.other) if self._seat == 0 else (self.other, self.name)
        every = events(self._hand, names, self._seat)
        last, self._heard = every[self._heard :], len(every)
        board = self._hand.deal.board if self._hand.over and self._hand.state.folder < 0 else self._hand.board
        return " ".join([str(len(board)), *(card_name(card) for card in board), str(len(last)), *last])

    def act(self, view: PlayerView) -> Action:
        legal = legal_words(view.legal, view.state)
        self.tell(f"GETACTION {view.pot} {self._news()} {len(legal)} {' '.join(legal)} {self.left:.6f}")
        return super().act(view)

    def read(self, line: str, view: PlayerView) -> Action | None:
        return read_action(line.strip(), view.legal, view.state)

    def finish(self) -> None:
        """End the match: ask for key values, of which none are kept."""
        if self.gone:
            return
        self.tell(f"REQUESTKEYVALUES {BYTES}")
        deadline = monotonic() + GOODBYE
        with suppress(Disconnected):
            for _ in range(MOST_IGNORED):
                line = self.wire.receive(deadline)
                if line is None or line.strip() == "FINISH":
                    return


class Engine(Host):
    """Plays matches between `pokerbots:NAME`, which connects, and our agents; the first player deals first."""

    word = "pokerbots"
    first_dealer = 0

    def __init__(
        self, table: Table, players: tuple[str, str], hands: int, seed: int = 0, bank: float = BANK, **options: Any
    ) -> None:
        if table.name not in GAMES:
            raise UserError(f"Pokerbots cannot express {table.name}: choose one of {', '.join(GAMES)}")
        positive(bank, "the seconds of a match")
        super().__init__(table, players, hands, seed, TimeLimits(bank, bank, bank / max(hands, 1)), **options)

    def seat(self, player: int, listener: socket.socket) -> PokerbotsPlayer:
        """The first connection."""
        wire = self.greeted(player, listener, None)
        seated = PokerbotsPlayer(self.names[player], wire, self.limits, self.hands)
        seated.other = self.names[1 - player]
        stack, big = self.table.betting.stacks[0], self.table.unit
        seated.tell(f"NEWGAME {seated.name} {seated.other} {stack} {big} {self.hands} {seated.left:.6f}")
        return seated

    def ended(self, agents: tuple[Agent, Agent]) -> None:
        for agent in agents:
            if isinstance(agent, PokerbotsPlayer):
                agent.finish()
