"""Solving, counting and enumerating."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, overload

import numpy as np

from puzzlekit import _call
from puzzlekit._solutions import stream
from puzzlekit.errors import Cancelled, PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._results import Answers, Counts, Solutions
from puzzlekit.sudoku._rules import CLASSIC, Cells, Rules, Sudoku, rules_for, rules_of

NONE, UNIQUE, SEVERAL, INVALID = range(4)
TRAILER: Final = 13
"""What a result row has behind the cells of a solution (csrc/sudoku.h)."""
_MANY: Final = 4096
"""Solutions up to which puzzles are counted side by side; those with more are counted one by one."""


def problem_of(puzzle: Any, box: tuple[int, int], diagonals: bool, regions: Any, extra: Any) -> Sudoku:
    """One puzzle and its rules, from what a verb was given."""
    rules = rules_for(puzzle, box, diagonals, regions, extra)
    if isinstance(puzzle, Sudoku):
        return puzzle
    return Sudoku(puzzle, rules.box, rules.diagonals, rules.regions, rules.extra)


def given_puzzles(
    puzzles: Any, box: tuple[int, int], diagonals: bool, regions: Any, extra: Any
) -> tuple[_input.Batch, Rules]:
    """One puzzle or many and their rules, from what a verb was given."""
    rules = rules_for(puzzles, box, diagonals, regions, extra)
    return _input.many(puzzles, rules), rules


def _check_options(threads: int | None, progress: _call.Progress) -> None:
    """Mistakes show in quick answers too, which need neither."""
    _call.thread_limit(threads)
    _call.reporter(progress)


def _quick(cells: Cells, rules: Rules, limit: int, keep: int = 1) -> Cells | None:
    """The result row of one puzzle, if it does not take long."""
    row = np.empty(keep * rules.n**2 + TRAILER, np.uint8)
    n, house, houses = rules.arguments
    status = _call.call("pk_sudoku_quick", cells, n, house, houses, limit, keep, _call.cpu_level(), row)
    return None if _call.check(status) else row


def _batch(
    cells: Cells, rules: Rules, limit: int, threads: int | None, progress: _call.Progress, keep: int = 1
) -> _call.Rows:
    flat = cells.reshape(-1)
    plan = _call.Plan("sudoku_batch", flat, len(cells), *rules.arguments, limit, keep, _call.cpu_level())
    return _call.enumerate_rows(plan, threads=threads, progress=progress)


def result(
    cells: Cells, rules: Rules, limit: int, threads: int | None, progress: _call.Progress, keep: int = 1
) -> Cells:
    """The result row of one puzzle: the first `keep` solutions that were found, and what is known of all."""
    _check_options(threads, progress)
    quick = _quick(cells, rules, limit, keep)
    if quick is not None:
        return quick
    rows = _batch(cells.reshape(1, -1), rules, limit, threads, progress, keep)
    if not len(rows.array):
        raise Cancelled("progress stopped the search before it knew")
    row: Cells = rows.array[0]
    return row


def number_of(row: Cells) -> int:
    """The number of solutions in a result row."""
    return int(row[-8:].view(np.uint64)[0])


def solve(
    puzzles: Any,
    *,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Any:
    """The solution of a puzzle, or the answers for many.

    Parameters
    ----------
    puzzles
        One: a string of 81 characters (white space does not count; . 0 * and _ are empty), an array of shape (9, 9) or
        (81,), or a `Sudoku`. Many: a list of these, an array of shape (k, 81) or (k, 9, 9), `Puzzles`, or the name of
        a file that `read` reads.
    box, diagonals, regions, extra
        As in `Rules`, for other sizes and houses. A `Sudoku`, `Puzzles` and other results have rules of their own.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    numpy.ndarray or None or Answers
        For one puzzle: its solution, shape (9, 9), uint8; None if there is none. For many: `Answers`, which has a
        solution and a status for each.

    Raises
    ------
    PuzzleError
        If something is no puzzle. For one puzzle also if two givens clash, or if it has several solutions: one of
        them would not be *the* solution (`enumerate` gives them all).

    Notes
    -----
    Puzzles are solved side by side, one in each lane of a vector; csrc/sudoku/lanes.c says how, and how much of it is
    tdoku's (Tom Dillon). Other sizes and houses have a solver of their own, csrc/sudoku/general.c.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> solve(puzzle)[0]
    array([5, 3, 4, 6, 7, 8, 9, 1, 2], dtype=uint8)
    >>> solve([puzzle, "1" * 2 + "." * 79, "." * 81]).summary()
    {'none': 0, 'unique': 1, 'several': 1, 'invalid': 1}
    >>> solve("1... ..3. ..2. 4...", box=(2, 2))[1]
    array([2, 4, 3, 1], dtype=uint8)
    """
    if type(puzzles) is str and len(puzzles) == 81 and rules_of(box, diagonals, regions, extra) is CLASSIC:
        # One puzzle as text is worth a way of its own: all else here takes longer than solving it.
        _check_options(threads, progress)
        quick = np.empty(81 + TRAILER, np.uint8)
        text = puzzles.encode("latin-1", "replace")
        if _call.call("pk_sudoku_quick_text", text, 2, _call.cpu_level(), quick) == 0 and quick[81] == UNIQUE:
            return quick[:81].reshape(9, 9)
    given, rules = given_puzzles(puzzles, box, diagonals, regions, extra)
    if not given.single:
        rows = _batch(given.cells, rules, 2, threads, progress)
        return Answers(rules, rows.array, given.cells[: len(rows.array)], complete=rows.complete, stats=rows.stats)
    row = result(given.cells[0], rules, 2, threads, progress)
    status = row[-TRAILER]
    if status == INVALID:
        raise PuzzleError(f"the puzzle is invalid: {_input.clash_text(given.cells[0], rules)}")
    if status == SEVERAL:
        raise PuzzleError("the puzzle has several solutions: enumerate gives them, check two of them")
    return row[:-TRAILER].reshape(rules.n, rules.n) if status == UNIQUE else None


def count(
    puzzles: Any,
    *,
    limit: int | None = 2,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Any:
    """The number of solutions of each puzzle, counted up to a limit.

    Parameters
    ----------
    puzzles, box, diagonals, regions, extra
        As in `solve`.
    limit
        Stop counting there: 2, the default, tells no, one and several apart. None: count them all, however many.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    int or numpy.ndarray
        For one puzzle an int; for many an array of shape (k,), uint64.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.

    Examples
    --------
    >>> count("." * 81), count("." * 81, limit=1000), count("11" + "." * 79)
    (2, 1000, 0)
    >>> count("." * 16, limit=None, box=(2, 2))
    288
    """
    given, rules = given_puzzles(puzzles, box, diagonals, regions, extra)
    top = _call.UNLIMITED if limit is None else _call.row_limit(limit)
    if top == 0:
        return 0 if given.single else np.zeros(len(given.cells), np.uint64)
    if given.single and limit is not None:
        return number_of(result(given.cells[0], rules, top, threads, progress))
    if given.single:
        # Most puzzles have few solutions: those are found sooner than a search for many is set up.
        _check_options(threads, progress)
        row = _quick(given.cells[0], rules, _MANY)
        if row is not None and number_of(row) < _MANY:
            return number_of(row)
        return _count_all(given.cells[0], rules, threads, progress)
    first = _MANY if limit is None else top
    rows = _batch(given.cells, rules, first, threads, progress)
    if not rows.complete:
        raise Cancelled(f"progress stopped the search after {len(rows.array)} puzzles")
    counts: Counts = rows.array[:, -8:].copy().view(np.uint64).reshape(-1)
    if limit is None:
        for place in np.flatnonzero(counts == first):
            counts[place] = _count_all(given.cells[place], rules, threads, progress)
    return counts


def _count_all(cells: Cells, rules: Rules, threads: int | None, progress: _call.Progress) -> int:
    plan = _call.Plan("sudoku_all", np.ascontiguousarray(cells), *rules.arguments, _call.cpu_level())
    return _call.count(plan, threads=threads, progress=progress)


def enumerate(
    puzzle: Any,
    *,
    limit: int | None = None,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """All solutions of one puzzle, in lexicographic order (row by row).

    Parameters
    ----------
    puzzle, box, diagonals, regions, extra
        As in `solve`.
    limit
        At most this many: the first ones.
    threads
        How many threads search; None for as many as the machine grants. The result does not depend on it.
    progress
        None; True for a bar; or a callable that is called with (units done, units in all, solutions found) and stops
        the search by returning False or raising.

    Returns
    -------
    Solutions
        ``array`` has shape (k, 81), uint8. ``complete`` is false after a limit, or when `progress` stopped the search;
        then these are the first of all solutions.

    Raises
    ------
    PuzzleError
        If this is no puzzle. Givens that clash are no error here: there are no solutions.

    Examples
    --------
    >>> found = enumerate("." * 81, limit=3)
    >>> found
    <3 of the solutions of '....................................
      123456789456789123789123456214365897365897214897214365531642978642978531978531642
      123456789456789123789123456214365897365897214897214365531642978648971532972538641
      123456789456789123789123456214365897365897214897214365531642978672938541948571632
    """
    problem = problem_of(puzzle, box, diagonals, regions, extra)
    rows = _call.enumerate_rows(problem.plan, limit=limit, threads=threads, progress=progress)
    return Solutions(problem, rows.array, complete=rows.complete, stats=rows.stats)


@overload
def iterate(
    puzzle: Any,
    *,
    batch: None = ...,
    limit: int | None = ...,
    box: tuple[int, int] = ...,
    diagonals: bool = ...,
    regions: Any = ...,
    extra: Any = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Cells]: ...
@overload
def iterate(
    puzzle: Any,
    *,
    batch: int,
    limit: int | None = ...,
    box: tuple[int, int] = ...,
    diagonals: bool = ...,
    regions: Any = ...,
    extra: Any = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Solutions]: ...
def iterate(
    puzzle: Any,
    *,
    batch: int | None = None,
    limit: int | None = None,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Iterator[Cells] | Iterator[Solutions]:
    """The solutions of `enumerate`, in the same order, while they are searched for; memory stays flat.

    Parameters
    ----------
    batch
        None: one solution at a time, an array of shape (81,). Else `Solutions` of that many, the last ones maybe fewer.

    Other parameters are as in `enumerate`. Closing the iterator, or forgetting it, stops the search.

    Raises
    ------
    Cancelled
        From the iterator, if `progress` stopped the search.

    Examples
    --------
    >>> next(iterate("." * 81))[:18]
    array([1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5, 6, 7, 8, 9, 1, 2, 3], dtype=uint8)
    """
    problem = problem_of(puzzle, box, diagonals, regions, extra)
    size = batch if batch is None else _call.batch_size(batch)
    blocks = _call.iterate_rows(problem.plan, limit=limit, threads=threads, progress=progress)
    return stream(blocks, lambda rows: Solutions(problem, rows, complete=False), size)
