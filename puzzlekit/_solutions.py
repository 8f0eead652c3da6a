"""What enumeration returns: a frozen sequence of solutions over one read-only array, and how it is written and drawn.

A family makes its own class of `Solutions`, which says what a solution is (`array`), how lines of text look (`_lines`,
`_opening`) and what a picture shows (`_picture`). Everything else is here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final, Literal, TypeVar, cast, overload

import numpy as np

from puzzlekit import _call
from puzzlekit._arguments import whole_number
from puzzlekit._draw import Picture, Svg, sheet
from puzzlekit._files import whole_file
from puzzlekit.errors import PuzzleError

Form = Literal["text", "csv", "json"]
FileForm = Literal["text", "csv", "json", "npy", "npz", "svg"]
Self = TypeVar("Self", bound="Solutions")

SUFFIXES: Final[dict[str, FileForm]] = {
    ".txt": "text",
    ".csv": "csv",
    ".json": "json",
    ".npy": "npy",
    ".npz": "npz",
    ".svg": "svg",
}
SLAB: Final = 1 << 16
"""Rows that are written at once, so that writing takes little memory."""


class Solutions(Sequence[Any]):
    """Solutions of one problem, in order. An index gives a solution, a slice or an index array gives Solutions."""

    SUFFIXES: ClassVar[Mapping[str, str]] = SUFFIXES
    """The forms of files, by their suffixes."""
    MOST_DRAWN: ClassVar[int] = 24
    """How many solutions a contact sheet shows; its caption says of how many."""

    def __init__(
        self, problem: Any, rows: np.ndarray[Any, Any], *, complete: bool = True, stats: _call.Stats | None = None
    ) -> None:
        if rows.flags.writeable:
            rows = rows.view()
            rows.flags.writeable = False
        # Past __setattr__, which is closed.
        vars(self).update(_problem=problem, _rows=rows, _complete=complete, _stats=stats)

    _problem: Any
    _rows: np.ndarray[Any, Any]
    _complete: bool
    _stats: _call.Stats | None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self._problem, self._rows, self._complete, self._stats)

    # ---- what a family says ----

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """All solutions as a read-only array, one a row."""
        return self._rows

    def _opening(self, form: Form) -> str:
        """What stands before the lines: a header of csv, and the members of a JSON object that come first."""
        raise NotImplementedError

    def _lines(self, form: Form) -> bytes | memoryview:
        """A line for each solution; in JSON, a value and a comma."""
        raise NotImplementedError

    def _picture(self, index: int) -> Picture:
        raise NotImplementedError

    def _title(self) -> str:
        """What these are, in a few words, with their number."""
        raise NotImplementedError

    def _arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """What an .npz file holds."""
        return {"array": self.array}

    # ---- a frozen sequence ----

    @property
    def problem(self) -> Any:
        """The problem these solve."""
        return self._problem

    @property
    def complete(self) -> bool:
        """Whether these are known to be all: false after a limit was reached or a cancel, and for a selection."""
        return self._complete

    @property
    def stats(self) -> _call.Stats | None:
        """How the search went; None for a selection."""
        return self._stats

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> np.ndarray[Any, Any]: ...
    @overload
    def __getitem__(self: Self, index: slice | Sequence[int] | np.ndarray[Any, Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
            place = range(len(self))[index]
            return self._select(slice(place, place + 1)).array[0]
        if not isinstance(index, slice):
            index = (
                np.asarray(index, None if len(index) else np.intp) if isinstance(index, (list, np.ndarray)) else None
            )
            if index is None or index.ndim != 1:
                raise TypeError("an index is a whole number, a slice, or a list or array of one dimension")
        return self._select(index)

    def _select(self: Self, index: Any) -> Self:
        return type(self)(self._problem, self._rows[index], complete=False)

    def __iter__(self) -> Iterator[np.ndarray[Any, Any]]:
        return iter(self.array)

    def __contains__(self, solution: object) -> bool:
        return bool(self._equal(solution).any())

    def index(self, solution: object, start: int = 0, stop: int | None = None) -> int:
        """The first place of a solution; ValueError if it is not there."""
        places = range(len(self))[start:stop]
        found = np.flatnonzero(self._equal(solution)[places.start : places.stop])
        if len(found) == 0:
            raise ValueError("it is not among these solutions")
        return places[int(found[0])]

    def count(self, solution: object) -> int:
        """How often a solution is among these: once or not at all, unless they were selected with repeats."""
        return int(self._equal(solution).sum())

    def _equal(self, solution: object) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which of these equal a solution."""
        try:
            wanted = np.asarray(solution)
        except ValueError:  # lists of different lengths
            wanted = np.empty(0)
        if wanted.shape != self.array.shape[1:]:
            return np.zeros(len(self), bool)
        return np.asarray((self.array == wanted).reshape(len(self), -1).all(axis=1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solutions):
            return NotImplemented
        return type(self) is type(other) and self._problem == other._problem and np.array_equal(self._rows, other._rows)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = bytes(self[:3]._lines("text")).decode().splitlines()
        lines += ["..."] if len(self) > 3 else []
        return "\n".join([f"<{self._title()}>", *("  " + line for line in lines)])

    def sorted(self: Self) -> Self:
        """The same solutions in lexicographic order."""
        order = lexicographic(self._rows)
        return type(self)(self._problem, self._rows[order], complete=self._complete, stats=self._stats)

    # ---- files and pictures ----

    def to_text(self) -> str:
        """All solutions as text, a line each."""
        return self._written("text")

    def to_csv(self) -> str:
        """All solutions as comma-separated values with a header."""
        return self._written("csv")

    def to_json(self) -> str:
        """The problem and all solutions as a JSON object."""
        return self._written("json")

    def _written(self, form: Form) -> str:
        return b"".join(self._pieces(form)).decode()

    def _pieces(self, form: Form) -> Iterator[bytes | memoryview]:
        slabs = (self[start : start + SLAB] for start in range(0, len(self), SLAB))
        return written(form, self._opening(form), slabs, lambda count: self.complete)

    def to_svg(self, most: int | None = None) -> Svg:
        """A contact sheet of the first `most` solutions (default: `MOST_DRAWN`); the caption says of how many."""
        shown = min(len(self), self.MOST_DRAWN if most is None else whole_number("most", most, 0))
        caption = self._title() if shown == len(self) else f"{self._title()} (the first {shown:,} are drawn)"
        return sheet([self._picture(index) for index in range(shown)], caption)

    def _repr_svg_(self) -> str:
        return str(self.to_svg())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file whose suffix says what it is: .txt, .csv, .json, .npy (the array), .npz (all arrays), .svg.

        The file appears whole or not at all.

        Raises
        ------
        PuzzleError
            If the suffix is another one, or the array holds objects that .npy and .npz could only pickle.
        OSError
            If the file cannot be written.
        """
        form = file_form(path, self.SUFFIXES)
        with whole_file(path) as file:
            self.write(file, form)

    def check_form(self, form: FileForm) -> None:
        """Raise PuzzleError if these cannot be written in a form: numpy's files hold machine numbers only."""
        arrays = {"npy": {"array": self.array}, "npz": self._arrays()} if form in ("npy", "npz") else {}
        for name, array in arrays.get(form, {}).items():
            if array.dtype.hasobject:
                raise PuzzleError(f".{form} holds machine numbers only, and {name} has objects: use .json or .csv")

    def write(self, file: BinaryIO, form: FileForm) -> None:
        """Write to an open file in a form: text, csv, json, npy, npz or svg. Errors as in `save`."""
        self.check_form(form)
        if form == "npy":
            np.save(file, self.array)
        elif form == "npz":
            np.savez(file, **self._arrays())  # type: ignore[arg-type]
        elif form == "svg":
            file.write(self.to_svg().encode())
        else:
            for piece in self._pieces(form):
                file.write(piece)


def _remade(kind: type[Solutions], problem: Any, rows: Any, complete: bool, stats: _call.Stats | None) -> Solutions:
    """Solutions from a pickle."""
    return kind(problem, frozen(rows), complete=complete, stats=stats)


def file_form(path: str | os.PathLike[str], suffixes: Mapping[str, str] = SUFFIXES) -> FileForm:
    """The form that a file name's suffix asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in suffixes:
        raise PuzzleError(f"{os.fspath(path)!r} ends in {suffix!r}: a file can be {', '.join(suffixes)}")
    return cast(FileForm, suffixes[suffix])


def written(
    form: Form, opening: str, slabs: Iterable[Solutions], complete: Callable[[int], bool]
) -> Iterator[bytes | memoryview]:
    """The pieces of a file: an opening, the lines of each slab, an end.

    The slabs may come from a search that still goes on. `complete` tells at the end, from the number of solutions,
    whether these were all.
    """
    yield opening.encode()
    count, comma = 0, b""
    for slab in slabs:
        if len(slab) == 0:
            continue
        count += len(slab)
        lines = slab._lines(form)
        if form == "json":
            yield comma
            lines, comma = memoryview(lines)[:-2], b",\n"
        yield lines
    if form == "json":
        yield f'\n],\n"count": {count}, "complete": {str(complete(count)).lower()}}}\n'.encode()


def frozen(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A view of an array of ours that nobody can make writeable again."""
    array.flags.writeable = False
    return array.view()


def lexicographic(rows: np.ndarray[Any, np.dtype[np.uint8]]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The order that sorts rows of bytes lexicographically: rows as big-endian words, least significant word first."""
    width = rows.shape[1]
    padded = np.zeros((len(rows), -(-width // 8) * 8), np.uint8)
    padded[:, :width] = rows
    words = padded.view(">u8").astype(np.uint64)
    return np.lexsort(words.T[::-1])


def stream(blocks: Iterator[np.ndarray[Any, np.dtype[np.uint8]]], made: Any, batch: int | None) -> Iterator[Any]:
    """Blocks of rows as Solutions of `batch` rows each, the last one maybe fewer; without a batch, as single solutions.

    `made` turns rows into Solutions, and `batch` has been checked. Closing this iterator closes the search.
    """
    return _single(blocks, made) if batch is None else _batches(blocks, made, batch)


def _single(blocks: Iterator[np.ndarray[Any, np.dtype[np.uint8]]], made: Any) -> Iterator[Any]:
    try:
        for block in blocks:
            for start in range(0, len(block), SLAB):
                yield from made(block[start : start + SLAB])
    finally:
        blocks.close()  # type: ignore[attr-defined]


def _batches(blocks: Iterator[np.ndarray[Any, np.dtype[np.uint8]]], made: Any, size: int) -> Iterator[Any]:
    try:
        waiting: list[np.ndarray[Any, np.dtype[np.uint8]]] = []
        rows = 0
        for block in blocks:
            waiting.append(block)
            rows += len(block)
            if rows < size:
                continue
            joined = waiting[0] if len(waiting) == 1 else np.concatenate(waiting)
            whole = rows - rows % size
            for start in range(0, whole, size):
                yield made(joined[start : start + size])
            waiting, rows = [joined[whole:]], rows - whole
        if rows:
            yield made(np.concatenate(waiting))
    finally:
        blocks.close()  # type: ignore[attr-defined]
