"""The choice of a few features: a subset of given size whose best weights leave the least average or largest error.

`fits` measures a set of features, `search` finds good sets, `proof` proves that none is better, `choice` combines them.
"""
