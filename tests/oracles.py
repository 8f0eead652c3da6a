"""Slow and obviously right. Nothing here imports puzzlekit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Any

CROSS_LINES = ((0, 1, 2), (2, 7, 11), (9, 10, 11, 12), (0, 6, 9, 15), (13, 14, 15), (4, 8, 13), (3, 4, 5, 6))


def exact(number: Any) -> Fraction:
    """A float means the decimal that it prints as."""
    return Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)


def cross(values: Iterable[Any], tolerance: Any = 0) -> set[tuple[Fraction, ...]]:
    """Every way to place the numbers on the 16 cells so that line sums differ by at most the tolerance.

    Cell by cell; of equal numbers only one is tried; the last cell of a line takes only what brings the line's sum
    within the tolerance of all sums before it.
    """
    numbers = [exact(value) for value in values]
    scale = lcm(*(number.denominator for number in [*numbers, exact(tolerance)]))  # integers are faster than fractions
    left = Counter(int(number * scale) for number in numbers)
    allowed = int(exact(tolerance) * scale)
    order = list(dict.fromkeys(chain.from_iterable(CROSS_LINES)))
    rest_of_line = {max(line, key=order.index): line for line in CROSS_LINES}  # by the cell that closes it
    rest_of_line = {cell: [other for other in line if other != cell] for cell, line in rest_of_line.items()}
    filled: dict[int, int] = {}
    found: set[tuple[Fraction, ...]] = set()

    def fill(place: int, least: int | None, most: int | None) -> None:
        if place == 16:
            found.add(tuple(Fraction(filled[cell], scale) for cell in range(16)))
            return
        cell = order[place]
        if cell not in rest_of_line:
            for number in left:
                if left[number]:
                    put(cell, number, place, least, most)
            return
        others = sum(filled[other] for other in rest_of_line[cell])
        if least is not None and allowed == 0:
            if left.get(least - others):
                put(cell, least - others, place, least, most)
            return
        for number in left:
            total = others + number
            low, high = (total, total) if least is None else (min(least, total), max(most, total))
            if left[number] and high - low <= allowed:
                put(cell, number, place, low, high)

    def put(cell: int, number: int, place: int, least: int | None, most: int | None) -> None:
        left[number] -= 1
        filled[cell] = number
        fill(place + 1, least, most)
        left[number] += 1

    fill(0, None, None)
    return found
