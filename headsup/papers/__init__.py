"""Views: one module a paper, with its tables and figures beside ours; `headsup reproduce` prints them.

A paper's module has `sections`, its comparisons as `headsup.papers.section.Section`s, and `plots`, its figures as SVG
text by file name. Papers look at every stage of the pipeline, and no stage imports them.
"""
