"""From equilibria to what a person can use: rules of points, cards that are searched for, and formulas for equities.

    gains        what playing each hand gains against the equilibrium
    price        what a rule or a card costs, to the equilibrium and to a best responder
    shipped      what came with the package, read in one place: prices, cards and formulas
    rules        published rules and their catalogue: ORACLE, SAGE, Hutchison's counts; a coach who explains them
    scorecards   cards of points that are found by search: lines, price, bounds, drawing
    formulas     a few features of the flop whose weights add up to an equity

`make_prices` is not imported by the others: it makes the file of prices anew.
"""
