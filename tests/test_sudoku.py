"""Sudoku against plain backtracking, published numbers, and its own symmetries."""

from __future__ import annotations

import csv
import itertools
import os
import random
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, _call, sudoku

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


# ---- solving ----


def test_cases(level):
    puzzles = [puzzle for puzzle, _ in known.CASES]
    assert sudoku.count(puzzles, limit=5000).tolist() == [min(count, 5000) for _, count in known.CASES]
    for puzzle, count in known.CASES:
        assert sudoku.count(puzzle) == min(count, 2)
        if count < 100000:
            assert sudoku.count(puzzle, limit=None) == count
            assert len(sudoku.enumerate(puzzle)) == count
    answers = sudoku.solve(puzzles)
    assert [min(count, 2) for _, count in known.CASES] == answers.counts.tolist()
    clashing = [sudoku.check(puzzle).status == "invalid" for puzzle in puzzles]
    assert [status == 3 for status in answers.status] == clashing
    assert sum(clashing) == 2


@pytest.fixture(scope="module")
def expected_of_made(made):
    return [oracles.solutions(puzzle.tolist(), oracles.houses(), 2) for puzzle in made]


def test_against_oracle(level, made, expected_of_made):
    answers = sudoku.solve(made)
    for solution, status, count, expected in zip(answers.array, answers.status, answers.counts, expected_of_made):
        assert count == len(expected)
        assert (tuple(solution.tolist()) in expected) if len(expected) == 1 else True
        assert sudoku.STATUSES[status] in ({0: ("none", "invalid"), 1: ("unique",), 2: ("several",)}[len(expected)])
    some = answers.counts > 0
    assert sudoku.verify(made[some], answers.array[some]).all()
    assert not answers.array[~some].any()
    assert set(answers.summary().values()) - {0}
    assert answers.summary()["unique"] >= 60


def test_all_cpu_levels_agree(monkeypatch, made):
    found = []
    for name in LEVELS:
        monkeypatch.setenv("PUZZLEKIT_CPU", name)
        answers = sudoku.solve(made)
        found.append((answers._rows.tobytes(), sudoku.puzzles(50, seed=4)._rows.tobytes()))
    assert len(set(found)) == 1


def test_batches_do_not_matter(made):
    """The same answer, also about puzzles with several solutions, alone or among others, for any number of threads."""
    many = np.concatenate([made] * 5)
    whole = [sudoku.solve(many, threads=threads)._rows.tobytes() for threads in (1, 2, 3, 7)]
    assert len(set(whole)) == 1
    alone = np.concatenate([sudoku.solve(made[k : k + 1])._rows for k in range(len(made))])
    assert np.concatenate([alone] * 5).tobytes() == whole[0]
    for k in range(0, len(made), 17):
        answers = sudoku.solve(made[k : k + 1])
        if answers.status[0] == 1:
            assert (sudoku.solve(made[k]).reshape(-1) == answers.array[0]).all()


