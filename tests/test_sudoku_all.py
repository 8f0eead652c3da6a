"""Sudoku: all solutions in order, of 9x9, other sizes and other houses; searches that are stopped."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
import pytest
from cases_sudoku import HARD, JIGSAW, WINDOWS, digits
from cases_sudoku import level as level

from puzzlekit import Cancelled, PuzzleError, _call, sudoku
from puzzlekit.sudoku import _make


def test_enumerate_against_oracle(level):
    pick = random.Random(1)
    compared = 0
    for puzzle in sudoku.puzzles(12, seed=1).array:
        loose = puzzle.copy()
        loose[pick.sample(np.flatnonzero(loose).tolist(), pick.randint(0, 3))] = 0
        if sudoku.count(loose, limit=400) < 400:
            expected = sorted(oracles.solutions(loose.tolist(), oracles.houses()))
            found = sudoku.enumerate(loose)
            assert [tuple(row) for row in found.array.tolist()] == expected
            assert found.complete
            assert sudoku.count(loose, limit=None) == len(expected)
            compared += len(expected)
    assert compared > 100


def test_laws_of_enumeration():
    puzzle = known.CASES[9][0]
    whole = sudoku.enumerate(puzzle, limit=30000)
    assert len(whole) == 30000
    assert not whole.complete
    rows = whole.array
    order = np.lexsort(rows.T[::-1])
    assert (order == np.arange(len(rows))).all()
    assert len(np.unique(rows, axis=0)) == len(rows)
    assert sudoku.verify(puzzle, rows).all()
    for threads in (1, 2, 3, 7):
        assert sudoku.enumerate(puzzle, limit=30000, threads=threads).array.tobytes() == rows.tobytes()
    assert (sudoku.enumerate(puzzle, limit=777).array == rows[:777]).all()
    pieces = list(sudoku.iterate(puzzle, batch=999, limit=30000))
    assert (np.concatenate([piece.array for piece in pieces]) == rows).all()
    singles = list(itertools.islice(sudoku.iterate(puzzle), 1500))
    assert (np.array(singles) == rows[:1500]).all()
    assert len(sudoku.enumerate(puzzle, limit=0)) == 0
    small = known.CASES[3][0]
    assert sudoku.count(small, limit=None) == len(sudoku.enumerate(small)) == len(list(sudoku.iterate(small))) == 26


def test_a_search_can_be_stopped():
    told = []

    def stop(done, total, found):
        told.append((done, total, found))
        return len(told) < 3

    with pytest.raises(Cancelled):
        sudoku.count("." * 81, limit=None, progress=stop)
    assert len(told) >= 3
    told.clear()
    some = sudoku.enumerate("." * 81, limit=10**9, progress=stop)
    assert not some.complete
    assert sudoku.verify(None, some.array[:100]).all()


def test_ctrl_c_stops_a_search():
    program = (
        "import _thread, threading, time\n"
        "from puzzlekit import sudoku\n"
        "threading.Timer(0.5, _thread.interrupt_main).start()\n"
        "began = time.time()\n"
        "try:\n"
        "    sudoku.count('.' * 256, limit=None, box=(4, 4))\n"
        "except KeyboardInterrupt:\n"
        "    print(time.time() - began < 3)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"


def plans():
    """A plan of each kind, with rows enough to fill the first block several times."""
    grid = np.array(digits(known.MOST_CANONICAL), np.uint8)
    band = np.where(np.arange(81) < 27, grid, 0).astype(np.uint8)
    puzzles = sudoku.puzzles(300, seed=1).array.reshape(-1).copy()
    hard = np.tile(np.array(digits(HARD), np.uint8), 40)
    rules = sudoku.Rules(diagonals=True)
    several = np.array(digits(known.CASES[3][0]), np.uint8)
    cpu = _call.cpu_level()
    return {
        "batch": ("sudoku_batch", puzzles, 300, 9, None, 0, 2, 1, cpu),
        "batch, general": ("sudoku_batch", puzzles[: 81 * 40], 40, *rules.arguments, 2, 2, cpu),
        "all": ("sudoku_all", several, 9, None, 0, cpu),
        "sample": ("sudoku_sample", 3000, 1),
        "grids": ("sudoku_grids", np.array(digits(_make.RIGID), np.uint8), 100000, 1, 0, 0),
        "canonical": ("sudoku_canonical", np.tile(band, 40), 40),
        "difficulty": ("sudoku_difficulty", hard, 40, cpu),
    }


@pytest.mark.parametrize("kind", list(plans()))
def test_streamed_rows_are_the_same_rows(kind):
    """A caller who waits makes kernels hand over what they have, and the block of rows moves."""
    plan = _call.Plan(*plans()[kind])
    whole = _call.enumerate_rows(plan).array
    for threads in (1, 2):
        blocks = [block.copy() for block in _call.iterate_rows(plan, threads=threads)]
        assert np.concatenate(blocks).tobytes() == whole.tobytes()


def test_check_keeps_what_was_found():
    """The first two solutions in order can take hours where any two are found at once."""
    pick = random.Random(2)
    grid = sudoku.solve(["." * 625], box=(5, 5)).array[0]
    puzzle = np.array([digit if pick.random() < 0.4 else 0 for digit in grid.tolist()])
    answer = sudoku.check(puzzle, box=(5, 5))
    assert answer.status == "several"
    assert sudoku.verify(puzzle, np.array(answer.solutions), box=(5, 5)).all()
    assert answer.differ


# ---- other sizes and houses ----


def test_small_sizes():
    empty = sudoku.enumerate("." * 16, box=(2, 2))
    assert len(empty) == known.SMALL_GRIDS[2, 2]
    assert sorted(map(tuple, empty.array.tolist())) == sorted(oracles.solutions([0] * 16, oracles.houses(2, 2)))
    assert sudoku.count("." * 16, limit=None, box=(2, 2)) == 288
    assert sudoku.count("123456" + "." * 30, limit=None, box=(2, 3)) * 720 == known.SMALL_GRIDS[2, 3]
    assert sudoku.count("123456" + "." * 30, limit=None, box=(3, 2)) * 720 == known.SMALL_GRIDS[3, 2]


def test_first_bands():
    """The bands whose first row is 1 to 9, one by one: rows and boxes of a band, and no rule for the cells below."""
    cells = np.ones(81, np.uint8)
    cells[:27] = [*range(1, 10), *[0] * 18]
    houses = [list(range(9 * r, 9 * r + 9)) for r in range(3)]
    houses += [[9 * r + 3 * b + c for r in range(3) for c in range(3)] for b in range(3)]
    plan = _call.Plan("sudoku_all", cells, 9, np.array(houses, np.uint16).reshape(-1), 6, 0)
    assert _call.count(plan) * 362880 == known.FIRST_BANDS


@pytest.mark.slow
def test_all_6x6_grids():
    assert sudoku.count("." * 36, limit=None, box=(2, 3)) == known.SMALL_GRIDS[2, 3]


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5)])
def test_other_sizes_against_oracle(box):
    pick = random.Random(sum(box))
    n = box[0] * box[1]
    all_houses = oracles.houses(*box)
    for share in (0.35, 0.5):
        grid = list(sudoku.enumerate("." * n * n, limit=1, box=box)[0])
        names = pick.sample(range(1, n + 1), n)
        puzzle = [names[digit - 1] if pick.random() < share else 0 for digit in grid]
        expected = sorted(oracles.solutions(puzzle, all_houses, 500))
        assert sudoku.count(np.array(puzzle), limit=500, box=box) == len(expected)
        if len(expected) < 500:
            found = sudoku.enumerate(np.array(puzzle), box=box)
            assert [tuple(row) for row in found.array.tolist()] == expected
            assert sudoku.count(np.array([puzzle] * 3), limit=None, box=box).tolist() == [len(expected)] * 3


@pytest.mark.parametrize("box", [(3, 4), (4, 4), (5, 5)])
def test_large_sizes(box):
    n = box[0] * box[1]
    pick = random.Random(n)
    grid = sudoku.solve(["." * n * n], box=box)
    assert grid.status[0] == 2
    assert sudoku.verify(None, grid.array, box=box).all()
    names = np.array([0, *pick.sample(range(1, n + 1), n)])
    puzzle = names[grid.array[0]]
    puzzle[pick.sample(range(n * n), n * n * 2 // 5)] = 0
    shown = "".join(("." + "123456789ABCDEFGHIJKLMNOP")[digit] for digit in puzzle)
    answers = sudoku.solve([shown, shown.lower()], box=box)
    assert sudoku.verify(np.array([puzzle] * 2), answers.array, box=box).all()
    assert answers.status.min() >= 1


@pytest.mark.parametrize("rules", [{"box": (2, 5)}, {"box": (3, 4)}, {"diagonals": True}, {"extra": "windoku"}])
def test_the_first_grid_is_the_first(rules):
    """No cell can have a smaller digit while those before it stay."""
    height, width = rules.get("box", (3, 3))
    first = sudoku.enumerate("." * (height * width) ** 2, limit=1, **rules).array[0]
    smaller = []
    for cell, digit in enumerate(first.tolist()):
        for less in range(1, digit):
            board = np.zeros_like(first)
            board[:cell] = first[:cell]
            board[cell] = less
            smaller.append(board)
    assert len(smaller) > 300
    assert not sudoku.count(np.array(smaller), limit=1, **rules).any()


@pytest.mark.parametrize(
    "rules", [{"box": (4, 4)}, {"box": (4, 4), "diagonals": True}, {"box": (5, 5)}, {"box": (5, 5), "diagonals": True}]
)
def test_large_empty_boards(rules):
    """A search in the order of the cells alone does not come back from these."""
    side = rules["box"][0] ** 2
    found = sudoku.enumerate("." * side**2, limit=20, **rules)
    assert sudoku.verify(None, found, **rules).all()
    assert found.array[0, :side].tolist() == list(range(1, side + 1))
    assert (np.lexsort(found.array.T[::-1]) == np.arange(20)).all()


@pytest.mark.parametrize("rules", [{"diagonals": True}, {"extra": "windoku"}, {"regions": JIGSAW}])
def test_variants_against_oracle(rules):
    area = [sorted(set("".join(JIGSAW.split()))).index(symbol) for symbol in "".join(JIGSAW.split())]
    all_houses = oracles.houses(
        diagonals="diagonals" in rules,
        extra=WINDOWS if "extra" in rules else (),
        regions=area if "regions" in rules else None,
    )
    pick = random.Random(5)
    grids = list(itertools.islice(sudoku.iterate("." * 81, **rules), 0, 2000, 500))
    for grid in grids:
        assert all(sorted(grid[house].tolist()) == list(range(1, 10)) for house in all_houses)
        puzzle = grid.copy()
        while len(oracles.solutions(puzzle.tolist(), all_houses, 2)) == 1:
            puzzle[pick.choice(np.flatnonzero(puzzle).tolist())] = 0
        expected = sorted(oracles.solutions(puzzle.tolist(), all_houses))
        assert len(expected) > 1
        found = sudoku.enumerate(puzzle, **rules)
        assert [tuple(row) for row in found.array.tolist()] == expected
        assert sudoku.verify(puzzle, found, **rules).all()
        assert sudoku.count(puzzle, limit=None, **rules) == len(expected)


@pytest.mark.parametrize(
    ("keywords", "names"),
    [
        ({"box": (3, 9)}, "3 x 9"),
        ({"box": (3.9, 3.2)}, "3.9"),
        ({"box": "33"}, "33"),
        ({"box": 3}, "3"),
        ({"box": (0, 3)}, "0 x 3"),
        ({"regions": "A" * 81}, "81"),
        ({"regions": "A" * 80}, "shape"),
        ({"regions": np.arange(81).reshape(9, 9) // 9 + 0.5}, "region numbers"),
        ({"regions": np.zeros((9, 9), int)}, "81"),
        ({"extra": "holes"}, "holes"),
        ({"extra": np.eye(9, dtype=int)[:8]}, "(8, 9)"),
        ({"diagonals": 2}, "2"),
    ],
)
def test_bad_rules(keywords, names):
    with pytest.raises(PuzzleError) as error:
        sudoku.solve("." * 81, **keywords)
    assert names in str(error.value)
