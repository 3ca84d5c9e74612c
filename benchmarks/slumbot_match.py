"""A duplicate match against slumbot2019 over the protocol of the ACPC, at 200 big blinds.

    export HEADSUP_SLUMBOT=~/slumbot2019
    python -m benchmarks.slumbot_match nolimit:blueprint --hands 20000 --out blueprint.jsonl
    python -m benchmarks.slumbot_match nolimit:cpu --hands 2000 --out cpu.jsonl
    python -m benchmarks.slumbot_match --add blueprint.jsonl cpu.jsonl

The folder holds its source, built (`bin/run_bot`), and in `runs/` its files of a trained strategy; `--strategy` names
them (docs/nolimit.md says how they were made). The program is started here and connects as a client of the ACPC. Every
deal is played twice, with the seats exchanged. A line of the file is a deal, so the same command resumes a match. Its
bets are taken to the nearest legal ones, as the dealer of the competition does. If its program ends, it is started
again, and the deal is left out and counted. Results are big blinds per hand for our agent, with 95 % CIs; AIVAT
corrects for the cards and for our agent's own choices.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.errors import UserError, plainly
from headsup.play.protocols.acpc.dealer import AcpcPlayer
from headsup.play.protocols.acpc.log import competition
from headsup.play.protocols.acpc.text import is_version
from headsup.play.protocols.host import TimeLimits
from headsup.play.protocols.wire import LOCAL, greet, listen
from headsup.play.statistics.aivat import aivat_chips, make_value
from headsup.play.statistics.interval import fixed
from headsup.play.table.agent import make_agent
from headsup.play.table.record import HandRecord
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, Action, PlayerView, TableHand

STRATEGY = "holdem_params hs_params deep_params ecfr_params 0"
"""Its game, card abstraction, betting abstraction and method, and the batch of iterations."""
STARTS = 600.0  # seconds until it has read its files
LOOKS = 30.0  # seconds between two looks whether its program has ended
PROGRAM = 1  # the player that is its program; ours is 0
FAULTS_IN_A_ROW = 5


class Slumbot(AcpcPlayer):
    """Its program, started here."""

    def __init__(self, folder: Path, strategy: list[str], hands: int) -> None:
        listener = listen()
        port = str(listener.getsockname()[1])
        command = [str(folder / "bin" / "run_bot"), *strategy, "0", LOCAL, port]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, cwd=folder / "runs", stdout=quiet, stderr=quiet)
        wire, deadline = None, time.monotonic() + STARTS
        while wire is None and self.process.poll() is None and time.monotonic() < deadline:
            wire = greet(listener, is_version, LOOKS)
        listener.close()
        if wire is None:
            self.process.kill()
            raise UserError(f"{' '.join(command)} does not connect: run it in {folder / 'runs'} and read its errors")
        super().__init__("slumbot2019", wire, TimeLimits(), hands)

    def read(self, line: str, view: PlayerView) -> Action | None:
        """Its action, made legal: the nearest bet, and a check instead of a fold where it is free."""
        action = super().read(line, view)
        if action is None or view.legal.allows(action):
            return action
        return view.legal.bet(action.amount) if action.kind == "r" else CALLS

    def close(self) -> None:
        super().close()
        self.process.kill()
        self.process.wait()


class Match:
    """Pairs of hands of one agent against its program."""

    def __init__(self, agent: str, folder: Path, strategy: list[str], seed: int) -> None:
        self.table, self.seed, self.folder, self.strategy = competition("holdem-nolimit"), seed, folder, strategy
        self.ours = make_agent(agent, self.table)
        self._seat()

    def _seat(self) -> None:
        self.program = Slumbot(self.folder, self.strategy, 1 << 20)
        self.referee = Referee((self.ours, self.program), self.seed)
        self.referee.watch, self.referee.score = self._show, self._score
        self.referee.start(self.table)

    def _show(self, hand: TableHand, number: int, dealer: int) -> None:
        if self.program.number != number:
            self.program.new_hand(number)
        self.program.show(hand, PROGRAM ^ dealer)

    def _score(self, record: HandRecord) -> None:
        dealer = record.number % 2
        agents = (self.ours, self.program) if dealer == 0 else (self.program, self.ours)
        chips = aivat_chips(record, agents, make_value(self.table, agents))
        self.corrected = chips if dealer == 0 else -chips

    def pair(self, number: int) -> dict[str, Any]:
        """A deal from both seats; `fault` is what ended it if a hand was forfeited."""
        raw, corrected = list[float](), list[float]()
        for dealer in (0, 1):
            deal = self.table.deal_number(self.seed, number)
            record = self.referee.play(self.table, deal, 2 * number + dealer, dealer)
            if record.faults:
                if self.referee.gone[PROGRAM]:
                    self.program.close()
                    self._seat()
                return {"pair": number, "fault": f"{record.faults[0].kind}: {record.faults[0].text}"}
            raw.append(record.chips[dealer] / self.table.unit)
            corrected.append(round(self.corrected / self.table.unit, 5))
        return {"pair": number, "bb": raw, "aivat": corrected}


def summary(agent: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Means and intervals of the deals without faults."""
    played = [line for line in lines if "fault" not in line]
    result: dict[str, Any] = {"agent": agent, "hands": 2 * len(played), "left_out": 2 * (len(lines) - len(played))}
    for key in ("bb", "aivat"):
        measured = fixed(np.array([sum(line[key]) / 2.0 for line in played]))
        result |= {f"{key}_per_hand": round(measured.mean, 4), f"{key}_interval": measured.bounds}
    return result


