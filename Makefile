# xwtui: `make help` lists the targets. Only Python 3.11, its venv module and make are needed.

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
SAMPLE  := puzzles/heart-to-heart.ipuz
BUILD   := build
NPM     := tests/formats/npm
WORKERS ?= 4
PORT    ?= 8786
PIP     := $(BIN)/python -m pip install --quiet --disable-pip-version-check --progress-bar off
# While pip works a terminal gets a dot every two seconds, and a log nothing. They end with the shell that runs pip,
# also where it is interrupted.
DOTS    := if [ -t 2 ]; then while sleep 2 && kill -0 $$$$ 2>/dev/null; do printf . >&2; done & fi
END_DOTS := [ ! -t 2 ] || echo >&2

# Programs that are started again and again find themselves compiled, whatever the shell has forbidden: each start of
# xwtui takes a third of the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run install test test-deep collect mutation lint bench bench-earlier plots bench-switches bench-public bench-scale calibrate cluster screenshots site readme strategies strategy-figures race wordlist glosses wheel release clean
.DEFAULT_GOAL := help

help:  ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*  ## /\1: /p' $(MAKEFILE_LIST) | while IFS=: read -r target summary; do \
	    printf '  make %-18s%s\n' "$$target" "$$summary"; done

run: $(VENV)/.installed  ## open the half-built sample; without a terminal: fill it, print it, export it
	@if [ -t 1 ] && [ -t 0 ]; then \
	    exec $(BIN)/xwtui $(SAMPLE); \
	else \
	    mkdir -p $(BUILD) && \
	    exec $(BIN)/xwtui fill $(SAMPLE) --time 60 --force \
	        -o $(BUILD)/heart-to-heart.puz -o $(BUILD)/heart-to-heart.ipuz 2>&1; \
	fi

install: $(VENV)/.installed  ## make .venv with xwtui in it

test: $(VENV)/.with-test-tools $(NPM)/node_modules/.installed  ## check everything: style, types, imports, then the whole suite
	@$(MAKE) --no-print-directory -j2 lint collect
	@PYTHON='$(PYTHON)' $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-deep: lint $(NPM)/node_modules/.installed  ## the suite with all examples, on each Python here, with the lowest and the newest dependencies: DEEP=3.12-lowest
	@HYPOTHESIS_PROFILE=deep PYTHON='$(PYTHON)' WORKERS=$(WORKERS) $(BIN)/python -m tests.packaging.deep $(DEEP)

# What pytest makes of the tests is kept in __pycache__: once, and not by every worker at the same time.
collect: $(VENV)/.with-test-tools
	@$(BIN)/python -m pytest -qqq --collect-only -p no:cacheprovider >$(VENV)/collected || { tail -40 $(VENV)/collected; exit 1; }

mutation: $(VENV)/.with-test-tools  ## spoil functions of modules chosen by chance, and count what the tests notice: SEED=30 MODULES=12
	@$(BIN)/python -m tests.mutation --seed $(or $(SEED),30) --modules $(or $(MODULES),12)

lint: $(VENV)/.with-test-tools  ## style, types and the direction of imports
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet . && echo 'style: clean'
	@$(BIN)/mypy
	@$(BIN)/lint-imports --config pyproject.toml

bench: $(VENV)/.with-bench-tools  ## the templates beside other fillers, and what starting takes, into docs/bench.md: BENCH=--quick
	@$(BIN)/python -m bench $(BENCH)

bench-earlier: $(VENV)/.with-bench-tools  ## the search beside that of an earlier commit, in one run: COMMIT=HASH
	@$(BIN)/python -m bench.earlier $(COMMIT) $(BENCH)

plots: $(VENV)/.with-bench-tools  ## draw how the search grows, into docs/growth-*.svg
	@$(BIN)/python -m bench growth $(BENCH)

bench-switches: $(VENV)/.with-test-tools  ## each switch of the search on its own, on hard grids, into docs/switches.md: DIR=FOLDER
	@$(BIN)/python -m bench.switches $(DIR) --write $(BENCH)

bench-public: $(VENV)/.with-test-tools  ## the published grids: make bench-public DIR=FOLDER
	@$(BIN)/python -m bench.public_grids $(DIR) --squares too --write docs/public-grids.md $(BENCH)

