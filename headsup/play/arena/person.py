"""A person at the terminal.

    f fold    c check or call    r 300 bet or raise to 300 on this street (or just 300)    a all-in, or the most
    d As discard the ace of spades (where cards may be changed; c keeps both)    ? what is legal    q leave the match

Amounts are chips. Illegal input is explained and asked for again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from headsup.cards.cards import RANKS, SUIT_SYMBOLS, parse_card
from headsup.common.errors import UserError
from headsup.evaluate import category
from headsup.games.betting.rules import STREETS
from headsup.play.arena.match import Match, MatchResult
from headsup.play.table.agent import PATIENCE, Player, make_agent
from headsup.play.table.record import HandRecord
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, PlayerView, legal_text, raise_to
from headsup.play.table.start import is_card_game
from headsup.play.table.words import steps_in_words

Ask = Callable[[str], str]
Say = Callable[[str], None]


class Quit(BaseException):
    """The person leaves; not an `Exception`, which the referee would count as a fault."""


def pretty(cards: tuple[int, ...]) -> str:
    """Cards with suit symbols."""
    return " ".join(RANKS[card >> 2] + SUIT_SYMBOLS[card & 3] for card in cards) or "-"


def read_action(text: str, legal: Legal) -> Action:
    """The action of a line; UserError if it is none or not legal."""
    words = text.lower().replace("raise to", "r").split()
    word, rest = (words[0], words[1:]) if words else ("", [])
    action: Action | None = None
    if word in ("f", "fold") and not rest:
        action = FOLDS
    elif word in ("c", "k", "check", "call", "keep") and not rest:
        action = CALLS
    elif word in ("a", "all-in", "allin", "max") and not rest and legal.low:
        action = raise_to(legal.high)
    elif word in ("d", "discard") and len(rest) == 1:
        action = Action("d", parse_card(rest[0].capitalize()))
    else:
        number = rest[0] if word in ("r", "b", "raise", "bet") and len(rest) == 1 else word
        digits = number.removeprefix("r")
        if digits.isascii() and digits.isdigit() and len(digits) < 13 and (number == word) == (not rest):
            action = raise_to(int(digits))
    if action is None:
        raise UserError(f"'{text.strip()}' is no action: write f, c, a, or a number to bet to")
    if word in ("k", "check") and legal.call > 0 and not legal.discards:
        raise UserError(f"there is a bet to call: {legal_text(legal)}")
    if not legal.allows(action):
        raise UserError(f"that is not allowed: {legal_text(legal)}")
    return action


class Person(Player):
    name = "me"
    memory = True

    def __init__(self, ask: Ask, say: Say, other: str) -> None:
        self.ask, self.say, self.other = ask, say, other
        self.total = 0

    def act(self, view: PlayerView) -> Action:
        """Show the table and ask until the answer is legal."""
        for line in self.shown(view):
            self.say(line)
        while True:
            try:
                text = self.ask(f"  {legal_text(view.legal)}? ")
            except EOFError:
                raise Quit from None
            if text.strip().lower() in ("q", "quit", "exit"):
                raise Quit
            if text.strip() in ("", "?"):
                self.say("  f fold, c check or call, r 300 raise to 300, a all-in, d As discard, q leave")
                continue
            try:
                return read_action(text, view.legal)
            except UserError as error:
                self.say(f"  {error}")

    def shown(self, view: PlayerView) -> list[str]:
        """What the opponent did since the person's last action, and the table."""
        acted = max((i for i, step in enumerate(view.steps) if step.seat == view.seat), default=-1)
        news = list(steps_in_words(view.table, view.steps))[acted + 1 :]
        lines = [
            f"  {self.other} {words}" + (f" on the {STREETS[step.street]}" if step.street > news[0][0].street else "")
            for step, words in news
        ]
        street = STREETS[view.street]
        there = f"  {street}: {pretty(view.board)}" if view.board else f"  {street}"
        mine = f"you have {pretty(view.hole)}"
        if view.board and view.table.cards == "holdem":
            from headsup.evaluate import rank_hands

            value = int(rank_hands(np.array([[*view.hole, *view.board]], dtype=np.uint8), check=False)[0])
            mine += f" ({category(value)})"
        chips = "" if view.table.betting.kind == "limit" else f", {view.behind:,} left"
        lines.append(f"{there}   pot {view.pot:,}   {mine}{chips}")
        return lines

    def end(self, record: HandRecord, seat: int) -> None:
        won = record.chips[seat]
        self.total += won
        if record.shown:
            self.say(f"  {pretty(record.board)}: you {pretty(record.holes[seat])}, "
                     f"{self.other} {pretty(record.holes[1 - seat])}")  # fmt: skip
        elif record.steps and record.steps[-1].seat != seat:
            self.say(f"  {self.other} folds")
        word = "win" if won > 0 else "lose" if won < 0 else "get even"
        self.say(f"  you {word}{f' {abs(won):,}' if won else ''}; in all {self.total:+,}")


def play_at_terminal(
    match: Match, ask: Ask = input, say: Say = print, lines: Callable[[list[dict[str, Any]]], None] | None = None
) -> MatchResult | None:
    """Play a match against a person until they leave; the result, if a hand was played.

    `lines` receives the record of every hand that was played to its end, if the match keeps a log.
    """
    if not is_card_game(match.game) or match.first == match.second:
        raise UserError(
            "a person plays hands of cards against an agent: choose a game such as holdem-limit, and one agent"
        )
    if match.duplicate or match.to_the_end or match.aivat or match.equity:
        raise UserError("with a person at the table leave out duplicate, aivat, equity and to-the-end")
    table, me = match.table, 0 if match.first == "me" else 1
    bot = make_agent(match.second if me == 0 else match.first, table)
    if isinstance(bot, Player):
        bot.seconds = PATIENCE
    person = Person(ask, say, bot.name)
    agents = (person, bot) if me == 0 else (bot, person)
    referee = Referee(agents, match.seed, match.seconds)
    referee.start(table)
    scores = list[float]()
    try:
        for number in range(match.hands):
            dealer = number % 2
            say(f"hand {number + 1}: {'you are' if dealer == me else f'{bot.name} is'} the dealer")
            record = referee.play(table, table.deal_number(match.seed, number), number, dealer)
            scores.append(record.chips[dealer] / table.unit)
            if lines is not None:
                lines([record.line()])
    except (Quit, KeyboardInterrupt):
        say("")
    finally:
        bot.close()
    return MatchResult(match, len(scores), {"plain": np.array(scores)}, []) if scores else None
