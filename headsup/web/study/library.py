"""Ready-made ranges: common ones, and for hold'em those of the preflop equilibria where the flop comes."""

from functools import cache

from headsup.common.errors import UserError
from headsup.games.betting.stakes import SEAT_NAMES, SEATS
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.web.render import templates

COMMON = {
    "any two cards": "random",
    **{f"top {share} %": f"{share}%" for share in (5, 10, 15, 20, 30, 40, 50, 70)},
    "all pairs": "22+",
    "big cards": "AT+,KT+,QT+,JT",
    "all aces": "A2s+,A2o+,AA",
    "suited connectors": "T9s,98s,87s,76s,65s,54s",
    "suited hands": "A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s",
}


OMAHA = {
    "any four cards": "random",
    **{f"top {share} %": f"{share}%" for share in (5, 10, 15, 20, 30, 50)},
    "aces": "AA",
    "double-suited aces": "AA$ds",
    "pairs of broadway cards": "AA,KK,QQ,JJ,TT",
    "rundowns without a gap": "AKQJ-5432",
    "double-suited hands": "xxyy",
}
HI_LO = {"ace and deuce": "A2", "ace and deuce of one suit": "Ax2x", "two low cards with an ace": "A2,A3,A4,A5"}


@cache
def presets(game: str = "holdem") -> dict[str, dict[str, str]]:
    """Ranges by group and name, as text."""
    if game != "holdem":
        return {"Omaha ranges": OMAHA} | ({"Hi-Lo": HI_LO} if game == "omaha8" else {})
    groups = {"Common ranges": COMMON}
    for stack in shipped_stacks():
        chart, ranges = shipped_preflop(stack), dict[str, str]()
        for _, before in chart.lines:
            for action in chart.at(before).actions:
                line = f"{before}, {action}" if before else action
                if chart.sees_flop(line) and chart.pot(line)[1] > 0.0:
                    texts = zip(SEATS, chart.ranges(line), strict=True)
                    ranges |= {f"{SEAT_NAMES[seat]} after {line}": text for seat, text in texts}
        if ranges:
            groups[f"Preflop equilibrium, {stack:g} bb"] = ranges
    return groups


def preset(group: str, name: str) -> str:
    every = {**presets("omaha8"), **presets()}
    text = every.get(group, {}).get(name)
    if text is None:
        raise UserError(f"there is no preset '{name[:60]}': choose one of the list")
    return text


templates.env.globals["presets"] = presets
