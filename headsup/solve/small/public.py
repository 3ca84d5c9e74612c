"""The CFR family in vector form: on a public tree, with vectors over private hands, and with merged information sets.

Without a merge the iterations are those of the sequence form. `merge=` takes a key function
(`headsup.abstraction.merging.merge`). Only this form has merged information sets, public games that are not betting
times boards (liar's dice), and simultaneous updates.
"""

import hashlib
from typing import Any

import numpy as np

from headsup.abstraction.merging.merge import Merged, merge, unmerged
from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games.catalogue.forms import Playable
from headsup.games.contract.public import PublicGame
from headsup.games.trees.publictree import PublicTree, public_tree
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.solve.records.loop import FormSolver
from headsup.solve.records.matching import in_proportion
from headsup.solve.records.settings import PRESETS, Settings, settings
from headsup.solve.small import public_kernels as kernels


def start_public(game: Playable, method: str, options: dict[str, Any]) -> FormSolver:
    """A vector-form solver before its first step; it is measured on the sequence form of the real game."""
    if method not in PRESETS:
        raise UserError(f"{method} has no vector form: choose from {', '.join(PRESETS)}")
    if not isinstance(game, PublicGame | PublicTree):
        raise UserError("the vector form needs a game of private hands and public moves, such as kuhn or leduc")
    key = options.pop("merge", None)
    if key is not None and not callable(key):
        raise UserError("merge must be a function of seat, hand and public text, so it cannot be given as text")
    up_to_suits = bool(options.pop("up_to_suits", False))
    real = game if isinstance(game, PublicTree) else public_tree(game, up_to_suits)
    merged = merge(real, key) if key else unmerged(real)
    form = real.sequence_form()
    return PublicCfr(merged, form, settings(method, options))


class PublicCfr(FormSolver):
    def __init__(self, merged: Merged, form: SequenceForm, settings: Settings) -> None:
        self.merged, self.form, self.settings, self.iterations = merged, form, settings, 0
        tree = merged.tree
        self._nodes = kernels.PublicNodes(tree.player, tree.child, tree.row, tree.matrix, tree.scale)
        payoffs = tree.payoffs()
        turned = np.ascontiguousarray(-payoffs.transpose(0, 2, 1))
        self._parts = (
            kernels.SeatSide(payoffs, tree.infosets[0], tree.firsts[0]),
            kernels.SeatSide(turned, tree.infosets[1], tree.firsts[1]),
        )
        self._memories = (
            kernels.empty(self._parts[0], tree.n_nodes, len(tree.hands[0])),
            kernels.empty(self._parts[1], tree.n_nodes, len(tree.hands[1])),
        )
        kernels.start(self._nodes, self._parts, self._memories)
        self.step(0)  # compiles

    def step(self, n: int) -> None:
        rule = (bool(self.settings.alternating), bool(self.settings.predictive))
        schedule = self.settings.schedule(self.iterations, n)
        kernels.iterate(self._nodes, self._parts, self._memories, *rule, schedule)
        self.iterations += n

    def content(self) -> str:
        """A checksum of the merge, since a checkpoint stores only the name of a key function."""
        return hashlib.sha256(b"".join(lift.tobytes() for lift in self.merged.lifts)).hexdigest()

    def merged_profile(self) -> Profile:
        """The behaviour strategies of the merged game."""
        if self.settings.strategy == "current" or not self.iterations:
            return self._memories[0].sigma.copy(), self._memories[1].sigma.copy()
        first, second = self.merged.tree.firsts
        return in_proportion(first, self._memories[0].cumulative), in_proportion(second, self._memories[1].cumulative)

    def profile(self) -> Profile:
        """The behaviour strategies of the real game."""
        return self.merged.lift(self.merged_profile())

    def arrays(self) -> dict[str, AnyArray]:
        names = {"regret": "regret", "sigma": "sigma", "total": "cumulative"}  # as in files, and here
        return {f"{name}{p}": getattr(self._memories[p], here) for p in (0, 1) for name, here in names.items()}

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        """Take back what `arrays` returned; both players' reach follows from it."""
        super().restore(iterations, arrays)
        kernels.start(self._nodes, self._parts, self._memories)
