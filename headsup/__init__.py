"""headsup: from the rules of a heads-up poker game to an equilibrium, its exploitability, and a chart, a rule or a bot.

An engine below, products above, and each folder imports only from those before it:

    common     errors, files, cache, progress, plots, kernels, processes
    engine     cards -> evaluate -> equity -> games -> measure -> abstraction -> solve
    products   jamfold, endgame, spots, preflop, limit, nolimit, discards, distil
    play       the table, agents, statistics, matches, coaching, protocols
    views      papers, cli, web

What most programs need is here, and loaded when it is first used:

    cards      parse_range, range_text, Range, parse_cards, cards_name
    evaluate   rank, rank_hands
    equity     holdem_table, combo_table, flop_equities
    games      game, GAMES, Game, PublicGame, flatten, sequence_form; Stakes, Spot
    measure    exploitability, best_response
    solve      Solution
    spots      solve_spot, SpotSolution, make_report
    preflop    solve_preflop
    distil     flop_formula
    errors     UserError

Functions named as their folder are imported from it: `from headsup.solve import solve`, and so `equity`, `measure` and
`jamfold`.
"""

from headsup.common.lazy import attach
from headsup.version import __version__ as __version__

__getattr__, __dir__, __all__ = attach(__name__, __file__)
