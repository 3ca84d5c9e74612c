"""Hand histories in PHH and the texts of closed poker rooms, read by PokerKit.

PokerKit plays each history by its own rules, and our table plays the same cards and actions; pots, winners and chips
are compared. PokerKit's player 0 is the big blind, our seat 1. Amounts may have cents: the hand is played in the
smallest unit that makes all of them whole.
"""

import re
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import inf, lcm
from typing import Any

from headsup.cards.cards import cards_name, parse_cards
from headsup.cards.games import GAMES as CARD_GAMES
from headsup.common.errors import DataError, MissingExtra, UserError
from headsup.common.files import reason
from headsup.games.betting.rules import UNLIMITED, Betting
from headsup.play.table.logged import LoggedHand
from headsup.play.table.record import HandRecord, replay
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Action, Deal, Table, raise_to

KINDS = {"FT": ("holdem", "limit"), "NT": ("holdem", "no-limit"), "PO": ("omaha", "pot-limit"), "FO/8": ("omaha8", "limit")}  # noqa: E501  # fmt: skip
"""PHH variants: cards and betting."""
ROOMS = {
    "full_tilt_poker": ("FullTiltPokerParser", "Full Tilt Poker Game #"),
    "absolute_poker": ("AbsolutePokerParser", "Stage #"),
    "ongame_network": ("OngameNetworkParser", r"\*{5} History for hand "),
}  # closed rooms, which PokerKit reads: its parser, and how the first line of a hand begins
_SECTION = re.compile(r"^\[([^\[\]'\",]+)\][ \t]*(?:#.*)?$", re.MULTILINE)
_BETTING = re.compile(r"p-?\d+ (?:f|cc|cbr)\b")
LONGEST = 1000  # characters per line: PokerKit's patterns take quadratic time
MOST_CHIPS, MOST_PARTS = 10**15, 10**6  # the largest amount, and the finest fraction of a chip (1 / MOST_PARTS)
CAP = (5, 4, 4, 4)


def kit() -> Any:
    try:
        import pokerkit
    except ImportError as error:
        raise MissingExtra("a hand history", "histories") from error
    return pokerkit


def read_phh(text: str) -> Iterator[LoggedHand]:
    """The hands of a PHH text with one hand or many; each unreadable hand carries its reason."""
    load = kit().HandHistory.loads
    first, *rest = _SECTION.split(text)
    titles = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    sections = [(title, body) for title, body in titles if title or _has_words(body)]
    for index, (title, body) in enumerate(sections):
        yield _read(f"hand {title.strip()[:40] or index + 1}", index, lambda body=body: load(body))  # type: ignore[misc]


