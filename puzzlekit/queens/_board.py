"""The problem: a board, its placed queens and blocked squares; which search it is for."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import flag, whole_number
from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError

MOST: Final = 22
"""The largest board without placed queens that can be counted or listed: n = 23 would take most of a day."""
MOST_COMPLETED: Final = 64
"""The largest board with placed queens or blocked squares that can be counted or listed."""

_JOIN_SQUARES: Final = 9.5
"""Quadrants are joined if the rows without a placed queen have more squares left than this, on average; with fewer, a
search row by row is faster (measured for n = 9 to 20)."""

_ASIDE: Final = 19
"""From here on tables take so long to make, up to 15 s, that Ctrl-C must not wait for them."""

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
        Squares that must stay empty: pairs, or n rows of n truth values, also as a boolean array.
    toroidal
        Whether diagonals go on at the opposite edge.
    fundamental
        Whether boards that are turned or mirrored images of one another are one; the lexicographically least that
        has the placed queens and none on a blocked square stands for them.

    Raises
    ------
    PuzzleError
        If n is negative or not a whole number, a square is not on the board, or `toroidal` or `fundamental` is not
        True or False.
    """

    n: int
    placed: Squares = ()
    blocked: Squares = ()
    toroidal: bool = False
    fundamental: bool = False

    def __post_init__(self) -> None:
        n = whole_number("n", self.n)
        if n < 0:
            raise PuzzleError(f"n must not be negative, not {shown(n)}")
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "placed", _squares("placed", self.placed, n))
        object.__setattr__(self, "blocked", _squares("blocked", self.blocked, n))
        for name in ("toroidal", "fundamental"):
            object.__setattr__(self, name, flag(name, getattr(self, name)))

    @property
    def _free(self) -> bool:
        """Whether every square may have a queen."""
        return not self.placed and not self.blocked

    @property
    def _empty_torus(self) -> bool:
        """Whether this is a torus that has no board: Polya's rule."""
        return self.toroidal and self.n > 0 and math.gcd(self.n, 6) != 1

    @functools.cached_property
    def _allowed(self) -> np.ndarray[Any, np.dtype[np.uint64]] | None:
        """The squares of each row that may have a queen, as bits; None: all. Where there plainly is no board: none."""
        self._check_size()
        n, everywhere = self.n, 2**self.n - 1
        if self._empty_torus:
            return np.zeros(n, np.uint64)
        if self._free:
            return None
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
        return np.array(rows if _have_columns(rows) else [0] * n, np.uint64)

    def _rows_left(self) -> list[int]:
        """How many squares each row has in which more than one may have the queen."""
        if self._allowed is None:
            return [self.n] * self.n
        squares = (row.bit_count() for row in self._allowed.tolist())
        return [many for many in squares if many > 1]

    def _check_size(self) -> None:
        """Raise a PuzzleError if this board is too large to be counted or listed."""
        most = MOST if self._free and not self.toroidal else MOST_COMPLETED
        if self.n > most:
            more = f" ({MOST_COMPLETED} with placed or blocked squares or on a torus; solve() takes any n)"
            more = "" if most == MOST_COMPLETED else more
            raise PuzzleError(f"n must be at most {most} to count or list boards{more}, not {shown(self.n)}")

    def _joined(self) -> bool:
        """Whether quadrants are joined: else rows are searched, which is faster when only a few are left."""
        if self.toroidal or not 4 <= self.n <= MOST:
            return False
        left = self._rows_left()
        return bool(left) and sum(left) > _JOIN_SQUARES * len(left)

    def _plan(self) -> _call.Plan:
        """The search for these boards."""
        self._check_size()
        if not self._joined():
            return _call.Plan("queens_search", self.n, self._allowed, self.toroidal, self.fundamental)

        def made(stop: Any) -> _call.Plan:
            return _call.Plan("queens_join", self.n, self._allowed, self.fundamental, _call.cpu_level(), stop)

        return made(None) if self.n < _ASIDE else _call.aside(made)


def _have_columns(rows: list[int]) -> bool:
    """Whether each row can have a column of its own among its allowed ones, the bits of a word.

    A row takes a free column; if it has none, rows that hold its columns move on to others (an augmenting path).
    """
    free = (1 << len(rows)) - 1
    held = [-1] * len(rows)  # the column of a row
    holder = [-1] * len(rows)  # the row of a column
    for first in range(len(rows)):
        asked: dict[int, int] = {}  # by whom a row was asked to move
        seen, waiting = 0, [first]
        for row in waiting:
            if rows[row] & free:
                break
            new = rows[row] & ~seen
            seen |= new
            while new:
                other = holder[(new & -new).bit_length() - 1]
                asked[other] = row
                waiting.append(other)
                new &= new - 1
        else:
            return False
        column = (rows[row] & free & -(rows[row] & free)).bit_length() - 1
        free ^= 1 << column
        while column >= 0:
            holder[column] = row
            held[row], column = column, held[row]
            row = asked.get(row, row)
    return True


def _squares(name: str, squares: Squares, n: int) -> tuple[Square, ...]:
    """Squares in order, each once; a PuzzleError for one that is not on the board."""
    if not isinstance(squares, np.ndarray):
        try:
            squares = [tuple(pair) for pair in squares]
        except TypeError:
            raise PuzzleError(f"{name} must be (row, column) pairs, not {shown(squares)}") from None
        kinds = {type(value) for row in squares for value in row}
        if kinds and kinds <= {bool, np.bool_} and {len(row) for row in squares} == {n}:
            squares = np.array(squares)
    if isinstance(squares, np.ndarray) and squares.dtype == np.bool_:
        if squares.shape != (n, n):
            raise PuzzleError(f"{name} as truth values must have the shape {(n, n)}, not {squares.shape}")
        squares = np.argwhere(squares)
    if isinstance(squares, np.ndarray):
        if squares.ndim != 2 and squares.size:
            raise PuzzleError(f"{name} must be (row, column) pairs, not an array of shape {squares.shape}")
        squares = [tuple(pair) for pair in squares.tolist()]
    made = set()
    for pair in squares:
        if len(pair) != 2:
            hint = " (squares of a whole board must be True or False)" if len(pair) == len(squares) == n else ""
            raise PuzzleError(f"{name} must be (row, column) pairs, and {shown(pair)} is none{hint}")
        row, column = (
            whole_number(f"a row in {name}", pair[0]),
            whole_number(f"a column in {name}", pair[1]),
        )
        if not (0 <= row < n and 0 <= column < n):
            raise PuzzleError(
                f"{name}: the square ({shown(row)}, {shown(column)}) is not on a board of {n} x {n} squares"
            )
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
    if (
        _squares("placed", placed, n.n)
        or _squares("blocked", blocked, n.n)
        or toroidal is not False
        or fundamental is not False
    ):
        raise PuzzleError("the other arguments are those of the Queens that was given; make another one instead")
    return n


def dtype_of(n: int) -> type[np.uint8] | type[np.int32]:
    """The type of columns."""
    return np.uint8 if n <= 256 else np.int32


def generator(seed: int | None) -> np.random.Generator:
    """Random numbers for ``seed=``; None: others every time."""
    if seed is None:
        return np.random.default_rng()
    whole = whole_number("seed", seed)
    if whole < 0:
        raise PuzzleError(f"seed must not be negative, not {shown(whole)}")
    return np.random.default_rng(whole)


def refuse_fundamental(problem: Queens) -> None:
    """Raise a PuzzleError for a verb to which a board is a board."""
    if problem.fundamental:
        raise PuzzleError("fundamental boards can be counted and listed, not solved for or sampled")
