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

from puzzlekit.tiling._bouwkamp import from_bouwkamp, to_bouwkamp
from puzzlekit.tiling._problem import Rectangle, partridge
from puzzlekit.tiling._refill import refill
from puzzlekit.tiling._results import Solutions
from puzzlekit.tiling._solve import count, enumerate, iterate, sample, solve
from puzzlekit.tiling._tilings import canonical, symmetries, verify

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
