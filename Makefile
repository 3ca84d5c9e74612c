# The two commands: `make demo` shows what headsup does, `make test` proves it.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 3

.PHONY: demo serve test test-long check bench docs lock screenshots clean

demo: .venv/ready
	@$(BIN)/headsup demo

serve: .venv/ready
	@$(BIN)/headsup serve $(ARGS)

# Each process begins with a third of the tests (tests/conftest.py has their order), so that few kernels are compiled
# twice; who is done first takes over some. Tests of the page wait for a browser, so three processes keep two cores busy.
# Only a long test needs the plugin that is left out, which loads slowly.
test: .venv/ready
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -p no:schemathesis $(ARGS)

test-long: .venv/ready
	$(BIN)/python -m pytest -m "long or not long" $(ARGS)

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/python -m benchmarks $(ARGS)

# The documentation as a site that needs no network, in build/docs: open index.html. Links are checked.
docs: .venv/docs
	$(BIN)/python website/make.py

# The pictures of the page in README and docs; needs chromium.
screenshots: .venv/ready
	$(BIN)/python -m tests.web.screenshots docs/page

# Exact versions with their hashes for every platform; --universal writes no registry's address.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	    --extra dev pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	    --extra docs --constraints requirements.lock pyproject.toml -o requirements-docs.lock

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "headsup needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/docs: .venv/ready requirements-docs.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

clean:
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis
