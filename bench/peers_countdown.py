"""The numbers game by other programs: each prints a line for each of what it finds."""

from __future__ import annotations

import sys
from collections.abc import Iterator

CARDS = (1, 3, 7, 10, 25, 50)
TARGET = 765


class Term:
    """A card, or two terms and a sign, with its value; a solution is printed from it."""

    __slots__ = ("left", "right", "sign", "value")

    def __init__(self, value: int, sign: str = "", left: Term | None = None, right: Term | None = None) -> None:
        self.value = value
        self.sign = sign
        self.left = left
        self.right = right

    def __str__(self) -> str:
        return f"({self.left} {self.sign} {self.right})" if self.sign else str(self.value)


def terms(cards: tuple[int, ...]) -> Iterator[Term]:
    """Every term over some of the cards, as often as it comes up: 76,448,421 times for six cards.

    For every way to part the cards in two there are the terms of the one part, beside each of them those of the other
    part, and the two joined by each sign. So a term comes again with every larger one that it is part of.
    """
    if len(cards) == 1:
        yield Term(cards[0])
        return
    for chosen in range(1, 2 ** len(cards) - 1):
        left = tuple(card for place, card in enumerate(cards) if chosen >> place & 1)
        right = tuple(card for place, card in enumerate(cards) if not chosen >> place & 1)
        for a in terms(left):
            yield a
            for b in terms(right):
                yield b
                if b.value != 0:
                    yield Term(a.value + b.value, "+", a, b)
                    yield Term(a.value - b.value, "-", a, b)
                    yield Term(a.value * b.value, "*", a, b)
                    if a.value % b.value == 0:
                        yield Term(a.value // b.value, "/", a, b)


def quiz() -> None:
    """All targets by B. Schroeder's answer to Ruby Quiz #7 (2004), whole numbers, no memory, in plain Python.

    It prints a term for each target when that is first made, and goes on to the last term.
    """
    seen: set[int] = set()
    for term in terms(CARDS):
        if 101 <= term.value <= 999 and term.value not in seen:
            seen.add(term.value)
            print(f"{term.value} = {term}", flush=True)


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
