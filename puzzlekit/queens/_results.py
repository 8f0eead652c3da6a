"""What verbs return: boards; how they are written and drawn."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final, Literal
from xml.etree import ElementTree

import numpy as np

from puzzlekit import _call, _text
from puzzlekit._draw import Picture
from puzzlekit._solutions import Form
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit.queens._board import Queens, Square


class Solutions(_Solutions):
    """Boards with n queens.

    Attributes
    ----------
    array
        Shape (boards, n), uint8, read-only: the column of the queen of each row.
    """

    SUFFIXES: ClassVar[Mapping[str, str]] = {**_Solutions.SUFFIXES, ".fen": "fen"}
    _problem: Queens

    def _title(self) -> str:
        some = "" if self.complete else "of the "
        torus = " on a torus" if self._problem.toroidal else ""
        boards = "board" if len(self) == 1 and not some else "boards"
        queens = "queen" if self._problem.n == 1 else "queens"
        return f"{len(self):,} {some}{boards} with {self._problem.n} {queens}{torus}"

    def __repr__(self) -> str:
        lines = [" ".join(map(str, board)) for board in self._rows[:3].tolist()]
        lines += ["..."] if len(self) > 3 else []
        return "\n".join([f"<{self._title()}>", *("  " + line for line in lines)])

    def sorted(self) -> Solutions:
        """The same boards in lexicographic order.

        Examples
        --------
        >>> from puzzlekit.queens import enumerate
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
        >>> from puzzlekit.queens import enumerate
        >>> print(enumerate(4).to_fen(), end="")
        1Q2/3Q/Q3/2Q1
        2Q1/Q3/3Q/1Q2
        """
        return self._written("fen")  # type: ignore[arg-type]

    def _opening(self, form: Form | Literal["fen"]) -> str:
        n = self._problem.n
        if form in ("text", "fen"):
            return ""
        if form == "csv":
            return ",".join(f"r{row}" for row in range(n)) + "\n"
        placed, blocked = (
            [list(square) for square in squares] for squares in (self._problem.placed, self._problem.blocked)
        )
        flags = [f', "{name}": true' for name in ("toroidal", "fundamental") if getattr(self._problem, name)]
        return (
            f'{{"puzzle": "queens", "n": {n}, "placed": {placed}, "blocked": {blocked}{"".join(flags)},\n'
            '"solutions": [\n'
        )

    def _lines(self, form: Form | Literal["fen"]) -> memoryview:
        n = self._problem.n
        if form == "fen":
            cells = [f"{column or ''}Q{n - 1 - column or ''}" for column in range(n)]
            return _text.lines(self._rows, cells, "/")
        if form == "text":
            cells = ["." * column + "Q" + "." * (n - 1 - column) for column in range(n)]
            return _text.lines(self._rows, cells, "\n", "\n\n")
        numbers = [str(column) for column in range(n)]
        if form == "csv":
            return _text.lines(self._rows, numbers, ",")
        return _text.lines(self._rows, numbers, ", ", "],\n", heads=["["], head=np.zeros(len(self), np.uint32))

    def _picture(self, index: int) -> Picture:
        return picture(self._rows[index].tolist(), {row for row, _ in self._problem.placed}, self._problem.blocked)

    def draw(self, index: int = 0) -> str:
        """The board at `index` as n lines of text.

        Examples
        --------
        >>> from puzzlekit.queens import enumerate
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


def picture(board: list[int], placed: set[int], blocked: Iterable[Square]) -> Picture:
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
