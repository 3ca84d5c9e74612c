"""Pokerbots over real sockets: a player that knows the protocol's text alone, ours, and players that do wrong."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable

import pytest

from headsup.cards.cards import parse_card, parse_cards
from headsup.cli import main
from headsup.common.errors import DataError, UserError
from headsup.play.protocols.host import Hosted, RemoteResult
from headsup.play.protocols.pokerbots.engine import (
    Engine,
    action_word,
    events,
    legal_words,
    pokerbots_table,
    read_action,
)
from headsup.play.protocols.pokerbots.player import PokerbotsClient, play_player
from headsup.play.table.rules import CALLS, Action, Deal, raise_to
from tests.waiting import PATIENCE

DISCARD = pokerbots_table("holdem-discard")
CARDS = Deal((parse_cards("AsAh"), parse_cards("7c2d")), parse_cards("Ks9h4c3s8d"), parse_cards("QcJcTc9c"))


def test_the_words_of_a_hand() -> None:
    """By hand, from the description of the protocol: `GETACTION 3 0 2 POST:1:a POST:2:b 3 CALL FOLD RAISE:4:200`."""
    hand = DISCARD.hand(CARDS)
    names = ("a", "b")
    assert hand.view().pot == 3
    assert events(hand, names, 0) == ["POST:1:a", "POST:2:b"]
    assert legal_words(hand.legal, hand.state) == ["CALL", "FOLD", "RAISE:4:200"]
    hand.act(CALLS)
    assert legal_words(hand.legal, hand.state) == ["CHECK", "RAISE:4:200"]
    hand.act(CALLS)
    assert legal_words(hand.legal, hand.state) == ["CHECK", "DISCARD:7c", "DISCARD:2d"]
    hand.act(Action("d", parse_card("2d")))
    hand.act(CALLS)  # keeps both
    assert legal_words(hand.legal, hand.state) == ["CHECK", "BET:2:198"]
    before = ["POST:1:a", "POST:2:b", "CALL:a", "CHECK:b", "DEAL:FLOP"]
    assert events(hand, names, 1) == [*before, "DISCARD:2d:Qc:b", "CHECK:a"]
    assert events(hand, names, 0) == [*before, "DISCARD:b", "CHECK:a"]
    hand.act(raise_to(10))
    assert action_word(raise_to(30), hand.legal, hand.state) == "RAISE:30"
    hand.act(raise_to(30))
    hand.forfeit()
    assert events(hand, names, 0)[7:] == ["BET:10:b", "RAISE:30:a", "FOLD:b", "REFUND:20:a", "WIN:24:a"]


def test_a_showdown_is_shown() -> None:
    hand = pokerbots_table("holdem-nolimit").hand(CARDS)
    hand.act(raise_to(200))
    hand.act(CALLS)
    told = [
        "RAISE:200:a",
        "CALL:b",
        "DEAL:FLOP",
        "DEAL:TURN",
        "DEAL:RIVER",
        "SHOW:As:Ah:a",
        "SHOW:7c:2d:b",
        "WIN:400:a",
    ]
    assert events(hand, ("a", "b"), 0)[2:] == told


def test_words_that_are_no_actions() -> None:
    hand = DISCARD.hand(CARDS)
    for text in ("CHECK", "BET:4", "RAISE", "RAISE:", "RAISE:3", "RAISE:201", "RAISE:x", "DISCARD:As", "DISCARD:", "",
                 "call", "CALL:4", "FOLD:", "RAISE:" + "9" * 40):  # fmt: skip
        assert not hand.legal.allows(read_action(text, hand.legal, hand.state)), text
    for text in ("CALL", "FOLD", "RAISE:4", "RAISE:200"):
        assert hand.legal.allows(read_action(text, hand.legal, hand.state)), text


class TextPlayer:
    """A player that knows the text of the protocol alone: takes random legal words, and keeps its own accounts."""

    def __init__(self, port: int, seed: int) -> None:
        self.port, self.random = port, random.Random(seed)
        self.bank, self.hands, self.discards = 0, 0, 0
        self.lines: list[str] = []

    def play(self) -> None:
        """Until the engine closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            stream = connection.makefile("rw", encoding="ascii", newline="\n")
            for line in stream:
                self.lines.append(line.strip())
                answer = self.answer(line.split())
                if answer:
                    stream.write(answer + "\n")
                    stream.flush()

    def answer(self, words: list[str]) -> str:
        """A random legal action that a person could take."""
        if words[0] == "NEWGAME":
            self.name = words[1]
        elif words[0] == "NEWHAND":
            self.hole, self.won, self.paid, self.street = words[3:5], 0, 0, 0
            assert int(words[5]) == self.bank == -int(words[6])
        elif words[0] == "GETACTION":
            count = int(words[2])
            self.last(words[4 + count : 4 + count + int(words[3 + count])])
            at = 4 + count + int(words[3 + count])
            legal = words[at + 1 : at + 1 + int(words[at])]
            assert len(words) == at + 2 + int(words[at])
            assert all(word.split(":")[1] in self.hole for word in legal if word.startswith("DISCARD"))
            word = self.random.choice([*legal, *(one for one in legal if one in ("CALL", "CHECK"))])
            if word.startswith(("BET", "RAISE")):
                kind, low, high = word.split(":")
                return f"{kind}:{self.random.choice([int(low), self.random.randint(int(low), int(high))])}"
            return word
        elif words[0] == "HANDOVER":
            count = int(words[3])
            self.last(words[5 + count : 5 + count + int(words[4 + count])])
            self.hands += 1
            assert int(words[1]) == self.bank + self.won - self.paid
            self.bank = int(words[1])
        elif words[0] == "REQUESTKEYVALUES":
            return "FINISH"
        return ""

    def last(self, events: list[str]) -> None:
        """Follow what happened."""
        for event in events:
            kind, *rest = event.split(":")
            if kind == "DEAL":
                self.paid, self.street, self.top = self.paid + self.street, 0, 0
            elif kind in ("POST", "BET", "RAISE"):
                self.top = int(rest[0])
            if rest[-1] != self.name:
                continue
            if kind in ("POST", "BET", "RAISE", "CALL"):
                self.street = self.top
            elif kind == "DISCARD":
                self.discards += 1
                self.hole = [rest[1] if card == rest[0] else card for card in self.hole]
            elif kind == "SHOW":
                assert rest[:2] == self.hole
            elif kind in ("REFUND", "WIN", "TIE"):
                self.won += int(rest[0])
        if any(event.startswith(("WIN", "TIE")) for event in events):
            self.paid, self.street = self.paid + self.street, 0


