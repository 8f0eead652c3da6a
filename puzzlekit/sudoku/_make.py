"""Finished grids and puzzles."""

from __future__ import annotations

import contextlib
import numbers
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import flag, whole_number
from puzzlekit._machine import check_memory
from puzzlekit._values import shown
from puzzlekit.errors import Cancelled, PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._canonical import canonical_rows, first_of_each
from puzzlekit.sudoku._results import Puzzles, Solutions
from puzzlekit.sudoku._rules import CLASSIC, Cells

GEOMETRIES: Final = 2 * 6**8
NAMES: Final = 40320
MOST: Final = GEOMETRIES * NAMES * 9
"""So many images has a grid without symmetry; nobody can hold more grids."""
RIGID: Final = "634852197759314268281976345895267413346195872127438659413529786972681534568743921"
"""A random grid that no symmetry maps to itself: all its images are different."""
FEWEST_CLUES: Final = 17
"""There is no puzzle with fewer (McGuire, Tugemann and Civario 2012)."""
MOST_CLUES: Final = 40
"""No minimal puzzle with more is known. (Those that are minimal among the symmetric ones may have more.)"""

Symmetry = Literal["rotation", "quarter", "horizontal", "vertical", "diagonal", "antidiagonal"]
TURNS: Final[dict[str, Any]] = {
    "rotation": lambda r, c: (8 - r, 8 - c),
    "quarter": lambda r, c: (c, 8 - r),
    "horizontal": lambda r, c: (r, 8 - c),
    "vertical": lambda r, c: (8 - r, c),
    "diagonal": lambda r, c: (c, r),
    "antidiagonal": lambda r, c: (8 - c, 8 - r),
}


def seed_of(seed: int | None) -> int:
    """A seed of 64 bits: the one that was given, or a fresh one."""
    if seed is None:
        return secrets.randbits(64)
    whole = whole_number("seed", seed)
    if not 0 <= whole < 2**64:
        raise PuzzleError(f"seed must be from 0 to 2^64 - 1, not {whole}")
    return whole


def amount_of(k: int) -> int:
    """Check how many are wanted."""
    whole = whole_number("k", k)
    if not 0 <= whole <= MOST:
        raise PuzzleError(f"k must be from 0 to {MOST:,}, not {shown(whole)}")
    return whole


def _held(k: int, row_bytes: int = 81) -> int:
    """Check how many are wanted in memory."""
    amount = amount_of(k)
    check_memory(amount * row_bytes, f"{amount:,} of them")
    return amount


@contextlib.contextmanager
def reporting(progress: _call.Progress) -> Iterator[Callable[[int, int, int], bool | None] | None]:
    """What to tell of progress that is made here, not in one run; a bar is closed at the end."""
    report = _call.reporter(progress)
    try:
        yield report
    finally:
        close = getattr(report, "close", None)
        if close is not None:
            close()


def sample(
    k: int, *, seed: int | None = None, threads: int | None = None, progress: _call.Progress = None
) -> Solutions:
    """Uniformly random finished grids: each of the 6,670,903,752,021,072,936,960 is equally likely, every time.

    Parameters
    ----------
    k
        How many; they are independent of one another.
    seed
        A whole number from 0 to 2^64 - 1 for the same grids every time; None for fresh ones.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    Solutions
        ``array`` has shape (k, 81), uint8.

    Notes
    -----
    Exact, by rejection from the product of row and column structures: csrc/sudoku/uniform.c.

    Examples
    --------
    >>> sample(2, seed=1) == sample(2, seed=1), sample(2) == sample(2)
    (True, False)
    """
    plan = _call.Plan("sudoku_sample", _held(k), seed_of(seed))
    rows = _call.enumerate_rows(plan, threads=threads, progress=progress)
    return Solutions(CLASSIC, rows.array, complete=rows.complete, stats=rows.stats)


