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

from puzzlekit.queens._board import MOST, MOST_COMPLETED, Queens
from puzzlekit.queens._check import canonical, symmetries, verify
from puzzlekit.queens._make import MOST_SAMPLED, Puzzle, puzzle, sample
from puzzlekit.queens._results import Solutions
from puzzlekit.queens._search import count, enumerate, iterate
from puzzlekit.queens._solve import MOST_SOLVED, solve

__all__ = [
    "MOST",
    "MOST_COMPLETED",
    "MOST_SAMPLED",
    "MOST_SOLVED",
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
