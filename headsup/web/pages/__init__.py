"""One module a page, each with a `router`."""

from headsup.web.pages import equity, flops, jamfold, papers, rules, study

ROUTERS = (jamfold.router, study.router, equity.router, rules.router, flops.router, papers.router)
