"""The closure of a list of tilings: what is found when rectangles inside them are filled in another way."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Final

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import whole_number
from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError
from puzzlekit.tiling._problem import Rectangle
from puzzlekit.tiling._results import Array, Solutions, Tilings
from puzzlekit.tiling._solve import enumerate
from puzzlekit.tiling._tilings import canonical_images, distinct

SLAB: Final = 1 << 14
"""Tilings that are compared with the list at a time."""
A_REPORT: Final = 32
"""Tilings from one report of progress to the next."""


def refill(solutions: Solutions, max_area: int = 225, *, progress: _call.Progress = None) -> Solutions:
    """What refilling parts of tilings finds that is not in the list: nothing, if the list is complete.

    In each tiling every rectangle that is filled by squares not all alike is refilled in every other way. The
    results, up to symmetry, must be among the solutions.

    Parameters
    ----------
    solutions
        Tilings, all or of each class at least one.
    max_area
        Only rectangles of at most this area, and not the whole one.
    progress
        As in every family: of tilings looked at, and of those found missing.

    Returns
    -------
    Solutions
        The tilings that are missing, up to symmetry, in lexicographic order.

    Raises
    ------
    Cancelled
        If `progress` stopped it.

    Examples
    --------
    >>> found = enumerate(Rectangle(5, 3, {1: 11, 2: 1}))
    >>> len(refill(found)), len(refill(found[1:]))
    (0, 1)
    """
    if not isinstance(solutions, Solutions):
        raise PuzzleError(f"refill takes Solutions, not {shown(solutions)}")
    problem = solutions.problem
    area = whole_number("max_area", max_area, 0)
    classes = distinct(canonical_images(problem, solutions.array))
    known = {sides.tobytes() for sides in _sides(classes)}
    fillings: dict[tuple[int, int, tuple[int, ...]], Tilings] = {}
    missing: dict[bytes, Tilings] = {}
    waiting: list[Tilings] = []

    def settle() -> None:
        for tiling in canonical_images(problem, np.array(waiting, np.int16)):
            key = np.ascontiguousarray(tiling[:, 2]).tobytes()
            if key not in known:
                missing[key] = tiling
        waiting.clear()

    stages = _call.Stages(progress)
    tell = stages.run(0, 1)
    try:
        for place, tiling in builtins.enumerate(classes):
            if callable(tell) and place % A_REPORT == 0:
                stages.found = len(missing)
                tell(place, len(classes), 0)
                stages.check()
            for x, y, width, height, inside in _mixed_parts(tiling, area, problem):
                squares = tuple(sorted(tiling[inside, 2].tolist()))
                part = width, height, squares
                if part not in fillings:
                    fillings[part] = enumerate(Rectangle(*part), fundamental=False).array
                for filling in fillings[part]:
                    waiting.append(np.concatenate([tiling[~inside], filling + np.array([x, y, 0], np.int16)]))
            if len(waiting) >= SLAB:
                settle()
        if waiting:
            settle()
        stages.finish(len(missing))
    finally:
        stages.close()
    found = np.array(list(missing.values()), np.int16).reshape(-1, len(problem.squares), 3)
    return Solutions(problem, distinct(found), complete=False)


def _sides(tilings: Tilings) -> Tilings:
    return np.ascontiguousarray(tilings[:, :, 2])


def _mixed_parts(tiling: Tilings, most: int, problem: Rectangle) -> Iterator[tuple[int, int, int, int, Array]]:
    """The rectangles in a tiling that squares of several sides fill: x, y, width, height, and which squares."""
    x, y, side = (tiling[:, axis].astype(np.int32) for axis in range(3))
    right, bottom = x + side, y + side
    # a corner of the rectangle is a square's upper left corner, the opposite one a square's lower right corner
    widths, heights = right[np.newaxis] - x[:, np.newaxis], bottom[np.newaxis] - y[:, np.newaxis]
    areas = widths * heights
    fair = (widths > 0) & (heights > 0) & (areas <= most) & (areas < problem.width * problem.height)
    for first, last in np.argwhere(fair):
        inside = (x >= x[first]) & (y >= y[first]) & (right <= right[last]) & (bottom <= bottom[last])
        sides = side[inside]
        if (sides * sides).sum() == areas[first, last] and sides.min() < sides.max():
            yield int(x[first]), int(y[first]), int(widths[first, last]), int(heights[first, last]), inside
