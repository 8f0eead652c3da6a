"""Arrays of tilings: reading order, images under the symmetries of the rectangle, and whether they are tilings."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlekit.errors import PuzzleError
from puzzlekit.tiling._problem import MOST_SIDE, Rectangle, problem_of
from puzzlekit.tiling._results import Array, Solutions, Tilings


def _in_reading_order(tilings: Tilings) -> Tilings:
    places = tilings[:, :, 1].astype(np.int64) * (MOST_SIDE + 1) + tilings[:, :, 0]
    order = np.argsort(places, axis=1, kind="stable")
    made: Tilings = np.take_along_axis(tilings, order[:, :, np.newaxis], axis=1)
    return made


def _image(problem: Rectangle, tilings: Tilings, symmetry: int) -> Tilings:
    x, y, side = tilings[:, :, 0], tilings[:, :, 1], tilings[:, :, 2]
    if symmetry & 1:
        x = problem.width - x - side
    if symmetry & 2:
        y = problem.height - y - side
    if symmetry & 4:
        x, y = y, x
    return _in_reading_order(np.stack([x, y, side], axis=2).astype(np.int16))


def symmetry_count(problem: Rectangle) -> int:
    return 8 if problem.width == problem.height else 4


def _is_less(a: Array, b: Array) -> Array:
    """Which rows of a are lexicographically less than those of b."""
    first = (a != b).argmax(axis=1)
    rows = np.arange(len(a))
    made: Array = a[rows, first] < b[rows, first]
    return made


def canonical_images(problem: Rectangle, tilings: Tilings) -> Tilings:
    best = _in_reading_order(tilings)
    for symmetry in range(1, symmetry_count(problem)):
        image = _image(problem, tilings, symmetry)
        less = _is_less(image[:, :, 2], best[:, :, 2])
        best[less] = image[less]
    return best


def distinct(tilings: Tilings) -> Tilings:
    """Tilings in reading order without repetitions, in lexicographic order of their sides, which tell them apart."""
    if len(tilings) == 0:
        return tilings
    sides = tilings[:, :, 2]
    order = np.lexsort(sides.T[::-1])
    sides = sides[order]
    new = np.ones(len(sides), bool)
    new[1:] = (sides[1:] != sides[:-1]).any(axis=1)
    return tilings[order[new]]


def all_images(problem: Rectangle, tilings: Tilings) -> Tilings:
    images = [_image(problem, tilings, symmetry) for symmetry in range(symmetry_count(problem))]
    return distinct(np.concatenate(images))


def verify(problem: Rectangle | int, rows: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are tilings: just these squares, inside the rectangle, each cell covered once.

    Parameters
    ----------
    rows
        `Solutions`, or anything that makes an array of shape (tilings, squares, 3); or one tiling, (squares, 3).

    Returns
    -------
    numpy.ndarray
        Shape (tilings,), bool. It is computed with numpy and shares nothing with the search. The order of the squares
        does not matter.

    Examples
    --------
    >>> verify(Rectangle(3, 2, [2, 1, 1]), [[0, 0, 2], [2, 0, 1], [2, 1, 1]])
    array([ True])
    >>> verify(Rectangle(3, 2, [2, 1, 1]), [[0, 0, 2], [2, 0, 1], [2, 0, 1]])
    array([False])
    """
    rectangle = problem_of(problem)
    array = as_tilings(rectangle, rows)
    width, height = rectangle.width, rectangle.height
    x, y, side = array[:, :, 0], array[:, :, 1], array[:, :, 2]
    good = np.asarray((np.sort(side, axis=1) == np.array(rectangle.squares, np.int64)).all(axis=1))
    good &= ((x >= 0) & (y >= 0) & (x <= width - side) & (y <= height - side)).all(axis=1)
    if not rectangle.is_possible:
        good[:] = False
    slab = max(1, (1 << 22) // ((width + 1) * (height + 1)))
    candidates = np.flatnonzero(good)
    for start in range(0, len(candidates), slab):
        some = candidates[start : start + slab]
        # a square adds 1 or -1 at its corners, so that the sum up to a cell says how often that is covered
        cover = np.zeros((len(some), height + 1, width + 1), np.int32)
        which = np.broadcast_to(np.arange(len(some))[:, np.newaxis], x[some].shape)
        for dx, dy, sign in ((0, 0, 1), (1, 0, -1), (0, 1, -1), (1, 1, 1)):
            np.add.at(cover, (which, y[some] + dy * side[some], x[some] + dx * side[some]), sign)
        cover = cover.cumsum(axis=1).cumsum(axis=2)[:, :height, :width]
        good[some] = (cover == 1).all(axis=(1, 2))
    return good


def as_tilings(rectangle: Rectangle, rows: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    try:
        array = np.asarray(rows.array if isinstance(rows, Solutions) else rows)
    except ValueError:
        raise PuzzleError("tilings must have the same number of squares, of three numbers each") from None
    squares = len(rectangle.squares)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim != 3 or array.shape[1:] != (squares, 3):
        raise PuzzleError(f"tilings must have {squares} squares of three numbers, not the shape {array.shape}")
    if array.dtype == object and all(isinstance(number, int) for number in array.flat):
        array = np.clip(array, -1, MOST_SIDE + 1).astype(np.int64)  # what is beyond that is in no tiling
    if array.dtype.kind not in "iu":
        raise PuzzleError(f"tilings are whole numbers, not {array.dtype}")
    return array.astype(np.int64)


def proven(rectangle: Rectangle, rows: Any) -> Tilings:
    """Rows that are tilings; PuzzleError for others."""
    array = as_tilings(rectangle, rows)
    wrong = np.flatnonzero(~verify(rectangle, array))
    if len(wrong):
        raise PuzzleError(f"row {wrong[0]} is not a tiling of {rectangle}")
    return array.astype(np.int16)


def canonical(problem: Rectangle | int, rows: Any) -> Tilings:
    """Of each tiling the image whose list of sides, in reading order, is least.

    Examples
    --------
    >>> canonical(Rectangle(3, 2, [2, 1, 1]), [[0, 0, 2], [2, 0, 1], [2, 1, 1]])[0].tolist()
    [[0, 0, 1], [1, 0, 2], [0, 1, 1]]
    """
    rectangle = problem_of(problem)
    return canonical_images(rectangle, proven(rectangle, rows))


def symmetries(problem: Rectangle | int, tiling: Any) -> Tilings:
    """The distinct images of a tiling under the symmetries of the rectangle: up to 4, or 8 for a square.

    Examples
    --------
    >>> len(symmetries(Rectangle(3, 2, [2, 1, 1]), [[0, 0, 2], [2, 0, 1], [2, 1, 1]]))
    2
    """
    rectangle = problem_of(problem)
    array = proven(rectangle, tiling)
    if len(array) != 1:
        raise PuzzleError(f"one tiling, not {len(array)}")
    return all_images(rectangle, array)
