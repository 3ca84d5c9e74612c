"""`python -m headsup` is the same as the `headsup` command."""

import sys

from headsup.cli import main

if __name__ == "__main__":
    sys.exit(main())
