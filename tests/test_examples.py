"""Every example in the docstrings and in the README is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
from conftest import ROOT

import puzzlekit

MODULES = ["puzzlekit", *(name for _, name, _ in pkgutil.walk_packages(puzzlekit.__path__, "puzzlekit."))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("_kernel", "__main__"))])
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


def test_public_functions_have_examples():
    for module in (getattr(puzzlekit, name) for name in puzzlekit.__all__):
        if not isinstance(module, type(puzzlekit)):
            continue
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                assert thing.__doc__, name
                assert isinstance(thing, type) or ">>> " in thing.__doc__, name


@pytest.mark.parametrize("path", ["README.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md"))])
def test_documents(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(str(ROOT / path), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert outcome.failed == 0
    assert outcome.attempted > 0 or path != "README.md"
