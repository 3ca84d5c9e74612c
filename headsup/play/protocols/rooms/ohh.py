"""Hand histories in OHH, the open hand history format: JSON objects, `{"ohh": {...}}` each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from headsup.cards.cards import parse_cards
from headsup.common.errors import DataError
from headsup.play.protocols.rooms.hand import RoomAction, RoomHand, RoomPost, play_chips

GAMES = {"holdem": "holdem", "omaha": "omaha", "omahahilo": "omaha8"}
KINDS = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}
POSTS = {
    "Post SB": "small blind", "Post BB": "big blind", "Post Ante": "ante", "Post Dead": "dead",
    "Straddle": "straddle", "Post Extra Blind": "big blind",
}  # fmt: skip
ACTIONS = {"Fold": "fold", "Check": "check", "Call": "call", "Bet": "bet", "Raise": "bet"}
STREETS = ("Preflop", "Flop", "Turn", "River", "Showdown")


def is_ohh(text: str) -> bool:
    return re.match(r"\s*(?:\[\s*)?\{", text) is not None and re.search(r'"ohh"\s*:', text[:5000]) is not None


def objects(text: str) -> Iterator[tuple[int, Any]]:
    """The JSON objects of a text with the place where each begins; DataError where it is damaged."""
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_refuse)
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n,[]":
            at += 1
            continue
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise DataError(f"its JSON is damaged at character {at + 1:,} ({str(error)[:60]})") from None
        yield at, value
        at = end


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def ohh_label(value: Any, index: int) -> str:
    number = value["ohh"].get("game_number") if isinstance(value, dict) and isinstance(value.get("ohh"), dict) else None
    return f"hand {number if isinstance(number, str | int) and str(number) else index + 1}"[:45]


def read_ohh(value: Any, label: str) -> RoomHand:
    """A hand. The amount of a raise is the total on the street in some writers and what is added in others: what makes
    the chips add up is taken.
    """
    game = value.get("ohh") if isinstance(value, dict) else None
    if not isinstance(game, dict):
        raise DataError('it is not an object {"ohh": {...}}')
    hand = _read(game, label)
    added = replace(hand, streets=[[action._replace(total=False) for action in street] for street in hand.streets])
    for reading in (hand, added):
        try:
            play_chips(reading)
        except DataError:
            continue
        return reading
    return hand


def _read(game: dict[str, Any], label: str) -> RoomHand:
    limit, name = game.get("bet_limit") or {}, str(game.get("game_type", ""))
    cards, kind = GAMES.get(re.sub(r"[^a-z]", "", name.lower())), KINDS.get(str(limit.get("bet_type", "")))
    if cards is None or kind is None:
        raise DataError(f"its game '{name[:20]}' with the betting '{str(limit.get('bet_type', ''))[:10]}' is not known")
    hand = RoomHand(label, cards, kind, int(game["dealer_seat"]), _amount(game["big_blind_amount"]))
    names: dict[Any, str] = {}
    for player in game["players"]:
        title = str(player.get("name") or f"player {player['id']}")
        if title in hand.seats or player["id"] in names:
            raise DataError("two players have the same name or id")
        names[player["id"]] = title
        hand.seats[title] = int(player["seat"]), _amount(player["starting_stack"])
        if player.get("cards"):
            hand.holes[title] = _cards(player["cards"])
    for part in game["rounds"]:
        _round(part, names, hand)
    hand.rake = hand.pot = Fraction(0)
    for pot in game.get("pots") or ():
        hand.pot += _amount(pot["amount"])
        hand.rake += _amount(pot.get("rake") or 0) + _amount(pot.get("jackpot") or 0)
        for win in pot.get("player_wins") or ():
            winner = names[win["player_id"]]
            hand.collected[winner] = hand.collected.get(winner, Fraction(0)) + _amount(win["win_amount"])
    return hand


def _round(part: dict[str, Any], names: dict[Any, str], hand: RoomHand) -> None:
    street = STREETS.index(str(part["street"])) if part.get("street") in STREETS else -1
    if 1 <= street <= 3:
        if street != len(hand.streets):
            raise DataError(f"its {part['street']} comes at the wrong place")
        hand.board += _cards(part.get("cards") or ())
        hand.streets.append([])
    for action in part.get("actions") or ():
        name, word = names[action["player_id"]], str(action["action"])
        if action.get("cards"):
            hand.holes[name] = _cards(action["cards"])
        if word in POSTS:
            hand.posts.append(RoomPost(name, POSTS[word], _amount(action["amount"])))
        elif word in ACTIONS:
            kind = ACTIONS[word]
            amount = None if kind in ("fold", "check") else _amount(action["amount"])
            hand.streets[-1].append(RoomAction(name, kind, amount, word == "Raise"))


def _cards(cards: Any) -> tuple[int, ...]:
    return parse_cards("".join(str(card) for card in cards))


def _amount(value: Any) -> Fraction:
    number = Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None
    if number is None or number.as_tuple().exponent not in range(-9, 16) or abs(number) > 10**15:
        raise DataError(f"'{str(value)[:20]}' is not an amount")
    return Fraction(number)
