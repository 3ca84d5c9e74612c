"""ho-2015, chapter 4: the equilibria of section 4.1, and the regression and the rule of sections 4.2 to 4.4."""

from pathlib import Path
from tempfile import TemporaryDirectory

from headsup.cards.games import GAMES
from headsup.games.holdem.classes import Classes, without_card_removal
from headsup.jamfold.shipped import Sweep, has_shipped, shipped
from headsup.jamfold.sweep import sweep as solve_sweep
from headsup.papers.ho2015 import equilibria
from headsup.papers.ho2015.rules import finding, rule_plots, rule_sections
from headsup.papers.section import Section

NAME = "ho-2015"
PARTS = ("equilibria", "rules")
__all__ = ["NAME", "PARTS", "finding", "plots", "sections", "sweep_without_card_removal"]


def sections(part: str | None = None, sweep: Sweep | None = None) -> list[Section]:
    """Every comparison, or one part; the equilibria are the shipped ones, or those of a sweep."""
    first = [] if part == "rules" else equilibria.sections(sweep if sweep is not None else shipped("omaha8"))
    if part != "rules" and sweep is None:
        from headsup.papers.ho2015.variants import variant_sections  # a program too, which must not be imported before

        first += variant_sections()
    return [*first, *([] if part == "equilibria" else rule_sections())]


def plots() -> dict[str, str]:
    return equilibria.plots({game: shipped(game) for game in GAMES if has_shipped(game)}) | rule_plots()


def sweep_without_card_removal(table: Classes, work: Path | None = None) -> Sweep:
    """The sweep of the game in which the players' hands come from separate decks, in single precision."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) if work is None else work / "without-card-removal"
        return solve_sweep(without_card_removal(table), folder, target=0.01)
