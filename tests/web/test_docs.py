"""The documentation inside the page: every file is shown, every link leads somewhere, and nothing else can be read."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from headsup.web.pages.docs import OF_PAGE, folder
from headsup.web.render import PAGES

NAMES = sorted(path.relative_to(folder()).with_suffix("").as_posix() for path in folder().rglob("*.md"))


def test_every_page_has_help(client: TestClient) -> None:
    assert set(OF_PAGE) == {path for path, _, _ in PAGES}
    for page, name in OF_PAGE.items():
        shown = client.get({"/flops": "/flops/own", "/equity": "/equity?a="}.get(page, page)).text
        assert f'href="/docs/{name}">Help' in shown
        assert client.get(f"/docs/{name}").status_code == 200


def test_every_link_in_the_documentation_leads_somewhere(client: TestClient) -> None:
    texts = {name: client.get(f"/docs/{name}") for name in NAMES}
    assert len(texts) > 30
    for name, answer in texts.items():
        assert answer.status_code == 200, name
        text = answer.text.partition("<article")[2].partition("</article>")[0]
        assert "<h1" in text
        assert not re.search(r"<script|<style|\sstyle=|<!--", text), name
        for target in re.findall(r'(?:href|src)="(/docs[^"]*)"', text):
            path, _, part = target.removeprefix("/docs/").partition("#")
            if path in texts:
                assert not part or f'id="{part}"' in texts[path].text, f"{name}: {target}"
            else:
                assert (folder() / path).is_file(), f"{name}: {target}"


@pytest.mark.parametrize(
    "name", ["nothing", "../pyproject", "..%2f..%2fheadsup%2fversion", "%2fetc%2fpasswd", "README.md"]
)
def test_nothing_else_can_be_read(client: TestClient, name: str) -> None:
    assert client.get(f"/docs/{name}").status_code == 404


def test_pictures_are_sent(client: TestClient) -> None:
    assert client.get("/docs/page/study.png").headers["content-type"] == "image/png"
