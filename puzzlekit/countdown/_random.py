"""A random game to play."""

from __future__ import annotations

import random
from typing import Any, Final, Literal, TypeAlias

from puzzlekit._arguments import flag, whole_number
from puzzlekit._values import shown
from puzzlekit.countdown._game import UK, Game
from puzzlekit.countdown._reach import reachable, unreachable
from puzzlekit.countdown._solve import count
from puzzlekit.errors import PuzzleError

Difficulty: TypeAlias = Literal["easy", "medium", "hard"] | tuple[int, int]

DIFFICULTIES: Final = {"easy": (30, 2**63), "medium": (5, 29), "hard": (1, 4)}
"""How many distinct solutions a game has."""

_TRIES: Final = 20_000
_MOST: Final = 703  # solutions of a game, of all games; tests/known_countdown.py has the figure


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
    >>> some.target in reachable(some)
    True
    """
    pick = _generator(seed)
    if large is not None and not 0 <= whole_number("large", large) <= 4:
        raise PuzzleError(f"large must be 0 to 4, not {shown(large)}")
    if solvable is not None:
        flag("solvable", solvable)
    least, greatest = _solutions_wanted(difficulty)
    if solvable is False and difficulty is not None:
        raise PuzzleError(f"a game that cannot be solved has no difficulty; {difficulty!r} was asked for")
    for _ in range(_TRIES):
        of_large = pick.randint(0, 4) if large is None else int(large)
        cards = (*pick.sample(UK[20:], of_large), *pick.sample(UK[:20], 6 - of_large))
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
    if seed is None:
        return random.Random()
    number = whole_number("seed", seed)
    if number < 0:  # it would be taken for the positive one
        raise PuzzleError(f"seed must not be negative, not {shown(number)}")
    return random.Random(number)


def _solutions_wanted(difficulty: Any) -> tuple[int, int]:
    if difficulty is None:
        return 0, 2**63
    if isinstance(difficulty, str) and difficulty in DIFFICULTIES:
        return DIFFICULTIES[difficulty]
    if isinstance(difficulty, tuple) and len(difficulty) == 2:
        least, greatest = (whole_number("difficulty", bound) for bound in difficulty)
        if least > _MOST:
            raise PuzzleError(f"no game has more than {_MOST} solutions; {shown(difficulty)} was asked for")
        if 1 <= least <= greatest:
            return least, greatest
    raise PuzzleError(
        f"difficulty must be easy, medium, hard or a pair (least, greatest) from 1 on, not {shown(difficulty)}"
    )
