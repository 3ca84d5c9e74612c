"""Lines of the protocol: betting, cards and match states, written from hands and read back."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from headsup.cards.cards import cards_name, parse_cards
from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import State
from headsup.play.table.rules import (
    BOARD,
    CALLS,
    FOLDS,
    Action,
    Deal,
    Illegal,
    PastAction,
    Table,
    TableHand,
    raise_to,
    states_before,
)

VERSION = "VERSION:2.0.0"
_STATE = re.compile(r"MATCHSTATE:([01]):([0-9]{1,18}):([fcr0-9/]*):([^:|]*)\|([^:|/]*)((?:/[^:|/]*)*)")
_TOKEN = re.compile(r"[fc/]|r[0-9]{0,18}")
_VERSION = re.compile(r"VERSION:2\.[0-9]{1,9}\.[0-9]{1,9}")


def is_version(line: str) -> bool:
    return _VERSION.fullmatch(line) is not None


def action_text(table: Table, state: State, action: Action) -> str:
    """An action in a state, as the protocol writes it."""
    if action.kind != "r":
        return action.kind
    return "r" if table.betting.kind == "limit" else f"r{state.start[state.player] + action.amount}"


def read_action(table: Table, state: State, text: str) -> Action:
    """The action of a text in a state; invalid text becomes an illegal action."""
    if text in ("c", "f"):
        return CALLS if text == "c" else FOLDS
    if table.betting.kind == "limit":
        bounds = table.betting.bounds(state) if text == "r" else None
        return raise_to(bounds[0]) if bounds else Action(text[:20])
    if re.fullmatch("r[0-9]{1,18}", text):
        return raise_to(int(text[1:]) - state.start[state.player])
    return Action(text[:20])


def betting_text(table: Table, steps: Sequence[PastAction], street: int) -> str:
    """The betting of a hand that has been dealt up to a street."""
    parts, at = list[str](), 0
    for step, state in states_before(table, steps):
        parts.append("/" * (state.street - at) + action_text(table, state, step.action))
        at = state.street
    return "".join(parts) + "/" * (street - at)


def cards_text(hand: TableHand, seat: int | None = None) -> str:
    """The cards that a seat may see, or all of them; position 0 comes first."""
    shown = hand.over and hand.state.folder < 0
    holes = [cards_name(hand.holes[player]) if shown or seat in (None, player) else "" for player in (1, 0)]
    board = [cards_name(hand.deal.board[BOARD[i] : BOARD[i + 1]]) for i in range(hand.street)]
    return "/".join(["|".join(holes), *board])


def state_line(hand: TableHand, number: int, seat: int) -> str:
    """The state of a hand as a seat may see it."""
    betting = betting_text(hand.table, hand.steps, hand.street)
    return f"MATCHSTATE:{1 - seat}:{number}:{betting}:{cards_text(hand, seat)}"


def fault_line(number: int, seat: int) -> str:
    """A comment: the player in a seat forfeited a hand."""
    return f"# fault: hand {number} position {1 - seat}"


def read_fault(line: str) -> tuple[int, int] | None:
    """The hand and the seat of such a comment; None for other lines."""
    fields = re.match(r"# fault: hand ([0-9]{1,18}) position ([01])\b", line)
    return None if fields is None else (int(fields[1]), 1 - int(fields[2]))


class MatchState(NamedTuple):
    seat: int
    number: int
    betting: str
    deal: Deal  # the cards that it shows; a hand that is not shown is empty


def read_state(line: str) -> MatchState:
    """A state line; DataError if it is invalid."""
    fields = _STATE.fullmatch(line)
    if fields is None:
        raise DataError(f"'{line[:80]}' is not a match state: write MATCHSTATE:position:hand:betting:cards")
    return MatchState(1 - int(fields[1]), int(fields[2]), fields[3], read_cards(f"{fields[4]}|{fields[5]}{fields[6]}"))


def read_cards(text: str) -> Deal:
    """The cards of a state or a log: position 0's, position 1's, and those of each street."""
    holes, *board = text.split("/")
    first, bar, second = holes.partition("|")
    try:
        hands = parse_cards(second), parse_cards(first)
        streets = [parse_cards(street) for street in board]
    except UserError as error:
        raise DataError(f"the cards '{text[:60]}' cannot be read: {error}") from error
    every = [card for cards in (*hands, *streets) for card in cards]
    if not bar or len(set(every)) != len(every) or any(len(hand) not in (0, 2) for hand in hands):
        raise DataError(f"the cards '{text[:60]}' are invalid: write two hands of two cards, each card once")
    if any(len(cards) != BOARD[i + 1] - BOARD[i] for i, cards in enumerate(streets[:3])) or len(streets) > 3:
        raise DataError(f"the cards '{text[:60]}' are invalid: a flop has three cards, turn and river one each")
    return Deal(hands, tuple(card for cards in streets for card in cards))


def read_hand(table: Table, deal: Deal, betting: str, forfeited: bool = False) -> TableHand:
    """The hand after this betting; DataError if it breaks the rules or the cards do not fit.

    Slashes separate streets; they may be missing only after an all-in. With `forfeited` the last fold may be where a
    check was free.
    """
    hand, slashes, at = table.hand(deal), 0, 0
    while at < len(betting):
        token = _TOKEN.match(betting, at)
        if token is None:
            raise DataError(f"'{betting[:60]}' is not betting: use f, c, r with a total, and slashes")
        at = token.end()
        if token[0] == "/":
            slashes += 1
            if slashes > hand.street:
                raise DataError(f"'{betting[:60]}' has a slash before the betting of a street is over")
        elif hand.over or slashes != hand.street:
            raise DataError(f"'{betting[:60]}' continues after the end of the hand, or lacks a slash between streets")
        else:
            _act(hand, token[0], forfeited and at == len(betting))
    if slashes != hand.street and not hand.over:
        raise DataError(f"'{betting[:60]}' lacks the slash of the street that is dealt")
    if len(deal.board) < BOARD[hand.street]:
        raise DataError(
            f"'{betting[:60]}' has come to {BOARD[hand.street]} board cards, and {len(deal.board)} are shown"
        )
    return hand


def _act(hand: TableHand, token: str, forfeited: bool) -> None:
    if token == "f" and forfeited and not hand.legal.fold:
        hand.forfeit()
        return
    try:
        hand.act(read_action(hand.table, hand.state, token))
    except Illegal as error:
        raise DataError(f"action {len(hand.steps) + 1}, {token}, cannot be: {error}") from error
