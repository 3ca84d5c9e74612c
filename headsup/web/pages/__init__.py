"""One module a page, each with a `router`."""

from headsup.web.pages import equity, flops, jamfold, papers, play, rules, study

ROUTERS = (jamfold.router, study.router, equity.router, rules.router, flops.router, play.router, papers.router)
