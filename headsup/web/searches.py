"""The process that searches for something: `python -m headsup.web.searches formula|sizes FOLDER`."""

import json
import sys
from pathlib import Path

from headsup.common.files import read_json
from headsup.common.progress import Progress, on_compile
from headsup.web.study.worker import end_search, main, tell


def search_formula(folder: Path) -> int:
    """Search for a flop formula until the time limit, or until asked to stop."""
    tell(folder, "running", "Loading.")
    from headsup.common.stop import until_stopped
    from headsup.distil.formulas.formula import flop_formula, picture
    from headsup.web.charts.formulas import told_of

    ask = read_json(folder / "job.json")
    question = json.loads(ask["spot"])

    def compiling(busy: bool) -> None:
        tell(folder, "running", "Compiling for the first use; this takes up to two minutes." if busy else "Searching.")

    with on_compile(compiling), until_stopped() as stop:
        tell(folder, "running", "Searching.")
        formula = flop_formula(
            question["hand"], question["villain"], features=question["features"], seconds=ask["seconds"]
        )
    return end_search(folder, picture(formula), stop.asked(), told=told_of(formula))


def search_sizes(folder: Path) -> int:
    """Search for few bet sizes until the time limit, or until asked to stop."""
    tell(folder, "running", "Loading.")
    from headsup.games.holdem.spot import Spot
    from headsup.spots.sizes import size_curve
    from headsup.web.study import simplify

    ask = read_json(folder / "job.json")
    spot = Spot.parse(json.loads(ask["spot"])["spot"])

    def compiling(busy: bool) -> None:
        if busy:
            tell(folder, "running", "Compiling for the first use; this takes up to a minute.")

    def progress(step: Progress) -> None:
        tell(folder, "running", f"{step.text[:1].upper()}{step.text[1:]}.")

    with on_compile(compiling):
        curve = size_curve(spot, simplify.COUNTS, seconds=ask["seconds"], progress=progress)
    dense = {"dense": curve[0].dense.menu_text, "dense_share": curve[0].exploitability_pot}
    return end_search(folder, simplify.cost_chart(curve), curve[0].stopped, told=simplify.told_sizes(curve), **dense)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[2]), {"formula": search_formula, "sizes": search_sizes}[sys.argv[1]]))
