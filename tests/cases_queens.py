"""What the tests of queens share: boards as tuples, and random squares that are taken or barred."""

from __future__ import annotations

import random

import oracles_queens as oracle

from puzzlekit import queens


def boards(found: queens.Solutions) -> list[tuple[int, ...]]:
    return [tuple(board) for board in found.array.tolist()]


def random_case(pick: random.Random, n: int, consistent: bool) -> dict[str, list[tuple[int, int]]]:
    """Placed queens, consistent ones if so wanted, and blocked squares."""
    everywhere = [(row, column) for row in range(n) for column in range(n)]
    placed: list[tuple[int, int]] = []
    for square in pick.sample(everywhere, len(everywhere)):
        if len(placed) == pick.choice((0, 1, 1, 2, 3)):
            break
        if not consistent or not any(oracle.attack(square, other) for other in placed):
            placed.append(square)
    rest = [square for square in everywhere if square not in placed]
    return {"placed": placed, "blocked": pick.sample(rest, pick.randrange(len(rest) // 2 + 1))}
