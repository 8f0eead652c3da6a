"""Solving, counting and checking puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, overload

import numpy as np

from puzzlekit import _call
from puzzlekit._solutions import stream
from puzzlekit.errors import Cancelled, PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._results import STATUSES, Answers, Counts, Solutions
from puzzlekit.sudoku._rules import CLASSIC, SYMBOLS, Cells, Rules, Sudoku, rules_of

NONE, UNIQUE, SEVERAL, INVALID = range(4)
_TRAILER: Final = 13
_MANY: Final = 4096
"""Solutions up to which puzzles are counted side by side; those with more are counted one by one."""


def _problem(puzzle: Any, box: tuple[int, int], diagonals: bool, regions: Any, extra: Any) -> Sudoku:
    if not isinstance(puzzle, Sudoku):
        return Sudoku(puzzle, box, diagonals, regions, extra)
    _no_rules(box, diagonals, regions, extra)
    return puzzle


def _no_rules(box: tuple[int, int], diagonals: bool, regions: Any, extra: Any) -> None:
    if box != (3, 3) or diagonals is not False or regions is not None or extra is not None:
        raise PuzzleError("the rules are those of the Sudoku that was given; make another one instead")


def _given(puzzles: Any, box: tuple[int, int], diagonals: bool, regions: Any, extra: Any) -> tuple[_input.Batch, Rules]:
    if isinstance(puzzles, Sudoku):
        _no_rules(box, diagonals, regions, extra)
        return _input.Batch(puzzles.cells.reshape(1, -1), True, None), puzzles.rules
    rules = rules_of(box, diagonals, regions, extra)
    return _input.many(puzzles, rules), rules


def _quick(cells: Cells, rules: Rules, limit: int) -> Cells | None:
    """The result row of one puzzle, if it does not take long."""
    row = np.empty(rules.n**2 + _TRAILER, np.uint8)
    n, house, houses = rules.arguments
    status = _call.call("pk_sudoku_quick", cells, n, house, houses, limit, _call.cpu_level(), row)
    return None if _call.check(status) else row


def _batch(cells: Cells, rules: Rules, limit: int, threads: int | None, progress: _call.Progress) -> _call.Rows:
    flat = cells.reshape(-1)
    plan = _call.Plan("sudoku_batch", flat, len(cells), *rules.arguments, limit, _call.cpu_level())
    return _call.enumerate_rows(plan, threads=threads, progress=progress)


def _number(row: Cells) -> int:
    return int(row[-8:].view(np.uint64)[0])


def clash(cells: Cells, rules: Rules) -> tuple[int, int, str] | None:
    """Two cells of a house with equal givens, and the house's name."""
    for name, house in zip(rules.names, rules.houses):
        seen: dict[int, int] = {}
        for cell in house:
            digit = int(cells[cell])
            if digit and digit in seen:
                return seen[digit], cell, name
            seen[digit] = cell
    return None


def clash_text(cells: Cells, rules: Rules) -> str:
    found = clash(cells, rules)
    assert found is not None
    first, second, house = found
    where = f"{_input.place(first, rules)} and {_input.place(second, rules)}"
    return f"{where} are both {SYMBOLS[cells[first] - 1]} in {house}"


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
        (81,), or a `Sudoku`. Many: a list of strings, an array of shape (k, 81) or (k, 9, 9), `Puzzles`, or the name of
        a file that `read` reads.
    box, diagonals, regions, extra
        As in `Rules`, for other sizes and houses.
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
        quick = np.empty(81 + _TRAILER, np.uint8)
        text = puzzles.encode("latin-1", "replace")
        if _call.call("pk_sudoku_quick_text", text, 2, _call.cpu_level(), quick) == 0 and quick[81] == UNIQUE:
            return quick[:81].reshape(9, 9)
    given, rules = _given(puzzles, box, diagonals, regions, extra)
    if not given.single:
        rows = _batch(given.cells, rules, 2, threads, progress)
        return Answers(rules, rows.array, given.cells[: len(rows.array)], complete=rows.complete, stats=rows.stats)
    row = _quick(given.cells[0], rules, 2)
    if row is None:
        rows = _batch(given.cells, rules, 2, threads, progress)
        if not len(rows.array):
            raise Cancelled("progress stopped the search before it knew")
        row = rows.array[0]
    status = row[-_TRAILER]
    if status == INVALID:
        raise PuzzleError(f"the puzzle is invalid: {clash_text(given.cells[0], rules)}")
    if status == SEVERAL:
        raise PuzzleError("the puzzle has several solutions: enumerate gives them, check two of them")
    return row[:-_TRAILER].reshape(rules.n, rules.n) if status == UNIQUE else None


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
    given, rules = _given(puzzles, box, diagonals, regions, extra)
    top = _call.UNLIMITED if limit is None else _call.row_limit(limit)
    if top == 0:
        return 0 if given.single else np.zeros(len(given.cells), np.uint64)
    first = _MANY if limit is None else top
    if given.single:
        # Most puzzles have few solutions: those are found sooner than a search for many is set up.
        row = _quick(given.cells[0], rules, first)
        if row is not None and (limit is not None or _number(row) < first):
            return _number(row)
        if limit is None:
            return _count_all(given.cells[0], rules, threads, progress)
    rows = _batch(given.cells, rules, first, threads, progress)
    if not rows.complete:
        raise Cancelled(f"progress stopped the search after {len(rows.array)} puzzles")
    counts: Counts = rows.array[:, -8:].copy().view(np.uint64).reshape(-1)
    if limit is None:
        for place in np.flatnonzero(counts == first):
            counts[place] = _count_all(given.cells[place], rules, threads, progress)
    return int(counts[0]) if given.single else counts


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
    problem = _problem(puzzle, box, diagonals, regions, extra)
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
    problem = _problem(puzzle, box, diagonals, regions, extra)
    size = batch if batch is None else _call.batch_size(batch)
    blocks = _call.iterate_rows(problem.plan, limit=limit, threads=threads, progress=progress)
    return stream(blocks, lambda rows: Solutions(problem, rows, complete=False), size)


