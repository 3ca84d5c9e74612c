"""How long a newcomer waits: everyday commands from nothing, and again.

Cold is the first call after installation: no compiled kernel, nothing in the user's cache folder; modules are there as
bytecode, as an installer leaves them. Warm is the same command once more. Seconds are those of the processor, user and
system, which other work on the machine changes less than those on the clock; the clock's are printed beside them.
"""

from __future__ import annotations

import compileall
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import headsup

COMMANDS = (
    "--version",
    "range 22+,A2s+,KTo+",
    "range 'AA$ds' --game omaha8",
    "rank 9s9h --board 9d7c7s2h",
    "equity AhKh QcQd",
    "equity QQ+,AKs A2s+,KTo+",
    "equity QQ+,AKs A2s+,KTo+ --board Ks7d2c --dead Kh",
    "equity AsQsAdJd 5h4s3c2h --game omaha8",
    "jamfold --stack 10",
    "jamfold --stack 10 --bb-ante 1 --hand 63s",
    "jamfold --game omaha8 --stack 10",
    "jamfold --game omaha8 --stack 10 --hand AsKsQsJs",
    "preflop --stack 10",
    "preflop --stack 10 --hand A5s",
    "rule oracle Qs9s6h6d --stack 7.5 --seat bb --explain",
    "rule card QsJs5h4d --stack 10 --seat bb",
    "rule hutchison8 AsKsQhJh --stack 5",
    "distil --game omaha8",
    "distil --game omaha8 --rules 4",
)
SLOW = ("equity random random --board Ks7d2c", "flop-formula AA ATC --error 2.5")
"""These need kernels: their first call waits for the compiler."""


def spent(command: str, env: dict[str, str]) -> tuple[float, float]:
    """Seconds of the processor and on the clock for one call."""
    words = [sys.executable, "-m", "headsup", *shlex.split(command)]
    before, began = os.times(), time.perf_counter()
    subprocess.run(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return used, time.perf_counter() - began


def run(quick: bool) -> None:
    """Each command from nothing and again; `quick` leaves out those that wait for the compiler."""
    print(f"{'':52} {'cold':>6} {'warm':>6} {'clock':>12}")
    compileall.compile_dir(Path(headsup.__file__).parent, quiet=1)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for command in COMMANDS + (() if quick else SLOW):
        with TemporaryDirectory() as folder:
            env |= {"NUMBA_CACHE_DIR": f"{folder}/kernels", "HEADSUP_CACHE": f"{folder}/cache"}
            cold = spent(command, env)
            warm = min(spent(command, env) for _ in range(1 if quick else 3))
        print(f"{command:52} {cold[0]:6.2f} {warm[0]:6.2f} {cold[1]:6.2f}{warm[1]:6.2f}")
