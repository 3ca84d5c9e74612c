"""The web interface: `headsup serve`.

    app.py, guard.py, server.py    the application, its access and limits, the process that runs it
    asking.py, api.py, pages/      requests parsed as on the command line; JSON with the keys of `--json`; the pages
    jobs.py, worker.py             long work in separate processes that outlive the server
    keep.py, matches.py            the SQLite database; matches against bots

Pages are server-side HTML; htmx exchanges parts of them. There is no build step and no third-party request, and the
content security policy forbids inline scripts and styles, so charts are SVG with attributes.
"""
