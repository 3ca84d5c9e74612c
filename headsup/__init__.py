"""headsup: from the rules of a heads-up poker game to an equilibrium, its certificate, and something a person can use.

Everything is one stage of one pipeline, and a folder is a stage:

    cards -> evaluate -> equity -> games -> measure -> abstraction -> solve -> distil -> play

Cards become hand ranks, ranks become exact counts, counts become a game's payoffs, a game becomes a strategy, and a
strategy becomes a certified number and then a chart or a rule. A stage imports only from the stages before it.
`headsup.papers` and `headsup.cli` look at all of them.

What one first needs of each stage is here, and loaded when it is first used:

    cards      parse_range, range_text, Range, parse_cards, cards_name
    evaluate   rank, rank_hands
    equity     equity, holdem_table, combo_table, flop_equities
    games      game, GAMES, Game, PublicGame, flatten, sequence_form; Stakes
    measure    measure, exploitability, best_response
    solve      solve, Solution; Spot, solve_spot, SpotSolution, make_report; solve_preflop; jamfold
    distil     flop_formula
    errors     UserError

`headsup.equity`, `headsup.solve` and `headsup.measure` are folders that can be called, so `headsup.solve("kuhn")` and
`from headsup.solve import solve` are the same function.
"""

from typing import TYPE_CHECKING

from headsup.lazy import lazily
from headsup.version import __version__

if TYPE_CHECKING:
    from headsup.cards.cards import cards_name, parse_cards
    from headsup.cards.ranges import Range, parse_range, range_text
    from headsup.distil.formulas import flop_formula
    from headsup.equity.api import equity
    from headsup.equity.flops import flop_equities
    from headsup.equity.table import combo_table, holdem_table
    from headsup.errors import UserError
    from headsup.evaluate import rank, rank_hands
    from headsup.games import GAMES, Game, PublicGame, flatten, game, sequence_form
    from headsup.games.spot import Spot
    from headsup.games.stakes import Stakes
    from headsup.measure.exploit import best_response, exploitability, measure
    from headsup.solve.jamfold import answer as jamfold
    from headsup.solve.methods import solve
    from headsup.solve.preflop import solve_preflop
    from headsup.solve.report import make_report
    from headsup.solve.solution import Solution
    from headsup.solve.spot import SpotSolution, solve_spot

__all__ = [
    "GAMES",
    "Game",
    "PublicGame",
    "Range",
    "Solution",
    "Spot",
    "SpotSolution",
    "Stakes",
    "UserError",
    "__version__",
    "best_response",
    "cards_name",
    "combo_table",
    "equity",
    "exploitability",
    "flatten",
    "flop_equities",
    "flop_formula",
    "game",
    "holdem_table",
    "jamfold",
    "make_report",
    "measure",
    "parse_cards",
    "parse_range",
    "range_text",
    "rank",
    "rank_hands",
    "sequence_form",
    "solve",
    "solve_preflop",
    "solve_spot",
]

# Folders that can be called are found as themselves: `import headsup.solve` would put the folder here anyway.
lazily(
    __name__,
    {
        "GAMES": "games",
        "Game": "games",
        "PublicGame": "games",
        "Range": "cards.ranges",
        "Solution": "solve.solution",
        "Spot": "games.spot",
        "SpotSolution": "solve.spot",
        "Stakes": "games.stakes",
        "UserError": "errors",
        "best_response": "measure",
        "cards_name": "cards.cards",
        "combo_table": "equity",
        "equity": "equity:",
        "exploitability": "measure",
        "flatten": "games",
        "flop_equities": "equity",
        "flop_formula": "distil.formulas",
        "game": "games",
        "holdem_table": "equity",
        "jamfold": "solve.jamfold:answer",
        "make_report": "solve.report",
        "measure": "measure:",
        "parse_cards": "cards.cards",
        "parse_range": "cards.ranges",
        "range_text": "cards.ranges",
        "rank": "evaluate",
        "rank_hands": "evaluate",
        "sequence_form": "games",
        "solve": "solve:",
        "solve_preflop": "solve.preflop",
        "solve_spot": "solve.spot",
    },
)
