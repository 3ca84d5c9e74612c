"""Our strategy of hold'em with discards: check or bet and fold, call or raise, with the swap decided by the solver.

`facts` puts hands into buckets that know about swaps, `walk_kernels` is the game in a few states and external sampling
over it, `learn` the loop, `data` what ships, `agent` the bot.
"""
