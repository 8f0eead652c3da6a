"""Sudoku: any board at all."""

from __future__ import annotations

import numpy as np
import oracles_sudoku as oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import PuzzleError, sudoku


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=40), st.integers(0, 2**32))
def test_any_board(clues, seed):
    """Counts are right, whatever the board; symmetric images have the same count and the same form."""
    board = np.zeros(81, np.uint8)
    for cell, digit in clues:
        board[cell] = digit
    expected = oracles.solutions(board.tolist(), oracles.houses(), 3)
    assert sudoku.count(board, limit=3) == len(expected)
    images = sudoku.transform(np.array([board] * 4), seed=seed)
    assert set(sudoku.count(images, limit=3).tolist()) == {len(expected)}
    if sudoku.check(board).status == "invalid":
        with pytest.raises(PuzzleError, match="invalid"):
            sudoku.canonical(images)
    else:
        assert len(np.unique(sudoku.canonical(np.array([board, *images])), axis=0)) == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=16, max_size=16))
def test_any_small_board(cells):
    expected = sorted(oracles.solutions(cells, oracles.houses(2, 2)))
    found = sudoku.enumerate(np.array(cells), box=(2, 2))
    assert [tuple(row) for row in found.array.tolist()] == expected
    assert sudoku.count(np.array(cells), limit=None, box=(2, 2)) == len(expected)
