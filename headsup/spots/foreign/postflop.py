"""Configurations of wasm-postflop: chips, sizes and lines, but neither a board nor ranges.

Its sizes are those of a menu. A tree that its sizes cannot describe is written line by line: `X-B40-C|X-A160` is check,
bet 40, call; then check, all-in 160.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from headsup.cards.ranges.formats import postflop_items
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.games.betting.menu import Size, parse_menu
from headsup.games.holdem.spot import MENUS, Spot
from headsup.spots.foreign.written import Written
from headsup.spots.upi.lines import line_text, lines_of

LETTERS = {"F": "fold", "X": "check", "C": "call", "B": "bet", "R": "raise", "A": "all-in"}
WORDS = {word: letter for letter, word in LETTERS.items()}
THRESHOLDS = {"add": "addAllInThreshold", "force": "forceAllInThreshold", "merge": "mergingThreshold"}
MOST_CHIPS = 30_000
MOST_CAP = 3 * MOST_CHIPS  # of the rake
MOST_SIZES = 30  # in a list


# reading


def read(text: str, part: str) -> str:
    """Chips and a menu, for a flop unless the configuration expects more cards."""
    items = {item.name: item.value for item in postflop_items(text) if isinstance(item.value, Mapping)}
    chosen = part or (next(iter(items)) if len(items) == 1 else "")
    if chosen not in items:
        names = ", ".join(list(items)[:20]) or "none: it has ranges only"
        raise UserError(f"choose a configuration with --part: {names}")
    known = items[chosen]
    clauses, streets = [], MENUS[max(0, int(_figure(known, "expectedBoardLength")) - 3) :]
    bet_before = False
    for street in streets:
        sizes = {player: [_sizes(known, f"{player}{street.capitalize()}{kind}") for kind in ("Bet", "Raise")] for player in ("oop", "ip")}  # noqa: E501  # fmt: skip
        clauses += [f"{street} {player} {'; '.join(pair)}" for player, pair in sizes.items() if pair != ["none"] * 2]
        if bet_before and known.get("donkOption"):
            clauses.append(f"{street} oop donk {_sizes(known, f'oop{street.capitalize()}Donk')}")
        bet_before = bet_before or bool(clauses) or bool(known.get("addedLines"))
    for word, key in THRESHOLDS.items():
        share = _figure(known, key)
        clauses += [f"{word} {share:.9g}%"] if share else []
    for sign, key in (("+", "addedLines"), ("-", "removedLines")):
        clauses += [f"{sign} {line}" for line in _lines(known, key)]
    rows = ["# add board, oop and ip, then solve it with  headsup spot FILE"]
    rows += [f"pot: {_figure(known, 'startingPot'):.12g}", f"stack: {_figure(known, 'effectiveStack'):.12g}"]
    rows.append(f"menu: {' | '.join(clauses) or 'none'}")
    rake = _figure(known, "rakePercent")
    rows += [f"rake: {rake:.9g}%/{_figure(known, 'rakeCap'):.9g}"] if rake else []
    return "\n".join(rows) + "\n"


def _sizes(known: Mapping[str, Any], key: str) -> str:
    sizes = [size.strip().lower() for size in str(known.get(key, "")).split(",")]
    return ", ".join(f"{size}%" if re.fullmatch(r"[0-9.]+", size) else size for size in sizes if size) or "none"


def _figure(known: Mapping[str, Any], key: str) -> float:
    value = known.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
        raise UserError(f"{key} is not a number of 0 or more: export the configuration again")
    return float(value)


def _lines(known: Mapping[str, Any], key: str) -> list[str]:
    """Lines in words."""
    lines = []
    for line in filter(None, str(known.get(key) or "").split(",")):
        actions = re.split(r"[-|]", line)
        if not all(re.fullmatch(r"[FXC]|[BRA][0-9]{1,9}", action) for action in actions):
            raise UserError(f"{key}: {quoted(line)} is not a line such as X-B40-C|X: export the configuration again")
        lines.append(", ".join(" ".join(filter(None, (LETTERS[action[0]], action[1:]))) for action in actions))
    return lines


# writing


def write(spot: Spot) -> Written:
    """A configuration with the spot's sizes, or with every bet as a line where sizes do not give its tree."""
    if max(spot.pot, spot.stacks[0]) > MOST_CHIPS:
        raise UserError(f"wasm-postflop takes at most {MOST_CHIPS:,} chips: divide the pot and the stack")
    values = _by_sizes(spot)
    if values is None or not _is_same_tree(spot, _export(values)):
        values = _by_lines(spot)
    return Written(_export(values) + "\n")


