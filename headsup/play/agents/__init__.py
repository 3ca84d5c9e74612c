"""Agents: baselines, charts, styles, strategies, re-solving and local best response."""
