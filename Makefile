# Everything happens in .venv, which each target makes for itself from nothing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Tests that need VASSAL's own engine or other people's files skip where these are missing; a gate sets
# HEXFORGE_REQUIRE_WITNESS=1 and HEXFORGE_REQUIRE_SHARED=1, and then they fail instead.
EXTRAS ?= test
JOBS ?= 2

.PHONY: demo test lint bench fuzz clean

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hexforge needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $@

demo: $(STAMP)
	$(BIN)/modulegen build --all --out dist
	$(BIN)/validator check scenarios/hurtgen/examples/turn2-well.sheet
	@echo
	@echo 'The same turn as a log that VASSAL steps through, and judged from it:'
	$(BIN)/validator transcribe scenarios/hurtgen/examples/turn2-well.sheet --to dist/turn2-well.vlog --module dist/Hurtgen.vmod
	$(BIN)/validator check --quiet dist/turn2-well.vlog
	@echo
	@echo 'The same turn with mistakes in it (the validator reports them, as it should):'
	$(BIN)/validator check scenarios/hurtgen/examples/turn2-mistakes.sheet || test $$? -eq 1
	$(BIN)/validator check scenarios/hurtgen/examples/turn2-mistakes.sheet -o dist/turn2-mistakes.html || test $$? -eq 1
	@echo
	@echo 'Look at dist/turn2-mistakes.html, and open dist/*.vmod in VASSAL.'

test: $(STAMP) lint
	$(BIN)/pytest -n $(JOBS)

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/pytest benchmarks --benchmark-only --benchmark-autosave

fuzz: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	$(BIN)/python tests/fuzz/run.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
