"""Answers of the protocol about settings, trees, nodes and strategies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from headsup.cards.cards import card_name
from headsup.common.checks import cores, quoted
from headsup.common.errors import UserError
from headsup.spots.upi.numbers import hand_order, numbers_text, read_number, read_numbers, read_whole
from headsup.spots.upi.settings import UpiSettings, read_seat

if TYPE_CHECKING:
    from headsup.spots.upi.nodes import TreePlace
    from headsup.spots.upi.tree import SolvedTree, Weighed

MOST_THREADS = 4096

Answer = Iterable[str]


class TreeAnswers:
    """One method for each command, named after it; None means that the answer is `command ok!`."""

    def __init__(self, threads: int | None, device: str) -> None:
        self.settings, self.device = UpiSettings(threads=threads or 0), device
        self.tree: SolvedTree | None = None

    # settings

    def _show_settings(self) -> Answer:
        known = self.settings
        values = {
            "accuracy": f"{known.accuracy:.9g}",
            "accuracy mode": "fraction" if known.is_fraction else "chips",
            "isomorphism": f"{known.isomorphism[0]} {known.isomorphism[1]}",
            "thread_no": known.threads or cores(),
            "device": self.device,
            "board": known.board,
            "pot": known.pot,
            "eff_stack": known.stack,
            "rake": f"{known.rake[0]:.9g} {known.rake[1]:.9g}",
            "lines": len(known.lines),
        }
        return [f"{name}: {value}" for name, value in values.items()]

    def _set_threads(self, count: str) -> None:
        self.settings.threads = read_whole(count, "set_threads")
        if self.settings.threads > MOST_THREADS:
            self.settings.threads = 0
            raise UserError(f"set_threads: at most {MOST_THREADS}, or 0 for one thread a core")

    def _set_accuracy(self, number: str, unit: str = "chips") -> None:
        if unit not in ("chips", "fraction"):
            raise UserError(f"set_accuracy: the unit is chips or fraction, not {quoted(unit)}")
        accuracy = read_number(number, "set_accuracy")
        if accuracy < 0.0:
            raise UserError("set_accuracy: write 0 or more; 0 solves until stop")
        self.settings.accuracy, self.settings.is_fraction = accuracy, unit == "fraction"

    def _set_isomorphism(self, flops: str, turns: str) -> None:
        self.settings.isomorphism = (read_whole(flops, "set_isomorphism"), read_whole(turns, "set_isomorphism"))

    def _set_board(self, words: list[str]) -> None:
        self.settings.set_board("".join(words))

    def _set_range(self, seat: str, words: list[str]) -> None:
        self.settings.set_range(read_seat(seat), words)

    def _set_pot(self, *words: str) -> None:
        self.settings.set_pot(words)

    def _set_eff_stack(self, chips: str) -> None:
        self.settings.stack = read_whole(chips, "set_eff_stack")

    def _set_rake(self, *words: str) -> None:
        self.settings.set_rake(words)

    def _add_line(self, words: list[str], added: bool = True) -> None:
        from headsup.spots.upi.lines import MOST_LINES, LineEdit

        if len(self.settings.lines) >= MOST_LINES or len(words) > 100:
            raise UserError(f"a tree has at most {MOST_LINES:,} lines of 100 actions each")
        self.settings.lines.append(LineEdit(added, tuple(read_whole(word, "a line") for word in words)))

    def _remove_line(self, words: list[str]) -> None:
        self._add_line(words, added=False)

    def _clear_lines(self) -> None:
        self.settings.lines.clear()

    def _add_info_line(self, text: str) -> None:
        self.settings.add_info(text)
        if self.tree is not None:
            self.tree.info = list(self.settings.info)

    def _reset_tree_info(self) -> None:
        self.settings.info.clear()

    def _show_tree_info(self) -> Answer:
        return self.settings.tree_info()

    def _show_effective_stack(self) -> Answer:
        return [str(self.settings.stack)]

    # trees

    def _build_tree(self) -> None:
        from headsup.spots.upi.tree import SolvedTree

        self.tree = None
        self.tree = SolvedTree(self.settings.spot(), info=self.settings.info)

    def _estimate_tree(self) -> Answer:
        from headsup.spots.solve import spot_memory

        need = spot_memory(self.settings.spot(), threads=self.settings.threads or None, device=self.device)
        return [f"estimated memory: {need.total / 2**20:.1f} MB"]

    def _free_tree(self) -> None:
        self.tree = None

    def _is_tree_present(self) -> Answer:
        return ["true" if self.tree is not None else "false"]

    def _load_tree(self, path: str, how: str = "auto") -> None:
        from headsup.spots.upi.lines import lines_of
        from headsup.spots.upi.tree import SolvedTree

        if how not in ("auto", "fast", "full"):
            raise UserError(f"load_tree: a file is loaded auto, fast or full, not {quoted(how)}")
        tree = SolvedTree.load(path)
        self.settings.take(tree.spot, lines_of(tree.spot.tree), tree.info)
        self.tree = tree

    def _dump_tree(self, path: str, how: str = "full") -> None:
        if how not in ("full", "no_rivers", "no_turns"):
            raise UserError(f"dump_tree: a tree is saved full, no_rivers or no_turns, not {quoted(how)}")
        self._tree.save(path, regrets=how == "full")

    def _show_metadata(self, path: str) -> Answer:
        from headsup.spots.upi.lines import lines_of
        from headsup.spots.upi.tree import SolvedTree

        tree, known = SolvedTree.load(path), UpiSettings()
        known.take(tree.spot, lines_of(tree.spot.tree), tree.info)
        weights = [numbers_text(hands.weights) for hands in known.ranges]
        return [*self._root_text(tree), str(known.stack), *weights, *known.tree_info(), "show_metadata ok!"]

    def _show_save_version(self, path: str) -> Answer:
        from headsup.spots.solve import SpotSolution

        return [SpotSolution.load(path, regrets=False).solution.version]

    @property
    def _tree(self) -> SolvedTree:
        if self.tree is None:
            raise UserError("there is no tree: send build_tree or load_tree first")
        return self.tree

    # nodes

    def _find(self, name: str) -> TreePlace:
        return self._tree.names.find(name)

    def _root_text(self, tree: SolvedTree) -> list[str]:
        first = self._node_text(tree, tree.names.first)
        flags = ["ISOMORPHISM_ON"] if any(self.settings.isomorphism) else []
        flags += ["RAKE_ON"] if tree.spot.rake else []
        return ["r", "ROOT", first[2], first[3], "1 children", f"flags: {' '.join([*flags, 'PIO_ALG'])} ", ""]

    def _node_text(self, tree: SolvedTree, place: TreePlace) -> list[str]:
        names, kind = tree.names, tree.names.kind(place.node)
        count = len(names.cards(place)) if kind == "SPLIT_NODE" else len(names.children(place.node))
        flags = ["PIO_ALG"] if kind.endswith("_DEC") else []
        flags += ["LOCKED"] if tree.is_locked(place) else []
        flags += ["RAKE_ON"] if tree.spot.rake and kind == "END_NODE" else []
        board = " ".join(card_name(card) for card in place.path.cards)
        return [place.name, kind, board, names.pot(place.node), f"{count} children", f"flags: {' '.join(flags)} ", ""]

    def _show_node(self, name: str) -> Answer:
        tree = self._tree
        return self._root_text(tree) if name == "r" else self._node_text(tree, self._find(name))

    def _show_children(self, name: str) -> Answer:
        tree = self._tree
        below = [tree.names.first] if name == "r" else tree.names.below(self._find(name))
        return [line for i, place in enumerate(below) for line in (f"child {i}:", *self._node_text(tree, place))]

    def _show_all_lines(self) -> Answer:
        return [name for name, _ in self._tree.names.all_lines()]

    def _show_board_no_iso(self) -> Answer:
        return [self._node_text(self._tree, self._tree.names.first)[2]]

    def _show_all_freqs(self, how: str = "global") -> Answer:
        if how not in ("global", "local"):
            raise UserError(f"show_all_freqs: frequencies are global or local, not {quoted(how)}")
        tree = self._tree
        known = {name: tree.line_frequency(node) for name, node in tree.names.all_lines()}
        if how == "local":  # of those that come to the decision before
            before = {name: known.get(name.rpartition(":")[0], 1.0) for name in known}
            known = {name: share / before[name] if before[name] else 0.0 for name, share in known.items()}
        return [f"{name} - {share:.9g}" for name, share in known.items()]

    def _show_iters(self) -> Answer:
        return [str(self._tree.iterations)]

    def _show_locked_combos(self, name: str) -> Answer:
        return [numbers_text(self._tree.locked_hands(self._find(name)))]

    def _node_count(self) -> Answer:
        from headsup.spots.upi.counts import count_nodes

        return count_nodes(self._tree)

    def _show_strategy(self, name: str) -> Answer:
        return [numbers_text(row) for row in self._tree.strategy(self._find(name))]

    def _show_strategy_pp(self, name: str) -> Answer:
        tree, place = self._tree, self._find(name)
        rows = tree.strategy(place)
        tokens = [tree.names.token(child) for child in tree.names.children(place.node)]
        shown = [i for i in range(rows.shape[1]) if rows[:, i].any()]
        mixes = (" ".join(f"{t} {x:.4f}" for t, x in zip(tokens, rows[:, i], strict=True)) for i in shown)
        return [f"{hand_order()[i]}: {mix}" for i, mix in zip(shown, mixes, strict=True)]

    def _show_range(self, seat: str, name: str = "") -> Answer:
        player = read_seat(seat)
        hands = self._tree.reach(player, self._find(name)) if name else self.settings.ranges[player].weights
        return [numbers_text(hands)]

    def _calc_ev(self, seat: str, name: str) -> Answer:
        return self._vectors(self._tree.ev(read_seat(seat), self._find(name)))

    def _calc_ev_pp(self, seat: str, name: str) -> Answer:
        return self._by_hand(self._tree.ev(read_seat(seat), self._find(name)))

    def _calc_eq_node(self, seat: str, name: str) -> Answer:
        equity = self._tree.equity(read_seat(seat), self._find(name))
        return [*self._vectors(equity), f"{equity.mean:.9g}"]

    def _calc_eq(self, seat: str) -> Answer:
        return self._vectors(self._equity(seat))

    def _calc_eq_pp(self, seat: str, name: str = "") -> Answer:
        known = self._tree.equity(read_seat(seat), self._find(name)) if name else self._equity(seat)
        return self._by_hand(known)

    def _equity(self, seat: str) -> Weighed:
        """Equity of the ranges that are set, on the board that is set."""
        from headsup.spots.upi.tree import SolvedTree

        known = replace(self.settings, lines=[], info=[], pot=self.settings.pot or 1, stack=self.settings.stack or 1)
        tree = SolvedTree(known.spot())
        return tree.equity(read_seat(seat), tree.names.first)

    def _calc_eq_preflop(self, seat: str) -> Answer:
        from headsup.spots.upi.counts import preflop_equity

        player = read_seat(seat)
        equity, matchups, total = preflop_equity(self.settings.ranges[player], self.settings.ranges[1 - player])
        return [numbers_text(equity), numbers_text(matchups), f"{total:.9g}"]

    def _vectors(self, known: Weighed) -> list[str]:
        return [numbers_text(known.figures), numbers_text(known.matchups)]

    def _by_hand(self, known: Weighed) -> list[str]:
        rows = zip(hand_order(), known.figures.tolist(), known.matchups.tolist(), strict=True)
        return [f"{hand}: {figure:.6g} {weight:.6g}" for hand, figure, weight in rows if weight > 0.0]

    def _calc_global_freq(self, name: str) -> Answer:
        return [f"{self._tree.frequency(self._find(name)):.9g}"]

    def _calc_line_freq(self, name: str) -> Answer:
        return [f"{self._tree.line_frequency(self._find(name).node):.9g}"]

    # changes

    def _set_strategy(self, name: str, words: list[str]) -> None:
        tree, place = self._tree, self._find(name)
        tree.set_strategy(place, read_numbers(words, "set_strategy", max(1, len(tree.names.children(place.node)))))

    def _lock_node(self, name: str) -> None:
        self._tree.lock(self._find(name))

    def _combo_lock_node(self, name: str, words: list[str]) -> None:
        self._tree.lock(self._find(name), read_numbers(words, "combo_lock_node")[0] > 0.0)

    def _set_mes(self, seat: str) -> None:
        self._tree.best_response(read_seat(seat))

    def _clear_cache(self) -> None:
        if self.tree is not None:
            self.tree.forget()

    def _unlock_node(self, name: str) -> None:
        self._tree.unlock(self._find(name))

    def _estimate_rebuild_forgotten_streets(self) -> Answer:
        self._require_tree()
        return ["nothing is forgotten: 0 MB"]

    def _rebuild_forgotten_streets(self) -> None:
        self._require_tree()

    def _load_all_nodes(self) -> None:
        self._require_tree()

    def _require_tree(self) -> None:
        _ = self._tree
