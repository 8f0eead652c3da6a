"""Slow, plain answers about sudokus. Nothing here imports or resembles the library."""

from __future__ import annotations

import itertools

import numpy as np


def houses(height=3, width=3, diagonals=False, regions=None, extra=()):
    """Lists of cells that hold every digit once."""
    n = height * width
    rows = [[r * n + c for c in range(n)] for r in range(n)]
    columns = [[r * n + c for r in range(n)] for c in range(n)]
    area = regions or [r // height * height + c // width for r in range(n) for c in range(n)]
    boxes = [[cell for cell in range(n * n) if area[cell] == number] for number in sorted(set(area))]
    lines = [[i * n + i for i in range(n)], [i * n + n - 1 - i for i in range(n)]] if diagonals else []
    return rows + columns + boxes + lines + [list(house) for house in extra]


def solutions(puzzle, all_houses, limit=10**9):
    """Solutions of a puzzle (a sequence of digits, 0 for empty), each a tuple: an exact cover of needs by choices.

    A choice is a digit in a cell; the needs are a digit in each cell, and each digit in each house. Knuth's Algorithm X
    with sets: always meet the need that has fewest choices left.
    """
    size = len(puzzle)
    n = round(size**0.5)
    of = [[h for h, house in enumerate(all_houses) if cell in house] for cell in range(size)]
    needs_of = {
        (cell, digit): [("cell", cell), *((h, digit) for h in of[cell])]
        for cell in range(size)
        for digit in range(1, n + 1)
    }
    choices_of = {}
    for choice, needs in needs_of.items():
        for need in needs:
            choices_of.setdefault(need, set()).add(choice)
    found, taken = [], []

    def take(choice):
        removed = []
        for need in needs_of[choice]:
            for other in choices_of[need]:
                for need2 in needs_of[other]:
                    if need2 != need:
                        choices_of[need2].remove(other)
            removed.append(choices_of.pop(need))
        taken.append(choice)
        return removed

    def give_back(choice, removed):
        taken.pop()
        for need in reversed(needs_of[choice]):
            choices_of[need] = removed.pop()
            for other in choices_of[need]:
                for need2 in needs_of[other]:
                    if need2 != need:
                        choices_of[need2].add(other)

    def search():
        if not choices_of:
            board = dict(taken)
            found.append(tuple(board[cell] for cell in range(size)))
            return len(found) >= limit
        need = min(choices_of, key=lambda need: len(choices_of[need]))
        for choice in list(choices_of[need]):
            removed = take(choice)
            if search():
                return True
            give_back(choice, removed)
        return False

    for cell, digit in enumerate(puzzle):
        if digit:
            if any((cell, digit) not in choices_of.get(need, ()) for need in needs_of[cell, digit]):
                return []
            take((cell, digit))
    search()
    return found


def minlex(grid):
    """The row-minlex form of a finished grid, and how many symmetries give it: all that could begin with 123456789.

    Whatever row comes first and however columns are ordered, the digits of that row are named 1..9 in order; then rows
    sort within bands, and bands sort. That is 2 x 9 x 6^4 candidates; all are made and the least is taken.
    """
    orders = list(itertools.permutations(range(3)))
    columns = np.array(
        [
            [3 * stacks[s] + within[s][i] for s in range(3) for i in range(3)]
            for stacks in orders
            for within in itertools.product(orders, repeat=3)
        ]
    )
    best, ties = None, 0
    square = np.array(grid).reshape(9, 9)
    for board in (square, square.T):
        for row in range(9):
            images = board[:, columns].transpose(1, 0, 2)  # candidate, row, column
            k = len(images)
            names = np.zeros((k, 10), int)
            names[np.arange(k)[:, None], images[:, row]] = np.arange(1, 10)
            named = names[np.arange(k)[:, None, None], images]
            bands = named.reshape(k, 3, 3, 9)
            order = bands[..., 0].argsort(axis=2)
            bands = np.take_along_axis(bands, order[..., None], axis=2)
            order = bands[:, :, 0, 0].argsort(axis=1)
            bands = np.take_along_axis(bands, order[:, :, None, None], axis=1).reshape(k, 81)
            least = bands[np.lexsort(bands.T[::-1])[0]]
            times = int((bands == least).all(axis=1).sum())
            key = tuple(least.tolist())
            if best is None or key < best:
                best, ties = key, times
            elif key == best:
                ties += times
    return best, ties


def has_every_digit(grid):
    """Whether a finished 9x9 grid is one."""
    return all(sorted(grid[cell] for cell in house) == list(range(1, 10)) for house in houses())


def is_minimal(puzzle):
    """Whether every clue of a puzzle with one solution is needed."""
    for cell in range(81):
        if puzzle[cell]:
            fewer = list(puzzle)
            fewer[cell] = 0
            if len(solutions(fewer, houses(), 2)) < 2:
                return False
    return True


def band_tensors(bands):
    """How the columns of the three boxes of bands (k, 3, 9) meet: sizes of intersections, shape (k, 27)."""
    sets = np.bitwise_or.reduce(1 << bands.astype(int), axis=1)
    first, second, third = sets[:, :3, None, None], sets[:, None, 3:6, None], sets[:, None, None, 6:]
    sizes = np.array([bin(number).count("1") for number in range(1024)])
    return sizes[(first & second & third).reshape(-1, 27)]


def band_classes(tensors):
    """A canonical number of each tensor: the least of its images under permutations of boxes and of their columns."""
    orders = list(itertools.permutations(range(3)))
    places = np.arange(27).reshape(3, 3, 3)
    images = [
        places.transpose(axes)[np.ix_(a, b, c)].reshape(27)
        for axes in orders
        for a, b, c in itertools.product(orders, repeat=3)
    ]
    weights = np.zeros((27, len(images)), np.int64)
    for number, image in enumerate(images):
        weights[image, number] = 4 ** np.arange(27)  # an intersection has at most three digits
    return (np.asarray(tensors, np.int64) @ weights).min(axis=1).tolist()
