"""The cross: sixteen cells in seven lines, to be filled so that all lines have the same sum.

::

    .. .. ..  0  1  2 ..
     3  4  5  6 ..  7 ..
    ..  8 ..  9 10 11 12
    .. 13 14 15 .. .. ..

The lines are the rows (0 1 2) (3 4 5 6) (9 10 11 12) (13 14 15) and the columns (0 6 9 15) (2 7 11) (4 8 13). Any
sixteen numbers may be given; the sum is not given but found, and fillings that are turned or mirrored images of one
another all count.

>>> from puzzlekit import cross
>>> found = cross.enumerate(range(1, 17))
>>> len(found)
33608
>>> cross.sums(range(1, 17))
{27: 4440, 28: 7400, 29: 9368, 30: 6096, 31: 5104, 32: 1200}
>>> print(cross.solve(range(1, 17)))
[ 2 15 10  4  7 11  5 16 12 14  3  1  9  8 13  6]
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor
from typing import Any, Final, TypeAlias, overload

import numpy as np

from puzzlekit import _call, _text, _values
from puzzlekit._draw import Cell, Picture, grid
from puzzlekit._solutions import Form, frozen, stream
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit._values import Number, Numbers
from puzzlekit.errors import Cancelled, PuzzleError

__all__ = ["CELLS", "LINES", "Cross", "Solutions", "count", "enumerate", "iterate", "solve", "sums", "verify"]

CELLS: Final = (
    *((0, 3), (0, 4), (0, 5), (1, 0), (1, 1), (1, 2), (1, 3), (1, 5)),
    *((2, 1), (2, 3), (2, 4), (2, 5), (2, 6), (3, 1), (3, 2), (3, 3)),
)
"""Row and column of each cell in the drawing."""

LINES: Final = ((0, 1, 2), (3, 4, 5, 6), (9, 10, 11, 12), (13, 14, 15), (0, 6, 9, 15), (2, 7, 11), (4, 8, 13))
"""The cells of each line: four rows, three columns."""

_SIZE: Final = len(CELLS)
_NARROW_BITS: Final = 56
"""Sums of four such numbers, and differences of those, stay well within 64 bits."""

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Ranks: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Cross:
    """A cross to fill: sixteen numbers, and maybe the sum that the lines must have.

    Parameters
    ----------
    values
        Sixteen numbers in any order: int of any size, float, Decimal, Fraction, numpy integers and floats, mixed.
        They are exact; a float is the decimal that it prints as. Numbers that are equal, also across types, are the
        same number.
    total
        The sum that every line must have; None: any, as long as all lines have the same.
    tolerance
        0 for equal sums. Else the sums of a filling may differ by at most this much from one another, and from
        `total` if that is given.

    Raises
    ------
    PuzzleError
        If there are not sixteen numbers, or one of them is not a finite number.
    """

    values: Iterable[Any] = field(compare=False)
    total: Number | None = None
    tolerance: Number = 0
    numbers: Numbers = field(init=False, repr=False)

    def __post_init__(self) -> None:
        numbers = Numbers.of(self.values, _SIZE)
        in_order = (number for number, times in zip(numbers.distinct, numbers.counts) for _ in range(times))
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "values", tuple(in_order))
        if self.total is not None:
            object.__setattr__(self, "total", _one_number("total", self.total))
        object.__setattr__(self, "tolerance", _one_number("tolerance", self.tolerance))
        if self.tolerance < 0:
            raise PuzzleError(f"tolerance must not be negative, not {_values.shown(self.tolerance)}")
        if self.tolerance and numbers.bits() > _NARROW_BITS:
            raise PuzzleError(
                f"with a tolerance, numbers must be whole multiples of one unit below 2^{_NARROW_BITS}; "
                f"these are multiples of {_values.shown(numbers.unit)} of {numbers.bits()} bits"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return Cross, (self.values, self.total, self.tolerance)

    @cached_property
    def _plan(self) -> _call.Plan:
        return self._near_plan() if self.tolerance else self._exact_plan()

    def _exact_plan(self) -> _call.Plan:
        numbers = self.numbers
        limbs = (numbers.bits() + 6 + 63) // 64
        total = None
        if self.total is not None:
            wanted = _values.exact(self.total) / numbers.unit
            beyond = 1 + sum(abs(value) * times for value, times in zip(numbers.scaled, numbers.counts))  # no sum
            total = numbers.words([int(wanted) if wanted.denominator == 1 and abs(wanted) < beyond else beyond], limbs)
        counts = np.array(numbers.counts, np.uint8)
        return _call.Plan("cross", numbers.words(numbers.scaled, limbs), limbs, counts, len(counts), total)

    def _near_plan(self) -> _call.Plan:
        numbers = self.numbers
        beyond = 2 ** (_NARROW_BITS + 3)
        tolerance = _values.exact(self.tolerance) / numbers.unit
        least, greatest = -beyond, beyond
        if self.total is not None:
            total = _values.exact(self.total) / numbers.unit
            least = min(max(least, ceil(total - tolerance)), beyond)
            greatest = max(min(greatest, floor(total + tolerance)), -beyond)
        counts = np.array(numbers.counts, np.uint8)
        scaled = np.array(numbers.scaled, np.int64)
        return _call.Plan("cross_near", scaled, counts, len(counts), min(floor(tolerance), beyond), least, greatest)

    @cached_property
    def _column(self) -> Array:
        """The distinct numbers as an array of the dtype of the results."""
        return self.numbers.column(self.numbers.distinct)

    @cached_property
    def _scaled_column(self) -> Array:
        """The distinct numbers as whole multiples of the unit: int64 if sums of them fit, else Python integers."""
        return np.array(self.numbers.scaled, np.int64 if self.numbers.bits() <= _NARROW_BITS else object)

    def _line_sums(self, ranks: Ranks, lines: Sequence[tuple[int, ...]] = LINES) -> list[Array]:
        """The sums of some lines, each for all fillings, in units."""
        used = {cell: self._scaled_column.take(ranks[:, cell]) for line in lines for cell in line}
        return [sum((used[cell] for cell in line[1:]), used[line[0]]) for line in lines]


def _one_number(name: str, value: Any) -> Number:
    try:
        return _values.plain(value)
    except PuzzleError as error:
        raise PuzzleError(f"{name}: {error}") from None


class Solutions(_Solutions):
    """Fillings of a cross.

    Attributes
    ----------
    array
        Shape (fillings, 16), the number in each cell: int64 when all numbers are integers that fit, float64 when they
        are floats, object otherwise (huge integers, Decimal, Fraction). Read-only.
    totals
        Shape (fillings,), the sum of the lines (with a tolerance: the least of the seven), of the dtype that holds
        these exactly.
    ranks
        Shape (fillings, 16), uint8: the place of each number among the distinct ones in ascending order. This is what
        searches produce; the other two are made when they are asked for.
    """

    _problem: Cross

    @property
    def ranks(self) -> Ranks:
        return self._rows

    @cached_property
    def array(self) -> Array:
        column = self._problem._column
        if column.dtype == object:
            made: Array = column[self._rows]
        else:
            table = np.zeros(256, column.dtype)
            table[: len(column)] = column
            made = np.empty(self._rows.shape, column.dtype)
            symbols = np.ascontiguousarray(self._rows).reshape(-1)
            _call.call("pk_spread", symbols, symbols.size, table.view(np.uint64), made.reshape(-1).view(np.uint64))
        return frozen(made)

    @cached_property
    def totals(self) -> Array:
        distinct, places = self._distinct_totals
        made: Array = self._problem.numbers.column(distinct)[places]
        return frozen(made)

    def sums(self) -> dict[Number, int]:
        """How many of these fillings there are of each sum, in ascending order of sums."""
        distinct, places = self._distinct_totals
        return dict(zip(distinct, np.bincount(places, minlength=len(distinct)).tolist()))

    @cached_property
    def _distinct_totals(self) -> tuple[list[Number], np.ndarray[Any, np.dtype[np.uint32]]]:
        """The sums that occur, in ascending order, and the place of each filling's sum among them."""
        problem = self._problem
        scaled = problem._line_sums(self._rows, LINES if problem.tolerance else LINES[:1])
        totals = np.minimum.reduce(scaled)
        rises = totals[1:] > totals[:-1]
        if (rises | (totals[1:] == totals[:-1])).all():  # in the order of the search, so nothing needs sorting
            places = np.concatenate([np.zeros(min(1, len(totals)), np.uint32), np.cumsum(rises, dtype=np.uint32)])
            distinct = totals[np.concatenate([np.ones(min(1, len(totals)), bool), rises.astype(bool)])]
        else:
            distinct, places = np.unique(totals, return_inverse=True)
        return [problem.numbers.number(int(total)) for total in distinct], places.astype(np.uint32)

    def _arrays(self) -> dict[str, Array]:
        return {"array": self.array, "totals": self.totals, "ranks": self.ranks}

    def _title(self) -> str:
        some = "" if self.complete else "of the "
        fillings = "filling" if self.complete and len(self) == 1 else "fillings"
        totals = [_values.as_text(total) for total in self._distinct_totals[0]]
        span = f", sums {totals[0]} to {totals[-1]}" if len(totals) > 1 else "".join(f", sum {one}" for one in totals)
        return f"{len(self):,} {some}{fillings} of the cross{span}"

    def _opening(self, form: Form) -> str:
        if form == "text":
            return ""
        if form == "csv":
            return ",".join(["total", *(f"c{cell}" for cell in range(_SIZE))]) + "\n"
        values = ", ".join(map(_json, self._problem.values))
        return f'{{"puzzle": "cross", "values": [{values}],\n"solutions": [\n'

    def _lines(self, form: Form) -> memoryview:
        distinct, places = self._distinct_totals
        if form == "json":
            cells = [_json(number) for number in self._problem.numbers.distinct]
            heads = [f'{{"total": {_json(total)}, "cells": [' for total in distinct]
            return _text.lines(self._rows, cells, ", ", "]},\n", heads=heads, head=places)
        separator = "," if form == "csv" else " "
        cells = [_values.as_text(number) for number in self._problem.numbers.distinct]
        heads = [_values.as_text(total) + separator for total in distinct]
        return _text.lines(self._rows, cells, separator, heads=heads, head=places)

    def _picture(self, index: int) -> Picture:
        one = self._select(slice(index, index + 1))
        texts = [_values.as_text(self._problem.numbers.distinct[rank]) for rank in one.ranks[0]]
        cells = [Cell(row, column, text, _FILLS[row]) for (row, column), text in zip(CELLS, texts)]
        return grid(cells, f"sum {_values.as_text(one._distinct_totals[0][0])}")

    def draw(self, index: int = 0) -> str:
        """The filling at `index` as text, in the shape of the figure.

        Examples
        --------
        >>> print(enumerate(limit=1).draw())
                  2 15 10
         4  7 11  5    16
           12    14  3  1  9
            8 13  6
        """
        ranks = self._rows[range(len(self))[index]]
        texts = [_values.as_text(self._problem.numbers.distinct[rank]) for rank in ranks]
        width = max(map(len, texts))
        rows = [[" " * width] * 7 for _ in range(4)]
        for (row, column), text in zip(CELLS, texts):
            rows[row][column] = text.rjust(width)
        return "\n".join(" ".join(row).rstrip() for row in rows)


