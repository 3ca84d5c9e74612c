"""Hand histories of the iPoker network: a session in XML, one `game` element a hand."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

from headsup.cards.cards import parse_cards
from headsup.common.errors import DataError
from headsup.play.protocols.rooms.amounts import read_amount
from headsup.play.protocols.rooms.hand import RoomAction, RoomHand, RoomPost
from headsup.play.protocols.rooms.lines import game_of

POSTS = {1: "small blind", 2: "big blind", 15: "ante"}
ACTIONS = {0: "fold", 3: "call", 4: "check", 5: "bet", 6: "bet", 7: "all-in", 23: "bet"}
TOTAL = 23  # a raise to an amount; all others are chips added
IGNORED = (8, 9)  # a player sits out


def read_ipoker(text: str, label: str, gametype: str) -> RoomHand:
    """One `game` element; `gametype` is the session's, such as `Holdem NL $1/$2`."""
    if "<!" in text:
        raise DataError("its XML has declarations or comments, which histories do not")
    try:
        game = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise DataError(f"its XML is damaged ({error})") from None
    hand = RoomHand(label)
    hand.cards, hand.kind = game_of(gametype)
    for player in game.iter("player"):
        name = player.get("name", "")
        if not name or name in hand.seats:
            raise DataError("a player has no name, or two seats")
        hand.seats[name] = int(player.get("seat", "0")), read_amount(player.get("chips", ""))
        if player.get("dealer") == "1":
            hand.button = hand.seats[name][0]
        won = read_amount(player.get("win") or "0")
        if won:
            hand.collected[name] = won
    _rounds(game, hand)
    big = next((post.amount for post in hand.posts if post.kind == "big blind"), Fraction(0))
    hand.big_blind = big
    if not big:
        raise DataError("it has no big blind")
    return hand


def _rounds(game: ElementTree.Element, hand: RoomHand) -> None:
    rounds = sorted(game.iter("round"), key=lambda part: int(part.get("no", "0")))
    for part in rounds:
        for dealt in part.iter("cards"):
            cards = _cards(dealt.text or "")
            if dealt.get("type") == "Pocket":
                if cards:
                    hand.holes[dealt.get("player", "")] = cards
            elif cards:
                hand.board += cards
                hand.streets.append([])
        for action in sorted(part.iter("action"), key=lambda action: int(action.get("no", "0"))):
            _act(action, hand)


def _act(action: ElementTree.Element, hand: RoomHand) -> None:
    name, kind, amount = action.get("player", ""), int(action.get("type", "-1")), read_amount(action.get("sum") or "0")
    if kind in IGNORED:
        return
    if name not in hand.seats:
        raise DataError("it has an action of a player without a seat")
    if kind in POSTS:
        hand.posts.append(RoomPost(name, POSTS[kind], amount))
    elif kind in ACTIONS:
        given = None if ACTIONS[kind] in ("fold", "check") else amount
        hand.streets[-1].append(RoomAction(name, ACTIONS[kind], given, kind == TOTAL))
    else:
        raise DataError(f"it has an action of type {kind}, which is not known")


def _cards(text: str) -> tuple[int, ...]:
    """Cards with the suit first: `H3 CJ`, `D10`; none where they are hidden (`X X`)."""
    words = text.replace("10", "T").split()
    if not words or any(word.startswith("X") for word in words):
        return ()
    return parse_cards("".join(f"{word[1:]}{word[:1].lower()}" for word in words))


def gametypes(text: str) -> list[tuple[int, str]]:
    """The game types that a text names, each with its place."""
    return [(match.start(), match[1]) for match in re.finditer(r"<gametype>([^<]{1,80})</gametype>", text)]
