"""Swaps, the report's rule and bots on a reduced deck, where best responses are exact.

    python -m headsup.play.agents.discard_reduced OUT.json GAME [SECONDS [BOT ...]]

GAME is a `holdem-discard` of the catalogue. Reported are its size, its equilibrium, what a best response wins from the
report's rule, the cost of swapping by the rule with optimal betting, and the exploitability of bots: whole, and with
their swaps or bets replaced by the equilibrium's. A bot's bets become the nearest that the game has.
"""

import re
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headsup.cards.cards import parse_cards
from headsup.common.files import write_json
from headsup.discards.game import KEEP, Discard
from headsup.games.betting.rules import Betting, State
from headsup.games.catalogue.forms import flatten
from headsup.games.catalogue.names import game as named
from headsup.games.trees.sequence import SequenceForm
from headsup.measure import measure
from headsup.play.agents.discard_all_in import ReducedTable
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, PastAction, PlayerView, Table, apply
from headsup.solve import solve

Strategy = dict[str, dict[str, float]]
TARGET = 1e-5  # exploitability in chips at which solving stops early


def table_of(rules: Discard) -> Table:
    """The arena's table with the stacks and blinds of a reduced game."""
    real = rules.betting
    betting = Betting(first=(0, 1, 1, 1), stacks=real.stacks, blinds=real.blinds, antes=real.antes)
    return ReducedTable("holdem-discard", "holdem", betting, 2, (), rules.swaps, rules.deck, sum(rules.board))


def view_of(table: Table, seat: int, infoset: str) -> PlayerView:
    """What a player sees at an information set of a reduced game."""
    seen, public = infoset.split("|")
    hole = _hole(seen)
    streets = public.split("/")
    board = parse_cards("".join(streets[1::2])) if len(streets) > 1 else ()
    betting, state, steps = table.betting, table.root, list[PastAction]()
    swapping = False
    for street, text in enumerate(streets[::2]):
        if street:
            state = betting.next_street(state)
        swaps = re.match("[kd]{0,2}", text).group() if street in table.draws else ""  # type: ignore[union-attr]
        opener = betting.first[street]
        for turn, sign in enumerate(swaps):
            who = opener if turn == 0 else 1 - opener
            steps.append(PastAction(street, who, Action("d", -1) if sign == "d" else CALLS))
        swapping = street in table.draws and len(swaps) < 2
        for name in re.findall(r"f|c|a|r\d+", text[len(swaps) :]):
            action = _action(betting, state, name)
            steps.append(PastAction(street, state.player, action))
            state = apply(betting, state, action)
    legal = Legal(False, 0, discards=hole) if swapping else Legal.of(betting, state)
    return PlayerView(table, seat, hole, board, state, legal, tuple(steps))


def carried(bot: Mixed, rules: Discard, form: SequenceForm) -> tuple[Strategy, Strategy]:
    """A bot's strategy in both seats of a reduced game."""
    table = table_of(rules)
    strategies: tuple[Strategy, Strategy] = ({}, {})
    for seat, (labels, count) in enumerate((side.labels, side.n_infosets) for side in form.seats):
        known: dict[tuple[tuple[int, ...], str], dict[str, float]] = {}
        for i in range(count):
            infoset, names = labels.infoset(i), labels.actions(i)
            view = view_of(table, seat, infoset)
            key = view.hole, infoset.split("|")[1]
            if key not in known:  # bots forget their discards
                known[key] = _named(bot, view, names)
            strategies[seat][infoset] = known[key]
    return strategies


def replaced(strategy: tuple[Strategy, Strategy], better: tuple[Strategy, Strategy], swaps: bool) -> Any:
    """A strategy with the swaps, or with everything but the swaps, of another."""
    return tuple(
        {name: replacement[name] if (KEEP in row) == swaps else row for name, row in mine.items()}
        for mine, replacement in zip(strategy, better, strict=True)
    )


def _named(bot: Mixed, view: PlayerView, names: Sequence[str]) -> dict[str, float]:
    """A bot's probabilities by the game's action names."""
    probabilities = dict.fromkeys(names, 0.0)
    for action, probability in bot.probabilities(view):
        if view.legal.discards:
            name = KEEP if action.kind == "c" else next(n for n in names if n != KEEP and _card(n) == action.amount)
        else:
            bets = [n for n in names if n[0] in "ra"]
            if action.kind == "r" and bets:
                name = min(bets, key=lambda n: abs(_action(view.table.betting, view.state, n).amount - action.amount))
            else:
                name = "f" if action.kind == "f" and "f" in names else "c"
        probabilities[name] += probability
    return probabilities


def _action(betting: Betting, state: State, name: str) -> Action:
    if name in "fc":
        return FOLDS if name == "f" else CALLS
    return Action("r", int(name[1:]) if name[0] == "r" else betting.most(state))


def _card(name: str) -> int:
    return parse_cards(name[1:])[0]


def _hole(seen: str) -> tuple[int, ...]:
    """The hand held after what the player has seen: `KcKd-Kc+Jc` is KdJc."""
    held = list(parse_cards(seen[:4]))
    for sign, text in re.findall("([-+])(..)", seen[4:]):
        card = parse_cards(text)[0]
        if sign == "-":
            held.remove(card)
        else:
            held.append(card)
    return tuple(sorted(held))


def study(name: str, seconds: float, bots: Sequence[str], path: Path) -> dict[str, Any]:
    """All figures of a reduced game in big blinds, written as they are computed."""
    began = time.perf_counter()
    rules = named(name)
    assert isinstance(rules, Discard)
    tree = flatten(rules)
    figures: dict[str, Any] = {"game": name, "nodes": tree.n_nodes, "built": time.perf_counter() - began}
    form = tree.sequence_form()
    del tree
    figures["infosets"] = [side.n_infosets for side in form.seats]

    def save(**more: Any) -> None:
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        figures.update(more, seconds=time.perf_counter() - began, gigabytes=memory)
        write_json(path, figures)

    save()
    betting = rules._menu is not None
    if not betting:
        ruled = measure(form, rules.rule())
        save(rule={"value": ruled.value / ruled.unit, "gains": [gain / ruled.unit for gain in ruled.gains]})
    solved = solve(form, seconds=seconds, target=TARGET).finished()
    whole = measure(form, solved)
    save(equilibrium=_figures(whole))
    first, second = form.seats
    better = first.table(solved.strategy[0]), second.table(solved.strategy[1])
    for bot in bots:
        agent = make_agent(bot, table_of(rules))
        assert isinstance(agent, Mixed)
        strategy = carried(agent, rules, form)
        save(**{bot: _figures(measure(form, strategy))})
        if betting:
            save(**{f"{bot}: swaps": _figures(measure(form, replaced(strategy, better, False)))})
            save(**{f"{bot}: bets": _figures(measure(form, replaced(strategy, better, True)))})
    if betting:
        for who in ("button", "blind", "both"):
            bound = flatten(f"{name},by_rule={who}").sequence_form()
            best = solve(bound, seconds=seconds, target=TARGET).finished()
            save(**{f"by rule: {who}": _figures(measure(bound, best))})
    return figures


def _figures(measured: Any) -> dict[str, Any]:
    return {
        "value": measured.value / measured.unit,
        "exploitability": measured.exploitability / measured.unit,
        "gains": [gain / measured.unit for gain in measured.gains],
    }


if __name__ == "__main__":
    out, wanted, *rest = sys.argv[1:]
    study(wanted, float(rest[0]) if rest else 60.0, rest[1:], Path(out))
