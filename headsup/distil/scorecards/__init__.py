"""Cards of points: made for the equilibria that ship, with as few lines and numbers as can be.

1. `lines` has what a card may look at in a hand; a `scorecard` gives points to some lines and a threshold to each seat.
2. `objective` says what a card should be good at, beside a published rule, and the floor that no card can go below.
3. `search` finds cards against the equilibrium (`descent`, `kernels`), `priced` goes on against a best responder.
4. `bounds` and `program` prove what no card with the same lines can do.
5. `frontier` keeps the best card of each length; `records` says what is known of it, and how it ships.
6. `drawing` shows a card, `rule` plays it.
"""
