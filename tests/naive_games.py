"""A slow, obvious second implementation of what is measured and solved: plain recursion over the game contract.

Nothing here knows flat trees, sequences or arrays. A strategy is a dict: information set -> list of probabilities,
one dict a player.
"""

from __future__ import annotations

from headsup.games.contract.game import CHANCE, TERMINAL, Game, State

Strategy = dict[str, list[float]]


def expected_value(game: Game, strategies: tuple[Strategy, Strategy], state: State = None, root: bool = True) -> float:
    """What player 0 wins when both follow their strategies."""
    state = game.root() if root else state
    who = game.player(state)
    if who == TERMINAL:
        return game.payoff(state)
    odds = game.chance(state) if who == CHANCE else strategies[who][game.infoset(state)]
    return sum(p * expected_value(game, strategies, game.next(state, i), False) for i, p in enumerate(odds) if p)


def best_response(game: Game, strategies: tuple[Strategy, Strategy], seat: int) -> float:
    """What this player wins with a best reply to the other's strategy.

    A group of states, each with the probability that chance and the opponent lead there, is played on until the player
    has to act; then the states are sorted by what the player knows, and each information set takes its best action.
    """

    def value(group: list[tuple[State, float]]) -> float:
        total, known = 0.0, {}
        waiting = list(group)
        while waiting:
            state, weight = waiting.pop()
            who = game.player(state)
            if who == TERMINAL:
                total += weight * (game.payoff(state) if seat == 0 else -game.payoff(state))
            elif who == seat:
                known.setdefault(game.infoset(state), []).append((state, weight))
            else:
                odds = game.chance(state) if who == CHANCE else strategies[who][game.infoset(state)]
                waiting += [(game.next(state, i), weight * p) for i, p in enumerate(odds)]
        for states in known.values():
            width = len(game.actions(states[0][0]))
            total += max(value([(game.next(state, a), weight) for state, weight in states]) for a in range(width))
        return total

    return value([(game.root(), 1.0)])


def exploitability(game: Game, strategies: tuple[Strategy, Strategy]) -> float:
    """The average of what two best replies win."""
    return (best_response(game, strategies, 0) + best_response(game, strategies, 1)) / 2


def all_infosets(game: Game) -> tuple[dict[str, int], dict[str, int]]:
    """Every information set of both players with its number of actions."""
    found: tuple[dict[str, int], dict[str, int]] = ({}, {})
    waiting = [game.root()]
    while waiting:
        state = waiting.pop()
        who = game.player(state)
        if who == TERMINAL:
            continue
        if who != CHANCE:
            found[who][game.infoset(state)] = len(game.actions(state))
        waiting += [game.next(state, i) for i in range(len(game.actions(state)))]
    return found


def cfr(game: Game, iterations: int, plus: bool = False) -> tuple[Strategy, Strategy]:
    """Textbook CFR (or CFR+ with linear averaging) with alternating updates, in dicts; returns the average
    strategies.
    """
    sizes = all_infosets(game)
    regret = tuple({name: [0.0] * n for name, n in sizes[p].items()} for p in (0, 1))
    total = tuple({name: [0.0] * n for name, n in sizes[p].items()} for p in (0, 1))

    def current(p: int) -> Strategy:
        out = {}
        for name, values in regret[p].items():
            positive = [max(r, 0.0) for r in values]
            whole = sum(positive)
            out[name] = [r / whole for r in positive] if whole > 0 else [1 / len(values)] * len(values)
        return out

    def walk(state: State, me: int, mine: float, others: float, sigma: list[Strategy], weight: float) -> float:
        who = game.player(state)
        if who == TERMINAL:
            return game.payoff(state) if me == 0 else -game.payoff(state)
        if who == CHANCE:
            odds = game.chance(state)
            nexts = (game.next(state, i) for i in range(len(odds)))
            return sum(p * walk(s, me, mine, others * p, sigma, weight) for s, p in zip(nexts, odds, strict=True))
        name = game.infoset(state)
        play = sigma[who][name]
        if who != me:
            return sum(p * walk(game.next(state, i), me, mine, others * p, sigma, weight) for i, p in enumerate(play))
        values = [walk(game.next(state, i), me, mine * p, others, sigma, weight) for i, p in enumerate(play)]
        mean = sum(p * v for p, v in zip(play, values, strict=True))
        seen = first_seen.setdefault(name, state)
        for i, p in enumerate(play):
            gained[name][i] += others * (values[i] - mean)
            if seen == state:  # own reach is the same at every state of the information set
                total[me][name][i] += weight * mine * p
        return mean

    for t in range(1, iterations + 1):
        for me in (0, 1):
            gained = {name: [0.0] * n for name, n in sizes[me].items()}
            first_seen: dict[str, State] = {}
            walk(game.root(), me, 1.0, 1.0, [current(0), current(1)], float(t) if plus else 1.0)
            for name, values in gained.items():
                for i, gain in enumerate(values):
                    regret[me][name][i] += gain
                    if plus:
                        regret[me][name][i] = max(regret[me][name][i], 0.0)
    out = []
    for p in (0, 1):
        whole = {name: sum(values) for name, values in total[p].items()}
        out.append(
            {n: [v / whole[n] for v in vs] if whole[n] > 0 else [1 / len(vs)] * len(vs) for n, vs in total[p].items()}
        )
    return out[0], out[1]


def suit_blind(seat: int, hand: str, text: str) -> tuple[str, tuple[str, ...]]:
    """The key that ignores the suits of one-card hands and public cards: exact where suits never matter."""
    return hand[0], tuple(part[0] if len(part) == 2 and part[1] in "cdhs" else part for part in text.split("/"))
