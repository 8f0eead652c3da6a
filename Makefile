# Two commands on a fresh machine with Python, make and a C compiler: `make demo` and `make test`.
# Each makes .venv if it is missing, builds a wheel, installs it there, and runs what is installed, not this folder.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py MANIFEST.in README.md LICENSE $(shell find csrc puzzlekit -name '*.py' -o -name '*.pyi' -o -name '*.[ch]')
PYTEST := $(BIN)/pytest -n auto

.PHONY: demo test slow bench lint sanitize wheels clang clean

demo: $(VENV)/installed
	@mkdir -p demo
	$(BIN)/puzzlekit cross -o demo/cross.txt
	@echo "All of them are in demo/cross.txt, a line each: the sum, then the cells row by row."

test: $(VENV)/installed-test
	$(PYTEST)

slow: $(VENV)/installed-test
	$(PYTEST) -m "not wheels"

wheels: $(VENV)/installed-test
	$(BIN)/pytest -s -m wheels --wheel="$$(ls $(VENV)/dist/*.whl)" tests/test_source.py

# The suite once more, on what clang makes of the kernels.
clang:
	$(MAKE) CC=clang VENV=.venv-clang test

bench: $(VENV)/installed-bench
	$(BIN)/python -m bench

lint: $(VENV)/installed-test
	$(BIN)/pip install --quiet ruff==0.17.6
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	sh csrc/lint.sh

# AddressSanitizer must be loaded before Python; what Python itself never frees is no leak of ours.
sanitize:
	$(MAKE) VENV=.venv-sanitize PUZZLEKIT_SANITIZE=1 .venv-sanitize/installed-test
	PUZZLEKIT_SANITIZE=1 ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so) $$($${CC:-cc} -print-file-name=libubsan.so)" \
	.venv-sanitize/bin/pytest -n auto

$(VENV)/made:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/built: $(VENV)/made $(SOURCES)
	rm -rf build $(VENV)/dist
	PUZZLEKIT_SANITIZE=$(PUZZLEKIT_SANITIZE) $(BIN)/pip wheel --quiet --no-deps --wheel-dir $(VENV)/dist .
	rm -rf build *.egg-info
	touch $@

$(VENV)/installed: $(VENV)/built
	$(BIN)/pip install --quiet --force-reinstall --no-deps $(VENV)/dist/*.whl
	$(BIN)/pip install --quiet $(VENV)/dist/*.whl
	[ $(VENV) != .venv ] || { rm -rf dist && cp -r $(VENV)/dist dist; }
	touch $@

$(VENV)/installed-%: $(VENV)/installed
	$(BIN)/pip install --quiet "$$(ls $(VENV)/dist/*.whl)[$*]" $(if $(filter test,$*),pytest-xdist)
	touch $@

clean:
	rm -rf .venv .venv-sanitize .venv-clang build dist demo *.egg-info .mypy_cache .pytest_cache .ruff_cache .benchmarks .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
