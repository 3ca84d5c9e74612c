"""Trees of other programs as spots: scripts of PioSOLVER and TexasSolver, configurations of wasm-postflop.

Spots are written as scripts of PioSOLVER, bet by bet, so that any tree is the same there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from headsup.cards.ranges.formats import postflop_items, recognise, write_range
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.spots.upi.lines import LineEdit, lines_of
from headsup.spots.upi.numbers import read_number, read_whole
from headsup.spots.upi.settings import UpiSettings, read_seat

STREETS = ("flop", "turn", "river")
KINDS = {"bet": "BetSize", "raise": "RaiseSize", "donk": "DonkBetSize"}
KEYS = {"Board": "set_board", "Pot": "set_pot 0 0", "EffectiveStacks": "set_eff_stack"}
KEYS |= {"Range0": "set_range OOP", "Range1": "set_range IP"}


def spot_text(text: str, name: str | None = None, part: str = "") -> str:
    """The spot that a script or configuration describes, as text for `headsup spot`."""
    known = recognise(text) if name is None else name
    if known == "pio":
        return _settings_text(_pio(text))
    if known == "texassolver":
        return _settings_text(_texas(text))
    if known == "wasm-postflop":
        return _postflop(text, part)
    raise UserError("this is a range, and a spot needs a script or a configuration: leave out --write spot")


def pio_script(text: str) -> str:
    """A spot's text as commands for PioSOLVER: `spot_text` reads the same tree from it."""
    spot = Spot.parse(text)
    if spot.variant or spot.swaps or spot.dead or spot.stacks[0] != spot.stacks[1]:
        raise UserError(
            "a script of PioSOLVER has hold'em hands, equal stacks and no dead cards: leave variant, swaps, dead and a "
            "second stack out of the spot"
        )
    settings = UpiSettings()
    settings.take(spot, lines_of(spot.game().betting), [])
    commands = [f"set_board {settings.board}", f"set_pot 0 0 {settings.pot}", f"set_eff_stack {settings.stack}"]
    for name, hands in zip(("OOP", "IP"), settings.ranges, strict=True):
        commands.append(f"set_range {name} {write_range(hands, 'pio')}")
    if settings.rake[0]:
        commands.append(f"set_rake {settings.rake[0]:.9g} {settings.rake[1]:.9g}")
    for added, line in settings.lines:
        commands.append(f"{'add' if added else 'remove'}_line {' '.join(map(str, line))}")
    return "\n".join([*commands, "build_tree", ""])


def _settings_text(settings: UpiSettings) -> str:
    return settings.spot().text()


def _pio(text: str) -> UpiSettings:
    """The commands and information lines of a script for PioSOLVER."""
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
    return settings


def _texas(text: str) -> UpiSettings:
    """The commands of an input script of TexasSolver."""
    settings, sizes = UpiSettings(), dict[str, list[str]]()
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, rest = line.partition(" ")
        words = [word.strip() for word in rest.split(",")]
        if name == "set_pot":
            settings.pot = _chips(rest, name)
        elif name == "set_effective_stack":
            settings.stack = _chips(rest, name)
        elif name == "set_board":
            settings.set_board("".join(words))
        elif name in ("set_range_oop", "set_range_ip"):
            settings.set_range(read_seat(name[len("set_range_") :]), rest.split())
        elif name == "set_allin_threshold":
            settings.add_info(f"#AllinThreshold#{100.0 * read_number(rest.strip(), name):.9g}")
        elif name == "set_bet_sizes":
            _sizes(words, sizes)
    for key, values in sizes.items():
        settings.add_info(f"#{key}#{','.join(values)}")
    return settings


def _sizes(words: list[str], sizes: dict[str, list[str]]) -> None:
    """`oop,flop,bet,50` or `ip,river,allin`."""
    if len(words) < 3 or words[0] not in ("oop", "ip") or words[1] not in STREETS:
        raise UserError(f"set_bet_sizes: write oop or ip, a street, and bet, raise, donk or allin, not {quoted(words)}")
    street = f"{words[1].capitalize()}Config{'IP' if words[0] == 'ip' else ''}"
    if words[2] == "allin":
        sizes[f"{street}.AddAllin"] = ["True"]
    elif words[2] in KINDS:
        sizes.setdefault(f"{street}.{KINDS[words[2]]}", []).extend(words[3:])
    else:
        raise UserError(f"set_bet_sizes: sizes are for bet, raise, donk or allin, not {quoted(words[2])}")


def _chips(text: str, what: str) -> int:
    chips = read_number(text.strip(), what)
    if chips != int(chips) or chips < 1:
        raise UserError(
            f"{what}: {quoted(text.strip())} is not a whole number of chips: multiply all chips by 10 or 100"
        )
    return int(chips)


def _postflop(text: str, part: str) -> str:
    """A configuration of wasm-postflop: chips and a menu, for a flop unless it expects more cards; it has neither board
    nor ranges.
    """
    items = {item.name: item.value for item in postflop_items(text) if isinstance(item.value, Mapping)}
    chosen = part or (next(iter(items)) if len(items) == 1 else "")
    if chosen not in items:
        names = ", ".join(list(items)[:20]) or "none: it has ranges only"
        raise UserError(f"choose a configuration with --part: {names}")
    known = items[chosen]
    for key in ("addedLines", "removedLines"):
        if known.get(key):
            raise UserError(f"the configuration has {key}, which are not read: add them to the menu by hand")
    clauses, streets = [], STREETS[max(0, int(_figure(known, "expectedBoardLength")) - 3) :]
    for street in streets:
        for player in ("oop", "ip"):
            bets, raises = (_postflop_sizes(known, f"{player}{street.capitalize()}{kind}") for kind in ("Bet", "Raise"))
            if bets != "none" or raises != "none":
                clauses.append(f"{street} {player} {bets}; {raises}")
        if street != streets[0] and known.get("donkOption"):
            clauses.append(f"{street} oop donk {_postflop_sizes(known, f'oop{street.capitalize()}Donk')}")
    for word, key in (("add", "addAllInThreshold"), ("force", "forceAllInThreshold"), ("merge", "mergingThreshold")):
        share = _figure(known, key)
        clauses += [f"{word} {share:g}%"] if share else []
    lines = [
        "# add board, oop and ip, then solve it with  headsup spot FILE",
        f"pot: {_figure(known, 'startingPot'):g}",
    ]
    lines += [f"stack: {_figure(known, 'effectiveStack'):g}", f"menu: {' | '.join(clauses)}"]
    rake = _figure(known, "rakePercent")
    lines += [f"rake: {rake:g}%/{_figure(known, 'rakeCap'):g}"] if rake else []
    return "\n".join(lines) + "\n"


def _postflop_sizes(known: Mapping[str, Any], key: str) -> str:
    sizes = [size.strip().lower() for size in str(known.get(key, "")).split(",")]
    return ", ".join(f"{size}%" if re.fullmatch(r"[0-9.]+", size) else size for size in sizes if size) or "none"


def _figure(known: Mapping[str, Any], key: str) -> float:
    value = known.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
        raise UserError(f"{key} is not a number of 0 or more: export the configuration again")
    return float(value)
