# `make demo` shows it, `make test` proves it; both make .venv and install what is missing.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
DATA   ?= data

.PHONY: help demo test test-server lint format bench reference clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo       install, start an embedded PostgreSQL, store a conversation and ask it questions'
	@echo 'make test       every test, on an embedded PostgreSQL (ENGRAM_TEST_POSTGRES=16 for that version)'
	@echo 'make test-server  the image of the server in containers; needs a Docker engine'
	@echo 'make lint       ruff and mypy'
	@echo 'make format     ruff format and its safe fixes'
	@echo 'make bench      the benchmarks over DATA=folder (locomo_dev.json, cjk/, write_gate_dev.jsonl)'
	@echo 'make reference  docs/reference from the comments in the database'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(f"Python 3.11 or later is needed, this is {v[0]}.{v[1]}: make PYTHON=python3.12 …" if v < (3, 11) else 0)'
	@echo '· making $(VENV)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml tools/build_hook.py $(BIN)/python
	@echo '· installing engram-pg and what it needs (about a minute the first time)'
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo '· installing the tools for tests'
	@$(PIP) --editable '.[dev]'
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/engram-pg demo

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest $(ARGS)

test-server: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest tests/server $(ARGS)

lint: $(VENV)/.installed-dev
	@echo '· ruff'
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo '· mypy'
	@$(BIN)/mypy

format: $(VENV)/.installed-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.installed
	@$(BIN)/engram-pg bench locomo --data $(DATA)/locomo_dev.json
	@$(BIN)/engram-pg bench retrieval --memories $(DATA)/cjk/memories.jsonl --queries $(DATA)/cjk/queries_dev.jsonl
	@$(BIN)/engram-pg bench gate --data $(DATA)/write_gate_dev.jsonl
	@$(BIN)/engram-pg bench isolation
	@$(BIN)/engram-pg bench speed

reference: $(VENV)/.installed-dev
	@$(BIN)/python tools/reference.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
