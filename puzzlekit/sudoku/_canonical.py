"""Sudokus that are essentially the same: canonical forms, automorphisms, transformations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import whole_number
from puzzlekit.errors import Cancelled, PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._rules import CLASSIC, Cells

Numbers = np.ndarray[Any, np.dtype[np.uint64]]
SYMMETRIES: Final = 2 * 6**8 * 362880
"""The size of the group: 1,218,998,108,160."""


def canonical_rows(
    cells: Cells, *, threads: int | None = None, progress: _call.Progress = None
) -> tuple[Cells, Numbers]:
    """Canonical forms and numbers of automorphisms of puzzles in (k, 81)."""
    plan = _call.Plan("sudoku_canonical", np.ascontiguousarray(cells).reshape(-1), len(cells))
    rows = _call.enumerate_rows(plan, threads=threads, progress=progress)
    if not rows.complete:
        raise Cancelled(f"progress stopped the work after {len(rows.array)} canonical forms")
    numbers = rows.array[:, 81:].copy().view(np.uint64).reshape(-1)
    if not numbers.all():
        which = int(np.argmin(numbers != 0))
        raise PuzzleError(f"puzzle {which + 1} is invalid: {_input.clash_text(cells[which], CLASSIC)}")
    return rows.array[:, :81], numbers


def _like(batch: _input.Batch, given: Any, cells: Cells) -> Any:
    """Results in the shape of what was given: text for text."""
    if not batch.single:
        return cells
    return (
        _input.as_text(cells[0])
        if batch.shape is None and isinstance(given, str)
        else cells[0].reshape(batch.shape or (9, 9))
    )


def canonical(puzzles: Any, *, threads: int | None = None, progress: _call.Progress = None) -> Any:
    """The representative of a class of sudokus that are essentially the same: the row-minlex form.

    Two sudokus are essentially the same if one becomes the other by renaming digits, permuting bands, stacks, rows
    within bands, columns within stacks, and transposition: 1,218,998,108,160 symmetries. Among all images the
    representative is the least when read row by row, empty cells before digits.

    Parameters
    ----------
    puzzles
        Finished grids or puzzles, one or many, as `solve` takes them. Finished grids are much quicker.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    str or numpy.ndarray
        For one: text if it was text, else an array of its shape. For many: an array of shape (k, 81), uint8.

    Raises
    ------
    PuzzleError
        If two equal givens clash.

    Notes
    -----
    csrc/sudoku/canonical_grid.c and canonical_puzzle.c. A puzzle need not have one solution, or any.

    Examples
    --------
    >>> canonical("." * 80 + "7")[-9:]
    '........1'
    """
    batch = _input.many(puzzles, CLASSIC)
    return _like(batch, puzzles, canonical_rows(batch.cells, threads=threads, progress=progress)[0])


def automorphisms(puzzles: Any, *, threads: int | None = None, progress: _call.Progress = None) -> Any:
    """How many of the symmetries map a sudoku to itself.

    Parameters
    ----------
    puzzles, threads, progress
        As in `canonical`.

    Returns
    -------
    int or numpy.ndarray
        For one an int; for many an array of shape (k,), uint64. Of a puzzle with two or more digits missing, renaming
        those counts too.

    Examples
    --------
    >>> automorphisms("123456789456789123789123456231564897564897231897231564312645978645978312978312645")
    648
    >>> automorphisms("." * 81)
    1218998108160
    """
    batch = _input.many(puzzles, CLASSIC)
    numbers = canonical_rows(batch.cells, threads=threads, progress=progress)[1]
    return int(numbers[0]) if batch.single else numbers


def same(a: Any, b: Any) -> bool:
    """Whether two sudokus are essentially the same.

    Examples
    --------
    >>> one = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    >>> same(one, transform(one)), same(one, "." * 81)
    (True, False)
    """
    pair = np.array([_input.one(a, CLASSIC), _input.one(b, CLASSIC)])
    if np.count_nonzero(pair[0]) != np.count_nonzero(pair[1]):
        return False
    forms = canonical_rows(pair, threads=1)[0]
    return bool((forms[0] == forms[1]).all())


def dedup(
    puzzles: Any, *, return_index: bool = False, threads: int | None = None, progress: _call.Progress = None
) -> Any:
    """One sudoku of each class of those that are essentially the same: the first one, in the order given.

    Parameters
    ----------
    puzzles, threads, progress
        As in `canonical`.
    return_index
        Whether to return the places of those that are kept as well.

    Returns
    -------
    numpy.ndarray
        Shape (m, 81), uint8; with `return_index` also the places, shape (m,).

    Examples
    --------
    >>> kept, places = dedup(["1" + "." * 80, "." * 80 + "5", "12" + "." * 79], return_index=True)
    >>> places
    array([0, 2])
    """
    cells = _input.many(puzzles, CLASSIC).cells
    forms = canonical_rows(cells, threads=threads, progress=progress)[0]
    places = first_of_each(forms)
    return (cells[places], places) if return_index else cells[places]


def first_of_each(forms: Cells) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The places of the first row of each kind."""
    keys = np.ascontiguousarray(forms).view("V81").reshape(-1)
    return np.sort(np.unique(keys, return_index=True)[1])


