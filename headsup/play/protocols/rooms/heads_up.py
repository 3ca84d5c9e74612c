"""What two players decide in a hand of a poker room, as a hand of our table.

A hand of two players is one from its start. Of a hand with more, it is what follows once two are left: from the flop,
turn or river on, or the whole betting of the blinds if everybody else folds before them. The chips that others have put
in lie in the pot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import STREETS, Betting
from headsup.play.protocols.rooms.assumed import assumed_ranges
from headsup.play.protocols.rooms.hand import RoomHand, RoomPlay, known_cards, play_chips
from headsup.play.table.logged import LoggedHand
from headsup.play.table.record import replay
from headsup.play.table.rules import BOARD, FOLDS, Deal, Table

Thing = TypeVar("Thing")
CAP = (5, 4, 4, 4)  # bets of a limit street between two players: rooms allow one more before the flop


def logged_hand(hand: RoomHand, index: int = 0) -> LoggedHand:
    """Referee a hand; what it breaks, or why it is skipped, is a sentence."""
    blank = LoggedHand(hand.label, None, number=index)
    try:
        play = play_chips(hand)
    except DataError as error:
        note = f"; this line is not understood: {hand.unread[:60]!r}" if hand.unread else ""
        return replace(blank, wrong=f"{error}{note}")
    street = _heads_up_from(play)
    if isinstance(street, str):
        return replace(blank, left=street)
    try:
        return _logged(hand, play, street, blank)
    except UserError as error:
        return replace(blank, wrong=str(error))


def _heads_up_from(play: RoomPlay) -> int | str:
    """The street from which two players are left; else why it is none."""
    if len(play.order) == 2 or _blinds_alone(play):
        return 0
    for street, start in enumerate(play.starts[1:], start=1):
        if len(start.live) == 2:
            return street
    if len(play.starts) == 1:
        return f"it ends before the flop with {len(play.order)} players: two must see a flop or be the blinds"
    return f"{len(play.starts[-1].live)} players see its {STREETS[len(play.starts) - 1]}: two must be left"


def _blinds_alone(play: RoomPlay) -> bool:
    """Whether all but the two left of the button fold before these act, and have put in nothing but antes."""
    others = play.order[2:]
    folded = [name for name, action in play.moves[0][: len(others)] if action == FOLDS]
    return [*others] == folded and all(play.paid[name] == play.dead[name] for name in others)


def _logged(hand: RoomHand, play: RoomPlay, street: int, blank: LoggedHand) -> LoggedHand:
    whole = len(play.order) == 2
    if whole:
        players = (play.order[1], play.order[0])  # the button is last in the order, and has the small blind
    else:
        players = (play.order[0], play.order[1]) if not street else _pair(play.starts[street].live)
        blank = replace(blank, label=f"{blank.label} {f'from the {STREETS[street]}' if street else 'of the blinds'}")
    if street and not all(play.starts[street].behind[name] for name in players):
        return replace(blank, left=f"a player is all-in before the {STREETS[street]}: nothing is left to decide")
    table = _table(hand, play, players, street)
    moves = [action for street_moves in play.moves[street:] for name, action in street_moves if name in players]
    deal = Deal(_pair(known_cards(hand, players)), tuple(hand.board[: BOARD[-1]]))
    blank = replace(blank, players=players, assumed=assumed_ranges(play, players) if street else None)
    if FOLDS not in moves and not all(deal.holes):
        betting = table.hand(deal, moves)
        return replace(blank, left="the cards of its showdown are not known", betting=betting)
    again = replay(table, deal, moves)
    put_in = [play.stacks[name] - play.starts[street].behind[name] if street else 0 for name in players]
    won = [play.won[name] - (play.paid[name] - before) for name, before in zip(players, put_in, strict=True)]
    winners = tuple(play.won[name] - play.uncalled.get(name, 0) > 0 for name in players)
    return replace(
        blank,
        hand=again,
        chips=None if play.rake else (Fraction(won[0]), Fraction(won[1])),
        pot=sum(play.paid.values()) - sum(play.uncalled.values()),
        winners=(winners[0], winners[1]),
    )


def _table(hand: RoomHand, play: RoomPlay, players: tuple[str, str], street: int) -> Table:
    """The table of two players on a street; before the flop with the blinds and antes that are due."""
    unit = play.chips(hand.big_blind)
    limit = hand.kind == "limit"
    rules = Betting(
        first=(0, *((1,) * 3 if len(play.order) == 2 else (0,) * 3)) if not street else (0,) * (4 - street),
        stacks=_pair([play.stacks[name] if not street else play.starts[street].behind[name] for name in players]),
        blinds=_blinds(hand, play, players) if not street else (0, 0),
        antes=_posted(hand, play, players, ("ante", "dead")) if not street else (0, 0),
        pot=play.starts[street].pot if street else sum(play.paid[name] for name in play.order if name not in players),
        kind=hand.kind,
        sizes=(unit, unit, 2 * unit, 2 * unit)[street:] if limit else (),
        cap=CAP[street:] if limit else (),
        min_bet=0 if limit else unit,
    )
    board = tuple(hand.board[: BOARD[street]])
    return Table(f"{hand.cards}-{hand.kind.replace('-', '')}", hand.cards, rules, unit, board)


def _blinds(hand: RoomHand, play: RoomPlay, players: tuple[str, str]) -> tuple[int, int]:
    """Both blinds; an all-in big blind counts in full, as the stack limits it."""
    small, big = _posted(hand, play, players, ("small blind", "big blind", "both", "straddle"))
    return small, max(big, play.chips(hand.big_blind)) if big >= play.stacks[players[1]] else big


def _posted(hand: RoomHand, play: RoomPlay, players: tuple[str, str], kinds: Sequence[str]) -> tuple[int, int]:
    """What each has posted of some kinds."""
    posts = [post for post in hand.posts if post.kind in kinds]
    return _pair([sum(play.chips(post.amount) for post in posts if post.player == name) for name in players])


def _pair(both: Sequence[Thing]) -> tuple[Thing, Thing]:
    return both[0], both[1]
