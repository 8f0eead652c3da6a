"""The problem: a rectangle, and the squares to fill it with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import whole_number
from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError
from puzzlekit.tiling._halves import Halves, fits

MOST_SIDE: Final = 4096
MOST_SQUARES: Final = 4096
FEW: Final = 21
"""So many squares are searched one by one; more of them by halves, where that is possible."""
ALL, FUNDAMENTAL, ORBITS = range(3)
"""What the search square by square looks for: pk_tiling_which."""


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
            object.__setattr__(self, name, whole_number(name, getattr(self, name), 1, MOST_SIDE))
        if isinstance(self.counts, Mapping):
            given = {}
            for side, times in self.counts.items():
                of_side = whole_number("a side", side, 1, MOST_SIDE)
                given[of_side] = whole_number(f"the number of squares of side {of_side}", times, 0)
        else:
            given = {}
            try:
                sides = None if isinstance(self.counts, (str, bytes)) else list(self.counts)
            except TypeError:
                sides = None
            if sides is None:
                raise PuzzleError(f"squares must be sides or {{side: how many}}, not {shown(self.counts)}")
            for side in sides:
                whole = whole_number("a side", side, 1, MOST_SIDE)
                given[whole] = given.get(whole, 0) + 1
        if sum(given.values()) > MOST_SQUARES:
            raise PuzzleError(f"at most {MOST_SQUARES} squares, not {sum(given.values())}")
        ordered = {side: given[side] for side in sorted(given) if given[side]}
        object.__setattr__(self, "counts", MappingProxyType(ordered))  # so that nobody changes them

    def __repr__(self) -> str:
        return f"Rectangle(width={self.width}, height={self.height}, counts={dict(self._counts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rectangle, (self.width, self.height, dict(self._counts))

    @property
    def _counts(self) -> Mapping[int, int]:
        assert isinstance(self.counts, Mapping)
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


def partridge(n: int) -> Rectangle:
    """The Partridge puzzle: k squares of side k for k = 1..n, in a square of side n (n + 1) / 2.

    Examples
    --------
    >>> partridge(3)
    Rectangle(width=6, height=6, counts={1: 1, 2: 2, 3: 3})
    """
    whole = whole_number("n", n, 1, 89)
    side = whole * (whole + 1) // 2
    return Rectangle(side, side, {k: k for k in range(1, whole + 1)})


def problem_of(problem: Rectangle | int) -> Rectangle:
    if isinstance(problem, Rectangle):
        return problem
    if isinstance(problem, (int, np.integer)) and not isinstance(problem, bool):
        return partridge(int(problem))
    raise PuzzleError(f"a problem is a Rectangle, or the n of a Partridge puzzle, not {shown(problem)}")
