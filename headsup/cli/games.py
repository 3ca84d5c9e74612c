"""`headsup games`: the games that can be solved by name, their parameters, and how big they are."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json

if TYPE_CHECKING:
    from headsup.games import VectorGame

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
    found = {"games": _list()} if args.game is None else _look(args.game, args.efg)
    if args.json:
        print(json.dumps(found))
        return 0
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
    return 0


def _list() -> list[dict[str, Any]]:
    from headsup.games.catalogue import GAMES, parameters

    return [
        {"name": name, "about": " ".join((build.__doc__ or "").split()), "params": parameters(name)}
        for name, build in GAMES.items()
    ]


def _look(text: str, efg: str | None) -> dict[str, Any]:
    from headsup.files import writable_apart
    from headsup.games import VectorGame, flatten, game
    from headsup.games.efg import write_efg

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
    if efg:
        write_efg(chosen, efg)
        found["written"] = efg
    return found


def _factors(game: VectorGame, efg: str | None) -> dict[str, Any]:
    """A game of betting and boards, counted without building its boards; as a Gambit file only if it is small."""
    from headsup.solve.store import plan

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
    if efg:
        from headsup.games.efg import write_efg
        from headsup.games.flat import flat_game

        write_efg(flat_game(game), efg)
        found["written"] = efg
    return found
