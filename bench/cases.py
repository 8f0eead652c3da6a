"""Frozen inputs of the benchmarks, with their answers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple


class Cross(NamedTuple):
    """Sixteen numbers and how many fillings of the cross they have."""

    name: str
    values: Sequence[int | Fraction]
    fillings: int


def _random(seed: int, bits: int) -> list[int]:
    """Sixteen numbers of so many bits, signed. getrandbits gives the same ones in every version of Python."""
    chance = random.Random(seed)
    return [chance.getrandbits(bits) - 2 ** (bits - 1) for _ in range(16)]


def _planted(seed: int, bits: int) -> list[int]:
    """The same, but the seven lines have equal sums if the numbers are filled in as they stand here."""
    c = _random(seed, bits - 3)
    total = c[0] + c[1] + c[2]
    c[11] = total - c[2] - c[7]
    c[12] = total - c[9] - c[10] - c[11]
    c[15] = total - c[0] - c[6] - c[9]
    c[14] = total - c[13] - c[15]
    c[8] = total - c[4] - c[13]
    c[5] = total - c[3] - c[4] - c[6]
    return c


CROSS_DIGEST: Final = "fa6b408159317a74e5c9c2cbd72012d36cbabe8db81070bd19b5c605e57d7fae"
"""SHA-256 of all fillings with 1..16: 16 bytes each, in lexicographic order."""

CROSS: Final = (
    Cross("1..16", range(1, 17), 33_608),
    Cross("0..15", range(16), 41_728),
    Cross("-8..7", range(-8, 8), 56_712),
    Cross("1, 1, 2, 2, ..., 8, 8", [i // 2 for i in range(2, 18)], 7_804),
    Cross("1, 2, 3, 4, four of each", [1, 2, 3, 4] * 4, 472),
    Cross("sixteen zeros", [0] * 16, 1),
    Cross("random 32 bits, seed 1", _random(1, 32), 0),
    Cross("random 32 bits, seed 2", _random(2, 32), 0),
    Cross("random 32 bits, seed 3", _random(3, 32), 0),
    Cross("random 32 bits, one planted", _planted(4, 32), 8),
    Cross("random 128 bits, one planted", _planted(5, 128), 8),
    Cross("1/7, 2/7, ..., 16/7", [Fraction(i, 7) for i in range(1, 17)], 33_608),
    Cross("1..16 times 10^30", [i * 10**30 for i in range(1, 17)], 33_608),
    Cross("most fillings known", [-6, -5, -4, -3, -2, -1, 0, 0, 1, 2, 2, 3, 4, 5, 6, 7], 65_234),
    Cross("longest time known", [-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 62_456),
)

QUEENS: Final = (
    *(1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512, 95_815_104),
    *(666_090_624, 4_968_057_848, 39_029_188_884),
)
"""Boards with n queens, by n (OEIS A000170)."""

QUEENS_BARRED: Final = 4_823_136
"""Boards with 16 queens, none on the squares (row, (7 row + 3) mod 16)."""

COUNTDOWN_CARDS: Final = (1, 3, 7, 10, 25, 50)

COUNTDOWN_REACHED: Final = {
    COUNTDOWN_CARDS: 895,
    (1, 3, 7, 8, 10, 25, 50): 899,
    (2, 3, 3, 5, 6, 7, 8, 75): 899,
    (1, 1, 2, 2, 3, 3, 4): 121,
    (1, 1, 2, 2, 3, 3, 4, 4): 657,
}
"""Hands, and how many of 101..999 they reach."""

COUNTDOWN_FRACTIONS: Final = 896
"""The same for the first hand with fractions."""

COUNTDOWN_MOST: Final = ((2, 4, 8, 25, 50, 100), 200)
"""The game with the most solutions."""

MORON: Final = (32, 33, (1, 4, 7, 8, 9, 10, 14, 15, 18))
DUIJVESTIJN: Final = (112, 112, (2, 4, 6, 7, 8, 9, 11, 15, 16, 17, 18, 19, 24, 25, 27, 29, 33, 35, 37, 42, 50))
TILING_SMALL: Final = (9, 8, (1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 4))
"""Columns, rows, sides of the squares: see tests/known_tiling.py. The last is for exact cover, which is slow."""
TILING_SMALL_COUNT: Final = 72
