"""The betting tree against golden sizes, a naive referee on random rules and menus, and its own promises."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.games.betting import bettingtree
from headsup.games.betting.bettingtree import BettingTree, _BettingBuilder, betting_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import DEAL, FOLD, LIMIT_HOLDEM, SHOWDOWN, Betting, Move
from tests import naive_betting as naive

GOLDEN = Path(__file__).parents[2] / "golden" / "betting.txt"
FLOP = Betting(first=(0, 0, 0), stacks=(910, 910), pot=180)
HAND = Betting(first=(0, 1, 1, 1), stacks=(2000, 2000), blinds=(50, 100))
TREES = {
    "limit-holdem": (LIMIT_HOLDEM, None),
    "flop-spot": (FLOP, "52%; 2.5x"),
    "nolimit-holdem": (HAND, "preflop 2.5x; a | 50%, a; a | turn donk none | cap 3"),
}


def golden() -> dict[str, tuple[list[int], list[int], int]]:
    rows = [line.split() for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    return {name: (list(map(int, d.split("/"))), list(map(int, e.split("/"))), int(n)) for name, d, e, n in rows}


@pytest.mark.parametrize("name", TREES)
def test_golden_sizes(name: str) -> None:
    tree = betting_tree(*TREES[name])
    assert (tree.decisions(), [len(entries) for entries in tree.entries], tree.n_nodes) == golden()[name]


def test_golden_file_has_every_tree() -> None:
    assert golden().keys() == TREES.keys()


def check_promises(tree: BettingTree) -> None:
    """What the class says of its arrays."""
    nodes = np.arange(tree.n_nodes)
    assert (tree.parent[1:] < nodes[1:]).all()
    assert tree.parent[0] == -1
    assert (np.diff(tree.street) >= 0).all()
    for street, (a, b) in enumerate(pairwise(tree.start)):
        assert (tree.street[a:b] == street).all()
    inner = tree.count > 0
    assert ((tree.child >= 0) == inner).all()
    assert (inner == (tree.player <= DEAL)).all()
    assert (tree.count[tree.player == DEAL] == 1).all()
    for node in nodes[inner]:  # children side by side
        children = range(tree.child[node], tree.child[node] + tree.count[node])
        assert (tree.parent[children.start : children.stop] == node).all()
    assert tree.count.sum() == tree.n_nodes - 1
    for street in range(1, tree.n_streets):
        entries = tree.entries[street]
        deals = np.flatnonzero((tree.player == DEAL) & (tree.street == street - 1))
        assert (tree.parent[entries] == deals).all()
        assert (tree.child[deals] == entries).all()
        assert (tree.kind[entries] == Move.NONE).all()
        owner = np.searchsorted(entries, nodes[tree.start[street] : tree.start[street + 1]], side="right")
        assert (np.diff(owner) >= 0).all()
    assert (tree.street[tree.player == SHOWDOWN] == tree.n_streets - 1).all()
    assert (tree.paid <= np.array(tree.rules.stacks)).all()
    ends = tree.player > DEAL
    assert not tree.win[~ends].any()
    assert not tree.lose[~ends].any()
    if tree.total is not None:
        np.testing.assert_allclose(tree.win[ends, 0] + tree.lose[ends, 1], tree.total)
        np.testing.assert_allclose(tree.win[ends, 1] + tree.lose[ends, 0], tree.total)


@pytest.mark.parametrize("name", TREES)
def test_promises(name: str) -> None:
    check_promises(betting_tree(*TREES[name]))


def compare(rules: Betting, text: str | None, sizes: naive.Sizes | None) -> None:
    """Every decision and every end of the tree is one of the referee's, with the same chips."""
    tree = betting_tree(rules, text)
    check_promises(tree)
    named = {tree.line(node): node for node in range(tree.n_nodes) if tree.player[node] != DEAL}
    met = 0
    referee = naive.Rules(
        rules.first,
        rules.stacks,
        rules.blinds,
        rules.antes,
        rules.pot,
        rules.kind,
        rules.sizes,
        rules.cap[0] if rules.cap else 1000,
        rules.rake,
        rules.rake_cap,
    )
    for actions, table in naive.lines(naive.Table(referee), sizes):
        line = ", ".join(actions)
        assert line in named, f"the referee has '{line}'"
        node, met = named[line], met + 1
        assert tree.street[node] == table.street
        assert tree.find(line) == node or tree.player[tree.find(line)] == DEAL
        if table.over:
            assert tree.player[node] == (FOLD if table.over == "fold" else SHOWDOWN)
            np.testing.assert_allclose((tree.win[node], tree.lose[node]), table.settle())
            if table.over == "fold":
                assert tree.player[tree.parent[node]] == table.loser
        else:
            assert tree.player[node] == table.waiting[0]
            np.testing.assert_array_equal(tree.paid[node], table.gave)
    assert met == len(named)