def bulk_plan(k: int, first: int | None, seed: int, text: bool) -> _call.Plan:
    """The plan of `grids`; with `text`, rows are lines of 82 characters."""
    amount = amount_of(k)
    digit = 0 if first is None else whole_number("first", first)
    if first is not None and not 1 <= digit <= 9:
        raise PuzzleError(f"first must be a digit from 1 to 9, not {digit}")
    if digit and amount > MOST // 9:
        raise PuzzleError(f"k must be at most {MOST // 9:,} with a first digit, not {amount:,}")
    return _call.Plan("sudoku_grids", _input.from_text(RIGID, CLASSIC), amount, seed % GEOMETRIES, digit, text)


def grids(
    k: int,
    *,
    first: int | None = None,
    distinct: Literal["grids", "essentially"] = "grids",
    seed: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """Distinct finished grids, as many as are wanted, quickly.

    Parameters
    ----------
    k
        How many.
    first
        The digit of the first cell; None for any.
    distinct
        "grids": no two are equal. They are images of one grid that has no symmetry, made by different elements of
        the symmetry group; so they are all essentially the same, and neighbours differ in two digits only.
        "essentially": no two are equal up to any symmetry; these are random grids, less those whose canonical form was
        there before.
    seed
        A whole number for the same grids every time; None for fresh ones.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    Solutions
        ``array`` has shape (k, 81), uint8. ``complete`` is false if `progress` stopped the work.

    Raises
    ------
    PuzzleError
        If `first` is not a digit, or so many grids cannot be made in this way.

    Examples
    --------
    >>> found = grids(1000, first=5, seed=1)
    >>> len({row.tobytes() for row in found}), {int(row[0]) for row in found}
    (1000, {5})
    >>> from puzzlekit.sudoku import dedup
    >>> len(dedup(found)), len(dedup(grids(1000, distinct="essentially")))
    (1, 1000)
    """
    if distinct not in ("grids", "essentially"):
        raise PuzzleError(f"distinct must be 'grids' or 'essentially', not {distinct!r}")
    number = seed_of(seed)
    if distinct == "grids":
        rows = _call.enumerate_rows(bulk_plan(_held(k), first, number, False), threads=threads, progress=progress)
        return Solutions(CLASSIC, rows.array, complete=rows.complete, stats=rows.stats)
    bulk_plan(0, first, number, False)  # checks `first`
    kept = list(essentially_distinct(_held(k, 2 * 81), first, number, threads, progress))
    array = np.concatenate(kept) if kept else np.empty((0, 81), np.uint8)
    return Solutions(CLASSIC, array, complete=len(array) == k)


def essentially_distinct(
    k: int, first: int | None, seed: int, threads: int | None, progress: _call.Progress, most: int = 1 << 18
) -> Iterator[Cells]:
    """Blocks of random grids of which no two are isomorphic; fewer than k if progress stops the work."""
    known: np.ndarray[Any, Any] = np.empty(0, "V81")
    state = seed
    left = k
    while left:
        rows = sample(min(left, most), seed=state, threads=threads, progress=progress)
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        try:
            forms, _ = canonical_rows(rows.array, threads=threads, progress=progress)
        except Cancelled:
            return
        keys = np.ascontiguousarray(forms).view("V81").reshape(-1)
        fresh = first_of_each(forms)
        fresh = fresh[~np.isin(keys[fresh], known)]
        known = np.concatenate([known, keys[fresh]])
        block = rows.array[fresh]
        if first is not None:
            block = renamed_to(block, first)
        left -= len(block)
        yield block
        if not rows.complete:
            return


def renamed_to(block: Cells, first: int) -> Cells:
    """The same grids with `first` in the first cell: that digit and what stood there change places."""
    there = block[:, :1]
    swapped = np.where(block == there, np.uint8(first), block)
    return np.where(block == first, there, swapped).astype(np.uint8)


def _orbits(symmetry: str | None) -> Cells:
    """The orbit of each cell."""
    orbit = np.full(81, 255, np.uint8)
    if symmetry is None:
        return np.arange(81, dtype=np.uint8)
    if symmetry not in TURNS:
        raise PuzzleError(f"symmetry must be None or one of {', '.join(TURNS)}, not {symmetry!r}")
    number = 0
    for start in range(81):
        cell = start
        if orbit[start] != 255:
            continue
        while orbit[cell] == 255:
            orbit[cell] = number
            row, column = TURNS[symmetry](*divmod(cell, 9))
            cell = row * 9 + column
        number += 1
    return orbit


def puzzles(
    k: int,
    *,
    clues: int | None = None,
    minimal: bool = True,
    symmetry: Symmetry | None = None,
    seed: int | None = None,
    seconds: float = 60.0,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Puzzles:
    """Random puzzles with exactly one solution.

    Parameters
    ----------
    k
        How many.
    clues
        The number of givens of each; None for whatever comes: with `minimal` mostly 22 to 27.
    minimal
        Whether no given can be left out. With a symmetry: no symmetric set of givens.
    symmetry
        None, or how the pattern of givens looks the same: "rotation" (by half a turn), "quarter" (by a quarter turn),
        "horizontal" or "vertical" (mirrored left to right, top to bottom), "diagonal", "antidiagonal".
    seed
        A whole number for the same puzzles every time; None for fresh ones.
    seconds
        How long to go on since the last one was found. Some numbers of clues are rare: minimal puzzles of 20 clues
        come a few in a thousand, of 18 practically never.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    Puzzles
        ``array`` and ``solutions`` have shape (k, 81). Each was solved to the end before it is returned.

    Raises
    ------
    PuzzleError
        If there are no such puzzles, or no more were found in time; the message says how many were.

    Notes
    -----
    Clues are taken off a uniformly random grid: csrc/sudoku/puzzles.c. That is no uniform choice among puzzles.

    Examples
    --------
    >>> found = puzzles(20, seed=1)
    >>> from puzzlekit.sudoku import solve
    >>> set(solve(found).status.tolist())
    {1}
    >>> puzzles(3, clues=30, minimal=False).clues
    array([30, 30, 30])
    """
    amount = _held(k, 2 * 81)
    orbit = _orbits(symmetry)
    wanted = 0
    if clues is not None:
        wanted = whole_number("clues", clues)
        if not FEWEST_CLUES <= wanted <= 81:
            raise PuzzleError(f"clues must be from {FEWEST_CLUES} to 81: no puzzle has {wanted} and one solution")
        if minimal and symmetry is None and wanted > MOST_CLUES:
            raise PuzzleError(f"no minimal puzzle of {wanted} clues is known: {MOST_CLUES} are the most")
        sizes = np.bincount(orbit)
        if not _is_sum(wanted, sizes.tolist()):
            raise PuzzleError(f"clues that come in orbits of {symmetry} symmetry are never {wanted}")
    minimal = flag("minimal", minimal)
    if not isinstance(seconds, numbers.Real) or isinstance(seconds, bool) or not seconds > 0:
        raise PuzzleError(f"seconds must be a positive number, not {seconds!r}")
    plan = _call.Plan("sudoku_puzzles", seed_of(seed), wanted, minimal, orbit, _call.cpu_level())
    last, known, late = time.perf_counter(), 0, False

    def watch(done: int, total: int, found: int) -> bool | None:
        nonlocal last, known, late
        if found > known:
            last, known = time.perf_counter(), found
        if time.perf_counter() - last > seconds:
            late = True
            return False
        return None if report is None else report(min(found, amount), amount, found)

    with reporting(progress) as report:
        rows = _call.enumerate_rows(plan, limit=amount, threads=threads, progress=watch)
    if late and len(rows.array) < amount:
        what = f"{wanted} clues" if wanted else "such clues"
        raise PuzzleError(
            f"{len(rows.array)} of {amount} puzzles with {what} were found, and no more in {seconds:g} seconds: "
            f"allow more seconds, or another number of clues"
        )
    return Puzzles(CLASSIC, rows.array, complete=len(rows.array) == amount, stats=rows.stats)


def _is_sum(total: int, sizes: list[int]) -> bool:
    """Whether some of the sizes add up to a total."""
    reached = 1
    for size in sizes:
        reached |= reached << size
    return bool(reached >> total & 1)
