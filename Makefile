# Everything a newcomer needs: `make run` and `make test` on a machine with Python 3.11+, git and make.
# Packages come from the exact, hashed locks in config/lock; nothing is installed outside .venv, but for what
# apt-get may add when a Debian machine lacks Python's own venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
APT := env DEBIAN_FRONTEND=noninteractive apt-get
# Twice quiet: a mirror's warnings are not a newcomer's business; errors still show.
PIP := $(BIN)/pip --disable-pip-version-check --quiet --quiet
# Hundreds of programs start in the tests: what was compiled once is kept, with everything else that is made, in var.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/var/pycache

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run unit test coverage lint bench campaign mutants lock deb clean

help:  ## what there is to make
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/ready  ## build .venv with the command .venv/bin/pozo

$(VENV)/python-ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "pozo needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3 ..."; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "this Python lacks its venv module; trying to install Debian's python3-venv"; \
	  rm -rf $(VENV); \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    $(APT) update -qq && $(APT) install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); \
	  else \
	    echo "missing: the package python3-venv; install it and call make again"; exit 1; \
	  fi; }
	@mkdir -p var && echo '*' | tee var/.gitignore > $(VENV)/.gitignore
	@touch $@

$(VENV)/ready: $(VENV)/python-ready config/lock/develop.txt pyproject.toml
	@echo "setting up $(VENV) from config/lock/develop.txt"
	@$(PIP) install --require-hashes -r config/lock/develop.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# Foreign evaluators and masters are witnesses and peers. One that has no build for this machine is said and skipped.
$(VENV)/peers: $(VENV)/ready config/lock/peers.txt
	@$(PIP) install --require-hashes -r config/lock/peers.txt \
	  || echo "some foreign evaluators and masters could not be installed; tests and benches that need them name them"
	@touch $@

# A driver of browsers: the browser itself is Debian's (TOOLS).
$(VENV)/browser: $(VENV)/ready config/lock/browser.txt
	@$(PIP) install --only-binary :all: --require-hashes -r config/lock/browser.txt \
	  || echo "playwright could not be installed; the tests of the faces in a browser are skipped by name"
	@touch $@

# Its import name is another package's too, so it lives alone.
$(VENV)/alphasign/ready: $(VENV)/ready config/lock/alphasign.txt
	@$(PYTHON) -m venv $(VENV)/alphasign
	@$(VENV)/alphasign/bin/pip --disable-pip-version-check --quiet --quiet install \
	  --require-hashes -r config/lock/alphasign.txt \
	  || echo "alphasignpy could not be installed; tests that need it are skipped by name"
	@touch $@

# It invents requests from our OpenAPI description. It brings a pytest and a hypothesis of its own, so it lives alone.
$(VENV)/api/ready: $(VENV)/ready config/lock/api.txt
	@$(PYTHON) -m venv $(VENV)/api
	@$(VENV)/api/bin/pip --disable-pip-version-check --quiet --quiet install \
	  --require-hashes -r config/lock/api.txt \
	  || echo "schemathesis could not be installed; tests that need it are skipped by name"
	@touch $@

# Coverage-guided fuzzing, for the campaign only. It comes as a wheel or not at all: its source needs a whole compiler.
$(VENV)/fuzz: $(VENV)/ready config/lock/fuzz.txt
	@$(PIP) install --only-binary :all: --require-hashes -r config/lock/fuzz.txt \
	  || echo "atheris has no wheel for this Python; its campaign is skipped by name"
	@touch $@

# What the tests and benches need beyond PyPI: strace (I/O errors), pdftotext, openssl, pgbench; and foreign ends of a
# Modbus line: mbpoll, libmodbus, node, with socat and tshark between; and a browser, which has no letters of its own.
# Absent ones are said, and the tests whose peer is absent are skipped by name.
TOOLS := strace pdftotext openssl pgbench mbpoll tshark socat gcc pkg-config node npm systemd-analyze chromium cage \
  Xwayland mmdebstrap
PACKAGES := strace poppler-utils openssl postgresql mbpoll tshark socat gcc libc6-dev pkg-config libmodbus-dev systemd \
  chromium fonts-dejavu-core cage xwayland mmdebstrap