@pytest.mark.parametrize("name", ["flop-spot", "nolimit-holdem"])
def test_two_no_limit_trees_against_the_referee(name: str) -> None:
    small, half, jam, none = [[("%", 52)], [("x", 2.5)]], [[("%", 50), ("a",)], [("a",)]], [("a",)], []
    if name == "flop-spot":
        sizes = naive.Sizes({(street, seat): small for street in range(3) for seat in (0, 1)})
    else:
        lists: dict[tuple[int, int], Any] = {(s, seat): half for s in (1, 2, 3) for seat in (0, 1)}
        lists |= {(0, seat): [[("x", 2.5)], jam] for seat in (0, 1)}
        sizes = naive.Sizes(lists, donk={(2, seat): none for seat in (0, 1)}, cap=3)
    compare(*TREES[name], sizes)


@pytest.mark.long
def test_limit_holdem_against_the_referee() -> None:
    compare(LIMIT_HOLDEM, None, None)


chips = st.integers(1, 60)
shares = st.sampled_from([10, 25, 33, 50, 52, 75, 100, 150, 400])
bet_size = st.one_of(
    st.tuples(st.just("%"), shares),
    st.tuples(st.just("c"), st.integers(1, 30)),
    st.tuples(st.just("e"), st.integers(0, 4), st.sampled_from([80, 150, 10**6])),
    st.just(("a",)),
)
raise_size = st.one_of(bet_size, st.tuples(st.just("x"), st.sampled_from([1.5, 2, 2.5, 3])))
lists = st.tuples(st.lists(bet_size, max_size=2), st.lists(st.lists(raise_size, max_size=2), max_size=2)).map(
    lambda both: [both[0], *both[1]]
)
threshold = st.sampled_from([0, 0, 5, 10, 20, 75, 150])


def size_text(size: tuple[Any, ...]) -> str:
    if size[0] == "e":
        return f"{size[1] or ''}e" + (f"{size[2]}%" if size[2] < 10**6 else "")
    return "".join(str(part) for part in reversed(size))


def lists_text(of: list[list[tuple[Any, ...]]]) -> str:
    return "; ".join(", ".join(map(size_text, sizes)) or "none" for sizes in of)


@st.composite
def rules_of(draw: st.DrawFn, kinds: tuple[str, ...], most: int = 60, streets: int = 3) -> Betting:
    """Rules of any kind: from blinds or in the middle of a hand, with stacks that may be short of a blind."""
    n = draw(st.integers(1, streets))
    kind = draw(st.sampled_from(kinds))
    stacks = draw(st.tuples(st.integers(1, most), st.integers(1, most)))
    capped = draw(st.integers(2, 4))
    limit = {"sizes": draw(st.tuples(*[st.integers(1, 6)] * n))} if kind == "limit" else {}
    rake = {"rake": draw(st.sampled_from([0.0, 0.05])), "rake_cap": draw(st.sampled_from([1.0, 1e9]))}
    common = {"stacks": stacks, "kind": kind, "cap": (capped,) * n, **limit, **rake}
    if draw(st.booleans()):
        opener = draw(st.integers(0, 1))
        small, big = sorted(draw(st.tuples(st.integers(0, 5), st.integers(1, 5))))
        antes = draw(
            st.one_of(st.integers(0, 3).map(lambda a: (a, a)), st.tuples(st.integers(0, 3), st.integers(0, 3)))
        )
        blinds = (small, big) if opener == 0 else (big, small)
        return Betting(first=(opener, *[1 - opener] * (n - 1)), blinds=blinds, antes=antes, **common)
    return Betting(first=(draw(st.integers(0, 1)),) * n, pot=draw(chips), **common)


