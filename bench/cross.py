"""The cross: what is measured."""

from __future__ import annotations

import ctypes
import hashlib
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench import cases
from bench.runner import Job, Peer, textbook
from puzzlekit import cross

MAIN = cases.CROSS[0]
ARRAY = "1..16 as an array"
FILE = "1..16 as a text file"
_FOLDER = tempfile.TemporaryDirectory()


def jobs() -> Iterator[Job]:
    """The main job and its like; then other numbers, as arrays too. All with one thread."""
    search = partial(cross.enumerate, MAIN.values, threads=1)
    ours, theirs = Path(_FOLDER.name, "puzzlekit.txt"), Path(_FOLDER.name, "textbook.txt")
    yield Job(ARRAY, lambda: search().array, cases.CROSS_DIGEST, _digest)
    yield Job("  textbook in C", _textbook_rows("cross_dfs"), cases.CROSS_DIGEST, _digest, ARRAY)
    yield Job("  textbook in C, unrolled", _textbook_rows("cross_dfs_unrolled"), cases.CROSS_DIGEST, _digest, ARRAY)
    saved = partial(_file_digest, ours)
    yield Job(FILE, lambda: search().save(ours), cases.CROSS_DIGEST, saved, before=_gone(ours))
    printed, write = partial(_file_digest, theirs), _textbook_file(theirs)
    yield Job("  textbook in C, fprintf", write, cases.CROSS_DIGEST, printed, FILE, _gone(theirs))
    yield Job("1..16 as ranks", lambda: search().ranks, cases.CROSS_DIGEST, lambda ranks: _digest(ranks + np.uint8(1)))
    yield Job("1..16 counted", partial(cross.count, MAIN.values, threads=1), MAIN.fillings)
    for case in cases.CROSS[1:]:
        yield Job(case.name, partial(_all_of, case), case.fillings, partial(_fillings, case))


def peers() -> Iterator[Peer]:
    for name, key in (("OR-Tools CP-SAT", "ortools"), ("python-constraint2", "constraint")):
        yield Peer(f"1..16 by {name}", "bench.peers_cross", [key], MAIN.fillings, _check_lines, ARRAY)


def _all_of(case: cases.Cross) -> cross.Solutions:
    found = cross.enumerate(case.values, threads=1)
    _ = found.array  # made when it is asked for
    return found


def _fillings(case: cases.Cross, found: cross.Solutions) -> int:
    """How many there are, if they are fillings and all distinct."""
    assert cross.verify(case.values, found).all()
    assert len(np.unique(found.ranks, axis=0)) == len(found)
    return len(found)


def _digest(rows: np.ndarray[Any, Any]) -> str:
    in_order = np.unique(rows.astype(np.uint8), axis=0)
    assert len(in_order) == len(rows)
    return hashlib.sha256(in_order.tobytes()).hexdigest()


def _file_digest(path: Path, _: object) -> str:
    rows = np.loadtxt(path, np.int64)
    assert (rows[:, 0] == rows[:, 1:4].sum(axis=1)).all()
    return _digest(rows[:, 1:])


def _gone(path: Path) -> Callable[[], None]:
    """Files are new each time: to replace one that was just written, some file systems wait for the disk."""
    return partial(path.unlink, missing_ok=True)


def _check_lines(lines: list[str]) -> None:
    if lines:
        rows = np.loadtxt(lines, np.int64, ndmin=2)
        assert cross.verify(MAIN.values, rows).all()
        assert len(np.unique(rows, axis=0)) == len(rows)


def _textbook_rows(function: str) -> Callable[[], np.ndarray[Any, Any]]:
    search = textbook("cross_dfs")[function]
    search.argtypes, search.restype = [ctypes.c_void_p, ctypes.c_size_t], ctypes.c_size_t

    def run() -> np.ndarray[Any, Any]:
        rows = np.empty((MAIN.fillings + 1, 16), np.uint8)
        return rows[: search(rows.ctypes.data, len(rows))]

    return run


def _textbook_file(path: Path) -> Callable[[], None]:
    write = textbook("cross_dfs").cross_dfs_file
    write.argtypes, write.restype = [ctypes.c_char_p], ctypes.c_size_t

    def run() -> None:
        assert write(bytes(path)) == MAIN.fillings

    return run
