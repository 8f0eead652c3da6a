"""All boards: listed, streamed, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias, overload

from puzzlekit import _call
from puzzlekit._machine import check_memory
from puzzlekit._solutions import stream
from puzzlekit.queens._board import Boards, Queens, Squares, problem_of
from puzzlekit.queens._results import Solutions

_SMALL: Final = frozenset(range(11))
"""Sizes for which a call that counts all boards is over before a plan for it would be made; from there on joining is
faster (measured with vectors and without)."""

_count_small: Final[Callable[[int], int]] = _call.function("pk_queens_count")

_NONE: Final = ()

_Report: TypeAlias = "Callable[[int, int, int], bool | None] | None"

_LARGE: Final = {17: 95_815_104, 18: 666_090_624, 19: 4_968_057_848, 20: 39_029_188_884, 21: 314_666_222_712}
"""How many boards there are where an array of them may not fit in memory (OEIS A000170); n = 22 has more still."""


def enumerate(
    n: int | Queens,
    *,
    fundamental: bool = False,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """All boards with n queens.

    Parameters
    ----------
    n
        Rows, columns and queens, or a `Queens`. At most 22; with placed queens or blocked squares, and on a torus,
        at most 64.
    fundamental
        One board of each class of boards that are turned or mirrored images of one another: the lexicographically
        least. With placed queens or blocked squares: the least that fits them.
    placed
        (row, column) pairs of queens that are there already. Queens that attack one another leave no board.
    blocked
        Squares that stay empty: pairs, or n rows of n truth values, also as a boolean array.
    toroidal
        Diagonals go on at the opposite edge.
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
        ``array`` has shape (boards, n), uint8: the column of the queen of each row. n = 0 has one board, without
        queens.

        The order: lexicographic if n < 10, on a torus, and where placed queens and blocked squares leave fewer than 9.5
        squares to the other rows on average. Else boards come by the place of the middle column's queen (if n is odd)
        and by the set of rows whose queens stand in the right half, then as quadrants are joined, turned and mirrored
        images of a board next to it. The order is the same every time, on every machine. `Solutions.sorted` puts
        boards into lexicographic order.

        ``complete`` is false after a limit or when `progress` stopped the search; then these are the first of all
        boards.

    Raises
    ------
    PuzzleError
        If n is too large, all boards do not fit in memory (`iterate` and ``limit=`` do without; it is not known
        before when squares are placed or blocked), a square is not on the board, or another argument is not what it
        should be.

    Notes
    -----
    Boards are put together from quadrants, after Evgeny Kluev; csrc/queens_join.c says how. Small boards, toroidal
    ones and completions with few rows left are searched row by row.

    Examples
    --------
    >>> enumerate(6).array
    array([[1, 3, 5, 0, 2, 4],
           [2, 5, 1, 4, 0, 3],
           [3, 0, 4, 1, 5, 2],
           [4, 2, 0, 5, 3, 1]], dtype=uint8)
    >>> enumerate(12)
    <14,200 boards with 12 queens>
    ...
    >>> enumerate(8, fundamental=True)[-1]
    array([2, 5, 1, 4, 7, 0, 6, 3], dtype=uint8)
    """
    problem = problem_of(n, placed, blocked, toroidal, fundamental)
    if problem._allowed is None and problem.n >= min(_LARGE):
        many = _LARGE.get(problem.n, 10 * _LARGE[max(_LARGE)]) // (8 if problem.fundamental else 1)
        many = min(many, _call.row_limit(limit))
        check_memory(
            problem.n * many, f"an array of so many boards with {problem.n} queens (iterate() does without one)"
        )
    rows = _call.enumerate_rows(problem._plan(), limit=limit, threads=threads, progress=progress)
    return Solutions(problem, rows.array[:, : problem.n], complete=rows.complete, stats=rows.stats)


@overload
def iterate(
    n: int | Queens,
    *,
    fundamental: bool = ...,
    placed: Squares = ...,
    blocked: Squares = ...,
    toroidal: bool = ...,
    batch: None = ...,
    limit: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Boards]: ...
@overload
def iterate(
    n: int | Queens,
    *,
    fundamental: bool = ...,
    placed: Squares = ...,
    blocked: Squares = ...,
    toroidal: bool = ...,
    batch: int,
    limit: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Solutions]: ...
def iterate(
    n: int | Queens,
    *,
    fundamental: bool = False,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    batch: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Iterator[Boards] | Iterator[Solutions]:
    """The boards of `enumerate`, in the same order, while they are searched for; memory stays flat.

    Parameters
    ----------
    batch
        None: one board at a time, an array of shape (n,). Else `Solutions` of that many, the last ones maybe fewer.

    Other parameters are as in `enumerate`. Closing the iterator, or forgetting it, stops the search.

    Raises
    ------
    Cancelled
        From the iterator, if `progress` stopped the search.

    Examples
    --------
    >>> next(iterate(8))
    array([0, 4, 7, 5, 2, 6, 1, 3], dtype=uint8)
    >>> sum(len(some) for some in iterate(11, batch=1000))
    2680
    """
    problem = problem_of(n, placed, blocked, toroidal, fundamental)
    size = batch if batch is None else _call.batch_size(batch)
    blocks = _call.iterate_rows(problem._plan(), limit=limit, threads=threads, progress=progress)
    return stream(blocks, lambda rows: Solutions(problem, rows[:, : problem.n], complete=False), size)


def count(
    n: int | Queens,
    *,
    fundamental: bool = False,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> int:
    """The number of boards; no rows are built. Parameters as in `enumerate`.

    Raises
    ------
    PuzzleError
        As in `enumerate`.
    Cancelled
        If `progress` stopped the search.

    Notes
    -----
    How long it takes, on one thread of a machine with AVX-512: n = 16 0.04 s, 17 0.2 s, 18 1 s, 19 7 s, 20 a minute;
    with AVX2 half as long again, elsewhere two or three times as long. From there on it is 8 to 10 times as long for
    each row more: n = 21 some ten minutes, 22 an hour or two. A process takes 60 MB for n = 18, 160 MB for n = 20 and
    1.2 GB for n = 22; if n is odd, each thread takes a third of that again. n = 23 would take most of a day, and is
    refused.

    With few squares placed or blocked there is no symmetry to use, and four tables instead of one: it takes up to eight
    times as long, and 100 MB for n = 18, 520 MB for n = 20, 1.4 GB for n = 21 (and 250 MB a thread) and some 4.5 GB for
    n = 22. Making the tables is 1 s of it for n = 20, 4 s for n = 21 and 15 s for n = 22; without such squares a
    quarter of that.

    Without placed queens and blocked squares, boards up to rotation and reflection are counted by Burnside's lemma:
    that takes little longer than to count all (n = 8: 0.04 ms instead of 0.002; the same from n = 14 on).

    Examples
    --------
    >>> [count(n) for n in range(13)]
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200]
    >>> count(13, toroidal=True)
    4524
    >>> count(8, blocked=[(i, i) for i in range(8)])
    28
    """
    if (  # for n < 7 this takes longer than the search does
        type(n) is int
        and n in _SMALL
        and placed is blocked is _NONE
        and fundamental is False
        and toroidal is False
        and progress is None
        and (threads is None or _call.thread_limit(threads))
    ):
        return _count_small(n)
    return _count(problem_of(n, placed, blocked, toroidal, fundamental), threads, progress)


def _count(problem: Queens, threads: int | None, progress: _call.Progress) -> int:
    report = _call.reporter(progress)
    try:
        if problem._allowed is None and problem.toroidal and problem.n and not problem.fundamental:
            # A torus can be moved so that the queen of row 0 stands in any column.
            problem._check_size()
            corner = Queens(problem.n, placed=[(0, 0)], toroidal=True)
            return _count_scaled(corner._plan(), lambda found: problem.n * found, threads, report)
        if problem._allowed is None and problem.fundamental and not problem.toroidal and problem.n > 1:
            plan = Queens(problem.n)._plan()
            turned = _count_turned(problem.n, threads, report and (lambda *_: report(0, plan.units, 0)))
            return _count_scaled(plan, lambda found: (found + turned) // 8, threads, report)
        return _call.count(problem._plan(), threads=threads, progress=report)
    finally:
        if isinstance(report, _call.Bar):
            report.close()


def _count_scaled(plan: _call.Plan, scaled: Callable[[int], int], threads: int | None, report: _Report) -> int:
    """Count boards that stand for others, and report how many of the others."""

    def tell(done: int, total: int, found: int) -> bool | None:
        assert report is not None
        return report(done, total, scaled(found))

    return scaled(_call.count(plan, threads=threads, progress=report and tell))


def _count_turned(n: int, threads: int | None, report: _Report) -> int:
    """The boards that a half turn leaves as they are, and twice those that a quarter turn does."""
    turned = _call.count(_call.Plan("queens_turned", n, 1), threads=threads, progress=report)
    if n % 4 < 2:
        turned += 2 * _call.count(_call.Plan("queens_turned", n, 2), threads=threads, progress=report)
    return turned
