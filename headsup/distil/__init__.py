"""From equilibria to rules that a person can use: rules of points, score cards, and formulas for equities."""
