"""Sudoku: canonical forms, isomorphism and transformations."""

from __future__ import annotations

import itertools

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
import pytest
from cases_sudoku import HARD, WIKI, digits, text

from puzzlekit import PuzzleError, sudoku


def test_minlex_against_oracle():
    grids = [*sudoku.sample(6, seed=3).array, *sudoku.grids(2, distinct="essentially", seed=4).array]
    grids += [np.array(digits(known.MOST_CANONICAL)), sudoku.transform(np.array(digits(known.MOST_CANONICAL)), seed=1)]
    grids += list(sudoku.enumerate("." * 81, limit=3).array)
    for grid in grids:
        least, ties = oracles.minlex(grid.tolist())
        assert sudoku.canonical(grid).tolist() == list(least)
        assert sudoku.automorphisms(grid) == ties


def test_most_canonical_grid():
    grid = known.MOST_CANONICAL
    assert sudoku.canonical(grid) == grid
    assert sudoku.automorphisms(grid) == known.MOST_AUTOMORPHISMS
    assert sudoku.SYMMETRIES == known.SYMMETRIES == sudoku.automorphisms("." * 81)
    images = sudoku.transform([grid] * 500, seed=1)
    assert {text(form) for form in sudoku.canonical(images)} == {grid}
    assert set(sudoku.automorphisms(images).tolist()) == {648}


def test_canonical_forms_of_images():
    grids = sudoku.sample(50, seed=2).array
    puzzles = sudoku.puzzles(50, seed=2).array
    sparse = puzzles * (np.random.default_rng(1).random(puzzles.shape) < 0.3)
    dense = sudoku.puzzles(50, clues=50, minimal=False, seed=2).array
    for some, images in ((grids, 200), (puzzles, 60), (sparse, 20), (dense, 20)):
        forms = sudoku.canonical(some)
        numbers = sudoku.automorphisms(some)
        many = np.repeat(some, images, axis=0)
        moved = sudoku.transform(many, seed=6)
        assert len(np.unique(moved, axis=0)) > len(many) * 0.9
        assert (sudoku.canonical(moved) == np.repeat(forms, images, axis=0)).all()
        assert (sudoku.automorphisms(moved) == np.repeat(numbers, images)).all()
        assert (sudoku.canonical(forms) == forms).all()
        rows = [tuple(row) for row in forms.tolist()]
        assert all(row <= tuple(image) for row, image in zip(rows, moved[::images].tolist()))
    assert len(np.unique(sudoku.canonical(grids), axis=0)) == 50


def test_canonical_puzzles_keep_their_solutions():
    """The form of a puzzle is an image of it: it has one solution, which is essentially the puzzle's."""
    found = sudoku.puzzles(40, seed=7)
    forms = sudoku.canonical(found)
    answers = sudoku.solve(forms)
    assert (answers.status == 1).all()
    assert (np.count_nonzero(forms, axis=1) == found.clues).all()
    assert (sudoku.canonical(answers.array) == sudoku.canonical(found.solutions)).all()


def test_classes_of_two_clues():
    """Every valid puzzle of two clues: seven classes, and each has as many members as its automorphisms say."""
    boards = []
    houses = oracles.houses()
    for first, second in itertools.combinations(range(81), 2):
        together = any(first in house and second in house for house in houses)
        for digit in (2,) if together else (1, 2):
            board = np.zeros(81, np.uint8)
            board[first], board[second] = 1, digit
            boards.append(board)
    forms = sudoku.canonical(np.array(boards))
    kinds, times = np.unique(forms, axis=0, return_counts=True)
    # Two cells of a box in one line or not; of a line in two boxes; of a band in neither; of two bands and stacks. The
    # last two may hold the same digit.
    assert len(kinds) == 5 + 2
    # A board of equal digits stands for 9 of its kind, one of different digits for 72.
    names = np.where(kinds.max(axis=1) == 1, 9, 72)
    assert (times * names * sudoku.automorphisms(kinds).astype(np.int64) == known.SYMMETRIES).all()


def test_same_and_dedup():
    grids = sudoku.sample(3, seed=1).array
    assert sudoku.same(grids[0], sudoku.transform(grids[0], seed=5))
    assert not sudoku.same(grids[0], grids[1])
    assert sudoku.same(WIKI, sudoku.transform(WIKI, seed=5))
    assert not sudoku.same(WIKI, HARD)
    mixed = np.concatenate([sudoku.transform(np.repeat(grids, 5, axis=0), seed=k) for k in range(3)])
    kept, places = sudoku.dedup(mixed, return_index=True)
    assert places.tolist() == [0, 5, 10]
    assert (kept == mixed[places]).all()
    with pytest.raises(PuzzleError, match="puzzle 2 is invalid: r1c1 and r1c2 are both 1 in row 1"):
        sudoku.canonical([WIKI, "1" * 81])


def test_transformations():
    element = sudoku.Transformation(
        rows=(3, 5, 4, 0, 1, 2, 8, 7, 6),
        columns=(1, 0, 2, 6, 7, 8, 3, 5, 4),
        digits=(9, 8, 7, 6, 5, 4, 3, 2, 1),
        transpose=True,
    )
    board = np.array(digits(WIKI)).reshape(9, 9)
    image = sudoku.transform(board, element)
    for r, c in itertools.product(range(9), repeat=2):
        source = board.T[element.rows[r], element.columns[c]]
        assert image[r, c] == (10 - source if source else 0)
    assert isinstance(sudoku.transform(WIKI), str)
    with pytest.raises(PuzzleError, match="band"):
        sudoku.Transformation(rows=(0, 1, 3, 2, 4, 5, 6, 7, 8))
    with pytest.raises(PuzzleError, match="digits"):
        sudoku.Transformation(digits=(1,) * 9)
    with pytest.raises(PuzzleError):
        sudoku.transform(WIKI, "upside down")
    with pytest.raises(PuzzleError, match="whole numbers"):
        sudoku.Transformation(digits=[1.5, *range(2, 10)])
    with pytest.raises(PuzzleError, match="seed"):
        sudoku.transform(WIKI, element, seed=1)
