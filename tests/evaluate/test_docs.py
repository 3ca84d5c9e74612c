"""The examples in docs/evaluate.md are true."""

import doctest
from pathlib import Path

import pytest

from headsup.backend import JIT_DISABLED


@pytest.mark.skipif(JIT_DISABLED, reason="the examples count millions of hands")
def test_examples() -> None:
    page = Path(__file__).parents[2] / "docs" / "evaluate.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 10
    assert failed == 0
