"""How `headsup jamfold` prints its answers for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from headsup.cards.games import GAME_NAMES
from headsup.cli.console import make_table, print_table, small_grid
from headsup.games.betting.stakes import PLAYS, SEAT_NAMES
from headsup.jamfold.answer import CLOSE_BB, SOLVED
from headsup.jamfold.hands import class_name, class_sizes, omaha_groups
from headsup.jamfold.shipped import stacks_played

if TYPE_CHECKING:
    from headsup.games.betting.stakes import Stakes
    from headsup.jamfold.answer import Answer
    from headsup.jamfold.game import Certificate, Mistake
    from headsup.jamfold.locked import Locked

CHART = 13 * 6
"""How wide the chart is."""


def signed(value: float, decimals: int = 6) -> str:
    """A number with its sign; what rounds to zero is +0, never -0."""
    return f"{value:+z.{decimals}f}"


def title(game: str, stakes: Stakes) -> Text:
    """The game and the stack."""
    stack = f"{stakes.effective:g}"
    return Text.assemble((GAME_NAMES[game], "bold"), ", jam or fold, ", (stack, "bold"), f" {_blinds(stack)} effective")


def _blinds(stack: str) -> str:
    return "big blind" if stack == "1" else "big blinds"


def show(
    console: Console, found: Answer, stakes: Stakes, seat: str, hand: int | None = None, locked: Locked | None = None
) -> None:
    """The chart or the hand, the certificate, and the comparison with a fixed opponent if there is one."""
    headline(console, found, stakes)
    if hand is not None:
        one_hand(console, found, stakes, seat, hand)
    elif found.game == "holdem":
        from headsup.jamfold.ranges import strategy_range

        console.print(f"The {SEAT_NAMES[seat]} {PLAYS[seat]}s:")
        console.print(chart(found, seat) if console.width >= CHART else small_grid(found.played(seat).tolist()))
        for one in SEAT_NAMES:
            hands = strategy_range(found.game, found.played(one))
            console.print(f"{PLAYS[one]}s: {hands}", soft_wrap=True)  # to be copied
    else:
        print_table(console, breakdown(found))
    if locked is not None:
        fixed_opponent(console, found, locked, hand)


def headline(console: Console, found: Answer, stakes: Stakes) -> None:
    """The game, the frequencies, the value and the certificate."""
    console.print(title(found.game, stakes))
    if found.payoffs.stack != stakes.payoffs.stack:
        from headsup.equity.omaha.matchups import TABLE_COST

        near = f"{found.payoffs.stack:g}"
        nearest = (f"nearest shipped stack: {near} {_blinds(near)}", "yellow")
        cost = f" (the table for an exact answer: headsup tabulate omaha8, {TABLE_COST})"
        console.print(Text.assemble(nearest, cost))
    jams, calls = ((f"{often:.2%}", "bold") for often in (found.jam_frequency, found.call_frequency))
    worth = f"; the game is worth {signed(found.value_sb)} bb to the small blind"
    console.print(Text.assemble("small blind jams ", jams, ", big blind calls ", calls, worth))
    how = "shipped" if found.source != SOLVED else "solved now"
    gain = found.exploitability_mbb
    text = "less than 1e-9" if gain < 1e-9 else f"{gain:.1e}"  # below that it is float64 rounding
    proof = f": best responders gain {text} mbb a game, both seats' average ({how})"
    console.print(Text.assemble(("certificate", "green"), proof))


def one_hand(console: Console, found: Answer, stakes: Stakes, seat: str, hand: int) -> None:
    """One hand: the decision, both expected values, and the stacks at which it changes."""
    play, often = PLAYS[seat], float(found.played(seat)[hand])
    decision = play if often == 1 else "fold" if often == 0 else f"{play} {often:.1%} of the time"
    close = f"  (indifferent: within {CLOSE_BB:g} bb)" if found.close(seat, hand) else ""
    name, where = (class_name(found.game, hand), "bold"), f" in the {SEAT_NAMES[seat]}: "
    console.print(Text.assemble(name, where, (decision, "bold"), (close, "yellow")))
    given = "" if seat == "sb" else ", given a jam"
    ev = float(found.ev(seat)[hand])
    decimals = 6 if found.game == "holdem" or found.source == SOLVED else 3
    console.print(
        f"expected value{given}: {play} {signed(ev, decimals)} bb, fold {signed(found.ev_fold(seat), decimals)} bb "
        f"(a difference of {signed(ev - found.ev_fold(seat), decimals)})"
    )
    known = stacks_played(found.game, stakes, seat, hand)
    if known is None:
        console.print(f"mostly {play} at: known for blinds 1:2 without ante only")
        return
    text = ", ".join(f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in known.at)
    console.print(f"mostly {play} at: {text or 'no stack'} (of the stacks from 0.5 to 50 bb)")
    if known.mixed:
        console.print(f"mixed at: {', '.join(f'{stack:g} ({often:.0%})' for stack, often in known.mixed)}")


def chart(found: Answer, seat: str) -> Text:
    """The 13 x 13 chart: played hands on green, mixed ones on yellow with their percentage, folds dim."""
    picture = Text()
    for index, often in enumerate(found.played(seat).tolist()):
        name = class_name("holdem", index)
        mixed = 0 < often < 1
        cell = f"{max(1, min(99, round(100 * often)))}%" if mixed else name if often else "·"
        if found.close(seat, index):
            cell += "*" if cell != "·" else name + "*"
        style = "black on yellow" if mixed else "white on rgb(30,110,60)" if often else "dim"
        picture.append(f"{cell:^6}", style=style)
        if index % 13 == 12:
            picture.append("\n")
    picture.append("suited above the diagonal, offsuit below; ", style="dim")
    picture.append(f"% mixes, * is within {CLOSE_BB:g} bb of indifference", style="dim")
    return picture


def breakdown(found: Answer) -> Table:
    """Of each group of Omaha hands, how many there are and how often they are played."""
    table = make_table("hands", "of all", "jam", "call")
    shares = class_sizes(found.game) / class_sizes(found.game).sum()
    for name, mask in omaha_groups().items():
        share = shares[mask].sum()
        jam, call = ((shares * played)[mask].sum() / share for played in (found.jam, found.call))
        table.add_row(name, f"{share:.1%}", f"{jam:.1%}", f"{call:.1%}")
    return table


def fixed_opponent(console: Console, found: Answer, locked: Locked, hand: int | None) -> None:
    """Equilibrium and best response beside each other."""
    other = "big blind calls" if locked.seat == "sb" else "small blind jams"
    console.print(Text.assemble(f"\nFixed opponent: the {other} ", (f"{locked.locked_frequency:.2%}", "bold")))
    table = make_table("", "equilibrium", "best response")
    both = (locked.equilibrium, locked.best_response)
    table.add_row(f"hands that {PLAYS[locked.seat]}", *(f"{one.frequency:.2%}" for one in both))
    table.add_row("bb against the fixed range", *(signed(one.against_locked) for one in both))
    table.add_row("bb against equilibrium play", *(signed(one.against_equilibrium) for one in both))
    table.add_row("bb against its best reply", *(signed(one.at_worst) for one in both))
    table.add_row("gain over the game's value", *(signed(one.gain) for one in both))
    table.add_row("risk below the game's value", *(f"{one.risk:z.6f}" for one in both))
    if hand is not None:
        play = PLAYS[locked.seat]
        name = class_name(found.game, hand)
        table.add_row(name, *(play if one.strategy[hand] >= 0.5 else "fold" for one in both))
    print_table(console, table)
    if hand is not None:
        console.print(f"against the fixed range this hand is worth {signed(float(locked.ev[hand]))} bb if played")
        return
    changed = np.flatnonzero(np.abs(locked.best_response.strategy - locked.equilibrium.strategy) > 0.5)
    names = [class_name(found.game, int(index)) for index in changed[:24]]
    more = "" if len(changed) <= 24 else " .."
    listed = f": {' '.join(names)}{more}" if names else ""
    console.print(f"{len(changed)} hand classes are played differently{listed}")


def show_proof(console: Console, game: str, stakes: Stakes, proof: Certificate, wrong: list[Mistake]) -> None:
    """Two given strategies, measured."""
    console.print(title(game, stakes))
    console.print(
        f"jams {proof.jam_frequency:.2%}, calls {proof.call_frequency:.2%}; "
        f"worth {signed(proof.value_sb)} bb to the small blind"
    )
    replies = f"{signed(proof.most_sb)} bb as small blind and {signed(-proof.sure_sb)} bb as big blind"
    gain = (f"{proof.exploitability_mbb:.6g}", "bold")
    console.print(Text.assemble(f"a best responder gets {replies}: exploitability ", gain, " mbb/g"))
    console.print(f"{len(wrong)} choices are not best responses" + (", the dearest first:" if wrong else ""))
    for one in wrong[:20]:
        verb = PLAYS[one.seat]
        console.print(
            f"  {one.seat} {class_name(game, one.hand)}: {verb}s {one.frequency:.1%}, where a {verb} gains "
            f"{signed(one.gain_of_playing)} bb over a fold: a loss of {one.cost:.6f}"
        )
