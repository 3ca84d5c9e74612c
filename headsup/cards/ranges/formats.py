"""Ranges as other programs write them: read, recognised and written.

| format | text |
|---|---|
| headsup | `22+,AKs:0.5` (`headsup.cards.ranges.parser`) |
| list | every class or hand by itself, `AA,KK,AKs:0.5`: PioSOLVER, TexasSolver and others read it |
| pio | PioSOLVER's 1,326 weights, or a script with `#Range0#` or `set_range OOP` |
| gto+ | GTO+, Equilab, Flopzilla: `AA,[50]AKs[/50]` |
| hrc | Holdem Resources Calculator: `5.9%, 88+ AJs+`, or an exported node as JSON |
| texassolver | an input script with `set_range_oop`, or a result as JSON |
| wasm-postflop | its exported ranges as JSON |

A file with several ranges has parts: `oop` and `ip` of a script, the names of an export, the actions of a strategy
(`CHECK/BET 50` is the bet after a check, `CHECK/CHECK/Ah/BET 50` one on the turn). The part of a strategy is the range
times how often it takes the action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from headsup.cards.cards import card_name
from headsup.cards.classes import holdem_class_name, holdem_class_of_combo
from headsup.cards.combos import holdem_combos
from headsup.cards.ranges.model import Range, range_text
from headsup.cards.ranges.parser import parse_range
from headsup.cards.ranges.weights import UNIT
from headsup.common.checks import quoted
from headsup.common.errors import UserError

NAMES = ("headsup", "list", "pio", "gto+", "hrc", "texassolver", "wasm-postflop")
ALIASES = {"piosolver": "pio", "gtoplus": "gto+", "equilab": "gto+", "flopzilla": "gto+", "postflop": "wasm-postflop"}
COMBOS = 1326
TAG = re.compile(r"\[\s*(/?)\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*\]")
HAND = re.compile(r"[2-9TJQKA]{2}[so]?|(?:[2-9TJQKA][cdhs]){2}")
NUMBER = r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?"
SHARE = re.compile(r"\s*([0-9]{1,3}(?:\.([0-9]{1,4}))?)\s*%\s*[,;:]?\s+(?=[0-9AKQJTakqjt])")
PIO_LINE = re.compile(r"^\s*(?:#Range([01])#|set_range\s+(OOP|IP)\s)(.*)$", re.MULTILINE | re.IGNORECASE)
TEXAS_LINE = re.compile(r"^\s*set_range_(oop|ip)\s+(\S.*)$", re.MULTILINE | re.IGNORECASE)
LONGEST = 20  # parts that an error lists


class ForeignRange(NamedTuple):
    """A range and the format it was written in."""

    hands: Range
    format: str


def format_named(name: str) -> str:
    """A format by its name or another word for it."""
    known = ALIASES.get(name.lower(), name.lower())
    if known not in NAMES:
        raise UserError(f"there is no format {quoted(name)}: choose from {', '.join(NAMES)}")
    return known


def read_range(text: str, name: str | None = None, part: str = "") -> ForeignRange:
    """The range in a text of some format; without a name it is recognised."""
    known = recognise(text) if name is None else format_named(name)
    return ForeignRange(READERS[known](text, part.strip()), known)


def write_range(hands: Range, name: str) -> str:
    """A hold'em range in some format; `read_range` reads it back to the same weights."""
    known = format_named(name)
    if hands.game != "holdem":
        raise UserError("the formats of other programs are for hold'em: leave out --write, or --game")
    if not hands.combos and known not in ("headsup", "pio"):
        raise UserError(f"the range has no hands, and {known} has no text for that: give it a hand")
    return WRITERS[known](hands)


def recognise(text: str) -> str:
    """The format that a text is most likely in; whatever is nothing else is headsup's own."""
    if _is_json(text):
        content = _json(text)
        if isinstance(content, Mapping):
            return "hrc" if "hands" in content else "texassolver"
        return "wasm-postflop"
    if TAG.search(text):
        return "gto+"
    if PIO_LINE.search(text) or _is_numbers(text.split()):
        return "pio"
    if TEXAS_LINE.search(text):
        return "texassolver"
    return "hrc" if _has_share(text) else "headsup"


def _is_json(text: str) -> bool:
    return re.match(r"\s*(?:\{|\[\s*(?:\{|\]))", text) is not None


def _is_numbers(words: list[str]) -> bool:
    return len(words) > 100 and all(re.fullmatch(NUMBER, word) for word in words)


def _has_share(text: str) -> bool:
    """Whether a text begins with the percentage of all hands that the rest of it is."""
    match = SHARE.match(text)
    if match is None:
        return False
    try:
        share = parse_range(text[match.end() :]).share
    except UserError:
        return False
    return abs(100.0 * share - float(match[1])) <= 0.5 * 10.0 ** -len(match[2] or "") + 1e-9


# reading


def _read_text(text: str, part: str) -> Range:
    _no_part(part)
    return parse_range(" ".join(text.split()))


