"""A strategy of a game with few bets, as a strategy of the same game with many.

The player keeps a place in the small betting tree. An opponent's bet is read once as one of the small menu
(`headsup.abstraction.bets.sizes`), at random between two sizes; an own bet is made as the nearest one of the large
game. Where the small game has no place left, the player checks and calls.

The place `a` in the small tree is a hidden state beside the real place `r`. Let W(r, a, h) be, for a hand h, the sum
over all ways to hold a at r of the product of the probabilities of all readings and own actions. By Kuhn's theorem the
mixture equals a behaviour strategy whose action m at r has the probability

    sum over a of W(r, a, h) x (probabilities of the actions at a that are made as m) / sum over a of W(r, a, h).
"""

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from headsup.abstraction.bets.sizes import ALLINS, FOLDS, PASSIVE, Sizes, check_method
from headsup.common.arrays import Floats
from headsup.common.checks import as_strategy, as_text, door, of_kind
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, Move
from headsup.games.holdem.bucketed import BucketStrategy, SameCards, bucket_layout
from headsup.games.holdem.vector import Place, Strategy, VectorGame


class _Edge(NamedTuple):
    """A step to a place in the small tree: from the place before, by chance or an own action."""

    before: int
    after: int
    chance: float
    action: int  # -1 where the player did not choose


class _Stand(NamedTuple):
    """The places that a player may hold in the small tree at a node of the large one."""

    nodes: list[int]
    edges: list[_Edge]
    readings: Floats  # [nodes] the probabilities of the readings, without own actions


