"""What ships beside the code: the container, the release, the citation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from headsup.version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["version"] == __version__
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_container_takes_files_and_extras_that_are_there() -> None:
    text, ignored = (ROOT / "Dockerfile").read_text(), (ROOT / ".dockerignore").read_text().splitlines()
    copied = [name for line in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE) for name in line.split()]
    assert {"pyproject.toml", "headsup", "docs", PROJECT["readme"], *PROJECT["license-files"]} == set(copied)
    assert all((ROOT / name).exists() and f"!{name}" in ignored for name in copied)
    extras = {extra for line in re.findall(r"^ENV EXTRAS=(\S+)$", text, re.MULTILINE) for extra in line.split(",")}
    assert {"web", "gpu"} <= extras <= set(PROJECT["optional-dependencies"])
    stages = re.findall(r"^FROM \S+ AS (\w+)$", text, re.MULTILINE)
    assert stages == ["cpu", "gpu"]
    assert "ARG DEVICE=cpu\n" in text


def test_the_release_runs_commands_that_are_there() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    assert "run: .ci/run\n" in text
    assert (ROOT / ".ci" / "run").exists()
    assert re.search(r"^check:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    tried = set(re.findall(r'"(3\.\d+)"', text))
    assert PROJECT["requires-python"].removeprefix(">=") in tried