def hosted(engine: Engine, *jobs: Callable[[], object]) -> Hosted:
    """A match with these players."""
    threads = [threading.Thread(target=job, daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    found = engine.play()
    for thread in threads:
        thread.join(PATIENCE)
    return found


@pytest.mark.parametrize("game", ["holdem-discard", "holdem-nolimit"])
def test_a_player_from_the_text_alone(game: str) -> None:
    engine = Engine(pokerbots_table(game), ("pokerbots:ann", "pokerbots:bob"), 60, seed=4, bank=600, patience=600)
    players = [TextPlayer(port, seed) for seed, port in enumerate(engine.ports)]
    found = hosted(engine, *(player.play for player in players))
    assert found.faults == []
    assert [player.hands for player in players] == [60, 60]
    assert tuple(player.bank for player in players) == found.chips
    assert all((player.discards > 0) == (game == "holdem-discard") for player in players)
    assert players[0].lines[0] == "NEWGAME ann bob 200 2 60 600.000000"
    assert players[0].lines[1].startswith("NEWHAND 1 true ")
    assert players[0].lines[-1] == "REQUESTKEYVALUES 1000"


@pytest.mark.parametrize("game", ["holdem-discard", "holdem-nolimit"])
def test_our_player_at_our_engine_plays_what_the_agent_plays_here(game: str) -> None:
    here = Engine(pokerbots_table(game), ("raiser", "caller"), 30, seed=5).play()
    engine = Engine(pokerbots_table(game), ("pokerbots:raiser", "caller"), 30, seed=5, bank=600, patience=600)
    visits: list[RemoteResult] = []
    found = hosted(engine, lambda: visits.append(play_player("raiser", game, "127.0.0.1", engine.ports[0])))
    assert found.scores == here.scores == visits[0].scores
    assert found.faults == []


def bad(said: bytes, answer: bytes) -> Callable[[int], None]:
    """A player that says something at once, and answers every question so."""

    def run(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            try:
                connection.sendall(said)
                stream = connection.makefile("rb")
                for line in stream:
                    if line.startswith(b"GETACTION") and answer:
                        connection.sendall(answer)
                    elif line.startswith(b"REQUEST"):
                        connection.sendall(b"FINISH\n")
            except OSError:
                return  # the engine has closed the connection

    return run


@pytest.mark.parametrize(
    ("said", "answer", "bank", "kinds"),
    [
        (b"", b"hello\n", 600.0, {"illegal"}),
        (b"", b"RAISE:1\n", 600.0, {"illegal"}),
        (b"x" * 200_000, b"", 600.0, {"gone"}),
        (b"", b"", 0.1, {"gone"}),  # an empty bank
    ],
)
def test_players_that_do_wrong_lose_and_the_match_goes_on(
    said: bytes, answer: bytes, bank: float, kinds: set[str]
) -> None:
    engine = Engine(DISCARD, ("pokerbots:bad", "raiser"), 4, bank=bank, patience=600)
    found = hosted(engine, lambda: bad(said, answer)(engine.ports[0]))
    assert len(found.scores) == 4
    assert {one["kind"] for one in found.faults} == kinds
    assert found.chips[0] < 0


@pytest.mark.parametrize(
    "lines",
    [
        ["NEWHAND 1 true As Ah 0 0 10"],
        ["NEWGAME a b 200 2 10 30", "NEWHAND 1 true As Xx 0 0 10"],
        ["NEWGAME a b 200 2 10 30", "NEWHAND 1 false As Ah 0 0 10", "GETACTION 3 0 2 POST:1:b POST:2:a 1 CHECK 9"],
        ["NEWGAME a b 200 2 10 30", "NEWHAND 1 true As Ah 0 0 10", "GETACTION 3 9 2 POST:1:a POST:2:b 1 CHECK 9"],
        ["NEWGAME a b 200 2 10 30", "NEWHAND 1 true As Ah 0 0 10", "GETACTION 3 0 3 POST:1:a POST:2:b RAISE:3:a 0 9"],
        ["NEWGAME a b x 2 10 30"],
        ["NEWGAME"],
    ],
)
def test_an_engine_that_talks_nonsense(lines: list[str]) -> None:
    visitor = PokerbotsClient("caller", "holdem-discard")
    for line in lines[:-1]:
        assert visitor.hear(line.split()) == ""
    with pytest.raises((DataError, ValueError, IndexError)):  # told as one sentence by who reads the socket
        visitor.hear(lines[-1].split())


def test_matches_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match="is not played by Pokerbots"):
        pokerbots_table("holdem-limit")
    assert main(["pokerbots", "engine", "caller", "folder", "--hands", "6", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["hands"], told["game"], told["faults"]) == (6, "holdem-discard", [0, 0])
    assert main(["pokerbots", "engine", "pokerbots", "caller", "--wait", "0.1"]) == 2
    assert "player1 did not connect within 0.1 s" in capsys.readouterr().err
    assert main(["pokerbots", "player", "nobody", "127.0.0.1", "1"]) == 2
