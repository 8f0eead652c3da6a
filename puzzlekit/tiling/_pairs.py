"""How halves with the same key are joined to tilings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

KEY: Final = np.dtype([("key", "<u8"), ("code", "<u4"), ("weight", "<u4")])
"""The key of a half as C writes it: key_row."""


def joined(upper: Array, lower: Array, width: int, height: int, sides: Sequence[int], squares: int) -> Array:
    """Every upper half with every lower half of the same key, as tilings; y grows from the lower half's border.

    Halves are rows of the plan of a half in mode PATHS. What comes out has the shape (tilings, squares, 3).
    """
    halves = []
    for rows in (upper, lower):
        heads = np.ascontiguousarray(rows[:, : KEY.itemsize]).view(KEY)[:, 0]
        order = np.lexsort((heads["code"], heads["key"]))
        heads = heads[order]
        placed = rows[order, KEY.itemsize :][:, : 3 * squares].reshape(len(rows), -1, 3)
        halves.append((heads, placed))
    (up, up_squares), (low, low_squares) = halves
    ids = np.concatenate([up, low])[["key", "code"]]
    _, group = np.unique(ids, return_inverse=True)
    up_group, low_group = group[: len(up)], group[len(up) :]
    first = np.searchsorted(low_group, up_group, "left")
    times = np.searchsorted(low_group, up_group, "right") - first
    a = np.repeat(np.arange(len(up)), times)
    b = np.repeat(first - np.cumsum(times) + times, times) + np.arange(len(a))
    turned = (up["weight"][a] ^ low["weight"][b]) & 1
    palindrome = up["weight"][a] >> 1 & 1
    side_at = np.zeros(256, np.int16)
    side_at[: len(sides)] = sides
    made = []
    for mirrored, some in ((False, (turned == 0) | (palindrome == 1)), (True, (turned == 1) | (palindrome == 1))):
        parts = []
        for rows, is_upper in ((up_squares[a[some]], True), (low_squares[b[some]], False)):
            parts.append(_seen_from_below(rows, width, height, side_at, is_upper, mirrored and not is_upper))
        both = np.concatenate(parts, axis=1)
        used = both[:, :, 2] > 0
        if len(both) and not (used.sum(axis=1) == squares).all():
            raise SystemError("halves that do not fit together: please report this")
        made.append(both[used].reshape(len(both), squares, 3))
    return np.concatenate(made)


def _seen_from_below(rows: Array, width: int, height: int, side_at: Array, is_upper: bool, mirrored: bool) -> Array:
    """The squares of halves as x, y, side in the rectangle; what stands for no square has the side 0."""
    sides = side_at[rows[:, :, 2]]
    x, y = rows[:, :, 0].astype(np.int16), rows[:, :, 1].astype(np.int16)
    if is_upper:
        y = (height - y - sides).astype(np.int16)
    if mirrored:
        x = (width - x - sides).astype(np.int16)
    return np.stack([x, y, sides], axis=2)
