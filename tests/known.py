"""Published and independently found numbers, with where they come from."""

# The cross with 1..16: the published challenge and its programs; each sum's share as well.
CROSS_SUMS = {27: 4440, 28: 7400, 29: 9368, 30: 6096, 31: 5104, 32: 1200}

# Other sixteens, found by an independent search program that shares nothing with this project.
CROSS_COUNTS = {
    "1..16": (range(1, 17), 33608),
    "0..15": (range(16), 41728),
    "-8..7": (range(-8, 8), 56712),
    "even numbers 2..32": (range(2, 33, 2), 33608),
    "1..8 twice": ([*range(1, 9)] * 2, 7804),
    "1..4 four times": ([1, 2, 3, 4] * 4, 472),
    "five -1, six 0, five 1": ([-1] * 5 + [0] * 6 + [1] * 5, 430),
    "eight 0, eight 1": ([0] * 8 + [1] * 8, 13),
    "sixteen zeros": ([0] * 16, 1),
    "sixteen ones": ([1] * 16, 0),
}
