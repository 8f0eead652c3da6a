"""Tiling: every way to fill a rectangle with given squares.

::

    +-----------+-----+     The squares are given, how many of each side; each is used. Tilings are arrays of squares,
    |           |     |     x, y, side in reading order of their upper left corners: x to the right, y downwards.
    |     2     +--+--+
    |           |  |  |     Many tilings are images of one another under the symmetries of the rectangle: eight if it
    +-----------+--+--+     is a square, else four. ``fundamental`` means one of each such class.

The best known such problem is the Partridge puzzle: one square of side 1, two of side 2, ... n of side n have together
the area of a square of side n (n + 1) / 2. They fill it for n = 1, and then not until n = 8.

>>> from puzzlekit import tiling
>>> tiling.count(tiling.Rectangle(3, 2, {2: 1, 1: 2}))
2
>>> moron = tiling.Rectangle(32, 33, [1, 4, 7, 8, 9, 10, 14, 15, 18])
>>> tiling.enumerate(moron).bouwkamp()
['(9,8,15)(1,7)(10)(4,18)(14)']
"""

from __future__ import annotations

import builtins
import colorsys
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, overload

import numpy as np

from puzzlekit import _call, _text
from puzzlekit._draw import Box, Picture, boxes
from puzzlekit._solutions import Form, stream
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit._tiling import Halves, Stages, fits
from puzzlekit.errors import Cancelled, PuzzleError

__all__ = [
    "Rectangle",
    "Solutions",
    "canonical",
    "count",
    "enumerate",
    "from_bouwkamp",
    "iterate",
    "partridge",
    "refill",
    "sample",
    "solve",
    "symmetries",
    "to_bouwkamp",
    "verify",
]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Tilings: TypeAlias = np.ndarray[Any, np.dtype[np.int16]]

MOST_SIDE: Final = 4096
MOST_SQUARES: Final = 4096
FEW: Final = 21
"""So many squares are searched one by one; more of them by halves, where that is possible."""
_ALL, _FUNDAMENTAL, _ORBITS = range(3)
_SLAB: Final = 1 << 14


@dataclass(frozen=True)
class Rectangle:
    """A rectangle to fill with squares.

    Parameters
    ----------
    width, height
        Columns and rows, at most 4096.
    counts
        The squares: {side: how many}, or a list of sides. At most 4096 of them. All are used. Squares that do not fit,
        or whose areas do not add up to the rectangle's, are no error: there are 0 tilings.

    Raises
    ------
    PuzzleError
        If a side or a count is not a whole number in its bounds.

    Examples
    --------
    >>> Rectangle(3, 2, [2, 1, 1]) == Rectangle(3, 2, {1: 2, 2: 1})
    True
    >>> Rectangle(3, 2, [2, 1, 1]).squares
    (1, 1, 2)
    """

    width: int
    height: int
    counts: Mapping[int, int] | Iterable[int] = field(hash=False)

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            object.__setattr__(self, name, _whole(name, getattr(self, name), 1, MOST_SIDE))
        if isinstance(self.counts, Mapping):
            given = {
                _whole("a side", side, 1, MOST_SIDE): _whole(f"the number of squares of side {side}", times, 0)
                for side, times in self.counts.items()
            }
        else:
            given = {}
            try:
                sides = list(self.counts)
            except TypeError:
                raise PuzzleError(f"squares must be sides or {{side: how many}}, not {self.counts!r}") from None
            for side in sides:
                whole = _whole("a side", side, 1, MOST_SIDE)
                given[whole] = given.get(whole, 0) + 1
        if sum(given.values()) > MOST_SQUARES:
            raise PuzzleError(f"at most {MOST_SQUARES} squares, not {sum(given.values())}")
        object.__setattr__(self, "counts", {side: given[side] for side in sorted(given) if given[side]})

    @property
    def _counts(self) -> dict[int, int]:
        assert isinstance(self.counts, dict)
        return self.counts

    @property
    def squares(self) -> tuple[int, ...]:
        """The sides of all squares, in ascending order."""
        return tuple(side for side, times in self._counts.items() for _ in range(times))

    @property
    def is_possible(self) -> bool:
        """Whether each square fits and the areas add up. If not there is no tiling."""
        area = sum(side * side * times for side, times in self._counts.items())
        return area == self.width * self.height and max(self._counts) <= min(self.width, self.height)

    @property
    def _by_halves(self) -> bool:
        counts = self._counts
        return sum(counts.values()) > FEW and fits(self.width, self.height, list(counts), list(counts.values()))

    def _search(self, which: int) -> _call.Plan:
        sides, counts = (np.array(list(some), np.int32) for some in (self._counts, self._counts.values()))
        return _call.Plan("tiling_search", self.width, self.height, sides, counts, len(sides), which)

    def _halves(self, memory: int | None, threads: int | None) -> Halves:
        low, high = sorted((self.width, self.height))
        return Halves(low, high, tuple(self._counts), tuple(self._counts.values()), memory=memory, threads=threads)

    def _is_never_symmetric(self) -> bool:
        """Whether no tiling can be its own image, by what is known without a search.

        If the smallest square is the only one of its side it lies inside and four others wind round it, so no
        reflection fixes it; a turn does only in the middle, where there is place for one square. Then the others come
        in pairs.
        """
        counts = self._counts
        smallest = min(counts)
        if counts[smallest] != 1 or sum(counts.values()) == 1:
            return False
        pairs_only = all(times % 2 == 0 for side, times in counts.items() if side != smallest)
        in_the_middle = (self.width - smallest) % 2 == 0 and (self.height - smallest) % 2 == 0
        return not (pairs_only and in_the_middle)


def _whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise PuzzleError(f"{name} must be a whole number, not {value!r}")
    if value < least or (most is not None and value > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise PuzzleError(f"{name} must be {bounds}, not {value}")
    return int(value)


def partridge(n: int) -> Rectangle:
    """The Partridge puzzle: k squares of side k for k = 1..n, in a square of side n (n + 1) / 2.

    Examples
    --------
    >>> partridge(3)
    Rectangle(width=6, height=6, counts={1: 1, 2: 2, 3: 3})
    """
    whole = _whole("n", n, 1, 89)
    side = whole * (whole + 1) // 2
    return Rectangle(side, side, {k: k for k in range(1, whole + 1)})


def _problem(problem: Rectangle | int) -> Rectangle:
    if isinstance(problem, Rectangle):
        return problem
    if isinstance(problem, (int, np.integer)) and not isinstance(problem, bool):
        return partridge(int(problem))
    raise PuzzleError(f"a problem is a Rectangle, or the n of a Partridge puzzle, not {problem!r}")


# ---- arrays of tilings ----


def _keys(problem: Rectangle, tilings: Tilings) -> Array:
    """The place of each square in reading order."""
    made: Array = tilings[:, :, 1].astype(np.int64) * (MOST_SIDE + 1) + tilings[:, :, 0]
    return made


def _in_reading_order(problem: Rectangle, tilings: Tilings) -> Tilings:
    order = np.argsort(_keys(problem, tilings), axis=1, kind="stable")
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
    return _in_reading_order(problem, np.stack([x, y, side], axis=2).astype(np.int16))


def _symmetry_count(problem: Rectangle) -> int:
    return 8 if problem.width == problem.height else 4


def _is_less(a: Array, b: Array) -> Array:
    """Which rows of a are lexicographically less than those of b."""
    first = (a != b).argmax(axis=1)
    rows = np.arange(len(a))
    made: Array = a[rows, first] < b[rows, first]
    return made


def _canonical(problem: Rectangle, tilings: Tilings) -> Tilings:
    best = _in_reading_order(problem, tilings)
    for symmetry in range(1, _symmetry_count(problem)):
        image = _image(problem, tilings, symmetry)
        less = _is_less(image[:, :, 2], best[:, :, 2])
        best[less] = image[less]
    return best


def _distinct(tilings: Tilings) -> Tilings:
    """Tilings in reading order without repetitions, in lexicographic order of their sides, which tell them apart."""
    if len(tilings) == 0:
        return tilings
    sides = tilings[:, :, 2]
    order = np.lexsort(sides.T[::-1])
    sides = sides[order]
    new = np.ones(len(sides), bool)
    new[1:] = (sides[1:] != sides[:-1]).any(axis=1)
    return tilings[order[new]]


def _all_images(problem: Rectangle, tilings: Tilings) -> Tilings:
    images = [_image(problem, tilings, symmetry) for symmetry in range(_symmetry_count(problem))]
    return _distinct(np.concatenate(images))


class Solutions(_Solutions):
    """Tilings of a rectangle.

    Attributes
    ----------
    array
        Shape (tilings, squares, 3), int16: x, y, side of each square, in reading order of upper left corners.
    """

    _problem: Rectangle

    @property
    def sides(self) -> Tilings:
        """Shape (tilings, squares): the sides in reading order, which tell tilings apart."""
        made: Tilings = self._rows[:, :, 2]
        return made

    def bouwkamp(self) -> list[str]:
        """The Bouwkamp code of each tiling: see `to_bouwkamp`."""
        return bytes(self._lines("text")).decode().splitlines()

    def sorted(self) -> Solutions:
        """The same tilings in lexicographic order of their sides."""
        order = np.lexsort(self.sides.T[::-1])
        return Solutions(self._problem, self._rows[order], complete=self._complete, stats=self._stats)

    def __contains__(self, solution: object) -> bool:
        wanted = np.asarray(solution)
        return wanted.shape == self._rows.shape[1:] and bool((self._rows == wanted).all(axis=(1, 2)).any())

    def _title(self) -> str:
        some = "" if self.complete else "of the "
        problem = self._problem
        return f"{len(self):,} {some}tilings of {problem.width} x {problem.height} by {len(problem.squares)} squares"

    def _opening(self, form: Form) -> str:
        squares = len(self._problem.squares)
        if form == "text":
            return ""
        if form == "csv":
            return ",".join(f"x{i},y{i},side{i}" for i in range(1, squares + 1)) + "\n"
        problem = self._problem
        sides = ", ".join(map(str, problem.squares))
        return (
            f'{{"puzzle": "tiling", "width": {problem.width}, "height": {problem.height}, "squares": [{sides}],\n'
            '"solutions": [\n'
        )

    def _lines(self, form: Form) -> bytes | memoryview:
        if len(self) == 0:
            return b""
        rows = self._rows
        if form == "text":
            values, symbols = np.unique(rows[:, :, 2], return_inverse=True)
            symbols = symbols.reshape(rows.shape[:2])
            begins = np.ones(symbols.shape, bool)
            begins[:, 1:] = rows[:, 1:, 1] != rows[:, :-1, 1]
            ends = np.ones(symbols.shape, bool)
            ends[:, :-1] = begins[:, 1:]
            cells = [f"{a}{v}{b}" for a, b in (("", ","), ("(", ","), ("", ")"), ("(", ")")) for v in values]
            symbols = symbols + (begins + 2 * ends) * len(values)
            return _joined(symbols, cells, "", "\n")
        values, symbols = np.unique(rows, return_inverse=True)
        symbols = symbols.reshape(rows.shape)
        if form == "csv":
            return _joined(symbols.reshape(len(rows), -1), [str(v) for v in values], ",", "\n")
        cells = [a.format(v) for a in ("[{}, ", "{}, ", "{}], ", "{}]") for v in values]
        roles = np.tile(np.arange(3), (rows.shape[1], 1))
        roles[-1, 2] = 3
        symbols = (symbols + roles * len(values)).reshape(len(rows), -1)
        return _joined(symbols, cells, "", "],\n", head="[")

    def _picture(self, index: int) -> Picture:
        sides = sorted(self._problem._counts)
        fills = {side: _colour(place / max(1, len(sides))) for place, side in builtins.enumerate(sides)}
        unit = max(1.5, min(8.0, 260 / max(self._problem.width, self._problem.height)))
        parts = [Box(x, y, side, side, str(side), fills[side]) for x, y, side in self._rows[index].tolist()]
        return boxes(parts, unit=unit)

    def draw(self, index: int = 0) -> str:
        """The tiling at `index` as text.

        Examples
        --------
        >>> print(enumerate(Rectangle(3, 2, [2, 1, 1])).draw())
        +---+-------+
        | 1 | 2     |
        +---+       |
        | 1 |       |
        +---+-------+
        """
        width, height = self._problem.width, self._problem.height
        canvas = [[" "] * (4 * width + 1) for _ in range(2 * height + 1)]
        for x, y, side in self._rows[range(len(self))[index]].tolist():
            left, right, top, bottom = 4 * x, 4 * (x + side), 2 * y, 2 * (y + side)
            for column in range(left, right + 1):
                for row in (top, bottom):
                    canvas[row][column] = "-" if canvas[row][column] in " -" else "+"
            for row in range(top, bottom + 1):
                for column in (left, right):
                    canvas[row][column] = "|" if canvas[row][column] in " |" else "+"
            for row, column in ((top, left), (top, right), (bottom, left), (bottom, right)):
                canvas[row][column] = "+"
            canvas[top + 1][left + 2 : left + 2 + len(str(side))] = str(side)
        return "\n".join("".join(row) for row in canvas)


def _joined(symbols: Array, cells: Sequence[str], separator: str, tail: str, head: str = "") -> bytes | memoryview:
    """Lines of symbols: written by C if there are few enough."""
    if len(cells) <= 256:
        heads = {"heads": [head], "head": np.zeros(len(symbols), np.uint32)} if head else {}
        return _text.lines(symbols.astype(np.uint8), cells, separator, tail, **heads)  # type: ignore[arg-type]
    table = np.array(cells, object)
    return "".join(head + separator.join(line) + tail for line in table[symbols]).encode()


def _colour(place: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(0.62 * (1 - place) + 0.02, 0.84, 0.7)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


# ---- verbs ----


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
        Bytes that a search by halves may take; None: three fifths of what is free now. With less of it the search
        works in smaller parts; it says what it would need before it begins to swap.
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
    match is impossible. `enumerate` also checks each tiling by its cells.

    Examples
    --------
    >>> count(Rectangle(4, 4, {1: 12, 2: 1}))
    9
    >>> count(Rectangle(4, 4, {1: 12, 2: 1}), fundamental=True)
    3
    >>> count(5)
    0
    """
    rectangle = _problem(problem)
    _check_memory(memory)
    if not rectangle.is_possible:
        return 0
    if not rectangle._by_halves:
        plan = rectangle._search(_FUNDAMENTAL if fundamental else _ORBITS)
        return _call.count(plan, threads=threads, progress=progress)
    if fundamental and not rectangle._is_never_symmetric():
        return len(_listed(rectangle, memory, threads, progress))
    stages = Stages(progress)
    try:
        number = rectangle._halves(memory, threads).count(stages)
    finally:
        stages.close()
    if not fundamental:
        return number
    classes, rest = divmod(number, _symmetry_count(rectangle))
    if rest:
        raise SystemError("a count that its symmetries do not divide: please report this")
    return classes


def _check_memory(memory: int | None) -> None:
    if memory is not None:
        _whole("memory", memory, 1)


def _listed(rectangle: Rectangle, memory: int | None, threads: int | None, progress: _call.Progress) -> Tilings:
    """One tiling of each class, in order, found by halves."""
    stages = Stages(progress)
    try:
        found = rectangle._halves(memory, threads).tilings(stages)
    finally:
        stages.close()
    if rectangle.width > rectangle.height:
        found = found[:, :, [1, 0, 2]]
    good = [verify(rectangle, found[at : at + _SLAB]) for at in range(0, len(found), _SLAB)]
    if not all(some.all() for some in good):
        raise SystemError("a search by halves found something that is no tiling: please report this")
    return _distinct(_canonical(rectangle, found))


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
        At most this many, the first ones. A search by halves knows them only when it has found all.

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
    rectangle = _problem(problem)
    most = _call.row_limit(limit)
    _check_memory(memory)
    squares = len(rectangle.squares)
    if not rectangle.is_possible:
        return Solutions(rectangle, _none(rectangle))
    if not rectangle._by_halves:
        plan = rectangle._search(_FUNDAMENTAL if fundamental else _ALL)
        rows = _call.enumerate_rows(plan, limit=limit, threads=threads, progress=progress)
        return Solutions(rectangle, _tilings(rows.array, squares), complete=rows.complete, stats=rows.stats)
    try:
        found = _listed(rectangle, memory, threads, progress)
    except Cancelled:
        return Solutions(rectangle, _none(rectangle), complete=False)
    if not fundamental:
        found = _all_images(rectangle, found)
    return Solutions(rectangle, found[:most], complete=len(found) < most)


def _none(rectangle: Rectangle) -> Tilings:
    return np.empty((0, len(rectangle.squares), 3), np.int16)


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

    Other parameters are as in `enumerate`.

    Examples
    --------
    >>> next(iterate(Rectangle(3, 2, [2, 1, 1]))).tolist()
    [[0, 0, 1], [1, 0, 2], [0, 1, 1]]
    """
    rectangle = _problem(problem)
    size = batch if batch is None else _call.batch_size(batch)
    squares = len(rectangle.squares)
    if rectangle.is_possible and not rectangle._by_halves:
        _check_memory(memory)
        plan = rectangle._search(_FUNDAMENTAL if fundamental else _ALL)
        blocks = _call.iterate_rows(plan, limit=limit, threads=threads, progress=progress)
        return stream(blocks, lambda rows: Solutions(rectangle, _tilings(rows, squares), complete=False), size)
    found = enumerate(
        rectangle, fundamental=fundamental, limit=limit, memory=memory, threads=threads, progress=progress
    )
    if size is None:
        return iter(found)
    return (found[at : at + size] for at in range(0, len(found), size))


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
        None: the first of all tilings. Else any one, with equal chances; the same one for the same seed.

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
    found = enumerate(problem, limit=1, memory=memory, threads=threads, progress=progress)
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
        As in `count`; or complete `Solutions`, to draw from these without a search.
    k
        How many. If there is no tiling none are drawn.
    seed
        Of the numpy generator that draws.

    Examples
    --------
    >>> len(sample(Rectangle(4, 4, {1: 12, 2: 1}), 5, seed=1))
    5
    """
    number = _whole("k", k, 0)
    if isinstance(problem, Solutions):
        found = problem
    else:
        found = enumerate(problem, fundamental=False, memory=memory, threads=threads, progress=progress)
    drawn = np.random.default_rng(seed).integers(0, len(found), number) if len(found) else np.empty(0, np.intp)
    return found[drawn]


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
    rectangle = _problem(problem)
    array = _as_tilings(rectangle, rows)
    width, height = rectangle.width, rectangle.height
    x, y, side = array[:, :, 0], array[:, :, 1], array[:, :, 2]
    good = np.asarray((np.sort(side, axis=1) == np.array(rectangle.squares, np.int64)).all(axis=1))
    good &= ((x >= 0) & (y >= 0) & (x + side <= width) & (y + side <= height)).all(axis=1)
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


def _as_tilings(rectangle: Rectangle, rows: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    array = np.asarray(rows.array if isinstance(rows, Solutions) else rows)
    squares = len(rectangle.squares)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim != 3 or array.shape[1:] != (squares, 3):
        raise PuzzleError(f"tilings must have {squares} squares of three numbers, not the shape {np.shape(rows)}")
    if array.dtype.kind not in "iu":
        raise PuzzleError(f"tilings are whole numbers, not {array.dtype}")
    return array.astype(np.int64)


def canonical(problem: Rectangle | int, rows: Any) -> Tilings:
    """Of each tiling the image whose list of sides, in reading order, is least.

    Examples
    --------
    >>> canonical(Rectangle(3, 2, [2, 1, 1]), [[0, 0, 2], [2, 0, 1], [2, 1, 1]])[0].tolist()
    [[0, 0, 1], [1, 0, 2], [0, 1, 1]]
    """
    rectangle = _problem(problem)
    return _canonical(rectangle, _as_tilings(rectangle, rows).astype(np.int16))


def symmetries(problem: Rectangle | int, tiling: Any) -> Tilings:
    """The distinct images of a tiling under the symmetries of the rectangle: up to 4, or 8 for a square.

    Examples
    --------
    >>> len(symmetries(Rectangle(3, 2, [2, 1, 1]), [[0, 0, 2], [2, 0, 1], [2, 1, 1]]))
    2
    """
    rectangle = _problem(problem)
    array = _as_tilings(rectangle, tiling)
    if len(array) != 1:
        raise PuzzleError(f"one tiling, not {len(array)}")
    return _all_images(rectangle, array.astype(np.int16))


# ---- Bouwkamp codes ----


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


# ---- closure ----


def refill(solutions: Solutions, max_area: int = 225) -> Solutions:
    """What refilling parts of tilings finds that is not in the list: nothing, if the list is complete.

    In each tiling every rectangle that is filled by squares not all alike is refilled in every other way. The
    results, up to symmetry, must be among the solutions.

    Parameters
    ----------
    solutions
        Tilings, all or of each class at least one.
    max_area
        Only rectangles of at most this area, and not the whole one.

    Returns
    -------
    Solutions
        The tilings that are missing, up to symmetry, in lexicographic order.

    Examples
    --------
    >>> found = enumerate(Rectangle(5, 3, {1: 11, 2: 1}))
    >>> len(refill(found)), len(refill(found[1:]))
    (0, 1)
    """
    problem = solutions.problem
    area = _whole("max_area", max_area, 0)
    known = {sides.tobytes() for sides in _sides(_canonical(problem, solutions.array))}
    fillings: dict[tuple[int, int, tuple[int, ...]], Tilings] = {}
    missing: dict[bytes, Tilings] = {}
    waiting: list[Tilings] = []

    def settle() -> None:
        for tiling in _canonical(problem, np.array(waiting, np.int16)):
            key = np.ascontiguousarray(tiling[:, 2]).tobytes()
            if key not in known:
                missing[key] = tiling
        waiting.clear()

    for tiling in solutions.array:
        for x, y, width, height, inside in _mixed_parts(tiling, area, problem):
            squares = tuple(sorted(tiling[inside, 2].tolist()))
            if (width, height, squares) not in fillings:
                fillings[width, height, squares] = enumerate(Rectangle(width, height, squares), fundamental=False).array
            for filling in fillings[width, height, squares]:
                waiting.append(np.concatenate([tiling[~inside], filling + np.array([x, y, 0], np.int16)]))
        if len(waiting) >= _SLAB:
            settle()
    if waiting:
        settle()
    found = np.array(list(missing.values()), np.int16).reshape(-1, len(problem.squares), 3)
    return Solutions(problem, _distinct(found), complete=False)


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
