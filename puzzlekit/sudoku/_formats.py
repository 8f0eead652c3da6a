"""Files of puzzles: a line each, drawn boards, nine lines of nine digits, csv; what they hold decides, not the name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import numpy as np

from puzzlekit import _text
from puzzlekit._files import whole_file
from puzzlekit.errors import PuzzleError
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._check import verified
from puzzlekit.sudoku._results import Answers, Puzzles
from puzzlekit.sudoku._rules import SYMBOLS, Cells, Rules, rules_for, rules_of

Layout = Literal["lines", "rows", "sdm", "sdk", "ss", "csv"]
LAYOUTS: Final[dict[str, Layout]] = {
    ".txt": "lines",
    ".sdm": "sdm",
    ".sdk": "sdk",
    ".ss": "ss",
    ".csv": "csv",
}
_DRAWN: Final = "|+-= \t!:"
"""What stands between the cells of a drawn board."""
_BARS: Final = "*-+|=.': \t"
"""What lines between its bands are drawn with; two dashes tell them from rows."""
_HEADERS: Final = ("puzzle", "quizzes", "quiz", "grid")
_SOLUTIONS: Final = ("solution", "solutions")


@dataclass(frozen=True)
class Loaded:
    """Puzzles of a file, and their solutions if it has them."""

    puzzles: Cells
    solutions: Cells | None


def load(path: str | os.PathLike[str], rules: Rules) -> Loaded:
    """All puzzles of a file, or a PuzzleError that names the line and the column."""
    return parsed(Path(path).read_bytes(), os.fspath(path), rules)


def parsed(raw: bytes, name: str, rules: Rules) -> Loaded:
    """All puzzles in the bytes of a file, whose name is for messages."""
    quick = _equal_lines(raw, rules)
    if quick is not None:
        return Loaded(quick, None)
    reader = _Reader(name, rules)
    lines = raw.decode("utf-8-sig", "replace").splitlines()
    if lines and lines[0].split(",")[0].strip().strip('"').lower() in _HEADERS:
        return reader.table(lines)
    return Loaded(reader.array(reader.boards(lines)), None)


def _equal_lines(raw: bytes, rules: Rules) -> Cells | None:
    """The puzzles, if the file is nothing but lines of n * n cells."""
    size = rules.n**2
    if not raw or len(raw) % (size + 1) or raw[size : size + 1] != b"\n":
        return None
    lines = np.frombuffer(raw, np.uint8).reshape(-1, size + 1)
    if not (lines[:, size] == 10).all():
        return None
    cells, wrong = _input.from_bytes(lines[:, :size].tobytes(), rules)
    return cells.reshape(-1, size) if wrong == len(cells) else None


class _Reader:
    """Reads one file and knows how far it has come."""

    def __init__(self, path: str, rules: Rules) -> None:
        self.path, self.rules, self.good = path, rules, 0

    def error(self, line: int, column: int, what: str) -> PuzzleError:
        good = "1 good puzzle was" if self.good == 1 else f"{self.good} good puzzles were"
        return PuzzleError(f"{self.path}, line {line}, column {column}: {what}; {good} read before it")

    def array(self, boards: Iterator[list[int]]) -> Cells:
        rows = []
        for board in boards:
            rows.append(board)
            self.good += 1
        if not rows:
            raise PuzzleError(f"{self.path}: there are no puzzles in it")
        return np.array(rows, np.uint8).reshape(-1, self.rules.n**2)

    def digit(self, symbol: str) -> int:
        """0 .. n, or -1 for what is no cell."""
        digit = int(_input.ALPHABET[ord(symbol)]) if ord(symbol) < 256 else _input.WRONG
        return digit if digit <= self.rules.n else -1

    def boards(self, lines: list[str]) -> Iterator[list[int]]:
        n, size = self.rules.n, self.rules.n**2
        board: list[int] = []
        began = 0
        wanted = True
        for number, line in enumerate(lines, 1):
            text = line.rstrip()
            if text.startswith("["):  # sections of .sdk: the state is somebody's progress, not the puzzle
                wanted = text.lower().startswith("[puzzle")
                continue
            is_bar = "--" in text and not text.strip(_BARS)
            if not wanted or text.startswith("#") or is_bar or not text:
                continue
            if not board and len(text) >= size and text[size : size + 1] in ("", " ", "\t", "#", ";", ":"):
                whole = [self.digit(symbol) for symbol in text[:size]]
                if min(whole) >= 0:
                    yield whole
                    continue
            row: list[int] = []
            last = 0
            for column, symbol in enumerate(text, 1):
                if symbol == "#" or (symbol == ";" and row):
                    break
                if symbol in _DRAWN:
                    continue
                digit = self.digit(symbol)
                if digit < 0:
                    raise self.error(number, column, f"{symbol!r} is no cell: {_input.allowed(self.rules)}")
                row.append(digit)
                last = column
            if not row:
                continue
            if len(row) == size and not board:
                yield row
                continue
            if len(row) != n:
                what = f"{len(row)} cells, where a row has {n}" + ("" if board else f" and a puzzle {size}")
                raise self.error(number, last, what)
            began = began if board else number
            board += row
            if len(board) == size:
                yield board
                board = []
        if board:
            raise self.error(len(lines), 1, f"the puzzle that begins in line {began} has {len(board) // n} rows of {n}")

    def table(self, lines: list[str]) -> Loaded:
        size = self.rules.n**2
        names = [name.strip().strip('"').lower() for name in lines[0].split(",")]
        with_solution = len(names) > 1 and names[1] in _SOLUTIONS
        puzzles: list[str] = []
        solutions: list[str] = []
        places: list[int] = []  # in the file, of each puzzle
        for number, line in enumerate(lines[1:], 2):
            if not line.strip():
                continue
            fields = [part.strip().strip('"') for part in line.split(",")]
            for k, text in enumerate(fields[: 2 if with_solution else 1]):
                if k == 1 and not text:
                    continue
                wrong = next((at for at, symbol in enumerate(text) if self.digit(symbol) < 0), len(text))
                if wrong < len(text) or len(text) != size:
                    column = line.index(text) + wrong + 1 if text else 1
                    what = f"{text[wrong]!r} is no cell" if wrong < len(text) else f"{len(text)} cells, not {size}"
                    raise self.error(number, column, what)
            places.append(number)
            puzzles.append(fields[0])
            solutions.append(fields[1] if with_solution and len(fields) > 1 and fields[1] else "." * size)
            self.good += 1
        if not puzzles:
            raise PuzzleError(f"{self.path}: there are no puzzles in it")
        made = [_input.from_bytes("".join(texts).encode(), self.rules)[0] for texts in (puzzles, solutions)]
        cells, beside = (part.reshape(-1, size) for part in made)
        if not with_solution:
            return Loaded(cells, None)
        wrong = _wrong_solution(cells, beside, self.rules)
        if wrong < len(cells):
            self.good = wrong
            raise self.error(places[wrong], size + 2, "this is no solution of the puzzle")
        return Loaded(cells, beside)


def _wrong_solution(puzzles: Cells, solutions: Cells, rules: Rules) -> int:
    """The place of the first solution that is none, or the length. Where none is known there are empty cells."""
    return _input.first(solutions.any(axis=1) & ~verified(puzzles, solutions, rules))


def read(
    path: str | os.PathLike[str],
    *,
    box: tuple[int, int] = (3, 3),
    diagonals: bool = False,
    regions: Any = None,
    extra: Any = None,
) -> Puzzles:
    """The puzzles of a file.

    Parameters
    ----------
    path
        A text file in one of these layouts; what stands in it decides, not its name: lines of 81 characters, with a
        comment after a space, # ; or : maybe (.txt, .sdm); nine lines of nine cells, maybe with spaces between them;
        drawn boards with | - + (.ss); the [Puzzle] section of a .sdk file; comma-separated values with a header that
        begins puzzle or puzzle,solution. Empty cells are . 0 * or _. Lines that begin with # are comments.
    box, diagonals, regions, extra
        As in `Rules`; they give the number of cells, and are kept as the rules of the result.

    Returns
    -------
    Puzzles
        ``array`` has shape (k, 81), uint8; ``solutions`` is None if the file has none.

    Raises
    ------
    PuzzleError
        If there is anything else in the file: the message names the file, the line, the column and how many good
        puzzles stand before it.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "two.txt")
    >>> _ = file.write_text("." * 80 + "1  # one clue" + chr(10) + "." * 81)
    >>> read(file).array.sum(axis=1)
    array([1, 0], dtype=uint64)
    """
    rules = rules_of(box, diagonals, regions, extra)
    loaded = load(path, rules)
    return Puzzles.of(rules, loaded.puzzles, loaded.solutions)


def layout_of(path: str | os.PathLike[str]) -> Layout:
    """The layout that a file name's suffix asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in LAYOUTS:
        raise PuzzleError(f"{os.fspath(path)!r} ends in {suffix!r}: a file of puzzles can be {', '.join(LAYOUTS)}")
    return LAYOUTS[suffix]


