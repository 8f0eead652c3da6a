"""The numbers game by other programs: each prints a line for each of what it finds."""

from __future__ import annotations

import sys
from collections.abc import Iterator

CARDS = (1, 3, 7, 10, 25, 50)
TARGET = 765


def quiz() -> None:
    """All targets by the method of Ruby Quiz #7 (2004), in plain Python: every term over the cards, once.

    The terms of a list of cards are those of its parts, joined by + - * and /, for every way to cut it in two; terms
    with equal operands in the other order are left out.
    """
    seen: set[int] = set()

    def terms(cards: tuple[int, ...]) -> Iterator[int]:
        if len(cards) == 1:
            yield cards[0]
            return
        for cut in range(1, 2 ** (len(cards) - 1)):
            left = tuple(card for place, card in enumerate(cards) if not cut >> place & 1)
            right = tuple(card for place, card in enumerate(cards) if cut >> place & 1)
            for a in terms(left):
                for b in terms(right):
                    yield a + b
                    if a > b:
                        yield a - b
                    elif b > a:
                        yield b - a
                    yield a * b
                    if a % b == 0:
                        yield a // b
                    if b % a == 0 and a != b:
                        yield b // a

    for chosen in range(1, 2 ** len(CARDS)):
        for value in terms(tuple(card for place, card in enumerate(CARDS) if chosen >> place & 1)):
            if 101 <= value <= 999 and value not in seen:
                seen.add(value)
                print(value, flush=True)


def solver() -> None:
    """All expressions of a target by countdown-numbers-solver."""
    import contextlib
    import io

    import countdown_numbers_solver  # type: ignore

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        countdown_numbers_solver.solve(list(CARDS), TARGET)
    for line in out.getvalue().splitlines()[:-1]:
        print(line.split("=")[0].strip(), flush=True)


if __name__ == "__main__":
    {"quiz": quiz, "solver": solver}[sys.argv[1]]()
