"""What the tests of tiling share: random problems, tilings as tuples, and the search by halves."""

from __future__ import annotations

from random import Random

import numpy as np
import oracles_tiling as oracle
from conftest import SANITIZED

from puzzlekit.tiling._halves import Halves

MANY = 12 if SANITIZED else 80


def problems(seed, number, most_cells=49):
    random = Random(seed)
    return [oracle.random_problem(random, most_cells) for _ in range(number)]


def as_tuples(tilings):
    return [tuple(map(tuple, one)) for one in np.asarray(tilings).tolist()]


def in_order(tilings):
    return sorted(tilings, key=lambda one: [side for _, _, side in one])


def halves(width, height, squares, **options):
    sides = sorted(set(squares))
    return Halves(width, height, sides, [squares.count(side) for side in sides], threads=1, **options)
