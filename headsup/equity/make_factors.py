"""Compute the tables of `headsup.equity.preflop` anew and write the file that ships: seconds of work.

python -m headsup.equity.make_factors
"""

from __future__ import annotations

from headsup.equity.preflop import DATA, packed
from headsup.equity.preflop_kernels import compute_factors
from headsup.files import write_archive


def main() -> None:
    """Write the file."""
    write_archive(DATA, packed(*compute_factors()), squeeze=True)
    print(f"wrote {DATA.name}: {DATA.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
