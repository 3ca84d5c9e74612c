"""One module a page, each with a `router`."""

from headsup.web.pages import equity, flops, jamfold, papers, rules

ROUTERS = (jamfold.router, equity.router, rules.router, flops.router, papers.router)
