"""ho-2015, chapter 4: the equilibria of section 4.1, and the regression and the rule of sections 4.2 to 4.4."""

from headsup.papers.ho2015.equilibria import plots, sections
from headsup.papers.ho2015.rules import rule_sections

__all__ = ["plots", "rule_sections", "sections"]
