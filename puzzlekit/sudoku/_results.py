"""What verbs return: solutions of one puzzle, answers for many, grids, puzzles; how they are written and drawn."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, ClassVar, Final, TypeVar
from xml.etree import ElementTree

import numpy as np

from puzzlekit import _call, _text
from puzzlekit._draw import INK, LINE, Picture, _tag
from puzzlekit._draw import _text as _write
from puzzlekit._solutions import Form, frozen
from puzzlekit._solutions import Solutions as _Solutions
from puzzlekit.sudoku import _input
from puzzlekit.sudoku._rules import SYMBOLS, Cells, Rules, Sudoku

STATUSES: Final = ("none", "unique", "several", "invalid")
"""What a number in ``Answers.status`` means: no solution; exactly one; at least two; two equal givens in a house."""

REMARKS: Final = ("no solution", "", "several solutions, this is one", "invalid: equal givens")
"""What stands behind a board of each status."""

Counts = np.ndarray[Any, np.dtype[np.uint64]]
SOLVED_INK: Final = "#2a62b8"
SHADE: Final = "#eef1f5"
CAPTION: Final = 20
Self = TypeVar("Self", bound="_Boards")


class _Boards(_Solutions):
    """Sudoku boards, a row of n * n digits each. Below: answers, solutions, grids and puzzles."""

    MOST_DRAWN: ClassVar[int] = 24
    _NAME: ClassVar[str] = "solutions"
    """What the boards are called in JSON."""
    _TOKENS: ClassVar[tuple[str, ...]] = (".", *SYMBOLS)

    @property
    def rules(self) -> Rules:
        """Size and houses."""
        problem = self._problem
        return problem.rules if isinstance(problem, Sudoku) else problem

    @property
    def _rules(self) -> Rules:
        return self.rules

    @property
    def _cells(self) -> int:
        return self.rules.n**2

    @property
    def grids(self) -> Cells:
        """The same digits in shape (k, n, n)."""
        return self.array.reshape(-1, self._rules.n, self._rules.n)

    def _givens(self, index: int) -> Cells | None:
        """The puzzle that board `index` solves, if there is one."""
        return None

    def _opening(self, form: Form) -> str:
        if form != "json":
            return "solution\n" if form == "csv" else ""
        rules = self._rules
        members: dict[str, Any] = {"puzzle": "sudoku", "box": rules.box}
        members |= {name: value for name in ("diagonals", "regions", "extra") if (value := getattr(rules, name))}
        if isinstance(self._problem, Sudoku):
            members["givens"] = self._problem.puzzle
        return f'{json.dumps(members)[:-1]},\n"{self._NAME}": [\n'

    def _lines(self, form: Form) -> memoryview:
        digits = np.ascontiguousarray(self.array)
        if form == "json":
            heads = ['"']
            return _text.lines(digits, self._TOKENS, "", '",\n', heads=heads, head=np.zeros(len(digits), np.uint32))
        return _text.lines(digits, self._TOKENS, "")

    def _picture(self, index: int) -> Picture:
        return picture(self.array[index], self._rules, self._givens(index))

    def draw(self, index: int = 0) -> str:
        """The board at `index` as text, with bars between boxes."""
        return drawn(self.array[range(len(self))[index]], self._rules)


class Solutions(_Boards):
    """Solutions of one puzzle, or finished grids.

    Attributes
    ----------
    array
        Shape (k, n * n), uint8, the digits row by row, read-only.
    grids
        The same in shape (k, n, n).
    problem
        The `Sudoku`, or the `Rules` of grids that solve no puzzle.
    """

    def _givens(self, index: int) -> Cells | None:
        return self._problem.cells if isinstance(self._problem, Sudoku) else None

    def _title(self) -> str:
        if not isinstance(self._problem, Sudoku):
            return f"{len(self):,} finished grids"
        some = "" if self.complete else "of the "
        return f"{len(self):,} {some}solutions of {_input.shown(self._problem.puzzle)}"


class Answers(_Boards):
    """What `solve` found about many puzzles, in their order.

    An .npy file holds `array` only, without the status; .npz has all of it.

    Attributes
    ----------
    array
        Shape (k, n * n), uint8: a solution of each puzzle, zeros if it has none. Of a puzzle with several solutions it
        is one of them, and `status` says so.
    status
        Shape (k,), uint8: a place in `STATUSES`, 0 none, 1 unique, 2 several, 3 invalid.
    puzzles
        Shape (k, n * n), uint8, as they were given.
    counts
        Shape (k,), uint64: the number of solutions, no more than 2.
    guesses
        Shape (k,), uint32: how often the search had to guess, until it knew whether there is a second solution.
    """

    def __init__(
        self,
        problem: Rules,
        rows: np.ndarray[Any, Any],
        puzzles: Cells,
        *,
        complete: bool = True,
        stats: _call.Stats | None = None,
    ) -> None:
        super().__init__(problem, rows, complete=complete, stats=stats)
        vars(self).update(puzzles=puzzles)

    puzzles: Cells

    def __reduce__(self) -> tuple[Any, ...]:
        return _answers, (self._problem, self._rows, self.puzzles, self._complete, self._stats)

    @property
    def array(self) -> Cells:
        return self._rows[:, : self._cells]

    @property
    def status(self) -> Cells:
        return self._rows[:, self._cells]

    @cached_property
    def guesses(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        return self._rows[:, self._cells + 1 : self._cells + 5].copy().view(np.uint32).reshape(-1)

    @cached_property
    def counts(self) -> Counts:
        return self._rows[:, self._cells + 5 :].copy().view(np.uint64).reshape(-1)

    @property
    def boards(self) -> Cells:
        """The solution of each puzzle, or the puzzle itself if there is none."""
        return np.where((self.counts > 0)[:, None], self.array, self.puzzles)

    def remark(self, index: int) -> str:
        """What has to be said of the board at `index`: nothing if it is *the* solution."""
        return REMARKS[self.status[index]]

    def summary(self) -> dict[str, int]:
        """How many puzzles there are of each status."""
        counts = np.bincount(self.status, minlength=len(STATUSES))
        return {name: int(count) for name, count in zip(STATUSES, counts)}

    def _select(self, index: Any) -> Answers:
        return Answers(self._rules, self._rows[index], self.puzzles[index], complete=False, stats=None)

    def sorted(self) -> Answers:
        raise TypeError("answers are in the order of their puzzles")

    def _givens(self, index: int) -> Cells | None:
        givens: Cells = self.puzzles[index]
        return givens

    def _picture(self, index: int) -> Picture:
        made = picture(self[index : index + 1].boards[0], self._rules, self._givens(index))
        if not self.remark(index):
            return made
        _write(made.element, made.width / 2, made.height + CAPTION / 2, 0.7 * CAPTION, self.remark(index))
        return Picture(made.width, made.height + CAPTION, made.element)

    def _arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return {"array": self.array, "puzzles": self.puzzles, "status": self.status}

    def _title(self) -> str:
        parts = [f"{count:,} {name}" for name, count in self.summary().items() if count]
        return f"{len(self):,} puzzles" + (": " if parts else "") + ", ".join(parts)

    def _opening(self, form: Form) -> str:
        return "puzzle,solution,status\n" if form == "csv" else super()._opening(form)

    def _lines(self, form: Form) -> memoryview:
        rows = len(self)
        status = self.status.astype(np.uint32)
        n2 = self._cells
        if form == "text":
            if (status == 1).all():
                return super()._lines(form)
            # What is not solved is not passed off as solved: a remark stands behind it.
            tokens = [*self._TOKENS, *(f"  # {remark}" if remark else "" for remark in REMARKS)]
            extended = np.empty((rows, n2 + 1), np.uint8)
            extended[:, :n2] = self.boards
            extended[:, n2] = status + len(self._TOKENS)
            return _text.lines(extended, tokens, "")
        if form == "json":
            parts = ['", "solution": "', *(f'", "status": "{name}' for name in STATUSES)]
            head, heads, tail = np.zeros(rows, np.uint32), ['{"puzzle": "'], '"},\n'
        else:
            parts = [",", *(f",{name}" for name in STATUSES)]
            head, heads, tail = None, [], "\n"
        table = np.empty((rows, 2 * n2 + 2), np.uint8)
        table[:, :n2] = self.puzzles
        table[:, n2] = len(self._TOKENS)
        table[:, n2 + 1 : -1] = self.array
        table[:, -1] = status + len(self._TOKENS) + 1
        return _text.lines(table, [*self._TOKENS, *parts], "", tail, heads=heads, head=head)


def _answers(problem: Rules, rows: Any, puzzles: Cells, complete: bool, stats: _call.Stats | None) -> Answers:
    """Answers from a pickle."""
    return Answers(problem, frozen(rows), frozen(puzzles), complete=complete, stats=stats)


class Puzzles(_Boards):
    """Puzzles, and their solutions if they are known.

    Attributes
    ----------
    array
        Shape (k, n * n), uint8, 0 for empty cells.
    solutions
        Shape (k, n * n), uint8, or None.
    """

    _NAME = "puzzles"

    @classmethod
    def of(cls, rules: Rules, puzzles: Cells, solutions: Cells | None = None) -> Puzzles:
        """Puzzles from arrays of cells."""
        return cls(rules, puzzles if solutions is None else np.concatenate([puzzles, solutions], axis=1))

    @property
    def array(self) -> Cells:
        return self._rows[:, : self._cells]

    @property
    def solutions(self) -> Cells | None:
        return self._rows[:, self._cells :] if self._rows.shape[1] > self._cells else None

    @property
    def clues(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """The number of givens of each."""
        return np.asarray(np.count_nonzero(self.array, axis=1))

    def _arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return {"array": self.array} if self.solutions is None else {"array": self.array, "solutions": self.solutions}

    def _title(self) -> str:
        if not len(self):
            return "no puzzles"
        least, most = int(self.clues.min()), int(self.clues.max())
        return f"{len(self):,} puzzles, {least if least == most else f'{least} to {most}'} clues"

    def _opening(self, form: Form) -> str:
        if form == "csv":
            return "puzzle\n" if self.solutions is None else "puzzle,solution\n"
        return super()._opening(form)

    def _lines(self, form: Form) -> memoryview:
        if form == "text" or self.solutions is None:
            return super()._lines(form)
        between = np.full((len(self), 1), len(self._TOKENS), np.uint8)
        pair = np.concatenate([self.array, between, self.solutions], axis=1)
        if form == "csv":
            return _text.lines(pair, [*self._TOKENS, ","], "")
        tokens, heads = [*self._TOKENS, '", "solution": "'], ['{"puzzle": "']
        return _text.lines(pair, tokens, "", '"},\n', heads=heads, head=np.zeros(len(self), np.uint32))

    def _picture(self, index: int) -> Picture:
        return picture(self.array[index], self._rules, self.array[index])


def drawn(board: Cells, rules: Rules) -> str:
    """A board as text: bars between boxes, or between cells of different regions."""
    n, area = rules.n, rules.area()
    symbols = [("." + SYMBOLS)[digit] for digit in board]
    lines = []
    for r in range(n):
        cells = range(r * n, r * n + n)
        line = symbols[r * n]
        for c in cells[1:]:
            line += (" | " if area[c] != area[c - 1] else " " if rules.regions is None else "   ") + symbols[c]
        lines.append(line)
        if r == n - 1:
            break
        if rules.regions is None:
            if area[(r + 1) * n] != area[r * n]:
                width = rules.box[1]
                pieces = ["-" * (2 * width - 1)] * (n // width)
                lines.append("-+-".join(pieces))
        else:
            lines.append("   ".join("-" if area[c] != area[c + n] else " " for c in cells).rstrip())
    return "\n".join(lines)


def picture(board: Cells, rules: Rules, givens: Cells | None, side: float = 30) -> Picture:
    """A board with thick lines around its boxes; givens are bold and black, solved digits blue."""
    n, area = rules.n, rules.area()
    group = ElementTree.Element("g")
    shaded = _shaded(rules)
    _tag(group, "rect", x=0, y=0, width=n * side, height=n * side, fill="#ffffff", stroke="none")
    for cell in sorted(shaded):
        _tag(group, "rect", x=cell % n * side, y=cell // n * side, width=side, height=side, fill=SHADE)
    thin = " ".join(f"M{k * side:g} 0V{n * side:g}M0 {k * side:g}H{n * side:g}" for k in range(1, n))
    _tag(group, "path", d=thin, stroke=LINE, stroke_width=0.6, fill="none")
    thick = [f"M0 0H{n * side:g}V{n * side:g}H0Z"]
    for cell in range(n * n):
        r, c = divmod(cell, n)
        if c + 1 < n and area[cell] != area[cell + 1]:
            thick.append(f"M{(c + 1) * side:g} {r * side:g}v{side:g}")
        if r + 1 < n and area[cell] != area[cell + n]:
            thick.append(f"M{c * side:g} {(r + 1) * side:g}h{side:g}")
    _tag(group, "path", d=" ".join(thick), stroke=INK, stroke_width=2, fill="none", stroke_linecap="square")
    fixed = _tag(group, "g", font_weight="bold")
    free = _tag(group, "g", fill=SOLVED_INK)
    for cell, digit in enumerate(board.tolist()):
        if digit:
            where = group if givens is None else fixed if givens[cell] == digit else free
            x, y = (cell % n + 0.5) * side, (cell // n + 0.5) * side
            _write(where, x, y, 0.6 * side, SYMBOLS[digit - 1])
    return Picture(n * side, n * side, group)


def _shaded(rules: Rules) -> set[int]:
    """Cells of houses that lines do not show: diagonals and extra regions."""
    return {
        cell
        for name, house in zip(rules.names, rules.houses)
        if name.startswith(("diagonal", "window", "extra"))
        for cell in house
    }