@st.composite
def menus(draw: st.DrawFn, rules: Betting) -> tuple[str, naive.Sizes]:
    """A menu as text and as the referee's data."""
    names = rules.street_names
    general = draw(lists)
    clauses = [lists_text(general)]
    by_seat: dict[tuple[int, int], Any] = {(s, seat): general for s in range(len(names)) for seat in (0, 1)}
    for street, name in enumerate(names):
        if draw(st.booleans()):
            seat, special = draw(st.integers(0, 1)), draw(lists)
            word = draw(st.sampled_from([f"p{seat}", "oop" if rules.first[-1] == seat else "ip"]))
            clauses.append(f"{name} {word} {lists_text(special)}")
            by_seat[street, seat] = special
    donk = {}
    if draw(st.booleans()):
        into = draw(st.lists(bet_size, max_size=2))
        clauses.append(f"donk {lists_text([into])}")
        donk = {(s, seat): into for s in range(len(names)) for seat in (0, 1)}
    cap = draw(st.integers(1, 4))
    values = {name: draw(threshold) for name in ("add", "force", "merge")}
    clauses += [f"cap {cap}", *[f"{name} {value}%" for name, value in values.items() if value]]
    text = draw(st.sampled_from([" | ", "\n"])).join(clauses)
    return text, naive.Sizes(by_seat, donk, cap, *[values[name] / 100 for name in ("add", "force", "merge")])


@settings(max_examples=80)
@given(st.data())
def test_random_menus_against_the_referee(data: st.DataObject) -> None:
    rules = data.draw(rules_of(("no-limit", "pot-limit")))
    text, sizes = data.draw(menus(rules))
    assume(betting_tree(rules, text).n_nodes <= 1500)
    compare(rules, text, sizes)


@settings(max_examples=60)
@given(st.data())
def test_every_bet_and_limit_against_the_referee(data: st.DataObject) -> None:
    rules = data.draw(st.one_of(rules_of(("limit",)), rules_of(("no-limit", "pot-limit"), most=7, streets=2)))
    assume(betting_tree(rules).n_nodes <= 3000)
    compare(rules, None, None)


def test_a_tree_that_is_too_large_says_how_large_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Betting(first=(0, 1, 1, 1), stacks=(400, 400), blinds=(1, 2))
    whole = betting_tree(rules, "100%, a").n_nodes
    assert whole / 2 < _BettingBuilder(rules, parse_menu("100%, a"))._estimate() < whole * 2
    sizes = ", ".join(f"{size}%" for size in range(10, 130, 10))
    with pytest.raises(UserError, match=r"about \d\.\de\+\d+ nodes, .* GB without any cards: take a smaller stack"):
        betting_tree(rules, f"{sizes}, a")
    monkeypatch.setattr(bettingtree, "MOST_NODES", whole - 1)
    with pytest.raises(UserError, match=f"more than {whole - 1:,} nodes"):
        betting_tree(rules, "100%, a")
    monkeypatch.setattr(bettingtree, "MOST_NODES", whole)
    assert betting_tree(rules, "100%, a").n_nodes == whole


@pytest.mark.parametrize(
    ("streets", "menu"),
    [(3, "33%, 75%, a; 2x, 3x"), (1, "1c"), (3, "33%, 75%, 100%, 150%, a; 2.5x")],
    ids=["one street of many sizes", "one line of many bets", "many pots"],
)
def test_a_tree_that_cannot_be_is_refused_before_much_of_it_is_laid_out(
    streets: int, menu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, moves, calls = Betting(first=(0,) * streets, stacks=(10**9, 10**9), pot=1), Betting.moves, [0]
    kinds = bettingtree.MOST_KINDS // 10  # to lay out that many takes seconds
    monkeypatch.setattr(bettingtree, "MOST_KINDS", kinds)

    def counted(*given: Any) -> Any:
        calls[0] += 1
        return moves(*given)

    monkeypatch.setattr(Betting, "moves", counted)
    with pytest.raises(UserError, match=r"nodes.*: take a smaller stack, fewer sizes, or fewer bets a street"):
        betting_tree(rules, menu)
    assert calls[0] < kinds
