# Everything happens in .venv, which each target makes for itself from nothing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The demo needs what players do, and no tool of the tests.
CORE := $(VENV)/.core
# Tests that need VASSAL's own engine or other people's files skip where these are missing; a gate sets
# HEXFORGE_REQUIRE_WITNESS=1 and HEXFORGE_REQUIRE_SHARED=1, and then they fail instead.
EXTRAS ?= test
# A program uv, if it is named, installs in a third of the time.
UV ?=
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check
INSTALL := $(if $(UV),$(UV) pip install --python $(BIN)/python --compile-bytecode,$(PIP_INSTALL))
# Processes that test: more than there are cores, for engines and browsers let them wait.
JOBS ?= 3
# Tests by which coverage is not measured: they work through engines, browsers and processes that measuring does not see,
# or sweep through what other tests go through once. To measure is a third of the work of those that it sees.
UNMEASURED := browser fuzz generator hostile test_wheel.py witness \
	referee/test_combat_selfplay.py transcribe/test_cheats.py transcribe/test_logs_from_sheets.py
# The least share of lines and branches, in per cent, that the tests pass through.
FLOOR := 95
# A file's tests share what is loaded and built for them.
PYTEST := pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# What `make bench-compare` measures against, and what `make mutate` changes.
REV ?= HEAD~1
MODULE ?= validator/rules/duties.py

.PHONY: help demo test tests quick full ready measured unmeasured lint style types keys words grammar pictures bench bench-compare mutate fuzz golden golden-accept size clean

help:  ## Lists these targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

define environment
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hexforge needs Python 3.11 or later")'
$(PYTHON) -m venv $(VENV)
endef

$(STAMP): pyproject.toml
	$(environment)
	$(INSTALL) --quiet --editable '.[$(EXTRAS)]'
	touch $(CORE) $@

# Commands compile what they need of it as they run.
$(CORE): pyproject.toml
	$(environment)
	$(PIP_INSTALL) --quiet --no-compile --editable .
	touch $@

demo: export PYTHONDONTWRITEBYTECODE =
demo: $(CORE)  ## Builds every module into dist/ and checks an example turn.
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

# Tests run hundreds of commands as processes: each would compile the program for itself where the environment keeps
# Python from writing what it compiled. Files of tests start in the order of `tests/conftest.py`, the longest first.
# Checking types keeps one core busy alone: tests run beside it.
test: style  ## Runs style and type checks, and the tests: what a change has to pass.
	@$(MAKE) --no-print-directory --jobs=2 types tests

# What is made of the tests' assertions is kept as well, and made once.
tests quick: export PYTHONDONTWRITEBYTECODE =
tests: ready
	$(BIN)/python -m $(PYTEST)

# Where contracts are declared of which package may import which, they are checked as well.
quick: style  ## Runs what a change is likely to break, within a minute: REV=main for all since then.
	@if test -x $(BIN)/lint-imports; then $(BIN)/lint-imports; fi
	$(BIN)/python tests/quick.py $(REV)

full: export HEXFORGE_FULL := 1
full: style  ## Runs what the gate leaves out as well, in hours: all seeds, coverage with its floor, mutants.
	@$(MAKE) --no-print-directory --jobs=3 JOBS=2 types measured unmeasured
	-$(BIN)/python tests/mutate.py $(MODULE)

ready: $(STAMP)
	$(BIN)/python -m compileall -q hexforge art modulegen scenarios validator

measured: ready
	$(BIN)/python -m slipcover --json --out .coverage.json -m $(PYTEST) $(UNMEASURED:%=--ignore=tests/%)
	$(BIN)/python tests/covered.py .coverage.json $(FLOOR)

# What two runs say at once nobody can read: this one speaks when it has ended.
unmeasured: ready
	$(BIN)/python -m $(PYTEST) $(UNMEASURED:%=tests/%) > $(VENV)/unmeasured.txt 2>&1; \
		ended=$$?; cat $(VENV)/unmeasured.txt; rm $(VENV)/unmeasured.txt; exit $$ended

lint: style types  ## Runs style and type checks alone.

# A tree that was unpacked without its links (a ZIP on Windows, a source distribution) gets them for the type checker.
style: $(STAMP)
	@for name in art modulegen scenarios validator; do \
		test -d hexforge/$$name || ln -sfn ../$$name hexforge/$$name || exit; \
	done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: style
	$(BIN)/mypy

keys: $(STAMP)  ## Writes the pages of all keys of a game's files anew.
	$(BIN)/modulegen keys --lang en > docs/keys.md
	$(BIN)/modulegen keys --lang pt > docs/pt/chaves.md

words: $(STAMP)  ## Writes the pages of all words of turn sheets anew.
	$(BIN)/validator lsp --words --lang en > docs/words.md
	$(BIN)/validator lsp --words --lang pt > docs/pt/palavras.md

grammar: $(STAMP)  ## Writes the grammar by which editors colour sheets anew.
	$(BIN)/validator lsp --grammar > docs/editor/syntaxes/sheet.tmLanguage.json

pictures: $(STAMP)  ## Draws the pictures of the pages anew, with Chromium.
	$(BIN)/python -m tests.docs.pictures

bench: $(STAMP)  ## Measures how fast it is, and keeps the figures.
	$(BIN)/pytest benchmarks --benchmark-only --benchmark-autosave

bench-compare: $(STAMP)  ## Measures the commands of an earlier tree and of this one: REV=v0.1.0.
	$(BIN)/python benchmarks/compare.py $(REV)

mutate: $(STAMP)  ## Changes a module and names the changes that no test notices: MODULE=validator/rules/duties.py.
	$(BIN)/python tests/mutate.py $(MODULE)

fuzz: $(STAMP)  ## Feeds readers with spoilt files until stopped.
	$(INSTALL) --quiet --editable '.[fuzz]'
	$(BIN)/python tests/fuzz/run.py

size: $(STAMP)  ## Prints lines, modules and imports by room, and what changed: REV=main.
	$(BIN)/python tests/size.py $(REV)

golden: $(STAMP)  ## Compares what the product answers to all that is at hand with what is kept.
	$(BIN)/python -m tests.golden

golden-accept: $(STAMP)  ## Keeps what it answers now: WHY="the reason".
	$(BIN)/python -m tests.golden accept --why "$$WHY"

clean:  ## Removes the environment and what tools leave behind.
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .coverage.json build *.egg-info
