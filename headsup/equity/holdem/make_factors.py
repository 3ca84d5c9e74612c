"""Compute the tables of `headsup.equity.holdem.preflop` anew and write the file that ships: seconds of work.

python -m headsup.equity.holdem.make_factors
"""

from __future__ import annotations

from headsup.common.files import write_archive
from headsup.equity.holdem.preflop import DATA, packed
from headsup.equity.holdem.preflop_kernels import compute_factors


def main() -> None:
    """Write the file."""
    write_archive(DATA, packed(*compute_factors()), squeeze=True)
    print(f"wrote {DATA.name}: {DATA.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
