"""Hand histories in PHH, and the texts of rooms, through PokerKit: a library of its own, which reads and plays them.

PokerKit plays each history by its rules; the same cards and actions go to our table, and pots, winners and chips of the
two are compared, with what the history itself says was won. PokerKit's player 0 is the big blind, our seat 1; blinds
and antes of a history for two are listed small blind first, in the order of our seats.

Amounts may have cents: the whole hand is played in the smallest part that makes all of them whole. Limit hold'em has
PokerKit's cap there, four raises on top of the big blind.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf, lcm
from pathlib import Path
from typing import Any

from headsup.cards.cards import cards_name, parse_cards
from headsup.cards.games import GAMES as CARD_GAMES
from headsup.errors import DataError, MissingExtra, UserError
from headsup.files import parsed
from headsup.games.betting import UNLIMITED, Betting
from headsup.play.record import HandRecord, replay
from headsup.play.table import BOARD, CALLS, FOLDS, Action, Deal, Table, raise_to
from headsup.play.told import Told

KINDS = {"FT": ("holdem", "limit"), "NT": ("holdem", "no-limit"), "PO": ("omaha", "pot-limit"), "FO/8": ("omaha8", "limit")}  # noqa: E501  # fmt: skip
"""The games of PHH that we know: cards and betting."""
ROOMS = ("pokerstars", "full_tilt_poker", "partypoker", "absolute_poker", "ongame_network", "ipoker_network")
"""Rooms whose texts PokerKit reads."""
CAP = (5, 4, 4, 4)


def kit() -> Any:
    """PokerKit."""
    try:
        import pokerkit
    except ImportError as error:
        raise MissingExtra("a hand history", "histories") from error
    return pokerkit


def read_phh(path: str | Path, text: str) -> Iterator[Told]:
    """The hands of a text in PHH, of one hand or of many."""
    library = kit().HandHistory
    many = any(line.startswith("[") for line in text.splitlines())
    histories = parsed(path, lambda: list(library.loads_all(text)) if many else [library.loads(text)])
    return map(referee, range(len(histories)), histories)


def read_room(path: str | Path, text: str) -> tuple[str, Iterator[Told]]:
    """The room whose text it is, and the hands that PokerKit can read of it."""
    library, found, home = kit().HandHistory, list[Any](), ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit's, one for each hand that it cannot read
        for room in ROOMS:
            read = parsed(path, lambda room=room: list(getattr(library, f"from_{room}")(text)))  # type: ignore[misc]
            if len(read) > len(found):
                found, home = read, room
    if not found:
        raise DataError(f"{path} is no log that can be read: give one of headsup, the ACPC, PHH or a room's text")
    return home, map(referee, range(len(found)), found)


def referee(index: int, history: Any) -> Told:
    """One history, played by PokerKit and by us; without a hand and a fault where it is none for two of our games."""
    number = history.hand if isinstance(history.hand, int) else index
    label = f"hand {index + 1 if history.hand is None else history.hand}"
    if history.variant not in KINDS or len(history.starting_stacks) != 2:
        return Told(label, None, number=number)
    names = history.players or ["p1", "p2"]
    players = (str(names[1]), str(names[0]))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (state,) = deque(history, maxlen=1)
    except Exception as error:  # a history may say anything, and PokerKit has no error of its own
        return Told(label, None, f"PokerKit cannot play it: {error}"[:200], players, number=number)
    if state.status:
        return Told(label, None, "it stops before the hand is over", players, number=number)
    return _compare(history, state, Told(label, None, "", players, number=number))


def _compare(history: Any, state: Any, blank: Told) -> Told:
    scale = _scale(history, state)
    deal, actions = _moves(state, scale)
    showdown = FOLDS not in actions
    if showdown and not all(deal.holes):
        return blank  # cards that were not shown
    try:
        hand = replay(_table(history, scale), deal, actions)
    except UserError as error:
        return replace(blank, wrong=str(error))
    pushed = [Fraction(sum(one.amounts)) for one in state.operations if isinstance(one, kit().ChipsPushing)]
    won = history.winnings or (0, 0)
    return replace(
        blank,
        hand=hand,
        chips=_told_chips(history, scale),
        second=(Fraction(state.payoffs[1]) * scale, Fraction(state.payoffs[0]) * scale),
        pot=int(sum(pushed) * scale) if showdown else None,  # of a pot that nobody contests PokerKit moves only a part
        winners=(won[1] > 0, won[0] > 0) if any(won) else None,
    )


def _told_chips(history: Any, scale: int) -> tuple[Fraction, Fraction] | None:
    """What the history says that each won, unless a rake was taken."""
    starts, ends = history.starting_stacks, history.finishing_stacks
    if ends is None or inf in (*starts, *ends) or sum(starts) != sum(ends):
        return None
    first, second = (Fraction(end - start) * scale for start, end in zip(starts, ends, strict=True))
    return second, first


def _scale(history: Any, state: Any) -> int:
    """How many chips make one unit of the history."""
    amounts = [*history.starting_stacks, *history.antes, *(history.blinds_or_straddles or ())]
    amounts += [one for one in (history.min_bet, history.small_bet, history.big_bet) if one is not None]
    amounts += [getattr(one, "amount", None) or 0 for one in state.operations]
    return lcm(*(Fraction(amount).denominator for amount in amounts if amount != inf))


def _table(history: Any, scale: int) -> Table:
    cards, kind = KINDS[history.variant]

    def chips(amount: Any) -> int:
        return UNLIMITED if amount == inf else int(Fraction(amount) * scale)

    def both(amounts: Any) -> tuple[int, int]:
        return chips(amounts[0]), chips(amounts[1])

    blinds = both(history.blinds_or_straddles or (0, 0))
    small, big = (chips(one or 0) for one in (history.small_bet, history.big_bet))
    betting = Betting(
        first=(0, 1, 1, 1),
        stacks=both(history.starting_stacks[::-1]),
        blinds=blinds,
        antes=both(history.antes),
        kind=kind,
        sizes=(small, small, big, big) if kind == "limit" else (),
        cap=CAP if kind == "limit" else (),
        min_bet=0 if kind == "limit" else chips(history.min_bet),
    )
    return Table(f"{cards}-{kind.replace('-', '')}", cards, betting, max(*blinds, 1))


def _moves(state: Any, scale: int) -> tuple[Deal, list[Action]]:
    """Cards and actions of a hand that PokerKit has played; unknown hands are empty."""
    library = kit()
    holes: list[str] = ["", ""]
    board, actions = "", list[Action]()
    for one in state.operations:
        if isinstance(one, library.HoleDealing):
            holes[1 - one.player_index] += "".join(repr(card) for card in one.cards)
        elif isinstance(one, library.HoleCardsShowingOrMucking) and one.hole_cards:
            holes[1 - one.player_index] = "".join(repr(card) for card in one.hole_cards)
        elif isinstance(one, library.BoardDealing):
            board += "".join(repr(card) for card in one.cards)
        elif isinstance(one, library.Folding):
            actions.append(FOLDS)
        elif isinstance(one, library.CheckingOrCalling):
            actions.append(CALLS)
        elif isinstance(one, library.CompletionBettingOrRaisingTo):
            actions.append(raise_to(int(Fraction(one.amount) * scale)))
    first, second = (() if "?" in hole else parse_cards(hole) for hole in holes)
    return Deal((first, second), parse_cards(board)), actions


# --- writing ----------------------------------------------------------------------------------------------------------


def to_phh(hand: HandRecord) -> Any:
    """A hand as PokerKit's `HandHistory`; UserError where PHH has no name for the game."""
    rules = hand.table.betting
    kinds = {kind: name for name, kind in KINDS.items()}
    name = kinds.get((hand.table.cards, rules.kind))
    if name is None or hand.table.draws or rules.pot or rules.n_streets != 4:
        raise UserError(f"PHH has no name for {hand.table.name}: write hold'em or pot-limit Omaha")
    if hand.faults:
        raise UserError(f"hand {hand.number} was lost by a fault, and PHH cannot say so: leave it out")
    bets = {"min_bet": rules.smallest}
    if rules.kind == "limit":
        bets = {"small_bet": rules.sizes[0], "big_bet": rules.sizes[-1]}
    most = 2 * sum(size * cap for size, cap in zip(rules.sizes, rules.cap or CAP, strict=False))
    stacks = [most if stack >= UNLIMITED else stack for stack in rules.stacks[::-1]]
    return kit().HandHistory(
        variant=name,
        ante_trimming_status=rules.antes[0] == rules.antes[1],
        antes=list(rules.antes),
        blinds_or_straddles=list(rules.blinds),
        starting_stacks=stacks,
        actions=list(_phh_actions(hand)),
        hand=hand.number,
        players=list(hand.players[::-1]),
        finishing_stacks=[stack + chips for stack, chips in zip(stacks, hand.chips[::-1], strict=True)],
        **bets,
    )


def _phh_actions(hand: HandRecord) -> Iterator[str]:
    for seat in (1, 0):
        yield f"d dh p{2 - seat} {cards_name(hand.deal.holes[seat]) or '?' * 2 * CARD_GAMES[hand.table.cards]}"
    street = 0
    for step in hand.steps:
        while street < step.street:
            street += 1
            yield f"d db {cards_name(hand.board[BOARD[street - 1] : BOARD[street]])}"
        kind, amount = step.action
        yield f"p{2 - step.seat} " + {"f": "f", "c": "cc", "r": f"cbr {amount}"}[kind]
    if hand.shown:
        for later in range(street, 3):
            yield f"d db {cards_name(hand.board[BOARD[later] : BOARD[later + 1]])}"
        for seat in (1, 0):
            yield f"p{2 - seat} sm {cards_name(hand.holes[seat])}"


def phh_text(hands: Iterable[HandRecord]) -> str:
    """Hands as a text in PHH, each under its own number; cards that are not known are question marks."""
    return str(kit().HandHistory.dumps_all(to_phh(hand) for hand in hands)) + "\n"
