"""The four programs of the paper for any error, weights in steps and families of hands: `solver` and `family`.

`mip` writes them as integer programs for HiGHS. The largest error has a way of its own that is much faster: sets of
features are fitted with a certificate (`worst_fit`), searched (`local`), and proved by `covers`; `closing` leads from
the first formula to the proof. The average error is solved here too (`average_fit`), for families and as a second way
to the same figures; for one hand `headsup.distil.flops.average` is faster.
"""
