"""All sets of cards that a deck has, and what they reach: the game space."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import flag, whole_number
from puzzlekit._values import shown
from puzzlekit.countdown._game import (
    MOST_CARDS,
    UK,
    VALUES,
    Array,
    Bools,
    Bytes,
    Ints,
    cards_from,
    check_hand,
    kinds_of,
    listed,
    positive,
)
from puzzlekit.countdown._reach import WINDOW_HI, fits_survey, reach_hands, reachable, survey_sets, window
from puzzlekit.errors import PuzzleError

_MOST_KINDS: Final = 64
_MOST_SETS: Final = 1 << 25
_MOST_CODES: Final = 1 << 25  # of sets of any size, in csrc/countdown_sets.h
_AT_ONCE: Final = 2_000  # sets whose tables the constructor of a plan makes in milliseconds


def _deck(deck: Any, size: Any) -> tuple[tuple[int, ...], Array, Bytes, int]:
    cards = cards_from(deck)
    taken = whole_number("size", size)
    if not 1 <= taken <= min(len(cards), MOST_CARDS):
        raise PuzzleError(f"size must be 1 to {min(len(cards), MOST_CARDS)} for this deck, not {shown(taken)}")
    values, counts = kinds_of(cards, taken)
    if len(values) > _MOST_KINDS:
        raise PuzzleError(f"a deck can have at most {_MOST_KINDS} different cards, not {len(values)}")
    sets = sets_of(counts, taken)
    if sets > _MOST_SETS:
        raise PuzzleError(f"a deck can have at most {_MOST_SETS:,} sets, and this one has {sets:,} of {taken} cards")
    return cards, values, counts, taken


def sets_of(counts: Bytes, size: int) -> int:
    """How many sets of `size` cards there are."""
    ways = [1] + [0] * size
    for count in counts.tolist():
        ways = [sum(ways[max(0, cards - count) : cards + 1]) for cards in range(size + 1)]
    return ways[size]


def all_counts(counts: Bytes, size: int) -> Bytes:
    out = np.empty((sets_of(counts, size), len(counts)), np.uint8)
    _call.call("pk_countdown_games", counts, len(counts), size, out.reshape(-1))
    return out


def games(deck: Iterable[int] = UK, size: int = 6) -> Ints:
    """All sets of cards that can be drawn.

    Parameters
    ----------
    deck
        The cards that there are; equal ones are interchangeable.
    size
        How many are drawn.

    Returns
    -------
    numpy.ndarray
        Shape (sets, size), int64: each set in ascending order, all sets in lexicographic order.

    Examples
    --------
    >>> games().shape
    (13243, 6)
    >>> games([1, 1, 2, 25], 2)
    array([[ 1,  1],
           [ 1,  2],
           [ 1, 25],
           [ 2, 25]])
    """
    _, values, counts, size = _deck(deck, size)
    times = all_counts(counts, size)
    return np.repeat(np.tile(values.astype(np.int64), len(times)), times.reshape(-1)).reshape(-1, size)


@dataclass(frozen=True, eq=False, repr=False)
class Survey:
    """Which targets each set of cards of a deck reaches.

    Attributes
    ----------
    deck, size, lo, hi, fractions
        What was surveyed.
    reached
        Shape (sets, targets), bool: rows as `games` has them, columns for lo .. hi.
    """

    deck: tuple[int, ...]
    size: int
    lo: int
    hi: int
    fractions: bool
    reached: Bools

    @cached_property
    def cards(self) -> Ints:
        """The sets: shape (sets, size), as `games` has them."""
        return games(self.deck, self.size)

    @cached_property
    def targets(self) -> Ints:
        """lo .. hi."""
        return np.arange(self.lo, self.hi + 1)

    @cached_property
    def targets_of_set(self) -> Ints:
        """How many targets each set reaches."""
        made: Ints = np.count_nonzero(self.reached, axis=1).astype(np.int64)
        return made

    @cached_property
    def sets_of_target(self) -> Ints:
        """How many sets reach each target."""
        made: Ints = self.reached.sum(axis=0, dtype=np.int64)
        return made

    @property
    def pairs(self) -> int:
        """Sets times targets."""
        return self.reached.size

    @property
    def solvable(self) -> int:
        """How many pairs of a set and a target can be solved."""
        return int(self.targets_of_set.sum())

    @property
    def full_sets(self) -> int:
        """How many sets reach every target."""
        return int((self.targets_of_set == len(self.targets)).sum())

    @cached_property
    def probability(self) -> float:
        """The chance that a random draw of cards and a random target can be solved."""
        _, counts = kinds_of(self.deck, self.size)
        times = all_counts(counts, self.size)
        there = [count for _, count in sorted(Counter(self.deck).items())]
        ways = np.array([[math.comb(count, k) for k in range(self.size + 1)] for count in there], np.float64)
        weights = ways[np.arange(len(there)), times].prod(axis=1)
        return float(weights @ self.targets_of_set / (weights.sum() * len(self.targets)))

    def hardest_targets(self, most: int = 5) -> list[tuple[int, int]]:
        """The targets that the fewest sets reach, with how many do."""
        order = np.argsort(self.sets_of_target, kind="stable")[:most]
        return [(int(self.targets[place]), int(self.sets_of_target[place])) for place in order]

    def hardest_sets(self, most: int = 5) -> list[tuple[tuple[int, ...], int]]:
        """The sets that reach the fewest targets, with how many they reach."""
        order = np.argsort(self.targets_of_set, kind="stable")[:most]
        return [(tuple(self.cards[place].tolist()), int(self.targets_of_set[place])) for place in order]

    @cached_property
    def distances(self) -> Ints:
        """How far the nearest reachable value is from each target: shape (sets, targets), int64.

        Values outside of lo .. hi count as well, so this is a wider survey, made when it is asked for.
        """
        wide = survey_deck(self.deck, self.size, 1, 2 * self.hi, self.fractions, None, None)
        places = np.arange(1, 2 * self.hi + 1, dtype=np.int32)
        nearest = np.empty(self.reached.shape, np.int64)
        step = max(1, (1 << 22) // wide.shape[1])
        for start in range(0, len(wide), step):
            some = wide[start : start + step]
            far = 8 * self.hi
            below = np.maximum.accumulate(np.where(some, places, -far), axis=1)[:, self.lo - 1 : self.hi]
            above = np.minimum.accumulate(np.where(some, places, far)[:, ::-1], axis=1)[:, ::-1]
            target = places[self.lo - 1 : self.hi]
            nearest[start : start + step] = np.minimum(target - below, above[:, self.lo - 1 : self.hi] - target)
        for place in np.flatnonzero(~wide.any(axis=1)):  # all values lie beyond: the least one is the nearest
            nearest[place] = reachable(self.cards[place], None, None, fractions=self.fractions)[0] - self.targets
        return nearest

    def summary(self, distances: bool = False) -> str:
        """The totals as text; with `distances`, also how far unsolvable pairs are from their nearest values."""
        share = 100 * self.solvable / self.pairs
        lines = [
            f"{len(self.reached):,} sets of {self.size} cards, targets {self.lo} to {self.hi}",
            f"{self.solvable:,} of {self.pairs:,} pairs can be solved ({share:.2f} %)",
            f"{100 * self.probability:.2f} % of random draws can be solved",
            f"{self.full_sets:,} sets reach every target",
            "hardest targets: " + ", ".join(f"{target} ({sets:,} sets)" for target, sets in self.hardest_targets()),
            "hardest sets: " + ", ".join(f"{listed(cards)} ({reach:,})" for cards, reach in self.hardest_sets(3)),
        ]
        if distances:
            pairs = [(away, np.count_nonzero(self.distances == away)) for away in range(1, 6)]
            near = [f"{many:,} are {away} away" for away, many in pairs if many]
            lines.append("nearest values: " + ", ".join([*near, f"the farthest is {self.distances.max():,} away"]))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Survey of {len(self.reached):,} sets of {self.size} cards: {self.solvable:,} of {self.pairs:,} pairs>"


def survey(
    deck: Iterable[int] = UK,
    size: int = 6,
    lo: int = 101,
    hi: int = 999,
    *,
    fractions: bool = False,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Survey:
    """Which targets every set of cards reaches: the whole space of games.

    Parameters
    ----------
    deck, size
        As in `games`.
    lo, hi
        The targets.
    fractions
        Whether values on the way may be fractions; this takes some thousand times as long.
    threads, progress
        As in `enumerate`; there are two rounds of progress, and before them some for the tables of a large deck.

    Returns
    -------
    Survey
        With ``reached``, a boolean array of shape (sets, targets), and its totals.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.

    Notes
    -----
    Sets share the work on their subsets; csrc/countdown_survey.c says how.

    Examples
    --------
    >>> space = survey()
    >>> space.solvable, space.pairs, space.full_sets
    (10858746, 11905457, 1226)
    >>> space.hardest_targets(2)
    [(947, 9017), (941, 9045)]
    """
    cards, _, _, size = _deck(deck, size)
    lo = positive("lo", lo, VALUES)
    hi = positive("hi", hi, WINDOW_HI)
    window(lo, hi)
    reached = survey_deck(cards, size, lo, hi, flag("fractions", fractions), threads, progress)
    reached.flags.writeable = False
    return Survey(cards, size, lo, hi, bool(fractions), reached)


def survey_deck(
    deck: tuple[int, ...],
    size: int,
    lo: int,
    hi: int,
    fractions: bool,
    threads: int | None,
    progress: _call.Progress,
) -> Bools:
    values, counts = kinds_of(deck, size)
    codes = math.prod(count + 1 for count in counts.tolist())
    if not fractions and codes <= _MOST_CODES and fits_survey(deck, size, hi):
        staged = sets_of(counts, size - 2) > _AT_ONCE
        return survey_sets(values, counts, size, lo, hi, threads, progress, staged=staged)
    check_hand(tuple(sorted(sorted(deck, reverse=True)[:size])), fractions)
    return reach_hands(values, all_counts(counts, size), lo, hi, fractions, False, threads, progress)
