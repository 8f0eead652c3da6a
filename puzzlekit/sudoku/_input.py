"""Puzzles in every shape that people have them in, as arrays of bytes: a row for each puzzle, 0 for an empty cell."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from puzzlekit import _call
from puzzlekit.errors import PuzzleError
from puzzlekit.sudoku._rules import SYMBOLS, Cells, Rules, Sudoku

EMPTY: Final = ".0*_"
SUFFIXES: Final = (".txt", ".sdm", ".sdk", ".ss", ".csv")
WRONG: Final = 255
_SHOWN: Final = 40


def _alphabet() -> Cells:
    table = np.full(256, WRONG, np.uint8)
    for digit, symbol in enumerate(SYMBOLS, 1):
        table[ord(symbol)] = table[ord(symbol.lower())] = digit
    for symbol in EMPTY:
        table[ord(symbol)] = 0
    return table


ALPHABET: Final = _alphabet()
"""The digit of each byte of text; `WRONG` for what is no cell."""


@dataclass(frozen=True)
class Batch:
    """Puzzles as (k, n * n) bytes, whether there was just one, and the shape that one had (None: text)."""

    cells: Cells
    single: bool
    shape: tuple[int, ...] | None

    def __post_init__(self) -> None:
        self.cells.flags.writeable = False  # results keep them


def as_text(cells: Cells) -> str:
    """One puzzle as n * n characters, with dots for empty cells."""
    table = "." + SYMBOLS
    return "".join(table[digit] for digit in cells.reshape(-1))


def shown(value: Any) -> str:
    """A value for a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def from_bytes(text: bytes, rules: Rules) -> tuple[Cells, int]:
    """Cells of text, and the place of the first byte that is no cell (or the length)."""
    given = np.frombuffer(text, np.uint8)
    if rules.n <= 9:
        cells = np.empty(len(given), np.uint8)
        wrong = int(_call.call("pk_sudoku_cells", given, len(given), cells))
    else:
        cells = ALPHABET[given]
        wrong = first(cells == WRONG)
    if rules.n != 9:
        wrong = min(wrong, first(cells[:wrong] > rules.n))
    return cells, wrong


def first(mask: np.ndarray[Any, np.dtype[np.bool_]]) -> int:
    """The place of the first True, or the length."""
    return int(mask.argmax()) if mask.any() else len(mask)


def from_text(text: str, rules: Rules, name: str = "the puzzle") -> Cells:
    """One puzzle from its characters; white space does not count."""
    size = rules.n**2
    if len(text) != size:
        text = "".join(text.split())
    if len(text) != size:
        raise PuzzleError(f"{name} must have {size} cells, not {len(text)}: {shown(text)}")
    cells, wrong = from_bytes(text.encode("latin-1", "replace"), rules)
    if wrong < size:
        raise PuzzleError(f"{name} has {text[wrong]!r} at {place(wrong, rules)}: {allowed(rules)}")
    return cells


def allowed(rules: Rules) -> str:
    """What a cell may be, for a message."""
    n = rules.n
    digits = f"1 to {n}" if n <= 9 else f"1 to 9 and A to {SYMBOLS[n - 1]}" if n > 10 else "1 to 9 and A"
    return f"a cell is a digit {digits}, or one of {' '.join(EMPTY)} when empty"


def place(cell: int, rules: Rules) -> str:
    """A cell's name, such as r1c9."""
    return f"r{cell // rules.n + 1}c{cell % rules.n + 1}"


def from_array(array: np.ndarray[Any, Any], rules: Rules) -> Batch:
    """One puzzle or many from an array of numbers."""
    n, size = rules.n, rules.n**2
    shape = array.shape
    single = shape in ((n, n), (size,))
    if not single and not (len(shape) in (2, 3) and shape[1:] in ((n, n), (size,))):
        raise PuzzleError(
            f"an array of puzzles has the shape ({n}, {n}), ({size},), (k, {size}) or (k, {n}, {n}), not {shape}"
        )
    if array.dtype.kind not in "iuf" or (array.dtype.kind == "f" and not (np.floor(array) == array).all()):
        raise PuzzleError(f"an array of puzzles holds whole numbers, not {array.dtype}")
    flat = array.reshape(-1)
    if flat.size and (flat.max() > n or flat.min() < 0):
        wrong = int(((flat > n) | (flat < 0)).argmax())
        which = "" if single else f"puzzle {wrong // size + 1}: "
        raise PuzzleError(f"{which}{flat[wrong]} at {place(wrong % size, rules)} is not a digit from 0 to {n}")
    return Batch(np.array(array.reshape(-1, size), np.uint8, order="C"), single, shape)


