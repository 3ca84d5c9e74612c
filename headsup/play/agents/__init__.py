"""Agents that ship: baselines, charts, styles, strategies, re-solving and local best response."""
