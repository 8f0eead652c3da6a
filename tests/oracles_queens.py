"""Queens by the plainest means: permutations, and a search that looks at every queen there is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import permutations

Square = tuple[int, int]


def attack(a: Square, b: Square, torus: int = 0) -> bool:
    """Whether queens on two squares attack one another; on a torus of that size if it is not 0."""
    rows, columns = a[0] - b[0], a[1] - b[1]
    if torus:
        return (
            rows % torus == 0 or columns % torus == 0 or (rows - columns) % torus == 0 or (rows + columns) % torus == 0
        )
    return rows == 0 or columns == 0 or abs(rows) == abs(columns)


def by_permutations(n: int, torus: bool = False) -> list[tuple[int, ...]]:
    """All boards, in lexicographic order."""
    size = n if torus else 0
    return [
        board
        for board in permutations(range(n))
        if not any(attack((i, board[i]), (j, board[j]), size) for i in range(n) for j in range(i))
    ]


def by_search(
    n: int, placed: Collection[Square] = (), blocked: Collection[Square] = (), torus: bool = False
) -> Iterator[tuple[int, ...]]:
    """All boards, in lexicographic order, row by row."""
    given, size = set(placed), n if torus else 0
    rows_given = {row for row, _ in given}

    def extend(board: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        row = len(board)
        if row == n:
            if given <= set(enumerate(board)):
                yield board
            return
        for column in range(n):
            square = (row, column)
            if square in blocked or (row in rows_given and square not in given):
                continue
            if not any(attack(square, (other, board[other]), size) for other in range(row)):
                yield from extend((*board, column))

    yield from extend(())


def images(board: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The images of a board under rotation and reflection, by moving every queen."""
    made, n = set(), len(board)
    squares = set(enumerate(board))
    for _ in range(4):
        squares = {(column, n - 1 - row) for row, column in squares}
        for image in (squares, {(row, n - 1 - column) for row, column in squares}):
            made.add(tuple(column for _, column in sorted(image)))
    return made