def many(given: Any, rules: Rules) -> Batch:
    """Puzzles from whatever was given: text, arrays, `Sudoku`, lists of these, or a file's name."""
    size = rules.n**2
    own = getattr(given, "rules", rules)
    if isinstance(own, Rules) and own != rules:
        here = "ordinary 9x9 sudoku" if rules.classic else str(rules)
        raise PuzzleError(f"what was given has rules of its own, {own}, but this is for {here}")
    if isinstance(given, Sudoku):
        return Batch(given.cells.reshape(1, -1), True, None)
    if isinstance(given, str):
        bare = given if len(given) == size else "".join(given.split())
        if len(bare) != size:
            is_file = os.path.exists(given) and not os.path.isdir(given)
            if is_file or os.path.splitext(given)[1].lower() in SUFFIXES:
                return _file(given, rules)
            raise PuzzleError(f"no file is called {shown(given)}, and a puzzle must have {size} cells, not {len(bare)}")
        return Batch(from_text(bare, rules).reshape(1, -1), True, None)
    if isinstance(given, os.PathLike):
        return _file(given, rules)
    if isinstance(given, np.ndarray) and not (given.dtype.kind == "U" and given.ndim == 1):
        return from_array(given, rules)
    array = getattr(given, "array", None)
    if isinstance(array, np.ndarray):
        return from_array(array, rules)
    try:
        if isinstance(given, (bytes, bytearray)):
            raise TypeError
        items = list(given)
    except TypeError:
        raise PuzzleError(f"puzzles are text, arrays, lists of these, or a file's name, not {shown(given)}") from None
    items = [as_text(many(item, rules).cells) if isinstance(item, Sudoku) else item for item in items]
    if not items:
        return Batch(np.empty((0, size), np.uint8), False, (0, size))
    if all(isinstance(item, str) for item in items):
        return _texts(items, rules)
    try:
        if any(isinstance(item, str) for item in items):
            raise ValueError
        array = np.array([item.array if hasattr(item, "array") else item for item in items])
    except ValueError:
        raise PuzzleError(
            f"the puzzles of a list must all be text, or all be arrays, of {size} cells: {shown(items)}"
        ) from None
    if array.dtype.kind == "U" and array.ndim == 2:
        return _texts(["".join(item) for item in items], rules)
    return from_array(array, rules)


def _texts(items: list[str], rules: Rules) -> Batch:
    n, size = rules.n, rules.n**2
    if len(items) == n and all(len("".join(item.split())) == n for item in items):
        return Batch(from_text("".join(items), rules).reshape(1, -1), True, (n, n))
    if set(map(len, items)) == {size}:
        cells, wrong = from_bytes("".join(items).encode("latin-1", "replace"), rules)
        if wrong == len(cells):
            return Batch(cells.reshape(-1, size), False, (len(items), size))
    rows = [from_text(item, rules, f"puzzle {k}") for k, item in enumerate(items, 1)]
    return Batch(np.array(rows), False, (len(items), size))


def _file(path: str | os.PathLike[str], rules: Rules) -> Batch:
    from puzzlekit.sudoku import _formats

    cells = _formats.load(path, rules).puzzles
    return Batch(cells, False, cells.shape)


def one(given: Any, rules: Rules) -> Cells:
    """Exactly one puzzle, n * n bytes."""
    batch = many(given, rules)
    if len(batch.cells) != 1:
        raise PuzzleError(f"one puzzle is needed here, not {len(batch.cells)}")
    cells: Cells = batch.cells[0]
    return cells


def clash(cells: Cells, rules: Rules) -> tuple[int, int, str] | None:
    """Two cells of a house with equal givens, and the house's name."""
    for name, house in zip(rules.names, rules.houses):
        seen: dict[int, int] = {}
        for cell in house:
            digit = int(cells[cell])
            if digit and digit in seen:
                return seen[digit], cell, name
            seen[digit] = cell
    return None


def clash_text(cells: Cells, rules: Rules) -> str:
    found = clash(cells, rules)
    assert found is not None
    first, second, house = found
    where = f"{place(first, rules)} and {place(second, rules)}"
    return f"{where} are both {SYMBOLS[cells[first] - 1]} in {house}"