class Translated:
    """The strategy of `small` in `game`, which have the same boards, hands and rules; `method` is one of `sizes`."""

    @door(game=of_kind(VectorGame), small=of_kind(VectorGame), strategy=as_strategy, method=as_text)
    def __init__(self, game: VectorGame, small: VectorGame, strategy: Strategy, method: str = "harmonic") -> None:
        check_same(game, small)
        self.game, self.small, self.strategy, self.method = game, small, strategy, check_method(method)
        self.large_sizes, self.small_sizes = Sizes(game.betting), Sizes(small.betting)
        self._check_bets()
        self._stands: dict[tuple[int, int], _Stand] = {}
        self._answered: dict[tuple[int, int], list[tuple[int, int]]] = {}
        nothing: tuple[int, dict[tuple[int, int], Floats], dict[int, Floats]] = (-1, {}, {})
        self._known = [nothing] * game.streets  # by street: the last board, weights and probabilities on it

    def rows(self, decision: int, board: Place) -> Floats:
        """The mixture over all readings that a hand may have made."""
        seat = int(self.game.betting.player[decision])
        stand, weights = self._stand(seat, decision), self._weights(seat, decision, board)
        out = self._mixed(decision, stand, weights, board)
        total = weights.sum(axis=0)
        lost = ~(total > 0.0)
        if lost.any():
            known = np.broadcast_to(stand.readings[:, None], weights.shape)
            out = np.where(lost, self._mixed(decision, stand, known, board), out)
            total = np.where(lost, stand.readings.sum(), total)
        return np.asarray(out / total)

    def _mixed(self, decision: int, stand: _Stand, weights: Floats, board: Place) -> Floats:
        first = int(self.game.betting.child[decision])
        out = np.zeros((int(self.game.betting.count[decision]), weights.shape[1]))
        for i, place in enumerate(stand.nodes):
            if self._is_lost(decision, place):
                out[self._waiting(decision) - first] += weights[i]
                continue
            rows = self._probabilities(place, board)
            for action, (there, _) in enumerate(self._answers(decision, place)):
                out[there - first] += weights[i] * rows[action]
        return out

    # --- places, whatever the cards ---

    def _stand(self, seat: int, node: int) -> _Stand:
        known = self._stands.get((seat, node))
        if known is None:
            known = self._stands[seat, node] = self._found(seat, node)
        return known

    def _found(self, seat: int, node: int) -> _Stand:
        above = int(self.game.betting.parent[node])
        if above < 0:
            return _Stand([0], [], np.ones(1))
        before = self._stand(seat, above)
        steps = [step for i, place in enumerate(before.nodes) for step in self._steps(seat, above, node, i, place)]
        own = bool(steps)
        if not own:  # the player never does this; it would be read like an opponent's bet
            steps = [step for i, place in enumerate(before.nodes) for step in self._read(above, node, i, place)]
        nodes = list(dict.fromkeys(place for _, place, _, _ in steps))
        edges = [_Edge(i, nodes.index(place), chance, action) for i, place, chance, action in steps]
        readings = np.zeros(len(nodes))
        for edge in edges:
            readings[edge.after] += before.readings[edge.before] * edge.chance
        return _Stand(nodes, edges if own else [], readings)

    def _steps(self, seat: int, above: int, node: int, i: int, place: int) -> list[tuple[int, int, float, int]]:
        mover = int(self.game.betting.player[above])
        if mover == DEAL:
            return [(i, self.small_sizes.dealt(place), 1.0, -1)]
        if mover != seat:
            return self._read(above, node, i, place)
        if self._is_lost(above, place):
            return [(i, place, 1.0, -1)] if node == self._waiting(above) else []
        answers = enumerate(self._answers(above, place))
        return [(i, after, 1.0, action) for action, (there, after) in answers if there == node]

    def _read(self, above: int, node: int, i: int, place: int) -> list[tuple[int, int, float, int]]:
        if self._is_lost(above, place):
            return [(i, place, 1.0, -1)]
        move, fraction = Move(int(self.game.betting.kind[node])), float(self.large_sizes.fraction[node])
        return [(i, after, chance, -1) for after, chance in self.small_sizes.read(place, move, fraction, self.method)]

    def _answers(self, node: int, place: int) -> list[tuple[int, int]]:
        """For each action of a place: the node of the large tree and that of the small one to which it leads."""
        known = self._answered.get((node, place))
        if known is None:
            known = [self._answer(node, place, after) for after in self.small_sizes.children(place)]
            self._answered[node, place] = known
        return known

    def _answer(self, node: int, place: int, after: int) -> tuple[int, int]:
        large, small = self.large_sizes, self.small_sizes
        kind, fold, passive = int(self.small.betting.kind[after]), large.after(node, FOLDS), small.after(place, PASSIVE)
        if kind == Move.FOLD and fold is not None:
            return fold, after
        if kind >= Move.BET:
            all_in = large.after(node, ALLINS) if kind == Move.ALLIN else None
            there = large.nearest(node, float(small.fraction[after])) if all_in is None else all_in
            if there is not None:
                return there, after
        return self._waiting(node), after if passive is None or kind in PASSIVE else passive

    def _is_lost(self, node: int, place: int) -> bool:
        """Whether the player to act is not the one to act in the small tree."""
        return bool(self.small.betting.player[place] != self.game.betting.player[node])

    def _waiting(self, node: int) -> int:
        """The check or call of the large tree, or else its first action."""
        passive = self.large_sizes.after(node, PASSIVE)
        return next(iter(self.large_sizes.children(node))) if passive is None else passive

    # --- weights, board by board ---

    def _on(self, board: Place) -> tuple[int, dict[tuple[int, int], Floats], dict[int, Floats]]:
        """The cache of a board. Walks go through boards depth first, so one a street is enough."""
        if self._known[board.street][0] != board.number:
            self._known[board.street] = (board.number, {}, {})
        return self._known[board.street]

    def _probabilities(self, place: int, board: Place) -> Floats:
        _, _, probabilities = self._on(board)
        if place not in probabilities:
            probabilities[place] = np.asarray(self.strategy.rows(place, board), dtype=np.float64)
        return probabilities[place]

    def _weights(self, seat: int, node: int, board: Place) -> Floats:
        """W of each place at a node, [places, hands]."""
        weights = self._on(board)[1]
        if (seat, node) not in weights:
            weights[seat, node] = self._weighed(seat, node, board)
        return weights[seat, node]

    def _weighed(self, seat: int, node: int, board: Place) -> Floats:
        above, hands = int(self.game.betting.parent[node]), self.game.showdown.sizes[seat]
        if above < 0:
            return np.ones((1, hands))
        if int(self.game.betting.street[above]) != board.street:
            board = self.game.board(board.street - 1, int(self.game.boards.levels[board.street].parent[board.number]))
        stand, before = self._stand(seat, node), self._weights(seat, above, board)
        out, places = np.zeros((len(stand.nodes), hands)), self._stand(seat, above).nodes
        for i, after, chance, action in stand.edges:
            probabilities = chance if action < 0 else self._probabilities(places[i], board)[action]
            out[after] += before[i] * probabilities
        return out

    # --- what must agree ---

    def _check_bets(self) -> None:
        """Where the chips are the same, the large game must have every action of the small one."""
        large, small, waiting = self.game.betting, self.small.betting, [(0, 0)]
        while waiting:
            node, place = waiting.pop()
            if small.player[place] == DEAL:
                waiting.append((int(large.child[node]), int(small.child[place])))
                continue
            names = {large.action_name(c): c for c in self.large_sizes.children(node)}
            for after in self.small_sizes.children(place):
                name = small.action_name(after)
                if name not in names:
                    line = small.line(place)
                    raise UserError(
                        f"{self.game} does not offer '{name}' {f'after {line!r}' if line else 'at first'}, which the "
                        f"strategy of {self.small} may play: add it to the menu of the larger game"
                    )
                waiting.append((names[name], after))


