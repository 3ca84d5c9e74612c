"""The text of an abstraction: what is written can be read, and mistakes are told."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.abstraction.hands.spec import METHODS, Spec, build_buckets, parse_spec
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.vector import VectorGame

counts = st.lists(st.none() | st.integers(1, 100_000), min_size=1, max_size=4).map(tuple)
names = st.dictionaries(st.sampled_from(["preflop", "flop", "turn", "river"]), st.sampled_from(METHODS))
cuts = st.lists(st.integers(1, 99), unique=True, max_size=6).map(lambda some: (0.0, *map(float, sorted(some)), 100.0))
ORDER = ["preflop", "flop", "turn", "river"]


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    streets = draw(names)
    method = draw(st.sampled_from(METHODS))
    lists = draw(st.lists(cuts, max_size=3))
    if "edges" in (method, *streets.values()) and not lists:
        lists = [(0.0, 50.0, 100.0)]
    return Spec(
        draw(counts),
        method,
        tuple((street, streets[street]) for street in ORDER if street in streets),
        draw(st.booleans()),
        draw(st.integers(0, 2**64 - 1)),
        draw(st.integers(2, 255)),
        draw(st.integers(1, 1000)),
        draw(st.integers(100, 1 << 30)),
        draw(st.integers(1, 64)),
        tuple(lists),
    )


@given(specs())
def test_what_is_written_is_read(spec: Spec) -> None:
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("169-200-200-200:ehs", "169-200-200-200:ehs"),
        ("169-200-200-200", "169-200-200-200:ehs"),
        ("*", "*"),
        (" * - 5-5 - 5 : emd , nested , seed=3, turn = ochs", "*-5-5-5:emd,turn=ochs,nested,seed=3"),
        ("*-4:edges,edges=0/40.5/100", "*-4:edges,edges=0/40.5/100"),
    ],
)
def test_spellings(text: str, wanted: str) -> None:
    assert str(parse_spec(text)) == wanted


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(UserError):
        assert parse_spec(str(parse_spec(text))) == parse_spec(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a number of buckets"),
        ("169-0-5-5", "'0' is not a number of buckets"),
        ("169-9000000-5-5", "9,000,000 buckets of a street take 72,000,000 bytes for each action"),
        ("5-5-5-5:best", "choose one of ehs, ehs2"),
        ("5-5-5-5:ehs,seed=x", "seed is a whole number from 0"),
        ("5-5-5-5:ehs,bins=1", "bins is a whole number from 2 to 255"),
        ("5-5-5-5:ehs,colour=2", "not an option of an abstraction"),
        ("5-5-5-5:edges", "write for example edges=0/40"),
        ("4-4-4-4:edges,edges=0/60/40/100", "edges rise from 0 to 100"),
        ("4-4-4-4:edges,edges=10/100", "edges rise from 0 to 100"),
        ("5-5-5-5:ehs,river=best", "'best' is not a way to make buckets"),
    ],
)
def test_mistakes_in_the_text(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_spec(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5-5:ehs", "has 3 streets"),
        ("5-5-5:ehs,river=ehs", "has no river: it has preflop, flop, turn"),
        ("*-5-5:edges,edges=0/50/100", "edges=0/50/100 make 2 buckets, and flop has 5"),
        ("*-*-5:ehs,nested", "only the first street of nested buckets"),
    ],
)
def test_what_does_not_fit_the_game(text: str, message: str) -> None:
    played = game("holdem-limit:ranks=3,suits=4,streets=3")
    assert isinstance(played, VectorGame)
    with pytest.raises(UserError, match=message):
        build_buckets(played, text)
