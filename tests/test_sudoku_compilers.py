"""Sudoku: the kernels as gcc and clang make them at -O2 and -O3 give the very bytes that the wheel's give."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import known_sudoku as known
import numpy as np
import pytest
from cases_sudoku import LEVELS, digits
from cases_sudoku import made as made
from conftest import ROOT

from puzzlekit import _call

SOURCES = [*sorted((ROOT / "csrc/sudoku").glob("*.c")), ROOT / "csrc/work.c", ROOT / "csrc/rows.c"]


@pytest.fixture(scope="module", params=["gcc -O2", "gcc -O3", "clang -O2", "clang -O3"])
def library(request, tmp_path_factory):
    compiler, flag = request.param.split()
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    path = tmp_path_factory.mktemp("kernels") / "kernels.so"
    subprocess.run([compiler, flag, "-std=gnu11", "-shared", "-fPIC", *SOURCES, "-o", path], check=True, timeout=300)
    made = ctypes.CDLL(str(path))
    made.pk_plan_units.restype = made.pk_plan_row_bytes.restype = ctypes.c_uint64
    made.pk_run_new.restype = made.pk_run_take.restype = ctypes.c_void_p
    return made


def rows_of(library, name, arguments, limit):
    """What _call.enumerate_rows gives, by another library."""
    given = [
        ctypes.c_void_p(value.ctypes.data)
        if isinstance(value, np.ndarray)
        else None
        if value is None
        else ctypes.c_uint64(value)
        for value in arguments
    ]
    plan, count = ctypes.c_void_p(), ctypes.c_uint64()
    assert getattr(library, f"pk_{name}_plan")(*given, ctypes.byref(plan)) == 0
    run = ctypes.c_void_p(
        library.pk_run_new(
            plan,
            ctypes.c_uint64(0),
            ctypes.c_uint64(library.pk_plan_units(plan)),
            0,
            None,
            ctypes.c_uint64(limit),
            ctypes.c_size_t(2**64 - 1),
        )
    )
    library.pk_run_direct(run, ctypes.c_double(1e9))
    block = ctypes.c_void_p(library.pk_run_take(run, ctypes.byref(count)))
    rows = ctypes.string_at(block, count.value * library.pk_plan_row_bytes(plan))
    library.pk_free(block)
    library.pk_run_free(run)
    library.pk_plan_free(plan)
    return rows


@pytest.mark.slow
def test_compilers_agree(library, made):
    puzzles = np.ascontiguousarray(made).reshape(-1)
    several = np.array(digits(known.CASES[3][0]), np.uint8)
    orbit = np.arange(81, dtype=np.uint8)
    houses = np.array([[9 * r + c for c in range(9)] for r in range(9)], np.uint16).reshape(-1)
    jobs = [("sudoku_sample", (500, 1), 500), ("sudoku_canonical", (puzzles, len(made)), 10**6)]
    for cpu in range(len(LEVELS)):
        jobs += [
            ("sudoku_batch", (puzzles, len(made), 9, None, 0, 2, 1, cpu), 10**6),
            ("sudoku_all", (several, 9, None, 0, cpu), 10**6),
            ("sudoku_puzzles", (3, 0, 1, orbit, cpu), 100),
        ]
    jobs.append(("sudoku_batch", (puzzles, len(made), 9, houses, 9, 2, 1, 0), 10**6))
    for name, arguments, limit in jobs:
        expected = _call.enumerate_rows(_call.Plan(name, *arguments), limit=limit, threads=1).array
        assert len(expected)
        assert rows_of(library, name, arguments, limit) == expected.tobytes(), name
