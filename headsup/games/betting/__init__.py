"""Betting without cards: rules, bet menus, lines of actions and the betting tree."""
