"""What a search returns: tilings, as codes, tables, drawings and pictures."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from puzzlekit import _text
from puzzlekit._draw import Box, Picture, boxes
from puzzlekit._solutions import Form
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit.tiling._problem import Rectangle

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Tilings: TypeAlias = np.ndarray[Any, np.dtype[np.int16]]


def none_of(rectangle: Rectangle) -> Tilings:
    return np.empty((0, len(rectangle.squares), 3), np.int16)


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
        problem, squares = self._problem, len(self._problem.squares)
        tilings = "of the tilings" if not self.complete else "tiling" if len(self) == 1 else "tilings"
        of = f"{problem.width} x {problem.height} by {squares} {'square' if squares == 1 else 'squares'}"
        return f"{len(self):,} {tilings} of {of}"

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
        fills = {side: _colour(place / max(1, len(sides))) for place, side in enumerate(sides)}
        unit = max(1.5, min(8.0, 260 / max(self._problem.width, self._problem.height)))
        parts = [Box(x, y, side, side, str(side), fills[side]) for x, y, side in self._rows[index].tolist()]
        return boxes(parts, unit=unit)

    def draw(self, index: int = 0) -> str:
        """The tiling at `index` as text.

        Examples
        --------
        >>> from puzzlekit import tiling
        >>> print(tiling.enumerate(Rectangle(3, 2, [2, 1, 1])).draw())
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
