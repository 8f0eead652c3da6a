"""A person's answer to a numbers game: read without eval, worked out exactly, and told what is wrong with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NoReturn

Kind = Literal["syntax", "card", "fraction", "negative", "value", "unused"]

_FRACTION: Final = re.compile(r"\s*([0-9]+/[0-9]+)")
_TOKEN: Final = re.compile(r"\s*(?:([0-9]+)|([-+*/()=xX\u00d7\u00b7\u00f7:\u2212\u2013]))")
_SIGNS: Final = {
    "x": "*",
    "X": "*",
    "\u00d7": "*",
    "\u00b7": "*",
    "\u00f7": "/",
    ":": "/",
    "\u2212": "-",
    "\u2013": "-",
}
_STEPS: Final = re.compile(r"[^\n;,]+")
_DEEPEST: Final = 100
_LONGEST: Final = 4_000  # no value has more digits than its text, and Python reads numbers of up to 4,300
_TIMES: Final = {1: "once", 2: "twice", 3: "three times"}
_NUMBERS: Final = {0: "none", 1: "one", 2: "two", 3: "three"}


@dataclass(frozen=True, repr=False)
class Check:
    """What became of an answer. It is true in a condition if the answer is right."""

    ok: bool
    value: int | Fraction | None
    kind: Kind | None = None
    problem: str = ""
    position: int | None = None

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        if self.ok:
            return f"<Check right: {self.value}>"
        where = "" if self.position is None else f" at {self.position}"
        return f"<Check wrong ({self.kind}){where}: {self.problem}>"


class _Wrong(Exception):
    def __init__(self, kind: Kind, problem: str, position: int | None, value: int | Fraction | None = None) -> None:
        super().__init__(problem)
        self.found = Check(False, value, kind, problem, position)


@dataclass(frozen=True)
class _Token:
    text: str
    position: int

    def is_number(self) -> bool:
        return self.text[0].isdigit()


def _fraction(text: str) -> Fraction | None:
    above, _, below = text.partition("/")
    return None if below and int(below) == 0 else Fraction(int(above), int(below or 1))


@dataclass(frozen=True)
class _Operand:
    """A part that has been worked out, and how it was written."""

    value: Fraction
    text: str


class _Reader:
    """Reads one step: a sum of products of numbers and parentheses, maybe with = and its result."""

    def __init__(self, text: str, start: int, fractions: bool, results: Sequence[Fraction]) -> None:
        self.fractions = fractions
        self.tokens: list[_Token] = []
        self.used: list[tuple[Fraction, int]] = []
        self.end = start + len(text.rstrip())
        self.depth = 0
        at, length = 0, len(text.rstrip())
        while at < length:
            # 7/5 is one number where it is the result of a step, written as such; elsewhere it is a division.
            match = _FRACTION.match(text, at)
            after_equals = bool(self.tokens) and self.tokens[-1].text == "="
            if match is None or not (after_equals or match.group(1) in map(str, results)):
                match = _TOKEN.match(text, at)
            if match is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise _Wrong("syntax", f"{text[at]!r} is not a number, a sign or a parenthesis", start + at)
            word = match.group(1) or match.group(2)
            self.tokens.append(_Token(_SIGNS.get(word, word), start + match.start(match.lastindex or 0)))
            at = match.end()
        self.at = 0

    def next(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def expected(self, what: str) -> NoReturn:
        token = self.next()
        if token is None:
            raise _Wrong("syntax", f"{what} is missing at the end", self.end)
        raise _Wrong("syntax", f"{what} is missing before {token.text!r}", token.position)

    def step(self) -> Fraction:
        """The value of the step."""
        operand = self.sum()
        token = self.next()
        if token is not None and token.text == "=":
            self.at += 1
            result = self.next()
            if result is None or not result.is_number():
                self.expected("a number")
            self.at += 1
            if _fraction(result.text) != operand.value:
                told = f"{operand.text} is {operand.value}, not {result.text}"
                raise _Wrong("value", told, result.position, _plain(operand.value))
        if self.next() is not None:
            self.expected("a sign")
        return operand.value

    def sum(self) -> _Operand:
        return self.chain(("+", "-"), self.product)

    def product(self) -> _Operand:
        return self.chain(("*", "/"), self.factor)

    def chain(self, signs: Sequence[str], read: Callable[[], _Operand]) -> _Operand:
        operand = read()
        while (token := self.next()) is not None and token.text in signs:
            self.at += 1
            operand = self.apply(token, operand, read())
        return operand

    def factor(self) -> _Operand:
        token = self.next()
        if token is not None and token.is_number():
            self.at += 1
            number = _fraction(token.text)
            assert number is not None
            self.used.append((number, token.position))
            return _Operand(number, str(number))
        if token is None or token.text != "(":
            self.expected("a number")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Wrong("syntax", f"parentheses are nested more than {_DEEPEST} deep", token.position)
        self.at += 1
        inner = self.sum()
        closing = self.next()
        if closing is None or closing.text != ")":
            self.expected("')'")
        self.at += 1
        self.depth -= 1
        return _Operand(inner.value, f"({inner.text})")

    def apply(self, sign: _Token, left: _Operand, right: _Operand) -> _Operand:
        text = f"{left.text} {sign.text} {right.text}"
        if sign.text == "+":
            value = left.value + right.value
        elif sign.text == "-":
            value = left.value - right.value
            if value <= 0:
                told = "zero" if value == 0 else "negative"
                raise _Wrong("negative", f"{left.value} - {right.value} is {told}", sign.position)
        elif sign.text == "*":
            value = left.value * right.value
        else:
            if right.value == 0:
                raise _Wrong("fraction", f"{text} divides by zero", sign.position)
            value = left.value / right.value
            if value.denominator != 1 and not self.fractions:
                raise _Wrong("fraction", f"{left.value} / {right.value} is not a whole number", sign.position)
        return _Operand(value, text)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _take(reader: _Reader, left: Counter[Fraction], cards: Sequence[int], results: Sequence[Fraction]) -> None:
    """Take the numbers of a step away from what is left of the cards and the results before it."""
    for number, position in reader.used:
        left[number] -= 1
        if left[number] >= 0:
            continue
        there = cards.count(_plain(number)) + results.count(number)
        if there == 0:
            raise _Wrong("card", f"there is no card {number}", position)
        times = there + 1
        told = f"is used {_TIMES.get(times, f'{times} times')}, and there {'is' if there == 1 else 'are'}"
        kind = "card" if _plain(number) in cards else "result"
        raise _Wrong("card", f"the {kind} {number} {told} {_NUMBERS.get(there, there)}", position)


def check_answer(text: str, cards: Sequence[int], target: int | None, fractions: bool, use_all: bool) -> Check:
    """Check an answer, which may be steps on lines of their own, or between ; or ,."""
    try:
        return _checked(text, cards, target, fractions, use_all)
    except _Wrong as wrong:
        return wrong.found


def _checked(text: str, cards: Sequence[int], target: int | None, fractions: bool, use_all: bool) -> Check:
    if len(text) > _LONGEST:
        raise _Wrong("syntax", f"the answer is longer than {_LONGEST:,} characters", _LONGEST)
    left: Counter[Fraction] = Counter(map(Fraction, cards))
    results: list[Fraction] = []
    for match in _STEPS.finditer(text):
        if not match.group().strip():
            continue
        reader = _Reader(match.group(), match.start(), fractions, results)
        value = reader.step()
        _take(reader, left, cards, results)
        left[value] += 1
        results.append(value)
    if not results:
        raise _Wrong("syntax", "there is no expression", 0)
    answer = _plain(results[-1])
    left[results[-1]] -= 1
    if target is not None and answer != target:
        raise _Wrong("value", f"the value is {answer}, not {target}", None, answer)
    unused = sorted(number for number, times in left.items() if times > 0)
    if use_all and unused:
        raise _Wrong("unused", f"not used: {', '.join(map(str, unused))}", None, answer)
    return Check(True, answer)
