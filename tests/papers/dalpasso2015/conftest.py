"""Tests of formulas ask for few hands and ranges again and again."""

from tests.flops_once import flops_once

__all__ = ["flops_once"]
