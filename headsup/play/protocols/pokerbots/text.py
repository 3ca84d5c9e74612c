"""Hands as the protocol's words, and its actions as ours."""

from __future__ import annotations

import re

from headsup.cards.cards import card_name, parse_card
from headsup.common.errors import UserError
from headsup.games.betting.rules import State
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, Table, TableHand, raise_to, table

GAMES = ("holdem-discard", "holdem-nolimit")
STREETS = ("", "FLOP", "TURN", "RIVER")


def pokerbots_table(game: str, stack: int = 200, big: int = 2) -> Table:
    """A game with stakes in chips; by default those of 2017."""
    if game not in GAMES:
        raise UserError(f"'{game}' is not played by Pokerbots: choose one of {', '.join(GAMES)}")
    if big < 2 or stack < 1:
        raise UserError(f"Pokerbots has a big blind of 2 chips or more and a stack, not {big} and {stack}")
    named = table(game, 1, blinds=(big // 2, big))
    return named.with_stacks((stack, stack))


def action_word(action: Action, legal: Legal, state: State) -> str:
    kind, amount = action
    if kind == "d":
        return f"DISCARD:{card_name(amount)}"
    if kind == "r":
        return f"{_bet(state)}:{amount}"
    return "FOLD" if kind == "f" else "CALL" if legal.call > 0 else "CHECK"


def read_action(text: str, legal: Legal, state: State) -> Action:
    """The action of a player's word; invalid words become an illegal action."""
    word, _, rest = text.partition(":")
    unknown = Action(text[:20] or "an empty line")
    if text == "CHECK":
        return CALLS if legal.call == 0 else unknown
    if text == "CALL":
        return CALLS if legal.call > 0 else unknown
    if text == "FOLD":
        return FOLDS
    if word == "DISCARD":
        try:
            return Action("d", parse_card(rest))
        except UserError:
            return unknown
    return raise_to(int(rest)) if word == _bet(state) and re.fullmatch("[0-9]{1,18}", rest) else unknown


def _bet(state: State) -> str:
    return "RAISE" if state.bets else "BET"


def legal_words(legal: Legal, state: State) -> list[str]:
    """The legal actions."""
    if legal.discards:
        return ["CHECK", *(f"DISCARD:{card_name(card)}" for card in legal.discards)]
    words = ["CALL" if legal.call > 0 else "CHECK"] if legal.call >= 0 else []
    if legal.fold:
        words.append("FOLD")
    if legal.low:
        words.append(f"{_bet(state)}:{legal.low}:{legal.high}")
    return sorted(words, key=lambda word: (word[:3] in ("BET", "RAI"), word))


def events(hand: TableHand, names: tuple[str, str], viewer: int) -> list[str]:
    """The events of a hand as one seat sees them."""
    betting = hand.table.betting
    words = [f"POST:{min(betting.blinds[seat], betting.stacks[seat])}:{names[seat]}" for seat in (0, 1)]
    walk, street, drawn = hand.table.hand(hand.deal), 0, 0
    for step in hand.steps:
        words += [f"DEAL:{STREETS[dealt]}" for dealt in range(street + 1, walk.street + 1)]
        street, legal, name = walk.street, walk.legal, names[step.seat]
        word = action_word(step.action, legal, walk.state)
        if step.action.kind == "d":
            word = f"{word}:{card_name(hand.deal.draws[drawn])}" if step.seat == viewer else "DISCARD"
            drawn += 1
        words.append(f"{word}:{name}")
        if legal.allows(step.action):
            walk.act(step.action)
    words += [f"DEAL:{STREETS[dealt]}" for dealt in range(street + 1, hand.street + 1)]
    return words + (_end(hand, names) if hand.over else [])


def _end(hand: TableHand, names: tuple[str, str]) -> list[str]:
    """The results."""
    back = [paid - matched for paid, matched in zip(hand.state.paid, hand.paid, strict=True)]
    words = [f"REFUND:{chips}:{names[seat]}" for seat, chips in enumerate(back) if chips]
    won = [chips + paid for chips, paid in zip(hand.chips, hand.paid, strict=True)]
    if hand.state.folder < 0:
        words += [f"SHOW:{':'.join(card_name(card) for card in hand.holes[seat])}:{names[seat]}" for seat in (0, 1)]
    word = "TIE" if all(won) else "WIN"
    return words + [f"{word}:{chips}:{names[seat]}" for seat, chips in enumerate(won) if chips]
