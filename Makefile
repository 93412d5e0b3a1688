# make run    opens the window          make test   every check and test
# Each does its own set-up in .venv; nothing else is needed on a fresh machine with Python 3.11.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test lint unit clean

run: $(VENV)/.ready
	$(BIN)/biplane $(ARGS)

test: lint unit

lint: $(VENV)/.ready-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.ready-test
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(ARGS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Biplane needs Python 3.11 or newer: set PYTHON=python3.11."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python cannot make a virtual environment: install python3-venv."; exit 1; }

$(VENV)/.ready: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.ready-test: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/.ready

clean:
	rm -rf $(VENV) build dist
