"""Targets that cards reach."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit.countdown._game import VALUES, Array, Bools, Bytes, Game, Ints, game_of, positive
from puzzlekit.errors import Cancelled, PuzzleError

WINDOW_HI: Final = 1 << 26
FEWEST: Final = 3  # the form of a search for the fewest cards
_SURVEY_HI, _SURVEY_LIMIT, _SURVEY_LISTED, _SURVEY_SIZE = 1 << 14, 1 << 21, 1 << 24, 7


def window(lo: Any, hi: Any) -> tuple[int | None, int | None]:
    lo = None if lo is None else positive("lo", lo, VALUES)
    hi = None if hi is None else positive("hi", hi, VALUES)
    if lo is not None and hi is not None and lo > hi:
        raise PuzzleError(f"lo must not be above hi, and {lo} is above {hi}")
    return lo, hi


def reachable(
    cards: Iterable[int] | Game,
    lo: int | None = 101,
    hi: int | None = 999,
    *,
    fractions: bool = False,
    use_all: bool = False,
) -> Ints:
    """All targets that the cards can make.

    Parameters
    ----------
    cards, fractions, use_all
        As in `enumerate`; the target of a `Game` plays no part.
    lo, hi
        The least and the greatest target of interest, or None.

    Returns
    -------
    numpy.ndarray
        The targets in ascending order, int64.

    Examples
    --------
    >>> reachable([2, 3], lo=None, hi=None)
    array([1, 2, 3, 5, 6])
    >>> reachable([2, 3], lo=None, hi=None, use_all=True)
    array([1, 5, 6])
    """
    problem = game_of(cards, None, fractions, use_all)
    lo, hi = window(lo, hi)
    if hi is None or hi > WINDOW_HI:
        return every_value(problem, lo, hi)
    return np.flatnonzero(reached_targets(problem, lo or 1, hi)) + (lo or 1)


def unreachable(
    cards: Iterable[int] | Game,
    lo: int | None = 101,
    hi: int = 999,
    *,
    fractions: bool = False,
    use_all: bool = False,
) -> Ints:
    """The targets from `lo` to `hi` that the cards cannot make, in ascending order.

    Parameters are as in `reachable`, but `hi` must be given, and be at most 2**26.

    Examples
    --------
    >>> unreachable([1, 3, 7, 10, 25, 50])
    array([831, 834, 941, 977])
    """
    problem = game_of(cards, None, fractions, use_all)
    lo, greatest = window(lo, hi)
    if greatest is None or greatest > WINDOW_HI:
        raise PuzzleError(f"unreachable needs a hi of at most {WINDOW_HI}, not {hi}")
    return np.flatnonzero(~reached_targets(problem, lo or 1, greatest)) + (lo or 1)


def without_found(progress: _call.Progress) -> _call.Progress:
    """The progress of a search whose rows are not solutions."""
    return (lambda done, total, found: progress(done, total, 0)) if callable(progress) else progress


def every_value(problem: Game, lo: int | None, hi: int | None, progress: _call.Progress = None) -> Ints:
    values, counts = problem._kinds
    options = 1, 0, 0, int(problem.fractions), int(problem.use_all)
    plan = _call.Plan("countdown_reach", values, counts, len(values), *options)
    rows = _call.enumerate_rows(plan, threads=1, progress=without_found(progress))
    all_there(rows)
    found: Ints = np.sort(rows.array.reshape(-1).view(np.int64))
    found = found[np.diff(found, prepend=0) != 0]  # np.unique hashes, which takes a hundred times as long here
    return found[(found >= (lo or 0)) & (found <= (VALUES if hi is None else hi))]


def reached_targets(problem: Game, lo: int, hi: int) -> Bools:
    """Which targets lo .. hi the hand reaches."""
    values, counts = problem._kinds
    hand = problem.cards
    if problem.fractions or problem.use_all or not fits_survey(hand, min(6, len(hand)), hi):
        every: Bools = reach_hands(values, counts[np.newaxis], lo, hi, problem.fractions, problem.use_all)[0]
        return every
    if len(hand) <= 6:
        out = np.empty(hi - lo + 1, np.uint8)
        _call.check(_call.call("pk_countdown_hand", values, counts, len(values), lo, hi, _call.cpu_level(), out))
        return out.view(np.bool_)
    # Six cards reach nearly everything; sets of more cards are gone through only if something is missing.
    reached = np.zeros(hi - lo + 1, np.bool_)
    for size in range(6, len(hand) + 1):
        if fits_survey(hand, size, hi):
            reached |= survey_sets(values, counts, size, lo, hi, None, None).any(axis=0)
        elif not reached.all():
            reached |= reach_hands(values, counts[np.newaxis], lo, hi, False, False)[0]
            break
        if reached.all():
            break
    return reached


def reach_hands(
    values: Array,
    counts: Bytes,
    lo: int,
    hi: int,
    fractions: bool,
    use_all: bool,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Bools:
    """Which targets lo .. hi each hand reaches; `counts` has a row for each."""
    flat = np.ascontiguousarray(counts).reshape(-1)
    options = len(counts), lo, hi, int(fractions), int(use_all)
    plan = _call.Plan("countdown_reach", values, flat, len(values), *options)
    found = _call.enumerate_rows(plan, threads=threads, progress=progress)
    all_there(found)
    return bits(found.array.view(np.uint64), lo, hi)


def staged_tables(arguments: Sequence[Any], most: int, threads: int | None, progress: _call.Progress) -> Array:
    """The tables of sets of up to `most` cards that a search with these arguments has, as rows."""
    known: Array = np.empty(0, np.uint64)
    for _ in range(most):
        stage = _call.Plan("countdown_stage", *arguments, known, len(known))
        if not stage.units:
            break
        found = _call.enumerate_rows(stage, threads=threads, progress=without_found(progress))
        all_there(found)
        known = np.concatenate([known, found.array.reshape(-1).view(np.uint64)])
    return known


def all_there(found: _call.Rows) -> None:
    if not found.complete:
        raise Cancelled("progress stopped the search")


def bits(sets: Array, lo: int, hi: int) -> Bools:
    """Bits lo .. hi of each row of words, as booleans."""
    out = np.empty((len(sets), hi - lo + 1), np.uint8)
    flat = np.ascontiguousarray(sets).reshape(-1)
    _call.call("pk_countdown_bytes", flat, len(sets), sets.shape[1], lo, hi, out.reshape(-1))
    made: Bools = out.view(np.bool_)
    return made


def fits_survey(deck: Sequence[int], size: int, hi: int) -> bool:
    """Whether the fast search of all hands can take them; its limits are in csrc/countdown_survey.c."""
    if not 3 <= size <= min(_SURVEY_SIZE, len(deck)) or hi > _SURVEY_HI or max(deck) * hi > _SURVEY_LIMIT:
        return False
    large = [max(card, 2) for card in sorted(deck, reverse=True)]
    listed = range(1, size - 1)
    return all(
        min(math.prod(large[:cards]), (hi + 1) * math.prod(large[: size - cards])) < _SURVEY_LISTED for cards in listed
    )


def survey_sets(
    values: Array,
    counts: Bytes,
    size: int,
    lo: int,
    hi: int,
    threads: int | None,
    progress: _call.Progress,
    cpu: int | None = None,
    staged: bool = False,
) -> Bools:
    """Which targets lo .. hi each set of `size` cards reaches: two stages that share tables, and their union.

    If `staged`, tables are searches as well, so that Ctrl-C and progress work.
    """
    level = _call.cpu_level() if cpu is None else cpu
    known: Array = np.empty(0, np.uint64)
    if staged:
        search = values, counts, len(values), np.array([hi], np.uint64), 1, FEWEST, 0, 0, size
        known = staged_tables(search, size - 2, threads, progress)
    plan = _call.Plan("countdown_survey", values, counts, len(values), size, lo, hi, level, known, len(known))
    sets = np.zeros((plan.units, plan.row_bytes // 8 - 1), np.uint64)
    for stage in (plan, _call.Plan("countdown_last_card", plan.pointer, sets)):
        found = _call.enumerate_rows(stage, threads=threads, progress=progress)
        all_there(found)
        _call.call("pk_countdown_join", found.array.reshape(-1), len(found.array), sets.shape[1], sets.reshape(-1))
    return bits(sets, lo, hi)
