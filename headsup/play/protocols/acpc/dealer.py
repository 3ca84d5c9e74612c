"""The dealer: hosts a match for programs that speak the protocol, under the arena's referee.

Answers to earlier states and comments are ignored; anything else that is not the last state, a colon and an action is
illegal and forfeits the hand. If a fault forfeits a hand where a check was free, both players receive a comment.
"""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from headsup.common.files import logged
from headsup.common.progress import Watch
from headsup.play.protocols.acpc.definition import check_speakable
from headsup.play.protocols.acpc.log import log_hand, log_head, log_score
from headsup.play.protocols.acpc.text import fault_line, is_version, read_action, state_line
from headsup.play.protocols.host import Host, Hosted, Remote
from headsup.play.table.rules import Action, PlayerView, Table, TableHand


class AcpcPlayer(Remote):
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
        """The action after the current state; None for answers to earlier states."""
        if line.startswith(f"{self._asked}:"):
            return read_action(view.table, view.state, line[len(self._asked) + 1 :])
        return None if line.startswith(("MATCHSTATE:", "#", ";")) else Action(line[:20] or "an empty line")


def folded_for_nothing(hand: TableHand) -> bool:
    """Whether a hand was folded where a check was free, which only a fault does."""
    folder, state = hand.state.folder, hand.state
    bets = [state.paid[seat] - state.start[seat] for seat in (0, 1)]
    return folder >= 0 and bets[folder] >= bets[1 - folder]


class Dealer(Host):
    """Plays matches between `acpc:NAME`, which connects, and our agents; the first player posts the big blind first."""

    word = "acpc"
    first_dealer = 1

    def __init__(self, table: Table, *args: Any, **options: Any) -> None:
        super().__init__(check_speakable(table), *args, **options)

    def seat(self, player: int, listener: socket.socket) -> AcpcPlayer:
        """Wait for a connection that sends its version."""
        wire = self.greeted(player, listener, is_version)
        return AcpcPlayer(self.names[player], wire, self.limits, self.hands)

    def play_logged(self, path: str | Path, progress: Watch | None = None) -> Hosted:
        """Play and write the match log; `Unlogged`, with the result, if writing fails."""
        limits = [
            ("t_response", round(self.limits.answer * 1000)),
            ("t_hand", round(self.limits.hand * 1000)),
            ("t_per_hand", round(self.limits.average * 1000)),
        ]

        def play(write: Callable[[bytes], None]) -> Hosted:
            write(log_head(Path(path).stem, self.table.name, self.table, self.hands, self.seed, limits).encode())
            hosted = self.play(lambda hand: write(log_hand(hand).encode()), progress)
            write(log_score(hosted.names, hosted.chips).encode())
            return hosted

        return logged(path, play)