def write(
    path: str | os.PathLike[str],
    puzzles: Any,
    *,
    solutions: Any = None,
    layout: Layout | None = None,
    box: tuple[int, int] = (3, 3),
) -> None:
    """Write puzzles or grids to a file, which appears whole or not at all.

    Parameters
    ----------
    path
        Its suffix gives the layout unless `layout` does: .txt (a line each, dots for empty cells), .sdm (a line each,
        zeros), .sdk (one puzzle), .ss (drawn boards), .csv (puzzle, and solution if there are any).
    puzzles
        Whatever `solve` takes. `Answers` are written with their status, in .txt, .csv and "rows".
    solutions
        For csv: as many grids, to stand beside the puzzles; None for those that `Puzzles` have.
    layout
        "lines", "sdm", "sdk", "ss", "csv", or "rows": nine lines of nine digits with spaces, and an empty line between
        puzzles.
    box
        Rows and columns of a box; what has rules of its own keeps them.

    Raises
    ------
    PuzzleError
        If the suffix tells no layout, or a .sdk file should hold more than one puzzle.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "one.ss")
    >>> write(file, "12" + "." * 79)
    >>> print(file.read_text()[:23])
    12.|...|...
    ...|...|...
    """
    rules = rules_for(puzzles, box, False, None, None)
    if layout is None:
        layout = layout_of(path)
    elif layout not in (*LAYOUTS.values(), "rows"):
        raise PuzzleError(f"layout must be one of {', '.join(LAYOUTS.values())}, rows, not {layout!r}")
    cells = _input.many(puzzles, rules).cells
    if solutions is None and layout == "csv" and isinstance(puzzles, Puzzles):
        solutions = puzzles.solutions
    beside = None if solutions is None else _input.many(solutions, rules).cells
    if beside is not None and (layout != "csv" or len(beside) != len(cells) or isinstance(puzzles, Answers)):
        raise PuzzleError("solutions go with csv, one for each puzzle")
    if beside is not None and (wrong := _wrong_solution(cells, beside, rules)) < len(cells):
        raise PuzzleError(f"solution {wrong + 1} is none of puzzle {wrong + 1}")
    if layout == "sdk" and len(cells) != 1:
        raise PuzzleError(f"a .sdk file holds one puzzle, not {len(cells)}")
    with whole_file(path) as file:
        if isinstance(puzzles, Answers):
            write_answers(file, puzzles, layout)
        else:
            file.write(text_of(cells, layout, rules, beside))


