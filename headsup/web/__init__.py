"""The page that a player opens: `headsup serve`. A view, like `headsup.cli`: it asks the stages and shows the answers.

    app.py        puts the pages, the JSON API and the guard together
    guard.py      who may ask, how much may be sent, and what a browser may load
    server.py     runs it in one process (uvicorn), on this machine alone unless it is told otherwise
    asking.py     questions from a browser, read with the code of the command line
    api.py        JSON under /api: the answers of the command line's --json, with its keys
    pages/        one module a page, each with a `router`; templates/ and static/ have a file a page and a widget
    jobs.py       long work in processes of their own, which outlive the server; worker.py is such a process
    keep.py       what is kept in SQLite; matches.py: matches of guests against bots, for pages/play.py and api_play.py

Pages are HTML from the server, exchanged in parts by htmx; small modules of plain JavaScript are there where a hand
paints or drags. There is no build step, nothing is loaded from elsewhere, and the content security policy allows
neither inline script nor inline style: what is drawn is SVG with attributes.
"""
