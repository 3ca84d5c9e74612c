"""The average error, by a solver of our own: `solver` asks, `hunt` and `anneal` find, `proof` proves, `fit` measures.

How few features can do with how small an average error is asked of ever larger sets of features, and each answer is a
fit of weights. So everything here stands on one fast, exact fit (`fit_kernels`) that begins where the last one ended.
"""
