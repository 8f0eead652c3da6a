"""The verbs that search: square by square, or by halves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, overload

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import flag, whole_number
from puzzlekit._machine import check_memory
from puzzlekit._solutions import stream
from puzzlekit._values import shown
from puzzlekit.errors import Cancelled, PuzzleError
from puzzlekit.tiling._halves import TooManyToListError
from puzzlekit.tiling._problem import ALL, FUNDAMENTAL, ORBITS, Rectangle, problem_of
from puzzlekit.tiling._results import Array, Solutions, Tilings, none_of
from puzzlekit.tiling._tilings import all_images, canonical_images, distinct, symmetry_count, verify

SLAB: Final = 1 << 14
"""Tilings that are verified at a time."""


def count(
    problem: Rectangle | int,
    *,
    fundamental: bool = False,
    memory: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> int:
    """The number of tilings.

    Parameters
    ----------
    problem
        A `Rectangle`, or the n of a Partridge puzzle.
    fundamental
        Count images of one another once. It is exact also when tilings are their own images.
    memory
        Bytes that a search by halves may take, besides some 30 MB; None: three fifths of what is free now. With less
        of it the search works in smaller parts; it says what it would need before it begins to swap.
    threads, progress
        As in every family. A search by halves has many stages, of which `progress` hears as one: parts of 10,000.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.
    PuzzleError
        If an argument is not what it should be, or memory is too little.

    Notes
    -----
    Up to 21 squares, and rectangles that are more than 56 wide and high, are searched square by square. More
    squares are searched as two halves that meet in a profile (csrc/tiling_halves.c). Halves are matched by the
    number of their profile and by that of their multiset of squares. These are exact, and nothing is hashed: a false
    match is impossible. `enumerate` also checks each tiling by its cells. Up to symmetry they are counted by Burnside's
    lemma: those that a symmetry leaves as they are have a search of their own (csrc/tiling_symmetric.c), which in a
    narrow rectangle can take longer than the rest.

    Examples
    --------
    >>> count(Rectangle(4, 4, {1: 12, 2: 1}))
    9
    >>> count(Rectangle(4, 4, {1: 12, 2: 1}), fundamental=True)
    3
    >>> count(5)
    0
    """
    rectangle = problem_of(problem)
    flag("fundamental", fundamental)
    _check_memory(memory)
    if not rectangle.is_possible:
        return 0
    if not rectangle._by_halves:
        plan = rectangle._search(FUNDAMENTAL if fundamental else ORBITS)
        return _call.count(plan, threads=threads, progress=progress)
    stages = _call.Stages(progress)
    try:
        halves = rectangle._halves(memory, threads)
        symmetric = halves.symmetric(stages) if fundamental and not rectangle._is_never_symmetric() else 0
        number = halves.count(stages)
        if fundamental:
            number, rest = divmod(number + symmetric, symmetry_count(rectangle))
            if rest:
                raise SystemError("a count that its symmetries do not divide: please report this")
        stages.finish(number)
    finally:
        stages.close()
    return number


def _check_memory(memory: int | None) -> None:
    if memory is not None:
        whole_number("memory", memory, 1)


def _listed(
    rectangle: Rectangle,
    fundamental: bool,
    memory: int | None,
    threads: int | None,
    progress: _call.Progress,
    one: bool = False,
) -> Tilings:
    """The tilings of `enumerate`, found by halves; or one of them, in its least image."""
    stages = _call.Stages(progress)
    try:
        found = rectangle._halves(memory, threads).tilings(stages, one=one)
        if rectangle.width > rectangle.height:
            found = found[:, :, [1, 0, 2]]
        good = [verify(rectangle, found[at : at + SLAB]) for at in range(0, len(found), SLAB)]
        if not all(some.all() for some in good):
            raise SystemError("a search by halves found something that is no tiling: please report this")
        found = distinct(canonical_images(rectangle, found))
        if not fundamental:
            found = all_images(rectangle, found)
        stages.finish(len(found))
    finally:
        stages.close()
    return found


def enumerate(
    problem: Rectangle | int,
    *,
    fundamental: bool = True,
    limit: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """All tilings, one of each class of images, or all.

    Parameters
    ----------
    problem, memory, threads, progress
        As in `count`.
    fundamental
        Of tilings that are images of one another only the one whose list of sides, in reading order, is least.
    limit
        At most this many, the first ones. A search by halves knows them only when it has found all; if that are more
        than `memory` holds they are searched for square by square, `progress` begins again, and they may take what
        memory they need.

    Returns
    -------
    Solutions
        In lexicographic order of their lists of sides. ``complete`` is false after a limit or a cancel.

    Examples
    --------
    >>> found = enumerate(Rectangle(4, 4, {1: 12, 2: 1}))
    >>> found.array.shape, len(enumerate(Rectangle(4, 4, {1: 12, 2: 1}), fundamental=False))
    ((3, 13, 3), 9)
    """
    rectangle = problem_of(problem)
    most = _call.row_limit(limit)
    flag("fundamental", fundamental)
    _check_memory(memory)
    squares = len(rectangle.squares)
    if not rectangle.is_possible:
        return Solutions(rectangle, none_of(rectangle))
    if rectangle._by_halves:
        nothing = Solutions(rectangle, none_of(rectangle), complete=False)
        if most == 0:
            return nothing
        try:
            try:
                found = _listed(rectangle, fundamental, memory, threads, progress)
                return Solutions(rectangle, found[:most], complete=len(found) < most)
            except TooManyToListError as error:
                if limit is None:
                    raise _too_many(rectangle, error.args[0], threads, progress) from None
        except Cancelled:
            return nothing
    plan = rectangle._search(FUNDAMENTAL if fundamental else ALL)
    rows = _call.enumerate_rows(plan, limit=limit, threads=threads, progress=progress)
    return Solutions(rectangle, _tilings(rows.array, squares), complete=rows.complete, stats=rows.stats)


def _too_many(rectangle: Rectangle, memory: int, threads: int | None, progress: _call.Progress) -> PuzzleError:
    try:
        number = count(rectangle, memory=memory, threads=threads, progress=progress)
        needed = rectangle._halves(memory, threads).bytes_to_list(number)
        said = f"to list {number:,} tilings: it must be at least {needed:,}"
    except PuzzleError:
        said = "to list the tilings, nor to count them"
    return PuzzleError(
        f"memory={memory:,} is not enough {said}; with limit= or by iterate() the first ones come without"
    )


def _tilings(rows: Array, squares: int) -> Tilings:
    made: Tilings = np.ascontiguousarray(rows).view(np.int16).reshape(len(rows), squares, 3)
    return made


@overload
def iterate(
    problem: Rectangle | int,
    *,
    fundamental: bool = ...,
    batch: None = ...,
    limit: int | None = ...,
    memory: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Tilings]: ...
@overload
def iterate(
    problem: Rectangle | int,
    *,
    fundamental: bool = ...,
    batch: int,
    limit: int | None = ...,
    memory: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Solutions]: ...
def iterate(
    problem: Rectangle | int,
    *,
    fundamental: bool = True,
    batch: int | None = None,
    limit: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Iterator[Tilings] | Iterator[Solutions]:
    """The tilings of `enumerate`, in the same order; while they are searched for, if that is square by square.

    Parameters
    ----------
    batch
        None: one tiling at a time, an array of shape (squares, 3). Else `Solutions` of that many.

    Other parameters are as in `enumerate`. Closing the iterator, or forgetting it, stops the search.

    Raises
    ------
    Cancelled
        From the iterator, if `progress` stopped the search.

    Examples
    --------
    >>> next(iterate(Rectangle(3, 2, [2, 1, 1]))).tolist()
    [[0, 0, 1], [1, 0, 2], [0, 1, 1]]
    """
    rectangle = problem_of(problem)
    flag("fundamental", fundamental)
    size = batch if batch is None else _call.batch_size(batch)
    _check_memory(memory)
    most = _call.row_limit(limit)
    _call.thread_limit(threads)
    _call.reporter(progress)
    squares = len(rectangle.squares)

    def blocks() -> Iterator[Array]:
        """Yield bytes, from a search that begins when the first ones are asked for."""
        if not rectangle.is_possible or most == 0:
            return
        if rectangle._by_halves:
            try:
                found = _listed(rectangle, fundamental, memory, threads, progress)[:most]
                yield found.reshape(len(found), 3 * squares).view(np.uint8)
                return
            except TooManyToListError:
                pass
        plan = rectangle._search(FUNDAMENTAL if fundamental else ALL)
        yield from _call.iterate_rows(plan, limit=limit, threads=threads, progress=progress)

    return stream(blocks(), lambda rows: Solutions(rectangle, _tilings(rows, squares), complete=False), size)


def solve(
    problem: Rectangle | int,
    *,
    seed: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Tilings | None:
    """One tiling, an array of shape (squares, 3), or None if there is none.

    Parameters
    ----------
    seed
        None: the first of all tilings or, searched by halves (see `count`), the first that is met: in its least image,
        the same one as long as `memory` is the same. Else any one, with equal chances; the same one for the same seed.
        For that all are searched for.

    Raises
    ------
    Cancelled
        If `progress` stopped the search before a tiling was found; with a seed, before all were.

    Examples
    --------
    >>> solve(Rectangle(3, 2, [2, 1, 1])).tolist()
    [[0, 0, 1], [1, 0, 2], [0, 1, 1]]
    >>> solve(Rectangle(3, 3, [2, 1, 1])) is None
    True
    """
    if seed is not None:
        some = sample(problem, 1, seed=seed, memory=memory, threads=threads, progress=progress)
        return some[0] if len(some) else None
    rectangle = problem_of(problem)
    if rectangle.is_possible and rectangle._by_halves:
        _check_memory(memory)
        met = _listed(rectangle, True, memory, threads, progress, one=True)
        return met[0] if len(met) else None
    found = enumerate(rectangle, limit=1, memory=memory, threads=threads, progress=progress)
    if not found.complete and len(found) == 0:
        raise Cancelled("progress stopped the search before it found a tiling")
    return found[0] if len(found) else None


def sample(
    problem: Rectangle | int | Solutions,
    k: int,
    *,
    seed: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """Draw k tilings, independently, each with equal chances among all.

    Parameters
    ----------
    problem
        As in `count`: then images of one another are different tilings. Or complete `Solutions`, to draw from these
        without a search: from a list of fundamental ones each class has equal chances.
    k
        How many. If there is no tiling none are drawn.
    seed
        Of the numpy generator that draws.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.
    PuzzleError
        If an argument is not what it should be, or the `Solutions` are not complete.

    Examples
    --------
    >>> len(sample(Rectangle(4, 4, {1: 12, 2: 1}), 5, seed=1))
    5
    """
    number = whole_number("k", k, 0)
    random = np.random.default_rng(seed if seed is None else whole_number("seed", seed, 0))
    if isinstance(problem, Solutions):
        found = problem
        if not found.complete:
            raise PuzzleError(f"these {len(found):,} tilings are not known to be all: none can be drawn among all")
    else:
        found = enumerate(problem, fundamental=False, memory=memory, threads=threads, progress=progress)
        if not found.complete:
            raise Cancelled(f"progress stopped the search after {len(found)} solutions")
    check_memory(number * (6 * len(found.problem.squares) + 8), f"{shown(number)} tilings")
    drawn = random.integers(0, len(found), number) if len(found) else np.empty(0, np.intp)
    return found[drawn]
