"""Checking puzzles and solutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from puzzlekit import _call
from puzzlekit.errors import PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._results import STATUSES
from puzzlekit.sudoku._rules import Cells, Rules, rules_for
from puzzlekit.sudoku._solve import NONE, SEVERAL, TRAILER, UNIQUE, number_of, problem_of, result


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
    several solutions; two of them differ in 6 cells, r7c3 first
    """
    problem = problem_of(puzzle, box, diagonals, regions, extra)
    rules, cells = problem.rules, problem.cells
    found = _input.clash(cells, rules)
    if found is not None:
        first, second, house = found
        pair = (divmod(first, rules.n), divmod(second, rules.n))
        return Check("invalid", pair, house, message=f"invalid: {_input.clash_text(cells, rules)}")
    row = result(cells, rules, 2, threads, progress, keep=2)
    array = row[:-TRAILER].reshape(2, -1)[: number_of(row)]
    solutions = tuple(grid.reshape(rules.n, rules.n) for grid in array)
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
    >>> from puzzlekit.sudoku import enumerate
    >>> found = enumerate("." * 81, limit=2).array.copy()
    >>> found[1, 0] = 2
    >>> verify(None, found)
    array([ True, False])
    """
    rules = rules_for(solutions if puzzles is None else puzzles, box, diagonals, regions, extra)
    givens = _input.many("." * rules.n**2 if puzzles is None else puzzles, rules)
    rows = _input.many(solutions, rules).cells
    if len(givens.cells) not in (1, len(rows)):
        raise PuzzleError(f"there are {len(givens.cells)} puzzles for {len(rows)} solutions")
    return verified(givens.cells, rows, rules)


def verified(givens: Cells, rows: Cells, rules: Rules) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are solutions of the puzzle beside them, or of the only one."""
    good: np.ndarray[Any, np.dtype[np.bool_]] = ((givens == 0) | (givens == rows)).all(axis=1)
    good &= (rows > 0).all(axis=1)
    bits = np.uint32(1) << rows.astype(np.uint32)
    for house in rules.houses:
        good &= np.bitwise_or.reduce(bits[:, house], axis=1) == 2 * (2**rules.n - 1)
    return good
