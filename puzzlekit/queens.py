"""Queens: n queens on a board of n x n squares, no two of them in one row, column or diagonal.

A board is the column of the queen of each row, so the board below is ``[1, 3, 0, 2]``::

    . Q . .
    . . . Q
    Q . . .
    . . Q .

Queens can be placed beforehand and squares blocked; the board can be a torus; boards can be taken as one that are
turned or mirrored images of one another.

>>> from puzzlekit import queens
>>> queens.count(8), queens.count(8, fundamental=True)
(92, 12)
>>> queens.count(16)
14772512
>>> queens.solve(8)
array([1, 3, 5, 7, 2, 0, 6, 4], dtype=uint8)
>>> queens.count(8, placed=[(0, 0)])
4
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, overload
from xml.etree import ElementTree

import numpy as np

from puzzlekit import _call, _text
from puzzlekit._draw import Picture, Svg, sheet
from puzzlekit._solutions import Form, stream
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit.errors import PuzzleError

__all__ = [
    "Puzzle",
    "Queens",
    "Solutions",
    "canonical",
    "count",
    "enumerate",
    "iterate",
    "puzzle",
    "sample",
    "solve",
    "symmetries",
    "verify",
]

MOST: Final = 22
"""The largest board without placed queens that can be counted or listed: tables of larger ones do not fit in memory."""
MOST_COMPLETED: Final = 64
"""The largest board with placed queens or blocked squares that can be counted or listed."""
MOST_SAMPLED: Final = 20
"""The largest board that is sampled without placed queens: its boards are counted first."""
MOST_SOLVED: Final = 30_000
"""The largest board with placed queens or blocked squares that `solve` takes."""

_JOIN_SQUARES: Final = 9.5
"""Quadrants are joined if the rows without a placed queen have more squares left than this, on average; with fewer, a
search row by row is faster (measured for n = 9 to 20)."""
_SMALL: Final = 10
"""Up to here a call that counts all boards is over before a plan for it would be made; from there on joining is faster
(measured with vectors and without)."""
_TRIES: Final = 200

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Boards: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Square: TypeAlias = tuple[int, int]
Squares: TypeAlias = "Iterable[tuple[int, int]] | Array"


@dataclass(frozen=True)
class Queens:
    """A board to fill with queens.

    Parameters
    ----------
    n
        Rows and columns, and queens.
    placed
        Squares that have a queen: (row, column) pairs, from (0, 0) in the top left corner. Queens that attack one
        another are no error: then there is no board.
    blocked
        Squares that must stay empty: pairs, or a boolean array of shape (n, n).
    toroidal
        Whether diagonals go on at the opposite edge.
    fundamental
        Whether boards that are turned or mirrored images of one another are one; the lexicographically least that
        has the placed queens and none on a blocked square stands for them.

    Raises
    ------
    PuzzleError
        If n is negative or not a whole number, or a square is not on the board.
    """

    n: int
    placed: Squares = ()
    blocked: Squares = ()
    toroidal: bool = False
    fundamental: bool = False

    def __post_init__(self) -> None:
        n = _call.whole_number("n", self.n)
        if n < 0:
            raise PuzzleError(f"n must not be negative, not {n}")
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "placed", _squares("placed", self.placed, n))
        object.__setattr__(self, "blocked", _squares("blocked", self.blocked, n))
        object.__setattr__(self, "toroidal", bool(self.toroidal))
        object.__setattr__(self, "fundamental", bool(self.fundamental))

    @property
    def _free(self) -> bool:
        """Whether every square may have a queen."""
        return not self.placed and not self.blocked

    @functools.cached_property
    def _allowed(self) -> np.ndarray[Any, np.dtype[np.uint64]] | None:
        """The squares of each row that may have a queen, as bits; None: all."""
        if self._free:
            return None
        n, everywhere = self.n, 2**self.n - 1
        rows = [everywhere] * n
        for row, column in self.blocked:
            rows[row] &= ~(1 << column)
        for row, column in self.placed:
            for other in range(n):
                if other == row:
                    rows[other] &= 1 << column
                    continue
                attacked = 1 << column
                for place in (column + other - row, column - other + row):
                    if self.toroidal:
                        attacked |= 1 << place % n
                    elif 0 <= place < n:
                        attacked |= 1 << place
                rows[other] &= ~attacked
        return np.array(rows, np.uint64)

    def _check_size(self) -> None:
        """Raise a PuzzleError if this board is too large to be counted or listed."""
        most = MOST if self._free and not self.toroidal else MOST_COMPLETED
        if self.n > most:
            more = "" if most == MOST_COMPLETED else f" ({MOST_COMPLETED} with placed queens; solve() takes any n)"
            raise PuzzleError(f"n must be at most {most} to count or list boards{more}, not {self.n}")

    def _joined(self) -> bool:
        """Whether quadrants are joined: else rows are searched, which is faster when only a few are left."""
        if self.toroidal or not 4 <= self.n <= MOST:
            return False
        if self._allowed is None:
            return self.n > _JOIN_SQUARES
        squares = [row.bit_count() for row in self._allowed.tolist()]
        free = [many for many in squares if many > 1]
        return bool(free) and sum(free) > _JOIN_SQUARES * len(free)

    def _plan(self) -> _call.Plan:
        """The search for these boards."""
        self._check_size()
        if self._joined():
            return _call.Plan("queens_join", self.n, self._allowed, self.fundamental, _call.cpu_level())
        return _call.Plan("queens_search", self.n, self._allowed, self.toroidal, 0, self.fundamental)


def _squares(name: str, squares: Squares, n: int) -> tuple[Square, ...]:
    """Squares in order, each once; a PuzzleError for one that is not on the board."""
    if isinstance(squares, np.ndarray) and squares.dtype == np.bool_:
        if squares.shape != (n, n):
            raise PuzzleError(f"{name} as a boolean array must have the shape {(n, n)}, not {squares.shape}")
        squares = [(int(row), int(column)) for row, column in zip(*np.nonzero(squares))]
    made = set()
    try:
        pairs = [tuple(pair) for pair in squares]
    except TypeError:
        raise PuzzleError(f"{name} must be (row, column) pairs, not {squares!r}") from None
    for pair in pairs:
        if len(pair) != 2:
            raise PuzzleError(f"{name} must be (row, column) pairs, and {pair!r} is none")
        row, column = (
            _call.whole_number(f"a row in {name}", pair[0]),
            _call.whole_number(f"a column in {name}", pair[1]),
        )
        if not (0 <= row < n and 0 <= column < n):
            raise PuzzleError(f"{name}: the square {(row, column)} is not on a board of {n} x {n} squares")
        made.add((row, column))
    return tuple(sorted(made))


class Solutions(_Solutions):
    """Boards with n queens.

    Attributes
    ----------
    array
        Shape (boards, n), uint8, read-only: the column of the queen of each row.
    """

    _problem: Queens

    def _title(self) -> str:
        some = "" if self.complete else "of the "
        torus = " on a torus" if self._problem.toroidal else ""
        boards = "board" if len(self) == 1 and not some else "boards"
        return f"{len(self):,} {some}{boards} with {self._problem.n} queens{torus}"

    def __repr__(self) -> str:
        lines = [" ".join(map(str, board)) for board in self._rows[:3].tolist()]
        lines += ["..."] if len(self) > 3 else []
        return "\n".join([f"<{self._title()}>", *("  " + line for line in lines)])

    def sorted(self) -> Solutions:
        """The same boards in lexicographic order.

        Examples
        --------
        >>> enumerate(8).sorted()[0]
        array([0, 4, 7, 5, 2, 6, 1, 3], dtype=uint8)
        """
        if len(self) < 2:
            return self
        if self._problem.n > 16:
            return super().sorted()
        rows = np.ascontiguousarray(self._rows)
        out = np.empty_like(rows)
        _call.check(_call.call("pk_queens_sort", rows.reshape(-1), *rows.shape, out.reshape(-1)))
        return Solutions(self._problem, out, complete=self._complete, stats=self._stats)

    def to_fen(self) -> str:
        """A line for each board as in chess: the empty squares of each row counted, Q for the queen.

        Examples
        --------
        >>> print(enumerate(4).to_fen(), end="")
        1Q2/3Q/Q3/2Q1
        2Q1/Q3/3Q/1Q2
        """
        return bytes(self._fen()).decode()

    def _fen(self) -> memoryview:
        n = self._problem.n
        cells = [f"{column or ''}Q{n - 1 - column or ''}" for column in range(n)]
        return _text.lines(self._rows, cells, "/")

    def _opening(self, form: Form) -> str:
        n = self._problem.n
        if form == "text":
            return ""
        if form == "csv":
            return ",".join(f"r{row}" for row in range(n)) + "\n"
        placed, blocked = (
            [list(square) for square in squares] for squares in (self._problem.placed, self._problem.blocked)
        )
        torus = ', "toroidal": true' if self._problem.toroidal else ""
        return f'{{"puzzle": "queens", "n": {n}, "placed": {placed}, "blocked": {blocked}{torus},\n"solutions": [\n'

    def _lines(self, form: Form) -> memoryview:
        n = self._problem.n
        if form == "text":
            cells = ["." * column + "Q" + "." * (n - 1 - column) for column in range(n)]
            return _text.lines(self._rows, cells, "\n", "\n\n")
        numbers = [str(column) for column in range(n)]
        if form == "csv":
            return _text.lines(self._rows, numbers, ",")
        return _text.lines(self._rows, numbers, ", ", "],\n", heads=["["], head=np.zeros(len(self), np.uint32))

    def _picture(self, index: int) -> Picture:
        return _picture(self._rows[index].tolist(), {row for row, _ in self._problem.placed}, self._problem.blocked)

    def draw(self, index: int = 0) -> str:
        """The board at `index` as n lines of text.

        Examples
        --------
        >>> print(enumerate(4).draw())
        .Q..
        ...Q
        Q...
        ..Q.
        """
        board = self._rows[range(len(self))[index]].tolist()
        return "\n".join("." * column + "Q" + "." * (len(board) - 1 - column) for column in board)


_SIDE: Final = 22.0
_CROWN: Final = "M3 17H19L20.5 7L15.5 12L11 4.5L6.5 12L1.5 7Z"
_LIGHT, _DARK, _BARRED = "#f4ead8", "#c7ab84", "#7d7d7d"


def _picture(board: list[int], placed: set[int], blocked: Iterable[Square]) -> Picture:
    """A chessboard; placed queens are red, and rows with -1 have none."""
    n = len(board)
    group = ElementTree.Element("g")

    def shape(kind: str, **attributes: str) -> None:
        ElementTree.SubElement(group, kind, {key.replace("_", "-"): text for key, text in attributes.items()})

    edge = f"{n * _SIDE:g}"
    shape("rect", width=edge, height=edge, fill=_LIGHT)
    dark = ((row, column) for row in range(n) for column in range(n) if (row + column) % 2)
    for squares, fill in ((dark, _DARK), (blocked, _BARRED)):
        path = "".join(
            f"M{column * _SIDE:g} {row * _SIDE:g}h{_SIDE:g}v{_SIDE:g}h-{_SIDE:g}z" for row, column in squares
        )
        if path:
            shape("path", d=path, fill=fill)
    for row, column in builtins.enumerate(board):
        if column < 0:
            continue
        fill = "#a3262a" if row in placed else "#1b1b1b"
        shape("path", d=_CROWN, fill=fill, transform=f"translate({column * _SIDE:g} {row * _SIDE:g})")
    shape("rect", width=edge, height=edge, fill="none", stroke="#5c5c5c")
    return Picture(n * _SIDE, n * _SIDE, group)


def _problem(
    n: int | Queens,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    fundamental: bool = False,
) -> Queens:
    if not isinstance(n, Queens):
        return Queens(n, placed, blocked, toroidal, fundamental)
    if len(placed) or len(blocked) or toroidal or fundamental:  # type: ignore[arg-type]
        raise PuzzleError("the other arguments are those of the Queens that was given; make another one instead")
    return n


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
        Squares that stay empty, as pairs or as a boolean array of shape (n, n).
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
        If n is too large, a square is not on the board, or another argument is not what it should be.

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
    problem = _problem(n, placed, blocked, toroidal, fundamental)
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
    problem = _problem(n, placed, blocked, toroidal, fundamental)
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
    How long it takes, on one thread of a common machine with AVX2: n = 16 0.07 s, 17 0.4 s, 18 3 s, 19 20 s, 20 4
    minutes; from there on 8 to 10 times as long for each row more: n = 21 more than half an hour, 22 some hours. A
    process takes 60 MB for n = 18, 160 MB for n = 20 and 1.2 GB for n = 22. n = 23 would take more than a day, and is
    refused.

    Without placed queens and blocked squares, boards up to rotation and reflection are counted by Burnside's lemma:
    it takes no longer than to count all.

    Examples
    --------
    >>> [count(n) for n in range(13)]
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200]
    >>> count(13, toroidal=True)
    4524
    >>> count(8, blocked=[(i, i) for i in range(8)])
    28
    """
    everywhere = type(placed) is type(blocked) is tuple and not (placed or blocked or toroidal)
    if everywhere and type(n) is int and 0 <= n <= _SMALL and not fundamental and progress is None:
        _call.thread_limit(threads)
        boards: int = _call.call("pk_queens_count", n)
        return boards
    problem = _problem(n, placed, blocked, toroidal, fundamental)
    if problem._free and not problem.fundamental:
        return _count_all(problem, threads, progress)
    if problem._free and not problem.toroidal and problem.n > 1:
        every = Queens(problem.n)
        every._check_size()
        half = _count_turned(problem.n, 1, threads)
        quarter = _count_turned(problem.n, 2, threads) if problem.n % 4 < 2 else 0
        return (_count_all(every, threads, progress) + half + 2 * quarter) // 8
    return _call.count(problem._plan(), threads=threads, progress=progress)


