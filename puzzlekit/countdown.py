"""The numbers game of Countdown (Des chiffres et des lettres, Cijfers en letters): reach a target with some cards.

::

    cards   1  3  7  10  25  50          target  765          (25 - 10) * (50 + 1) = 765

Each card may be used once, with + - * and /. Values on the way must be positive whole numbers, as on the show;
``fractions=True`` allows any quotients. Zero and negative values are not allowed on the way, and negative ones would
add nothing: if every sum is replaced by its absolute value, an expression for a positive target stays one.

Two expressions are the same if they differ only by the order and nesting of sums or of products, or by which one of
two equal cards they use. ``form=`` says which expressions are listed:

* ``"irredundant"``: nothing is multiplied or divided by 1, and no terms or factors cancel out;
* ``"plain"``: nothing is multiplied or divided by 1;
* ``"raw"``: all.

>>> from puzzlekit import countdown
>>> print(countdown.solve([1, 3, 7, 10, 25, 50], 765))
(50 + 1) * (25 - 10) = 765
>>> countdown.count([1, 3, 7, 10, 25, 50], 765)
12
>>> len(countdown.reachable([1, 3, 7, 10, 25, 50]))
895

Limits: at most 24 cards, of which few enough differ (12 if all do); the product of all cards (each 1 counted as 2) is
below 2**60; with fractions the product of all (card + 1) but the smallest is below 2**31. A search that needs more
memory than there is raises MemoryError.
"""

from __future__ import annotations

import builtins
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, overload

import numpy as np

from puzzlekit import _call
from puzzlekit._answer import Check, check_answer
from puzzlekit._draw import Cell, Picture, grid
from puzzlekit._solutions import Form, stream
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit.errors import Cancelled, PuzzleError

__all__ = [
    *("UK", "Check", "Game", "Solution", "Solutions", "Survey", "check", "count", "enumerate", "game", "games"),
    *("iterate", "reachable", "solve", "survey", "unreachable", "verify"),
]

UK: Final = (*(card for card in range(1, 11) for _ in range(2)), 25, 50, 75, 100)
"""The deck of the British show: 1 to 10 twice, and four large cards."""

Form_: TypeAlias = Literal["irredundant", "plain", "raw"]
Trees: TypeAlias = Literal["trees", "pruned trees", "integer trees"]
Difficulty: TypeAlias = Literal["easy", "medium", "hard"] | tuple[int, int]
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Tree: TypeAlias = Any
"""A card, or (operator, tree, tree)."""

DIFFICULTIES: Final = {"easy": (30, 2**63), "medium": (5, 29), "hard": (1, 4)}
"""How many distinct solutions a game has."""

_FORMS: Final = {"raw": 0, "plain": 1, "irredundant": 2}
_FEWEST: Final = 3
_TREES: Final = {"trees": 0, "pruned trees": 1, "integer trees": 2}
_SIGNS: Final = {240: "+", 241: "-", 242: "*", 243: "/"}
_END: Final = 255
_MOST_CARDS: Final = 24
_MOST_KINDS: Final = 64
_MOST_PAIRS: Final = 1 << 20
_MOST_TREE_CARDS: Final = 8
_VALUES: Final = 2**60
_FRACTIONS: Final = 2**31
_NEAR: Final = 12  # targets on either side that are tried one by one before all values are asked for
_SURVEY_HI, _SURVEY_LIMIT, _SURVEY_LISTED, _SURVEY_SIZE = 1 << 14, 1 << 21, 1 << 24, 7
_WINDOW_HI: Final = 1 << 26
_TRIES: Final = 20_000


# ---- the problem ----


@dataclass(frozen=True)
class Game:
    """Some cards and a target.

    Parameters
    ----------
    cards
        Positive whole numbers in any order; they may repeat.
    target
        A positive whole number; None: every value.
    fractions
        Whether values on the way may be fractions.
    use_all
        Whether every card must be used.

    Raises
    ------
    PuzzleError
        If there are no cards, too many, or too large ones, or something is not a positive whole number.
    """

    cards: Iterable[int]
    target: int | None = None
    fractions: bool = False
    use_all: bool = False
    _kinds: tuple[Array, Bytes] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards = _cards(self.cards)
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "fractions", _flag("fractions", self.fractions))
        object.__setattr__(self, "use_all", _flag("use_all", self.use_all))
        _check_hand(cards, self.fractions)
        object.__setattr__(self, "_kinds", _kinds(cards))
        if self.target is not None:
            most = _FRACTIONS if self.fractions else _VALUES
            object.__setattr__(self, "target", _positive("target", self.target, most))

    def _hand(self) -> tuple[int, ...]:
        return self.cards  # type: ignore[return-value]

    def _plan(self, form: int, targets: Sequence[int], largest: int = _MOST_CARDS) -> _call.Plan:
        values, counts = self._kinds
        wanted = np.array(targets, np.uint64)
        options = form, int(self.fractions), int(self.use_all), largest
        return _call.Plan("countdown", values, counts, len(values), wanted, len(wanted), *options)


