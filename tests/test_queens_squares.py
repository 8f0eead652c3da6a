"""Boards with placed queens and blocked squares: completions, what plainly has none, and one board at once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import known_queens as known
import numpy as np
import oracles_queens as oracle
import pytest
from cases_queens import boards, random_case
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import PuzzleError, queens

# ---- completion ----


@pytest.mark.usefixtures("queens_kernel")
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
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also when the tests run in the background
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert b"KeyboardInterrupt" in error


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
