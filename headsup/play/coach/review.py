"""Reviews of played hands: the costliest decisions first, where a reference answer exists.

Decisions with values come first, by their loss in big blinds; then those with frequencies only, by the rarity of the
action; then those without a loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from headsup.cards.cards import cards_name
from headsup.common.checks import as_call, as_list, at_least, door, each, of_kind
from headsup.common.progress import Progress, Watch
from headsup.games.betting.rules import STREETS
from headsup.play.coach.any_stack import ask, judges_for
from headsup.play.coach.judges import SpotJudge
from headsup.play.coach.reference import SURE, ActionChoice, ReferenceAnswer, action_words
from headsup.play.table.logged import SHOWN, LoggedHand
from headsup.play.table.record import HandRecord, betting_text
from headsup.play.table.rules import Table, TableHand

LISTED = 23  # sampled runouts for each flop decision of a list: one per card


@dataclass(frozen=True)
class Decision:
    """A decision of a hand, with its reference answer."""

    hand: int  # the place of the hand in what was looked at, from 0
    label: str  # what the log calls the hand
    step: int  # how many actions came before it
    player: str
    seat: str  # as `seat_names` has it
    street: str
    cards: str
    board: str
    before: str  # what was done until then: `r300c/c`
    pot: float  # in big blinds, as `behind`
    owed: float  # what a call takes
    behind: float
    did: str
    taken: int  # which of the answer's choices that was
    known: ReferenceAnswer

    @property
    def before_words(self) -> str:
        """The actions until then in words: `raise to 300, call; flop: check`."""
        return betting_words(self.before)

    @property
    def lost(self) -> float | None:
        """The loss in big blinds (`ReferenceAnswer.lost`); None if only frequencies are known."""
        return self.known.lost_by(self.taken)

    @property
    def error(self) -> float:
        """Half of its 95 % CI if sampled, else 0."""
        return self.known.choices[self.taken].error

    @property
    def share(self) -> float:
        """The reference's frequency of the action taken."""
        return self.known.choices[self.taken].share

    @property
    def listed(self) -> list[ActionChoice]:
        """The choices to show: those that the reference takes, and the one with the highest value."""
        best = self.known.best
        return [choice for choice in self.known.choices if choice.share >= 0.005 or choice is best]

    @property
    def rank(self) -> tuple[int, float]:
        """The sort key: largest losses first, then the rarest actions, then the rest."""
        if self.lost is None:
            return 1, self.share
        return (0, -self.lost) if self.lost >= SURE else (2, self.share)

    def as_dict(self) -> dict[str, Any]:
        derived = {"lost": self.lost, "error": self.error, "share": self.share}
        return {**vars(self), "known": self.known.as_dict(), **derived}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Decision:
        given = {key: fields[key] for key in cls.__dataclass_fields__}
        return cls(**{**given, "known": ReferenceAnswer.of(fields["known"])})


def betting_words(text: str) -> str:
    """A short text of actions (`betting_text`) in words."""
    streets = list[str]()
    for street, part in enumerate(text.split("/")):
        owed, words = street == 0, list[str]()  # before the flop the small blind owes chips
        for kind, amount in re.findall(r"([a-z])(\d*)", part):
            if kind == "r":
                words.append(f"{'raise to' if street == 0 or owed else 'bet'} {int(amount):,}")
            else:
                words.append("fold" if kind != "c" else "call" if owed else "check")
            owed = kind == "r"
        streets.append(", ".join(words) if street == 0 else f"{STREETS[street]}: {', '.join(words)}".removesuffix(": "))
    return "; ".join(streets)


@dataclass
class Review:
    decisions: list[Decision] = field(default_factory=list)  # largest losses first
    hands: int = 0
    left_out: int = 0  # hands that could not be replayed
    reasons: list[str] = field(default_factory=list)  # why, for the first of them
    unknown: int = 0  # decisions that nobody here knows the answer to

    def add(self, hand: LoggedHand, spots: Sequence[SpotJudge] = (), runouts: int = LISTED) -> HandRecord | None:
        """Review one more hand and return its record if it can be replayed; call `sort` at the end."""
        if not hand.is_hand:
            return None
        self.hands += 1
        record = hand.record()
        if record is None:
            self.left_out += 1
            self.reasons += [hand.unread][: SHOWN - len(self.reasons)]
            return None
        decisions = list(hand_decisions(record, self.hands - 1, hand.label, spots, runouts))
        self.unknown += sum(decision is None for decision in decisions)
        self.decisions += [decision for decision in decisions if decision is not None]
        return record

    def sort(self) -> None:
        self.decisions.sort(key=lambda decision: decision.rank)

    def of(self, player: str | None) -> list[Decision]:
        """Those of one player, or all."""
        return [decision for decision in self.decisions if player is None or decision.player == player]

    def summary(self, player: str | None = None, most: int | None = None) -> dict[str, Any]:
        chosen = self.of(player)
        lost = [decision.lost for decision in chosen if decision.lost is not None]
        return {
            "hands": self.hands,
            "left_out": self.left_out,
            "reasons": self.reasons,
            "decisions": len(chosen),
            "unknown": self.unknown,
            "valued": len(lost),
            "lost_bb": sum(lost),
            "list": [decision.as_dict() for decision in chosen[:most]],
        }


@door(spots=each(of_kind(SpotJudge)), watch=as_call, runouts=at_least(0))
def review(
    hands: Iterable[LoggedHand], spots: Sequence[SpotJudge] = (), watch: Watch | None = None, runouts: int = LISTED
) -> Review:
    """Review hands; values on the flop are from so many runouts, none with 0."""
    result = Review()
    for hand in hands if isinstance(hands, Iterator) else as_list(hands, "hands"):
        of_kind(LoggedHand)(hand, "each of the hands")
        result.add(hand, spots, runouts)
        if watch is not None:
            watch(Progress(result.hands, unit="hands"))
    result.sort()
    return result


def seat_names(table: Table) -> tuple[str, str]:
    """What both seats are called: the dealer has the small blind, except at a larger table."""
    if not table.betting.starts_hand:
        return "out of position", "in position"
    return "dealer" if table.betting.first[-1] else "small blind", "big blind"


def hand_decisions(
    record: HandRecord, index: int = 0, label: str = "", spots: Sequence[SpotJudge] = (), runouts: int = LISTED
) -> Iterator[Decision | None]:
    """The decisions of players whose cards are known; None for each without an answer."""
    judges, unit = judges_for(record.table, spots, runouts), record.table.unit
    hand = TableHand(record.table, record.deal)
    for i, step in enumerate(record.steps):
        if record.faults and i == len(record.steps) - 1:
            return  # the referee folded
        if hand.holes[step.seat] and not hand.legal.discards:
            view = hand.view()
            answer = ask(judges, view, step.action)
            if answer is None:
                yield None
            else:
                yield Decision(
                    index, label or f"hand {record.number}", i, record.players[step.seat],
                    seat_names(record.table)[step.seat], STREETS[view.street], cards_name(view.hole),
                    cards_name(view.board), betting_text(record.steps[:i]), view.pot / unit,
                    max(0, view.legal.call) / unit, view.behind / unit, action_words(view, step.action), answer[1],
                    answer[0],
                )  # fmt: skip
        hand.act(step.action)
