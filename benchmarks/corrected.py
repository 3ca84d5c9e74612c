"""What a chart before the flop is exploitable for if it is solved with a subset of flops, with and without corrections.

The deck is so small (15 cards, 95 flops up to suits) that all flops can be solved below every chart, so the figures are
exact. The subset has 8 random flops; a correction is found from all flops, or from the subset and 16 others. At the end
the correction found at 10 big blinds is paid at 12.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headsup.cards.boards import Boards
from headsup.cards.combos import combo_masks
from headsup.common.arrays import Floats
from headsup.games import VectorGame
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.packet import board_packet, board_subset
from headsup.games.holdem.showdown import Sorted
from headsup.games.walk.trunk import LinePayments, open_lines
from headsup.games.walk.walk import Policy
from headsup.preflop.all_flops import reach_of_lines
from headsup.preflop.correct import PairPayments, hands_met, pair_terms
from headsup.preflop.estimate import Outcomes, flop_textures, sum_over_flops
from headsup.preflop.flops import subset_error
from headsup.solve.holdem.trunk import TrunkCfr, trunk_values
from headsup.solve.records.settings import PRESETS

MENU = "75%, a; a | preflop 2x, a; a"
TRUNK, BELOW = 200, 50
"""Iterations of a chart, and of the flops below it."""
Tables = tuple[Floats, Floats]


class Deck:
    """A game on a small deck, and a subset of its flops."""

    def __init__(self, ranks: int, subset: int, seed: int, stack: int = 10) -> None:
        whole = named_game("holdem-nolimit", stack=stack, ranks=ranks, suits=3, streets=3, menu=MENU)
        assert isinstance(whole, VectorGame)
        assert isinstance(whole.boards.levels[1], Boards)
        self.whole, self.level, self.rng = whole, whole.boards.levels[1], np.random.default_rng(seed)
        self.copies, self.lines = self.level.copies.astype(np.float64), open_lines(whole)
        chances = self.copies / self.copies.sum()
        self.subset = sorted(self.rng.choice(len(chances), subset, replace=False, p=chances).tolist())
        self.times = [6 // int(self.level.copies[flop]) for flop in self.subset]  # drawn by weight, so all count alike
        self.part = board_subset(whole, self.subset, self.times)
        self.down = subset_error(whole, self.part)
        group = int(whole.boards.levels[0].group[0])  # type: ignore[attr-defined]
        self.renamings = [r for r in range(group.bit_length()) if group >> r & 1]

    def chart(self, game: VectorGame, added: Sequence[LinePayments]) -> Policy:
        solver = TrunkCfr(game, PRESETS["dcfr-holdem"], threads=1, added=added)
        solver.step(TRUNK)
        return solver.average(0).ravel(), solver.average(1).ravel()

    def dealt(self, game: VectorGame, policy: Policy) -> Tables:
        """[lines, hands] of both seats by a best response, with the flops of a game solved below a chart."""
        solver = TrunkCfr(game, PRESETS["dcfr-holdem"], threads=1, fixed=policy)
        solver.step(BELOW)
        return self.alike(solver.dealt(0, best=True)), self.alike(solver.dealt(1, best=True))

    def alike(self, rows: Floats) -> Floats:
        """The mean over hands that differ in suits alone."""
        return np.asarray(np.mean([rows[:, self.whole.showdown.renamed(0, r)] for r in self.renamings], axis=0))

    def exploitability(self, policy: Policy, best: Tables) -> float:
        total = sum(trunk_values(self.whole, policy, seat, best[seat], best=True) for seat in (0, 1))
        return 1000.0 * total / 2.0 / self.whole.unit

    def outcomes(self, reach: Sequence[Floats], seat: int, line: int) -> Outcomes:
        """What is known of every flop."""
        showdown = self.whole.showdown
        assert isinstance(showdown, Sorted)
        masks, tables = combo_masks(2)[showdown.hands[0]], []
        for flop, mask in enumerate(self.level.masks):
            free, (lead, boards) = (masks & mask) == 0, showdown.leads(1, flop)
            meet = hands_met(self.whole) * free * free[:, None]
            tables.append([meet @ reach[1 - seat][line], (meet * (1.0 + lead / boards) / 2.0) @ reach[1 - seat][line]])
        met, beaten = np.array(tables).transpose(1, 0, 2)
        return Outcomes(self.alike(met), self.alike(beaten), reach[seat][line])

    def correction(self, policy: Policy, best: Tables, others: int) -> PairPayments:
        """From all flops (`best`), or from the subset and some others that are chosen at random."""
        flops = list(self.subset)
        if others:
            flops += [flop for flop in self.rng.permutation(len(self.copies)).tolist() if flop not in flops][:others]
        solved = {flop: self.dealt(board_packet(self.whole, flop).game, policy) for flop in flops}
        reach = [reach_of_lines(self.whole, policy, seat) for seat in (0, 1)]
        scale, textures = self.copies.sum() / (self.copies[self.subset] @ self.times), flop_textures(self.level.cards)
        terms = np.zeros((2, len(self.lines), len(reach[0][0])))
        for place, (line, _) in enumerate(self.lines):
            lacking = []
            for seat in (0, 1):
                down = self.down.values(seat, reach[1 - seat][[number for number, _ in self.lines]])[place]
                pays = [times * solved[flop][seat][line] for flop, times in zip(self.subset, self.times, strict=True)]
                have = scale * np.sum(pays, axis=0) + down
                total = best[seat][line]
                if others:
                    values = np.stack([solved[flop][seat][line] for flop in flops])
                    total = sum_over_flops(values, self.outcomes(reach, seat, line), textures, self.copies, flops)
                lacking.append(total - have)
            of_line = reach[0][line], reach[1][line]
            terms[:, place] = pair_terms(hands_met(self.whole), of_line, (lacking[0], lacking[1]))
        return PairPayments(self.whole, self.lines, (terms[0], terms[1]))


def run(quick: bool) -> None:
    for seed in (1,) if quick else (1, 2, 3):
        ranks = 4 if quick else 5
        deck = Deck(ranks, 8, seed)
        print(f"subset {seed}: {len(deck.subset)} of {len(deck.copies)} flops", flush=True)
        _show(deck, "all flops", deck.chart(deck.whole, []))
        _show(deck, "the subset", deck.chart(deck.part, []))
        plain = deck.chart(deck.part, [deck.down])
        first = _show(deck, "corrected for hands that are checked down", plain)
        for others, name in ((0, "all flops"), (16, "the subset and 16 others")):
            policy, best = plain, first
            for times in ("once", "twice"):
                policy = deck.chart(deck.part, [deck.down, deck.correction(policy, best, others)])
                best = _show(deck, f"corrected for betting by {name}, {times}", policy)
        _elsewhere(Deck(ranks, 8, seed, stack=12), deck.correction(plain, first, 0))


def _elsewhere(deck: Deck, found: PairPayments) -> None:
    """A correction that was found at another stack, and the stack's own."""
    plain = deck.chart(deck.part, [deck.down])
    best = _show(deck, "12 big blinds: corrected for hands that are checked down", plain)
    moved = PairPayments(deck.whole, deck.lines, found.terms)
    for name, more in (("10", moved), ("12", deck.correction(plain, best, 0))):
        policy = deck.chart(deck.part, [deck.down, more])
        _show(deck, f"12 big blinds: and for betting, by all flops at {name}", policy)


def _show(deck: Deck, name: str, policy: Policy) -> Tables:
    best = deck.dealt(deck.whole, policy)
    print(f"  {name:60s} {deck.exploitability(policy, best):6.1f} mbb/g", flush=True)
    return best
