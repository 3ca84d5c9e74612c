"""One session of a match: its hands one by one, or all at once where possible; scores as JSON text."""

from typing import Any

from headsup.common.errors import UserError
from headsup.common.files import json_text
from headsup.games.betting.rules import UNLIMITED
from headsup.play.agents.chart import jams_only
from headsup.play.arena import fast
from headsup.play.arena.plan import Match, small_match
from headsup.play.statistics.aivat import aivat_chips, make_value
from headsup.play.statistics.values import equity_chips
from headsup.play.table.agent import Agent
from headsup.play.table.record import HandRecord
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Table
from headsup.play.table.start import is_card_game

LONGEST = 10_000  # hands after which a match to the end is a draw


def play_session(job: str, part: int, **arguments: Any) -> bytes:
    """Play one session: JSON with the first player's scores in big blinds, and faults.

    `job` is the fingerprint by which the match recognises its sessions.
    """
    match = Match(**arguments)
    if not is_card_game(match.game):
        result = _small_session(match, part)
    else:
        agents = match.agents()
        try:
            result = (_games if match.to_the_end else _hands)(match, agents, part)
        finally:
            for agent in agents:
                agent.close()
    return json_text({"job": job, **result}).encode()


def _hands(match: Match, agents: tuple[Agent, Agent], session: int) -> dict[str, Any]:
    table = match.table
    values = [make_value(table, agents), make_value(table, agents[::-1])] if match.aivat else []
    if (
        jams_only(table, agents)
        and not (match.equity or match.log)
        and all(value.start is not None for value in values)
    ):
        chips = fast.session_chips(table, agents, match.seed, match.part(session), match.duplicate)
        result: dict[str, Any] = {
            "plain": (chips / table.unit).tolist(),
            "faults": [],
            "lines": [],
            "hands": len(chips),
        }
        if match.aivat:  # the score is the exact value of every hand
            scores = [_own(value.start or 0.0, dealer, table) for dealer, value in enumerate(values)]
            result["aivat"] = [scores[number % 2] for number in match.part(session)]
        return result | {"hands": len(chips)}
    referee = Referee(agents, match.seed, match.seconds)
    extra: dict[str, list[float]] = {"equity": []} if match.equity else {}
    if match.aivat:
        extra["aivat"] = []
    dealer = 0

    def score(record: HandRecord) -> None:
        if match.equity:
            extra["equity"].append(_own(equity_chips(record), dealer, table))
        if match.aivat:
            seats = (agents[dealer], agents[1 - dealer])
            extra["aivat"].append(_own(aivat_chips(record, seats, values[dealer]), dealer, table))

    if extra:
        referee.score = score
    referee.start(table)
    plain, faults, lines = list[float](), list[dict[str, Any]](), list[dict[str, Any]]()
    for number in match.part(session):
        dealer = number % 2
        deal = table.deal_number(match.seed, number // 2 if match.duplicate else number)
        record = referee.play(table, deal, number, dealer)
        plain.append(record.chips[dealer] / table.unit)
        faults.extend(record.fault_entries(dealer))
        if match.log:
            lines.append(record.line())
    return {"plain": plain, **extra, "faults": faults, "lines": lines, "hands": len(plain)}


def _own(chips: float, dealer: int, table: Table) -> float:
    """What the first player wins if seat 0 wins this, in big blinds; a starting pot is shared by both seats."""
    return (chips if dealer == 0 else table.betting.pot - chips) / table.unit


def _games(match: Match, agents: tuple[Agent, Agent], session: int) -> dict[str, Any]:
    """Games until one player has all the chips."""
    table = match.table
    if table.betting.pot or max(table.betting.stacks) >= UNLIMITED:
        raise UserError("a match to the end needs stacks, and starts with blinds: give a stack")
    referee = Referee(agents, match.seed, match.seconds)
    result: dict[str, Any] = {"plain": [], "lengths": [], "won": [], "faults": [], "lines": [], "hands": 0}
    for game in match.part(session):
        referee.start(table)
        chips = [table.betting.stacks[0], table.betting.stacks[1]]
        played = 0
        while min(chips) > 0 and played < LONGEST:
            number, dealer = game * LONGEST + played, (game + played) % 2
            there = table.with_stacks((chips[dealer], chips[1 - dealer]))
            record = referee.play(there, there.deal_number(match.seed, number), number, dealer)
            for player in (0, 1):
                chips[player] += record.chips[player ^ dealer]
            played += 1
            result["faults"].extend(record.fault_entries(dealer))
            if match.log:
                result["lines"].append(record.line())
        result["plain"].append((chips[0] - table.betting.stacks[0]) / table.unit)
        result["lengths"].append(played)
        result["won"].append(1.0 if chips[1] <= 0 else 0.0 if chips[0] <= 0 else 0.5)
        result["hands"] += played
    return result


def _small_session(match: Match, session: int) -> dict[str, Any]:
    flat, policies = small_match(match)
    seated = (policies, (policies[1], policies[0]))
    corrections = [flat.corrections(seats, flat.values(seats)) for seats in seated] if match.aivat else []
    result: dict[str, Any] = {"plain": [], "faults": [], "lines": []} | ({"aivat": []} if match.aivat else {})
    for number in match.part(session):
        dealer, deal = number % 2, number // 2 if match.duplicate else number
        path = flat.play(policies, match.seed, number, deal, dealer)
        payoff, sign = flat.payoff(path), (1 - 2 * dealer) / flat.unit
        result["plain"].append(sign * payoff)
        if match.aivat:
            result["aivat"].append(sign * (payoff - float(corrections[dealer][path].sum())))
    return result | {"hands": len(result["plain"])}
