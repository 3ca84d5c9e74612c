"""Spots in the formats of other programs: scripts of PioSOLVER and TexasSolver, configurations of wasm-postflop.

What is written builds the same betting tree there, or a note says what is missing.
"""

from __future__ import annotations

from headsup.cards.ranges.formats import format_named, recognise
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.spots.foreign import pio, postflop, texassolver
from headsup.spots.foreign.written import Written

WRITERS = {"pio": pio.write, "texassolver": texassolver.write, "wasm-postflop": postflop.write}


def spot_text(text: str, name: str | None = None, part: str = "") -> str:
    """The spot that a script or configuration describes, as text for `headsup spot`."""
    known = recognise(text) if name is None else format_named(name)
    if known == "pio":
        return pio.read(text).text()
    if known == "texassolver":
        return texassolver.read(text).text()
    if known == "wasm-postflop":
        return postflop.read(text, part)
    raise UserError("this is a range, and a spot needs a script or a configuration: leave out --write spot")


def write_spot(text: str, name: str) -> Written:
    """A spot's text in the format of another program."""
    known = format_named(name)
    if known not in WRITERS:
        raise UserError(f"a spot is not written as {known}: choose from {', '.join(WRITERS)}")
    spot = Spot.parse(text)
    if spot.variant or spot.swaps or spot.dead or spot.stacks[0] != spot.stacks[1]:
        raise UserError(
            "other programs have hold'em hands, equal stacks and no dead cards: leave variant, swaps, dead and a "
            "second stack out of the spot"
        )
    return WRITERS[known](spot)
