"""headsup: from the rules of a heads-up poker game to an equilibrium, its certificate, and something a person can use.

Everything is one stage of one pipeline, and a folder is a stage:

    cards -> evaluate -> equity -> games -> abstraction -> solve -> measure -> distil -> play

Cards become hand ranks, ranks become exact counts, counts become a game's payoffs, a game becomes a strategy, and a
strategy becomes a certified number and then a chart, a rule or a bot. A stage imports only from the stages before it.
`headsup.papers` and `headsup.cli` look at all of them.
"""

__version__ = "0.1.0"
