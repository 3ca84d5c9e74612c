"""Actions in words, such as `raises to 300`."""

from collections.abc import Iterable, Iterator

from headsup.games.betting.rules import DEAL, Betting, State
from headsup.play.table.rules import Action, Legal, PastAction, Table, apply


def act_words(action: Action, legal: Legal, state: State, betting: Betting, s: str = "") -> tuple[str, str]:
    """The words for an action and its kind: `raise to 300`, `bet`; `s` makes the third person, `raises to`."""
    kind, amount = action
    if kind == "f":
        return f"fold{s}", "fold"
    if kind == "d":
        return f"swap{s} a card", "swap"
    if legal.discards:
        return f"keep{s} both cards", "check"
    if kind == "c":
        if not legal.call:
            return f"check{s}", "check"
        all_in = legal.call == betting.stacks[state.player] - state.paid[state.player]
        return f"call{s} {legal.call:,}" + (", all-in" if all_in else ""), "allin" if all_in else "call"
    if amount >= betting.all_in(state):
        return (
            f"jam{s} {amount:,}" if betting.jam_or_fold else f"go{'es' if s else ''} all-in for {amount:,}"
        ), "allin"
    bets = max(state.paid[i] - state.start[i] for i in (0, 1))
    return (f"raise{s} to {amount:,}" if bets else f"bet{s} {amount:,}"), "bet"


def steps_in_words(table: Table, steps: Iterable[PastAction]) -> Iterator[tuple[PastAction, str]]:
    """Each past action of a hand in the third person; discarded cards may be hidden."""
    betting, state, swaps = table.betting, table.root, 0
    for step in steps:
        while state.player == DEAL and not swaps:
            state = betting.next_street(state)
            swaps = 2 if state.street in table.draws else 0
        legal = Legal(False, 0, discards=(step.action.amount,)) if swaps else Legal.of(betting, state)
        yield step, act_words(step.action, legal, state, betting, "s")[0]
        if swaps:
            swaps -= 1
        else:
            state = apply(betting, state, step.action)
