"""One module per page, each with a `router`."""

from headsup.web.pages import docs, equity, flops, hands, jamfold, papers, play, preflop, rules, start, study, train

ROUTERS = (
    start.router,
    *(jamfold.router, preflop.router, study.router, equity.router, rules.router, flops.router),
    *(play.router, train.router, hands.router, papers.router, docs.router),
)
