"""Lines of the protocol against its own examples, and every line of random hands read back into the hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import parse_cards
from headsup.common.errors import DataError, UserError
from headsup.play.protocols.acpc.definition import check_speakable, definition_text, read_definition
from headsup.play.protocols.acpc.log import competition
from headsup.play.protocols.acpc.text import is_version, read_action, read_hand, read_state, state_line
from headsup.play.table.rules import Deal, Table, raise_to, table
from tests.play.table.test_table import random_hand

LIMIT = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
"""The limit game of the competition (ACPC, holdem.limit.2p.reverse_blinds)."""
NOLIMIT = """# a comment
gamedef
nolimit
numplayers = 2
numrounds = 4
stack = 20000 20000
blind = 100 50
firstplayer = 2 1 1 1
numsuits = 4
numranks = 13
numholecards = 2
numboardcards = 0 3 1 1
end gamedef
"""


def test_the_competitions_definitions_are_our_tables() -> None:
    assert read_definition(LIMIT) == competition("holdem-limit")
    assert read_definition(NOLIMIT) == competition("holdem-nolimit")
    assert definition_text(competition("holdem-limit")) == LIMIT
    assert read_definition(definition_text(competition("holdem-nolimit"))) == competition("holdem-nolimit")
    for game in ("holdem-jamfold", "omaha-potlimit", "holdem-discard"):
        with pytest.raises(UserError, match="cannot express"):
            check_speakable(table(game))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("numPlayers = 2", "numPlayers = 3", "needs numplayers = 2"),
        ("blind = 10 5", "blind = 10", "is invalid: blind"),
        ("blind = 10 5\n", "", "needs blind"),
        ("blind = 10 5", "blind = 5 10", "greater blind"),
        ("firstPlayer = 2", "firstPlayer = 3", "player 1 or 2"),
        ("raiseSize = 10 10 20 20\n", "", "one bet size a street"),
        ("limit\n", "potlimit\n", "'potlimit' is not a line"),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 4 1 1", "numboardcards = 0 3 1 1"),
    ],
)
def test_definitions_that_make_no_game(old: str, new: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        read_definition(LIMIT.replace(old, new))


@given(st.text(alphabet="numPlayers = 2\nblidk 0", max_size=80))
def test_any_text_is_a_definition_or_a_data_error(text: str) -> None:
    with pytest.raises(DataError):
        read_definition(text)


@pytest.mark.parametrize(
    ("game", "line", "player", "seat"),
    [  # from the examples of the specification, 2.0.0
        ("holdem-limit", "MATCHSTATE:0:0::TdAs|", 0, 1),
        ("holdem-limit", "MATCHSTATE:0:0:r:TdAs|", 1, 1),
        ("holdem-limit", "MATCHSTATE:0:0:rrc/:TdAs|/2c8c3h", 1, 1),
        ("holdem-limit", "MATCHSTATE:0:0:rrc/rc/crc/crc:TdAs|8hTc/2c8c3h/9c/Kh", None, 1),
        ("holdem-limit", "MATCHSTATE:1:1:rrc/rc/rf:|Qd7c/2h8h5c/Th", None, 0),
        ("holdem-nolimit", "MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d", 1, 1),
        ("holdem-nolimit", "MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000c/:KsJs|JdTc/6dJc9c/Kh/Qc", None, 0),
    ],
)
def test_the_examples_of_the_specification(game: str, line: str, player: int | None, seat: int) -> None:
    state = read_state(line)
    hand = read_hand(competition(game), state.deal, state.betting)
    assert state.seat == seat
    assert (None if hand.over else hand.player) == player
    assert state_line(hand, state.number, state.seat) == line


def test_raises_are_totals_of_the_whole_hand() -> None:
    there = competition("holdem-nolimit")
    hand = read_hand(there, Deal(((), parse_cards("9s8h")), parse_cards("8c8d5c")), "r300c/")
    assert read_action(there, hand.state, "r550") == raise_to(250)
    assert hand.legal.allows(read_action(there, hand.state, "r550"))
    for text in ("r399", "r20001", "r", "x", "", "r-5", "rr", "c1", "r 550"):
        assert not hand.legal.allows(read_action(there, hand.state, text)), text
    limit = read_hand(competition("holdem-limit"), Deal(((), ()), ()), "rrr")
    assert not limit.legal.allows(read_action(limit.table, limit.state, "r"))  # a fourth raise before the flop


GAMES: dict[str, Table] = {name: competition(name) for name in ("holdem-limit", "holdem-nolimit")}


@given(st.sampled_from(["holdem-limit", "holdem-nolimit"]), st.integers(1, 300), st.integers(0, 2**32))
@settings(max_examples=60)
def test_every_line_of_a_hand_is_read_back(game: str, stack: int, seed: int) -> None:
    played = random_hand(game, stack, seed)
    hand = played.table.hand(played.deal)
    for step in (*played.steps, None):
        for seat in (0, 1):
            line = state_line(hand, seed, seat)
            state = read_state(line)
            assert (state.seat, state.number) == (seat, seed)
            again = read_hand(hand.table, state.deal, state.betting)
            assert (again.state, again.steps) == (hand.state, hand.steps)
            assert again.holes[seat] == hand.holes[seat]
            assert again.board == hand.board
            hidden = not (hand.over and hand.state.folder < 0)
            assert (again.holes[1 - seat] == ()) == hidden
        if step is not None:
            hand.act(step.action)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("MATCHSTATE:2:0::TdAs|", "not a match state"),
        ("MATCHSTATE:0:0::TdAs", "not a match state"),
        ("MATCHSTATE:0:0::TdTd|", "cannot be"),
        ("MATCHSTATE:0:0::Td|", "two hands of two"),
        ("MATCHSTATE:0:0::TdAs|TdAh", "each card once"),
        ("MATCHSTATE:0:0:cc/:TdAs|/2c8c", "three cards"),
        ("MATCHSTATE:0:0:cc/:TdAs|/2c8c3h/9c/Kh/5d", "one each"),
        ("MATCHSTATE:0:0:cc:TdAs|", "lacks the slash"),
        ("MATCHSTATE:0:0:c/c:TdAs|", "slash before"),
        ("MATCHSTATE:0:0:cccc:TdAs|/2c8c3h", "lacks a slash"),
        ("MATCHSTATE:0:0:cc/:TdAs|", "3 board cards, and 0"),
        ("MATCHSTATE:0:0:fc:TdAs|", "continues after the end of the hand"),
        ("MATCHSTATE:0:0:cf:TdAs|", "action 2, f, cannot be"),
        ("MATCHSTATE:0:0:r150:TdAs|", "action 1, r150, cannot be"),
        ("MATCHSTATE:0:0:7:TdAs|", "not betting"),
    ],
)
def test_lines_that_cannot_be(line: str, says: str) -> None:
    def read() -> None:
        state = read_state(line)
        read_hand(GAMES["holdem-nolimit"], state.deal, state.betting)

    with pytest.raises(DataError, match=says):
        read()


@given(st.text(alphabet="MATCHSTATE:01fcr5/|TdAs9c ", max_size=60), st.sampled_from(sorted(GAMES)))
def test_any_line_is_a_state_or_a_data_error(text: str, game: str) -> None:
    try:
        state = read_state("MATCHSTATE:" + text)
        read_hand(GAMES[game], state.deal, state.betting)
    except DataError:
        return


def test_versions() -> None:
    assert is_version("VERSION:2.0.0")
    assert is_version("VERSION:2.0.1")
    assert not any(is_version(line) for line in ("VERSION:1.0.0", "VERSION:2", "VERSION:2.0.0x", "", "version:2.0.0"))
