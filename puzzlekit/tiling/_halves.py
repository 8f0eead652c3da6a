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
from puzzlekit._machine import free_memory
from puzzlekit.errors import Cancelled, PuzzleError
from puzzlekit.tiling._pairs import KEY, Array, joined

T = TypeVar("T")

WIDTH: Final = 56
HEIGHT: Final = 126
SIZES: Final = 32
CODES: Final = 1 << 26
MOST_IN_TABLES: Final = 1 << 22
"""Bytes of all tables of depths: so the Partridge puzzles of order 9 and 10 have those of widths up to 9."""
LEAST_BUDGET: Final = 1 << 28
"""Bytes by default, even if nothing seems free: what is free is not always known."""
PIECES: Final = 16
"""In which the keys of a class are made: at n = 9 a piece has four equal ones of each."""
SHARE: Final = 0.4
"""Of the budget, for rows. They grow by doubling, and are copied once when equal ones have been merged."""
BYTES_A_SQUARE: Final = 128
"""What a list of tilings takes, with all that is made of it on the way."""
FIRST_CLASS: Final = 0.35
"""Of the time, what the first of two classes takes: measured for n = 8 and 9."""
SYMMETRIC: Final = 0.05
"""The part of the bar that symmetric tilings have; they take less, but in a narrow rectangle."""
DEEPEST: Final = 15
RULES: Final = {"notch": 1, "terrace": 2, "pinwheel": 4, "placeable": 8}
STATES, KEYS, COUNT, PAIRED, PATHS, NODES = range(6)
MOST_STATES: Final = 2**32 - 2
MANY_ROWS: Final = 5_000_000
"""A plan over so many takes 0.05 s to make."""


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

    A small square counts if it begins before `Halves.line`, seen from the first half's side; in a part with `ends`,
    seen from the other side, if it ends there or before: so what is counted in one part is not in the other.
    """

    least: int
    greatest: int
    first_upper: bool
    first_holds: bool
    ends: bool
    start: float = 0
    end: float = 1


Search = Callable[[Part, _call.Plan, float, float], T]
"""What is done with the plan of the second half of a part, in this share of the progress."""


class TooManyToListError(Exception):
    """The tilings do not fit in memory, of which there are so many bytes."""


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
        extra: int = 0,
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
        self.extra = extra
        self.line = (height - sides[0]) // 2 + 1 if self.octant else height // 2
        self.steps = min(13, self.squares // 3 + 1) if steps is None else steps
        self.budget = max(LEAST_BUDGET, int(0.6 * free_memory())) if memory is None else memory
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
        widest, codes, place, room = 0, 1, 0, min(MOST_IN_TABLES, self.budget // 16)
        while widest < min(self.sides[-1], self.width):
            if place < len(self.sides) and self.sides[place] == widest + 1:
                codes *= self.counts[place] + 1
                place += 1
            room -= codes
            if room < 0:
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
            "line": self.height - self.line if part.ends else self.line,
            "begins": int(not part.ends),
            "widest": widest,
            "deepest": deepest,
            "least": part.least if first else 0,
            "greatest": part.greatest if first else self.small_area,
        }
        return _planned(
            0 if keys is None else len(keys),
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
        """The rows of the first half: the fewest, because its keys must fit into memory.

        The only smallest square begins before `line` and ends at (height + u) // 2 or before. If the other half holds
        it, that one is the upper half, of squares that end within it. And no counted square is smaller than 2 then:
        one that ends within height - line rows begins before the last of them.
        """
        if not self.octant:
            rows = (self.height + 1) // 2
        elif not part.first_holds:
            return max(0, self.height - max(self.line + 1, (self.height + self.sides[0]) // 2))
        else:
            rows = self.line
        return min(self.height, rows + self.extra)

    def _rows(
        self,
        plan: _call.Plan,
        most: int,
        stages: _call.Stages,
        start: float,
        end: float,
        units: tuple[int, int] | None = None,
    ) -> Array:
        progress = stages.run(start, end)
        found = _call.enumerate_rows(plan, limit=most, threads=self.threads, progress=progress, units=units)
        stages.check()
        if not found.complete:
            raise _TooMany
        return found.array

    def _most_keys(self) -> int:
        return int(SHARE * self.budget / KEY.itemsize)

    def _key_rows(
        self,
        plan: _call.Plan,
        part: Part,
        stages: _call.Stages,
        start: float,
        end: float,
        held: int,
        units: tuple[int, int],
    ) -> Array:
        """Rows of keys, beside those that are held; `_TooMany` if the part can be cut, else an error that says what
        memory is enough."""
        try:
            rows = self._rows(plan, self._most_keys() - held, stages, start, end, units)
        except _TooMany:
            if part.least < part.greatest:
                raise
            number = _call.count(plan, threads=self.threads, progress=stages.run(end, end))
            stages.check()
            raise PuzzleError(
                f"memory={self.budget:,} is not enough: one class of half tilings has {number:,} keys, for which "
                f"{int((number + 1) * KEY.itemsize / SHARE) + 1:,} is enough"
            ) from None
        return rows.reshape(-1).view(KEY)

    def _states(
        self, part: Part, first: bool, closed: Array | None, stages: _call.Stages, start: float, end: float
    ) -> Array | None:
        """States to go on from; None: the search begins with the empty rectangle."""
        for steps in range(self.steps, 0, -2):
            plan = self._plan(part, first, STATES, closed, steps=steps)
            # rows grow by doubling; then they are ordered, by numbers of 32 bits
            most = min(int(SHARE * self.budget / (2 * plan.row_bytes + 4)), MOST_STATES)
            try:
                rows = self._rows(plan, most, stages, start, end)
            except _TooMany:
                continue
            _call.count(_planned(len(rows), "tiling_merge", self.width, rows, len(rows)), threads=self.threads)
            return rows
        return None

    def _keys(self, part: Part, stages: _call.Stages, start: float, end: float) -> Array:
        """The sorted keys of the first half: found and merged in pieces, because most of them are equal."""
        middle = start + (end - start) / 4
        states = self._states(part, True, None, stages, start, middle)
        if states is not None and len(states) == 0:
            return np.empty(0, KEY)
        plan = self._plan(part, True, KEYS, None, states)
        del states
        pieces = [np.empty(0, KEY)]
        length = (end - middle) / PIECES
        for k in range(PIECES):
            units = plan.units * k // PIECES, plan.units * (k + 1) // PIECES
            if units[0] < units[1]:
                begin, held = middle + k * length, sum(map(len, pieces))
                rows = self._key_rows(plan, part, stages, begin, begin + length, held, units)
                pieces.append(self._sorted(rows))
                del rows
        del plan  # which holds the states
        keys = np.concatenate(pieces)
        del pieces  # all that is in memory now is the keys, once more when equal ones have been merged
        return self._sorted(keys)

    def _sorted(self, keys: Array) -> Array:
        """Keys, sorted where they lie, for nobody else has seen them; without those that were merged away."""
        if len(keys) == 0:
            return keys
        kept = _call.count(_planned(len(keys), "tiling_sort", _bytes(keys), len(keys)), threads=self.threads)
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
        yield Part(0, half, False, True, False, 0, FIRST_CLASS)
        yield Part(0, self.small_area - half - 1, not self.octant, False, True, FIRST_CLASS, 1)

    def _joined(self, stages: _call.Stages, mode: int, search: Search[T]) -> Iterator[tuple[Part, T]]:
        """What `search` finds with the plan of the second half, for each part. A part that is too large for memory is
        cut in two; nothing of one part is held when the next begins."""
        waiting = list(self._parts())
        while waiting:
            part = waiting.pop(0)
            try:
                found = self._found(part, stages, mode, search)
            except _TooMany:
                cut, between = (part.least + part.greatest) // 2, (part.start + part.end) / 2
                waiting[:0] = [replace(part, greatest=cut, end=between), replace(part, least=cut + 1, start=between)]
                continue
            if found is not None:
                yield part, found

    def _found(self, part: Part, stages: _call.Stages, mode: int, search: Search[T]) -> T | None:
        """What `search` finds in one part; None if there are no halves."""
        length = part.end - part.start
        keys_until, states_until = part.start + 0.2 * length, part.start + 0.25 * length
        keys = self._keys(part, stages, part.start, keys_until)
        if len(keys) == 0:
            return None
        closed = self._closed(keys, not part.first_upper)
        states = self._states(part, False, closed, stages, keys_until, states_until)
        if states is not None and len(states) == 0:
            return None
        plan = self._plan(part, False, mode, closed, states, keys)
        del states
        found = search(part, plan, states_until, part.end)
        stages.check()
        return found

    def count(self, stages: _call.Stages) -> int:
        """The number of tilings."""
        doubled = 0

        def search(part: Part, plan: _call.Plan, start: float, end: float) -> int:
            return _call.count(plan, threads=self.threads, progress=stages.run(start, end))

        for _, number in self._joined(stages, COUNT, search):
            doubled += number
            stages.found = doubled // 2
        if doubled % 2:
            raise SystemError("an odd doubled count: please report this")
        return doubled // 2

    def symmetric(self, stages: _call.Stages) -> int:
        """Over all symmetries but the identity, the tilings that each leaves as they are, added up."""
        # those along x and y, along the diagonals, and the two quarter turns are alike in a square
        symmetries = {1: 2, 3: 1, 4: 2, 5: 2} if self.width == self.height else {1: 1, 2: 1, 3: 1}
        number = 0
        length = SYMMETRIC / len(symmetries)
        for place, (symmetry, times) in enumerate(symmetries.items()):
            plan = _call.Plan("tiling_symmetric", self.width, self.height, *self.arrays, len(self.sides), symmetry)
            progress = stages.run(place * length, (place + 1) * length)
            try:
                number += times * _call.count(plan, threads=self.threads, progress=progress)
            except Cancelled:
                stages.check()  # says what was found of what is wanted, not of these
                raise
        return number

    def tilings(self, stages: _call.Stages, *, one: bool = False) -> Array:
        """At least one image of each tiling: shape (tilings, squares, 3), x, y, side in no order, and images repeat.

        With `one` only what the first halves make that fit together.
        """
        found = [np.empty((0, self.squares, 3), np.int16)]
        expected = 0
        most = 1 if one else None

        def search(part: Part, plan: _call.Plan, start: float, end: float) -> Array:
            if one:
                return self._first_rows(plan, most, stages, start, end).reshape(-1).view(KEY)
            nonlocal expected
            try:  # so many rows are more tilings than there is memory for
                rows = self._rows(plan, self._most_keys(), stages, start, end)
            except _TooMany:
                raise TooManyToListError(self.budget) from None
            met = rows.reshape(-1).view(KEY)
            expected += int(met["weight"].sum(dtype=np.uint64)) // 2
            if self.bytes_to_list(expected) > self.budget:
                raise TooManyToListError(self.budget)
            return met

        for part, met in self._joined(stages, PAIRED, search):
            if len(met) == 0:
                continue
            keys = np.unique(met[["key", "code"]])
            rows = np.zeros(len(keys), KEY)
            rows["key"], rows["code"], rows["weight"] = keys["key"], keys["code"], 1
            upper, lower = (
                self._first_rows(
                    self._plan(part, first, PATHS, self._closed(rows, part.first_upper == first), None, rows),
                    most,
                    stages,
                    part.end,
                    part.end,
                )
                for first in (part.first_upper, not part.first_upper)
            )
            found.append(joined(upper, lower, self.width, self.height, self.sides, self.squares))
            stages.found += len(found[-1])
            if one:
                break
        return np.concatenate(found)

    def _first_rows(self, plan: _call.Plan, most: int | None, stages: _call.Stages, start: float, end: float) -> Array:
        rows = _call.enumerate_rows(plan, limit=most, threads=self.threads, progress=stages.run(start, end)).array
        stages.check()
        return rows

    def bytes_to_list(self, tilings: int) -> int:
        """What a list of so many tilings takes: of images, but for some, only one is listed."""
        images = (8 if self.width == self.height else 4) if self.octant else 1
        return tilings // images * self.squares * BYTES_A_SQUARE


def _planned(rows: int, kernel: str, *arguments: Any) -> _call.Plan:
    """A plan over so many rows; C goes through all of them, and Ctrl-C must not wait for that."""
    if rows < MANY_ROWS:
        return _call.Plan(kernel, *arguments)
    return _call.aside(lambda _: _call.Plan(kernel, *arguments))


def _bytes(keys: Array | None) -> Array | None:
    return None if keys is None else np.ascontiguousarray(keys).view(np.uint8).reshape(-1)