def _whole(name: str, value: Any) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise PuzzleError(f"{name} must be a whole number, not {value!r}")
    return int(value)


def _positive(name: str, value: Any, below: int) -> int:
    whole = _whole(name, value)
    if whole < 1:
        raise PuzzleError(f"{name} must be positive, not {whole}")
    if whole >= below:
        raise PuzzleError(f"{name} must be below 2**{below.bit_length() - 1}, not {whole}")
    return whole


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise PuzzleError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def _cards(cards: Any) -> tuple[int, ...]:
    if isinstance(cards, (str, bytes)):
        raise PuzzleError(f"cards must be whole numbers, not the text {cards!r}")
    try:
        listed = list(cards)
    except TypeError:
        raise PuzzleError(f"cards must be several whole numbers, not {cards!r}") from None
    if not listed:
        raise PuzzleError("there must be at least one card")
    return tuple(sorted(_positive("a card", card, _VALUES) for card in listed))


def _check_hand(cards: tuple[int, ...], fractions: bool) -> None:
    if len(cards) > _MOST_CARDS:
        raise PuzzleError(f"there can be at most {_MOST_CARDS} cards, not {len(cards)}")
    times = Counter(cards)
    if math.prod((count + 1) * (count + 2) // 2 for count in times.values()) > _MOST_PAIRS:
        raise PuzzleError(f"{len(cards)} cards of which {len(times)} differ are too many: at most 12 may if all do")
    product = math.prod(max(card, 2) for card in cards)
    if product >= _VALUES:
        raise PuzzleError(f"the product of the cards must be below 2**60, and that of {_shown(cards)} is {product}")
    if fractions:
        product = math.prod(card + 1 for card in cards[1:])
        if product >= _FRACTIONS:
            raise PuzzleError(
                "with fractions the product of all (card + 1) but the smallest must be below 2**31, and that of "
                f"{_shown(cards)} is {product}"
            )


def _shown(cards: Iterable[int]) -> str:
    return " ".join(map(str, cards))


def _kinds(cards: Iterable[int]) -> tuple[Array, Bytes]:
    """The distinct cards in ascending order, and how many there are of each."""
    times = sorted(Counter(cards).items())
    return np.array([card for card, _ in times], np.uint64), np.array([count for _, count in times], np.uint8)


def _problem(cards: Iterable[int] | Game, target: int | None, fractions: bool, use_all: bool) -> Game:
    if not isinstance(cards, Game):
        return Game(cards, target, fractions, use_all)
    if target is not None or fractions or use_all:
        raise PuzzleError("target, fractions and use_all are those of the Game given; make another one instead")
    return cards


def _form(form: Any) -> int:
    if form not in _FORMS:
        raise PuzzleError(f"form must be one of {', '.join(_FORMS)}, not {form!r}")
    return _FORMS[form]


# ---- solutions ----


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
    arguments = flat, len(rows), rows.shape[1], game._kinds[0], begin, len(begin) - 1, end, len(end) - 1
    out = np.empty(_call.call("pk_countdown_text", *arguments, None), "i1")
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
        return f"{len(self):,} {some}expressions{target} with {_shown(self._problem._hand())}"

    def _opening(self, form: Form) -> str:
        if form == "text":
            return ""
        if form == "csv":
            return "expression\n"
        game = self._problem
        target = "null" if game.target is None else game.target
        cards = ", ".join(map(str, game._hand()))
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


# ---- expressions ----


def enumerate(
    cards: Iterable[int] | Game,
    target: int | None = None,
    *,
    form: Form_ = "irredundant",
    fractions: bool = False,
    use_all: bool = False,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solutions:
    """Every distinct expression that makes the target.

    Parameters
    ----------
    cards
        Positive whole numbers, or a `Game`.
    target
        What to make; None for every value.
    form
        ``"irredundant"``, ``"plain"`` or ``"raw"``; see the module.
    fractions
        Whether values on the way may be fractions.
    use_all
        Whether every card must be used.
    limit
        At most this many: the first ones.
    threads
        How many threads search; None for as many as the machine grants. The result does not depend on it.
    progress
        None; True for a bar; or a callable that is called with (units done, units in all, solutions found) and stops
        the search by returning False or raising.

    Returns
    -------
    Solutions
        Fewest cards first; then by the cards that are used, in lexicographic order; then in the order in which the
        search meets them, which is the same every time: sums before products. ``complete`` is false after a limit or
        when `progress` stopped the search; then these are the first of all solutions.

    Raises
    ------
    PuzzleError
        If a card or the target is not a positive whole number, or too large for exact answers, or another argument is
        not what it should be.

    Notes
    -----
    The game, and the count of its trees, are those of G. Hutton, The Countdown problem, JFP 12 (2002). Distinct forms
    are found from the target down, over tables of the values of all small sets of cards; csrc/countdown_search.h says
    how.

    Examples
    --------
    >>> for solution in enumerate([1, 3, 7, 10, 25, 50], 765, limit=3):
    ...     print(solution)
    (50 + 1) * (25 - 10) = 765
    (50 + 1) * (25 - 7 - 3) = 765
    ((50 - 10) * 7 - 25) * 3 = 765
    >>> enumerate([3, 3, 8, 8], 24, fractions=True, use_all=True).expressions
    ['8 / (3 - 8 / 3)']
    """
    problem = _problem(cards, target, fractions, use_all)
    plan = problem._plan(_form(form), [problem.target or 0])
    rows = _call.enumerate_rows(plan, limit=limit, threads=threads, progress=progress)
    return Solutions(problem, rows.array, complete=rows.complete, stats=rows.stats)


def count(
    cards: Iterable[int] | Game,
    target: int | None = None,
    *,
    form: Form_ | Trees = "irredundant",
    fractions: bool = False,
    use_all: bool = False,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> int:
    """The number of expressions that make the target, or `limit` if there are at least that many.

    Parameters are as in `enumerate`, but there are more forms.

    Parameters
    ----------
    form
        Also ``"trees"``: every binary tree over some of the cards, told apart by the places of cards and the order of
        operands, as Hutton's paper counts them; ``"pruned trees"``: only those of its pruning rules (operands of + and
        * in order, nothing times or divided by 1); ``"integer trees"``: also with zero and negative values. For up to
        8 cards, without `fractions` and `use_all`.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.

    Examples
    --------
    >>> cards = [1, 3, 7, 10, 25, 50]
    >>> count(cards, 765), count(cards, 765, form="raw"), count(cards, 765, form="trees")
    (12, 22, 780)
    >>> count(cards, form="trees")
    4672540
    """
    problem = _problem(cards, target, fractions, use_all)
    if form in _TREES:
        plan = _trees_plan(problem, form)
    elif form in _FORMS:
        plan = problem._plan(_form(form), [problem.target or 0])
    else:
        raise PuzzleError(f"form must be one of {', '.join([*_FORMS, *_TREES])}, not {form!r}")
    return _call.count(plan, limit=limit, threads=threads, progress=progress)


def _trees_plan(problem: Game, form: str) -> _call.Plan:
    if problem.fractions or problem.use_all:
        raise PuzzleError("trees are counted over whole numbers and some of the cards: no fractions, no use_all")
    hand = problem._hand()
    if len(hand) > _MOST_TREE_CARDS:
        raise PuzzleError(f"trees are counted for up to {_MOST_TREE_CARDS} cards, not {len(hand)}")
    return _call.Plan("countdown_trees", np.array(hand, np.uint64), len(hand), problem.target or 0, _TREES[form])


@overload
def iterate(
    cards: Iterable[int] | Game,
    target: int | None = ...,
    *,
    form: Form_ = ...,
    fractions: bool = ...,
    use_all: bool = ...,
    batch: None = ...,
    limit: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Solution]: ...
@overload
def iterate(
    cards: Iterable[int] | Game,
    target: int | None = ...,
    *,
    form: Form_ = ...,
    fractions: bool = ...,
    use_all: bool = ...,
    batch: int,
    limit: int | None = ...,
    threads: int | None = ...,
    progress: _call.Progress = ...,
) -> Iterator[Solutions]: ...
def iterate(
    cards: Iterable[int] | Game,
    target: int | None = None,
    *,
    form: Form_ = "irredundant",
    fractions: bool = False,
    use_all: bool = False,
    batch: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Iterator[Solution] | Iterator[Solutions]:
    """The solutions of `enumerate`, in the same order, while they are searched for; memory stays flat.

    Parameters
    ----------
    batch
        None: one `Solution` at a time. Else `Solutions` of that many, the last ones maybe fewer.

    Other parameters are as in `enumerate`. Closing the iterator, or forgetting it, stops the search.

    Raises
    ------
    Cancelled
        From the iterator, if `progress` stopped the search.

    Examples
    --------
    >>> print(next(iterate([2, 3, 5, 7, 11, 13, 17, 19], 1000)))
    (17 * 11 + 13) * 5 = 1000
    >>> [len(some) for some in iterate([1, 3, 7, 10, 25, 50], 765, batch=5)]
    [5, 5, 2]
    """
    problem = _problem(cards, target, fractions, use_all)
    size = batch if batch is None else _call.batch_size(batch)
    plan = problem._plan(_form(form), [problem.target or 0])
    blocks = _call.iterate_rows(plan, limit=limit, threads=threads, progress=progress)
    return stream(blocks, lambda rows: Solutions(problem, rows, complete=False), size)


def solve(
    cards: Iterable[int] | Game,
    target: int | None = None,
    *,
    fractions: bool = False,
    use_all: bool = False,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Solution:
    """An expression with the fewest cards that makes the target, or comes as near to it as can be.

    Parameters
    ----------
    cards, target, fractions, use_all, threads, progress
        As in `enumerate`; there must be a target.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.

    Returns
    -------
    Solution
        Its ``value`` is the target if that can be reached. Else it is the nearest whole number that can, the smaller
        one if two are equally near. Of all expressions for it, this one has the fewest cards; of those, the cards
        that come first in lexicographic order, and then the first that the search meets.

    Examples
    --------
    >>> solve([25, 50, 3, 7], 522)
    <Solution (50 + 25) * 7 - 3 = 522>
    >>> solve([25, 50, 3, 7], 522).steps
    ['50 + 25 = 75', '75 * 7 = 525', '525 - 3 = 522']
    >>> solve([1, 3, 7, 10, 25, 50], 831)
    <Solution (25 * 3 + 7 + 1) * 10 = 830, 1 away from 831>
    """
    problem = _problem(cards, target, fractions, use_all)
    if problem.target is None:
        raise PuzzleError("solve needs a target")
    most = _FRACTIONS if problem.fractions else _VALUES
    around = (problem.target + step for distance in range(1, _NEAR + 1) for step in (-distance, distance))
    wanted = [problem.target, *(value for value in around if 0 < value < most)]
    found = None
    options: dict[str, Any] = {"threads": threads, "progress": progress}
    if not problem.use_all:  # six cards make nearly everything, and larger sets take longer to prepare
        found = _first(problem, wanted, 6, **options)
        if found is not None and found.distance and len(problem._hand()) > 6:
            found = None
    if found is None:
        found = _first(problem, wanted, **options)
    if found is None:
        values = _every_value(problem, None, None).astype(object)
        nearest = min(values, key=lambda value: (abs(value - problem.target), value))
        found = _first(problem, [nearest], **options)
    assert found is not None  # the sum of all cards can always be reached
    return found


def _first(problem: Game, targets: Sequence[int], largest: int = _MOST_CARDS, **options: Any) -> Solution | None:
    """An expression with the fewest cards for the first target that has one."""
    rows = _call.enumerate_rows(problem._plan(_FEWEST, targets, largest), limit=1, **options)
    if not len(rows.array):
        _all_there(rows)
        return None
    found: Solution = Solutions(problem, rows.array)[0]
    return found


def verify(
    cards: Iterable[int] | Game,
    target: int | None,
    rows: Any,
    *,
    fractions: bool = False,
    use_all: bool = False,
) -> Bools:
    """Which expressions make the target with the cards that there are, by the rules.

    Parameters
    ----------
    cards, target, fractions, use_all
        As in `enumerate`.
    rows
        `Solutions`, its ``array``, or texts as `check` takes them.

    Returns
    -------
    numpy.ndarray
        Shape (rows,), bool. Each is worked out in Python with exact fractions, and shares nothing with the search.

    Examples
    --------
    >>> verify([3, 3, 8, 8], 24, ["8 / (3 - 8 / 3)", "3 * 8"], fractions=True)
    array([ True,  True])
    >>> verify([3, 3, 8, 8], 24, ["8 / (3 - 8 / 3)", "8 * 8 - 40"])
    array([False, False])
    """
    problem = _problem(cards, target, fractions, use_all)
    if isinstance(rows, Solutions):
        texts: Iterable[str] = rows.expressions
    elif isinstance(rows, np.ndarray) and rows.dtype == np.uint8:
        texts = Solutions(problem, rows).expressions
    else:
        texts = rows
    return np.array([bool(_checked(text, problem)) for text in texts], np.bool_)


def check(
    expression: str,
    cards: Iterable[int] | Game,
    target: int | None = None,
    *,
    fractions: bool = False,
    use_all: bool = False,
) -> Check:
    """Check a person's answer.

    Parameters
    ----------
    expression
        One expression, such as ``(25 + 50) x 7 - 3``, or steps on lines of their own, such as ``25 + 50 = 75`` and
        ``75 x 7 = 525``: results of steps can be used like cards, once, and the last step is the answer. Signs are
        + - * x × · / : and ÷.
    cards, target, fractions, use_all
        As in `enumerate`; without a target any value will do.

    Returns
    -------
    Check
        True in a condition if the answer is right. Else ``problem`` says what is wrong, ``kind`` in a word, and
        ``position`` where in the text; ``value`` is what the answer comes to, if it can be worked out.

    Examples
    --------
    >>> check("(25 + 50) x 7 - 3", [25, 50, 3, 7], 522)
    <Check right: 522>
    >>> check("25 + 25 * 3", [25, 50, 3, 7], 100).problem
    'the card 25 is used twice, and there is one'
    >>> check("50 / 3", [25, 50, 3, 7], 17)
    <Check wrong (fraction) at 3: 50 / 3 is not a whole number>
    >>> bool(check("25 + 50 = 75; 75 * 7 = 525; 525 - 3 = 522", [25, 50, 3, 7], 522))
    True
    """
    return _checked(expression, _problem(cards, target, fractions, use_all))


def _checked(text: Any, problem: Game) -> Check:
    if not isinstance(text, str):
        raise PuzzleError(f"an expression must be a text, not {text!r}")
    return check_answer(text, problem._hand(), problem.target, problem.fractions, problem.use_all)


# ---- what can be reached ----


def _window(lo: Any, hi: Any) -> tuple[int | None, int | None]:
    lo = None if lo is None else _positive("lo", lo, _VALUES)
    hi = None if hi is None else _positive("hi", hi, _VALUES)
    if lo is not None and hi is not None and lo > hi:
        raise PuzzleError(f"lo must not be above hi, and {lo} is above {hi}")
    return lo, hi


def reachable(
    cards: Iterable[int] | Game,
    lo: int | None = 101,
    hi: int | None = 999,
    *,
    fractions: bool = False,
    use_all: bool = False,
) -> Ints:
    """All targets that the cards can make.

    Parameters
    ----------
    cards, fractions, use_all
        As in `enumerate`; the target of a `Game` plays no part.
    lo, hi
        The least and the greatest target of interest, or None.

    Returns
    -------
    numpy.ndarray
        The targets in ascending order, int64.

    Examples
    --------
    >>> reachable([2, 3], lo=None, hi=None)
    array([1, 2, 3, 5, 6])
    >>> reachable([2, 3], lo=None, hi=None, use_all=True)
    array([1, 5, 6])
    """
    problem = _problem(cards, None, fractions, use_all)
    lo, hi = _window(lo, hi)
    if hi is None or hi > _WINDOW_HI:
        return _every_value(problem, lo, hi)
    return np.flatnonzero(_reached(problem, lo or 1, hi)) + (lo or 1)


def unreachable(
    cards: Iterable[int] | Game,
    lo: int | None = 101,
    hi: int = 999,
    *,
    fractions: bool = False,
    use_all: bool = False,
) -> Ints:
    """The targets from `lo` to `hi` that the cards cannot make, in ascending order. Parameters as in `reachable`.

    Examples
    --------
    >>> unreachable([1, 3, 7, 10, 25, 50])
    array([831, 834, 941, 977])
    """
    problem = _problem(cards, None, fractions, use_all)
    lo, greatest = _window(lo, hi)
    if greatest is None or greatest > _WINDOW_HI:
        raise PuzzleError(f"unreachable needs a hi of at most {_WINDOW_HI}, not {hi}")
    return np.flatnonzero(~_reached(problem, lo or 1, greatest)) + (lo or 1)


def _every_value(problem: Game, lo: int | None, hi: int | None) -> Ints:
    values, counts = problem._kinds
    options = 1, 0, 0, int(problem.fractions), int(problem.use_all)
    plan = _call.Plan("countdown_reach", values, counts, len(values), *options)
    found = np.unique(_call.enumerate_rows(plan, threads=1).array.reshape(-1).view(np.int64))
    return found[(found >= (lo or 0)) & (found <= (_VALUES if hi is None else hi))]


def _reached(problem: Game, lo: int, hi: int) -> Bools:
    """Which targets lo .. hi the hand reaches."""
    values, counts = problem._kinds
    hand = problem._hand()
    if problem.fractions or problem.use_all or not _fits_survey(hand, min(6, len(hand)), hi):
        every: Bools = _reach_hands(values, counts[np.newaxis], lo, hi, problem.fractions, problem.use_all)[0]
        return every
    if len(hand) <= 6:
        out = np.empty(hi - lo + 1, np.uint8)
        _call.check(_call.call("pk_countdown_hand", values, counts, len(values), lo, hi, _call.cpu_level(), out))
        return out.view(np.bool_)
    # Six cards reach nearly everything; sets of more cards are gone through only if something is missing.
    reached = np.zeros(hi - lo + 1, np.bool_)
    for size in range(6, len(hand) + 1):
        if _fits_survey(hand, size, hi):
            reached |= _survey(values, counts, size, lo, hi, None, None).any(axis=0)
        elif not reached.all():
            reached |= _reach_hands(values, counts[np.newaxis], lo, hi, False, False)[0]
            break
        if reached.all():
            break
    return reached


def _reach_hands(
    values: Array,
    counts: Bytes,
    lo: int,
    hi: int,
    fractions: bool,
    use_all: bool,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Bools:
    """Which targets lo .. hi each hand reaches; `counts` has a row for each."""
    flat = np.ascontiguousarray(counts).reshape(-1)
    options = len(counts), lo, hi, int(fractions), int(use_all)
    plan = _call.Plan("countdown_reach", values, flat, len(values), *options)
    found = _call.enumerate_rows(plan, threads=threads, progress=progress)
    _all_there(found)
    return _bits(found.array.view(np.uint64), lo, hi)


def _all_there(found: _call.Rows) -> None:
    if not found.complete:
        raise Cancelled("progress stopped the search")


def _bits(sets: Array, lo: int, hi: int) -> Bools:
    """Bits lo .. hi of each row of words, as booleans."""
    out = np.empty((len(sets), hi - lo + 1), np.uint8)
    flat = np.ascontiguousarray(sets).reshape(-1)
    _call.call("pk_countdown_bytes", flat, len(sets), sets.shape[1], lo, hi, out.reshape(-1))
    made: Bools = out.view(np.bool_)
    return made


def _fits_survey(deck: Sequence[int], size: int, hi: int) -> bool:
    """Whether the fast search of all hands can take them; its limits are in csrc/countdown_survey.c."""
    if not 3 <= size <= min(_SURVEY_SIZE, len(deck)) or hi > _SURVEY_HI or max(deck) * hi > _SURVEY_LIMIT:
        return False
    large = [max(card, 2) for card in sorted(deck, reverse=True)]
    listed = range(1, size - 1)
    return all(
        min(math.prod(large[:cards]), (hi + 1) * math.prod(large[: size - cards])) < _SURVEY_LISTED for cards in listed
    )


def _survey(
    values: Array,
    counts: Bytes,
    size: int,
    lo: int,
    hi: int,
    threads: int | None,
    progress: _call.Progress,
    cpu: int | None = None,
) -> Bools:
    """Which targets lo .. hi each set of `size` cards reaches: two stages that share tables, and their union."""
    level = _call.cpu_level() if cpu is None else cpu
    plan = _call.Plan("countdown_survey", values, counts, len(values), size, lo, hi, level)
    sets = np.zeros((plan.units, plan.row_bytes // 8 - 1), np.uint64)
    for stage in (plan, _call.Plan("countdown_last_card", plan.pointer, sets)):
        found = _call.enumerate_rows(stage, threads=threads, progress=progress)
        _all_there(found)
        _call.call("pk_countdown_join", found.array.reshape(-1), len(found.array), sets.shape[1], sets.reshape(-1))
    return _bits(sets, lo, hi)


# ---- the game space ----


def _deck(deck: Any, size: Any) -> tuple[tuple[int, ...], Array, Bytes, int]:
    cards = _cards(deck)
    values, counts = _kinds(cards)
    if len(values) > _MOST_KINDS:
        raise PuzzleError(f"a deck can have at most {_MOST_KINDS} different cards, not {len(values)}")
    if counts.max() > 255 or math.prod(int(count) + 1 for count in counts) > 1 << 25:
        raise PuzzleError(f"a deck of {len(cards)} cards of which {len(values)} differ has too many sets")
    whole = _whole("size", size)
    if not 1 <= whole <= min(len(cards), _MOST_CARDS):
        raise PuzzleError(f"size must be 1 to {min(len(cards), _MOST_CARDS)} for this deck, not {whole}")
    return cards, values, counts, whole


def _all_counts(counts: Bytes, size: int) -> Bytes:
    sets = _call.call("pk_countdown_games", counts, len(counts), size, None)
    out = np.empty((sets, len(counts)), np.uint8)
    _call.call("pk_countdown_games", counts, len(counts), size, out.reshape(-1))
    return out


def games(deck: Iterable[int] = UK, size: int = 6) -> Ints:
    """All sets of cards that can be drawn.

    Parameters
    ----------
    deck
        The cards that there are; equal ones are interchangeable.
    size
        How many are drawn.

    Returns
    -------
    numpy.ndarray
        Shape (sets, size), int64: each set in ascending order, all sets in lexicographic order.

    Examples
    --------
    >>> games().shape
    (13243, 6)
    >>> games([1, 1, 2, 25], 2)
    array([[ 1,  1],
           [ 1,  2],
           [ 1, 25],
           [ 2, 25]])
    """
    _, values, counts, size = _deck(deck, size)
    times = _all_counts(counts, size)
    return np.repeat(np.tile(values.astype(np.int64), len(times)), times.reshape(-1)).reshape(-1, size)


@dataclass(frozen=True, eq=False, repr=False)
class Survey:
    """Which targets each set of cards of a deck reaches.

    Attributes
    ----------
    deck, size, lo, hi, fractions
        What was surveyed.
    reached
        Shape (sets, targets), bool: rows as `games` has them, columns for lo .. hi.
    """

    deck: tuple[int, ...]
    size: int
    lo: int
    hi: int
    fractions: bool
    reached: Bools

    @cached_property
    def cards(self) -> Ints:
        """The sets: shape (sets, size), as `games` has them."""
        return games(self.deck, self.size)

    @cached_property
    def targets(self) -> Ints:
        """lo .. hi."""
        return np.arange(self.lo, self.hi + 1)

    @cached_property
    def targets_of_set(self) -> Ints:
        """How many targets each set reaches."""
        made: Ints = np.count_nonzero(self.reached, axis=1).astype(np.int64)
        return made

    @cached_property
    def sets_of_target(self) -> Ints:
        """How many sets reach each target."""
        made: Ints = self.reached.sum(axis=0, dtype=np.int64)
        return made

    @property
    def pairs(self) -> int:
        """Sets times targets."""
        return self.reached.size

    @property
    def solvable(self) -> int:
        """How many pairs of a set and a target can be solved."""
        return int(self.targets_of_set.sum())

    @property
    def full_sets(self) -> int:
        """How many sets reach every target."""
        return int((self.targets_of_set == len(self.targets)).sum())

    @cached_property
    def probability(self) -> float:
        """The chance that a random draw of cards and a random target can be solved."""
        values, counts = _kinds(self.deck)
        times = _all_counts(counts, self.size)
        ways = np.array([[math.comb(int(count), k) for k in range(self.size + 1)] for count in counts], np.float64)
        weights = ways[np.arange(len(values)), times].prod(axis=1)
        return float(weights @ self.targets_of_set / (weights.sum() * len(self.targets)))

    def hardest_targets(self, most: int = 5) -> list[tuple[int, int]]:
        """The targets that the fewest sets reach, with how many do."""
        order = np.argsort(self.sets_of_target, kind="stable")[:most]
        return [(int(self.targets[place]), int(self.sets_of_target[place])) for place in order]

    def hardest_sets(self, most: int = 5) -> list[tuple[tuple[int, ...], int]]:
        """The sets that reach the fewest targets, with how many they reach."""
        order = np.argsort(self.targets_of_set, kind="stable")[:most]
        return [(tuple(self.cards[place].tolist()), int(self.targets_of_set[place])) for place in order]

    @cached_property
    def distances(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """How far the nearest reachable value is from each target: shape (sets, targets), uint32.

        Values outside of lo .. hi count as well, so this is a wider survey, made when it is asked for.
        """
        wide = _survey_deck(self.deck, self.size, 1, 2 * self.hi, self.fractions, None, None)
        places = np.arange(1, 2 * self.hi + 1, dtype=np.int32)
        nearest = np.full(self.reached.shape, np.iinfo(np.uint32).max, np.uint32)
        step = max(1, (1 << 22) // wide.shape[1])
        for start in range(0, len(wide), step):
            some = wide[start : start + step]
            far = 8 * self.hi
            below = np.maximum.accumulate(np.where(some, places, -far), axis=1)[:, self.lo - 1 : self.hi]
            above = np.minimum.accumulate(np.where(some, places, far)[:, ::-1], axis=1)[:, ::-1]
            target = places[self.lo - 1 : self.hi]
            nearest[start : start + step] = np.minimum(target - below, above[:, self.lo - 1 : self.hi] - target)
        return nearest

    def summary(self, distances: bool = False) -> str:
        """The totals as text; with `distances`, also how far unsolvable pairs are from their nearest values."""
        share = 100 * self.solvable / self.pairs
        lines = [
            f"{len(self.reached):,} sets of {self.size} cards, targets {self.lo} to {self.hi}",
            f"{self.solvable:,} of {self.pairs:,} pairs can be solved ({share:.2f} %)",
            f"{100 * self.probability:.2f} % of random draws can be solved",
            f"{self.full_sets:,} sets reach every target",
            "hardest targets: " + ", ".join(f"{target} ({sets:,} sets)" for target, sets in self.hardest_targets()),
            "hardest sets: " + ", ".join(f"{_shown(cards)} ({reach:,})" for cards, reach in self.hardest_sets(3)),
        ]
        if distances:
            near = np.bincount(self.distances.reshape(-1))
            first = ", ".join(f"{near[away]:,} are {away} away" for away in range(1, min(6, len(near))) if near[away])
            lines.append(f"nearest values: {first}; the farthest is {len(near) - 1} away")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Survey of {len(self.reached):,} sets of {self.size} cards: {self.solvable:,} of {self.pairs:,} pairs>"


def survey(
    deck: Iterable[int] = UK,
    size: int = 6,
    lo: int = 101,
    hi: int = 999,
    *,
    fractions: bool = False,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> Survey:
    """Which targets every set of cards reaches: the whole space of games.

    Parameters
    ----------
    deck, size
        As in `games`.
    lo, hi
        The targets.
    fractions
        Whether values on the way may be fractions; this takes some thousand times as long.
    threads, progress
        As in `enumerate`; there are two rounds of progress.

    Returns
    -------
    Survey
        With ``reached``, a boolean array of shape (sets, targets), and its totals.

    Raises
    ------
    Cancelled
        If `progress` stopped the search.

    Notes
    -----
    Sets share the work on their subsets; csrc/countdown_survey.c says how.

    Examples
    --------
    >>> space = survey()
    >>> space.solvable, space.pairs, space.full_sets
    (10858746, 11905457, 1226)
    >>> space.hardest_targets(2)
    [(947, 9017), (941, 9045)]
    """
    cards, _, _, size = _deck(deck, size)
    lo = _positive("lo", lo, _VALUES)
    hi = _positive("hi", hi, _WINDOW_HI)
    _window(lo, hi)
    reached = _survey_deck(cards, size, lo, hi, _flag("fractions", fractions), threads, progress)
    reached.flags.writeable = False
    return Survey(cards, size, lo, hi, bool(fractions), reached)


def _survey_deck(
    deck: tuple[int, ...],
    size: int,
    lo: int,
    hi: int,
    fractions: bool,
    threads: int | None,
    progress: _call.Progress,
) -> Bools:
    values, counts = _kinds(deck)
    if not fractions and _fits_survey(deck, size, hi):
        return _survey(values, counts, size, lo, hi, threads, progress)
    _check_hand(tuple(sorted(sorted(deck, reverse=True)[:size])), fractions)
    return _reach_hands(values, _all_counts(counts, size), lo, hi, fractions, False, threads, progress)


# ---- a game to play ----


def game(
    seed: int | random.Random | None = None,
    large: int | None = None,
    solvable: bool | None = None,
    difficulty: Difficulty | None = None,
) -> Game:
    """A random game by the rules of the show: six cards of the `UK` deck, and a target from 101 to 999.

    Parameters
    ----------
    seed
        A whole number or a random.Random, for the same game again; None for another one each time.
    large
        How many of the cards are 25, 50, 75 or 100: 0 to 4. None: any number, all equally likely.
    solvable
        True: the target can be reached; False: it cannot; None: it may be either.
    difficulty
        How many distinct solutions there are: ``"easy"`` 30 or more, ``"medium"`` 5 to 29, ``"hard"`` 1 to 4, or a pair
        (least, greatest).

    Returns
    -------
    Game
        Cards are drawn as on the show. Targets are equally likely among those that are wanted; cards for which there
        are none are drawn again.

    Raises
    ------
    PuzzleError
        If an argument is not what it should be, or no such game turns up.

    Examples
    --------
    >>> some = game(seed=1, large=2, solvable=True)
    >>> some.cards, some.target
    ((...), ...)
    >>> solve(some).distance
    0
    """
    pick = _generator(seed)
    if large is not None and not 0 <= _whole("large", large) <= 4:
        raise PuzzleError(f"large must be 0 to 4, not {large}")
    if solvable is not None:
        _flag("solvable", solvable)
    least, greatest = _solutions_wanted(difficulty)
    if solvable is False and greatest > 0 and difficulty is not None:
        raise PuzzleError(f"a game that cannot be solved has no difficulty; {difficulty!r} was asked for")
    for _ in range(_TRIES):
        of_large = pick.randint(0, 4) if large is None else int(large)
        cards = [*pick.sample(UK[20:], of_large), *pick.sample(UK[:20], 6 - of_large)]
        if solvable is None and difficulty is None:
            return Game(cards, pick.randint(101, 999))
        targets = unreachable(cards) if solvable is False else reachable(cards)
        if len(targets) == 0:
            continue
        made = Game(cards, int(targets[pick.randrange(len(targets))]))
        if difficulty is None or least <= count(made) <= greatest:
            return made
    raise PuzzleError(f"none of {_TRIES:,} random games has {least} to {greatest} solutions")


def _generator(seed: Any) -> random.Random:
    if isinstance(seed, random.Random):
        return seed
    return random.Random() if seed is None else random.Random(_whole("seed", seed))


def _solutions_wanted(difficulty: Any) -> tuple[int, int]:
    if difficulty is None:
        return 0, 2**63
    if isinstance(difficulty, str) and difficulty in DIFFICULTIES:
        return DIFFICULTIES[difficulty]
    if isinstance(difficulty, tuple) and len(difficulty) == 2:
        least, greatest = (_whole("difficulty", bound) for bound in difficulty)
        if 1 <= least <= greatest:
            return least, greatest
    raise PuzzleError(
        f"difficulty must be easy, medium, hard or a pair (least, greatest) from 1 on, not {difficulty!r}"
    )
