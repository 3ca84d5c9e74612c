"""Deal with the faults of `faulty`: `python -m headsup.papers.ectomynx.make_faulty` (three minutes of one core).

`make_faulty power` writes one file, `make_faulty duels` prints the report's hands against hands with both faults.
"""

import sys

from headsup.common.files import write_text
from headsup.discards.equity.deals import sample_swaps
from headsup.discards.equity.make import SEED, make
from headsup.discards.equity.table import table_text
from headsup.equity.question import read_question
from headsup.papers.ectomynx.faulty import FAULTS, FIGURES, faulty_tables, path_of
from headsup.papers.section import stored_rows

DEALS = {"straights": 500_000, "power": 500_000, "both": 1_000_000}
DUELS = 300_000


def duels() -> None:
    """Print the equities of the report's hands against hands with both faults."""
    for hands, *_ in stored_rows(FIGURES, "duels"):
        first, _, second = hands.split()[:3]
        question = read_question(first, second)
        win, tie, _ = (row[0] for row in sample_swaps(question, DUELS, SEED, tables=faulty_tables("both")))
        print(f"{first} against {second} {100 * (win + tie / 2) / DUELS:.2f} %", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or FAULTS:
        if name == "duels":
            duels()
        else:
            table = make(DEALS[name], SEED, faulty_tables(name))
            write_text(path_of(name), table_text(table, f"the report's rule (fault: {name})"))