$(VENV)/tools: $(VENV)/ready Makefile
	@missing() { for tool in $(TOOLS); do \
	    command -v $$tool >/dev/null || ls /usr/lib/postgresql/*/bin/$$tool >/dev/null 2>&1 || printf ' %s' $$tool; done; \
	  pkg-config --exists libmodbus 2>/dev/null || printf ' libmodbus-dev'; }; \
	needed="$$(missing)"; \
	if [ -n "$$needed" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing what the tests need:$$needed"; \
	  node="$$(command -v npm >/dev/null || echo nodejs npm)"; \
	  { $(APT) update -qq && $(APT) install -y -qq --no-install-recommends $(PACKAGES) $$node; } >$(VENV)/tools.log 2>&1 \
	    || echo "apt-get could not; see $(VENV)/tools.log"; \
	  needed="$$(missing)"; \
	fi; \
	[ -z "$$needed" ] || echo "missing:$$needed (tests that need them are skipped by name)"
	@touch $@

# Node's packages by exact, hashed versions; none of their scripts is run. What fails is tried again by the next make.
var/npm/ready: tests/foreign/package-lock.json tests/foreign/package.json | $(VENV)/tools
	@mkdir -p var/npm && cp tests/foreign/package.json tests/foreign/package-lock.json var/npm/
	@if command -v npm >/dev/null && npm --prefix var/npm ci --ignore-scripts --no-audit --no-fund --silent; then touch $@; \
	else echo "npm could not install axe-core, jsmodbus, modbus-serial, parser-cctalk, typescript; tests that need them are skipped by name"; fi

# A foreign master and a foreign slave, built on Debian's libmodbus.
var/foreign/%: tests/foreign/%.c tests/foreign/contract.h | $(VENV)/tools
	@mkdir -p var/foreign && rm -f $@
	@{ pkg-config --exists libmodbus && $(CC) -Wall -Wextra -Werror -O1 $$(pkg-config --cflags libmodbus) -o $@ $< \
	  $$(pkg-config --libs libmodbus); } || echo "$@ could not be built; tests that need it are skipped by name"

# A recorder of what a program does to a folder, for imagined power cuts.
var/foreign/powerloss.so: tests/foreign/powerloss.c | $(VENV)/tools
	@mkdir -p var/foreign && rm -f $@
	@$(CC) -Wall -Wextra -Werror -O1 -shared -fPIC -o $@ $< || echo "$@ could not be built; tests that need it are skipped by name"

# The reference firmware (docs/first-unit.md): as a program, with sanitizers, as objects for a board, and for virtual time.
REFERENCE := firmware_sim/reference
var/foreign/unit: $(wildcard $(REFERENCE)/*) tests/foreign/virtual_unit.c | $(VENV)/tools
	@mkdir -p var/foreign && rm -f $@
	@{ command -v gcc >/dev/null && $(MAKE) --silent -C $(REFERENCE) OUT=$(CURDIR)/var/foreign all tests; } \
	  || echo "$@ could not be built; tests that need it are skipped by name"

FOREIGN := $(VENV)/peers $(VENV)/browser $(VENV)/alphasign/ready $(VENV)/api/ready $(VENV)/tools var/npm/ready \
  var/foreign/master var/foreign/slave var/foreign/powerloss.so var/foreign/unit

run: setup  ## a casino of three tables at play on the real node, with simulated devices: SPEED=20, CASINOS=2
	@sh docs/examples/tour.sh $(BIN)

PYTEST := $(BIN)/pytest -q --durations=5 --durations-min=0.1
CORES := $$(nproc)
# What is money is covered whole, every branch, and by its own tests alone.
LAW := tests/rules tests/core tests/campaign/test_core_histories.py

unit: setup  ## tests without a process, a port or a sleep; what computes for seconds (`long`, tests/campaign) only in `make test`
	@$(PYTEST) -n $(CORES) -m 'not process and not campaign and not long' --ignore=tests/campaign

# As many workers as cores, and one test at a time to each: every one of them starts nodes, units and browsers of its own,
# and where a machine is too busy, units fall silent as they should.
# A file of tests/web goes to one worker, with its casino and its browser.
test: $(FOREIGN)  ## everything that must hold, in its short form
	@date +%s >var/began
	@$(MAKE) --no-print-directory lint
	@rm -f var/coverage*
	@$(PYTEST) -n $(CORES) $(LAW) --cov=controller/rules --cov=controller/core --cov-report=
	@$(BIN)/coverage report --fail-under=100
	@$(PYTEST) -n $(CORES) --maxschedchunk 1 --dist loadgroup $(LAW:%=--ignore=%)
	@echo "make test: $$(($$(date +%s) - $$(cat var/began))) s"

deb: setup  ## a Debian package with everything inside, in var/deb; two builds of one commit are one file
	@$(BIN)/python config/release/deb.py var/deb

coverage: $(FOREIGN)  ## what all tests reach, real processes included; slow
	@rm -f var/coverage*
	@$(PYTEST) -n $$((2 * $(CORES))) --dist loadgroup --cov --cov-report=
	@$(BIN)/coverage report --skip-covered --fail-under=98

lint: setup  ## ruff and mypy
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy
	@$(BIN)/mypy --config-file= --strict --cache-dir var/mypy/release --follow-imports silent config/release/*.py

bench: $(FOREIGN) var/foreign/bench_master  ## our speed beside the peers', in one run
	@PYTHONPATH=tests $(BIN)/python -m bench.law
	@PYTHONPATH=tests $(BIN)/python -m bench.ledger
	@PYTHONPATH=tests $(BIN)/python -m bench.devices
	@PYTHONPATH=tests $(BIN)/python -m bench.node
	@PYTHONPATH=tests $(BIN)/python -m bench.tables
	@PYTHONPATH=tests $(BIN)/python -m bench.links
	@PYTHONPATH=tests $(BIN)/python -m bench.web

campaign: $(FOREIGN) $(VENV)/fuzz  ## the full figures of what `make test` holds in a short form
	@POZO_CAMPAIGN=1 $(BIN)/pytest -n auto -v -m campaign --durations=0 --durations-min=30
	@tail -qn 1 var/fuzz/*.log

mutants: setup  ## change settlement and accrual in every small way; every change must fail a test
	@$(PIP) install --require-hashes -r config/lock/mutants.txt
	@PYTHONPATH=tests $(BIN)/python -m campaign.mutants

EXACT := --universal --python-version 3.11 --generate-hashes --no-annotate --quiet --upgrade \
  --custom-compile-command "make lock"
lock: setup  ## resolve the exact versions anew
	@$(PIP) install 'uv>=0.13'
	@for group in runtime: develop:--group=develop peers:--group=peers mutants:--group=develop,--group=mutants; do \
	  $(BIN)/uv pip compile pyproject.toml $$(echo "$${group#*:}" | tr ',' ' ') $(EXACT) \
	    -o "config/lock/$${group%%:*}.txt"; \
	done
	@for group in alphasign api browser fuzz; do \
	  $(BIN)/uv pip compile --group=pyproject.toml:$$group $(EXACT) -o "config/lock/$$group.txt"; \
	done

clean:  ## remove what make made
	@rm -rf $(VENV) var
