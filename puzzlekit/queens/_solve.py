"""One board: a known one, or one that a search finds."""

from __future__ import annotations

from typing import Final

import numpy as np

from puzzlekit import _call
from puzzlekit._machine import check_memory
from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError
from puzzlekit.queens._board import (
    MOST_COMPLETED,
    Array,
    Queens,
    Squares,
    dtype_of,
    generator,
    problem_of,
    refuse_fundamental,
)
from puzzlekit.queens._search import enumerate

MOST_SOLVED: Final = 30_000
"""The largest board with placed queens or blocked squares that `solve` takes."""


def solve(
    n: int | Queens,
    *,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    seed: int | None = 0,
) -> Array | None:
    """One board, or None if there is none.

    Parameters
    ----------
    n
        Any size below 2**31 whose board fits in memory, at 8 bytes a row. With placed queens or blocked squares at
        most 30,000, on a torus with those at most 64. Blocked squares take n * n bytes.
    placed, blocked, toroidal
        As in `enumerate`.
    seed
        With placed queens or blocked squares, another seed may give another board; None for any.

    Returns
    -------
    numpy.ndarray or None
        The column of the queen of each row: uint8 up to n = 256, else int32.

    Notes
    -----
    Without placed queens and blocked squares the board is a known one: knight's moves. Otherwise a board full of queens
    is repaired until none attacks another, which takes milliseconds if few are given. Where that does not come to an
    end, boards are searched, the row with the fewest squares left first; None is a proof. Whether queens can be
    completed is a hard question, so a search can take very long; Ctrl-C stops it.

    Examples
    --------
    >>> solve(4, placed=[(0, 2)])
    array([2, 0, 3, 1], dtype=uint8)
    >>> solve(3) is None
    True
    >>> from puzzlekit.queens import verify
    >>> verify(2000, solve(2000))
    array([ True])
    >>> board = solve(500, placed=[(0, 0), (100, 300)])
    >>> board[0], board[100]
    (np.int32(0), np.int32(300))
    """
    problem = problem_of(n, placed, blocked, toroidal)
    refuse_fundamental(problem)
    random = generator(seed)
    if problem.n >= 2**31:
        raise PuzzleError(f"n must be less than 2**31, not {shown(problem.n)}")
    check_memory(8 * problem.n, f"a board with {problem.n:,} queens")
    board: Array | None = None
    if problem._empty_torus:
        return None
    if not problem._free and not problem.toroidal:
        board = _search_board(problem, int(random.integers(2**64, dtype=np.uint64)))
    elif not problem._free:
        found = enumerate(problem, limit=1)
        board = found[0] if len(found) else None
    else:
        board = _known_torus(problem.n) if problem.toroidal else _known_board(problem.n)
    return None if board is None else board.astype(dtype_of(problem.n), copy=False)


def _known_board(n: int) -> Array | None:
    """Knight's moves: the odd columns, then the even ones, with some exchanged if n mod 6 is 2 or 3."""
    if n in (2, 3):
        return None
    columns: Array = np.arange(n, dtype=np.int32)
    odd, even = columns[1::2], columns[::2]
    if n % 6 == 2:
        even = np.concatenate([[2, 0], even[3:], [4]])
    elif n % 6 == 3:
        odd, even = np.roll(odd, -1), np.roll(even, -2)
    return np.concatenate([odd, even])


def _known_torus(n: int) -> Array:
    return (2 * np.arange(n, dtype=np.int64) % max(n, 1)).astype(np.int32)


def _search_board(problem: Queens, seed: int) -> Array | None:
    n = problem.n
    if n > MOST_SOLVED:
        raise PuzzleError(f"n must be at most {MOST_SOLVED} with placed queens or blocked squares, not {shown(n)}")
    if n <= MOST_COMPLETED and problem._allowed is not None and not problem._allowed.any():
        return None
    column: Array = np.full(n, -1, np.int32)
    for row, place in problem.placed:
        if column[row] >= 0:
            return None
        column[row] = place
    blocked: Array | None = None
    if problem.blocked:
        check_memory(n * n, f"the blocked squares of a board with {n:,} queens")
        blocked = np.zeros((n, n), np.uint8)
        blocked[tuple(np.array(problem.blocked).T)] = 1
        if blocked.all(axis=0).any() or blocked.all(axis=1).any():
            return None
        blocked = blocked.reshape(-1)
    plan = _call.Plan("queens_place", n, column, blocked, seed)
    rows = _call.enumerate_rows(plan, limit=1, threads=1).array
    return rows.reshape(-1).view(np.int32).copy() if len(rows) else None