def test_cpu_level_is_checked(monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_CPU", "sse9")
    with pytest.raises(PuzzleError, match="sse9"):
        sudoku.solve(WIKI)
    if len(LEVELS) < len(_call.CPU_LEVELS):
        monkeypatch.setenv("PUZZLEKIT_CPU", "avx512")
        with pytest.raises(PuzzleError, match="this machine has"):
            sudoku.solve(WIKI)


def test_one_puzzle_in_every_shape():
    expected = oracles.solutions(digits(WIKI), oracles.houses())[0]
    flat = np.array(digits(WIKI))
    lines = [WIKI[k : k + 9] for k in range(0, 81, 9)]
    shapes = [WIKI, WIKI.replace(".", "0"), WIKI.replace(".", "*"), WIKI.replace(".", "_"), "\n".join(lines), lines]
    shapes += [flat, flat.reshape(9, 9), flat.astype(np.uint8), flat.astype(float), flat.tolist()]
    shapes += [flat.reshape(9, 9).tolist(), sudoku.Sudoku(WIKI), [list(line) for line in lines]]
    for puzzle in shapes:
        solution = sudoku.solve(puzzle)
        assert solution.shape == (9, 9)
        assert tuple(solution.reshape(-1).tolist()) == expected
    many = [[WIKI, WIKI], np.array([flat, flat]), np.array([flat, flat]).reshape(2, 9, 9), [flat, flat], (WIKI, WIKI)]
    for puzzles in many:
        assert sudoku.solve(puzzles).array.tolist() == [list(expected)] * 2
    assert len(sudoku.solve([])) == 0
    assert sudoku.count([]).tolist() == []


@pytest.mark.parametrize(
    ("puzzle", "names"),
    [
        (WIKI[:-1], ["81 cells", "80"]),
        (WIKI + "1", ["82"]),
        (WIKI[:30] + "x" + WIKI[31:], ["'x'", "r4c4"]),
        ([WIKI, WIKI[:-1] + "?"], ["puzzle 2", "'?'", "r9c9"]),
        (np.full((9, 9), 10), ["10", "r1c1"]),
        (np.full((3, 81), -1), ["-1"]),
        (np.zeros((9, 8)), ["(9, 8)"]),
        (np.full((9, 9), 0.5), ["float64"]),
        (np.array([["a"] * 9] * 9), ["<U1"]),
        (3, ["3"]),
        ([WIKI, WIKI[:50]], ["puzzle 2", "50"]),
        (["1", [1, 2]], ["81"]),
        ("no-such-file.txt", ["no-such-file.txt"]),
    ],
)
def test_bad_puzzles(puzzle, names):
    with pytest.raises((PuzzleError, FileNotFoundError)) as error:
        sudoku.solve(puzzle)
    for name in names:
        assert name in str(error.value)


def test_what_is_not_solved_is_not_passed_off_as_solved():
    with pytest.raises(PuzzleError, match="several solutions"):
        sudoku.solve("." * 81)
    with pytest.raises(PuzzleError, match="r1c1 and r1c2 are both 1 in row 1"):
        sudoku.solve("11" + "." * 79)
    assert sudoku.solve("123456780" + "." * 8 + "9" + "." * 63) is None
    answers = sudoku.solve([WIKI, "." * 81, "11" + "." * 79, "123456780" + "." * 8 + "9" + "." * 63])
    assert [sudoku.STATUSES[status] for status in answers.status] == ["unique", "several", "invalid", "none"]
    lines = answers.to_text().splitlines()
    assert len(lines[0]) == 81
    assert [line[81:].strip("# ").split(",")[0] for line in lines[1:]] == [
        "several solutions",
        "invalid: equal givens",
        "no solution",
    ]


def test_check():
    assert sudoku.check(WIKI).valid
    invalid = sudoku.check("1" + "." * 79 + "1")
    assert invalid.status == "several"
    for cells, house in [((0, 72), "column 1"), ((40, 50), "box 5"), ((9, 17), "row 2")]:
        board = ["."] * 81
        for cell in cells:
            board[cell] = "7"
        answer = sudoku.check("".join(board))
        assert answer.status == "invalid"
        assert answer.house == house
        assert answer.clash == tuple(divmod(cell, 9) for cell in cells)
    several = sudoku.check(known.CASES[3][0])
    first, second = several.solutions
    assert sudoku.verify(known.CASES[3][0], np.array([first, second])).all()
    assert set(several.differ) == set(zip(*np.nonzero(first != second)))
    assert sudoku.check(known.CASES[8][0]).status == "none"


# ---- all solutions ----


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
        "    print(time.time() - began < 20)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"


def test_small_sizes():
    empty = sudoku.enumerate("." * 16, box=(2, 2))
    assert len(empty) == known.SMALL_GRIDS[2, 2]
    assert sorted(map(tuple, empty.array.tolist())) == sorted(oracles.solutions([0] * 16, oracles.houses(2, 2)))
    assert sudoku.count("." * 16, limit=None, box=(2, 2)) == 288
    assert sudoku.count("123456" + "." * 30, limit=None, box=(2, 3)) * 720 == known.SMALL_GRIDS[2, 3]
    assert sudoku.count("123456" + "." * 30, limit=None, box=(3, 2)) * 720 == known.SMALL_GRIDS[3, 2]


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
        ({"box": 3}, "3"),
        ({"box": (0, 3)}, "0 x 3"),
        ({"regions": "A" * 81}, "shape"),
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


# ---- grids and puzzles ----


def test_grids():
    found = sudoku.grids(100000, first=5, seed=3)
    assert sudoku.verify(None, found).all()
    assert (found.array[:, 0] == 5).all()
    assert len(np.unique(np.ascontiguousarray(found.array).view("V81"))) == 100000
    assert found == sudoku.grids(100000, first=5, seed=3, threads=1)
    assert found != sudoku.grids(100000, first=5)
    assert (sudoku.grids(777, first=5, seed=3).array == found.array[:777]).all()
    assert sudoku.automorphisms(found.array[0]) == 1
    some = sudoku.grids(90000, seed=3)
    assert sudoku.verify(None, some).all()
    assert len(np.unique(np.ascontiguousarray(some.array).view("V81"))) == 90000
    assert len(sudoku.dedup(some[::1000])) == 1
    assert len(sudoku.grids(0)) == 0


def test_essentially_distinct_grids():
    found = sudoku.grids(3000, distinct="essentially", first=4, seed=1)
    assert sudoku.verify(None, found).all()
    assert (found.array[:, 0] == 4).all()
    assert len(np.unique(np.ascontiguousarray(sudoku.canonical(found)).view("V81"))) == 3000
    assert found == sudoku.grids(3000, distinct="essentially", first=4, seed=1)


@pytest.mark.parametrize("k", [-1, 1.5, "3", None, True, 10**13])
def test_bad_numbers_of_grids(k):
    with pytest.raises(PuzzleError):
        sudoku.grids(k)


@pytest.mark.parametrize("first", [0, 10, -1, "5", 2.5])
def test_bad_first_cells(first):
    with pytest.raises(PuzzleError):
        sudoku.grids(3, first=first)


def chi_square(observed, expected):
    return float(((observed - expected) ** 2 / expected).sum())


def test_the_sampler_is_uniform():
    lines = [line.split() for line in known.BANDS.split("\n") if line]
    weights, boxes = [], []
    for *columns, size, completions in lines:
        weights.append(int(size) * int(completions))
        boxes.append([["147", "258", "369"], columns[:3], columns[3:]])
    assert sum(int(line[-2]) for line in lines) == 36288
    assert sum(weights) * 72 * 72 * 362880 == known.GRIDS
    tensors = [[len(set(a) & set(b) & set(c)) for a, b, c in itertools.product(*box)] for box in boxes]
    classes = oracles.band_classes(tensors)
    assert len(set(classes)) == 44
    probability = dict(zip(classes, np.array(weights) / sum(weights)))

    k = 40000
    grids = sudoku.sample(k, seed=12).grids
    for bands in (grids[:, 0:3], grids[:, 3:6], grids.transpose(0, 2, 1)[:, 6:9]):
        found = oracles.band_tensors(bands)
        kinds, inverse = np.unique(found, axis=0, return_inverse=True)
        named = oracles.band_classes(kinds)
        observed = dict.fromkeys(classes, 0)
        for name, count in zip(named, np.bincount(inverse.reshape(-1))):
            observed[name] += int(count)  # a KeyError: a band that does not exist
        common = [name for name in classes if probability[name] * k >= 5]
        seen = np.array([observed[name] for name in common])
        expected = np.array([probability[name] * k for name in common])
        # 99.99 % of chi-square with some 40 degrees of freedom lies below 83.
        assert chi_square(seen, expected) < 83
    digits_seen = np.stack([(grids == digit).sum(axis=0) for digit in range(1, 10)])
    assert chi_square(digits_seen, k / 9) < 81 * 8 + 5 * (2 * 81 * 8) ** 0.5


def test_the_sampler_implies_the_number_of_grids():
    estimate = _call.call("pk_sudoku_sample_total", 2_000_000, 5)
    assert abs(estimate / known.GRIDS - 1) < 0.01  # five standard deviations


def test_samples():
    found = sudoku.sample(5000, seed=8)
    assert sudoku.verify(None, found).all()
    assert len(np.unique(found.array, axis=0)) == 5000
    assert found == sudoku.sample(5000, seed=8, threads=1)
    assert (sudoku.sample(70, seed=8).array == found.array[:70]).all()
    assert found[:10] != sudoku.sample(10, seed=9)
    assert sudoku.sample(3) != sudoku.sample(3)
    for seed in (-1, 2**64, 1.5, "x"):
        with pytest.raises(PuzzleError):
            sudoku.sample(1, seed=seed)


def test_puzzles(level):
    found = sudoku.puzzles(100, seed=5)
    assert len(found) == 100
    assert (sudoku.solve(found).status == 1).all()
    assert (sudoku.solve(found).array == found.solutions).all()
    assert found == sudoku.puzzles(100, seed=5, threads=1)
    assert found != sudoku.puzzles(100)
    for puzzle in found.array[:5].tolist():
        assert len(oracles.solutions(puzzle, oracles.houses(), 2)) == 1
        assert oracles.is_minimal(puzzle)
    assert 20 <= found.clues.min()
    assert found.clues.max() <= 32


def test_puzzles_as_asked():
    assert set(sudoku.puzzles(40, clues=24, seed=1).clues.tolist()) == {24}
    for clues in (30, 45, 80, 81):
        found = sudoku.puzzles(20, clues=clues, minimal=False, seed=1)
        assert set(found.clues.tolist()) == {clues}
        assert (sudoku.solve(found).status == 1).all()
    loose = sudoku.puzzles(20, minimal=False, seed=1)
    assert (sudoku.solve(loose).status == 1).all()
    turns = {
        "rotation": lambda p: p[::-1, ::-1],
        "quarter": lambda p: p.T[::-1],
        "horizontal": lambda p: p[:, ::-1],
        "vertical": lambda p: p[::-1],
        "diagonal": lambda p: p.T,
        "antidiagonal": lambda p: p[::-1, ::-1].T,
    }
    for symmetry, turn in turns.items():
        found = sudoku.puzzles(10, symmetry=symmetry, seed=1)
        assert (sudoku.solve(found).status == 1).all()
        for puzzle in found.grids:
            assert ((turn(puzzle) > 0) == (puzzle > 0)).all()
    found = sudoku.puzzles(5, symmetry="rotation", clues=32, minimal=False, seed=1)
    assert set(found.clues.tolist()) == {32}


@pytest.mark.parametrize(
    ("keywords", "names"),
    [
        ({"clues": 16}, "17 to 81"),
        ({"clues": 0}, "17 to 81"),
        ({"clues": 82}, "17 to 81"),
        ({"clues": 60}, "60"),
        ({"clues": 18, "seconds": 0.3}, "0 of 1 puzzles with 18 clues"),
        ({"symmetry": "spiral"}, "spiral"),
        ({"seconds": 0}, "0"),
        ({"clues": "many"}, "many"),
        ({"minimal": 3}, "3"),
        ({"symmetry": "quarter", "clues": 30, "minimal": False}, "quarter"),
    ],
)
def test_puzzles_out_of_reach(keywords, names):
    with pytest.raises(PuzzleError) as error:
        sudoku.puzzles(1, **keywords)
    assert names in str(error.value)


# ---- essentially the same ----


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


# ---- difficulty ----


def test_difficulty():
    easy = sudoku.difficulty(WIKI)
    assert (easy.status, easy.technique, easy.backdoor, easy.guesses) == ("unique", "hidden single", 0, 0)
    hard = sudoku.difficulty(HARD)
    assert hard.technique == "beyond these"
    assert hard.backdoor >= 1
    assert hard.guesses > 0
    assert sudoku.difficulty("." * 81).status == "several"
    assert sudoku.difficulty("." * 81).technique is None
    assert sudoku.difficulty(known.CASES[8][0]).status == "none"
    full = sudoku.difficulty(known.MOST_CANONICAL)
    assert (full.technique, full.backdoor) == ("none", 0)
    found = sudoku.puzzles(300, seed=11)
    measured = sudoku.difficulty(found)
    for one in measured:
        singles = one.technique in sudoku.TECHNIQUES[:3]
        assert (one.backdoor == 0) == singles
    assert len({one.technique for one in measured}) >= 5


def test_backdoors_are_backdoors():
    """Of a few puzzles, with the singles of another program: no smaller set of cells is enough."""
    found = sudoku.puzzles(40, seed=13)
    measured = sudoku.difficulty(found)
    houses = oracles.houses()
    checked = [0, 0]

    def singles(board):
        board = list(board)
        while True:
            free = {}
            for cell in range(81):
                if not board[cell]:
                    used = {board[other] for house in houses if cell in house for other in house}
                    free[cell] = set(range(1, 10)) - used
            move = next(((cell, min(options)) for cell, options in free.items() if len(options) == 1), None)
            for house in houses:
                for digit in range(1, 10):
                    places = [cell for cell in house if digit in free.get(cell, ())]
                    if len(places) == 1:
                        move = places[0], digit
            if move is None:
                return not free
            board[move[0]] = move[1]

    for puzzle, solution, one in zip(found.array, found.solutions, measured):
        if one.backdoor <= 1 and checked[one.backdoor] < 3:
            checked[one.backdoor] += 1
            opened = [singles(puzzle)]
            if one.backdoor == 1:
                opened = []
                for cell in np.flatnonzero(puzzle == 0):
                    board = puzzle.copy()
                    board[cell] = solution[cell]
                    opened.append(singles(board))
                assert not singles(puzzle)
            assert any(opened)
    assert checked == [3, 3]


# ---- files ----


def test_files(tmp_path):
    found = sudoku.puzzles(7, seed=2)
    for name in ("a.txt", "a.sdm", "a.ss", "a.csv"):
        sudoku.write(tmp_path / name, found)
        assert (sudoku.read(tmp_path / name).array == found.array).all()
        assert (sudoku.solve(tmp_path / name).array == found.solutions).all()
        assert (sudoku.solve(str(tmp_path / name)).array == found.solutions).all()
    sudoku.write(tmp_path / "one.sdk", found.array[0])
    assert (sudoku.read(tmp_path / "one.sdk").array == found.array[:1]).all()
    sudoku.write(tmp_path / "rows.txt", found, layout="rows")
    lines = (tmp_path / "rows.txt").read_text().splitlines()
    assert len(lines) == 7 * 10 - 1
    assert len(lines[0].split()) == 9
    assert lines[9] == ""
    assert (sudoku.read(tmp_path / "rows.txt").array == found.array).all()
    sudoku.write(tmp_path / "both.csv", found, solutions=found.solutions)
    both = sudoku.read(tmp_path / "both.csv")
    assert (both.array == found.array).all()
    assert (both.solutions == found.solutions).all()
    with open(tmp_path / "both.csv", newline="") as file:
        assert next(csv.DictReader(file))["solution"] == text(found.solutions[0])
    found.save(tmp_path / "saved.csv")
    assert (tmp_path / "saved.csv").read_text() == (tmp_path / "both.csv").read_text()
    with pytest.raises(PuzzleError, match=r"\.sdk"):
        sudoku.write(tmp_path / "two.sdk", found)
    with pytest.raises(PuzzleError, match=r"\.doc"):
        sudoku.write(tmp_path / "two.doc", found)


def test_what_people_write(tmp_path):
    file = tmp_path / "mixed.txt"
    nine = [WIKI[k : k + 9] for k in range(0, 81, 9)]
    file.write_text(
        "\ufeff# a list of puzzles\n\n"
        + WIKI.replace(".", "0")
        + " # easy, 30 clues\n"
        + WIKI.replace(".", "*")
        + "\t17;x\n"
        + "\n".join(" ".join(line.replace(".", "_")) for line in nine)
        + "\n\n"
        + "+-------+-------+-------+\n"
        + "\n".join("| " + " | ".join(" ".join(line[k : k + 3]) for k in (0, 3, 6)) + " |" for line in nine)
        + "\n+-------+-------+-------+\n[Puzzle]\n"
        + "\n".join(nine)
        + "\n[State]\n123456789\n",
        encoding="utf-8",
    )
    assert [text(row) for row in sudoku.read(file).array] == [WIKI] * 5


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (WIKI + "\n" + WIKI[:40] + "x" + WIKI[41:] + "\n", ["line 2", "column 41", "'x'", "1 good puzzle"]),
        (WIKI + "\n" + WIKI + "\n123\n", ["line 3", "3 cells", "2 good puzzles"]),
        ("\n".join(["123456789"] * 5), ["line 1", "5 rows", "0 good puzzles"]),
        ("", ["no puzzles"]),
        ("puzzle,solution\n" + WIKI + ",123\n", ["line 2", "3 cells"]),
        ("puzzle\n" + WIKI[:-1] + "?\n", ["line 2", "column 81", "'?'"]),
    ],
)
def test_bad_files(tmp_path, content, names):
    (tmp_path / "bad.txt").write_text(content)
    with pytest.raises(PuzzleError) as error:
        sudoku.read(tmp_path / "bad.txt")
    for name in ["bad.txt", *names]:
        assert name in str(error.value)


