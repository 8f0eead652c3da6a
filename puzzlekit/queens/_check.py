"""Boards that are given: whether they are right, and their images under rotation and reflection. Numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlekit.errors import PuzzleError
from puzzlekit.queens._board import Array, Boards, Queens, Squares, dtype_of, problem_of
from puzzlekit.queens._results import Solutions


def _boards(name: str, boards: Any, n: int | None = None, one: bool = False) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Boards as an array of shape (boards, n) of int64; a PuzzleError if they are not that.

    An empty list is no board or, if it is to be `one`, that of n = 0.
    """
    try:
        array = np.asarray(boards.array if isinstance(boards, Solutions) else boards)
    except ValueError:
        raise PuzzleError(f"{name} must all have the same number of columns") from None
    if array.shape == (0,) and n != 0:
        array = array.reshape(int(one), n or 0)
    if array.ndim == 1:
        array = array[np.newaxis]
    if array.ndim != 2 or (n is not None and array.shape[1] != n):
        wanted = "n" if n is None else str(n)
        raise PuzzleError(f"{name} must have the shape (boards, {wanted}), not {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise PuzzleError(f"{name} must be whole numbers, not {array.dtype}")
    return array.astype(np.int64)


def verify(
    n: int | Queens,
    boards: Any,
    *,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which boards are boards: a queen in each row and column, none attacks another, and they fit the squares given.

    Parameters
    ----------
    n, placed, blocked, toroidal
        As in `enumerate`. Of a `Queens` with ``fundamental=True``, only the boards that stand for their class are
        right.
    boards
        `Solutions`, or anything that makes an array of shape (boards, n) of whole numbers; one board may come as (n,).

    Returns
    -------
    numpy.ndarray
        Shape (boards,), bool. It is computed with numpy and shares nothing with the search.

    Raises
    ------
    PuzzleError
        If the boards do not have n entries that are whole numbers.

    Examples
    --------
    >>> verify(4, [[1, 3, 0, 2], [1, 3, 2, 0], [1, 3, 0, 9]])
    array([ True, False, False])
    """
    problem = problem_of(n, placed, blocked, toroidal)
    size = problem.n
    columns = _boards("boards", boards, size)
    row = np.arange(size)
    good = np.asarray(((columns >= 0) & (columns < size)).all(axis=1))
    for lines in (columns, columns + row, columns - row):
        if problem.toroidal and size:
            lines = lines % size
        ordered = np.sort(lines, axis=1)
        good &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    good &= _fit(problem, columns)
    if problem.fundamental:
        right = columns[good]
        good[good] = ~np.any([_fit(problem, image) & _smaller(image, right) for image in _images(right)], axis=0)
    return good


def _fit(problem: Queens, columns: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which boards have the placed queens, and none on a blocked square."""
    fit = np.ones(len(columns), bool)
    for at, column in problem.placed:
        fit &= columns[:, at] == column
    for at, column in problem.blocked:
        fit &= columns[:, at] != column
    return fit


def _smaller(boards: Array, others: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which boards are lexicographically smaller than the others in the same places."""
    smaller = np.zeros(len(boards), bool)
    for row in reversed(range(boards.shape[1])):
        smaller = (boards[:, row] < others[:, row]) | ((boards[:, row] == others[:, row]) & smaller)
    return smaller


def _images(boards: Any, one: bool = False) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The eight images of each board: shape (8, boards, n)."""
    columns = _boards("boards", boards, one=one)
    size = columns.shape[1]
    if not np.array_equal(np.sort(columns, axis=1), np.broadcast_to(np.arange(size), columns.shape)):
        raise PuzzleError("boards must have one queen in each row and each column")
    inverse = np.empty_like(columns)
    np.put_along_axis(inverse, columns, np.broadcast_to(np.arange(size), columns.shape), axis=1)
    upright = [image for board in (columns, inverse) for image in (board, board[:, ::-1])]
    return np.stack([image for board in upright for image in (board, size - 1 - board)])


def canonical(boards: Any) -> Boards:
    """The lexicographically least of the eight images of each board: turned and mirrored images have the same one.

    Parameters
    ----------
    boards
        `Solutions`, or an array of shape (boards, n) or (n,); a queen in each row and column.

    Returns
    -------
    numpy.ndarray
        Shape (boards, n); uint8 up to n = 256, else int32.

    Examples
    --------
    >>> canonical([[3, 1, 6, 2, 5, 7, 0, 4], [4, 6, 1, 5, 2, 0, 7, 3]])
    array([[1, 6, 4, 7, 0, 3, 5, 2],
           [1, 6, 4, 7, 0, 3, 5, 2]], dtype=uint8)
    >>> from puzzlekit.queens import enumerate
    >>> len(np.unique(canonical(enumerate(8)), axis=0))
    12
    """
    images = _images(boards)
    least: Array = images[0]
    for image in images[1:]:
        least = np.where(_smaller(image, least)[:, np.newaxis], image, least)
    made: Boards = least.astype(dtype_of(least.shape[1]))
    return made


def symmetries(board: Any) -> Boards:
    """The different images of one board under rotation and reflection, in lexicographic order: 8, 4, 2 (n < 2: 1).

    Examples
    --------
    >>> symmetries([1, 3, 0, 2])
    array([[1, 3, 0, 2],
           [2, 0, 3, 1]], dtype=uint8)
    """
    images = _images(board, one=True)
    if images.shape[1] != 1:
        raise PuzzleError(f"board must be one board, not {images.shape[1]}")
    made: Boards = np.unique(images[:, 0], axis=0).astype(dtype_of(images.shape[2]))
    return made
