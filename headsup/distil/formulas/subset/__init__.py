"""The choice of a few features: a subset of given size whose best weights leave the least average or largest error.

`fits` measures a set of features, for either error, one hand or a family (`family`); `search` finds good sets, `proof`
proves that none is better, node by node (`node_kernels`), and `choice` combines both. `spans` finds sets with the same
span. `rounding` rounds weights to steps, with the integer programs of `mip`. All fits, and the bound inside a proof,
use one simplex (`simplex`, `kernels`).
"""