def _export(values: Mapping[str, Any]) -> str:
    return json.dumps([{"path": ["headsup"], "isGroup": False, "value": values}])


def _is_same_tree(spot: Spot, text: str) -> bool:
    rows = "".join(row for row in read(text, "").splitlines(keepends=True) if not row.startswith("rake"))
    try:
        again = Spot.parse(f"{rows}board: {spot.board}\noop: {spot.oop}\nip: {spot.ip}\n")
    except UserError:
        return False
    return set(lines_of(again.tree)) == set(lines_of(spot.tree))


def _empty(spot: Spot) -> dict[str, Any]:
    values: dict[str, Any] = {"startingPot": spot.pot, "effectiveStack": spot.stacks[0]}
    rake, cap = 100.0 * spot.rules.rake, min(spot.rules.rake_cap, MOST_CAP)
    values |= {"rakePercent": rake, "rakeCap": cap if rake else 0, "donkOption": 0}
    for player in ("oop", "ip"):
        for street in MENUS:
            kinds = ("Bet", "Raise", "Donk") if player == "oop" and street != "flop" else ("Bet", "Raise")
            values |= {f"{player}{street.capitalize()}{kind}": "" for kind in kinds}
    values |= dict.fromkeys(THRESHOLDS.values(), 0)
    return values | {"expectedBoardLength": 0, "addedLines": "", "removedLines": ""}


def _by_sizes(spot: Spot) -> dict[str, Any] | None:
    """The sizes of the menu, unless it has lists for further raises."""
    menu, values = parse_menu(spot.menu_text), _empty(spot)
    donk = menu.donk(spot.rules)
    for street, lists in enumerate(menu.lists(spot.rules)):
        name = spot.streets[street].capitalize()
        for player, own in zip(("oop", "ip"), lists, strict=True):
            if len(own) > 2 or any(len(sizes) > MOST_SIZES for sizes in own):
                return None
            values |= {f"{player}{name}Bet": _text(own[0]), f"{player}{name}Raise": _text(own[-1])}
        if street and any(seats[0] is not None for seats in donk):
            sizes = donk[street][0]
            values |= {"donkOption": 1, f"oop{name}Donk": _text(lists[0][0] if sizes is None else sizes)}
    shares = {"add": menu.add, "force": menu.force, "merge": menu.merge}
    return values | {key: round(100.0 * shares[word], 9) for word, key in THRESHOLDS.items()}


def _text(sizes: Sequence[Size]) -> str:
    return ", ".join("100%" if size.text.lower() == "pot" else size.text.lower() for size in sizes)


def _by_lines(spot: Spot) -> dict[str, Any]:
    lines: dict[bool, list[str]] = {True: [], False: []}
    for edit in lines_of(spot.tree):
        lines[edit.added].append(_encoded(line_text(spot.rules, edit.line)))
    values = {"addedLines": ",".join(lines[True]), "removedLines": ",".join(lines[False])}
    return _empty(spot) | values | {"expectedBoardLength": len(spot.cards) if any(values.values()) else 0}


def _encoded(line: str) -> str:
    """`check, bet 40, call, check` as `X-B40-C|X`."""
    text, checks = "", 0
    for words in line.split(", "):
        word, _, chips = words.partition(" ")
        text += f"{WORDS[word]}{chips}"
        checks = checks + 1 if word == "check" else 0
        closes = word == "call" or checks == 2
        text, checks = f"{text}{'|' if closes else '-'}", 0 if closes else checks
    return text[:-1]