def _count_all(problem: Queens, threads: int | None, progress: _call.Progress) -> int:
    """Count on a board where every square may have a queen."""
    if not problem.toroidal:
        return _call.count(problem._plan(), threads=threads, progress=progress)
    problem._check_size()
    if problem.n == 0:
        return 1
    if math.gcd(problem.n, 6) != 1:  # Polya: then there is none
        return 0
    # A torus can be moved so that the queen of row 0 stands in any column.
    corner = Queens(problem.n, placed=[(0, 0)], toroidal=True)
    return problem.n * _call.count(corner._plan(), threads=threads, progress=progress)


def _count_turned(n: int, turns: int, threads: int | None) -> int:
    """The number of boards that a half turn (1) or a quarter turn (2) leaves as they are."""
    return _call.count(_call.Plan("queens_search", n, None, False, turns, False), threads=threads)


def solve(
    n: int | Queens,
    *,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    seed: int = 0,
) -> Array | None:
    """One board, or None if there is none.

    Parameters
    ----------
    n
        Any size. With placed queens or blocked squares at most 30,000, on a torus with those at most 64.
    placed, blocked, toroidal
        As in `enumerate`.
    seed
        With placed queens or blocked squares, another seed may give another board.

    Returns
    -------
    numpy.ndarray or None
        The column of the queen of each row: uint8 up to n = 256, else int32.

    Notes
    -----
    Without placed queens and blocked squares the board is a known one: knight's moves. Otherwise it is searched for,
    the row with the fewest squares left first, anew when the search gets stuck; None is a proof. Whether queens can be
    completed is a hard question, so a search can take very long; Ctrl-C stops it.

    Examples
    --------
    >>> solve(4, placed=[(0, 2)])
    array([2, 0, 3, 1], dtype=uint8)
    >>> solve(3) is None
    True
    >>> verify(2000, solve(2000))
    array([ True])
    >>> board = solve(500, placed=[(0, 0), (100, 300)])
    >>> board[0], board[100]
    (np.int32(0), np.int32(300))
    """
    problem = _problem(n, placed, blocked, toroidal)
    board: Array | None = None
    if not problem._free and not problem.toroidal:
        board = _search_board(problem, seed)
    elif not problem._free:
        found = enumerate(problem, limit=1)
        board = found[0] if len(found) else None
    else:
        board = _known_torus(problem.n) if problem.toroidal else _known_board(problem.n)
    return None if board is None else board.astype(_dtype(problem.n))


def _known_board(n: int) -> Array | None:
    """Knight's moves: the odd columns, then the even ones, with some exchanged if n mod 6 is 2 or 3."""
    if n in (2, 3):
        return None
    odd, even = list(range(1, n, 2)), list(range(0, n, 2))
    if n % 6 == 2:
        even = [2, 0, *even[3:], 4]
    elif n % 6 == 3:
        odd, even = [*odd[1:], 1], [*even[2:], 0, 2]
    return np.array(odd + even, np.int32)


def _known_torus(n: int) -> Array | None:
    if math.gcd(n, 6) != 1 and n != 0:
        return None
    return (2 * np.arange(n, dtype=np.int64) % max(n, 1)).astype(np.int32)


def _search_board(problem: Queens, seed: int) -> Array | None:
    n = problem.n
    if n > MOST_SOLVED:
        raise PuzzleError(f"n must be at most {MOST_SOLVED} with placed queens or blocked squares, not {n}")
    column: Array = np.full(n, -1, np.int32)
    for row, place in problem.placed:
        if column[row] >= 0:
            return None
        column[row] = place
    blocked: Array | None = None
    if problem.blocked:
        blocked = np.zeros((n, n), np.uint8)
        blocked[tuple(np.array(problem.blocked).T)] = 1
        blocked = blocked.reshape(-1)
    plan = _call.Plan("queens_place", n, column, blocked, _seed(seed) % 2**64)
    rows = _call.enumerate_rows(plan, limit=1, threads=1).array
    return rows.reshape(-1).view(np.int32).copy() if len(rows) else None


