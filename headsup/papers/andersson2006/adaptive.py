"""Opponent modelling within safe bounds (chapters 2 and 5.1.1): gains from weak agents and the exact worst case.

    python -m headsup.papers.andersson2006.adaptive

Jam or fold at 10 big blinds, where exploitability is exact. The gains from an opponent whose frequencies are known are
exact too; those of whole matches, in which they are learned from nothing every 1,000 hands, have intervals.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.display import json_line
from headsup.common.errors import plainly
from headsup.papers.section import Rows, Section, stored, written
from headsup.play.agents.adaptive import safe_chart, solved_game
from headsup.play.agents.chart import jam_probabilities
from headsup.play.arena.match import Match, play
from headsup.play.table.agent import make_agent
from headsup.play.table.rules import table

STORED = Path(__file__).parent / "data" / "adaptive.json"
STACK = 10
RISKS = (20.0, 100.0)  # mbb per game
OPPONENTS = ("allin", "folder", "chart:80,60", "chart:30,20", "chart:40,60", "sklansky", "jamfold")
HANDS = 20_000


def known_opponent(name: str) -> dict[str, float]:
    """What strategies win from an agent whose frequencies are known, in mbb per game, mean of both seats."""
    there = table("holdem-jamfold", STACK)
    agent, game = make_agent(name, there), solved_game(STACK)[0]
    jams, calls = (np.array(jam_probabilities(agent, there, opens)) for opens in (True, False))
    weights = np.asarray(game.class_probabilities)
    seen = [round(100.0 * float(weights @ plays)) for plays in (jams, calls)]

    def won(jam: Any, call: Any) -> float:
        first, second = game.certify(jam, calls).value_sb, -game.certify(jams, call).value_sb
        return 500.0 * (first + second)

    equilibrium = make_agent("jamfold", there)
    even = [np.array(jam_probabilities(equilibrium, there, opens)) for opens in (True, False)]
    figures = {"equilibrium": won(*even)}
    for risk in RISKS:
        chart = safe_chart(True, STACK, seen[1], risk), safe_chart(False, STACK, seen[0], risk)
        figures[f"{risk:g}"] = won(*chart)
    best = game.best_response("sb", calls).value, game.best_response("bb", jams).value
    return figures | {"best response": 500.0 * sum(best)}


def worst(risk: float) -> float:
    """The largest exploitability of any strategy that the agent may play, in mbb per game: 101 estimates per seat."""
    game, value, _, _ = solved_game(STACK)
    risks = []
    for percent in range(101):
        proof = game.certify(safe_chart(True, STACK, percent, risk), safe_chart(False, STACK, percent, risk))
        risks.append((value - proof.sure_sb, proof.most_sb - value))
    return 500.0 * float(np.max(risks, axis=0).sum())


def played(name: str, opponent: str) -> dict[str, Any]:
    """A match with learning: mbb per game with half the width of its 95 % interval."""
    match = Match(name, opponent, "holdem-jamfold", STACK, HANDS, seed=2026, duplicate=True, aivat=True)
    interval = play(match).interval
    return {"mbb": 1000.0 * interval.mean, "margin": 500.0 * (interval.high - interval.low)}


def adaptive() -> Section:
    rows: Rows = []
    known = stored(STORED)
    for opponent, figures in known["known"].items():
        cells = [f"{figures[name]:.1f}" for name in ("equilibrium", *(f"{risk:g}" for risk in RISKS), "best response")]
        match = known["matches"].get(opponent)
        rows.append((f"`{opponent}`", *cells, "" if match is None else f"{match['mbb']:.0f} ± {match['margin']:.0f}"))
    risks = (f"{known['worst'][f'{risk:g}']:.2f}" for risk in RISKS)
    rows.append(("worst case: exploitability", "0", *risks, "", ""))
    return written(__file__, "adaptive", rows)


def main(given: Sequence[str] | None = None) -> None:
    argparse.ArgumentParser(description="Opponent modelling in jam or fold, as JSON.").parse_args(given)
    figures = {
        "stack": STACK,
        "worst": {f"{risk:g}": worst(risk) for risk in RISKS},
        "known": {name: known_opponent(name) for name in OPPONENTS},
        "matches": {name: played(f"adaptive:{RISKS[-1]:g}", name) for name in OPPONENTS[:-1]},
    }
    print(json_line(figures, indent=1))


if __name__ == "__main__":
    plainly(main)
