"""The problem: a board, its placed queens and blocked squares; which search it is for."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from puzzlekit import _call
from puzzlekit.errors import PuzzleError

MOST: Final = 22
"""The largest board without placed queens that can be counted or listed: tables of larger ones do not fit in memory."""
MOST_COMPLETED: Final = 64
"""The largest board with placed queens or blocked squares that can be counted or listed."""

_JOIN_SQUARES: Final = 9.5
"""Quadrants are joined if the rows without a placed queen have more squares left than this, on average; with fewer, a
search row by row is faster (measured for n = 9 to 20)."""

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


def problem_of(
    n: int | Queens,
    placed: Squares = (),
    blocked: Squares = (),
    toroidal: bool = False,
    fundamental: bool = False,
) -> Queens:
    """The board that a verb's arguments mean."""
    if not isinstance(n, Queens):
        return Queens(n, placed, blocked, toroidal, fundamental)
    if _squares("placed", placed, n.n) or _squares("blocked", blocked, n.n) or toroidal or fundamental:
        raise PuzzleError("the other arguments are those of the Queens that was given; make another one instead")
    return n


def dtype_of(n: int) -> type[np.uint8] | type[np.int32]:
    """The type of columns."""
    return np.uint8 if n <= 256 else np.int32


def whole_seed(seed: int) -> int:
    """Check ``seed=``."""
    whole = _call.whole_number("seed", seed)
    if whole < 0:
        raise PuzzleError(f"seed must not be negative, not {whole}")
    return whole