# ---- text and pictures ----


def test_forms(tmp_path):
    answers = sudoku.solve([WIKI, "." * 81])
    assert list(csv.DictReader(answers.to_csv().splitlines()))[1]["status"] == "several"
    import json

    assert json.loads(answers.to_json())["solutions"][0]["status"] == "unique"
    found = sudoku.enumerate(known.CASES[3][0])
    data = json.loads(found.to_json())
    assert data["count"] == 26
    assert data["complete"]
    assert data["solutions"][3] == text(found[3])
    assert found.to_text().splitlines() == [text(row) for row in found]
    assert found.to_csv().splitlines()[0] == "solution"
    for name in ("x.txt", "x.csv", "x.json", "x.npy", "x.npz", "x.svg"):
        for some in (found, answers, sudoku.puzzles(2, seed=1), sudoku.grids(2, seed=1)):
            some.save(tmp_path / name)
            assert (tmp_path / name).stat().st_size > 100
    assert repr(found).startswith("<26 solutions of")
    assert repr(answers).startswith("<2 puzzles: 1 unique, 1 several>")
    assert "clues" in repr(sudoku.puzzles(2, seed=1))
    assert found[:3].array.shape == (3, 81)
    assert not found[:3].complete
    assert (answers[::-1].puzzles[1] == answers.puzzles[0]).all()


