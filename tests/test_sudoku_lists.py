"""Sudoku: lists collected by others, when they are there."""

from __future__ import annotations

import pytest
from cases_sudoku import DATA
from cases_sudoku import level as level

from puzzlekit import sudoku

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the collected lists are not here")


def listed(name):
    return [line.split(",") for line in (DATA / name).read_text().split() if not line.startswith("puzzle")]


@needs_data
@pytest.mark.parametrize("name", ["easy", "clue17"])
def test_lists_with_solutions(level, name):
    answers = sudoku.solve(DATA / f"{name}_puzzles.txt")
    assert (answers.status == 1).all()
    assert (answers.array == sudoku.read(DATA / f"{name}_solutions.txt").array).all()


@needs_data
@pytest.mark.parametrize("name", ["top1465_first1200", "hardest1905_1000", "hardest1106_375"])
def test_hard_lists(level, name):
    listing = sudoku.read(DATA / f"{name}.csv")
    answers = sudoku.solve(listing)
    assert (answers.status == 1).all()
    assert (answers.array == listing.solutions).all()


@needs_data
def test_lists_of_improper_puzzles(level):
    assert not sudoku.solve([row[0] for row in listed("invalid_4000.csv")]).counts.any()
    for name, cap in (("multi_removed_1000.csv", 10000), ("multi_serg_4000.csv", 100000)):
        rows = listed(name)
        assert sudoku.count([row[0] for row in rows], limit=cap).tolist() == [int(row[1]) for row in rows]


@needs_data
def test_lists_of_canonical_forms():
    grids, forms = (sudoku.read(DATA / f"uniform_grids_5000{end}.txt").array for end in ("", "_minlex"))
    assert (sudoku.canonical(grids) == forms).all()
    puzzles = sudoku.read(DATA / "clue17_puzzles.txt").array[:4000]
    assert (sudoku.canonical(puzzles) == sudoku.read(DATA / "clue17_minlex_first4000.txt").array).all()
