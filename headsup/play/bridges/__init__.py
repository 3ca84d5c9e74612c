"""Other libraries: their policies are measured here, and headsup's games are played there.

`policies` measures a policy of OpenSpiel, an agent of RLCard, or any object with one method. `openspiel_games` and
`pettingzoo_env` offer headsup's games to these libraries. None of them is needed to install headsup.
"""