def test_pictures():
    picture = sudoku.svg(WIKI, sudoku.solve(WIKI))
    root = ElementTree.fromstring(picture)
    groups = root.findall(".//{*}g[@font-weight]")
    assert sum(len(group) for group in groups) == 30
    assert len(root.findall(".//{*}text")) == 81
    assert len(ElementTree.fromstring(sudoku.svg(WIKI)).findall(".//{*}text")) == 30
    assert "<svg" in sudoku.solve([WIKI])._repr_svg_()
    assert sudoku.draw(WIKI).splitlines()[0] == "5 3 . | . 7 . | . . ."
    assert sudoku.draw(known.MOST_CANONICAL, regions=JIGSAW).splitlines()[0] == "1   2   3   4 | 5   6 | 7   8   9"


# ---- the command line ----


def run(*arguments, cwd=None, given=None, code=0):
    command = [sys.executable, "-P", "-m", "puzzlekit", "sudoku", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, input=given, timeout=120)
    assert done.returncode == code, done.stderr
    return done


def test_the_two_commands_of_the_source(tmp_path):
    run("-c", 1000, "--first", 5, cwd=tmp_path)
    lines = (tmp_path / "sudoku.txt").read_text().splitlines()
    assert len(set(lines)) == 1000
    assert all(line[0] == "5" and oracles.has_every_digit(digits(line)) for line in lines[::37])
    (tmp_path / "puzzles.txt").write_text(f"{WIKI}\n{HARD}\n")
    run("-s", "puzzles.txt", "-o", "out.txt", cwd=tmp_path)
    expected = [oracles.solutions(digits(puzzle), oracles.houses())[0] for puzzle in (WIKI, HARD)]
    assert (tmp_path / "out.txt").read_text().splitlines() == ["".join(map(str, grid)) for grid in expected]
    run("-s", "puzzles.txt", "--layout", "rows", cwd=tmp_path)
    assert (sudoku.read(tmp_path / "sudoku.txt").array == np.array(expected)).all()
    run("-c", 20, "--uniform", "--first", 3, "--seed", 1, "--layout", "rows", "-o", "u.txt", cwd=tmp_path)
    assert sudoku.verify(None, tmp_path / "u.txt").sum() == 20
    run("-c", 20, "--essentially", "-o", "e.txt", cwd=tmp_path)
    assert len(sudoku.dedup(tmp_path / "e.txt")) == 20


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-c"],
        ["-c", "0"],
        ["-c", "-5"],
        ["-c", "many"],
        ["-c", "2.5"],
        ["-c", "3", "--first", "10"],
        ["-c", "3", "-s", "x"],
        ["-s", "missing.txt"],
        ["-s"],
        ["-c", "3", "-o", "no/such/folder.txt"],
        ["solve", "123"],
        ["solve", "--box", "3", WIKI],
        ["count", "--limit", "x", WIKI],
        ["generate", "--clues", "16"],
        ["frobnicate"],
    ],
)
def test_bad_commands(tmp_path, arguments):
    done = run(*arguments, cwd=tmp_path, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_subcommands(tmp_path):
    assert digits(run("solve", WIKI).stdout.strip()) == list(oracles.solutions(digits(WIKI), oracles.houses())[0])
    assert len(run("solve", "--all", known.CASES[3][0]).stdout.splitlines()) == 26
    assert run("solve", "-", given=WIKI).stdout == run("solve", WIKI).stdout
    assert run("count", known.CASES[3][0], WIKI).stdout == "26\n1\n"
    assert run("count", "--box", "2x2", "." * 16).stdout == "288\n"
    assert run("count", "--limit", 5, "--windoku", "." * 81).stdout == "5\n"
    assert "r1c1 and r1c2" in run("check", "11" + "." * 79).stdout
    made = run("generate", "-n", 5, "--seed", 1, "--clues", 25).stdout.split()
    assert len(made) == 5
    assert (sudoku.solve(made).status == 1).all()
    run("generate", "-n", 5, "-o", tmp_path / "p.sdm")
    assert len(sudoku.read(tmp_path / "p.sdm")) == 5
    assert run("canonical", sudoku.transform(known.MOST_CANONICAL)).stdout.strip() == known.MOST_CANONICAL
    assert run("dedup", WIKI, sudoku.transform(WIKI), HARD).stdout.split() == [WIKI, HARD]
    run("solve", WIKI, "-o", tmp_path / "x.svg")
    ElementTree.parse(tmp_path / "x.svg")


# ---- any board at all ----


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


# ---- lists collected by others, when they are there ----

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
