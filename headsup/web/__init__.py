"""The web interface: `headsup serve`.

    app.py        the application: pages, JSON API and guard
    guard.py      access, size limits and security headers
    server.py     runs it in one process (uvicorn), on this machine only by default
    asking.py     parses requests with the code of the command line
    api.py        JSON under /api: the same keys as `--json`
    pages/        one module per page, each with a `router`; templates/ and static/ have a file per page and widget
    jobs.py       long work in separate processes that outlive the server; worker.py is such a process
    keep.py       the SQLite database; matches.py: matches against bots, for pages/play.py and api_play.py

Pages are server-side HTML; htmx exchanges parts of them, and small JavaScript modules handle painting and dragging.
There is no build step and no third-party request. The content security policy forbids inline scripts and styles, so
charts are SVG with attributes.
"""
