"""The process that looks for few bet sizes: `python -m headsup.web.study.simplify_worker FOLDER`."""

import json
import sys
from pathlib import Path

from headsup.common.files import read_json, write_json
from headsup.common.progress import Progress, on_compile
from headsup.web.jobs import mark_of
from headsup.web.study.worker import main, save, tell


def search(folder: Path) -> int:
    """Search until the time limit, or until asked to stop."""
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
    drawn = simplify.cost_chart(curve)
    summary = {
        "job": mark_of(folder),
        "told": simplify.told_sizes(curve),
        "dense": curve[0].dense.menu_text,
        "dense_share": curve[0].exploitability_pot,
        "picture": drawn,
        "names": drawn.names,
        "rows": drawn.rows,
    }
    save(folder, lambda: write_json(folder / "summary.json", summary))
    state = {"state": "stopped" if curve[0].stopped else "done", "message": ""}
    save(folder, lambda: write_json(folder / "state.json", state))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), search))
