"""How `headsup jamfold` prints its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from headsup.cards.games import GAME_NAMES
from headsup.cli.console import make_table, print_table, small_grid
from headsup.common.display import number
from headsup.games.betting.stakes import PLAYS, SEAT_NAMES
from headsup.jamfold.answer import CLOSE_BB, SOLVED
from headsup.jamfold.hands import class_name, class_sizes, omaha_groups
from headsup.jamfold.shipped import stacks_played

if TYPE_CHECKING:
    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import JamFoldAnswer
    from headsup.jamfold.game import Certificate, Mistake
    from headsup.jamfold.limped import LimpBound
    from headsup.jamfold.locked import Locked

CHART = 13 * 6  # how wide the chart is
CLOSE_MBB = 1.0  # below this, in mbb/g, strategies of other stakes are close to an equilibrium


def signed(value: float, decimals: int = 6) -> str:
    """A number with its sign; what rounds to zero is +0, never -0."""
    return f"{value:+z.{decimals}f}"


def title(game: str, stakes: Stakes) -> Text:
    stack = f"{stakes.effective:g}"
    return Text.assemble((GAME_NAMES[game], "bold"), ", jam or fold, ", (stack, "bold"), f" {_blinds(stack)} effective")


def _blinds(stack: str) -> str:
    return "big blind" if stack == "1" else "big blinds"


def show(
    console: Console,
    answer: JamFoldAnswer,
    stakes: Stakes,
    seat: str,
    hand: int | None = None,
    locked: Locked | None = None,
) -> None:
    """The chart or one hand, the exploitability, and the comparison with a fixed opponent if there is one."""
    headline(console, answer, stakes)
    if hand is not None:
        one_hand(console, answer, stakes, seat, hand)
    elif answer.game == "holdem":
        from headsup.jamfold.ranges import strategy_range

        console.print(f"The {SEAT_NAMES[seat]} {PLAYS[seat]}s:")
        console.print(chart(answer, seat) if console.width >= CHART else small_grid(answer.played(seat).tolist()))
        for name in SEAT_NAMES:
            hands = strategy_range(answer.game, answer.played(name))
            console.print(f"{PLAYS[name]}s: {hands}", soft_wrap=True)  # to be copied
    else:
        print_table(console, breakdown(answer))
    if locked is not None:
        fixed_opponent(console, answer, locked, hand)


def show_free(console: Console, bound: LimpBound) -> None:
    """What an opponent who may limp and raise gains at most, and by which plan."""
    console.print(
        f"an opponent who may limp, raise and play a flop gains at most {bound.gain:.4f} bb a hand on the button, "
        f"from a big blind who jams {bound.jam_frequency:.1%} over a limp or raise (the jams of {bound.jams_of:g} big "
        "blinds) and gives up the rest"
    )


def headline(console: Console, answer: JamFoldAnswer, stakes: Stakes) -> None:
    """The game, the frequencies, the value and the exploitability."""
    console.print(title(answer.game, stakes))
    if answer.from_stacks is not None:
        shipped = " and calls of ".join(f"{stack:g}" for stack in answer.from_stacks)
        console.print(f"the shipped jams of {shipped} big blinds, which lose least at these stakes")
    jams, calls = ((f"{often:.2%}", "bold") for often in (answer.jam_frequency, answer.call_frequency))
    worth = f"; value {signed(answer.value_sb)} bb for the small blind"
    console.print(Text.assemble("small blind jams ", jams, ", big blind calls ", calls, worth))
    how = "shipped" if answer.source != SOLVED else "solved now"
    gain = answer.exploitability_mbb
    text = "less than 1e-9" if gain < 1e-9 else f"{gain:.1e}"  # below that it is float64 rounding
    colour = "green"
    if answer.from_stacks is not None:
        how = f"measured here; rounding hides at most {answer.rounding_mbb:.1g}"
        colour = "green" if gain < CLOSE_MBB else "yellow"
    console.print(Text.assemble(("exploitability", colour), f": {text} mbb/g, average of both seats ({how})"))


def one_hand(console: Console, answer: JamFoldAnswer, stakes: Stakes, seat: str, hand: int) -> None:
    """One hand: the decision, both expected values, and the stacks at which it changes."""
    play, often = PLAYS[seat], float(answer.played(seat)[hand])
    decision = play if often == 1 else "fold" if often == 0 else f"{play} {often:.1%} of the time"
    close = f"  (indifferent: within {CLOSE_BB:g} bb)" if answer.close(seat, hand) else ""
    name, where = (class_name(answer.game, hand), "bold"), f" in the {SEAT_NAMES[seat]}: "
    console.print(Text.assemble(name, where, (decision, "bold"), (close, "yellow")))
    given = "" if seat == "sb" else ", given a jam"
    ev = float(answer.ev(seat)[hand])
    decimals = 6 if answer.game == "holdem" or answer.source == SOLVED else 3
    console.print(
        f"expected value{given}: {play} {signed(ev, decimals)} bb, fold {signed(answer.ev_fold(seat), decimals)} bb "
        f"(difference {signed(ev - answer.ev_fold(seat), decimals)})"
    )
    known = stacks_played(answer.game, stakes, seat, hand)
    if known is None:
        console.print(f"stacks at which it mostly {play}s: known only for blinds 1:2 without antes")
        return
    text = ", ".join(f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in known.at)
    where = f"stacks of {text} bb" if text else "no stack"
    first, last = known.among
    console.print(f"mostly {play} at {where} (shipped: {first:g} to {last:g})")
    if known.mixed:
        console.print(f"mixed at: {', '.join(f'{stack:g} ({often:.0%})' for stack, often in known.mixed)}")


def chart(answer: JamFoldAnswer, seat: str) -> Text:
    """The 13 x 13 chart: played hands green, mixed ones yellow with their percentage, folds dim."""
    picture = Text()
    for index, often in enumerate(answer.played(seat).tolist()):
        name = class_name("holdem", index)
        mixed = 0 < often < 1
        cell = f"{max(1, min(99, round(100 * often)))}%" if mixed else name if often else "·"
        if answer.close(seat, index):
            cell += "*" if cell != "·" else name + "*"
        style = "black on yellow" if mixed else "white on rgb(30,110,60)" if often else "dim"
        picture.append(f"{cell:^6}", style=style)
        if index % 13 == 12:
            picture.append("\n")
    picture.append("suited above the diagonal, offsuit below; ", style="dim")
    picture.append(f"% is a mixed strategy, * is indifferent (within {CLOSE_BB:g} bb)", style="dim")
    return picture


def breakdown(answer: JamFoldAnswer) -> Table:
    """Size and frequencies of each group of Omaha hands."""
    table = make_table("hands", "of all", "jam", "call")
    sizes = class_sizes(answer.game) / class_sizes(answer.game).sum()
    for name, mask in omaha_groups().items():
        size = sizes[mask].sum()
        jam, call = ((sizes * played)[mask].sum() / size for played in (answer.jam, answer.call))
        table.add_row(name, f"{size:.1%}", f"{jam:.1%}", f"{call:.1%}")
    return table


def fixed_opponent(console: Console, answer: JamFoldAnswer, locked: Locked, hand: int | None) -> None:
    other = "big blind calls" if locked.seat == "sb" else "small blind jams"
    console.print(Text.assemble(f"\nFixed opponent: the {other} ", (f"{locked.locked_frequency:.2%}", "bold")))
    table = make_table("", "equilibrium", "best response")
    both = (locked.equilibrium, locked.best_response)
    table.add_row(f"hands that {PLAYS[locked.seat]}", *(f"{choice.frequency:.2%}" for choice in both))
    table.add_row("bb against the fixed range", *(signed(choice.against_locked) for choice in both))
    table.add_row("bb against equilibrium play", *(signed(choice.against_equilibrium) for choice in both))
    table.add_row("bb against its best response", *(signed(choice.at_worst) for choice in both))
    table.add_row("gain over the game's value", *(signed(choice.gain) for choice in both))
    table.add_row("risk below the game's value", *(f"{choice.risk:z.6f}" for choice in both))
    if hand is not None:
        play = PLAYS[locked.seat]
        name = class_name(answer.game, hand)
        table.add_row(name, *(play if choice.strategy[hand] >= 0.5 else "fold" for choice in both))
    print_table(console, table)
    if hand is not None:
        play_ev = signed(float(locked.ev[hand]))
        console.print(f"expected value of playing this hand against the fixed range: {play_ev} bb")
        return
    changed = np.flatnonzero(np.abs(locked.best_response.strategy - locked.equilibrium.strategy) > 0.5)
    names = [class_name(answer.game, int(index)) for index in changed[:24]]
    more = "" if len(changed) <= 24 else " .."
    listed = f": {' '.join(names)}{more}" if names else ""
    console.print(f"{len(changed)} hand classes are played differently{listed}")


def show_proof(console: Console, game: str, stakes: Stakes, proof: Certificate, wrong: list[Mistake]) -> None:
    console.print(title(game, stakes))
    console.print(
        f"jams {proof.jam_frequency:.2%}, calls {proof.call_frequency:.2%}; "
        f"value {signed(proof.value_sb)} bb for the small blind"
    )
    best = f"{signed(proof.most_sb)} bb in the small blind and {signed(-proof.sure_sb)} bb in the big blind"
    gain = (number(proof.exploitability_mbb), "bold")
    console.print(Text.assemble(f"best responses win {best}: exploitability ", gain, " mbb/g"))
    console.print(f"{len(wrong)} choices are not best responses" + (", the costliest first:" if wrong else ""))
    for mistake in wrong[:20]:
        verb = PLAYS[mistake.seat]
        console.print(
            f"  {mistake.seat} {class_name(game, mistake.hand)}: {verb}s {mistake.frequency:.1%}, where a {verb} gains "
            f"{signed(mistake.gain_of_playing)} bb over a fold: a loss of {mistake.cost:.6f}"
        )
