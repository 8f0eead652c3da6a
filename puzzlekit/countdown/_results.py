"""Expressions: one, and all that a search has found."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np

from puzzlekit import _call
from puzzlekit._draw import Cell, Picture, grid
from puzzlekit._solutions import Form
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit.countdown._game import Bools, Bytes, Game, listed
from puzzlekit.errors import PuzzleError

Tree: TypeAlias = Any
"""A card, or (operator, tree, tree)."""

_SIGNS: Final = {240: "+", 241: "-", 242: "*", 243: "/"}
_END: Final = 255


@dataclass(frozen=True)
class Solution:
    """An expression over some of a game's cards, and how near to the target it comes."""

    game: Game
    tokens: bytes
    """The expression in postfix order: places among the distinct cards, and 240 to 243 for + - * and /."""

    @cached_property
    def tree(self) -> Tree:
        """A card, or a tuple of an operator and two trees: ``('+', 1, ('*', 2, 3))``."""
        values = self.game._kinds[0]
        stack: list[Tree] = []
        for token in self.tokens:
            if token in _SIGNS:
                right = stack.pop()
                stack.append((_SIGNS[token], stack.pop(), right))
            else:
                stack.append(int(values[token]))
        return stack[0]

    @cached_property
    def expression(self) -> str:
        """The expression with as few parentheses as it needs: ``'(25 + 50) * 7 - 3'``."""
        return bytes(_text(self.game, np.frombuffer(self.tokens, np.uint8)[np.newaxis], "", "")).decode()

    @cached_property
    def _worked(self) -> tuple[int | Fraction, list[str]]:
        steps: list[str] = []

        def work(tree: Tree) -> int | Fraction:
            if not isinstance(tree, tuple):
                return int(tree)
            left, right = work(tree[1]), work(tree[2])
            value = _apply(tree[0], left, right)
            steps.append(f"{left} {tree[0]} {right} = {value}")
            return value

        return work(self.tree), steps

    @property
    def steps(self) -> list[str]:
        """The expression as it is told on the show: ``['25 + 50 = 75', '75 * 7 = 525', '525 - 3 = 522']``."""
        return list(self._worked[1])

    @property
    def value(self) -> int:
        """What the expression comes to."""
        value = self._worked[0]
        return int(value) if value == int(value) else value  # type: ignore[return-value]

    @property
    def cards_used(self) -> tuple[int, ...]:
        """The cards in the expression, in ascending order."""
        values = self.game._kinds[0]
        return tuple(sorted(int(values[token]) for token in self.tokens if token not in _SIGNS))

    @property
    def target(self) -> int | None:
        """The target of the game."""
        return self.game.target

    @property
    def distance(self) -> int:
        """How far the value is from the target; 0 if the game has none."""
        return 0 if self.game.target is None else abs(self.value - self.game.target)

    def __str__(self) -> str:
        return f"{self.expression} = {self.value}"

    def __repr__(self) -> str:
        away = f", {self.distance} away from {self.target}" if self.distance else ""
        return f"<Solution {self}{away}>"


def _apply(sign: str, left: int | Fraction, right: int | Fraction) -> int | Fraction:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    quotient = Fraction(left) / Fraction(right)
    return quotient.numerator if quotient.denominator == 1 else quotient


def _text(game: Game, rows: Bytes, head: str, tail: str) -> memoryview:
    """A line of text for each expression."""
    flat = np.ascontiguousarray(rows).reshape(-1)
    begin, end = (np.frombuffer(part.encode() + b"\0", "i1") for part in (head, tail))
    values = game._kinds[0]
    arguments = flat, len(rows), rows.shape[1], values, len(values), begin, len(begin) - 1, end, len(end) - 1
    size = _call.call("pk_countdown_text", *arguments, None)
    if not size and len(rows):
        raise PuzzleError("these are no expressions in postfix order over the cards of the game")
    out = np.empty(size, "i1")
    _call.call("pk_countdown_text", *arguments, out)
    return out.data.cast("B")


class Solutions(_Solutions):
    """Distinct expressions for a target. An index gives a `Solution`.

    Attributes
    ----------
    array
        Shape (expressions, 2 * cards - 1), uint8: each expression in postfix order, as places among the distinct cards
        in ascending order, 240 to 243 for + - * and /, and 255 where it has ended. Read-only.
    """

    _problem: Game

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
            return self._one(self._rows[range(len(self))[index]])
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[Any]:
        return map(self._one, self._rows)

    def _equal(self, solution: object) -> Bools:
        """Which of these are a `Solution`, or an expression as it is written here."""
        if isinstance(solution, Solution):
            same = solution.game == self._problem
            return np.array([same and one.tokens == solution.tokens for one in self], np.bool_)
        return np.array([text == solution for text in self.expressions], np.bool_)

    def _one(self, row: Bytes) -> Solution:
        return Solution(self._problem, row.tobytes().rstrip(bytes([_END])))

    @property
    def expressions(self) -> list[str]:
        """All expressions as text."""
        return bytes(_text(self._problem, self._rows, "", "\n")).decode().split("\n")[:-1]

    def _title(self) -> str:
        some = "" if self.complete else "of the "
        target = "" if self._problem.target is None else f" for {self._problem.target}"
        kind = "expression" if len(self) == 1 and self.complete else "expressions"
        return f"{len(self):,} {some}{kind}{target} with {listed(self._problem.cards)}"

    def _opening(self, form: Form) -> str:
        if form == "text":
            return ""
        if form == "csv":
            return "expression\n"
        game = self._problem
        target = "null" if game.target is None else game.target
        cards = ", ".join(map(str, game.cards))
        return f'{{"puzzle": "countdown", "cards": [{cards}], "target": {target},\n"solutions": [\n'

    def _lines(self, form: Form) -> memoryview:
        if form == "json":
            return _text(self._problem, self._rows, '"', '",\n')
        target = self._problem.target
        tail = "" if form == "csv" or target is None else f" = {target}"
        return _text(self._problem, self._rows, "", tail + "\n")

    def _picture(self, index: int) -> Picture:
        one = self[index]
        lines = [step.split() for step in one.steps] or [[str(one.value)]]
        fills = ("#e3eefa", "#ffffff", "#e3eefa", "#ffffff", "#e5f5e4")
        cells = [
            Cell(row, column, text, fills[column])
            for row, line in builtins.enumerate(lines)
            for column, text in builtins.enumerate(line)
        ]
        return grid(cells, one.expression)
