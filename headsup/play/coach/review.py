"""Hands that were played, looked at again: the costliest decisions first, where headsup knows the answer.

    found = review(read_hands("night.phhs")[1])
    for one in found.decisions[:10]:
        print(one.player, one.cards, one.did, one.lost)

Every decision of a player whose cards are known is put to whoever knows the answer (`headsup.play.coach.judges`). A
list has those with values first, by their loss in big blinds (`headsup.play.coach.reference`); then those of which only
frequencies are known, by how rarely the strategy does what was done. Decisions that cost nothing are in the list too,
at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from headsup.cards.cards import cards_name
from headsup.common.checks import as_call, as_list, at_least, door, each, of_kind
from headsup.common.progress import Progress, Watch
from headsup.games.betting.rules import STREETS
from headsup.play.coach.judges import SpotJudge, ask, judges_for
from headsup.play.coach.reference import SURE, ActionChoice, ReferenceAnswer, action_words
from headsup.play.table.logged import SHOWN, LoggedHand
from headsup.play.table.record import HandRecord, betting_text
from headsup.play.table.rules import TableHand

LISTED = 23
"""Turns and rivers that are drawn for each decision on a flop in a list: one for each card that may come."""


@dataclass(frozen=True)
class Decision:
    """A decision of a hand, with its answer."""

    hand: int
    """The place of the hand in what was looked at, from 0."""
    label: str
    """What the log calls the hand."""
    step: int
    """How many actions came before it."""
    player: str
    seat: str
    """`dealer` (the small blind) or `big blind`."""
    street: str
    cards: str
    board: str
    before: str
    """What was done until then: `r300c/c`."""
    pot: float
    """In big blinds, as `behind`."""
    owed: float
    """What a call takes."""
    behind: float
    did: str
    taken: int
    """Which of the answer's choices that was."""
    known: ReferenceAnswer

    @property
    def lost(self) -> float | None:
        """The loss in big blinds (`ReferenceAnswer.lost`); None where only frequencies are known."""
        return self.known.lost_by(self.taken)

    @property
    def error(self) -> float:
        """By how much that may be wrong (95 %), where cards were drawn; else 0."""
        return self.known.choices[self.taken].error

    @property
    def share(self) -> float:
        """How often the answer does what was done."""
        return self.known.choices[self.taken].share

    @property
    def listed(self) -> list[ActionChoice]:
        """The choices to show in a line: what the answer does, and always the one that is worth most."""
        best = self.known.best
        return [one for one in self.known.choices if one.share >= 0.005 or one is best]

    @property
    def rank(self) -> tuple[int, float]:
        """Where it stands in a list: what cost most first, then what a strategy does most rarely, then the rest."""
        if self.lost is None:
            return 1, self.share
        return (0, -self.lost) if self.lost >= SURE else (2, self.share)

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        found = {"lost": self.lost, "error": self.error, "share": self.share}
        return {**vars(self), "known": self.known.as_dict(), **found}

    @classmethod
    def of(cls, told: dict[str, Any]) -> Decision:
        """The same from JSON."""
        given = {key: told[key] for key in cls.__dataclass_fields__}
        return cls(**{**given, "known": ReferenceAnswer.of(told["known"])})


@dataclass
class Review:
    """What came of looking at hands."""

    decisions: list[Decision] = field(default_factory=list)
    """The costliest first."""
    hands: int = 0
    left_out: int = 0
    """Hands that could not be played again by the rules."""
    reasons: list[str] = field(default_factory=list)
    """Why, for the first of them."""
    unknown: int = 0
    """Decisions that nobody here knows the answer to."""

    def add(self, hand: LoggedHand, spots: Sequence[SpotJudge] = (), runouts: int = LISTED) -> HandRecord | None:
        """Look at one more hand, which is given back if it can be played again; `sort` when all are there."""
        if not hand.is_hand:
            return None
        self.hands += 1
        record = hand.record()
        if record is None:
            self.left_out += 1
            self.reasons += [hand.unread][: SHOWN - len(self.reasons)]
            return None
        found = list(hand_decisions(record, self.hands - 1, hand.label, spots, runouts))
        self.unknown += sum(one is None for one in found)
        self.decisions += [one for one in found if one is not None]
        return record

    def sort(self) -> None:
        """Put the costliest first."""
        self.decisions.sort(key=lambda one: one.rank)

    def of(self, player: str | None) -> list[Decision]:
        """Those of one player, or of all."""
        return [one for one in self.decisions if player is None or one.player == player]

    def summary(self, player: str | None = None, most: int | None = None) -> dict[str, Any]:
        """As a JSON object."""
        chosen = self.of(player)
        lost = [one.lost for one in chosen if one.lost is not None]
        return {
            "hands": self.hands,
            "left_out": self.left_out,
            "reasons": self.reasons,
            "decisions": len(chosen),
            "unknown": self.unknown,
            "valued": len(lost),
            "lost_bb": sum(lost),
            "list": [one.as_dict() for one in chosen[:most]],
        }


@door(spots=each(of_kind(SpotJudge)), watch=as_call, runouts=at_least(0))
def review(
    hands: Iterable[LoggedHand], spots: Sequence[SpotJudge] = (), watch: Watch | None = None, runouts: int = LISTED
) -> Review:
    """Look at hands again; values on the flop are from so many turns and rivers, and left out with 0."""
    found = Review()
    for hand in hands if isinstance(hands, Iterator) else as_list(hands, "hands"):
        of_kind(LoggedHand)(hand, "each of the hands")
        found.add(hand, spots, runouts)
        if watch is not None:
            watch(Progress(found.hands, unit="hands"))
    found.sort()
    return found


def hand_decisions(
    record: HandRecord, index: int = 0, label: str = "", spots: Sequence[SpotJudge] = (), runouts: int = LISTED
) -> Iterator[Decision | None]:
    """The decisions of a hand by players whose cards are known; None for each that nobody can answer."""
    judges, unit = judges_for(record.table, spots, runouts), record.table.unit
    hand = TableHand(record.table, record.deal)
    for i, step in enumerate(record.steps):
        if record.faults and i == len(record.steps) - 1:
            return  # the referee folded
        if hand.holes[step.seat] and not hand.legal.discards:
            view = hand.view()
            found = ask(judges, view, step.action)
            if found is None:
                yield None
            else:
                yield Decision(
                    index, label or f"hand {record.number}", i, record.players[step.seat],
                    ("dealer", "big blind")[step.seat], STREETS[view.street], cards_name(view.hole),
                    cards_name(view.board), betting_text(record.steps[:i]), view.pot / unit,
                    max(0, view.legal.call) / unit, view.behind / unit, action_words(view, step.action), found[1],
                    found[0],
                )  # fmt: skip
        hand.act(step.action)
