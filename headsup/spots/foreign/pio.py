"""Scripts of PioSOLVER. A spot is written bet by bet, so any tree is the same there."""

from __future__ import annotations

from headsup.cards.ranges.formats import write_range
from headsup.games.holdem.spot import Spot
from headsup.spots.foreign.written import Written
from headsup.spots.upi.lines import LineEdit, lines_of
from headsup.spots.upi.numbers import read_whole
from headsup.spots.upi.settings import UpiSettings, read_seat

KEYS = {"Board": "set_board", "Pot": "set_pot 0 0", "EffectiveStacks": "set_eff_stack"}
KEYS |= {"Range0": "set_range OOP", "Range1": "set_range IP"}


def write(spot: Spot) -> Written:
    """Commands for PioSOLVER, every bet as a line."""
    settings = UpiSettings()
    settings.take(spot, lines_of(spot.tree), [])
    commands = [f"set_board {settings.board}", f"set_pot 0 0 {settings.pot}", f"set_eff_stack {settings.stack}"]
    for name, hands in zip(("OOP", "IP"), settings.ranges, strict=True):
        commands.append(f"set_range {name} {write_range(hands, 'pio')}")
    if settings.rake[0]:
        commands.append(f"set_rake {settings.rake[0]:.9g} {settings.rake[1]:.9g}")
    for added, line in settings.lines:
        commands.append(f"{'add' if added else 'remove'}_line {' '.join(map(str, line))}")
    return Written("\n".join([*commands, "build_tree", ""]))


def read(text: str) -> Spot:
    """The spot of a script: its commands and information lines."""
    settings, commands = UpiSettings(), []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("#"):
            key, mark, value = line.strip("#").partition("#")
            if key in KEYS and value.strip():
                commands.append(f"{KEYS[key]} {value}")
            elif mark and "#" not in value:
                settings.add_info(f"#{key}#{value}")
        else:
            commands.append(line)
    for command in commands:
        name, *words = command.split()
        if name == "set_board":
            settings.set_board("".join(words))
        elif name == "set_range" and len(words) > 1:
            settings.set_range(read_seat(words[0]), words[1:])
        elif name == "set_pot" and len(words) == 3:
            settings.set_pot(words)
        elif name == "set_eff_stack" and len(words) == 1:
            settings.stack = read_whole(words[0], name)
        elif name == "set_rake" and len(words) == 2:
            settings.set_rake(words)
        elif name in ("add_line", "remove_line"):
            settings.lines.append(LineEdit(name == "add_line", tuple(read_whole(word, name) for word in words)))
    return settings.spot()
