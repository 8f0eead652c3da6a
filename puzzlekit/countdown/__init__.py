"""The numbers game of Countdown (Des chiffres et des lettres, Cijfers en letters): reach a target with some cards.

::

    cards   1  3  7  10  25  50          target  765          (25 - 10) * (50 + 1) = 765

Each card may be used once, with + - * and /. Values on the way must be positive whole numbers, as on the show;
``fractions=True`` allows any quotients. Zero and negative values are not allowed on the way, and negative ones would
add nothing: if every sum is replaced by its absolute value, an expression for a positive target stays one.

Two expressions are the same if they differ only by the order and nesting of sums or of products, or by which one of
two equal cards they use. ``form=`` says which expressions are listed:

* ``"irredundant"``: nothing is multiplied or divided by 1, and no terms or factors cancel out;
* ``"plain"``: nothing is multiplied or divided by 1 (with fractions 1 itself may be divided: 1 / 2);
* ``"raw"``: all.

>>> from puzzlekit import countdown
>>> print(countdown.solve([1, 3, 7, 10, 25, 50], 765))
(50 + 1) * (25 - 10) = 765
>>> countdown.count([1, 3, 7, 10, 25, 50], 765)
12
>>> len(countdown.reachable([1, 3, 7, 10, 25, 50]))
895

Limits: at most 24 cards, of which few enough differ (12 if all do); the product of all cards (each 1 counted as 2) is
below 2**60; with fractions the product of all (card + 1) is below 2**31. A search that needs more memory than there is
raises MemoryError.
"""

from __future__ import annotations

from puzzlekit.countdown._answer import Check
from puzzlekit.countdown._check import check, verify
from puzzlekit.countdown._game import UK, Game
from puzzlekit.countdown._random import DIFFICULTIES, game
from puzzlekit.countdown._reach import reachable, unreachable
from puzzlekit.countdown._results import Solution, Solutions
from puzzlekit.countdown._solve import count, enumerate, iterate, solve
from puzzlekit.countdown._survey import Survey, games, survey

__all__ = [
    "DIFFICULTIES",
    "UK",
    "Check",
    "Game",
    "Solution",
    "Solutions",
    "Survey",
    "check",
    "count",
    "enumerate",
    "game",
    "games",
    "iterate",
    "reachable",
    "solve",
    "survey",
    "unreachable",
    "verify",
]