def play(agent: str, out: Path, hands: int, seed: int, strategy: str) -> None:
    """Play up to this many hands, with those that the file already has."""
    folder = os.environ.get("HEADSUP_SLUMBOT")
    if folder is None or not (Path(folder) / "bin" / "run_bot").exists():
        raise UserError("HEADSUP_SLUMBOT must name a folder with slumbot2019, built: bin/run_bot is missing")
    head = {"agent": agent, "seed": seed, "strategy": strategy}
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    if lines and lines[0] != head:
        raise UserError(f"{out} is the match {lines[0]}: choose another file, or the same options")
    number, began, match, faults = max(0, len(lines) - 1), time.monotonic(), None, 0
    with out.open("a") as file:
        if not lines:
            print(json.dumps(head), file=file, flush=True)
        while 2 * number < hands:
            match = match or Match(agent, Path(folder), strategy.split(), seed)
            line = match.pair(number)
            faults = faults + 1 if "fault" in line else 0
            if faults == FAULTS_IN_A_ROW:
                raise UserError(f"{faults} deals in a row ended by a fault, the last: {line['fault']}")
            print(json.dumps(line), file=file, flush=True)
            number += 1
            if number % 500 == 0:
                print(f"{2 * number:,} hands, {time.monotonic() - began:.0f} s", flush=True)
    if match is not None:
        match.program.close()


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="A duplicate match against slumbot2019 at 200 big blinds.")
    parser.add_argument("agent", nargs="?", default="nolimit:blueprint")
    parser.add_argument("--hands", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=2019)
    parser.add_argument("--strategy", default=STRATEGY, help=f"its parameter files and batch (default: {STRATEGY})")
    parser.add_argument("--out", type=Path, default=Path("slumbot.jsonl"), help="file of the deals; resumed if it exists")  # noqa: E501  # fmt: skip
    parser.add_argument("--add", type=Path, nargs="+", help="print the results of these files; no play")
    args = parser.parse_args()
    if not args.add:
        play(args.agent, args.out, args.hands, args.seed, args.strategy)
    deals: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in args.add or [args.out]:
        head, *lines = [json.loads(line) for line in path.read_text().splitlines()]
        deals[head["agent"]] += lines
    for agent, lines in deals.items():
        print(json.dumps(summary(agent, lines)))


if __name__ == "__main__":
    plainly(main)
