"""`headsup games`: the games that can be solved, their parameters and sizes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, print_answer, refuse, trouble_in

if TYPE_CHECKING:
    from headsup.common.errors import DataError
    from headsup.games import Game, VectorGame

HELP = "List the games that can be solved; with GAME, print the size of its tree or export it to Gambit."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game's name, name:key=value,..., or an .efg file")
    parser.add_argument("--efg", metavar="FILE", help="write the game as a Gambit .efg file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.game is None:
        refuse(args, ("efg",), "writes one game: name it, as in  headsup games kuhn --efg kuhn.efg")
    trouble = None
    if args.game is None:
        answer: dict[str, Any] = {"games": _list()}
    else:
        answer, trouble = _look(args.game, args.efg)
    return print_answer(args, lambda: answer, lambda console: _print(console, args, answer), trouble)


def _print(console: Any, args: argparse.Namespace, answer: dict[str, Any]) -> None:
    from rich.text import Text

    from headsup.cli.console import make_facts

    table = make_facts()
    if args.game is None:
        for game in answer["games"]:
            params = ", ".join(f"{key}={value}" for key, value in game["params"].items())
            table.add_row(game["name"], Text.assemble(game["about"], (f" ({params})" if params else "", "dim")))
    else:
        for key, value in answer.items():
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
    from headsup.common.files import writable_apart
    from headsup.games import VectorGame, flatten, game

    writable_apart(("--efg", efg), keep=text if text.endswith(".efg") else None)
    chosen = game(text)
    if isinstance(chosen, VectorGame):
        return _factors(chosen, efg)
    tree = flatten(chosen)
    form = tree.sequence_form()
    sizes: dict[str, Any] = {
        "game": str(chosen),
        "nodes": tree.n_nodes,
        "bytes": tree.nbytes,
        "information_sets": [seat.n_infosets for seat in form.seats],
        "sequences": [seat.n_sequences for seat in form.seats],
        "payoffs": len(form.seats[0].payoff),
    }
    return _written(sizes, chosen, efg)


def _written(sizes: dict[str, Any], game: Game, efg: str | None) -> tuple[dict[str, Any], DataError | None]:
    from headsup.games.trees.efg import write_efg

    trouble = trouble_in(lambda: write_efg(game, efg)) if efg is not None else None
    return sizes | ({"written": efg} if efg is not None and trouble is None else {}), trouble


def _factors(game: VectorGame, efg: str | None) -> tuple[dict[str, Any], DataError | None]:
    """A hold'em game, counted without building its boards; exported only if it is small."""
    from headsup.solve.holdem.store import plan

    boards = game.boards.sizes()
    sizes: dict[str, Any] = {
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
        return sizes, None
    from headsup.games.catalogue.flat import flat_game

    return _written(sizes, flat_game(game), efg)
