"""Boards at random, and puzzles made of them."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Final

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import flag, whole_number
from puzzlekit._draw import Svg, sheet
from puzzlekit._machine import check_memory
from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError
from puzzlekit.queens._board import (
    MOST_COMPLETED,
    Boards,
    Queens,
    Square,
    Squares,
    generator,
    problem_of,
    refuse_fundamental,
)
from puzzlekit.queens._results import Solutions, picture
from puzzlekit.queens._search import enumerate
from puzzlekit.queens._solve import solve

MOST_SAMPLED: Final = 20
"""So many rows at most may be left to fill in a board that is sampled: all boards are counted first."""

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
        As in `enumerate`, but at most 20 rows may be left to choose a square in: all boards are counted first, which
        takes as long as `count` says.
    k
        How many boards. They are drawn independently, so one may come twice.
    seed
        The same seed gives the same boards; None for others every time.
    placed, blocked, toroidal, threads, progress
        As in `enumerate`, but progress is told parts of the whole instead of units, and no boards before the end.

    Raises
    ------
    PuzzleError
        As in `enumerate`, and if there is no board at all, or k boards do not fit in memory.
    Cancelled
        If `progress` stopped the search.

    Examples
    --------
    >>> from puzzlekit.queens import verify
    >>> some = sample(10, 5, seed=1)
    >>> some.array.shape, verify(10, some).all()
    ((5, 10), np.True_)
    """
    problem = problem_of(n, placed, blocked, toroidal)
    refuse_fundamental(problem)
    wanted = whole_number("k", k)
    if wanted < 0:
        raise PuzzleError(f"k must not be negative, not {shown(wanted)}")
    random = generator(seed)
    left = len(problem._rows_left())
    if left > MOST_SAMPLED:
        raise PuzzleError(
            f"at most {MOST_SAMPLED} rows may be left to fill in a sampled board, not {left}: all are counted first"
        )
    check_memory(wanted * (problem.n + 32), f"{shown(wanted)} boards")
    plan = problem._plan()
    stages = _call.Stages(progress)
    try:
        return Solutions(problem, _drawn(plan, wanted, random, threads, stages)[:, : problem.n], complete=False)
    finally:
        stages.close()


def _drawn(plan: _call.Plan, k: int, random: np.random.Generator, threads: int | None, stages: _call.Stages) -> Boards:
    """Rows of a plan at random: units are counted, and those that have one of the k rows are listed."""
    counted = plan.units / max(plan.units + min(plan.units, k), 1)
    ends = np.cumsum(_call.count_units(plan, threads=threads, progress=stages.run(0, counted)), dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    if total == 0 and k:
        raise PuzzleError("there is no board to sample from")
    rows = np.empty((k, plan.row_bytes), np.uint8)
    drawn = random.integers(max(total, 1), size=k)
    order = np.argsort(drawn, kind="stable")
    units, firsts = np.unique(np.searchsorted(ends, drawn[order], side="right"), return_index=True)
    starts = np.flatnonzero(np.diff(units, prepend=-2) > 1)  # units in a row are listed together, by all threads
    for at, end in zip(starts, [*starts[1:], len(units)]):
        first, last = int(units[at]), int(units[end - 1]) + 1
        here = order[firsts[at] : firsts[end] if end < len(units) else k]
        places = drawn[here] - (ends[first - 1] if first else 0)
        share = [counted + (1 - counted) * done / len(units) for done in (at, end)]
        begin = 0
        for block in _call.iterate_rows(plan, threads=threads, units=(first, last), progress=stages.run(*share)):
            some = slice(*np.searchsorted(places, (begin, begin + len(block))))
            rows[here[some]] = block[places[some] - begin]
            begin += len(block)
    return rows


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
        If there is no board of n queens, or no puzzle with so few queens has been found on 200 boards (which does not
        mean that there is none).

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
        raise PuzzleError(f"n must be at most {MOST_COMPLETED} for a puzzle, not {shown(size)}")
    unique = flag("unique", unique)
    if given is None and not unique:
        raise PuzzleError("given says how many queens a puzzle has that need not be unique; it is missing")
    wanted = None if given is None else whole_number("given", given)
    if wanted is not None and not 0 <= wanted <= size:
        raise PuzzleError(f"given must be 0 to {size} queens, not {shown(wanted)}")
    random = generator(seed)
    if solve(size) is None:
        raise PuzzleError(f"there is no board with {size} queens to make a puzzle of")
    for _ in range(_TRIES):
        board = _random_board(size, random)
        kept = _thin_out(size, board, wanted, unique, random)
        if kept is not None:
            problem = Queens(size, placed=kept)
            return Puzzle(problem, tuple(board), _is_only(problem, board))
    raise PuzzleError(
        f"no puzzle with {wanted} given queens and one completion has been found on {_TRIES} boards of {size} queens; "
        "that is no proof that there is none"
    )


def _is_only(problem: Queens, board: list[int]) -> bool:
    """Whether a board is the only completion. A random search soon finds another one where there are many."""
    other = solve(problem, seed=0)
    return (other is None or other.tolist() == board) and len(enumerate(problem, limit=2)) == 1


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
        if _is_only(Queens(n, placed=[(other, board[other]) for other in kept - {row}]), board):
            kept.remove(row)
    if wanted is not None and len(kept) > wanted:
        return None
    return [(row, board[row]) for row in sorted(kept)]
