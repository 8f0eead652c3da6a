"""How tilings of many squares are counted and listed: halves of the rectangle, searched in stages.

csrc/tiling_halves.c says what a half is. The stages, for each class of multisets (by the area of its small squares):

    states of the first half -> merged -> its keys, sorted
    states of the second half -> merged -> a count of the keys met, or those keys
    to list: both halves once more, only those with keys that were met, joined here

Which half is the first: the one that has little to place in this class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final, TypeVar

import numpy as np

from puzzlekit import _call
from puzzlekit.errors import PuzzleError

Array = np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T")

WIDTH: Final = 56
HEIGHT: Final = 126
SIZES: Final = 32
CODES: Final = 1 << 26
WIDEST_TABLE: Final = 1 << 24
DEEPEST: Final = 15
RULES: Final = {"notch": 1, "terrace": 2, "pinwheel": 4, "placeable": 8}
STATES, KEYS, COUNT, PAIRED, PATHS, NODES = range(6)
MOST_STATES: Final = 2**32 - 2
KEY: Final = np.dtype([("key", "<u8"), ("code", "<u4"), ("weight", "<u4")])


def fits(width: int, height: int, sides: Sequence[int], counts: Sequence[int]) -> bool:
    """Whether halves are possible: heights are bytes, profiles have numbers, codes of multisets a table."""
    codes = 1
    for count in counts:
        codes *= count + 1
        if codes > CODES:
            return False
    return min(width, height) <= WIDTH and max(width, height) <= HEIGHT and len(sides) <= SIZES


@dataclass(frozen=True)
class Part:
    """Some of the tilings: those whose first half has an area of counted small squares from least to greatest.

    A small square counts if it begins before the middle, seen from the first half's side; in a part with `ends` if it
    ends there or before. So the same squares are counted whether one half comes first or, upside down, the other.
    """

    least: int
    greatest: int
    first_upper: bool
    first_holds: bool
    ends: bool
    start: float = 0
    end: float = 1


class _TooMany(Exception):
    """A stage has more rows than memory allows."""


class Halves:
    """A rectangle of at most 56 columns and 126 rows, cut into halves. For tests, rules and merging can be left out."""

    def __init__(
        self,
        width: int,
        height: int,
        sides: Sequence[int],
        counts: Sequence[int],
        *,
        rules: int = 15,
        octant: bool = True,
        closure: bool = True,
        classes: int = 2,
        extra: int | None = None,
        steps: int | None = None,
        memory: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.width, self.height = width, height
        self.sides, self.counts = tuple(sides), tuple(counts)
        self.squares = sum(counts)
        self.octant = octant and counts[0] == 1
        self.rules = rules if self.octant else rules & ~(RULES["pinwheel"] | RULES["placeable"])
        self.closure, self.classes, self.threads = closure, classes, threads
        self.extra = height // 12 if extra is None else extra
        self.steps = min(13, self.squares // 3 + 1) if steps is None else steps
        self.budget = int(0.6 * _call.free_memory()) if memory is None else memory
        self.arrays = np.array(sides, np.int32), np.array(counts, np.int32)
        self.codes = prod(count + 1 for count in counts)
        self.small = self._small_sizes()
        self.small_area = sum(s * s * c for s, c in list(zip(sides, counts))[self.octant : self.small])
        self.tables = self._depth_tables()

    def _small_sizes(self) -> int:
        """How many of the smallest sizes make the class: about a fourteenth of the area."""
        wanted, area = self.width * self.height / 14, 0
        for place, (side, count) in enumerate(zip(self.sides, self.counts)):
            if area >= wanted:
                return place
            if place or not self.octant:
                area += side * side * count
        return len(self.sides)

    def _depth_tables(self) -> tuple[int, int, Array]:
        """The widest notch that has a table, the greatest depth in them, and the tables one after the other."""
        deepest = min(DEEPEST, self.sides[-1])
        widest, codes, place = 0, 1, 0
        while widest < min(self.sides[-1], self.width):
            if place < len(self.sides) and self.sides[place] == widest + 1:
                codes *= self.counts[place] + 1
                place += 1
            if codes > WIDEST_TABLE:
                break
            widest += 1
        plan = _call.Plan("tiling_depths", *self.arrays, len(self.sides), widest, deepest)
        return widest, deepest, _call.enumerate_rows(plan, threads=self.threads).array.reshape(-1)

    def _plan(
        self,
        part: Part,
        first: bool,
        mode: int,
        closed: Array | None = None,
        states: Array | None = None,
        keys: Array | None = None,
        steps: int = 0,
    ) -> _call.Plan:
        widest, deepest, tables = self.tables
        half = {
            "width": self.width,
            "height": self.height,
            "cut": self._rows_of_first(part) if first else self.height - self._rows_of_first(part),
            "upper": int(part.first_upper == first),
            "octant": int(self.octant),
            "holds": int(self.octant and part.first_holds == first),
            "rules": self.rules,
            "mode": mode,
            "steps": steps,
            "small": self.small,
            "line": self.height - self.height // 2 if part.ends else self.height // 2,
            "begins": int(not part.ends),
            "widest": widest,
            "deepest": deepest,
            "least": part.least if first else 0,
            "greatest": part.greatest if first else self.small_area,
        }
        return _call.Plan(
            "tiling_half",
            *self.arrays,
            len(self.sides),
            [half],
            tables,
            closed,
            states,
            0 if states is None else len(states),
            _bytes(keys),
            0 if keys is None else len(keys),
        )

    def _rows_of_first(self, part: Part) -> int:
        """The rows of the first half: so many that the only smallest square can belong to the half that holds it."""
        u = self.sides[0]
        if not self.octant:
            rows = (self.height + 1) // 2
        elif not part.first_holds:
            return self.height - (self.height + u) // 2
        else:
            rows = (self.height - u) // 2 + 1
        return min(self.height, rows + self.extra)

    def _rows(self, plan: _call.Plan, most: int, stages: _call.Stages, start: float, end: float) -> Array:
        found = _call.enumerate_rows(plan, limit=most, threads=self.threads, progress=stages.run(start, end))
        stages.check()
        if not found.complete:
            raise _TooMany
        return found.array

    def _states(
        self, part: Part, first: bool, closed: Array | None, stages: _call.Stages, start: float, end: float
    ) -> Array | None:
        """States to go on from; None: the search begins with the empty rectangle."""
        for steps in range(self.steps, 0, -2):
            plan = self._plan(part, first, STATES, closed, steps=steps)
            # rows grow by doubling; then they are ordered, by numbers of 32 bits
            most = min(int(0.4 * self.budget / (2 * plan.row_bytes + 4)), MOST_STATES)
            try:
                rows = self._rows(plan, most, stages, start, end)
            except _TooMany:
                continue
            _call.count(_call.Plan("tiling_merge", self.width, rows, len(rows)), threads=self.threads)
            return rows
        return None

    def _keys(self, part: Part, stages: _call.Stages, start: float, end: float) -> Array:
        """The sorted keys of the first half."""
        middle = start + (end - start) / 4
        states = self._states(part, True, None, stages, start, middle)
        if states is not None and len(states) == 0:
            return np.empty(0, KEY)
        plan = self._plan(part, True, KEYS, None, states)
        del states
        most = int(0.4 * self.budget / KEY.itemsize)
        return self._sorted(self._rows(plan, most, stages, middle, end))

    def _sorted(self, rows: Array) -> Array:
        """Rows of keys, sorted where they lie, for nobody else has seen them; without those that were merged away."""
        keys: Array = rows.reshape(-1).view(KEY)
        if len(keys) == 0:
            return keys
        kept = _call.count(_call.Plan("tiling_sort", rows.reshape(-1), len(keys)), threads=self.threads)
        return keys if kept == len(keys) else keys[keys["weight"] > 0]

    def _closed(self, keys: Array, of_upper: bool) -> Array | None:
        """Of each multiset, whether it contains what a half with one of these keys leaves."""
        if not self.closure:
            return None
        closed = np.empty((self.codes + 63) // 64, np.uint64)
        complement = 0 if of_upper else self.codes - 1 - self.octant
        _call.call(
            "pk_tiling_close",
            self.arrays[1],
            len(self.sides),
            _bytes(keys),
            len(keys),
            complement,
            closed,
            len(closed),
        )
        return closed

    def _parts(self) -> Iterator[Part]:
        """Two classes. The first half has few small squares: on the side of the only smallest one, or on the other."""
        half = self.small_area // 2
        if self.classes == 1 or self.small_area == 0:
            yield Part(0, self.small_area, False, False, False)
            return
        yield Part(0, half, False, True, False, 0, 0.5)
        yield Part(0, self.small_area - half - 1, not self.octant, False, True, 0.5, 1)

    def _joined(
        self, stages: _call.Stages, mode: int, search: Callable[[_call.Plan, _call.Progress], T]
    ) -> Iterator[tuple[Part, T]]:
        """What `search` finds with the plan of the second half, for each part. A part that is too large for memory is
        cut in two; nothing of one part is held when the next begins."""
        waiting = list(self._parts())
        while waiting:
            part = waiting.pop(0)
            length = part.end - part.start
            keys_until, states_until = part.start + 0.2 * length, part.start + 0.25 * length
            try:
                keys = self._keys(part, stages, part.start, keys_until)
            except _TooMany:
                if part.least == part.greatest:
                    raise PuzzleError(
                        f"memory={self.budget:,} is not enough for the keys of one class of half tilings, which take "
                        f"more than {int(0.4 * self.budget):,} bytes; give more"
                    ) from None
                cut, between = (part.least + part.greatest) // 2, (part.start + part.end) / 2
                waiting[:0] = [replace(part, greatest=cut, end=between), replace(part, least=cut + 1, start=between)]
                continue
            if len(keys) == 0:
                continue
            closed = self._closed(keys, not part.first_upper)
            states = self._states(part, False, closed, stages, keys_until, states_until)
            if states is not None and len(states) == 0:
                continue
            plan = self._plan(part, False, mode, closed, states, keys)
            del states
            found = search(plan, stages.run(states_until, part.end))
            stages.check()
            del plan, keys
            yield part, found

    def count(self, stages: _call.Stages) -> int:
        """The number of tilings."""
        doubled = 0

        def search(plan: _call.Plan, progress: _call.Progress) -> int:
            return _call.count(plan, threads=self.threads, progress=progress)

        for _, number in self._joined(stages, COUNT, search):
            doubled += number
            stages.found = doubled // 2
        if doubled % 2:
            raise SystemError("an odd doubled count: please report this")
        return doubled // 2

    def nodes(self, stages: _call.Stages) -> int:
        """The states that the second halves look at."""
        return sum(number for _, number in self._joined(stages, NODES, lambda plan, _: _call.count(plan)))

    def tilings(self, stages: _call.Stages, *, most: int | None = None) -> Array:
        """At least one image of each tiling: shape (tilings, squares, 3), x, y, side in no order, and images repeat.

        With `most` only the tilings of so many halves, the first ones that have partners: the same ones every time.
        """
        found = [np.empty((0, self.squares, 3), np.int16)]

        def search(plan: _call.Plan, progress: _call.Progress) -> Array:
            return _call.enumerate_rows(plan, limit=most, threads=self.threads, progress=progress).array

        for part, met in self._joined(stages, PAIRED, search):
            if len(met) == 0:
                continue
            keys = np.unique(met.copy().reshape(-1).view(KEY)[["key", "code"]])
            rows = np.zeros(len(keys), KEY)
            rows["key"], rows["code"], rows["weight"] = keys["key"], keys["code"], 1
            halves = []
            for first in (part.first_upper, not part.first_upper):  # the upper half, then the lower one
                again = self._plan(part, first, PATHS, self._closed(rows, part.first_upper == first), None, rows)
                tell = stages.run(part.end, part.end)
                halves.append(_call.enumerate_rows(again, threads=self.threads, progress=tell).array)
                stages.check()
            found.append(self._pairs(*halves))
            stages.found += len(found[-1])
            if most is not None and len(met) >= most:
                break
        return np.concatenate(found)

    def _pairs(self, upper: Array, lower: Array) -> Array:
        """Every upper half with every lower half of the same key, as tilings; y grows from the lower half's border."""
        halves = []
        for rows in (upper, lower):
            heads = np.ascontiguousarray(rows[:, : KEY.itemsize]).view(KEY)[:, 0]
            order = np.lexsort((heads["code"], heads["key"]))
            heads = heads[order]
            squares = rows[order, KEY.itemsize :][:, : 3 * self.squares].reshape(len(rows), -1, 3)
            halves.append((heads, squares))
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
        made = []
        for mirrored, some in ((False, (turned == 0) | (palindrome == 1)), (True, (turned == 1) | (palindrome == 1))):
            made.append(self._put_together(up_squares[a[some]], low_squares[b[some]], mirrored))
        return np.concatenate(made)

    def _put_together(self, upper: Array, lower: Array, mirrored: bool) -> Array:
        side = np.zeros(256, np.int16)
        side[: len(self.sides)] = self.sides
        parts = []
        for squares, is_upper in ((upper, True), (lower, False)):
            sides = side[squares[:, :, 2]]
            x, y = squares[:, :, 0].astype(np.int16), squares[:, :, 1].astype(np.int16)
            if is_upper:
                y = (self.height - y - sides).astype(np.int16)
            elif mirrored:
                x = (self.width - x - sides).astype(np.int16)
            parts.append(np.stack([x, y, sides], axis=2))
        both = np.concatenate(parts, axis=1)
        used = both[:, :, 2] > 0
        if len(both) and not (used.sum(axis=1) == self.squares).all():
            raise SystemError("halves that do not fit together: please report this")
        return both[used].reshape(len(both), self.squares, 3)


def _bytes(keys: Array | None) -> Array | None:
    return None if keys is None else np.ascontiguousarray(keys).view(np.uint8).reshape(-1)