def _has_words(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def read_kit(room: str, text: str, label: str, index: int) -> LoggedHand:
    """A hand of a room that PokerKit reads."""
    return _read(label, index, lambda: _of_room(room, text))


def _parser(room: str) -> Any:
    return getattr(kit().notation, ROOMS[room][0])()


def _of_room(room: str, text: str) -> Any:
    """One hand of a room. PokerKit's own loop prints tracebacks and drops what it cannot read."""
    parser, value = _parser(room), kit().parse_value
    longest = max(map(len, text.splitlines()))
    if longest > LONGEST:
        raise DataError(f"it has a line of {longest:,} characters")
    history = parser._parse(text, value)
    _check_whole(parser._parse_actions(text, value, history.players), _bets(history.actions))
    return history


def _bets(actions: Iterable[str]) -> int:
    """The number of folds, calls and bets."""
    return sum(_BETTING.match(action) is not None for action in actions)


def _check_whole(written: Iterable[str], played: int) -> None:
    """Raise if PokerKit filled a gap of the history with checks and folds."""
    if _bets(written) != played:
        raise DataError("its betting has a gap: actions are missing")


def _read(label: str, index: int, load: Callable[[], Any]) -> LoggedHand:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about unknown fields
            history = load()
        _check(history)
        return referee(index, history, label)
    except Exception as error:  # histories may contain anything, and PokerKit has no error class
        return LoggedHand(label, None, left=f"it cannot be read ({reason(error)})", number=index)


def _check(history: Any) -> None:
    """Raise if fields are missing, if a player is neither p1 nor p2, or if an amount is not a sensible number of
    chips.
    """
    for name in history.required_field_names[history.variant] if history.variant in KINDS else ():
        if getattr(history, name) is None:
            raise DataError(f"it lacks {name}")
    for action in history.actions:
        for player in re.findall(r"\bp-?\d+\b", action.partition("#")[0]):
            if player not in [f"p{number + 1}" for number in range(len(history.starting_stacks))]:
                raise DataError(f"there is no player {player}: the first is p1")
    fields = (history.antes, history.blinds_or_straddles, history.starting_stacks, history.finishing_stacks)
    amounts = [amount for values in (*fields, history.winnings) for amount in values or ()]
    amounts += [size for size in (history.min_bet, history.small_bet, history.big_bet) if size is not None]
    amounts += [bet[1] for action in history.actions if (bet := re.search(r" cbr ([^\s,]+)", action))]
    for amount in amounts:
        try:
            chips = Decimal(amount)
            sane = chips == inf or (abs(chips) <= MOST_CHIPS and chips * MOST_PARTS % 1 == 0)
        except (ArithmeticError, TypeError, ValueError):
            sane = False
        if not sane:
            raise DataError(f"'{str(amount)[:20]}' is not a number of chips")


def referee(index: int, history: Any, label: str = "") -> LoggedHand:
    """Play one history by PokerKit and by our rules; no hand unless it is one of our games for two players."""
    number = history.hand if isinstance(history.hand, int) else index
    label = f"hand {str(history.hand)[:40]}" if history.hand is not None else label or f"hand {index + 1}"
    if history.variant not in KINDS:
        return LoggedHand(label, None, left=f"PHH calls its game {str(history.variant)[:20]}, and known are {', '.join(KINDS)}", number=number)  # noqa: E501  # fmt: skip
    if len(history.starting_stacks) != 2:
        return LoggedHand(label, None, left=f"it has {len(history.starting_stacks)} players, not two", number=number)
    names = history.players or ["p1", "p2"]
    if len(names) != 2:
        return LoggedHand(label, None, left=f"it names {len(names)} players, and has stacks of two", number=number)
    blank = LoggedHand(label, None, "", (str(names[1]), str(names[0])), number=number)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (state,) = deque(history, maxlen=1)
        if state.status:
            return replace(blank, wrong="it stops before the hand is over")
        return _compare(history, state, blank)
    except Exception as error:  # PokerKit has no error class
        return replace(blank, wrong=f"PokerKit cannot play it: {reason(error)}")


def _compare(history: Any, state: Any, blank: LoggedHand) -> LoggedHand:
    scale = _scale(history, state)
    deal, actions = _moves(state, scale)
    _check_whole(history.actions, len(actions))
    showdown = FOLDS not in actions
    if showdown and not all(deal.holes):
        return replace(blank, left="the cards of its showdown are not known")
    try:
        hand = replay(_table(history, scale), deal, actions)
    except UserError as error:
        return replace(blank, wrong=str(error))
    pushed = [
        Fraction(sum(operation.amounts)) for operation in state.operations if isinstance(operation, kit().ChipsPushing)
    ]
    won = history.winnings or (0, 0)
    return replace(
        blank,
        hand=hand,
        chips=_logged_chips(history, scale),
        second=(Fraction(state.payoffs[1]) * scale, Fraction(state.payoffs[0]) * scale),
        pot=int(sum(pushed) * scale) if showdown else None,  # PokerKit moves only part of an uncontested pot
        winners=(won[1] > 0, won[0] > 0) if any(won) else None,
    )


def _logged_chips(history: Any, scale: int) -> tuple[Fraction, Fraction] | None:
    """What each player won according to the history, unless rake was taken."""
    starts, ends = history.starting_stacks, history.finishing_stacks
    if ends is None or inf in (*starts, *ends) or sum(starts) != sum(ends):
        return None
    first, second = (Fraction(end - start) * scale for start, end in zip(starts, ends, strict=True))
    return second, first


def _scale(history: Any, state: Any) -> int:
    """How many chips make one unit of the history."""
    amounts = [*history.starting_stacks, *history.antes, *(history.blinds_or_straddles or ())]
    amounts += [size for size in (history.min_bet, history.small_bet, history.big_bet) if size is not None]
    amounts += [getattr(operation, "amount", None) or 0 for operation in state.operations]
    return lcm(*(Fraction(amount).denominator for amount in amounts if amount != inf))


def _table(history: Any, scale: int) -> Table:
    cards, kind = KINDS[history.variant]

    def chips(amount: Any) -> int:
        return UNLIMITED if amount == inf else int(Fraction(amount) * scale)

    def both(amounts: Any) -> tuple[int, int]:
        return chips(amounts[0]), chips(amounts[1])

    blinds = both(history.blinds_or_straddles or (0, 0))
    small, big = (chips(size or 0) for size in (history.small_bet, history.big_bet))
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
    for operation in state.operations:
        if isinstance(operation, library.HoleDealing):
            holes[1 - operation.player_index] += "".join(repr(card) for card in operation.cards)
        elif isinstance(operation, library.HoleCardsShowingOrMucking) and operation.hole_cards:
            holes[1 - operation.player_index] = "".join(repr(card) for card in operation.hole_cards)
        elif isinstance(operation, library.BoardDealing):
            board += "".join(repr(card) for card in operation.cards)
        elif isinstance(operation, library.Folding):
            actions.append(FOLDS)
        elif isinstance(operation, library.CheckingOrCalling):
            actions.append(CALLS)
        elif isinstance(operation, library.CompletionBettingOrRaisingTo):
            actions.append(raise_to(int(Fraction(operation.amount) * scale)))
    first, second = (() if "?" in hole else parse_cards(hole) for hole in holes)
    return Deal((first, second), parse_cards(board)), actions


# --- writing ----------------------------------------------------------------------------------------------------------


def has_phh(hand: HandRecord) -> bool:
    """Whether PHH can write a hand: not one that begins in the middle, or at a larger table, or ends by a fault."""
    rules = hand.table.betting
    named = (hand.table.cards, rules.kind) in KINDS.values() and not hand.table.draws and not hand.faults
    return named and not rules.pot and rules.first == (0, 1, 1, 1)


def to_phh(hand: HandRecord) -> Any:
    """A hand as PokerKit's `HandHistory`; UserError if PHH has no name for the game."""
    rules = hand.table.betting
    kinds = {kind: name for name, kind in KINDS.items()}
    name = kinds.get((hand.table.cards, rules.kind))
    if name is None or hand.table.draws:
        raise UserError(f"PHH has no name for {hand.table.name}: write hold'em or pot-limit Omaha")
    if rules.pot or rules.first != (0, 1, 1, 1):
        raise UserError(f"hand {hand.number} begins in the middle of another, and PHH cannot say so: leave it out")
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
        players=["".join(sign if sign.isprintable() else " " for sign in name) for name in hand.players[::-1]],
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
    """Hands as PHH text, each under its number; unknown cards are question marks."""
    return str(kit().HandHistory.dumps_all(to_phh(hand) for hand in hands)) + "\n"
