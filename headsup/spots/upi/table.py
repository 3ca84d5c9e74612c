"""The protocol's commands: what headsup does with each, and how its words are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

SUPPORTED, PARTLY, NOT = "supported", "partly", "not"


class CommandInfo(NamedTuple):
    """A command of the protocol."""

    usage: str
    status: str = SUPPORTED
    note: str = ""
    least: int = 0  # words that must follow
    most: int = 0  # words that may follow
    rest: bool = False  # the last word stands for all that are left
    raw: bool = False  # all that follows is one text
    while_solving: bool = False  # whether it is answered while the solver runs

    @property
    def name(self) -> str:
        return self.usage.split()[0]


def _any(usage: str, note: str = "", status: str = SUPPORTED, least: int = 0, most: int = 0) -> CommandInfo:
    """A command that is answered at any time."""
    return CommandInfo(usage, status, note, least, max(least, most), while_solving=True)


def _tree(usage: str, note: str = "", status: str = SUPPORTED, least: int = 0, most: int = 0) -> CommandInfo:
    """A command about the tree, which waits while it is being solved."""
    return CommandInfo(usage, status, note, least, max(least, most))


def _list(usage: str, words: int, note: str = "", status: str = SUPPORTED) -> CommandInfo:
    """A command that ends with a list."""
    return CommandInfo(usage, status, note, words, words, rest=True)


def _text(usage: str, note: str = "") -> CommandInfo:
    return CommandInfo(usage, SUPPORTED, note, raw=True, while_solving=True)


def _commands() -> Iterator[CommandInfo]:
    yield from (
        _any("is_ready"),
        _any("exit", "a running solver is stopped"),
        _any("set_end_string TEXT", least=1),
        _any("reset_end_string"),
        _text("echo TEXT"),
        _any("show_version", "the version of headsup"),
        _any("show_build_version", "the version of headsup"),
        _any("show_hand_order"),
        _any("show_preflop_order", "in the order of headsup's chart: AA, AKs, AQs and so on", PARTLY),
        _any("show_settings", "the settings of headsup", PARTLY),
        _any("show_memory"),
        _tree("load_script FILE", least=1),
        _tree("load_script_silent FILE", "stops at the first error", least=1),
        _any("set_threads N", "0 is one thread a core", least=1),
        _any("set_accuracy X [chips|fraction]", "0 solves until `stop`", least=1, most=2),
        _any("set_recalc_accuracy X X X", "accepted, without effect", PARTLY, 1, 3),
        _any("set_always_recalc N N", "accepted, without effect", PARTLY, 1, 2),
        _any("set_info_freq N", "accepted; reports come when the exploitability is measured", PARTLY, 1),
        _any("set_first_iteration_player P", "accepted, without effect", PARTLY, 1),
        _any("set_algorithm NAME", "accepted; the solver is always discounted CFR", PARTLY, 1),
        _any("list_algorithms", "there is one"),
        _any("ignore_mem_check on|off", "accepted; memory is always checked", PARTLY, 0, 1),
        _any("small_strats", "accepted, without effect", PARTLY, 0, 1),
        _list("set_board CARDS", 1, "three to five cards"),
        _list("set_range OOP|IP 1326 WEIGHTS", 2, "weights are rounded to four decimals; range text works too"),
        _tree("set_pot OOP IP POT", "the first two must be 0", PARTLY, 3),
        _tree("set_eff_stack N", least=1),
        _tree("set_rake SHARE CAP", least=2),
        _tree("set_isomorphism N N", "results are the same; equal boards are always merged", PARTLY, 2),
        _list("add_line N N ...", 1),
        _list("remove_line N N ...", 1),
        _tree("clear_lines"),
        CommandInfo(
            "add_info_line #KEY#VALUE", note="sizes such as #FlopConfig.BetSize#52 build a tree without lines", raw=True
        ),
        _tree("reset_tree_info"),
        _tree("show_tree_info"),
        _tree("show_effective_stack"),
        _tree("build_tree"),
        _tree("estimate_tree", "the memory that solving takes", PARTLY),
        _tree("free_tree"),
        _any("is_tree_present"),
        _tree("load_tree FILE [fast|full|auto]", "files of headsup, always read whole", PARTLY, 1, 2),
        _tree(
            "dump_tree FILE [full|no_rivers|no_turns]",
            "files of headsup, with all streets; only `full` keeps regrets",
            PARTLY,
            1,
            2,
        ),
        _tree("show_metadata FILE", "files of headsup", PARTLY, 1),
        _tree("show_save_version FILE", "the version of headsup that wrote it", PARTLY, 1),
        _tree("load_all_nodes", "nothing is ever left out"),
        _tree("rebuild_forgotten_streets", "nothing is ever forgotten"),
        _tree("estimate_rebuild_forgotten_streets", "nothing is ever forgotten"),
        _tree("go [N [seconds|steps]]", "a number alone is steps", most=2),
        _any("stop"),
        _any("wait_for_solver"),
        _any("solver_time"),
        _tree("calc_results"),
        _tree("show_node NODE", "flags of headsup's own: LOCKED", least=1),
        _tree("show_children NODE", "cards of all suits are listed", least=1),
        _tree("show_all_lines"),
        _tree("show_board_no_iso"),
        _tree("node_count"),
        _tree("show_iters"),
        _tree("show_all_freqs [global|local]", most=1),
        _tree("show_strategy NODE", least=1),
        _tree("show_strategy_pp NODE", "a layout of headsup's own", PARTLY, 1),
        _tree("show_range OOP|IP [NODE]", least=1, most=2),
        _tree("calc_ev OOP|IP NODE", "nan for hands that are not there", least=2),
        _tree("calc_ev_pp OOP|IP NODE", "a layout of headsup's own", PARTLY, 2),
        _tree("calc_eq OOP|IP", least=1),
        _tree("calc_eq_pp OOP|IP [NODE]", "a layout of headsup's own", PARTLY, 1, 2),
        _tree("calc_eq_node OOP|IP NODE", least=2),
        _tree("calc_eq_preflop OOP|IP", "169 classes in the order of show_preflop_order", PARTLY, 1),
        _tree("calc_global_freq NODE", least=1),
        _tree("calc_line_freq NODE", least=1),
        _list("set_strategy NODE WEIGHTS", 2, "1,326 weights for each child, in the order of show_children"),
        _tree("lock_node NODE", "the strategy stays as it is, also on boards equal up to suits", least=1),
        _list("combo_lock_node NODE 1326 FLAGS", 2, "1 locks a hand, 0 leaves it free"),
        _tree("show_locked_combos NODE", least=1),
        _tree("unlock_node NODE", least=1),
        _tree("set_mes OOP|IP", "the player's best response; solving starts from it", least=1),
        _tree("clear_cache"),
    )
    for reason, names in UNSUPPORTED.items():
        yield from (CommandInfo(name, NOT, reason) for name in names.split())


UNSUPPORTED = {
    "trees begin on the flop, the turn or the river": (
        "add_preflop_line remove_preflop_line clear_preflop_lines build_preflop_tree add_schematic_tree add_all_flops "
        "add_to_subset reset_subset recover_subset estimate_schematic_tree"
    ),
    "set frequencies with set_strategy": "set_equal_strats round_up_to normalize_tree set_adjust_strat change_step",
    "send remove_line and build_tree": "eliminate_path cut_line force_line",
    "trees keep all streets": "forget",
    "send go, which solves the whole tree": "solve_partial solve_all_splits explo_partial take_a_break",
    "chips are counted as they are": "set_icm",
    "measure speed with python -m benchmarks": "bench",
    "headsup look lists made hands and draws": "show_categories show_category_names",
    "sum calc_ev over the boards you need": "calc_matchups_line",
    "estimate_tree prints the memory": "needed_memory",
}
COMMANDS = {command.name: command for command in _commands()}
