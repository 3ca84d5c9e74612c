"""Simplify sizes on the page: from the button to the curve."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from headsup.common.errors import UserError
from headsup.spots.solve import solve_spot
from headsup.web.app import make_app
from headsup.web.jobs import Jobs
from headsup.web.searches import search_sizes
from headsup.web.study import simplify
from tests.solve import compiled
from tests.spots.test_solve import FLOP, SMALL
from tests.waiting import until
from tests.web.conftest import keep_solved


def test_what_cannot_be_simplified_is_refused_first() -> None:
    for spot in (FLOP, SMALL.with_(rake="5%")):
        with pytest.raises(UserError):
            simplify.question(spot)
    assert json.loads(simplify.question(SMALL))["spot"].startswith(f"board: {SMALL.board}")


@compiled
def test_from_the_button_to_the_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplify, "COUNTS", (1, 2))
    keep_solved(tmp_path / "0123456789ab", solve_spot(SMALL, None, iterations=10))
    app = make_app(work=tmp_path)
    jobs = app.state.sizes = Jobs(tmp_path / "sizes", (sys.executable, "-c", "pass"))
    with TestClient(app) as client:
        assert "/study/0123456789ab/sizes" in client.get("/study/0123456789ab").text
        assert "three minutes" in client.get("/study/0123456789ab/sizes").text
        assert client.post("/study/0123456789ab/sizes").status_code == 200
        (job,) = jobs.all()
        until(lambda: jobs.get(job.id).state != "running")
        assert search_sizes(job.folder) == 0
        page = client.get("/study/0123456789ab/sizes").text
        assert "Cost by number of sizes" in page
        assert page.count("river bets: ") == 4
        rows = client.get("/study/0123456789ab/sizes.csv").text.splitlines()
        assert len(rows) >= 3
        assert client.get("/study/0123456789ab/sizes/live").status_code == 204
