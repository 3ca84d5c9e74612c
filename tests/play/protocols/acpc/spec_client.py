"""A client written from the text of the protocol alone: it imports nothing of headsup, and keeps its own accounts.

It follows the betting by the specification's words, takes random valid actions, and adds up what it has won.
"""

from __future__ import annotations

import random
import re
import socket

from tests.naive import showdown_keys, split_cards

FIRST = (1, 0, 0, 0)  # the position that acts first on each round
RAISE = (10, 10, 20, 20)
RAISES = (3, 4, 4, 4)


class SpecClient:
    """One player; `limit` says which of the competition's two games is played."""

    def __init__(self, port: int, limit: bool, seed: int = 0) -> None:
        self.port, self.limit = port, limit
        self.random = random.Random(seed)
        self.stack = 10**9 if limit else 20000
        self.blinds = (10, 5) if limit else (100, 50)
        self.hands, self.won = 0, 0
        self.states: list[str] = []

    def play(self) -> None:
        """Until the dealer closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            stream = connection.makefile("rw", encoding="ascii", newline="")
            stream.write("VERSION:2.0.0\r\n")
            stream.flush()
            for line in stream:
                assert line.endswith("\r\n")
                state = line[:-2]
                if state[0] in "#;":
                    continue
                self.states.append(state)
                action = self.answer(state)
                if action:
                    stream.write(f"{state}:{action}\r\n")
                    stream.flush()

    def answer(self, state: str) -> str:
        """What to do, or nothing if it is not our turn; a hand that is over is counted."""
        word, position, _, betting, cards = state.split(":")
        assert word == "MATCHSTATE"
        me = int(position)
        spent, raises, biggest, acting = list(self.blinds), 0, self.blinds[0], FIRST[0]
        rounds = betting.split("/")
        for number, text in enumerate(rounds):
            raises, biggest, acting = 0, self.blinds[0], FIRST[number]
            for token in re.findall(r"[fc]|r[0-9]*", text):
                if token == "f":
                    return self.over(spent[1 - me] if acting != me else -spent[me])
                if token == "c":
                    spent[acting] = max(spent)
                else:
                    to = max(spent) + RAISE[number] if self.limit else int(token[1:])
                    biggest, raises = max(biggest, to - max(spent)), raises + 1
                    spent[acting] = to
                acting = 1 - acting
        last = rounds[-1]
        called = len(re.findall("[fcr]", last)) > 1 and last.endswith("c")
        if (len(rounds) == 4 and called) or min(spent) == self.stack:
            return self.showdown(me, spent[me], cards)
        if acting != me:
            return ""
        return self.choose(len(rounds) - 1, spent, me, raises, biggest)

    def choose(self, number: int, spent: list[int], me: int, raises: int, biggest: int) -> str:
        """A random valid action."""
        ways = ["c", "c"] + ["f"] * (spent[me] < max(spent))
        if self.limit and raises < RAISES[number]:
            ways += ["r", "r"]
        if not self.limit and max(spent) < self.stack:
            low = min(max(spent) + biggest, self.stack)
            ways += [f"r{low}", f"r{self.random.randint(low, self.stack)}"]
        return self.random.choice(ways)

    def showdown(self, me: int, spent: int, cards: str) -> str:
        """Count a hand that was shown."""
        holes, *board = cards.split("/")
        shown = split_cards("".join(board))
        hands = [showdown_keys("holdem", split_cards(hole), shown)[0] for hole in holes.split("|")]
        sign = (hands[me] > hands[1 - me]) - (hands[me] < hands[1 - me])
        return self.over(sign * spent)

    def over(self, chips: int) -> str:
        """Count a hand."""
        self.hands += 1
        self.won += chips
        return ""