def text_of(cells: Cells, layout: Layout, rules: Rules, solutions: Cells | None = None) -> memoryview | bytes:
    """Puzzles as the bytes of a file."""
    n = rules.n
    dots = ["." if layout != "sdm" else "0", *SYMBOLS]
    if layout in ("lines", "sdm"):
        return _text.lines(cells, dots, "")
    if layout == "csv":
        if solutions is None:
            return b"puzzle\n" + bytes(_text.lines(cells, dots, ""))
        pair = np.concatenate([cells, np.full((len(cells), 1), len(dots), np.uint8), solutions], axis=1)
        return b"puzzle,solution\n" + bytes(_text.lines(pair, [*dots, ","], ""))
    if layout == "rows":
        symbols = np.frombuffer(f"0{SYMBOLS}".encode(), np.uint8)
        text = np.full((len(cells), 2 * n * n + 1), ord(" "), np.uint8)
        text[:, :-1:2] = symbols[cells]
        text[:, 2 * n - 1 :: 2 * n] = text[:, -1] = ord("\n")
        return text.reshape(-1)[:-1].data
    if layout == "sdk":
        return b"[Puzzle]\n" + bytes(_text.lines(cells.reshape(-1, n), dots, ""))
    height, width = rules.box
    bar = "+".join("-" * width for _ in range(height))
    blocks = []
    for puzzle in cells:
        rows_ = []
        for r in range(n):
            row = "".join(dots[digit] for digit in puzzle[r * n : r * n + n])
            rows_.append("|".join(row[start : start + width] for start in range(0, n, width)))
            if r % height == height - 1 and r != n - 1:
                rows_.append(bar)
        blocks.append("\n".join(rows_) + "\n")
    return "\n".join(blocks).encode()


def write_answers(file: BinaryIO, answers: Answers, layout: Layout) -> None:
    """Write what was found; a remark stands behind what is not *the* solution."""
    if layout == "lines" or layout == "csv":
        answers.write(file, "csv" if layout == "csv" else "text")
        return
    boards = answers.boards
    if (answers.counts == 1).all():
        file.write(text_of(boards, layout, answers.rules))
        return
    if layout != "rows":
        raise PuzzleError(f"a file of this layout ({layout}) cannot say that not all puzzles have one solution")
    for index in range(len(answers)):
        remark = answers.remark(index)
        file.write(b"\n" if index else b"")
        file.write(text_of(boards[index : index + 1], "rows", answers.rules))
        file.write(f"# {remark}\n".encode() if remark else b"")
