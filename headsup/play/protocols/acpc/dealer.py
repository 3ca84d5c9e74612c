"""The dealer: hosts a match for programs that speak the protocol, under the arena's referee and rules for faults.

An answer counts if it is the last state that was sent, a colon and an action. An answer to another state is passed
over, for it may be a late one; so are comments. Anything else is not legal and loses the hand. The states that are sent
are always valid ones: where a hand is lost by a fault though a check was free, both hear of it by a comment,
`# fault: hand 17 position 0`, in place of a last state.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from headsup.common.errors import UserError
from headsup.common.files import logged
from headsup.common.progress import Watch
from headsup.play.protocols.acpc.definition import check_speakable
from headsup.play.protocols.acpc.log import log_hand, log_head, log_score
from headsup.play.protocols.acpc.text import fault_line, is_version, read_action, state_line
from headsup.play.protocols.host import Host, Hosted, Remote
from headsup.play.protocols.wire import greet
from headsup.play.table.rules import Action, PlayerView, Table, TableHand


class AcpcPlayer(Remote):
    """A program that speaks the protocol."""

    _asked = ""

    def show(self, hand: TableHand, seat: int) -> None:
        """Send the state, once."""
        line = state_line(hand, self.number, seat)
        if hand.over and folded_for_nothing(hand):
            line = fault_line(self.number, hand.state.folder)
        if line != self._asked:
            self._asked = line
            self.tell(line)

    def read(self, line: str, view: PlayerView) -> Action | None:
        """What follows the state that was sent; None for answers to other states."""
        if line.startswith(f"{self._asked}:"):
            return read_action(view.table, view.state, line[len(self._asked) + 1 :])
        return None if line.startswith(("MATCHSTATE:", "#", ";")) else Action(line[:20] or "an empty line")


def folded_for_nothing(hand: TableHand) -> bool:
    """Whether a hand was given up where a check was free, which only a fault does."""
    folder, state = hand.state.folder, hand.state
    bets = [state.paid[seat] - state.start[seat] for seat in (0, 1)]
    return folder >= 0 and bets[folder] >= bets[1 - folder]


class Dealer(Host):
    """Plays matches between `acpc:NAME`, which connects, and agents of ours; the first player has the big blind first,
    as with the competition's dealer.
    """

    word = "acpc"
    first_dealer = 1

    def __init__(self, table: Table, *args: Any, **options: Any) -> None:
        super().__init__(check_speakable(table), *args, **options)

    def seat(self, player: int, listener: socket.socket) -> AcpcPlayer:
        """Wait for a connection that says its version."""
        wire = greet(listener, is_version, self.patience)
        if wire is None:
            raise UserError(f"{self.names[player]} has not connected within {self.patience:g} s: start it sooner")
        return AcpcPlayer(self.names[player], wire, self.limits, self.hands)

    def play_logged(self, path: str | Path, progress: Watch | None = None) -> Hosted:
        """Play, and write the match log; `Unlogged`, which has the result, if that fails."""
        limits = [
            ("t_response", round(self.limits.answer * 1000)),
            ("t_hand", round(self.limits.hand * 1000)),
            ("t_per_hand", round(self.limits.average * 1000)),
        ]

        def play(write: Callable[[bytes], None]) -> Hosted:
            write(log_head(Path(path).stem, self.table.name, self.table, self.hands, self.seed, limits).encode())
            found = self.play(lambda hand: write(log_hand(hand).encode()), progress)
            write(log_score(found.names, found.chips).encode())
            return found

        return logged(path, play)
