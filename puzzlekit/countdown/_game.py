"""A game: cards and a target, and what they may be."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from puzzlekit._arguments import flag, whole_number
from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

UK: Final = (*(card for card in range(1, 11) for _ in range(2)), 25, 50, 75, 100)
"""The deck of the British show: 1 to 10 twice, and four large cards."""

MOST_CARDS: Final = 24
_MOST_PAIRS: Final = 1 << 20
_MOST_IN_DECK: Final = 10_000
VALUES: Final = 2**60
"""Cards, targets and the products of cards are below this."""
FRACTIONS: Final = 2**31
"""Likewise with fractions."""


@dataclass(frozen=True)
class Game:
    """Some cards and a target.

    Parameters
    ----------
    cards
        Positive whole numbers in any order, any iterable of them; they may repeat. Kept in ascending order.
    target
        A positive whole number; None: every value.
    fractions
        Whether values on the way may be fractions.
    use_all
        Whether every card must be used.

    Raises
    ------
    PuzzleError
        If there are no cards, too many, or too large ones, or something is not a positive whole number.
    """

    cards: tuple[int, ...]
    target: int | None = None
    fractions: bool = False
    use_all: bool = False
    _kinds: tuple[Array, Bytes] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards = cards_from(self.cards)
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "fractions", flag("fractions", self.fractions))
        object.__setattr__(self, "use_all", flag("use_all", self.use_all))
        check_hand(cards, self.fractions)
        object.__setattr__(self, "_kinds", kinds_of(cards))
        if self.target is not None:
            most = FRACTIONS if self.fractions else VALUES
            object.__setattr__(self, "target", positive("target", self.target, most))


def positive(name: str, value: Any, below: int) -> int:
    number = whole_number(name, value)
    if number < 1:
        raise PuzzleError(f"{name} must be positive, not {shown(number)}")
    if number >= below:
        raise PuzzleError(f"{name} must be below 2**{below.bit_length() - 1}, not {shown(number)}")
    return number


def cards_from(cards: Any) -> tuple[int, ...]:
    if isinstance(cards, (str, bytes)):
        raise PuzzleError(f"cards must be whole numbers, not the text {shown(cards)}")
    try:
        listed = list(itertools.islice(cards, _MOST_IN_DECK + 1))
    except TypeError:
        raise PuzzleError(f"cards must be several whole numbers, not {shown(cards)}") from None
    if not listed:
        raise PuzzleError("there must be at least one card")
    if len(listed) > _MOST_IN_DECK:
        raise PuzzleError(f"there are more than {_MOST_IN_DECK:,} cards")
    return tuple(sorted(positive("a card", card, VALUES) for card in listed))


def check_hand(cards: tuple[int, ...], fractions: bool) -> None:
    if len(cards) > MOST_CARDS:
        raise PuzzleError(f"there can be at most {MOST_CARDS} cards, not {len(cards)}")
    times = Counter(cards)
    if math.prod((count + 1) * (count + 2) // 2 for count in times.values()) > _MOST_PAIRS:
        raise PuzzleError(f"{len(cards)} cards of which {len(times)} differ are too many: at most 12 may if all do")
    product = math.prod(max(card, 2) for card in cards)
    if product >= VALUES:
        raise PuzzleError(f"the product of the cards must be below 2**60, and that of {listed(cards)} is {product}")
    if fractions:
        product = math.prod(card + 1 for card in cards)
        if product >= FRACTIONS:
            raise PuzzleError(
                "with fractions the product of all (card + 1) must be below 2**31, and that of "
                f"{listed(cards)} is {product}"
            )


def listed(cards: Iterable[int]) -> str:
    return " ".join(map(str, cards))


def kinds_of(cards: Iterable[int], most: int = MOST_CARDS) -> tuple[Array, Bytes]:
    """The distinct cards in ascending order, and how many there are of each, at most as many as a hand can have."""
    times = sorted(Counter(cards).items())
    counts = [min(count, most) for _, count in times]
    return np.array([card for card, _ in times], np.uint64), np.array(counts, np.uint8)


def game_of(cards: Iterable[int] | Game, target: int | None, fractions: bool, use_all: bool) -> Game:
    if not isinstance(cards, Game):
        return Game(cards, target, fractions, use_all)  # type: ignore[arg-type]  # it makes a tuple of them
    if target is not None or fractions or use_all:
        raise PuzzleError("target, fractions and use_all are those of the Game given; make another one instead")
    return cards
