"""One module a page, each with a `router`."""

from headsup.web.pages import jamfold

ROUTERS = (jamfold.router,)
