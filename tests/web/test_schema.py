"""The whole API, asked whatever its own description allows and more: there is always an answer, and never a fault."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import HealthCheck, settings

schemathesis = pytest.importorskip("schemathesis", reason="asking the API at random needs schemathesis")

from headsup.web.app import make_app  # noqa: E402
from headsup.web.jobs import Jobs  # noqa: E402

FOLDER = Path(gettempdir(), f"headsup-spots-{os.getpid()}")
app = make_app(work=FOLDER)
NOTHING = (sys.executable, "-c", "pass")  # nothing is solved here
app.state.jobs = Jobs(FOLDER, NOTHING)
schema = schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.mark.long
@schema.parametrize()
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_no_question_is_a_fault_of_the_server(case) -> None:  # type: ignore[no-untyped-def]
    answer = case.call()
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.json().get("error") or answer.status_code in (404, 405)
