"""What all tests share: they run against the installed package, and some are not for an instrumented one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import _call, queens

SANITIZED = os.environ.get("PUZZLEKIT_SANITIZE", "0") not in ("", "0")
ROOT = Path(__file__).resolve().parent.parent
PROCESSORS = _call.CPU_LEVELS[: _call.lib.pk_cpu_level() + 1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--wheel", type=Path, help="the wheel that the tests marked 'wheels' install")


def pytest_configure(config: pytest.Config) -> None:
    if Path(puzzlekit.__file__).is_relative_to(ROOT / "puzzlekit"):
        raise pytest.UsageError("the tests are for the installed wheel, and this imports the sources: use make test")


@pytest.fixture(params=PROCESSORS)
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every variant of the kernels that this machine can run."""
    monkeypatch.setenv("PUZZLEKIT_CPU", request.param)


@pytest.fixture(params=["search", "join"])
def queens_kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same boards by the plain search and by joining quadrants, whichever would be chosen."""
    joins = request.param == "join"
    if not joins and os.environ.get("PUZZLEKIT_CPU", "portable") != "portable":
        pytest.skip("the plain search has no variants")
    monkeypatch.setattr(queens.Queens, "_joined", lambda self: joins and not self.toroidal and self.n >= 4)
    monkeypatch.setattr("puzzlekit.queens._search._SMALL", frozenset())
