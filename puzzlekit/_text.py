"""Rows of symbols as lines of text. C writes the cells; Python says what a symbol looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from puzzlekit import _call


def _table(tokens: Sequence[str], entries: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The bytes of all tokens in a row, and eight more, and where each begins; `entries` of them at least."""
    encoded = [token.encode() for token in tokens]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.uint64)
    if ends[-1] >= 2**32:
        raise MemoryError("the text of the symbols is longer than 4 GB")
    at = np.full(max(entries, len(tokens)) + 1, ends[-1], np.uint32)
    at[: len(ends)] = ends
    return np.frombuffer(b"".join(encoded) + bytes(8), np.uint8), at


def lines(
    symbols: np.ndarray[Any, np.dtype[np.uint8]],
    cells: Sequence[str],
    separator: str = " ",
    tail: str = "\n",
    *,
    heads: Sequence[str] = (),
    head: np.ndarray[Any, np.dtype[np.uint32]] | None = None,
) -> memoryview:
    """Text with a line for each row of symbols: a head, the cells with separators between them, a tail.

    Parameters
    ----------
    symbols
        uint8 of shape (lines, width); each is a place in `cells`.
    cells
        What a symbol is written as; at most 256.
    separator, tail
        Between two cells; after the last one.
    heads, head
        What a line may begin with, and the place in `heads` of each line's.

    Returns
    -------
    memoryview
        The text in UTF-8.
    """
    count, width = symbols.shape
    cell_bytes, cell_at = _table([cell + separator for cell in cells], 256)
    head_bytes, head_at = _table(heads, 1) if head is not None else (None, None)
    ending = np.frombuffer(tail.encode() + bytes(1), np.uint8)
    arguments = (
        *(
            np.ascontiguousarray(symbols).reshape(-1),
            count,
            width,
            cell_bytes.view("i1"),
            cell_at,
            len(separator.encode()),
        ),
        *(head, None if head_bytes is None else head_bytes.view("i1"), head_at, ending.view("i1"), len(ending) - 1),
    )
    out = np.empty(_call.call("pk_text", *arguments, None), "i1")
    _call.call("pk_text", *arguments, out)
    return out.data.cast("B")
