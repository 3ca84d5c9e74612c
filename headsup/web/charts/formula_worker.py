"""The process that searches for a flop formula: `python -m headsup.web.charts.formula_worker FOLDER`."""

import json
import sys
from pathlib import Path

from headsup.common.files import read_json
from headsup.common.progress import on_compile
from headsup.web.study.worker import end_search, main, tell


def search(folder: Path) -> int:
    """Search until the time limit, or until asked to stop."""
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


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), search))
