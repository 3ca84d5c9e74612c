"""One module per paper with `sections()` and `plots()`: its tables and figures beside ours, for `headsup reproduce`.

`finding()` is what the comparison comes to, in a sentence and a picture.
"""

PAPERS = {
    "ho-2015": "ho2015",
    "dalpasso-lancia-2015": "dalpasso2015",
    "bowling-2015": "bowling2015",
    "andersson-2006": "andersson2006",
    "ectomynx": "ectomynx",
}
"""The module of each, which has all there is to show as `sections()` and `plots()`."""
