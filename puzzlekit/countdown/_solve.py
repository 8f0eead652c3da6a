"""Expressions for a target: all, how many, one after another, or one with the fewest cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, overload

import numpy as np

from puzzlekit import _call
from puzzlekit._solutions import stream
from puzzlekit._values import shown
from puzzlekit.countdown._game import FRACTIONS, MOST_CARDS, VALUES, Array, Game, game_of
from puzzlekit.countdown._reach import FEWEST, all_there, every_value, staged_tables
from puzzlekit.countdown._results import Solution, Solutions
from puzzlekit.errors import Cancelled, PuzzleError

Form_: TypeAlias = Literal["irredundant", "plain", "raw"]
Trees: TypeAlias = Literal["trees", "pruned trees", "integer trees"]

_FORMS: Final = {"raw": 0, "plain": 1, "irredundant": 2}
_TREES: Final = {"trees": 0, "pruned trees": 1, "integer trees": 2}
_MOST_TREE_CARDS: Final = 8
_NEAR: Final = 12  # targets on either side that are tried one by one before all values are asked for
_AT_ONCE: Final = 8  # cards whose tables the constructor of a plan makes in milliseconds


def _form(form: Any, forms: Mapping[str, int] = _FORMS) -> int:
    if not isinstance(form, str) or form not in forms:
        raise PuzzleError(f"form must be one of {', '.join(forms)}, not {shown(form)}")
    return forms[form]


def _search_plan(
    game: Game,
    form: int,
    targets: Sequence[int] | None = None,
    largest: int = MOST_CARDS,
    *,
    threads: int | None = None,
    progress: _call.Progress = None,
) -> _call.Plan:
    """The search for expressions. The tables of many cards are searches as well, so that Ctrl-C and progress work."""
    values, counts = game._kinds
    wanted = np.array(targets or [game.target or 0], np.uint64)
    options = form, int(game.fractions), int(game.use_all), largest
    arguments = values, counts, len(values), wanted, len(wanted), *options
    known: Array = np.empty(0, np.uint64)
    if len(game.cards) > (_AT_ONCE if game.target else _AT_ONCE - 1):
        known = staged_tables(arguments, MOST_CARDS, threads, progress)
    return _call.Plan("countdown", *arguments, known, len(known))


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
        the search by returning False or raising. More than eight cards have rounds of progress before, for tables.

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
    problem = game_of(cards, target, fractions, use_all)
    code = _form(form)
    _call.row_limit(limit)
    try:
        plan = _search_plan(problem, code, threads=threads, progress=progress)
    except Cancelled:
        return Solutions(problem, np.empty((0, 2 * len(problem.cards) - 1), np.uint8), complete=False)
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
    problem = game_of(cards, target, fractions, use_all)
    code = _form(form, _FORMS | _TREES)
    _call.row_limit(limit)
    if form in _TREES:
        plan = _trees_plan(problem, code)
    else:
        plan = _search_plan(problem, code, threads=threads, progress=progress)
    return _call.count(plan, limit=limit, threads=threads, progress=progress)


def _trees_plan(problem: Game, rule: int) -> _call.Plan:
    if problem.fractions or problem.use_all:
        raise PuzzleError("trees are counted over whole numbers and some of the cards: no fractions, no use_all")
    hand = problem.cards
    if len(hand) > _MOST_TREE_CARDS:
        raise PuzzleError(f"trees are counted for up to {_MOST_TREE_CARDS} cards, not {len(hand)}")
    return _call.Plan("countdown_trees", np.array(hand, np.uint64), len(hand), problem.target or 0, rule)


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
        If `progress` stopped the search.

    Examples
    --------
    >>> print(next(iterate([2, 3, 5, 7, 11, 13, 17, 19], 1000)))
    (17 * 11 + 13) * 5 = 1000
    >>> [len(some) for some in iterate([1, 3, 7, 10, 25, 50], 765, batch=5)]
    [5, 5, 2]
    """
    problem = game_of(cards, target, fractions, use_all)
    size = batch if batch is None else _call.batch_size(batch)
    _call.row_limit(limit)
    plan = _search_plan(problem, _form(form), threads=threads, progress=progress)
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
    problem = game_of(cards, target, fractions, use_all)
    wish = problem.target
    if wish is None:
        raise PuzzleError("solve needs a target")
    most = FRACTIONS if problem.fractions else VALUES
    around = (wish + step for distance in range(1, _NEAR + 1) for step in (-distance, distance))
    wanted = [wish, *(value for value in around if 0 < value < most)]
    found = None
    options: dict[str, Any] = {"threads": threads, "progress": progress}
    if not problem.use_all:  # six cards make nearly everything, and larger sets take longer to prepare
        found = _first(problem, wanted, 6, **options)
        if found is not None and found.distance and len(problem.cards) > 6:
            found = None
    if found is None:
        found = _first(problem, wanted, **options)
    if found is None:
        values = every_value(problem, None, None, progress)
        place = int(np.searchsorted(values, wish))
        nearest = min(values[max(place - 1, 0) : place + 1].tolist(), key=lambda value: abs(value - wish))
        found = _first(problem, [nearest], **options)
    assert found is not None  # the sum of all cards can always be reached
    return found


def _first(problem: Game, targets: Sequence[int], largest: int = MOST_CARDS, **options: Any) -> Solution | None:
    """An expression with the fewest cards for the first target that has one."""
    rows = _call.enumerate_rows(_search_plan(problem, FEWEST, targets, largest, **options), limit=1, **options)
    if not len(rows.array):
        all_there(rows)
        return None
    found: Solution = Solutions(problem, rows.array)[0]
    return found
