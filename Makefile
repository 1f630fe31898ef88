# Every target sets up what it needs in .venv; only Python 3.11+ and make are asked for.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt --editable

.PHONY: play test lint e2e soak bench docs playthroughs constraints setup clean

# The server, with its address printed and opened where there is a browser.
play: .venv/game
	$(BIN)/botq serve --open

test: setup
	$(BIN)/pytest -q -rs -n 2 --dist loadfile

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

e2e: setup
	$(BIN)/pytest -q -rs -m e2e

# The long proofs.
soak: setup
	$(BIN)/pytest -q -m soak

bench: setup
	@for timing in bench/*.py; do echo "== $$timing"; $(BIN)/python $$timing || exit; done

docs: setup
	$(BIN)/python tests/test_docs.py

playthroughs: setup
	PYTHONPATH=tests $(BIN)/python tests/test_playthroughs.py

# The versions that the tests last passed with, from a fresh set-up without them.
constraints: clean
	: > constraints.txt
	$(MAKE) setup
	$(BIN)/pip freeze --exclude-editable > constraints.txt

setup: .venv/ready

.venv/ready: .venv/game
	@$(INSTALL) '.[dev]'
	@touch $@

# What playing needs, without the tools of the workshop.
.venv/game: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Back of the Queue needs Python 3.11 or newer, and $(PYTHON) is %d.%d: try make PYTHON=python3.11" % sys.version_info[:2])'
	@$(PYTHON) -m venv .venv || { echo "A virtual environment could not be made (Debian: apt-get install python3-venv)"; exit 1; }
	@echo "Setting up in .venv ..."
	@$(INSTALL) .
	@touch $@

clean:
	rm -rf .venv
