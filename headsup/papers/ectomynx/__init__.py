"""ectomynx, a report on a bot for hold'em with discards: every table beside ours, its faults and its intuitions.

Tables are computed from the shipped equities and strategies; matches and the cost of faults come from files in `data`.
"""

from functools import cache

from headsup.papers.ectomynx import appendix, equities, system
from headsup.papers.section import Finding, Section, written

NAME = "ectomynx"
__all__ = ["NAME", "finding", "plots", "sections"]


@cache
def sections() -> list[Section]:
    return [
        *(system.intuitions(), equities.cells(), equities.summary(), system.measured("duels"), equities.gains()),
        *(appendix.made_in_the_end(), appendix.rates(), *appendix.makes(), system.textures()),
        *(written(__file__, "choices"), system.measured("faults"), system.misplays(), system.measured("matches")),
        *(system.measured("parts"), system.mistakes(), system.commands()),
    ]


def finding() -> Finding:
    rows = {name: row for name, *row in equities.summary().rows}
    apart, left, chance = (rows[name][0] for name in ("as stated", "both faults", "sampling error alone"))
    return Finding(
        f"Two faults of the report's simulator explain its table of equities: with them our figures differ by {left} "
        f"(root mean square), hardly more than its sampling error of {chance}; without them by {apart}.",
        equities.differences(),
    )


def plots() -> dict[str, str]:
    return {"discard-equities.svg": equities.differences(), "discard-gains.svg": equities.gain_chart()}