_FILLS: Final = ("#fdf1d6", "#e3eefa", "#e5f5e4", "#f9e4e4")


def _json(number: Number) -> str:
    """A number in JSON; a fraction, which JSON lacks, as a string."""
    text = _values.as_text(number)
    return f'"{text}"' if "/" in text else text


def _problem(values: Iterable[Any] | Cross, total: Number | None, tolerance: Number) -> Cross:
    if not isinstance(values, Cross):
        return Cross(values, total, tolerance)
    if total is not None or tolerance != 0:
        raise PuzzleError("total and tolerance are those of the Cross that was given; make another one instead")
    return values


def enumerate(
    values: Iterable[Any] | Cross = range(1, 17),
    *,
    total: Number | None = None,
    tolerance: Number = 0,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """All fillings of the cross with the given numbers.

    Parameters
    ----------
    values
        Sixteen numbers, or a `Cross`. Numbers may repeat; fillings that look the same are one filling.
    total
        Only fillings whose lines have this sum.
    tolerance
        How much the line sums of a filling may differ; 0 for equal sums.
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
        Ordered by sum, except with a tolerance; within that in the order in which the search meets them, which is the
        same every time.
        `Solutions.sorted` puts them into lexicographic order. ``complete`` is false after a limit or when `progress`
        stopped the search; then these are the first of all solutions.

    Raises
    ------
    PuzzleError
        If `values` are not sixteen finite numbers, or another argument is not what it should be.

    Notes
    -----
    The figure is two halves that share a column. Halves are listed by the numbers they use and joined with halves of
    the numbers that are left; csrc/cross.c says how. With a tolerance the search is depth-first and slower.

    Examples
    --------
    >>> found = enumerate(range(1, 17))
    >>> found.array.shape, found.array.dtype
    ((33608, 16), dtype('int64'))
    >>> found.totals[0], found.totals[-1]
    (np.int64(27), np.int64(32))
    >>> len(enumerate([1, 2, 3, 4] * 4))
    472
    """
    problem = _problem(values, total, tolerance)
    rows = _call.enumerate_rows(problem._plan, limit=limit, threads=threads, progress=progress)
    return Solutions(problem, rows.array, complete=rows.complete, stats=rows.stats)


def count(
    values: Iterable[Any] | Cross = range(1, 17),
    *,
    total: Number | None = None,
    tolerance: Number = 0,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> int:
    """The number of fillings, or `limit` if there are at least that many; no rows are built.

    Parameters are as in `enumerate`.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.

    Examples
    --------
    >>> count(range(16))
    41728
    >>> count(range(-8, 8), total=-3)
    7552
    >>> count([0] * 16), count([1] * 16)
    (1, 0)
    """
    plan = _problem(values, total, tolerance)._plan
    return _call.count(plan, limit=limit, threads=threads, progress=progress)


@overload
def iterate(
    values: Iterable[Any] | Cross = ...,
    *,
    total: Number | None = ...,
    tolerance: Number = ...,
    batch: None = ...,
    limit: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Array]: ...
@overload
def iterate(
    values: Iterable[Any] | Cross = ...,
    *,
    total: Number | None = ...,
    tolerance: Number = ...,
    batch: int,
    limit: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Solutions]: ...
def iterate(
    values: Iterable[Any] | Cross = range(1, 17),
    *,
    total: Number | None = None,
    tolerance: Number = 0,
    batch: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Iterator[Array] | Iterator[Solutions]:
    """The fillings of `enumerate`, in the same order, while they are searched for; memory stays flat.

    Parameters
    ----------
    batch
        None: one filling at a time, an array of shape (16,). Else `Solutions` of that many, the last ones maybe fewer.

    Other parameters are as in `enumerate`. Closing the iterator, or forgetting it, stops the search.

    Raises
    ------
    Cancelled
        From the iterator, if `progress` stopped the search.

    Examples
    --------
    >>> next(iterate())
    array([ 2, 15, 10,  4,  7, 11,  5, 16, 12, 14,  3,  1,  9,  8, 13,  6])
    >>> [len(some) for some in iterate(batch=10_000)]
    [10000, 10000, 10000, 3608]
    """
    problem = _problem(values, total, tolerance)
    size = batch if batch is None else _call.batch_size(batch)
    blocks = _call.iterate_rows(problem._plan, limit=limit, threads=threads, progress=progress)
    return stream(blocks, lambda rows: Solutions(problem, rows, complete=False), size)


def solve(
    values: Iterable[Any] | Cross = range(1, 17),
    *,
    total: Number | None = None,
    tolerance: Number = 0,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Array | None:
    """The first filling of `enumerate`, an array of shape (16,), or None if there is none. Parameters as there.

    Raises
    ------
    Cancelled
        If `progress` stopped the search before one was found.

    Examples
    --------
    >>> solve(range(1, 17), total=30).sum()
    np.int64(136)
    >>> solve([1] * 16) is None
    True
    """
    problem = _problem(values, total, tolerance)
    found = enumerate(problem, limit=1, threads=threads, progress=progress)
    if not len(found) and not found.complete:
        raise Cancelled("progress stopped the search before a filling was found")
    return found[0] if len(found) else None


def sums(
    values: Iterable[Any] | Cross = range(1, 17),
    *,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> dict[Number, int]:
    """How many fillings there are of each sum, in ascending order of sums; sums without fillings are left out.

    With a `Cross` that has a tolerance: of each least sum.

    Examples
    --------
    >>> sums(range(1, 17))
    {27: 4440, 28: 7400, 29: 9368, 30: 6096, 31: 5104, 32: 1200}
    >>> sums([0.5 * n for n in range(1, 17)])[13.5]
    4440
    """
    problem = _problem(values, None, 0)
    if problem.tolerance:
        found: dict[Number, int] = {}
        for some in iterate(problem, batch=1 << 16, threads=threads, progress=progress):
            for total, times in some.sums().items():
                found[total] = found.get(total, 0) + times
        return dict(sorted(found.items()))
    counts = _call.count_units(problem._plan, threads=threads, progress=progress)
    return {_unit_total(problem, int(unit)): int(counts[unit]) for unit in np.flatnonzero(counts)}


def _unit_total(problem: Cross, unit: int) -> Number:
    """The sum that a unit of the search stands for."""
    places = np.empty(3, np.uint8)
    _call.call("pk_cross_total", problem._plan.pointer, unit, places)
    return problem.numbers.number(sum(problem.numbers.scaled[place] for place in places))


def verify(
    values: Iterable[Any] | Cross, rows: Any, *, total: Number | None = None, tolerance: Number = 0
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are fillings: they use exactly the given numbers, and their line sums agree.

    Parameters
    ----------
    values, total, tolerance
        As in `enumerate`.
    rows
        `Solutions`, or anything that makes an array of shape (rows, 16) of numbers; one row may come as (16,).

    Returns
    -------
    numpy.ndarray
        Shape (rows,), bool. It is computed with numpy, exactly, and shares nothing with the search.

    Raises
    ------
    PuzzleError
        If the rows do not have sixteen entries that are numbers.

    Examples
    --------
    >>> rows = enumerate().array[:3].copy()
    >>> rows[1, 0], rows[1, 1] = rows[1, 1], rows[1, 0]
    >>> verify(range(1, 17), rows)
    array([ True, False,  True])
    """
    problem = _problem(values, total, tolerance)
    ranks = _ranks(problem.numbers, rows.array if isinstance(rows, Solutions) else rows)
    known = ranks < len(problem.numbers.distinct)
    good = np.asarray(known.all(axis=1))
    for rank, times in builtins.enumerate(problem.numbers.counts):
        good &= (ranks == rank).sum(axis=1) == times
    lines = problem._line_sums(np.where(known, ranks, 0).astype(np.uint8))
    least, most = np.minimum.reduce(lines), np.maximum.reduce(lines)
    unit = problem.numbers.unit
    allowed = _values.exact(problem.tolerance) / unit
    good &= (most - least <= floor(allowed)).astype(bool)
    if problem.total is not None:
        wanted = _values.exact(problem.total) / unit
        good &= (least >= ceil(wanted - allowed)).astype(bool) & (most <= floor(wanted + allowed)).astype(bool)
    return good


def _ranks(numbers: Numbers, rows: Any) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The place of each entry among the distinct numbers, or their number for what is not among them."""
    try:
        # numpy would make one kind of the numbers in a list, and round them.
        array = rows if isinstance(rows, np.ndarray) else np.array(rows, object)
    except ValueError:
        raise PuzzleError("rows must have the same number of entries each") from None
    if array.ndim == 1:
        array = array[np.newaxis]
    if array.ndim != 2 or array.shape[1] != _SIZE:
        raise PuzzleError(f"rows must have {_SIZE} entries each, not the shape {np.shape(rows)}")
    places = {_values.exact(number): place for place, number in builtins.enumerate(numbers.distinct)}

    def place(entry: Any) -> int:
        try:
            return places.get(_values.exact(_values.plain(entry)), len(places))
        except PuzzleError as error:
            raise PuzzleError(f"rows: {error}") from None

    if array.dtype == object:
        return np.array([place(entry) for entry in array.flat], np.intp).reshape(array.shape)
    distinct, inverse = np.unique(array, return_inverse=True)
    return np.array([place(entry) for entry in distinct], np.intp)[inverse].reshape(array.shape)
