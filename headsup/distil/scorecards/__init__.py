"""Score cards: rules of points made for the shipped equilibria, with as few lines and numbers as possible.

1. `lines` are what a card may look at in a hand; a `scorecard` gives points to some lines and a threshold to each seat.
2. `objective` compares a card with a published rule, and has the floor that no card can go below.
3. `search` finds cards against the equilibrium (`descent`, `kernels`), `priced` continues against a best responder.
4. `bounds` and `program` prove what no card with the same lines can do.
5. `frontier` keeps the best card of each length; `records` stores it with its prices and bounds.
6. `drawing` shows a card, `rule` plays it.
"""
