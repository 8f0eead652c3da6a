"""Arguments that every family takes, checked the same way everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError


def whole_number(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """An int from an int or a numpy integer within bounds; a PuzzleError for anything else, bool included."""
    # numpy counts a timedelta64 among its integers
    if isinstance(value, (bool, np.timedelta64)) or not isinstance(value, (int, np.integer)):
        raise PuzzleError(f"{name} must be a whole number, not {shown(value)}")
    if (least is not None and value < least) or (most is not None and value > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise PuzzleError(f"{name} must be {bounds}, not {shown(int(value))}")
    return int(value)


def flag(name: str, value: Any) -> bool:
    """A bool from a bool of Python or numpy; a PuzzleError for anything else."""
    if not isinstance(value, (bool, np.bool_)):
        raise PuzzleError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)