calibrate: $(VENV)/.with-bench-tools  ## how far off the counts of fills are, on known ones, into docs/calibration.md
	@$(BIN)/python -m bench.calibration

cluster: $(VENV)/.with-cluster-tools  ## a Dask scheduler and two workers here, until Ctrl+C, for batch --scheduler tcp://127.0.0.1:8786
	@$(BIN)/xwtui warmup
	@$(BIN)/dask scheduler --host 127.0.0.1 --port $(PORT) --no-dashboard & scheduler=$$!; trap 'kill $$scheduler' EXIT; \
	$(BIN)/dask worker tcp://127.0.0.1:$(PORT) --nworkers 2 --nthreads 1 --no-dashboard

bench-scale: $(VENV)/.with-test-tools  ## what batches cost on one, two and, simulated, a thousand processes, into docs/scale.md
	@$(BIN)/python -m bench.scale --write docs/scale.md $(BENCH)

screenshots: $(VENV)/.with-test-tools  ## draw docs/*.svg by running the screen
	@$(BIN)/python docs/screenshots.py

site: $(VENV)/.with-site-tools  ## build the pages as a site, into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

readme: $(VENV)/.installed  ## write tables of keys, verbs and rules, the manual page and completions, from the declarations
	@$(BIN)/python docs/verb_tables.py && $(BIN)/python docs/template_table.py && $(BIN)/python -m docs.man_page

strategies: $(VENV)/.with-test-tools  ## write tables and draw pictures of the strategies, into docs/strategies
	@$(BIN)/python -m docs.strategy_pages && $(BIN)/python -m docs.strategy_pictures

strategy-figures: $(VENV)/.with-bench-tools  ## measure what the pages of the strategies tell
	@$(BIN)/python -m docs.strategy_figures

race: $(VENV)/.with-bench-tools  ## let all strategies race on sample templates, into docs/strategies/race.md
	@$(BIN)/python -m docs.strategy_race

wordlist: $(VENV)/.installed  ## build wordlists/default.dict from its sources
	@$(BIN)/python wordlists/build.py

glosses: $(VENV)/.installed  ## build wordlists/glosses.zip from WordNet
	@$(BIN)/python wordlists/build_glosses.py

wheel: $(VENV)/.with-test-tools  ## build dist/*.whl and dist/*.tar.gz
	@$(BIN)/python -m build

release: $(VENV)/.with-test-tools $(VENV)/.with-release-tools  ## build the wheel and the sdist, check them, and try them on every Python here
	@$(BIN)/python -m tests.packaging.release

clean:  ## remove all that was made
	rm -rf $(VENV) $(BUILD) dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis $(NPM)/node_modules
	find xwtui tests bench wordlists docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo 'xwtui needs Python 3.11 or newer; say which with make PYTHON=python3.12' >&2; exit 1; }
	@echo 'making $(VENV)' >&2
	@$(PYTHON) -m venv $(VENV) || { echo 'Python lacks its venv module; on Debian: apt install python3-venv' >&2; exit 1; }
	@echo 'installing xwtui and what it needs in it (about a minute)' >&2
	@$(DOTS); $(PIP) -e . && status=0 || status=$$?; $(END_DOTS); exit $$status
	@touch $@

$(VENV)/.with-%-tools: $(VENV)/.installed
	@echo 'installing the tools for make $* (about a minute)' >&2
	@$(DOTS); $(PIP) -e '.[$*]' && status=0 || status=$$?; $(END_DOTS); exit $$status
	@touch $@

# Readers of .puz and .xd that we did not write, and what drives a browser; their tests are skipped without them.
$(NPM)/node_modules/.installed: $(wildcard $(NPM)/package*.json)
	@if ! command -v npm >/dev/null; then \
	    echo 'no npm here: the tests with its packages are skipped' >&2; \
	elif cd $(NPM) && npm ci --no-audit --no-fund --loglevel=error >/dev/null; then \
	    touch node_modules/.installed; \
	else \
	    echo 'npm could not install its packages: their tests are skipped' >&2; \
	fi
