# make run    opens the window          make test   what every change must pass
# make package   what people install    make full   and what takes long
# Each does its own set-up in .venv; nothing else is needed on a fresh machine with Python 3.11.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Where the kernels in C are changed, installing again compiles them.
NATIVE := kernels/native/compile.py $(wildcard kernels/native/src/*)

.PHONY: run test lint unit full sanitized package check-package clean

run: $(VENV)/.ready
	$(BIN)/biplane $(ARGS)

test: lint unit

lint: $(VENV)/.ready-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# On all cores, each file in one process, which no other replaces should it die (the rest would
# wait for it without end); a part of the tests in one, whose output is seen as it comes, the slow
# ones among them.
WORKERS ?= $(if $(ARGS),0,auto)
CHOICE ?= $(if $(ARGS),,-m "not slow")

unit: $(VENV)/.ready-test
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadfile --max-worker-restart 0 $(CHOICE) $(ARGS)

# Kills, real keys, every view in both languages, the large grids: run before a change is called
# done.
full: CHOICE =
full: test sanitized
	$(MAKE) check-package ARGS=--if-possible

# Needs gcc.
sanitized: $(VENV)/.ready-test
	$(BIN)/python -m tests.kernels.sanitized

# The Debian package and the tarball, in dist/: needs binutils and dpkg.
package: $(VENV)/.ready-test
	PYTHONPATH=packaging $(BIN)/python -m bundle build $(ARGS)

# Installs and uses them in clean systems: needs root, and what it names where it is missing.
check-package: $(VENV)/.ready-test
	$(MAKE) package ARGS=
	PYTHONPATH=packaging $(BIN)/python -m bundle check $(ARGS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Biplane needs Python 3.11 or newer: set PYTHON=python3.11."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python cannot make a virtual environment: install python3-venv."; exit 1; }

# A compiler that can be had neither here nor from the index is no reason to stop.
install = { $(PIP) --editable $(1) || { \
  echo "Trying once more, without the kernels in C, which need a compiler."; \
  BIPLANE_KERNELS=torch $(PIP) --editable $(1); }; } && $(BIN)/python -m kernels.native.library

$(VENV)/.ready: pyproject.toml constraints.txt packaging/native_hook.py $(NATIVE) | $(BIN)/python
	@$(call install,.)
	@touch $@

$(VENV)/.ready-test: pyproject.toml constraints.txt packaging/native_hook.py $(NATIVE) | $(BIN)/python
	@$(call install,'.[test]')
	@touch $@ $(VENV)/.ready

clean:
	rm -rf $(VENV) build dist kernels/native/biplane_kernels.*
