"""Rule cards: point-count rules made for the shipped equilibria, with as few lines and numbers as possible.

`search` finds cards against the equilibrium, `priced` against a best responder; `bounds` and `program` prove what no
card with the same lines can do; `frontier` keeps the best card of each length.
"""
