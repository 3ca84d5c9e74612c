"""The front door of formulas is light."""

from __future__ import annotations

import subprocess
import sys


def test_the_front_door_is_light() -> None:
    program = (
        "import sys\nfrom headsup.distil import formulas\nassert 'headsup.distil.formulas.formula' not in sys.modules\n"
        "assert formulas.flop_formula.__name__ == 'flop_formula'\nassert formulas.Formula.__name__ == 'Formula'\n"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
