"""Tests of the solvers."""

import pytest

from headsup.common.backend import JIT_DISABLED

compiled = pytest.mark.skipif(JIT_DISABLED, reason="thousands of iterations: too slow without compilation")
