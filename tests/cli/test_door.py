"""Everyday answers do not wait for the compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EVERYDAY = [
    "equity AhKh QcQd",
    "equity QQ+,AKs A2s+,KTo+",
    "equity QQ+,AKs A2s+,KTo+ --board Ks7d2c --dead Kh",
    "equity AhKh QcQd --dead As2c",
    "equity AsQsAdJd 5h4s3c2h --game omaha8",
    "equity AsQsAdJd 5h4s3c2h --game omaha8 --board Ks7d2c",
    "range 22+,A2s+,KTo+",
    "rank 9s9h --board 9d7c7s2h",
    "jamfold --stack 10 --hand 63s",
    "jamfold --stack 3320 --opponent-stack 9000 --blinds 200/400 --seat bb --hand K7o",
    "jamfold --game omaha8 --stack 10 --hand AsKsQsJs",
    "preflop --stack 10",
    "preflop --stack 10 --line call --hand A5s",
    "preflop --stack 10 --line call,check --json",
    "rule sage K7o --stack 8 --seat bb --explain",
    "rule card QsJs5h4d --stack 10 --seat bb",
    "rule card K7o --stack 8 --explain",
    "rule oracle AsTh9d9c --stack 8 --explain",
    "rule oracle --price",
    "rule hutchison AsKsQhJh --stack 5",
    "distil --game omaha8 --rules 4",
]
PROGRAM = """
import shlex, sys
from headsup.cli import main
for line in sys.stdin.read().splitlines():
    assert main(shlex.split(line)) == 0, line
    assert "numba" not in sys.modules, line
"""


def test_everyday_answers_load_no_compiler(tmp_path: Path) -> None:
    env = os.environ | {"HEADSUP_CACHE": str(tmp_path)}  # as after installation: nothing is there yet
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input="\n".join(EVERYDAY), env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
