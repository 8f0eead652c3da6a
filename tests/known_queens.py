"""Published numbers of boards, with where they come from."""


def _from(first: int, numbers: str) -> dict[int, int]:
    return dict(enumerate(map(int, numbers.split()), first))


# OEIS A000170: n queens on an n x n board.
ALL = _from(
    0,
    "1 1 0 0 2 10 4 40 92 352 724 2680 14200 73712 365596 2279184 14772512 95815104 666090624 4968057848 39029188884",
)

# OEIS A002562: up to rotation and reflection.
FUNDAMENTAL = _from(1, "1 0 0 1 2 1 6 12 46 92 341 1787 9233 45752 285053 1846955 11977939 83263591")

# OEIS A007705: on a torus (n = 2k + 1; none for even n).
TOROIDAL = {1: 1, 3: 0, 5: 10, 7: 28, 9: 0, 11: 88, 13: 4524, 15: 0, 17: 140692, 19: 820496}
