"""Bouwkamp codes, read and written."""

from __future__ import annotations

import builtins
import re
from typing import Any

import numpy as np

from puzzlekit.errors import PuzzleError
from puzzlekit.tiling._problem import MOST_SIDE, Rectangle
from puzzlekit.tiling._results import Solutions
from puzzlekit.tiling._tilings import verify


def to_bouwkamp(tiling: Any) -> str:
    """The Bouwkamp code: the sides in reading order, those that begin at the same height in brackets.

    Examples
    --------
    >>> to_bouwkamp([[0, 0, 1], [1, 0, 2], [0, 1, 1]])
    '(1,2)(1)'
    """
    array = np.asarray(tiling)
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0:
        raise PuzzleError(f"a tiling has three numbers for each square, not the shape {array.shape}")
    levels: dict[int, list[int]] = {}
    for _, y, side in sorted(array.tolist(), key=lambda square: (square[1], square[0])):
        levels.setdefault(y, []).append(side)
    return "".join(f"({','.join(map(str, level))})" for level in levels.values())


def from_bouwkamp(text: str) -> Solutions:
    """Read Bouwkamp codes, a line each, all of the same squares in the same rectangle.

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
    tilings = [_from_code(line) for line in text.splitlines() if line.strip()]
    if not tilings:
        raise PuzzleError("there is no Bouwkamp code")
    first = np.array(tilings[0])
    width, height = (int((first[:, axis] + first[:, 2]).max()) for axis in (0, 1))
    problem = Rectangle(width, height, first[:, 2].tolist())
    for place, tiling in builtins.enumerate(tilings):
        if len(tiling) != len(first) or not verify(problem, tiling)[0]:
            raise PuzzleError(f"line {place + 1} is not a tiling of {width} x {height} by the squares of line 1")
    return Solutions(problem, np.array(tilings, np.int16), complete=False)


def _from_code(line: str) -> list[tuple[int, int, int]]:
    code = line.strip().replace(" ", "")
    if not re.fullmatch(r"(\(\d+(,\d+)*\))+", code):
        raise PuzzleError(f"{line.strip()!r} is not a Bouwkamp code such as (18,15)(7,8)(14,4)(10,1)(9)")
    groups = [[int(side) for side in group.split(",")] for group in code[1:-1].split(")(")]
    width = sum(groups[0])
    if not 1 <= width <= MOST_SIDE:
        raise PuzzleError(f"{line.strip()!r}: the first row is {width} wide; at most {MOST_SIDE}")
    heights, made = [0] * width, []
    for side in (side for group in groups for side in group):
        y = min(heights)
        x = heights.index(y)
        if side < 1 or heights[x : x + side] != [y] * side:
            raise PuzzleError(f"{line.strip()!r}: the square of side {side} at {x}, {y} does not fit")
        heights[x : x + side] = [y + side] * side
        made.append((x, y, side))
    if len(set(heights)) != 1:
        raise PuzzleError(f"{line.strip()!r} does not fill a rectangle")
    return made
