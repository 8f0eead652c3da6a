"""What the tests of the runtime share: a search made to order (csrc/probe.c), whose rows are known beforehand."""

from __future__ import annotations

import numpy as np

from puzzlekit import _call

NO_UNIT = 2**64 - 1
THREADS = (1, 2, 3, 7)


def probe(units: int, rows: int, *, spin: int = 0, weight: int = 1, broken: int = NO_UNIT) -> _call.Plan:
    return _call.Plan("probe", units, rows, spin, weight, broken)


def expected(units: int, rows: int, first: int = 0) -> np.ndarray:
    pairs = [(unit, place) for unit in range(first, units) for place in range(rows * (unit % 4))]
    return np.array(pairs, np.uint64).reshape(-1, 2)


def pairs(array: np.ndarray) -> np.ndarray:
    return array.view(np.uint64)
