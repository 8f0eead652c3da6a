"""Sudoku: solve, count, enumerate, check; grids and puzzles; what is essentially the same.

>>> from puzzlekit import sudoku
>>> puzzle = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
>>> print(sudoku.draw(sudoku.solve(puzzle)))
9 8 7 | 6 5 4 | 3 2 1
2 4 6 | 1 7 3 | 9 8 5
3 5 1 | 9 2 8 | 7 4 6
------+-------+------
1 2 8 | 5 3 7 | 6 9 4
6 3 4 | 8 9 2 | 1 5 7
7 9 5 | 4 6 1 | 8 3 2
------+-------+------
5 1 9 | 2 8 6 | 4 7 3
4 7 2 | 3 1 9 | 5 6 8
8 6 3 | 7 4 5 | 2 1 9

Puzzles are text, arrays, lists of these, or files; see `solve`. Other sizes and houses: the keywords of `Rules`.
"""

from __future__ import annotations

from typing import Any

from puzzlekit._draw import Svg, sheet
from puzzlekit.errors import PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._canonical import (
    SYMMETRIES,
    Transformation,
    automorphisms,
    canonical,
    dedup,
    same,
    transform,
)
from puzzlekit.sudoku._check import Check, check, verify
from puzzlekit.sudoku._difficulty import TECHNIQUES, Difficulty, difficulty
from puzzlekit.sudoku._formats import read, write
from puzzlekit.sudoku._make import grids, puzzles, sample
from puzzlekit.sudoku._results import STATUSES, Answers, Puzzles, Solutions, drawn, picture
from puzzlekit.sudoku._rules import Rules, Sudoku, rules_for
from puzzlekit.sudoku._solve import count, enumerate, iterate, solve

__all__ = [
    "STATUSES",
    "SYMMETRIES",
    "TECHNIQUES",
    "Answers",
    "Check",
    "Difficulty",
    "Puzzles",
    "Rules",
    "Solutions",
    "Sudoku",
    "Transformation",
    "automorphisms",
    "canonical",
    "check",
    "count",
    "dedup",
    "difficulty",
    "draw",
    "enumerate",
    "grids",
    "iterate",
    "puzzles",
    "read",
    "same",
    "sample",
    "solve",
    "svg",
    "transform",
    "verify",
    "write",
]


def draw(
    puzzle: Any,
    *,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
) -> str:
    """A puzzle or grid as text, with bars between boxes.

    Examples
    --------
    >>> print(draw("12343412.......1", box=(2, 2)))
    1 2 | 3 4
    3 4 | 1 2
    ----+----
    . . | . .
    . . | . 1
    """
    rules = rules_for(puzzle, box, diagonals, regions, extra)
    return drawn(_input.one(puzzle, rules), rules)


def svg(
    puzzle: Any,
    solution: Any = None,
    *,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
) -> Svg:
    """A picture of a puzzle: its givens in bold, and if there is a solution, the other digits in blue.

    Examples
    --------
    >>> svg("1... .... ..2. ...3", box=(2, 2))[:4]
    '<svg'
    """
    rules = rules_for(puzzle, box, diagonals, regions, extra)
    givens = _input.one(puzzle, rules)
    board = givens if solution is None else _input.one(solution, rules)
    if ((givens > 0) & (givens != board)).any():
        raise PuzzleError("the solution changes givens of the puzzle")
    return sheet([picture(board, rules, givens)])
