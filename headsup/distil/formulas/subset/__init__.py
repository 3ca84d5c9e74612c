"""Which few features say most: a subset of given size whose best weights leave the least average or largest error.

`fits` measures a set of features, for either error, one hand or a family (`family`); `search` finds good sets, `proof`
proves that none is better, node by node (`node_kernels`), and `choice` leads from the first set to the proof. `spans`
tells sets that say the same. `rounding` makes weights in steps of them, with the integer programs of `mip`. All fits,
and the bound inside a proof, are one simplex (`simplex`, `kernels`).
"""
