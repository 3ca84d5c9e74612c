"""Measure: what strategies win, what best replies win against them, and how far they are from an equilibrium."""

from headsup.lazy import callable_as
from headsup.measure.exploit import Measurement, best_response, expected_value, exploitability, measure

__all__ = ["Measurement", "best_response", "expected_value", "exploitability", "measure"]

callable_as(__name__, "measure")