@dataclass(frozen=True)
class Check:
    """What `check` found out.

    Attributes
    ----------
    status
        "unique", "none", "several" or "invalid".
    clash
        For an invalid puzzle, two cells (row, column), counted from 0, that have the same digit in one house.
    house
        That house's name.
    solutions
        None, one or two solutions, each of shape (n, n).
    differ
        With two solutions: the cells in which they differ.
    """

    status: str
    clash: tuple[tuple[int, int], tuple[int, int]] | None = None
    house: str | None = None
    solutions: tuple[Cells, ...] = ()
    differ: tuple[tuple[int, int], ...] = ()
    message: str = ""

    @property
    def valid(self) -> bool:
        """Whether this is a proper puzzle: exactly one solution."""
        return self.status == "unique"

    def __str__(self) -> str:
        return self.message


def check(
    puzzle: Any,
    *,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Check:
    """Whether one puzzle is a proper one, and if not, why.

    Parameters are as in `solve`.

    Returns
    -------
    Check
        Its text says it in a line; its attributes say which cells clash, or where two solutions differ.

    Examples
    --------
    >>> print(check("11" + "." * 79))
    invalid: r1c1 and r1c2 are both 1 in row 1
    >>> print(check("123456780" + "." * 8 + "9" + "." * 63))
    no solution, though no two givens clash
    >>> print(check("." * 81))
    several solutions; two of them differ in 6 cells, r8c3 first
    """
    problem = _problem(puzzle, box, diagonals, regions, extra)
    rules, cells = problem.rules, problem.cells
    found = clash(cells, rules)
    if found is not None:
        first, second, house = found
        pair = (divmod(first, rules.n), divmod(second, rules.n))
        return Check("invalid", pair, house, message=f"invalid: {clash_text(cells, rules)}")
    quick = _quick(cells, rules, 2)
    if quick is not None and quick[-_TRAILER] != SEVERAL:
        array, complete = quick[:-_TRAILER][np.newaxis][: _number(quick)], True
    else:
        rows = _call.enumerate_rows(problem.plan, limit=2, threads=threads, progress=progress)
        array, complete = rows.array, rows.complete
    solutions = tuple(row.reshape(rules.n, rules.n) for row in array)
    if len(solutions) < 2 and not complete:
        raise Cancelled("progress stopped the search before it knew")
    if not solutions:
        return Check(STATUSES[NONE], message="no solution, though no two givens clash")
    if len(solutions) == 1:
        return Check(STATUSES[UNIQUE], solutions=solutions, message="exactly one solution")
    places = np.flatnonzero(array[0] != array[1])
    where = tuple((int(cell) // rules.n, int(cell) % rules.n) for cell in places)
    first_place = _input.place(int(places[0]), rules)
    message = f"several solutions; two of them differ in {len(where)} cells, {first_place} first"
    return Check(STATUSES[SEVERAL], solutions=solutions, differ=where, message=message)


def verify(
    puzzles: Any,
    solutions: Any,
    *,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are solutions: every house holds every digit, and the givens stand.

    Parameters
    ----------
    puzzles
        One puzzle for all rows, or one for each; None if there are no givens.
    solutions
        Grids, as `solve` takes puzzles.
    box, diagonals, regions, extra
        As in `Rules`.

    Returns
    -------
    numpy.ndarray
        Shape (k,), bool. It is computed with numpy and shares nothing with the search.

    Examples
    --------
    >>> found = enumerate("." * 81, limit=2).array.copy()
    >>> found[1, 0] = 2
    >>> verify(None, found)
    array([ True, False])
    """
    if isinstance(puzzles, Sudoku):
        givens, rules = _given(puzzles, box, diagonals, regions, extra)
    else:
        rules = rules_of(box, diagonals, regions, extra)
        givens = _input.many("." * rules.n**2 if puzzles is None else puzzles, rules)
    rows = _input.many(solutions, rules).cells
    if len(givens.cells) not in (1, len(rows)):
        raise PuzzleError(f"there are {len(givens.cells)} puzzles for {len(rows)} solutions")
    good: np.ndarray[Any, np.dtype[np.bool_]] = ((givens.cells == 0) | (givens.cells == rows)).all(axis=1)
    good &= (rows > 0).all(axis=1)
    bits = np.uint32(1) << rows.astype(np.uint32)
    for house in rules.houses:
        good &= np.bitwise_or.reduce(bits[:, house], axis=1) == 2 * (2**rules.n - 1)
    return good