class _Bucketwise:
    """A strategy by bucket, asked about buckets in place of hands, whatever the board."""

    def __init__(self, strategy: BucketStrategy) -> None:
        self.strategy = strategy

    def rows(self, decision: int, board: Place) -> Floats:
        """[actions, buckets]."""
        return self.strategy.by_bucket(decision)[0]


def forgetful(game: VectorGame, strategy: BucketStrategy) -> BucketStrategy:
    """A strategy by bucket among more bets, for a player who forgets the readings after every decision.

    At the next decision all bets are read again, so that no weight depends on the hand and the mixture is by bucket,
    too: it can be measured with all cards. `Translated`, which remembers, cannot.
    """
    translated = Translated(game, strategy.game, _Bucketwise(strategy))
    buckets, numbers = SameCards(strategy.buckets, game), []
    for seat in (0, 1):
        layout = bucket_layout(game, buckets, seat)
        numbers.append(np.zeros(layout.size))
        for node in np.flatnonzero(game.rounds.player == seat).tolist():
            street = int(game.betting.street[node])
            stand = translated._stand(seat, node)
            weights = np.repeat(stand.readings[:, None], buckets.sizes[street][0], axis=1)
            probabilities = translated._mixed(node, stand, weights, game.board(street, 0))
            row = int(layout.row_at[street]) + int(game.rounds.row[node])
            numbers[seat][int(layout.first[row]) : int(layout.first[row + len(probabilities)])] = probabilities.ravel()
    return BucketStrategy(game, buckets, (numbers[0], numbers[1]))


class Seats:
    """A strategy for each seat, from two players."""

    @door(game=of_kind(VectorGame), first=as_strategy, second=as_strategy)
    def __init__(self, game: VectorGame, first: Strategy, second: Strategy) -> None:
        self.game, self.seats = game, (first, second)

    def rows(self, decision: int, board: Place) -> Floats:
        """Those of the strategy of the player to act."""
        return self.seats[int(self.game.betting.player[decision])].rows(decision, board)


def check_same(game: VectorGame, small: VectorGame, but: str = "menu") -> None:
    """Refuse two games that differ in more than their menus, or than the field `but` of their rules."""
    for played in (game, small):
        if played.private:
            raise UserError(f"{played} has private moves of chance, and bets are not translated there")
    rules, other = game.betting.rules, small.betting.rules
    if but != "menu" and game.betting.menu != small.betting.menu:
        raise UserError(f"{small} and {game} have other menus: a strategy is translated between {but}s alone")
    for field in fields(rules):
        if field.name == but:
            continue
        a, b = getattr(rules, field.name), getattr(other, field.name)
        if a != b:
            raise UserError(
                f"a strategy is translated between {but}s of one game, and these differ in their {field.name}: "
                f"{b} in {small}, {a} in {game}"
            )
    if game.boards.identity() != small.boards.identity() or game.showdown.identity() != small.showdown.identity():
        raise UserError(f"{small} and {game} have other boards or hands: a strategy is translated between {but}s alone")
