"""Tests of the equity stage."""

import pytest

from headsup.common.backend import JIT_DISABLED

compiled = pytest.mark.skipif(JIT_DISABLED, reason="millions of deals: too slow without compilation")
