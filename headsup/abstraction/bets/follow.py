"""Bets of a table, where every bet is allowed, in a betting tree with few: fractions of the pot, readings, moves."""

from headsup.abstraction.bets.sizes import PASSIVE, Sizes
from headsup.games.betting.rules import Betting, Move, State


def pot_fraction(rules: Betting, state: State, total: int) -> float:
    """A bet or raise to a total on the street, as a fraction of the pot after a call."""
    other = 1 - state.player
    return (total - (state.paid[other] - state.start[other])) / max(rules.pot_after_call(state), 1)


def total_of(rules: Betting, state: State, move: Move, fraction: float) -> int | None:
    """The legal total that is nearest to a fraction of the pot, or all-in; None where nothing can be bet."""
    bounds = rules.bounds(state)
    if bounds is None:
        return None
    last = state.paid[1 - state.player] - state.start[1 - state.player]
    total = int(last + rules.pot_after_call(state) * fraction + 0.5)
    return rules.most(state) if move == Move.ALLIN else min(max(total, bounds[0]), rules.most(state))


def readings(
    sizes: Sizes, node: int, rules: Betting, state: State, move: Move, total: int, method: str
) -> list[tuple[int, float]]:
    """The children of a decision as which a real action is translated, with their probabilities."""
    if move < Move.BET:
        return sizes.read(node, move, 0.0, method)
    move = Move.ALLIN if total >= rules.all_in(state) else Move.BET
    return sizes.read(node, move, pot_fraction(rules, state, total), method)


def real_move(sizes: Sizes, node: int, child: int, rules: Betting, state: State) -> tuple[Move, int, int]:
    """An action of the small tree at the table: the move, the total of a bet, and the child to which it leads.

    A bet that cannot be made is a check or call, and so is a fold where a check is free.
    """
    move, passive = Move(int(sizes.tree.kind[child])), sizes.after(node, PASSIVE)
    owes = rules.owed(state) > 0
    if move == Move.FOLD and owes:
        return move, 0, child
    total = total_of(rules, state, move, float(sizes.fraction[child])) if move >= Move.BET else None
    if total is not None:
        return Move.ALLIN if total >= rules.all_in(state) else Move.RAISE if state.bets else Move.BET, total, child
    return Move.CALL if owes else Move.CHECK, 0, child if passive is None or move in PASSIVE else passive
