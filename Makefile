# Every target sets up what it needs in .venv; only Python 3.11+ and make are asked for.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test lint e2e soak bench setup clean

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# The server, with its address printed and opened where there is a browser.
play: setup
	$(BIN)/botq serve --open

test: setup
	$(BIN)/pytest -q

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

e2e: setup
	$(BIN)/pytest -q -m e2e

soak: setup
	$(BIN)/pytest -q -m soak

clean:
	rm -rf .venv
