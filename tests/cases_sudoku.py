"""Puzzles and rules that several tests of sudoku use, and kinds of vectors to use them with."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from puzzlekit import _call, sudoku

DATA = Path(os.environ.get("PUZZLEKIT_DATA", Path(__file__).parents[2] / "shared" / "data")) / "sudoku"
LEVELS = _call.CPU_LEVELS[: _call.call("pk_cpu_level") + 1]
WIKI = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
WINDOWS = [[9 * (r + i) + c + j for i in range(3) for j in range(3)] for r in (1, 5) for c in (1, 5)]
JIGSAW = """
AAAABBCCC
AAABBBCCC
AABBBBCCC
DDDEEEEFF
DDDEEEFFF
GDDEEFFFF
GGDHHHIII
GGGHHHIII
GGGHHHIII
"""


def digits(text):
    return [int(symbol) if symbol.isdigit() else 0 for symbol in text]


def text(cells):
    return "".join(map(str, np.asarray(cells).reshape(-1).tolist())).replace("0", ".")


@pytest.fixture(params=LEVELS)
def level(request, monkeypatch):
    """Each kind of vectors that this machine has."""
    monkeypatch.setenv("PUZZLEKIT_CPU", request.param)
    return request.param


@pytest.fixture(scope="module")
def made():
    """Puzzles of every kind, made here: minimal, symmetric, spoiled, loosened, empty."""
    pick = random.Random(9)
    puzzles = [*sudoku.puzzles(50, seed=1).array, *sudoku.puzzles(10, symmetry="rotation", seed=2).array]
    spoiled, loosened = [], []
    for puzzle in puzzles[:30]:
        wrong = puzzle.copy()
        cell = pick.choice(np.flatnonzero(wrong == 0).tolist())
        wrong[cell] = pick.randint(1, 9)
        spoiled.append(wrong)
    for puzzle in puzzles[30:]:
        loose = puzzle.copy()
        loose[pick.choice(np.flatnonzero(loose).tolist())] = 0
        loosened.append(loose)
    return np.array([*puzzles, *spoiled, *loosened])
