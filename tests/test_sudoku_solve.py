"""Sudoku: solving, counting and checking, against plain backtracking."""

from __future__ import annotations

import copy
import pickle

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
import pytest
from cases_sudoku import LEVELS, WIKI, digits, text
from cases_sudoku import level as level
from cases_sudoku import made as made

from puzzlekit import PuzzleError, _call, sudoku


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
    assert min(answers.summary().values()) > 0
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
    many = [[WIKI, sudoku.Sudoku(WIKI)], [sudoku.Sudoku(WIKI)] * 2, np.array([WIKI, WIKI])]
    many += [[WIKI, WIKI], np.array([flat, flat]), np.array([flat, flat]).reshape(2, 9, 9), [flat, flat], (WIKI, WIKI)]
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
        ([WIKI, 5], ["all be text", "5"]),
        (WIKI.encode(), ["not b'"]),
        (np.full((9, 9), 1e300), ["1e+300", "r1c1"]),
        ("./no-such-file", ["no file", "./no-such-file"]),
        ("..", ["no file"]),
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
    assert sudoku.check("1" + "." * 79 + "1").status == "several"
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


@pytest.mark.parametrize("verb", [sudoku.solve, sudoku.count, sudoku.check])
@pytest.mark.parametrize("options", [{"threads": 0}, {"threads": "x"}, {"progress": "y"}])
def test_quick_answers_check_their_options_too(verb, options):
    with pytest.raises(PuzzleError):
        verb(WIKI, **options)


def test_rules_stay_with_what_has_them(tmp_path):
    cross = {"diagonals": True}
    puzzle = sudoku.enumerate("." * 81, limit=1, **cross).array[0].copy()
    for cell in range(81):
        digit, puzzle[cell] = puzzle[cell], 0
        if sudoku.count(puzzle, **cross) > 1:
            puzzle[cell] = digit
    assert sudoku.count(puzzle) == 2
    sudoku.write(tmp_path / "x.txt", puzzle)
    listing = sudoku.read(tmp_path / "x.txt", **cross)
    one = sudoku.Sudoku(puzzle, **cross)
    for given in (listing, one, [one], sudoku.solve(listing)):
        assert np.array_equal(np.atleast_1d(sudoku.count(given)), [1])
        assert np.array_equal(sudoku.count(given), sudoku.count(given, **cross))
        with pytest.raises(PuzzleError, match="rules"):
            sudoku.count(given, extra="windoku")
        with pytest.raises(PuzzleError, match="ordinary 9x9"):
            sudoku.canonical(given)
    assert sudoku.check(one).valid
    assert sudoku.draw(one) == sudoku.draw(puzzle)
    with pytest.raises(PuzzleError, match="rules"):
        sudoku.solve([sudoku.Sudoku(WIKI), one])


def test_every_verb_takes_a_sudoku():
    one = sudoku.Sudoku(WIKI)
    assert sudoku.draw(one) == sudoku.draw(WIKI)
    assert sudoku.svg(one) == sudoku.svg(WIKI)
    assert text(sudoku.canonical(one)) == sudoku.canonical(WIKI)
    assert sudoku.automorphisms(one) == sudoku.automorphisms(WIKI)
    assert sudoku.difficulty(one) == sudoku.difficulty(WIKI)
    assert sudoku.same(one, sudoku.transform(one))
    assert sudoku.dedup([one, one]).tolist() == [digits(WIKI)]


def test_results_are_frozen_and_can_be_copied():
    some = [sudoku.solve([WIKI, "." * 81]), sudoku.enumerate(WIKI), sudoku.puzzles(2, seed=1), sudoku.sample(2)]
    for found in some:
        for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            assert again == found
            assert again.rules == found.rules
    again = copy.deepcopy(some[0])
    for answers in (some[0], again):
        assert (answers.puzzles[0] == digits(WIKI)).all()
        with pytest.raises(ValueError, match="read-only"):
            answers.puzzles[0, 0] = 9