@dataclass(frozen=True)
class Transformation:
    """An element of the symmetry group: transpose first, then take rows and columns, then rename digits.

    Parameters
    ----------
    rows, columns
        Where each row and column of the result comes from: permutations of 0..8 that keep bands and stacks together.
    digits
        What 1..9 become.
    transpose
        Whether rows and columns change places first.

    Examples
    --------
    >>> swap = Transformation(digits=(2, 1, 3, 4, 5, 6, 7, 8, 9))
    >>> transform("12" + "." * 79, swap)[:3]
    '21.'
    """

    rows: tuple[int, ...] = tuple(range(9))
    columns: tuple[int, ...] = tuple(range(9))
    digits: tuple[int, ...] = tuple(range(1, 10))
    transpose: bool = False

    def __post_init__(self) -> None:
        for name, least in (("rows", 0), ("columns", 0), ("digits", 1)):
            given = getattr(self, name)
            try:
                line = tuple(whole_number("each", item) for item in given)
            except (TypeError, PuzzleError):
                raise PuzzleError(f"{name} must be nine whole numbers, not {given!r}") from None
            if sorted(line) != list(range(least, least + 9)):
                raise PuzzleError(f"{name} must be {least} to {least + 8} in some order, not {line}")
            if least == 0 and any(line[i] // 3 != line[i // 3 * 3] // 3 for i in range(9)):
                raise PuzzleError(f"{name} must keep the three lines of a band together: {line}")
            object.__setattr__(self, name, line)

    def cell_sources(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """The cell that each cell of the result comes from."""
        rows, columns = np.array(self.rows)[:, None], np.array(self.columns)[None, :]
        return np.asarray(columns * 9 + rows if self.transpose else rows * 9 + columns).reshape(-1)


def transform(puzzles: Any, transformation: Transformation | None = None, *, seed: int | None = None) -> Any:
    """Images of sudokus under symmetries: essentially the same, but they look different.

    Parameters
    ----------
    puzzles
        One or many, as `solve` takes them.
    transformation
        The same for all of them; None: a random one for each, uniform over the whole group.
    seed
        A whole number for the same random ones every time; without a `transformation` only.

    Returns
    -------
    str or numpy.ndarray
        As in `canonical`.

    Examples
    --------
    >>> transform("123" + "." * 78, Transformation(columns=(2, 1, 0, 3, 4, 5, 6, 7, 8)))[:3]
    '321'
    """
    batch = _input.many(puzzles, CLASSIC)
    cells = batch.cells
    if transformation is not None:
        if not isinstance(transformation, Transformation):
            raise PuzzleError(f"a transformation is a Transformation, not {_input.shown(transformation)}")
        if seed is not None:
            raise PuzzleError("a seed is for random transformations, and one was given")
        names = np.array((0, *transformation.digits), np.uint8)
        return _like(batch, puzzles, names[cells[:, transformation.cell_sources()]])
    from puzzlekit.sudoku._make import seed_of

    random = np.random.default_rng(seed_of(seed))
    k = len(cells)

    def lines() -> np.ndarray[Any, Any]:
        """Random permutations of nine lines, (k, 9)."""
        bands = random.random((k, 3)).argsort(axis=1)
        within = random.random((k, 3, 3)).argsort(axis=2)
        return np.asarray((3 * bands[:, :, None] + within).reshape(k, 9))

    rows, columns = lines()[:, :, None], lines()[:, None, :]
    turned = random.integers(0, 2, (k, 1, 1), dtype=np.int64) == 1
    sources = np.where(turned, columns * 9 + rows, rows * 9 + columns).reshape(k, 81)
    names = np.zeros((k, 10), np.uint8)
    names[:, 1:] = random.random((k, 9)).argsort(axis=1) + 1
    moved = np.take_along_axis(cells, sources, axis=1)
    return _like(batch, puzzles, np.take_along_axis(names, moved.astype(np.intp), axis=1))
