"""Bouwkamp codes, read and written."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import numpy as np

from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError
from puzzlekit.tiling._problem import MOST_SIDE, Rectangle
from puzzlekit.tiling._results import Solutions
from puzzlekit.tiling._tilings import proven, verify

Square: TypeAlias = tuple[int, int, int]


def to_bouwkamp(tiling: Any) -> str:
    """The Bouwkamp code: the sides in reading order, those that begin at the same height in brackets.

    Examples
    --------
    >>> to_bouwkamp([[0, 0, 1], [1, 0, 2], [0, 1, 1]])
    '(1,2)(1)'
    """
    array = np.asarray(tiling)
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0 or array.dtype.kind not in "iu":
        raise PuzzleError(f"a tiling has three whole numbers for each square, not {shown(tiling)}")
    squares = array.tolist()
    proven(_rectangle_of(squares), [squares])
    levels: dict[int, list[int]] = {}
    for _, y, side in sorted(squares, key=lambda square: (square[1], square[0])):
        levels.setdefault(y, []).append(side)
    return "".join(f"({','.join(map(str, level))})" for level in levels.values())


def from_bouwkamp(text: str) -> Solutions:
    """Read Bouwkamp codes, a line each, all of the same squares in the same rectangle; brackets are ( ) or [ ].

    Raises
    ------
    PuzzleError
        If a line is not the code of a tiling, or lines do not belong together.

    Examples
    --------
    >>> found = from_bouwkamp("(18,15)(7,8)(14,4)(10,1)(9)")
    >>> found.problem.width, found.problem.height, len(found)
    (33, 32, 1)
    """
    if not isinstance(text, str):
        raise PuzzleError(f"Bouwkamp codes are text, not {shown(text)}")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise PuzzleError("there is no Bouwkamp code")
    tilings = [_from_code(line, f"line {number}: {shown(line)}") for number, line in lines]
    problem = _rectangle_of(tilings[0])
    wrong = [place for place, tiling in enumerate(tilings) if len(tiling) != len(tilings[0])]
    array = np.array(tilings[: wrong[0]] if wrong else tilings)
    wrong = [*np.flatnonzero(~verify(problem, array)).tolist(), *wrong]
    if wrong:
        raise PuzzleError(
            f"line {lines[wrong[0]][0]} is not a tiling of {problem.width} x {problem.height} by the squares of line "
            f"{lines[0][0]}"
        )
    return Solutions(problem, array.astype(np.int16), complete=False)


def _rectangle_of(squares: list[Square]) -> Rectangle:
    """What squares fill, if they are a tiling."""
    width, height = max(x + side for x, _, side in squares), max(y + side for _, y, side in squares)
    return Rectangle(width, height, [side for _, _, side in squares])


def _from_code(line: str, name: str) -> list[Square]:
    code = line.replace(" ", "")
    code = re.sub(r"\],?", ")", code.replace("[", "("))  # as in print: [18,15],[7,8],...
    if not re.fullmatch(r"(\([0-9]{1,9}(,[0-9]{1,9})*\))+", code):
        raise PuzzleError(f"{name} is not a Bouwkamp code such as (18,15)(7,8)(14,4)(10,1)(9)")
    groups = [[int(side) for side in group.split(",")] for group in code[1:-1].split(")(")]
    width = sum(groups[0])
    if width > MOST_SIDE:
        raise PuzzleError(f"{name}: the first row is {width} wide; at most {MOST_SIDE}")
    sides = [side for group in groups for side in group]
    if min(sides) < 1:
        raise PuzzleError(f"{name}: a side is at least 1")
    heights, made = [0] * width, []
    for side in sides:
        y = min(heights)
        x = heights.index(y)
        if side > width - x or heights[x : x + side] != [y] * side:
            raise PuzzleError(f"{name}: the square of side {side} at {x}, {y} does not fit")
        heights[x : x + side] = [y + side] * side
        made.append((x, y, side))
    if len(set(heights)) != 1:
        raise PuzzleError(f"{name} does not fill a rectangle")
    return made