def _seed(seed: int) -> int:
    whole = _call.whole_number("seed", seed)
    if whole < 0:
        raise PuzzleError(f"seed must not be negative, not {whole}")
    return whole


def sample(
    n: int | Queens,
    k: int,
    *,
    seed: int | None = None,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """Random boards: each of the k is any of all boards with the same probability, exactly.

    Parameters
    ----------
    n
        As in `enumerate`, but at most 20 without placed queens and blocked squares: all boards are counted first.
    k
        How many boards. They are drawn independently, so one may come twice.
    seed
        The same seed gives the same boards; None for others every time.
    placed, blocked, toroidal, threads, progress
        As in `enumerate`; progress is that of the count.

    Raises
    ------
    PuzzleError
        As in `enumerate`, and if there is no board at all.

    Examples
    --------
    >>> some = sample(10, 5, seed=1)
    >>> some.array.shape, verify(10, some).all()
    ((5, 10), np.True_)
    """
    problem = _problem(n, placed, blocked, toroidal)
    wanted = _call.whole_number("k", k)
    if wanted < 0:
        raise PuzzleError(f"k must not be negative, not {wanted}")
    if problem._free and not problem.toroidal and problem.n > MOST_SAMPLED:
        raise PuzzleError(
            f"n must be at most {MOST_SAMPLED} to sample boards, not {problem.n}: all boards have to be counted for it"
        )
    random = np.random.default_rng(None if seed is None else _seed(seed))
    plan = problem._plan()
    ends = np.cumsum(_call.count_units(plan, threads=threads, progress=progress), dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    if total == 0 and wanted:
        raise PuzzleError(f"there is no board with {problem.n} queens to sample from")
    rows = np.empty((wanted, problem.n), np.uint8)
    drawn = random.integers(total, size=wanted) if wanted else np.empty(0, np.int64)
    units = np.searchsorted(ends, drawn, side="right")
    for unit in np.unique(units).tolist():
        here = np.flatnonzero(units == unit)
        found = _call.enumerate_rows(plan, threads=1, units=(unit, unit + 1)).array[:, : problem.n]
        rows[here] = found[drawn[here] - (ends[unit] - len(found))]
    return Solutions(problem, rows, complete=False)


def _boards(name: str, boards: Any, n: int | None = None) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Boards as an array of shape (boards, n) of int64; a PuzzleError if they are not that."""
    array = np.asarray(boards.array if isinstance(boards, Solutions) else boards)
    if array.ndim == 1 and (n is not None or array.size):
        array = array[np.newaxis]
    if array.ndim != 2 or (n is not None and array.shape[1] != n):
        wanted = "n" if n is None else str(n)
        raise PuzzleError(f"{name} must have the shape (boards, {wanted}), not {np.shape(boards)}")
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
        As in `enumerate`.
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
    problem = _problem(n, placed, blocked, toroidal)
    size = problem.n
    columns = _boards("boards", boards, size)
    row = np.arange(size)
    good = np.asarray(((columns >= 0) & (columns < size)).all(axis=1))
    for lines in (columns, columns + row, columns - row):
        if problem.toroidal and size:
            lines = lines % size
        ordered = np.sort(lines, axis=1)
        good &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    for at, column in problem.placed:
        good &= columns[:, at] == column
    for at, column in problem.blocked:
        good &= columns[:, at] != column
    return good


def _images(boards: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The eight images of each board: shape (8, boards, n)."""
    columns = _boards("boards", boards)
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
    >>> len(np.unique(canonical(enumerate(8)), axis=0))
    12
    """
    images = _images(boards)
    least: Array = images[0]
    for image in images[1:]:
        different = image != least
        first = different.argmax(axis=1)[:, np.newaxis]
        smaller = np.take_along_axis(image, first, 1) < np.take_along_axis(least, first, 1)
        least = np.where(smaller, image, least)
    made: Boards = least.astype(_dtype(least.shape[1]))
    return made


def symmetries(board: Any) -> Boards:
    """The different images of one board under rotation and reflection, in lexicographic order: 8, 4 or 2 of them.

    Examples
    --------
    >>> symmetries([1, 3, 0, 2])
    array([[1, 3, 0, 2],
           [2, 0, 3, 1]], dtype=uint8)
    """
    images = _images(board)
    if images.shape[1] != 1:
        raise PuzzleError(f"board must be one board, not {images.shape[1]}")
    made: Boards = np.unique(images[:, 0], axis=0).astype(_dtype(images.shape[2]))
    return made


def _dtype(n: int) -> type[np.uint8] | type[np.int32]:
    return np.uint8 if n <= 256 else np.int32


@dataclass(frozen=True)
class Puzzle:
    """Queens that are given, to be completed.

    Attributes
    ----------
    problem
        The board with the given queens.
    solution
        A board that completes it: the column of the queen of each row.
    unique
        Whether it is the only one.
    """

    problem: Queens
    solution: tuple[int, ...]
    unique: bool

    @property
    def placed(self) -> tuple[Square, ...]:
        """The given queens."""
        return self.problem.placed  # type: ignore[return-value]

    def __str__(self) -> str:
        given = dict(self.placed)
        n = self.problem.n
        return "\n".join("".join("Q" if given.get(row) == column else "." for column in range(n)) for row in range(n))

    def to_svg(self, solved: bool = False) -> Svg:
        """The board with the given queens in red; if `solved`, with the others in black."""
        given = dict(self.placed)
        board = [column if solved or row in given else -1 for row, column in builtins.enumerate(self.solution)]
        return sheet([_picture(board, set(given), ())], f"{self.problem.n} queens, {len(given)} of them given")

    def _repr_svg_(self) -> str:
        return str(self.to_svg())


def puzzle(n: int, *, given: int | None = None, unique: bool = True, seed: int | None = None) -> Puzzle:
    """A puzzle: some queens of a random board, from which the others are to be found.

    Parameters
    ----------
    n
        At most 64.
    given
        How many queens are given; None: as few as leave exactly one completion, in the sense that none of them can be
        left out.
    unique
        Whether there must be exactly one completion. False needs `given`.
    seed
        The same seed gives the same puzzle; None for another one every time.

    Raises
    ------
    PuzzleError
        If there is no board of n queens, or no puzzle with so few queens has been found on 200 boards.

    Notes
    -----
    The board is drawn uniformly up to n = 12; a larger one comes from a random search. Queens are taken off in random
    order as long as the completion stays unique, which is checked each time.

    Examples
    --------
    >>> made = puzzle(8, seed=3)
    >>> count(made.problem)
    1
    >>> len(puzzle(10, given=4, seed=1).placed)
    4
    """
    size = Queens(n).n
    if size > MOST_COMPLETED:
        raise PuzzleError(f"n must be at most {MOST_COMPLETED} for a puzzle, not {size}")
    if given is None and not unique:
        raise PuzzleError("given says how many queens a puzzle has that need not be unique; it is missing")
    wanted = None if given is None else _call.whole_number("given", given)
    if wanted is not None and not 0 <= wanted <= size:
        raise PuzzleError(f"given must be 0 to {size} queens, not {wanted}")
    if solve(size) is None:
        raise PuzzleError(f"there is no board with {size} queens to make a puzzle of")
    random = np.random.default_rng(None if seed is None else _seed(seed))
    for _ in range(_TRIES):
        board = _random_board(size, random)
        kept = _thin_out(size, board, wanted, unique, random)
        if kept is not None:
            problem = Queens(size, placed=kept)
            only = len(enumerate(problem, limit=2)) == 1
            return Puzzle(problem, tuple(board), only)
    raise PuzzleError(
        f"no puzzle with {wanted} given queens and one completion has been found on {_TRIES} boards of {size} queens"
    )


def _random_board(n: int, random: np.random.Generator) -> list[int]:
    if n <= 12:
        return [int(column) for column in sample(n, 1, seed=int(random.integers(2**32)))[0]]
    corner = (int(random.integers(n)), int(random.integers(n)))
    while True:
        board = solve(n, placed=[corner], seed=int(random.integers(2**32)))
        if board is not None:
            return [int(column) for column in board]


def _thin_out(
    n: int, board: list[int], wanted: int | None, unique: bool, random: np.random.Generator
) -> list[Square] | None:
    """Take queens off in random order; None if so few as wanted cannot be reached."""
    order = [int(row) for row in random.permutation(n)]
    if not unique:
        return [(row, board[row]) for row in order[:wanted]]
    kept = set(order)
    for row in order:
        if len(kept) == wanted:
            break
        rest = [(other, board[other]) for other in kept - {row}]
        if len(enumerate(n, placed=rest, limit=2)) == 1:
            kept.remove(row)
    if wanted is not None and len(kept) > wanted:
        return None
    return [(row, board[row]) for row in sorted(kept)]
