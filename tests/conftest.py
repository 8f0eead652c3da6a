"""What all tests share: they run against the installed package, and some are not for an instrumented one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import puzzlekit

SANITIZED = os.environ.get("PUZZLEKIT_SANITIZE", "0") not in ("", "0")
ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--wheel", type=Path, help="the wheel that the tests marked 'wheels' install")


def pytest_configure(config: pytest.Config) -> None:
    if Path(puzzlekit.__file__).is_relative_to(ROOT / "puzzlekit"):
        raise pytest.UsageError("the tests are for the installed wheel, and this imports the sources: use make test")
