# Everything sets itself up: Python 3.11 or newer, make and git are enough.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO ?= demo
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test check format bench balance soak fuzz mutants pictures vnu wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Anew only if what has to be installed changes.
$(READY): requirements.lock pyproject.toml
	PYTHON=$(PYTHON) bash tools/venv.sh $(VENV)
	@touch $@

demo: $(READY) ## Play an offline league in ./demo and say where to look
	$(BIN)/league demo --dir $(DEMO)

test: $(READY) ## Run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: $(READY) ## Format, lint, types, import contracts, catalogs, rules named by tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy $(filter-out tools/build_%,$(wildcard tools/*.py)) tests
	$(BIN)/lint-imports
	$(BIN)/python tools/catalogs.py check
	$(BIN)/python tools/rules_named.py

format: $(READY) ## Format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## Measure speed and memory, each beside its peer
	$(BIN)/python tools/bench.py

balance: $(READY) ## Simulate thousands of KUEL leagues and write docs/games/kuel-balance.md anew
	$(BIN)/python tools/kuel_balance.py

soak: $(READY) ## Long campaigns: new random examples, many matches, kills everywhere, ten thousand pages
	HYPOTHESIS_PROFILE=soak LEAGUE_SOAK=1 $(BIN)/python -m pytest -n auto -m "soak or not soak" $(ARGS)
	LEAGUE_SOAK=1 $(BIN)/python tests/bench/bench_building.py

fuzz: $(READY) ## Fuzz the intake of mail for FUZZ_MINUTES=10 with FUZZ_SEED, a random one if none is given
	$(BIN)/python tools/fuzz.py $(ARGS)

mutants: ## Change the KUEL package in nine thousand ways and list those that no test notices (half an hour)
	PYTHON=$(PYTHON) bash tools/mutants.sh $(ARGS)

pictures: $(READY) ## Take the documents' pictures of every kind of page anew
	$(BIN)/python tools/pictures.py

vnu: $(READY) ## Fetch the checker of HTML that the tests use where it is (needs npm and Java)
	bash tools/vnu.sh $(VENV)

wheel: $(READY) ## Build the wheel, install it in a bare environment and play the demo from it
	bash tools/try_wheel.sh $(BIN)/python

clean: ## Remove what these targets made
	rm -rf $(VENV) $(VENV)-mutants mutants $(DEMO) dist fuzz-finds .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
