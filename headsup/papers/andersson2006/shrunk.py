"""Prior work: GameShrink on Rhode Island hold'em, in counts beside the published ones, and what each way loses.

    python -m headsup.papers.andersson2006.shrunk

The classes of cards do not depend on the number of raises, so they are counted with one.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headsup.abstraction.merging.shrink import card_classes, shrink
from headsup.common.display import json_line
from headsup.common.errors import plainly
from headsup.games.catalogue.names import game, rhode_island_poker
from headsup.games.holdem.vector import VectorGame
from headsup.games.trees.publictree import public_tree
from headsup.measure.measurement import of_plans
from headsup.papers.section import Rows, Section, stored, written
from headsup.solve.small.lp import sequence_lp

STORED = Path(__file__).parent / "data" / "shrunk.json"
PUBLISHED = (
    13,
    205,
    1774,
)  # Gilpin and Sandholm, "Expectation-based versus potential-aware automated abstraction", 2008
PUBLISHED_ROWS = 1_237_238  # the same, "Lossless abstraction of imperfect information games", 2007
WHOLE = (52, 52 * 51, 52 * 51 * 50)
EXACT = 1e-9  # chips
DECKS = ((3, 2), (3, 3), (4, 2))  # ranks and suits of decks whose whole games are solved, with one raise a round


def program_rows(classes: Sequence[int]) -> int:
    """Rows of the linear program of Rhode Island hold'em: sequences, information sets and two for the empty ones."""
    played = game("rhode-island")
    assert isinstance(played, VectorGame)
    betting, rows = played.betting, 2
    for street, count in enumerate(classes):
        mine = (betting.player == 0) & (betting.street == street)
        rows += count * int(mine.sum() + betting.count[mine].sum())
    return rows


def counted(ranks: int = 13, suits: int = 4) -> dict[str, Any]:
    """The classes of a deck, without loss and by records."""
    tree = public_tree(rhode_island_poker(ranks, suits, 1))
    return {
        "ranks": ranks,
        "suits": suits,
        "lossless": card_classes(tree).counts(),
        "records": card_classes(tree, records=True).counts(),
    }


def solved(ranks: int, suits: int) -> dict[str, Any]:
    """The values of both shrunken games by linear programs, and what their equilibria lose in the whole game.

    Where one loses nothing its value there is that of the whole game.
    """
    tree = public_tree(rhode_island_poker(ranks, suits, 1))
    whole = tree.sequence_form()
    figures = counted(ranks, suits) | {"sets": len(tree.parents[0])}
    for name, records in (("lossless", False), ("records", True)):
        merged = shrink(tree, records)
        form = merged.tree.sequence_form()
        value, plans = sequence_lp(form)
        lifted = of_plans(whole, whole.plans(merged.lift(form.behaviours(plans))))
        if lifted.exploitability < EXACT:
            figures["value"] = lifted.value
        figures |= {f"sets_{name}": form.seats[0].n_infosets, f"value_{name}": value}
        figures[f"exploitability_{name}"] = max(0.0, lifted.exploitability)
    return figures


def shrunk() -> list[Section]:
    known = stored(STORED)
    rows: Rows = []
    ways = (("whole", WHOLE), ("lossless", known["full"]["lossless"]), ("records", known["full"]["records"]))
    names = {"whole": "no merging", "lossless": "`shrink`, lossless", "records": "`shrink(records=True)`"}
    for way, counts in ways:
        paper = {"whole": "91,224,226 rows", "records": f"{PUBLISHED}: {PUBLISHED_ROWS:,} rows"}.get(way, "")
        rows.append((names[way], *(f"{count:,}" for count in counts), f"{program_rows(counts):,}", paper))
    losses: Rows = []
    for deck in known["decks"]:
        name = f"{deck['ranks']} ranks, {deck['suits']} suits"
        losses.append((name, "no merging", f"{deck['sets']:,}", f"{deck['value']:.6f}", "0"))
        for way in ("lossless", "records"):
            value, lost = deck[f"value_{way}"], deck[f"exploitability_{way}"]
            losses.append(("", names[way], f"{deck[f'sets_{way}']:,}", f"{value:.6f}", f"{lost:.6f}"))
    return [written(__file__, "shrunk", rows), written(__file__, "shrunk-lost", losses)]


def main(given: Sequence[str] | None = None) -> None:
    argparse.ArgumentParser(description="Counts of shrunken Rhode Island hold'em, as JSON.").parse_args(given)
    decks = [solved(ranks, suits) for ranks, suits in DECKS]
    print(json_line({"full": counted(), "decks": decks}, indent=1))


if __name__ == "__main__":
    plainly(main)
