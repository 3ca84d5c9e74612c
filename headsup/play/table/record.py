"""The record of a hand: enough to replay it card by card, as an object and as one line of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from headsup.cards.cards import card_name, cards_name, parse_cards
from headsup.common.errors import DataError
from headsup.play.table.rules import Action, Deal, Illegal, PastAction, Table, TableHand, hidden

UNKNOWN = "??"
AssumedRanges = tuple[tuple[str, str], str]
"""Range texts of both seats, and why, in words."""


@dataclass(frozen=True)
class Fault:
    """Why an agent forfeited a hand."""

    seat: int
    kind: str  # crash, illegal, slow or gone
    text: str


@dataclass(frozen=True)
class HandRecord:
    """A finished hand. Pairs are in seat order, seat 0 the dealer."""

    number: int
    table: Table
    deal: Deal
    players: tuple[str, str]
    steps: tuple[PastAction, ...]
    chips: tuple[int, int]
    shown: bool  # whether the hand went to showdown
    board: tuple[int, ...]
    holes: tuple[tuple[int, ...], tuple[int, ...]]  # the final hands, after discards
    faults: tuple[Fault, ...] = ()
    assumed: AssumedRanges | None = None  # of both players, where two of a larger table are left

    @property
    def betting(self) -> str:
        """The actions in short, a slash between streets: `r300c/cr600f`. A fold by fault is an `x`."""
        return betting_text(self.steps, self.faults)

    def fault_entries(self, dealer: int) -> Iterator[dict[str, Any]]:
        """Faults as JSON, by player; `dealer` is the player in seat 0."""
        for fault in self.faults:
            yield {"hand": self.number, "player": fault.seat ^ dealer, "kind": fault.kind, "text": fault.text}

    def seen_by(self, seat: int) -> HandRecord:
        """What one seat knows: without the opponent's cards and undealt cards unless they were shown."""
        if self.shown and not self.table.draws:
            return self
        holes, first = list(self.holes), list(self.deal.holes)
        if not self.shown:
            holes[1 - seat] = ()
        first[1 - seat] = ()
        steps = hidden(self.steps, seat)
        return replace(self, deal=Deal((first[0], first[1]), self.board), steps=steps, holes=(holes[0], holes[1]))

    def line(self) -> dict[str, Any]:
        """As JSON; with the table's name and stakes it can be replayed."""
        line: dict[str, Any] = {
            "hand": self.number,
            "players": list(self.players),
            "stacks": list(self.table.betting.stacks),
            "cards": [cards_name(hole) for hole in self.deal.holes],
            "board": cards_name(self.deal.board),
            "betting": self.betting,
            "chips": list(self.chips),
        }
        if self.deal.draws:
            line["draws"] = cards_name(self.deal.draws)
        if self.assumed is not None:
            line["assumed"] = [list(self.assumed[0]), self.assumed[1]]
        if self.faults:
            line["faults"] = [{"seat": fault.seat, "kind": fault.kind, "text": fault.text} for fault in self.faults]
        return line


def record(
    hand: TableHand, number: int = 0, players: tuple[str, str] = ("", ""), faults: tuple[Fault, ...] = ()
) -> HandRecord:
    chips = hand.chips
    shown = hand.state.folder < 0
    return HandRecord(
        number, hand.table, hand.deal, players, tuple(hand.steps), chips, shown,
        hand.deal.board if shown else hand.board, (hand.holes[0], hand.holes[1]), faults,
    )  # fmt: skip


def betting_text(steps: tuple[PastAction, ...] | list[PastAction], faults: tuple[Fault, ...] = ()) -> str:
    """Actions in short: f, c, r and the total on the street, d and the card (or ??); a slash before each street."""
    parts, street = [], steps[0].street if steps else 0
    for i, step in enumerate(steps):
        parts.append("/" * (step.street - street))
        street = step.street
        kind, amount = step.action
        if kind == "f" and faults and i == len(steps) - 1:
            kind = "x"
        if kind == "d":
            parts.append(f"d{cards_name((amount,)) if amount >= 0 else UNKNOWN}")
        else:
            parts.append(f"r{amount}" if kind == "r" else kind)
    return "".join(parts)


def parse_betting(text: str) -> list[Action]:
    """The actions of a short text; `x` is a fold by fault."""
    actions: list[Action] = []
    at = 0
    while at < len(text):
        sign = text[at]
        at += 1
        if sign == "r":
            end = at
            while end < len(text) and text[end] in "0123456789":
                end += 1
            if end == at or end - at > 18:
                raise DataError(f"'{text[:40]}' has a raise without its total: write r300")
            actions.append(Action("r", int(text[at:end])))
            at = end
        elif sign == "d":
            card = text[at : at + 2]
            actions.append(Action("d", -1 if card == UNKNOWN or len(card) < 2 else parse_cards(card)[0]))
            at += 2
        elif sign in "fcx":
            actions.append(Action(sign))
        elif sign != "/":
            raise DataError(
                f"'{text[:40]}' has '{sign}', which is no action: write f, c, r and a total, or d and a card"
            )
    return actions


def replay(table: Table, deal: Deal, actions: list[Action]) -> TableHand:
    """Play a hand from its cards and actions; DataError if it breaks the rules or does not end."""
    cards = [*deal.holes[0], *deal.holes[1], *deal.board, *deal.draws]
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise DataError(f"{card_name(twice)} is dealt twice")
    hand = table.hand(deal)
    for i, action in enumerate(actions):
        try:
            if action.kind == "x" and not hand.over:
                hand.forfeit()
            else:
                hand.act(action)
        except Illegal as error:
            raise DataError(f"action {i + 1} of the hand cannot be: {error}") from error
    if not hand.over:
        raise DataError("the hand has no end: its actions stop while it is somebody's turn")
    return hand


def hand_of_line(table: Table, line: Mapping[str, Any]) -> TableHand:
    holes = tuple(parse_cards(text) for text in line["cards"])
    stacks = (int(line["stacks"][0]), int(line["stacks"][1]))
    there = table if stacks == table.betting.stacks else table.with_stacks(stacks)
    deal = Deal((holes[0], holes[1]), parse_cards(line["board"]), parse_cards(line.get("draws", "")))
    return replay(there, deal, parse_betting(line["betting"]))


def faults_of_line(line: Mapping[str, Any]) -> tuple[Fault, ...]:
    return tuple(Fault(int(x["seat"]), str(x["kind"]), str(x["text"])) for x in line.get("faults", ()))


def from_line(table: Table, line: Mapping[str, Any]) -> HandRecord:
    """The record of a log line; DataError if its chips are not what the rules pay."""
    hand = hand_of_line(table, line)
    players = (str(line["players"][0]), str(line["players"][1]))
    replayed = record(hand, int(line["hand"]), players, faults_of_line(line))
    if "assumed" in line:
        (first, second), why = line["assumed"]
        replayed = replace(replayed, assumed=((str(first), str(second)), str(why)))
    if list(replayed.chips) != list(line["chips"]):
        raise DataError(
            f"hand {replayed.number} pays {[*replayed.chips]} by the rules, but its line has {line['chips']}"
        )
    return replayed
