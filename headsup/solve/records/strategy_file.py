"""Strategies in files for `headsup measure`: saved solutions, or JSON.

JSON is {"game": NAME, "strategy": [{SET: {ACTION: PROBABILITY}}, {...}]}, one entry a player, as `headsup solve --json`
prints it; `content` and `source` may identify the game's file.
"""

import json
import zipfile
from dataclasses import dataclass
from typing import Any

from headsup.abstraction.bets.capped import translated
from headsup.common import contents
from headsup.common.checks import quoted
from headsup.common.errors import DataError, UserError
from headsup.common.files import MOST_ARCHIVE, about_file, opened, read_text
from headsup.games import Profile, SequenceForm, VectorGame, game, sequence_form
from headsup.games.holdem.vector import ArrayStrategy, Strategy
from headsup.solve.records.solution import Solution, solved_game, vector_game


@dataclass(frozen=True)
class StrategyFile:
    """A strategy and what its file states of the game."""

    path: str
    strategy: Any  # a solution, or the two tables of a JSON file
    game: str
    content: str = ""
    source: str | None = None

    @property
    def by_bucket(self) -> bool:
        return isinstance(self.strategy, Solution) and self.strategy.buckets is not None

    def placed(
        self, name: str | None = None, translation: str | None = None
    ) -> tuple[SequenceForm | VectorGame, Profile | Strategy]:
        """The game to measure it in (its own, or the one of this name), and the strategy there.

        With a translation it is a strategy of its own game, played in the named game with more bets.
        """
        if translation is not None:
            assert name is not None
            return self._translated(name, translation)
        if name is None:
            with about_file(self.path):
                played = solved_game(self.game, self.content, self.source)
        else:
            played = game(name)
        if self.by_bucket:
            form = vector_game(played)
            return form, self._in_game(form)
        given = self.strategy.strategy if isinstance(self.strategy, Solution) else self.strategy
        if isinstance(played, VectorGame) and isinstance(given, tuple) and ArrayStrategy.fits(played, given):
            return played, given
        flat = sequence_form(played)
        with about_file(self.path):
            return flat, given if isinstance(given, tuple) else from_tables(flat, given)

    def _translated(self, name: str, method: str) -> tuple[VectorGame, Strategy]:
        with about_file(self.path):
            small = solved_game(self.game, self.content, self.source)
        played = game(name)
        if isinstance(small, VectorGame) and self.content not in ("", small.checksum):
            raise UserError(f"'{self.path}' is of another game than the one that is called {small} now: solve it again")
        if (
            not isinstance(played, VectorGame)
            or not isinstance(small, VectorGame)
            or not isinstance(self.strategy, Solution)
        ):
            raise UserError(
                "--translation is for games of betting and boards, such as holdem-nolimit, solved by CFR and saved "
                "(--save)"
            )
        return played, translated(played, small, self.strategy.in_game(small), method)

    def _in_game(self, form: VectorGame) -> Strategy:
        """The strategy by bucket in a game, or one sentence that names the game that it is of."""
        solution = self.strategy
        assert isinstance(solution, Solution)
        try:
            return solution.in_game(form)
        except UserError:
            if not solution.content or solution.content == form.checksum:
                raise
        raise UserError(
            f"'{self.path}' is of {solution.game}, not of {form}: name that game, or one that differs in having more "
            "raises alone, with --translation call or copy"
        )


def read_strategy(path: str) -> StrategyFile:
    """Read a strategy and the name, checksum and text of its game."""
    with opened(path, MOST_ARCHIVE) as file:
        archive = file.read(2) == b"PK" or zipfile.is_zipfile(file)
    if archive:
        solution = Solution.load(path, regrets=False)
        return StrategyFile(path, solution, solution.game, solution.content, solution.source)
    try:
        data = json.loads(read_text(path), object_pairs_hook=_no_twins)
        if isinstance(data, dict) and "strategy_left_out" in data:
            raise UserError(f"has no strategy in it: {data['strategy_left_out']}")
        name, tables = contents.text(data["game"], "the game"), contents.items(data["strategy"], "the strategy")
        content, source = data.get("content", ""), data.get("source")
        if not isinstance(content, str) or not isinstance(source, str | None):
            raise UserError("has a 'content' or a 'source' that is no text: leave both out")
    except UserError as error:
        if not isinstance(error, DataError):
            raise DataError(f"'{path}' {error}") from None
        raise DataError(f"'{path}' is neither a solution file nor JSON with a 'game' and a 'strategy'") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"'{path}' is neither a solution file nor JSON with a 'game' and a 'strategy'") from None
    return StrategyFile(path, tables, name, content, source)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a name that is used twice would silently lose its first value."""
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise UserError(f"has '{quoted(twice)[1:-1]}' twice in one object: leave one of them out")
    return members


def from_tables(form: SequenceForm, tables: list[Any]) -> Profile:
    """The strategies of both players from the tables of a JSON file."""
    if len(tables) != 2 or not all(isinstance(table, dict) for table in tables):
        raise UserError("the strategy in a JSON file is a list of two objects, one for each player")
    try:
        return form.seats[0].from_table(tables[0]), form.seats[1].from_table(tables[1])
    except (TypeError, AttributeError):
        raise UserError("the strategy in a JSON file maps information sets to actions to probabilities") from None
