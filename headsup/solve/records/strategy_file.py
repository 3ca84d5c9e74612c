"""Strategies in files that people hand to `headsup measure`: saved solutions, or JSON.

JSON is {"game": NAME, "strategy": [{SET: {ACTION: SHARE}}, {...}]}, one entry a player, as `headsup solve --json`
prints it; `content` and `source` may say which file of a game it is of.
"""

from __future__ import annotations

import json
import zipfile
from typing import Any

from headsup.common import contents
from headsup.common.checks import quoted
from headsup.common.errors import DataError, UserError
from headsup.common.files import MOST_ARCHIVE, opened, read_text
from headsup.games import Profile, SequenceForm
from headsup.solve.records.solution import Solution


def read_strategy(path: str) -> tuple[Any, tuple[str, str, str | None]]:
    """The strategy, and what the file says of its game: name, checksum and text."""
    with opened(path, MOST_ARCHIVE) as file:
        archive = file.read(2) == b"PK" or zipfile.is_zipfile(file)
    if archive:
        solution = Solution.load(path, regrets=False)
        return solution, (solution.game, solution.content, solution.source)
    try:
        data = json.loads(read_text(path), object_pairs_hook=_no_twins)
        if isinstance(data, dict) and "strategy_left_out" in data:
            raise UserError(f"has no strategy in it: {data['strategy_left_out']}")
        name, tables = contents.text(data["game"], "the game"), contents.items(data["strategy"], "the strategy")
        content, source = data.get("content", ""), data.get("source")
        if not isinstance(content, str) or not isinstance(source, str | None):
            raise UserError("has a 'content' or a 'source' that is no text: leave both out")
    except DataError:
        raise DataError(f"'{path}' is neither a solution file nor JSON with a 'game' and a 'strategy'") from None
    except UserError as error:
        raise DataError(f"'{path}' {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"'{path}' is neither a solution file nor JSON with a 'game' and a 'strategy'") from None
    return tables, (name, content, source)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; of two values under one name the first would be lost without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise UserError(f"has '{quoted(twice)[1:-1]}' twice in one object: leave one of them out")
    return found


def from_tables(form: SequenceForm, tables: list[Any]) -> Profile:
    """The strategies of both players from the tables of a JSON file."""
    if len(tables) != 2 or not all(isinstance(table, dict) for table in tables):
        raise UserError("the strategy in a JSON file is a list of two objects, one for each player")
    try:
        return form.seats[0].from_table(tables[0]), form.seats[1].from_table(tables[1])
    except (TypeError, AttributeError):
        raise UserError("the strategy in a JSON file maps information sets to actions to probabilities") from None
