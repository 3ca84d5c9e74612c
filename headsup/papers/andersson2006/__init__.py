"""andersson-2006: its games, its model of no-limit hold'em, AggroBot's matches, and what the paper proposes."""

from functools import cache

from headsup.papers.andersson2006 import continuous, model, results
from headsup.papers.section import Finding, Section, written

NAME = "andersson-2006"
__all__ = ["NAME", "finding", "plots", "sections"]


@cache
def sections() -> list[Section]:
    # these modules also run as programs, before which Python does not want them imported
    from headsup.papers.andersson2006 import adaptive, replay, shrunk, variants

    return [
        results.example(),
        continuous.continuous(),
        *shrunk.shrunk(),
        written(__file__, "choices"),
        *(model.moves(), model.wins(), model.readings(), results.folded_tens(), results.in_a_round(), model.sizes()),
        *(results.openings(), *replay.compared(replay.stored_rows()), results.others(), *variants.causes()),
        *(results.prices(), *results.frontier(), *results.models(), *results.answers(), written(__file__, "costs")),
        *(variants.proposals(), written(__file__, "wishes"), adaptive.adaptive()),
        *(results.misprints(), results.commands()),
    ]


def finding() -> Finding:
    return Finding(results.sentence(), model.charts()["aggrobot-opens.svg"])


def plots() -> dict[str, str]:
    return model.charts()
