"""Every module that has agents: `load` imports them, so that their makers are known by name."""

from __future__ import annotations

from importlib import import_module

HOMES = (
    "baseline",
    "chart",
    "style",
    "strategy",
    "resolving",
    "aggrobot",
    "ectomynx.agent",
    "ectomynx.advice",
    "discard.agent",
    "lbr",
)
"""Modules of this folder that register agents when they are imported."""


def load() -> None:
    """Import them all; they import what is heavy when an agent is made."""
    for home in HOMES:
        import_module(f"headsup.play.{home}")
