"""Measures of difficulty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit.errors import Cancelled
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._results import STATUSES
from puzzlekit.sudoku._rules import CLASSIC

TECHNIQUES: Final = (
    "none",
    "hidden single",
    "naked single",
    "locked candidates",
    "naked pair",
    "hidden pair",
    "naked triple",
    "hidden triple",
    "naked quad",
    "hidden quad",
    "beyond these",
)
"""From the easiest to the hardest, in the order in which they are tried."""


@dataclass(frozen=True)
class Difficulty:
    """What was measured of one puzzle. Measures of a puzzle without exactly one solution are None.

    Attributes
    ----------
    status
        "unique", "none", "several" or "invalid".
    technique
        The hardest of `TECHNIQUES` that solving needs if an easier one is always preferred; "beyond these" if they are
        not enough.
    backdoor
        The least number of cells whose digits, once known, leave nothing but singles; 0 if singles are enough, 4 if
        more than three are needed.
    guesses
        How often our own search guessed until it had proved that there is one solution. It looks ahead further than
        people do, so 0 is common, and says little about easy puzzles.
    """

    status: str
    technique: str | None
    backdoor: int | None
    guesses: int


def difficulty(puzzles: Any, *, threads: int | None = None, progress: _call.Progress = None) -> Any:
    """What can be measured of a puzzle's difficulty: no grades, which are a matter of taste.

    Parameters
    ----------
    puzzles
        One or many, as `solve` takes them; 9x9 only.
    threads, progress
        As in `enumerate`.

    Returns
    -------
    Difficulty or list of Difficulty
        One for each puzzle.

    Raises
    ------
    Cancelled
        If `progress` stopped the work.

    Examples
    --------
    >>> difficulty("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    Difficulty(status='unique', technique='hidden single', backdoor=0, guesses=0)
    """
    batch = _input.many(puzzles, CLASSIC)
    plan = _call.Plan("sudoku_difficulty", batch.cells.reshape(-1), len(batch.cells), _call.cpu_level())
    rows = _call.enumerate_rows(plan, threads=threads, progress=progress)
    if not rows.complete:
        raise Cancelled(f"progress stopped the work after {len(rows.array)} puzzles")
    guesses = rows.array[:, 4:8].copy().view(np.uint32).reshape(-1).tolist()
    made = []
    for (status, technique, backdoor), number in zip(rows.array[:, :3].tolist(), guesses):
        if STATUSES[status] == "unique":
            made.append(Difficulty("unique", TECHNIQUES[technique], backdoor, number))
        else:
            made.append(Difficulty(STATUSES[status], None, None, number))
    return made[0] if batch.single else made
