"""Boards at random, and puzzles made of them."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Final

import numpy as np

from puzzlekit import _call
from puzzlekit._draw import Svg, sheet
from puzzlekit.errors import PuzzleError
from puzzlekit.queens._board import MOST_COMPLETED, Queens, Square, Squares, problem_of, whole_seed
from puzzlekit.queens._results import Solutions, picture
from puzzlekit.queens._search import enumerate
from puzzlekit.queens._solve import solve

MOST_SAMPLED: Final = 20
"""The largest board that is sampled without placed queens: its boards are counted first."""

_TRIES: Final = 200


def sample(
    n: int | Queens,
    k: int,
    *,
    seed: int | None = None,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """Random boards: each of the k is any of all boards with the same probability, exactly.

    Parameters
    ----------
    n
        As in `enumerate`, but at most 20 without placed queens and blocked squares: all boards are counted first.
    k
        How many boards. They are drawn independently, so one may come twice.
    seed
        The same seed gives the same boards; None for others every time.
    placed, blocked, toroidal, threads, progress
        As in `enumerate`; progress is that of the count.

    Raises
    ------
    PuzzleError
        As in `enumerate`, and if there is no board at all.

    Examples
    --------
    >>> from puzzlekit.queens import verify
    >>> some = sample(10, 5, seed=1)
    >>> some.array.shape, verify(10, some).all()
    ((5, 10), np.True_)
    """
    problem = problem_of(n, placed, blocked, toroidal)
    wanted = _call.whole_number("k", k)
    if wanted < 0:
        raise PuzzleError(f"k must not be negative, not {wanted}")
    if problem._free and not problem.toroidal and problem.n > MOST_SAMPLED:
        raise PuzzleError(
            f"n must be at most {MOST_SAMPLED} to sample boards, not {problem.n}: all boards have to be counted for it"
        )
    random = np.random.default_rng(None if seed is None else whole_seed(seed))
    plan = problem._plan()
    ends = np.cumsum(_call.count_units(plan, threads=threads, progress=progress), dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    if total == 0 and wanted:
        raise PuzzleError(f"there is no board with {problem.n} queens to sample from")
    rows = np.empty((wanted, problem.n), np.uint8)
    drawn = random.integers(total, size=wanted) if wanted else np.empty(0, np.int64)
    units = np.searchsorted(ends, drawn, side="right")
    for unit in np.unique(units).tolist():
        here = np.flatnonzero(units == unit)
        found = _call.enumerate_rows(plan, threads=1, units=(unit, unit + 1)).array[:, : problem.n]
        rows[here] = found[drawn[here] - (ends[unit] - len(found))]
    return Solutions(problem, rows, complete=False)


@dataclass(frozen=True)
class Puzzle:
    """Queens that are given, to be completed.

    Attributes
    ----------
    problem
        The board with the given queens.
    solution
        A board that completes it: the column of the queen of each row.
    unique
        Whether it is the only one.
    """

    problem: Queens
    solution: tuple[int, ...]
    unique: bool

    @property
    def placed(self) -> tuple[Square, ...]:
        """The given queens."""
        return self.problem.placed  # type: ignore[return-value]

    def __str__(self) -> str:
        given = dict(self.placed)
        n = self.problem.n
        return "\n".join("".join("Q" if given.get(row) == column else "." for column in range(n)) for row in range(n))

    def to_svg(self, solved: bool = False) -> Svg:
        """The board with the given queens in red; if `solved`, with the others in black."""
        given = dict(self.placed)
        board = [column if solved or row in given else -1 for row, column in builtins.enumerate(self.solution)]
        return sheet([picture(board, set(given), ())], f"{self.problem.n} queens, {len(given)} of them given")

    def _repr_svg_(self) -> str:
        return str(self.to_svg())


def puzzle(n: int, *, given: int | None = None, unique: bool = True, seed: int | None = None) -> Puzzle:
    """A puzzle: some queens of a random board, from which the others are to be found.

    Parameters
    ----------
    n
        At most 64.
    given
        How many queens are given; None: as few as leave exactly one completion, in the sense that none of them can be
        left out.
    unique
        Whether there must be exactly one completion. False needs `given`.
    seed
        The same seed gives the same puzzle; None for another one every time.

    Raises
    ------
    PuzzleError
        If there is no board of n queens, or no puzzle with so few queens has been found on 200 boards.

    Notes
    -----
    The board is drawn uniformly up to n = 12; a larger one comes from a random search. Queens are taken off in random
    order as long as the completion stays unique, which is checked each time.

    Examples
    --------
    >>> from puzzlekit.queens import count
    >>> made = puzzle(8, seed=3)
    >>> count(made.problem)
    1
    >>> len(puzzle(10, given=4, seed=1).placed)
    4
    """
    size = Queens(n).n
    if size > MOST_COMPLETED:
        raise PuzzleError(f"n must be at most {MOST_COMPLETED} for a puzzle, not {size}")
    if given is None and not unique:
        raise PuzzleError("given says how many queens a puzzle has that need not be unique; it is missing")
    wanted = None if given is None else _call.whole_number("given", given)
    if wanted is not None and not 0 <= wanted <= size:
        raise PuzzleError(f"given must be 0 to {size} queens, not {wanted}")
    if solve(size) is None:
        raise PuzzleError(f"there is no board with {size} queens to make a puzzle of")
    random = np.random.default_rng(None if seed is None else whole_seed(seed))
    for _ in range(_TRIES):
        board = _random_board(size, random)
        kept = _thin_out(size, board, wanted, unique, random)
        if kept is not None:
            problem = Queens(size, placed=kept)
            only = len(enumerate(problem, limit=2)) == 1
            return Puzzle(problem, tuple(board), only)
    raise PuzzleError(
        f"no puzzle with {wanted} given queens and one completion has been found on {_TRIES} boards of {size} queens"
    )


def _random_board(n: int, random: np.random.Generator) -> list[int]:
    if n <= 12:
        return [int(column) for column in sample(n, 1, seed=int(random.integers(2**32)))[0]]
    corner = (int(random.integers(n)), int(random.integers(n)))
    while True:
        board = solve(n, placed=[corner], seed=int(random.integers(2**32)))
        if board is not None:
            return [int(column) for column in board]


def _thin_out(
    n: int, board: list[int], wanted: int | None, unique: bool, random: np.random.Generator
) -> list[Square] | None:
    """Take queens off in random order; None if so few as wanted cannot be reached."""
    order = [int(row) for row in random.permutation(n)]
    if not unique:
        return [(row, board[row]) for row in order[:wanted]]
    kept = set(order)
    for row in order:
        if len(kept) == wanted:
            break
        rest = [(other, board[other]) for other in kept - {row}]
        if len(enumerate(n, placed=rest, limit=2)) == 1:
            kept.remove(row)
    if wanted is not None and len(kept) > wanted:
        return None
    return [(row, board[row]) for row in sorted(kept)]
