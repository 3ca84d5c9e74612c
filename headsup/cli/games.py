"""`headsup games`: the games that can be solved by name, their parameters, and how big they are."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, refuse
from headsup.cli.streams import trouble_in
from headsup.common.display import json_line

if TYPE_CHECKING:
    from headsup.common.errors import DataError
    from headsup.games import Game, VectorGame

HELP = (
    """List the games that can be solved by name; with GAME, count its tree and write it as a Gambit file if asked."""
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game's name, name:key=value,..., or an .efg file")
    parser.add_argument("--efg", metavar="FILE", help="write the game as a Gambit .efg file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """List all games, or look at one."""
    if args.game is None:
        refuse(args, ("efg",), "writes one game: name it, as in  headsup games kuhn --efg kuhn.efg")
    trouble = None
    if args.game is None:
        found: dict[str, Any] = {"games": _list()}
    else:
        found, trouble = _look(args.game, args.efg)
    if args.json:
        print(json_line(found))
    else:
        _print(args, found)
    if trouble is not None:
        raise trouble
    return 0


def _print(args: argparse.Namespace, found: dict[str, Any]) -> None:
    from rich.text import Text

    from headsup.cli.console import make_console, make_facts

    console = make_console()
    table = make_facts()
    if args.game is None:
        for one in found["games"]:
            params = ", ".join(f"{key}={value}" for key, value in one["params"].items())
            table.add_row(one["name"], Text.assemble(one["about"], (f" ({params})" if params else "", "dim")))
    else:
        for key, value in found.items():
            text = " and ".join(f"{v:,}" for v in value) if isinstance(value, list) else value
            table.add_row(key.replace("_", " "), f"{text:,}" if isinstance(text, int) else str(text))
    console.print(table)


def _list() -> list[dict[str, Any]]:
    from headsup.games.catalogue.names import GAMES, parameters

    return [
        {"name": name, "about": " ".join((build.__doc__ or "").split()), "params": parameters(name)}
        for name, build in GAMES.items()
    ]


def _look(text: str, efg: str | None) -> tuple[dict[str, Any], DataError | None]:
    """The counts of a game, and what went wrong with its Gambit file."""
    from headsup.common.files import writable_apart
    from headsup.games import VectorGame, flatten, game

    writable_apart(("--efg", efg), keep=text if text.endswith(".efg") else None)
    chosen = game(text)
    if isinstance(chosen, VectorGame):
        return _factors(chosen, efg)
    tree = flatten(chosen)
    form = tree.sequence_form()
    found: dict[str, Any] = {
        "game": str(chosen),
        "nodes": tree.n_nodes,
        "bytes": tree.nbytes,
        "information_sets": [seat.n_infosets for seat in form.seats],
        "sequences": [seat.n_sequences for seat in form.seats],
        "payoffs": len(form.seats[0].payoff),
    }
    return _written(found, chosen, efg)


def _written(found: dict[str, Any], game: Game, efg: str | None) -> tuple[dict[str, Any], DataError | None]:
    from headsup.games.trees.efg import write_efg

    trouble = trouble_in(lambda: write_efg(game, efg)) if efg is not None else None
    return found | ({"written": efg} if efg is not None and trouble is None else {}), trouble


def _factors(game: VectorGame, efg: str | None) -> tuple[dict[str, Any], DataError | None]:
    """A game of betting and boards, counted without building its boards; as a Gambit file only if it is small."""
    from headsup.solve.holdem.store import plan

    boards = game.boards.sizes()
    found: dict[str, Any] = {
        "game": game.name,
        "decisions": game.betting.decisions(),
        "nodes": game.betting.n_nodes,
        "boards": boards,
        "boards_in_all": game.boards.totals(),
        "hands": list(game.showdown.sizes),
        "information_sets": list(game.infosets()),
        "solver_bytes": plan(game).total,
    }
    if efg is None:
        return found, None
    from headsup.games.catalogue.flat import flat_game

    return _written(found, flat_game(game), efg)
