"""Sudoku: what is measured. Lists collected by others take part when they are there: beside the checkout, or wherever
PUZZLEKIT_DATA says."""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from bench import ROOT
from bench.runner import Job, Peer, textbook
from puzzlekit import _call, sudoku
from puzzlekit.__main__ import main

WIKI: Final = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED: Final = "2,000 minimal puzzles solved"
GRIDS: Final = "1,000,000 grids to a file"
DATA: Final = Path(os.environ.get("PUZZLEKIT_DATA", ROOT.parent / "shared" / "data")) / "sudoku"
_LISTS: Final = (
    "easy_puzzles.txt",
    "clue17_puzzles.txt",
    "top1465_first1200.csv",
    "hardest1905_1000.csv",
    "hardest1106_375.csv",
)
_FOLDER = tempfile.TemporaryDirectory()


@cache
def minimal() -> sudoku.Puzzles:
    """Puzzles that are the same in every run."""
    return sudoku.puzzles(2000, seed=1)


def jobs() -> Iterator[Job]:
    """Everything with one thread."""
    puzzles, solutions = minimal().array.copy(), minimal().solutions
    assert solutions is not None
    expected = solutions.tobytes()
    yield Job(SOLVED, lambda: sudoku.solve(puzzles, threads=1), expected, _all_unique)
    yield Job("  textbook in C", partial(_textbook_solve, puzzles), expected, bytes, SOLVED)
    yield Job("one puzzle, from a string to an array", lambda: sudoku.solve(WIKI), 405, lambda grid: int(grid.sum()))
    ours, theirs = Path(_FOLDER.name, "puzzlekit.txt"), Path(_FOLDER.name, "textbook.txt")
    write = partial(_command, ["sudoku", "-c", "1000000", "--first", "1", "--threads", "1", "-o", str(ours)])
    yield Job(GRIDS, write, (1_000_000, True), partial(_grids, ours), before=_gone(ours))
    yield Job(
        "  textbook in C, buffered",
        partial(_textbook_grids, theirs),
        (1_000_000, True),
        partial(_grids, theirs),
        GRIDS,
        _gone(theirs),
    )
    yield Job("20,000 uniformly random grids", lambda: sudoku.sample(20_000, seed=1, threads=1), 20_000, _distinct)
    grids = sudoku.sample(10_000, seed=2).array
    forms = sudoku.canonical(grids)
    moved = sudoku.transform(grids, seed=3)
    yield Job(
        "10,000 grids to canonical form",
        lambda: sudoku.canonical(moved, threads=1),
        forms.tobytes(),
        lambda found: found.tobytes(),
    )
    puzzle_forms = sudoku.canonical(puzzles)
    moved_puzzles = sudoku.transform(puzzles, seed=4)
    yield Job(
        "2,000 minimal puzzles to canonical form",
        lambda: sudoku.canonical(moved_puzzles, threads=1),
        puzzle_forms.tobytes(),
        lambda found: found.tobytes(),
    )
    yield Job(
        "500 minimal puzzles made",
        lambda: sudoku.puzzles(500, seed=5, threads=1),
        500,
        lambda found: _unique(sudoku.solve(found)),
    )
    levels = _call.CPU_LEVELS[: _call.call("pk_cpu_level") + 1]
    for name in _LISTS:
        if (DATA / name).exists():
            listed = sudoku.read(DATA / name).array.copy()
            title = name.split("_")[0]
            label = f"{title}, {len(listed):,} puzzles solved, {levels[-1]}"
            for level in reversed(levels):
                yield Job(
                    label if level == levels[-1] else f"  {title}, {level}",
                    partial(_solve_with, level, listed),
                    len(listed),
                    _unique,
                    None if level == levels[-1] else label,
                )


def peers() -> Iterator[Peer]:
    for name in ("exact-cover", "py-sudoku", "sudokutools", "lib-sudoku", "dokusan"):
        yield Peer(f"the same by {name}", "bench.peers_sudoku", [name], len(minimal()), _check_lines, SOLVED)


def _solve_with(level: str, puzzles: np.ndarray[Any, Any]) -> sudoku.Answers:
    with patch.dict(os.environ, PUZZLEKIT_CPU=level):
        answers: sudoku.Answers = sudoku.solve(puzzles, threads=1)
    return answers


def _unique(answers: sudoku.Answers) -> int:
    return int((answers.status == 1).sum())


def _all_unique(answers: sudoku.Answers) -> bytes:
    assert (answers.status == 1).all()
    return answers.array.tobytes()


def _textbook_solve(puzzles: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    out = np.empty_like(puzzles)
    function = textbook("sudoku").sudoku_solve
    function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p], ctypes.c_size_t
    assert function(puzzles.ctypes.data, len(puzzles), out.ctypes.data) == len(puzzles)
    return out


def _textbook_grids(path: Path) -> None:
    function = textbook("sudoku").sudoku_grids
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_size_t], ctypes.c_size_t
    assert function(bytes(path), 1_000_000) == 0


def _command(arguments: list[str]) -> None:
    assert main(arguments) == 0


def _grids(path: Path, _: object) -> tuple[int, bool]:
    """How many different grids a file holds, and whether all begin with 1 and, looked at here and there, are right."""
    lines = np.fromfile(path, np.uint8).reshape(-1, 82)
    some = lines[::499, :81] - ord("0")
    good = bool((lines[:, 0] == ord("1")).all() and sudoku.verify(None, some).all())
    return len(np.unique(np.ascontiguousarray(lines).view("V82"))), good


def _distinct(found: sudoku.Solutions) -> int:
    assert sudoku.verify(None, found).all()
    return len(np.unique(found.array, axis=0))


def _gone(path: Path) -> Callable[[], None]:
    return partial(path.unlink, missing_ok=True)


def _check_lines(lines: list[str]) -> None:
    solutions = minimal().solutions
    assert solutions is not None
    for line, solution in zip(lines, solutions):
        assert line.strip() == "".join(map(str, solution.tolist()))