def _read_pio(text: str, part: str) -> Range:
    ranges = {
        ("oop", "ip")[int(seat)] if seat else player.lower(): rest for seat, player, rest in PIO_LINE.findall(text)
    }
    if ranges:
        return _pio_weights(_chosen(ranges, part))
    _no_part(part)
    return _pio_weights(text)


def _pio_weights(text: str) -> Range:
    words = text.split()
    if not _is_numbers(words):
        return parse_range(" ".join(words))
    if len(words) != COMBOS:
        raise UserError(f"PioSOLVER's weights are {COMBOS:,} numbers, one for each hand, not {len(words):,}")
    return _range(np.array([float(word) for word in words]))


def _read_gto(text: str, part: str) -> Range:
    """Hands between `[50]` and `[/50]` have a weight of 50 %, all others of 100 %."""
    _no_part(part)
    out, at, weight = np.zeros(COMBOS), 0, ""
    for match in [*TAG.finditer(text), None]:
        piece = text[at : match.start() if match else len(text)].strip(" ,;\n\r\t")
        if piece:
            share = float(weight or 100) / 100.0
            if share > 1.0:
                raise UserError(f"[{weight}] is more than 100 percent: write a weight from 0 to 100")
            out = np.maximum(out, share * parse_range(piece).weights)
        if match is None:
            break
        at = match.end()
        if bool(match[1]) != bool(weight) or (match[1] and float(match[2]) != float(weight)):
            wanted = f"[/{weight}]" if weight else "a [weight] before it"
            raise UserError(f"'{match[0]}' at column {match.start() + 1} does not fit: there must be {wanted}")
        weight = "" if match[1] else match[2]
    if weight:
        raise UserError(f"[{weight}] is not closed: write [/{weight}] behind its hands")
    return _range(out)


def _read_hrc(text: str, part: str) -> Range:
    if not _is_json(text):
        _no_part(part)
        match = SHARE.match(text)
        return parse_range(" ".join(text[match.end() if match else 0 :].split()))
    hands, actions = _field(_json(text), "hands", dict, "HRC"), _json(text).get("actions", [])
    names = [_action_name(action) for action in actions] if isinstance(actions, list) else []
    at = _action(names, part) if part else None
    weights = {}
    for name, entry in hands.items():
        weight = _field(entry, "weight", (int, float), "HRC")
        played = 1.0 if at is None else _frequency(_field(entry, "played", list, "HRC"), at, name)
        weights[name] = float(weight) * played
    return _by_name(weights)


def _action_name(action: object) -> str:
    amount = action.get("amount") if isinstance(action, Mapping) else None
    kind = action.get("type") if isinstance(action, Mapping) else None
    return f"{kind} {amount}" if amount else str(kind)


def _read_texas(text: str, part: str) -> Range:
    if not _is_json(text):
        ranges = {player.lower(): rest for player, rest in TEXAS_LINE.findall(text)}
        if ranges:
            return parse_range(_chosen(ranges, part))
        return _read_text(text, part)
    node, steps = _json(text), [step.strip() for step in part.split("/")] if part else [""]
    for step in steps[:-1]:
        key = "dealcards" if isinstance(node, Mapping) and "dealcards" in node else "childrens"
        below = _field(node, key, dict, "TexasSolver")
        node = below.get(_named(list(below), step))
    strategy = _field(node, "strategy", dict, "TexasSolver")
    rows, actions = _field(strategy, "strategy", dict, "TexasSolver"), _field(strategy, "actions", list, "TexasSolver")
    if not steps[-1]:
        return _by_name(dict.fromkeys(rows, 1.0))
    at = _action([str(action) for action in actions], steps[-1])
    return _by_name({hand: _frequency(row, at, hand) for hand, row in rows.items()})


def _read_postflop(text: str, part: str) -> Range:
    ranges = {}
    for item in postflop_items(text):
        if isinstance(item.value, str):
            ranges[item.name] = item.value
    if not ranges:
        raise UserError("this file of wasm-postflop has no ranges: write its configurations with --write spot")
    return parse_range(_chosen(ranges, part))


class PostflopItem(NamedTuple):
    """An entry of wasm-postflop's exports."""

    name: str
    value: Any


def postflop_items(text: str) -> Iterator[PostflopItem]:
    """The ranges or configurations in an export of wasm-postflop, without its groups."""
    content = _json(text)
    for item in content if isinstance(content, list) else [content]:
        path = item.get("path") if isinstance(item, Mapping) else None
        if not isinstance(path, list) or "isGroup" not in item:
            raise UserError("this is not an export of wasm-postflop: it is a list of entries with a path each")
        if not item["isGroup"]:
            yield PostflopItem("/".join(map(str, path)), item.get("value"))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error).split(":")[0]
        raise UserError(f"this is not JSON that can be read ({reason}): export it again") from None


