"""Answers and expressions checked without the search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from puzzlekit._values import shown
from puzzlekit.countdown._answer import Check, check_answer
from puzzlekit.countdown._game import Bools, Game, game_of
from puzzlekit.countdown._results import Solution, Solutions
from puzzlekit.errors import PuzzleError


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
        `Solutions`, its ``array`` or another of that form, or texts as `check` takes them.

    Returns
    -------
    numpy.ndarray
        Shape (rows,), bool. Each is worked out in Python with exact fractions, and shares nothing with the search.

    Raises
    ------
    PuzzleError
        If an array has another shape or type than that of `Solutions`, or a row is neither a text nor in an array.
        A row of an array that is no expression is merely wrong.

    Examples
    --------
    >>> verify([3, 3, 8, 8], 24, ["8 / (3 - 8 / 3)", "3 * 8"], fractions=True)
    array([ True,  True])
    >>> verify([3, 3, 8, 8], 24, ["8 / (3 - 8 / 3)", "8 * 8 - 40"])
    array([False, False])
    """
    problem = game_of(cards, target, fractions, use_all)
    if isinstance(rows, Solutions):
        texts: Iterable[str] = rows.expressions
    elif isinstance(rows, np.ndarray) and rows.dtype.kind not in "UO":
        width = 2 * len(problem.cards) - 1
        if rows.dtype != np.uint8 or rows.ndim != 2 or rows.shape[1] != width:
            told = f"{rows.dtype} of shape {rows.shape}"
            raise PuzzleError(f"an array of expressions must be uint8 of shape (rows, {width}), not {told}")
        texts = map(_text_of, Solutions(problem, rows))
    elif isinstance(rows, Iterable) and not isinstance(rows, (str, bytes)):
        texts = rows
    else:
        raise PuzzleError(f"rows must be several expressions, not {shown(rows)}")
    return np.array([bool(_checked(text, problem)) for text in texts], np.bool_)


def _text_of(solution: Solution) -> str:
    """The expression as text, or no text at all, which is a wrong answer."""
    try:
        return solution.expression
    except PuzzleError:
        return ""


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
        + - * x × · / : and ÷. At most 4,000 characters.
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
    return _checked(expression, game_of(cards, target, fractions, use_all))


def _checked(text: Any, problem: Game) -> Check:
    if not isinstance(text, str):
        raise PuzzleError(f"an expression must be a text, not {shown(text)}")
    return check_answer(text, problem.cards, problem.target, problem.fractions, problem.use_all)
