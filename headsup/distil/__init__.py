"""From equilibria to rules that a person can use: rules of points, score cards, and formulas for equities.

    gains        the gain of playing each hand against the equilibrium
    price        the cost of a rule or a card, against the equilibrium and against a best responder
    shipped      the shipped prices, cards and formulas
    rules        published rules: ORACLE, SAGE, Hutchison's counts; a coach explains them
    scorecards   cards of points found by search: lines, price, bounds, drawing
    formulas     a few features of the flop whose weights add up to an equity

`make_prices` makes the file of prices again; no other module imports it.
"""