def _field(content: object, key: str, kind: type | tuple[type, ...], program: str) -> Any:
    value = content.get(key) if isinstance(content, Mapping) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise UserError(f"this is not an export of {program}: '{key}' is missing, or not what it should be")
    return value


def _frequency(row: object, at: int, hand: str) -> float:
    share = row[at] if isinstance(row, list) and at < len(row) else None
    if not isinstance(share, int | float) or isinstance(share, bool):
        raise UserError(f"the strategy of {quoted(hand)} has no number for each action: export it again")
    return float(share)


def _by_name(weights: Mapping[str, float]) -> Range:
    """A range from classes or hands by name."""
    out = np.zeros(COMBOS)
    for name, weight in weights.items():
        if not HAND.fullmatch(name):
            raise UserError(f"{quoted(name)} is neither a class of hands, such as AKs, nor a hand, such as AsKh")
        if not 0.0 <= weight <= 1.0 + 1e-6:
            raise UserError(f"{quoted(name)} has the weight {weight:g}: weights lie between 0 and 1")
        if weight > 0.0:
            out = np.maximum(out, min(weight, 1.0) * parse_range(name).weights)
    return _range(out)


def _range(weights: np.ndarray) -> Range:
    return Range("holdem", weights)


def _no_part(part: str) -> None:
    if part:
        raise UserError(f"this text is one range, without a part {quoted(part)}: leave the part out")


def _chosen(ranges: Mapping[str, str], part: str) -> str:
    if not part and len(ranges) == 1:
        return next(iter(ranges.values()))
    return ranges[_named(list(ranges), part)]


def _named(names: list[str], part: str) -> str:
    """The name that is meant, whatever its case."""
    for name in names:
        if name.lower() == part.lower():
            return name
    shown = ", ".join(names[:LONGEST]) + (" and more" if len(names) > LONGEST else "")
    mistake = f"there is no part {quoted(part)}" if part else "this has several parts"
    raise UserError(f"{mistake}: choose one with --part: {shown or 'none'}")


def _action(names: list[str], part: str) -> int:
    """The number of an action, by its whole name or its first word where that is enough."""
    first = [at for at, name in enumerate(names) if name.split(" ")[0].lower() == part.lower()]
    return first[0] if len(first) == 1 else names.index(_named(names, part))


# writing


def _write_list(hands: Range) -> str:
    """Every class whose hands have one weight, else its hands one by one."""
    return ",".join(f"{name}{'' if units == UNIT else f':{units / UNIT:g}'}" for name, units in _tokens(hands))


def _tokens(hands: Range, suits: bool = True) -> Iterator[tuple[str, int]]:
    """Names and weights, the classes in the order of the chart."""
    kind, units = holdem_class_of_combo(), hands.units
    for number in range(169):
        members = np.flatnonzero(kind == number)
        if len(set(units[members].tolist())) == 1:
            if units[members[0]]:
                yield holdem_class_name(number), int(units[members[0]])
        elif suits:
            for combo in members[::-1].tolist():
                if units[combo]:
                    low, high = holdem_combos()[combo].tolist()
                    yield card_name(high) + card_name(low), int(units[combo])
        else:
            name = holdem_class_name(number)
            raise UserError(f"the hands of {name} have different weights, which this format cannot write: take list")


def _write_pio(hands: Range) -> str:
    return " ".join(f"{weight:g}" for weight in (hands.units / UNIT).tolist())


def _write_gto(hands: Range) -> str:
    groups: dict[int, list[str]] = {}
    for name, units in _tokens(hands):
        groups.setdefault(units, []).append(name)
    parts = []
    for units, names in sorted(groups.items(), reverse=True):
        tag = f"{100 * units / UNIT:g}"
        parts.append(",".join(names) if units == UNIT else f"[{tag}]{','.join(names)}[/{tag}]")
    return ",".join(parts)


def _write_hrc(hands: Range) -> str:
    if any(units != UNIT for _, units in _tokens(hands, suits=False)):
        raise UserError("HRC's text has no weights: take list, or a range without weights")
    text = range_text(hands).replace(",", " ")
    return f"{100.0 * hands.share:.2f}%, {text}"


def _write_texas(hands: Range) -> str:
    return ",".join(f"{name}{'' if units == UNIT else f':{units / UNIT:g}'}" for name, units in _tokens(hands, False))


def _write_postflop(hands: Range) -> str:
    return json.dumps([{"path": ["headsup"], "isGroup": False, "value": _write_list(hands)}])


READERS: dict[str, Callable[[str, str], Range]] = {
    "headsup": _read_text,
    "list": _read_text,
    "pio": _read_pio,
    "gto+": _read_gto,
    "hrc": _read_hrc,
    "texassolver": _read_texas,
    "wasm-postflop": _read_postflop,
}
WRITERS: dict[str, Callable[[Range], str]] = {
    "headsup": range_text,
    "list": _write_list,
    "pio": _write_pio,
    "gto+": _write_gto,
    "hrc": _write_hrc,
    "texassolver": _write_texas,
    "wasm-postflop": _write_postflop,
}
