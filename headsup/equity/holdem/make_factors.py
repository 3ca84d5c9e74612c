"""Compute the shipped tables of `headsup.equity.holdem.preflop` again: seconds of work.

python -m headsup.equity.holdem.make_factors
"""

from headsup.common.archives import write_archive
from headsup.equity.holdem.preflop import DATA, packed
from headsup.equity.holdem.preflop_kernels import compute_factors


def main() -> None:
    write_archive(DATA, packed(*compute_factors()), squeeze=True)
    print(f"wrote {DATA.name}: {DATA.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
