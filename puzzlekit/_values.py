"""Exact numbers: what a caller gives, as whole numbers for a kernel and as numbers again for the caller.

A number means what it says: an int, Decimal or Fraction is itself, and a float is the decimal that it prints as, so
0.1 is one tenth. Nothing is rounded: numbers are scaled to whole ones by their least common denominator.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np

from puzzlekit.errors import PuzzleError

Number: TypeAlias = int | float | Decimal | Fraction

MOST_DIGITS: Final = 100_000
"""A Decimal such as 1e999999999 takes few characters and more digits than there is memory. Beyond this: an error."""


def shown(value: object) -> str:
    """The value for an error message: its repr, cut if it is long."""
    if isinstance(value, int) and value.bit_length() > 400:
        return f"a whole number of {value.bit_length()} bits"
    text = as_text(value) if isinstance(value, Fraction) else repr(value)
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"


def plain(value: Any) -> Number:
    """The Python number that prints like the value; PuzzleError for what is not a finite number."""
    if isinstance(value, (bool, np.bool_)):
        raise PuzzleError(f"{value} is a truth value, not a number")
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.timedelta64):  # numpy counts it among its integers
        raise PuzzleError(f"{value!r} is a timedelta64, not an int, float, Decimal or Fraction")
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, np.floating):
        value = float(str(value)) if value.itemsize <= 8 else Decimal(str(value))
    if isinstance(value, Decimal):
        if value.is_finite():
            if value and abs(value.adjusted()) > MOST_DIGITS:
                raise PuzzleError(f"{shown(value)} has more than {MOST_DIGITS} digits")
            return value or Decimal(0)
    elif isinstance(value, float):
        if math.isfinite(value):
            return float(value)
    elif isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    else:
        raise PuzzleError(f"{shown(value)} is a {type(value).__name__}, not an int, float, Decimal or Fraction")
    raise PuzzleError(f"{value} is not finite")


def exact(number: Number) -> int | Fraction:
    """The value of a number; a float's is that of the decimal it prints as."""
    if isinstance(number, int):
        return number
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def as_text(number: Number) -> str:
    """The number as it is written in a file, all digits of it."""
    if isinstance(number, int):
        return str(number) if number.bit_length() < 2000 else f"{Decimal(number):f}"
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{as_text(number.numerator)}/{as_text(number.denominator)}"
    return as_text(number.numerator) if isinstance(number, Fraction) else str(number)


def parse(text: str) -> Number:
    """A number from text: an int, a decimal such as -1.5 or 1e3 (as a Decimal), or a fraction such as 2/3."""
    try:
        if "/" in text:
            return Fraction(text)
        try:
            return int(text)
        except ValueError:
            return plain(Decimal(text))
    except (ArithmeticError, ValueError) as error:
        if isinstance(error, PuzzleError):
            raise
        raise PuzzleError(f"{shown(text)} is not a number: write 3, -1.5 or 2/3") from None


def _decimal(value: Fraction) -> Decimal:
    """A fraction whose denominator has no primes but 2 and 5, exactly: no context rounds it."""
    rest = value.denominator
    twos = (rest & -rest).bit_length() - 1
    rest >>= twos
    fives = round((rest.bit_length() - 0.5) / math.log2(5))
    while 5**fives < rest:
        fives += 1
    places = max(twos, fives)
    scaled = value.numerator * 10**places // value.denominator
    return Decimal((int(scaled < 0), tuple(map(int, as_text(abs(scaled)))), -places))


@dataclass(frozen=True)
class Numbers:
    """A multiset of numbers: the distinct ones in ascending order, as given, and as whole multiples of a unit.

    Of numbers that are equal, such as 1 and 1.0, the first one given stands for all.
    """

    distinct: tuple[Number, ...] = field(compare=False)
    counts: tuple[int, ...]
    scaled: tuple[int, ...]
    unit: Fraction

    @classmethod
    def of(cls, values: Iterable[Any], size: int) -> Numbers:
        """Take exactly `size` numbers in; PuzzleError says what is wrong with them."""
        if isinstance(values, (str, bytes, bytearray)) or not isinstance(values, Iterable):
            raise PuzzleError(f"values must be {size} numbers, not {shown(values)}")
        if isinstance(values, np.ndarray) and values.ndim != 1:
            raise PuzzleError(f"values must be one row of {size} numbers, not an array of shape {values.shape}")
        given = list(islice(values, size + 1))
        if len(given) != size:
            found = f"more than {size}" if len(given) > size else str(len(given))
            raise PuzzleError(f"values must be {size} numbers, not {found}")
        first: dict[int | Fraction, Number] = {}
        counts: dict[int | Fraction, int] = {}
        for place, item in enumerate(given):
            try:
                number = plain(item)
            except PuzzleError as error:
                raise PuzzleError(f"values[{place}]: {error}") from None
            value = exact(number)
            first.setdefault(value, number)
            counts[value] = counts.get(value, 0) + 1
        ordered = sorted(first)
        denominator = math.lcm(*(value.denominator for value in ordered))
        whole = [value.numerator * (denominator // value.denominator) for value in ordered]
        divisor = math.gcd(*whole) or 1
        return cls(
            tuple(first[value] for value in ordered),
            tuple(counts[value] for value in ordered),
            tuple(value // divisor for value in whole),
            Fraction(divisor, denominator),
        )

    def bits(self) -> int:
        """Bits of the largest scaled number, without a sign."""
        return max(value.bit_length() for value in self.scaled)

    def words(self, whole: Sequence[int], limbs: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """Whole numbers in two's complement, `limbs` 64-bit words each, least significant first."""
        data = b"".join(value.to_bytes(8 * limbs, "little", signed=True) for value in whole)
        return np.frombuffer(data, "<u8").astype(np.uint64, copy=False)

    def number(self, scaled: int) -> Number:
        """The number that so many units make, in the widest kind of those given: int, float, Decimal or Fraction.

        A value that is not the decimal of any float is a Decimal also among floats.
        """
        value = scaled * self.unit
        if any(isinstance(number, Fraction) for number in self.distinct):
            return value
        if any(isinstance(number, Decimal) for number in self.distinct):
            return _decimal(value)
        if any(isinstance(number, float) for number in self.distinct):
            return float(value) if _is_float(value) else _decimal(value)
        return int(value)

    def dtype(self, values: Sequence[Number]) -> np.dtype[Any]:
        """int64 for integers that fit, float64 for floats (and integers among them that floats hold), else object."""
        if all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in values):
            return np.dtype(np.int64)
        if any(isinstance(value, float) for value in values) and not any(
            isinstance(value, (Decimal, Fraction)) or not _is_float(value) for value in values
        ):
            return np.dtype(np.float64)
        return np.dtype(object)

    def column(self, values: Sequence[Number]) -> np.ndarray[Any, np.dtype[Any]]:
        """Numbers as a one-dimensional array of the narrowest dtype that holds them exactly."""
        column = np.empty(len(values), self.dtype(values))
        column[:] = values
        return column


def _is_float(value: Number) -> bool:
    """Whether some float prints as this value."""
    try:
        return isinstance(value, float) or exact(float(value)) == exact(value)
    except OverflowError:
        return False
