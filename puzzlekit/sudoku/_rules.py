"""What a sudoku is: its size and its houses, and one puzzle with them."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import flag, whole_number
from puzzlekit.errors import PuzzleError

Cells = np.ndarray[Any, np.dtype[np.uint8]]

MOST_DIGITS: Final = 25
SYMBOLS: Final = "123456789ABCDEFGHIJKLMNOP"
"""Digits as text: 1..9, then letters."""

WINDOWS: Final = tuple((row, column) for row in (1, 5) for column in (1, 5))


@dataclass(frozen=True)
class Rules:
    """The size of a sudoku, and its houses: the sets of cells that hold every digit once.

    Parameters
    ----------
    box
        Rows and columns of a box; their product is the number of digits, 25 at most: (2, 2) is 4x4, (2, 3) is 6x6,
        (2, 4), (3, 3), (2, 5), (3, 4), (4, 4), (5, 5) are 8x8 .. 25x25.
    diagonals
        Whether the two long diagonals hold every digit once too (X-sudoku).
    regions
        Instead of boxes: an n x n array of region numbers, or text of as many symbols, n cells of each (jigsaw).
    extra
        Further houses: an n x n array of numbers, 0 for cells of none, n cells of each; or "windoku" for the four
        windows of 9x9.

    Raises
    ------
    PuzzleError
        If a size is not possible, or a region does not have n cells.
    """

    box: tuple[int, int] = (3, 3)
    diagonals: bool = False
    regions: Any = None
    extra: Any = None
    houses: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            height, width = (whole_number("each", side) for side in self.box)
        except (TypeError, ValueError):
            raise PuzzleError(f"box must be two whole numbers, rows and columns, not {self.box!r}") from None
        n = height * width
        if height < 1 or width < 1 or not 2 <= n <= MOST_DIGITS:
            raise PuzzleError(f"box must have 2 to {MOST_DIGITS} cells, not {height} x {width}")
        object.__setattr__(self, "box", (height, width))
        flag("diagonals", self.diagonals)
        cells = [(row, column) for row in range(n) for column in range(n)]
        houses = {f"row {i + 1}": [i * n + j for j in range(n)] for i in range(n)}
        houses |= {f"column {j + 1}": [i * n + j for i in range(n)] for j in range(n)}
        if self.regions is None:
            boxes = [row // height * height + column // width for row, column in cells]
            houses |= _grouped("box", boxes, n, None)
        else:
            houses |= _grouped("region", self._array("regions", self.regions, n), n, None)
        if self.diagonals:
            houses["diagonal 1"] = [i * n + i for i in range(n)]
            houses["diagonal 2"] = [i * n + n - 1 - i for i in range(n)]
        if isinstance(self.extra, str):
            if self.extra != "windoku" or n != 9:
                raise PuzzleError(f"extra must be an array of region numbers, or 'windoku' for 9x9, not {self.extra!r}")
            for k, (row, column) in enumerate(WINDOWS):
                houses[f"window {k + 1}"] = [(row + i // 3) * 9 + column + i % 3 for i in range(9)]
        elif self.extra is not None:
            houses |= _grouped("extra region", self._array("extra", self.extra, n), n, 0)
        object.__setattr__(self, "houses", tuple(tuple(house) for house in houses.values()))
        object.__setattr__(self, "names", tuple(houses))

    def _array(self, name: str, given: Any, n: int) -> list[int]:
        if isinstance(given, str):
            given = [list(line) for line in given.split()]
            given = given[0] if len(given) == 1 else given
        try:
            array = np.asarray(given)
            numbers = np.unique(array, return_inverse=True)[1].reshape(-1) + 1 if array.dtype.kind in "US" else array
            flat = [whole_number("each", number) for number in np.asarray(numbers).reshape(-1)]
        except (TypeError, ValueError):
            raise PuzzleError(f"{name} must be {n} x {n} region numbers, not {given!r}") from None
        if array.shape not in ((n, n), (n * n,)):
            raise PuzzleError(f"{name} must be {n} x {n} region numbers, not an array of shape {array.shape}")
        object.__setattr__(self, name, tuple(flat))
        return flat

    @property
    def n(self) -> int:
        """The number of digits, and of cells in a row."""
        return self.box[0] * self.box[1]

    @property
    def classic(self) -> bool:
        """Whether these are the rules of ordinary 9x9 sudoku, for which there is the fastest solver."""
        return self.box == (3, 3) and not self.diagonals and self.regions is None and self.extra is None

    @functools.cached_property
    def house_array(self) -> np.ndarray[Any, np.dtype[np.uint16]] | None:
        """What C gets: the houses one after the other; None for ordinary sudoku."""
        return None if self.classic else np.array(self.houses, np.uint16).reshape(-1)

    @property
    def arguments(self) -> tuple[int, np.ndarray[Any, np.dtype[np.uint16]] | None, int]:
        """Size and houses as every C function takes them."""
        return self.n, self.house_array, len(self.houses)

    def area(self) -> list[int]:
        """The box or region of each cell, for pictures."""
        if self.regions is not None:
            return list(self.regions)
        n, (height, width) = self.n, self.box
        return [row // height * height + column // width for row in range(n) for column in range(n)]


def _grouped(kind: str, numbers: Iterable[int], n: int, none: int | None) -> dict[str, list[int]]:
    """Cells by their numbers; every group must have n."""
    groups: dict[int, list[int]] = {}
    for cell, number in enumerate(numbers):
        if number != none:
            groups.setdefault(number, []).append(cell)
    for number, cells in sorted(groups.items()):
        if len(cells) != n:
            raise PuzzleError(f"{kind} {number} must have {n} cells, not {len(cells)}")
    return {f"{kind} {k + 1}": cells for k, (_, cells) in enumerate(sorted(groups.items()))}


CLASSIC: Final = Rules()


def rules_of(box: tuple[int, int], diagonals: bool, regions: Any, extra: Any) -> Rules:
    """The rules that keywords ask for."""
    if box == (3, 3) and diagonals is False and regions is None and extra is None:
        return CLASSIC
    return Rules(box, diagonals, regions, extra)


def rules_for(given: Any, box: tuple[int, int], diagonals: bool, regions: Any, extra: Any) -> Rules:
    """The rules of what a verb was given, if it or the first of a list has its own, else those of the keywords."""
    asked = rules_of(box, diagonals, regions, extra)
    first = given[0] if isinstance(given, (list, tuple)) and given else given
    own = getattr(first, "rules", None)
    if not isinstance(own, Rules):
        return asked
    if asked is not CLASSIC and asked != own:
        raise PuzzleError(f"the rules are those of what was given, {own}, and not {asked}")
    return own


@dataclass(frozen=True)
class Sudoku:
    """A puzzle and its rules: what verbs take as their first argument when it is used more than once.

    Parameters
    ----------
    puzzle
        A string of n * n characters, or an array of n * n digits; 0 and the characters . 0 * _ are empty cells.
    box, diagonals, regions, extra
        As in `Rules`.

    Examples
    --------
    >>> from puzzlekit import sudoku
    >>> small = sudoku.Sudoku("1... .... ..2. ....", box=(2, 2))
    >>> sudoku.count(small, limit=None)
    18
    """

    puzzle: Any
    box: tuple[int, int] = (3, 3)
    diagonals: bool = False
    regions: Any = None
    extra: Any = None
    rules: Rules = field(init=False, repr=False, compare=False)
    cells: Cells = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from puzzlekit.sudoku import _input

        rules = rules_of(self.box, self.diagonals, self.regions, self.extra)
        cells = _input.one(self.puzzle, rules)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "puzzle", _input.as_text(cells))
        for name in ("box", "regions", "extra"):
            object.__setattr__(self, name, getattr(rules, name))

    def __reduce__(self) -> tuple[Any, ...]:
        return Sudoku, (self.puzzle, self.box, self.diagonals, self.regions, self.extra)

    @functools.cached_property
    def plan(self) -> _call.Plan:
        """The search for all solutions."""
        return _call.Plan("sudoku_all", self.cells, *self.rules.arguments, _call.cpu_level())
