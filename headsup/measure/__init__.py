"""Measure: what strategies win, what best replies win against them, and how far they are from an equilibrium.

The names below are looked up when they are first used: what needs one of them should not wait for all.
"""

from typing import TYPE_CHECKING

from headsup.lazy import callable_as, lazily

if TYPE_CHECKING:
    from headsup.measure.exploit import best_response, expected_value, exploitability, measure
    from headsup.measure.measurement import Measurement

__all__ = ["Measurement", "best_response", "expected_value", "exploitability", "measure"]

lazily(
    __name__,
    {
        "Measurement": "measurement",
        "best_response": "exploit",
        "expected_value": "exploit",
        "exploitability": "exploit",
        "measure": "exploit",
    },
)
callable_as(__name__, "measure")
