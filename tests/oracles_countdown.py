"""The numbers game, slow and obviously right: all binary trees, with fractions. Nothing here imports puzzlekit.

A form is ("", card), or ("+", added terms, subtracted terms), or ("*", factors, divisors), each side sorted, with no
sum directly in a sum and no product directly in a product.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import Any

Form = Any
Value = int | Fraction


def sides(form: Form, sign: str) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    return form[1:] if form[0] == sign else ((form,), ())


def joined(sign: str, left: Form, right: Form, inverse: bool) -> Form:
    """The form of left + right (or left * right), or with the inverse operation."""
    over, under = sides(left, sign)
    more, less = sides(right, sign)
    if inverse:
        more, less = less, more
    return (sign, tuple(sorted(over + more)), tuple(sorted(under + less)))


@lru_cache(maxsize=200_000)
def value(form: Form) -> Fraction:
    if form[0] == "":
        return Fraction(form[1])
    sign, over, under = form
    result = Fraction(0) if sign == "+" else Fraction(1)
    for part in over:
        result = result + value(part) if sign == "+" else result * value(part)
    for part in under:
        result = result - value(part) if sign == "+" else result / value(part)
    return result


def without(cards: tuple[int, ...], some: tuple[int, ...]) -> tuple[int, ...]:
    left = list(cards)
    for card in some:
        left.remove(card)
    return tuple(left)


@lru_cache(maxsize=500)
def forms_of(cards: tuple[int, ...], fractions: bool) -> dict[Form, Value]:
    """The forms of all trees over all of the cards, in ascending order, whose every value is positive (and whole)."""
    if len(cards) == 1:
        return {("", cards[0]): Fraction(cards[0]) if fractions else cards[0]}
    forms: dict[Form, Value] = {}
    for left in {some for size in range(1, len(cards)) for some in combinations(cards, size)}:
        right = forms_of(without(cards, left), fractions)
        for a, x in forms_of(left, fractions).items():
            for b, y in right.items():
                forms[joined("+", a, b, False)] = x + y
                forms[joined("*", a, b, False)] = x * y
                if x > y:
                    forms[joined("+", a, b, True)] = x - y
                if fractions:
                    forms[joined("*", a, b, True)] = x / y
                elif x % y == 0:
                    forms[joined("*", a, b, True)] = x // y
    return forms


def all_forms(cards: tuple[int, ...], fractions: bool, use_all: bool) -> dict[Form, Value]:
    """Those over all of the cards, or over some."""
    hand = tuple(sorted(cards))
    if use_all:
        return forms_of(hand, fractions)
    some = {part for size in range(1, len(hand) + 1) for part in combinations(hand, size)}
    return {form: made for part in some for form, made in forms_of(part, fractions).items()}


def some_but_not_all(parts: list[tuple[Fraction, int]]) -> Iterator[tuple[tuple[Fraction, int], ...]]:
    """Two or more parts: the 1 of 1 / 2 does not cancel out."""
    for count in range(2, len(parts)):
        yield from combinations(parts, count)


def is_plain(form: Form) -> bool:
    """Nothing is multiplied or divided by 1; but 1 may be divided, as in 1 / 2."""
    if form[0] == "":
        return True
    sign, over, under = form
    if sign == "*" and (
        any(value(part) == 1 for part in under) or (len(over) > 1 and any(value(part) == 1 for part in over))
    ):
        return False
    return all(map(is_plain, over + under))


def is_irredundant(form: Form) -> bool:
    """And no terms or factors cancel out."""
    if form[0] == "":
        return True
    sign, over, under = form
    parts = [(value(part), 1) for part in over] + [(value(part), -1) for part in under]
    for some in some_but_not_all(parts):
        if sign == "+" and sum(x * way for x, way in some) == 0:
            return False
        if sign == "*":
            product = Fraction(1)
            for x, way in some:
                product *= x**way
            if product == 1:
                return False
    return is_plain(form) and all(map(is_irredundant, over + under))


LEVELS = {"raw": lambda form: True, "plain": is_plain, "irredundant": is_irredundant}


def cards_of(form: Form) -> list[int]:
    if form[0] == "":
        return [form[1]]
    return sorted(card for part in form[1] + form[2] for card in cards_of(part))


def parsed(text: str, fractions: bool) -> Form:
    """The form of an expression in Python's syntax; an assertion fails if a value on the way is not allowed."""

    def read(node: ast.expr) -> Form:
        if isinstance(node, ast.Constant):
            return ("", int(node.value))
        assert isinstance(node, ast.BinOp)
        left, right = read(node.left), read(node.right)
        sign = "+" if isinstance(node.op, (ast.Add, ast.Sub)) else "*"
        form = joined(sign, left, right, isinstance(node.op, (ast.Sub, ast.Div)))
        assert value(form) > 0
        assert fractions or value(form).denominator == 1
        return form

    return read(ast.parse(text, mode="eval").body)


def tree_count(cards: int) -> int:
    """Binary trees over some of the cards in any order with four operators, whatever their values."""
    catalan = [comb(2 * n, n) // (n + 1) for n in range(cards)]
    arrangements = [comb(cards, n) * factorial(n) for n in range(1, cards + 1)]
    return sum(ways * shapes * 4**n for n, (ways, shapes) in enumerate(zip(arrangements, catalan)))
