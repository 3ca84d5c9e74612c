"""The engine: hosts a match for programs that speak the protocol, under the arena's referee.

The protocol has no greeting: the first connection to a port is the player. Time is one bank per match; a player without
time left is disconnected. Illegal answers forfeit the hand.
"""

import re
import socket
from contextlib import suppress
from time import monotonic
from typing import Any

from headsup.cards.cards import card_name, parse_card
from headsup.common.checks import positive
from headsup.common.errors import UserError
from headsup.games.betting.rules import State
from headsup.play.protocols.host import MOST_IGNORED, Host, Remote, TimeLimits
from headsup.play.table.agent import Agent, Disconnected
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, PlayerView, Table, TableHand, raise_to, table

GAMES = ("holdem-discard", "holdem-nolimit")
STREETS = ("", "FLOP", "TURN", "RIVER")


def pokerbots_table(game: str, stack: int = 200, big: int = 2) -> Table:
    """A game with stakes in chips; by default those of 2017."""
    if game not in GAMES:
        raise UserError(f"'{game}' is not played by Pokerbots: choose one of {', '.join(GAMES)}")
    if big < 2 or stack < 1:
        raise UserError(f"Pokerbots has a big blind of 2 chips or more and a stack, not {big} and {stack}")
    named = table(game, 1, blinds=(big // 2, big))
    return named.with_stacks((stack, stack))


def action_word(action: Action, legal: Legal, state: State) -> str:
    kind, amount = action
    if kind == "d":
        return f"DISCARD:{card_name(amount)}"
    if kind == "r":
        return f"{_bet(state)}:{amount}"
    return "FOLD" if kind == "f" else "CALL" if legal.call > 0 else "CHECK"


def read_action(text: str, legal: Legal, state: State) -> Action:
    """The action of a player's word; invalid words become an illegal action."""
    word, _, rest = text.partition(":")
    unknown = Action(text[:20] or "an empty line")
    if text == "CHECK":
        return CALLS if legal.call == 0 else unknown
    if text == "CALL":
        return CALLS if legal.call > 0 else unknown
    if text == "FOLD":
        return FOLDS
    if word == "DISCARD":
        try:
            return Action("d", parse_card(rest))
        except UserError:
            return unknown
    return raise_to(int(rest)) if word == _bet(state) and re.fullmatch("[0-9]{1,18}", rest) else unknown


def _bet(state: State) -> str:
    return "RAISE" if state.bets else "BET"


def legal_words(legal: Legal, state: State) -> list[str]:
    if legal.discards:
        return ["CHECK", *(f"DISCARD:{card_name(card)}" for card in legal.discards)]
    words = ["CALL" if legal.call > 0 else "CHECK"] if legal.call >= 0 else []
    if legal.fold:
        words.append("FOLD")
    if legal.low:
        words.append(f"{_bet(state)}:{legal.low}:{legal.high}")
    return sorted(words, key=lambda word: (word[:3] in ("BET", "RAI"), word))


def events(hand: TableHand, names: tuple[str, str], viewer: int) -> list[str]:
    """The events of a hand as one seat sees them."""
    betting = hand.table.betting
    words = [f"POST:{min(betting.blinds[seat], betting.stacks[seat])}:{names[seat]}" for seat in (0, 1)]
    walk, street, drawn = hand.table.hand(hand.deal), 0, 0
    for step in hand.steps:
        words += [f"DEAL:{STREETS[dealt]}" for dealt in range(street + 1, walk.street + 1)]
        street, legal, name = walk.street, walk.legal, names[step.seat]
        word = action_word(step.action, legal, walk.state)
        if step.action.kind == "d":
            word = f"{word}:{card_name(hand.deal.draws[drawn])}" if step.seat == viewer else "DISCARD"
            drawn += 1
        words.append(f"{word}:{name}")
        if legal.allows(step.action):
            walk.act(step.action)
    words += [f"DEAL:{STREETS[dealt]}" for dealt in range(street + 1, hand.street + 1)]
    return words + (_end(hand, names) if hand.over else [])


def _end(hand: TableHand, names: tuple[str, str]) -> list[str]:
    back = [paid - matched for paid, matched in zip(hand.state.paid, hand.paid, strict=True)]
    words = [f"REFUND:{chips}:{names[seat]}" for seat, chips in enumerate(back) if chips]
    won = [chips + paid for chips, paid in zip(hand.chips, hand.paid, strict=True)]
    if hand.state.folder < 0:
        words += [f"SHOW:{':'.join(card_name(card) for card in hand.holes[seat])}:{names[seat]}" for seat in (0, 1)]
    word = "TIE" if all(won) else "WIN"
    return words + [f"{word}:{chips}:{names[seat]}" for seat, chips in enumerate(won) if chips]


BANK = 30.0  # seconds per match
GOODBYE = 2.0  # seconds to wait for FINISH
BYTES = 1000  # offered for key values, of which none are kept


class PokerbotsPlayer(Remote):
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
