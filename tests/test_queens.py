"""Queens against the oracles and the published counts, and the laws of boards, completions and symmetry."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import known_queens as known
import numpy as np
import oracles_queens as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, _call, queens
from puzzlekit.__main__ import main

PROCESSORS = ("portable", "avx2", "avx512")[: _call.lib.pk_cpu_level() + 1]
THREADS = (1, 2, 3, 7)


@pytest.fixture(params=PROCESSORS)
def processor(request, monkeypatch):
    """Every variant of the kernels that this machine can run."""
    monkeypatch.setenv("PUZZLEKIT_CPU", request.param)


@pytest.fixture(params=["search", "join"])
def kernel(request, monkeypatch):
    """The same boards by the plain search and by joining quadrants, whichever would be chosen."""
    joins = request.param == "join"
    if not joins and os.environ.get("PUZZLEKIT_CPU", "portable") != "portable":
        pytest.skip("the plain search has no variants")
    monkeypatch.setattr(queens.Queens, "_joined", lambda self: joins and not self.toroidal and self.n >= 4)
    monkeypatch.setattr("puzzlekit.queens._search._SMALL", -1)


def boards(found: queens.Solutions) -> list[tuple[int, ...]]:
    return [tuple(board) for board in found.array.tolist()]


def random_case(pick: random.Random, n: int, consistent: bool) -> dict[str, list[tuple[int, int]]]:
    """Placed queens, consistent ones if so wanted, and blocked squares."""
    everywhere = [(row, column) for row in range(n) for column in range(n)]
    placed: list[tuple[int, int]] = []
    for square in pick.sample(everywhere, len(everywhere)):
        if len(placed) == pick.choice((0, 1, 1, 2, 3)):
            break
        if not consistent or not any(oracle.attack(square, other) for other in placed):
            placed.append(square)
    rest = [square for square in everywhere if square not in placed]
    return {"placed": placed, "blocked": pick.sample(rest, pick.randrange(len(rest) // 2 + 1))}


# ---- counts ----


@pytest.mark.parametrize("n", range(17))
def test_all(n):
    assert queens.count(n) == queens.count(n, placed=iter(())) == known.ALL[n]


@pytest.mark.parametrize("n", [n for n in known.FUNDAMENTAL if n <= 16])
def test_fundamental(n):
    assert queens.count(n, fundamental=True) == known.FUNDAMENTAL[n]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
def test_toroidal(n):
    assert queens.count(n, toroidal=True) == known.TOROIDAL.get(n, 0)


@pytest.mark.usefixtures("processor", "kernel")
@pytest.mark.parametrize("n", range(4, 12))
def test_every_variant(n):
    assert queens.count(n) == known.ALL[n]
    assert len(queens.enumerate(n)) == known.ALL[n]
    assert len(queens.enumerate(n, fundamental=True)) == known.FUNDAMENTAL[n]


@pytest.mark.usefixtures("processor")
@pytest.mark.parametrize("n", [12, 13, 14])
def test_every_processor(n):
    assert queens.count(n) == known.ALL[n]


@pytest.mark.slow
@pytest.mark.parametrize("n", [16, 17, 18])
def test_every_processor_on_large_boards(n, monkeypatch):
    for name in PROCESSORS:
        monkeypatch.setenv("PUZZLEKIT_CPU", name)
        assert queens.count(n) == known.ALL[n]
    assert queens.count(n, fundamental=True) == known.FUNDAMENTAL[n]


def test_a_torus_up_to_symmetry():
    found = queens.enumerate(13, toroidal=True).array
    assert queens.count(13, toroidal=True, fundamental=True) == len(np.unique(queens.canonical(found), axis=0)) == 572


@pytest.mark.slow
def test_large_torus():
    assert queens.count(19, toroidal=True) == known.TOROIDAL[19]


def test_the_order_does_not_depend_on_the_processor(monkeypatch):
    for options in ({"n": 12}, {"n": 13}, {"n": 14}, {"n": 11, "blocked": [(0, 0)]}, {"n": 12, "fundamental": True}):
        made = []
        for name in PROCESSORS:
            monkeypatch.setenv("PUZZLEKIT_CPU", name)
            made.append(queens.enumerate(**options).array)
        assert all((other == made[0]).all() for other in made)


def test_a_processor_that_is_not_there(monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_CPU", "abacus")
    with pytest.raises(PuzzleError, match="abacus"):
        queens.count(12)


# ---- boards ----


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("n", range(9))
def test_against_oracles(n):
    expected = list(oracle.by_search(n))
    if n < 8:
        assert expected == oracle.by_permutations(n)
    found = queens.enumerate(n)
    assert boards(found.sorted()) == expected
    assert found.complete
    assert found.array.dtype == np.uint8
    assert found.array.shape == (len(expected), n)
    if n:
        least = sorted({min(oracle.images(board)) for board in expected})
        assert boards(queens.enumerate(n, fundamental=True).sorted()) == least


@pytest.mark.parametrize("n", range(10))
def test_small_boards_come_in_lexicographic_order(n):
    found = queens.enumerate(n)
    assert found == found.sorted()


@pytest.mark.parametrize("n", range(1, 14))
def test_boards_are_boards_and_distinct(n):
    found = queens.enumerate(n)
    assert queens.verify(n, found).all()
    assert len(np.unique(found.array, axis=0)) == known.ALL[n]


@pytest.mark.parametrize("n", [9, 10, 11, 12])
def test_orbits_add_up(n):
    fundamental = queens.enumerate(n, fundamental=True)
    orbits = [queens.symmetries(board) for board in fundamental]
    assert sum(map(len, orbits)) == known.ALL[n]
    together = np.concatenate(orbits)
    assert (np.unique(together, axis=0) == queens.enumerate(n).sorted().array).all()
    assert (queens.canonical(fundamental) == fundamental.array).all()


@pytest.mark.parametrize("n", [5, 7, 11, 13])
def test_torus_boards(n):
    found = queens.enumerate(n, toroidal=True)
    assert len(found) == known.TOROIDAL[n]
    assert queens.verify(n, found, toroidal=True).all()
    assert found == found.sorted()
    if n < 8:
        assert boards(found) == oracle.by_permutations(n, torus=True)


def test_sorted_is_lexicographic_beyond_packed_keys():
    pick = random.Random(3)
    for n in (4, 11, 15, 16, 17, 20):
        rows = np.array([pick.sample(range(n), n) for _ in range(3000)], np.uint8)
        made = queens.Solutions(queens.Queens(n), rows).sorted().array.tolist()
        assert made == sorted(rows.tolist())


@pytest.mark.slow
def test_sorted_sixteen():
    array = queens.enumerate(16).sorted().array
    key = array[:, :8].copy().view(">u8").ravel()
    tail = array[:, 8:].copy().view(">u8").ravel()
    assert ((key[1:] > key[:-1]) | ((key[1:] == key[:-1]) & (tail[1:] > tail[:-1]))).all()


# ---- laws ----

CASES = [
    {"n": 8},
    {"n": 11},
    {"n": 12},
    {"n": 11, "fundamental": True},
    {"n": 12, "placed": [(3, 4)]},
    {"n": 13, "blocked": [(0, 0), (6, 6), (7, 2)]},
    {"n": 11, "toroidal": True},
]


@pytest.mark.parametrize("options", CASES, ids=str)
def test_laws(options, monkeypatch):
    whole = queens.enumerate(**options, threads=1)
    many = len(whole)
    assert queens.count(**options) == many
    assert sum(len(some) for some in queens.iterate(**options, batch=97)) == many
    assert len(np.unique(whole.array, axis=0)) == many
    checked = {key: value for key, value in options.items() if key != "fundamental"}
    assert queens.verify(boards=whole, **checked).all()
    for limit in (0, 1, many // 2, many, many + 1):
        some = queens.enumerate(**options, limit=limit)
        assert (some.array == whole.array[:limit]).all()
        assert some.complete == (limit > many)
    for direct in (_call.DIRECT_SECONDS, -1.0):
        monkeypatch.setattr(_call, "DIRECT_SECONDS", direct)
        for threads in THREADS:
            assert queens.enumerate(**options, threads=threads) == whole
            assert queens.count(**options, threads=threads) == many
            joined = np.concatenate([some.array for some in queens.iterate(**options, batch=500, threads=threads)])
            assert (joined == whole.array).all()


def test_iterate_gives_boards_one_by_one():
    assert [tuple(board) for board in queens.iterate(6)] == oracle.by_permutations(6)
    some = queens.iterate(18)
    assert queens.verify(18, [next(some) for _ in range(1000)]).all()
    some.close()


@pytest.mark.usefixtures("kernel")
def test_symmetric_problems_have_symmetric_boards():
    pick = random.Random(5)
    for _ in range(20):
        n = pick.randint(5, 9)
        case = random_case(pick, n, consistent=True)
        many = queens.count(n, **case)
        turned = {key: [(column, n - 1 - row) for row, column in squares] for key, squares in case.items()}
        mirrored = {key: [(row, n - 1 - column) for row, column in squares] for key, squares in case.items()}
        assert queens.count(n, **turned) == queens.count(n, **mirrored) == many


# ---- completion ----


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("n", range(1, 9))
def test_completion_against_search(n):
    for seed in range(8 * n):
        check_completion(n, seed)


def check_completion(n: int, seed: int) -> None:
    pick = random.Random(f"{n} {seed}")
    case = random_case(pick, n, consistent=pick.random() < 0.8)
    expected = list(oracle.by_search(n, **case))
    found = queens.enumerate(n, **case)
    assert boards(found.sorted()) == expected
    assert queens.count(n, **case) == len(expected)
    assert queens.verify(n, found, **case).all()
    one = queens.solve(n, **case, seed=seed)
    assert (one is None) == (not expected)
    assert one is None or tuple(one.tolist()) in expected
    fundamental = boards(queens.enumerate(n, **case, fundamental=True))
    assert sorted(fundamental) == sorted({min(oracle.images(board) & set(expected)) for board in expected})
    assert queens.count(n, **case, fundamental=True) == len(fundamental)


def test_completion_on_a_torus():
    for seed in range(100):
        pick = random.Random(seed)
        n = pick.choice((1, 5, 7))
        case = random_case(pick, n, consistent=False)
        case["placed"] = case["placed"][:1]
        expected = list(oracle.by_search(n, **case, torus=True))
        assert boards(queens.enumerate(n, **case, toroidal=True)) == expected
        one = queens.solve(n, **case, toroidal=True)
        assert (one is None) == (not expected)


@pytest.mark.usefixtures("processor")
@pytest.mark.parametrize("n", [9, 10, 11, 12])
def test_both_kernels_agree_on_completions(n, monkeypatch):
    """Where the oracle is too slow the two kernels, which share nothing, check one another."""
    pick = random.Random(n)
    for _ in range(6):
        case = random_case(pick, n, consistent=True)
        made = []
        for joins in (True, False):
            monkeypatch.setattr(queens.Queens, "_joined", lambda self, joins=joins: joins)
            found = queens.enumerate(n, **case).sorted()
            assert queens.count(n, **case) == len(found)
            made.append(found)
        assert made[0] == made[1]


def test_boards_with_a_queen_here_and_without_add_up():
    for n in (10, 13):
        for square in ((0, 0), (n // 2, n // 2), (3, 7)):
            assert queens.count(n, placed=[square]) + queens.count(n, blocked=[square]) == known.ALL[n]


def test_queens_that_attack_one_another_leave_no_board():
    for placed in ([(0, 0), (0, 1)], [(0, 0), (3, 0)], [(0, 0), (5, 5)], [(1, 4), (4, 1)]):
        assert queens.count(12, placed=placed) == 0
        assert len(queens.enumerate(8, placed=placed)) == 0
        assert queens.solve(8, placed=placed) is None
    assert queens.count(8, placed=[(2, 3)], blocked=[(2, 3)]) == 0


def test_blocked_as_an_array():
    blocked = np.zeros((9, 9), bool)
    blocked[0, 3] = blocked[4, 4] = blocked[8, 1] = True
    assert queens.count(9, blocked=blocked) == queens.count(9, blocked=[(0, 3), (4, 4), (8, 1)])
    assert queens.count(9, blocked=blocked.tolist()) == queens.count(9, blocked=blocked)
    assert queens.Queens(9, blocked=blocked) == queens.Queens(9, blocked=[(8, 1), (4, 4), (0, 3)])


def test_completion_of_a_large_board():
    board = queens.solve(40, placed=[(0, 7)])
    given = [(row, int(board[row])) for row in range(34)]
    found = queens.enumerate(40, placed=given)
    assert board.tolist() in found.array.tolist()
    assert queens.verify(40, found, placed=given).all()


# ---- what plainly has no board ----


@pytest.mark.parametrize("n", [8, 18, 30, 64])
def test_no_torus_by_polya(n):
    for squares in ({}, {"placed": [(0, 0)]}, {"blocked": [(1, 2)]}):
        assert queens.count(n, **squares, toroidal=True) == 0
        assert len(queens.enumerate(n, **squares, toroidal=True, fundamental=True)) == 0
        assert queens.solve(n, **squares, toroidal=True) is None
        with pytest.raises(PuzzleError, match="no board"):
            queens.sample(n, 1, **squares, toroidal=True)


@pytest.mark.parametrize(("rows", "columns"), [(30, 1), (1, 30), (16, 15), (15, 16), (29, 2)])
def test_no_columns_for_all_rows(rows, columns):
    blocked = [(row, column) for row in range(rows) for column in range(columns)]
    assert queens.count(30, blocked=blocked) == 0
    assert queens.solve(30, blocked=blocked) is None


def test_no_square_in_a_line_of_a_large_board():
    assert queens.solve(300, blocked=[(row, 5) for row in range(300)]) is None
    assert queens.solve(300, blocked=[(5, column) for column in range(300)]) is None


# ---- one board ----


@pytest.mark.parametrize("n", [*range(300), 1000, 4999, 5000, 5001, 5002, 5003])
def test_solve(n):
    board = queens.solve(n)
    assert (board is None) == (n in (2, 3))
    assert board is None or queens.verify(n, board.reshape(1, n)).all()


@pytest.mark.parametrize("n", [*range(60), 1001])
def test_solve_on_a_torus(n):
    board = queens.solve(n, toroidal=True)
    assert (board is not None) == ((n % 2 != 0 and n % 3 != 0) or n == 0)
    assert board is None or queens.verify(n, board.reshape(1, n), toroidal=True).all()


@pytest.mark.parametrize("n", [12, 30, 100, 300, 1000])
def test_solve_with_placed_queens(n):
    pick = random.Random(n)
    placed = [(0, pick.randrange(n))]
    placed.append((n // 2, (placed[0][1] + n // 3) % n))
    blocked = [(pick.randrange(1, n // 2), pick.randrange(n)) for _ in range(n)]
    board = queens.solve(n, placed=placed, blocked=blocked)
    assert queens.verify(n, board, placed=placed, blocked=blocked).all()


@pytest.mark.parametrize("n", [1000, 2000, 3000, 30_000])
def test_solve_of_large_boards_takes_no_time(n):
    """Repairs; the search alone took up to 16 s."""
    began = time.process_time()
    for seed in range(10):
        board = queens.solve(n, placed=[(0, 0)], seed=seed)
        assert board[0] == 0
        assert queens.verify(n, board).all()
    assert time.process_time() - began < 5


@pytest.mark.parametrize(("n", "share"), [(100, 0.5), (1000, 0.3), (3000, 0.03)])
def test_solve_completes_what_is_left_of_a_board(n, share):
    board = queens.solve(n, placed=[(0, 3)], seed=1)
    placed = [(row, int(board[row])) for row in random.Random(n).sample(range(n), int(share * n))]
    assert queens.verify(n, queens.solve(n, placed=placed), placed=placed).all()


def test_solve_proves_that_there_is_none():
    """Small enough to exhaust, and no matching of rows and columns tells."""
    blocked = [(row, column) for row in range(8) for column in range(8) if (row + column) % 8 not in (0, 1)]
    assert not list(oracle.by_search(8, blocked=blocked))
    assert queens.solve(8, blocked=blocked) is None
    assert queens.solve(6, placed=[(0, 0)]) is None


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_the_set_up_of_a_large_board(tmp_path):
    """Attempts begin with all squares of the board: 9e8 of them."""
    code = (
        "from puzzlekit import queens\n"
        "print('begun', flush=True)\n"
        "queens.solve(30_000, placed=[(row, 2 * row) for row in range(14_000)])\n"
    )
    command, pipe = [sys.executable, "-c", code], subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, error = process.communicate(timeout=60)
        assert time.monotonic() - began < 2
        assert b"KeyboardInterrupt" in error


# ---- sample, symmetry, puzzle ----


@pytest.mark.parametrize(("n", "options"), [(6, {}), (7, {}), (10, {"blocked": [(0, 0), (9, 0)], "placed": [(1, 1)]})])
def test_sample_is_uniform(n, options):
    """Every board comes; how often is compared with what is to be expected (chi square, seven deviations)."""
    every = queens.enumerate(n, **options)
    some = queens.sample(n, 200 * len(every), seed=7, **options)
    distinct, times = np.unique(some.array, axis=0, return_counts=True)
    assert (distinct == every.sorted().array).all()
    square = ((times - 200) ** 2 / 200).sum()
    assert abs(square - (len(every) - 1)) < 7 * (2 * len(every)) ** 0.5


def test_sample_of_units_that_are_joined():
    some = queens.sample(12, 20_000, seed=1)
    assert queens.verify(12, some).all()
    first = np.bincount(some.array[:, 0], minlength=12)
    expected = np.bincount(queens.enumerate(12).array[:, 0], minlength=12) * 20_000 / known.ALL[12]
    assert ((first - expected) ** 2 / expected).sum() < 60
    assert (some.array == queens.sample(12, 20_000, seed=1).array).all()
    assert len(queens.sample(12, 0, seed=1)) == 0


@pytest.mark.parametrize(("n", "k"), [(12, 0), (12, 3), (13, 5000)])
def test_a_sample_depends_on_the_seed_alone(n, k):
    told: list[tuple[int, int, int]] = []
    some = queens.sample(n, k, seed=4, threads=1, progress=lambda *state: told.append(state))
    assert told[-1][0] == told[-1][1]
    assert [state[0] for state in told] == sorted(state[0] for state in told)
    assert (queens.sample(n, k, seed=4, threads=3).array == some.array).all()
    with pytest.raises(Cancelled):
        queens.sample(n, k, progress=lambda done, total, found: False)


def test_fundamental_boards_are_counted_and_listed_only():
    for problem in (queens.Queens(9, fundamental=True), queens.Queens(8, placed=[(0, 1)], fundamental=True)):
        with pytest.raises(PuzzleError, match="fundamental"):
            queens.solve(problem)
        with pytest.raises(PuzzleError, match="fundamental"):
            queens.sample(problem, 1)
        every = queens.enumerate(problem.n, placed=problem.placed)
        kept = every.array[queens.verify(problem, every)]
        assert (kept == queens.enumerate(problem).sorted().array).all()


def test_symmetries_and_canonical():
    pick = random.Random(1)
    every = queens.enumerate(9).array
    for place in pick.sample(range(len(every)), 60):
        board = tuple(every[place].tolist())
        assert [tuple(image) for image in queens.symmetries(board).tolist()] == sorted(oracle.images(board))
        assert tuple(queens.canonical(board)[0].tolist()) == min(oracle.images(board))
    assert len(queens.symmetries([1, 3, 0, 2])) == 2
    assert queens.canonical(queens.enumerate(0)).shape == queens.symmetries(queens.enumerate(0)).shape == (1, 0)
    assert len(queens.verify(8, [])) == len(queens.canonical([])) == 0
    assert len(queens.symmetries([2, 4, 1, 7, 0, 6, 3, 5])) == 4


@pytest.mark.parametrize("seed", range(12))
def test_puzzle(seed):
    n = 4 + seed
    made = queens.puzzle(n, seed=seed)
    assert made.unique
    assert queens.count(n, placed=made.placed) == 1
    assert queens.solve(n, placed=made.placed).tolist() == list(made.solution)
    for left_out in made.placed:
        assert queens.count(n, placed=[square for square in made.placed if square != left_out]) > 1
    assert queens.puzzle(n, seed=seed) == made
    assert str(made).count("Q") == len(made.placed)
    for solved, queens_drawn in ((False, len(made.placed)), (True, n)):
        root = ElementTree.fromstring(made.to_svg(solved=solved))
        assert (
            sum(element.get("transform") is not None for element in root.iter() if "path" in element.tag)
            == queens_drawn
        )


def test_puzzle_with_so_many_queens():
    assert len(queens.puzzle(8, given=5, seed=1).placed) == 5
    loose = queens.puzzle(8, given=1, unique=False, seed=1)
    assert len(loose.placed) == 1
    assert loose.unique == (queens.count(8, placed=loose.placed) == 1)
    for n, few in ((9, 2), (12, 0), (30, 0), (64, 2)):
        loose = queens.puzzle(n, given=few, unique=False, seed=1)
        assert not loose.unique
        assert len(loose.placed) == few
        assert queens.verify(n, loose.solution, placed=loose.placed).all()
    with pytest.raises(PuzzleError, match="no puzzle with 0"):
        queens.puzzle(8, given=0, seed=1)
    with pytest.raises(PuzzleError, match="no board with 3"):
        queens.puzzle(3)
    with pytest.raises(PuzzleError, match="given"):
        queens.puzzle(8, unique=False)
    with pytest.raises(PuzzleError, match="9"):
        queens.puzzle(8, given=9)


# ---- what is refused ----


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"n": -1}, "-1"),
        ({"n": 8.0}, "8.0"),
        ({"n": "8"}, "'8'"),
        ({"n": True}, "True"),
        ({"n": 24}, "24"),
        ({"n": 65, "placed": [(0, 0)]}, "65"),
        ({"n": 65, "toroidal": True}, "65"),
        ({"n": 8, "placed": [(8, 0)]}, r"\(8, 0\)"),
        ({"n": 8, "placed": [(0, -1)]}, r"\(0, -1\)"),
        ({"n": 8, "blocked": [(0, 1, 2)]}, r"\(0, 1, 2\)"),
        ({"n": 8, "blocked": [0, 1]}, r"\[0, 1\]"),
        ({"n": 8, "blocked": [(0, 1.5)]}, "1.5"),
        ({"n": 8, "blocked": np.zeros((7, 8), bool)}, r"\(7, 8\)"),
        ({"n": 3, "blocked": [[True, False, False]] * 2}, r"\(2, 3\)"),
        ({"n": 8, "blocked": np.zeros((8, 8), int)}, "True or False"),
        ({"n": 8, "blocked": np.zeros(8, int)}, r"\(8,\)"),
        ({"n": 8, "placed": [(10**5000, 0)]}, "16610 bits"),
        ({"n": 10**5000}, "16610 bits"),
        ({"n": -(10**5000)}, "16610 bits"),
        ({"n": 7, "toroidal": np.array([0, 1])}, "toroidal must be"),
        ({"n": 7, "toroidal": "no"}, "'no'"),
        ({"n": 7, "fundamental": 1}, "fundamental must be"),
        ({"n": 8, "threads": 0}, "0"),
        ({"n": 8, "threads": "2"}, "'2'"),
        ({"n": 8, "progress": 3}, "3"),
        ({"n": queens.Queens(8), "placed": [(0, 0)]}, "other arguments"),
    ],
)
def test_bad_input(arguments, named):
    for verb in (queens.count, queens.enumerate, queens.iterate):
        with pytest.raises(PuzzleError, match=named):
            verb(**arguments)


def test_bad_boards():
    with pytest.raises(PuzzleError, match="shape"):
        queens.verify(8, [[0, 1, 2]])
    with pytest.raises(PuzzleError, match="other arguments"):
        queens.count(queens.Queens(8), blocked=iter([(0, 0)]))
    with pytest.raises(PuzzleError, match="same number"):
        queens.verify(2, [[0, 1], [0]])
    with pytest.raises(PuzzleError, match="float"):
        queens.verify(3, [[0.0, 1.0, 2.0]])
    with pytest.raises(PuzzleError, match="one queen"):
        queens.canonical([[0, 0, 1]])
    with pytest.raises(PuzzleError, match="one board"):
        queens.symmetries(queens.enumerate(6))
    for options in ({"n": 21}, {"n": 22, "blocked": [(0, 0)]}, {"n": 25, "toroidal": True}):
        with pytest.raises(PuzzleError, match=str(options["n"])):
            queens.sample(**options, k=1)
    for k in (10**12, 10**18, 10**30):
        with pytest.raises(PuzzleError, match=str(k)):
            queens.sample(8, k)
    with pytest.raises(PuzzleError, match="16610 bits"):
        queens.sample(8, -(10**5000))
    with pytest.raises(PuzzleError, match="16610 bits"):
        queens.puzzle(8, given=10**5000)
    for seed in ("x", -1):
        with pytest.raises(PuzzleError, match="seed"):
            queens.solve(8, seed=seed)
    for n in (20, 22):
        with pytest.raises(PuzzleError, match="memory"):
            queens.enumerate(n)
    with pytest.raises(PuzzleError, match="no board"):
        queens.sample(3, 1)
    with pytest.raises(PuzzleError, match="-1"):
        queens.sample(8, -1)
    with pytest.raises(PuzzleError, match="limit"):
        queens.enumerate(8, limit=-1)
    with pytest.raises(PuzzleError, match="less than"):
        queens.solve(2**31)


def test_progress_and_cancel():
    told: list[tuple[int, int, int]] = []
    many = queens.count(15, progress=lambda *state: told.append(state))
    assert told[-1][2] == many == known.ALL[15]
    assert queens.count(8, progress=lambda *state: told.append(state)) == told[-1][2] == known.ALL[8]
    for options in (
        {"n": 12, "fundamental": True},
        {"n": 13, "toroidal": True},
        {"n": 12, "toroidal": True},
        {"n": 0, "toroidal": True},
        {"n": 11, "toroidal": True, "fundamental": True},
    ):
        told.clear()
        assert queens.count(**options, progress=lambda *state: told.append(state)) == told[-1][2]
    with pytest.raises(Cancelled):
        queens.count(18, progress=lambda done, total, found: done < 10)


# ---- text, files, pictures, the command line ----


def test_text_and_csv_and_json_and_fen():
    found = queens.enumerate(4)
    assert found.to_text() == ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n\n"
    assert found.to_csv() == "r0,r1,r2,r3\n1,3,0,2\n2,0,3,1\n"
    assert found.to_fen() == "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/1Q2\n"
    made = json.loads(queens.enumerate(5, placed=[(0, 0)], blocked=[(1, 1)]).to_json())
    assert made["n"] == 5
    assert made["placed"] == [[0, 0]]
    assert made["solutions"] == [list(board) for board in oracle.by_search(5, [(0, 0)], [(1, 1)])]
    assert made["complete"] is True
    assert json.loads(queens.enumerate(0).to_json())["solutions"] == [[]]
    assert json.loads(queens.enumerate(6, fundamental=True).to_json())["fundamental"] is True
    assert repr(queens.enumerate(6)).splitlines()[:2] == ["<4 boards with 6 queens>", "  1 3 5 0 2 4"]


def test_pictures():
    root = ElementTree.fromstring(queens.enumerate(8, placed=[(0, 0)], blocked=[(4, 4)]).to_svg())
    paths = [element for element in root.iter() if element.tag.endswith("path")]
    crowns = [path for path in paths if path.get("transform")]
    assert len(crowns) == 8 * queens.count(8, placed=[(0, 0)], blocked=[(4, 4)])
    assert len({path.get("fill") for path in crowns}) == 2


def test_files(tmp_path):
    found = queens.enumerate(8)
    for name in ("a.txt", "a.csv", "a.json", "a.npy", "a.npz", "a.svg"):
        found.save(tmp_path / name)
    assert (np.load(tmp_path / "a.npy") == found.array).all()
    assert (np.loadtxt(tmp_path / "a.csv", delimiter=",", skiprows=1, dtype=int) == found.array).all()


def test_command(tmp_path, capsysbinary):
    def run(*arguments: str) -> str:
        assert main(["queens", *arguments]) == 0
        captured = capsysbinary.readouterr()
        assert b" in " in captured.err
        return captured.out.decode()

    assert run("8", "--count") == "92\n"
    assert run("8", "--count", "--fundamental") == "12\n"
    assert run("8", "--count", "--placed", "0,0", "--blocked", "1,4", "1,5") == (
        f"{queens.count(8, placed=[(0, 0)], blocked=[(1, 4), (1, 5)])}\n"
    )
    assert run("5", "--toroidal", "--count") == "10\n"
    assert run("6") == queens.enumerate(6).to_text()
    assert run("6", "--format", "fen", "--limit", "2") == queens.enumerate(6)[:2].to_fen()
    assert run("8", "--sample", "2", "--seed", "1", "--format", "fen") == queens.sample(8, 2, seed=1).to_fen()
    assert run("8", "--sample", "3", "--seed", "1", "--format", "csv") == queens.sample(8, 3, seed=1).to_csv()
    target = tmp_path / "boards.npy"
    assert run("10", "-o", str(target)) == ""
    assert (np.load(target) == queens.enumerate(10).array).all()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("8 --placed 8,0", "(8, 0)"),
        ("8 --placed 80", "'80'"),
        ("x", "x"),
        ("99", "99"),
        ("8 --seed 1", "--sample"),
        ("8 --sample 1 --count", "--sample"),
        ("8 --count --limit 5", "--count"),
        ("8 --count --format svg", "--count"),
        ("8 --count -o x.svg", "--count"),
        ("8 -o a.pdf", ".pdf"),
        ("8 --format pdf", "pdf"),
    ],
)
def test_a_command_that_is_refused(arguments, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["queens", *arguments.split()])
    except SystemExit as end:
        code = end.code
    captured = capsys.readouterr()
    assert code == 2
    assert named in captured.err
    assert captured.out == ""
    assert not any(tmp_path.iterdir())


# ---- properties ----


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_completion(data):
    n = data.draw(st.integers(0, 7))
    squares = st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, max(n - 1, 0)))
    placed = data.draw(st.lists(squares, max_size=3)) if n else []
    blocked = data.draw(st.lists(squares, max_size=12)) if n else []
    torus = data.draw(st.booleans())
    expected = list(oracle.by_search(n, placed, blocked, torus))
    assert boards(queens.enumerate(n, placed=placed, blocked=blocked, toroidal=torus)) == expected


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(7)))
def test_canonical_of_any_placement(board):
    """Also where queens attack one another: only rows and columns matter."""
    made = {tuple(queens.canonical(image)[0].tolist()) for image in oracle.images(tuple(board))}
    assert made == {min(oracle.images(tuple(board)))}
    assert queens.verify(7, board)[0] == (tuple(board) in set(oracle.by_search(7)))
