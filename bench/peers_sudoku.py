"""The minimal puzzles of bench/sudoku.py by solvers from PyPI: each prints a line for every solution."""

from __future__ import annotations

import sys
from typing import Any

from bench.sudoku import minimal


def exact_cover() -> None:
    import numpy as np
    from exact_cover import get_exact_cover  # type: ignore

    rows = np.zeros((729, 324), bool)
    for cell in range(81):
        r, c = divmod(cell, 9)
        for digit in range(9):
            needs = [cell, 81 + 9 * r + digit, 162 + 9 * c + digit, 243 + 9 * (r // 3 * 3 + c // 3) + digit]
            rows[9 * cell + digit, needs] = True
    for puzzle in minimal().array:
        allowed = [9 * cell + d for cell in range(81) for d in range(9) if puzzle[cell] in (0, d + 1)]
        chosen = sorted(allowed[place] for place in get_exact_cover(rows[allowed].astype("i4")))
        print("".join(str(row % 9 + 1) for row in chosen), flush=True)


def py_sudoku() -> None:
    from sudoku import Sudoku  # type: ignore

    for puzzle in minimal().grids:
        board: Any = Sudoku(3, board=puzzle.tolist()).solve().board
        print("".join(str(digit) for row in board for digit in row), flush=True)


def sudokutools() -> None:
    from sudokutools.solve import dlx  # type: ignore
    from sudokutools.sudoku import Sudoku  # type: ignore

    for puzzle in minimal().array:
        solved = next(iter(dlx(Sudoku.decode("".join(map(str, puzzle.tolist()))))))
        print("".join(str(solved[r, c]) for r in range(9) for c in range(9)), flush=True)


def lib_sudoku() -> None:
    import lib_sudoku as peer  # type: ignore

    for puzzle in minimal().array:
        print("".join(map(str, peer.solve(puzzle.tolist()))), flush=True)


def dokusan() -> None:
    from dokusan.boards import BoxSize, Sudoku  # type: ignore
    from dokusan.solvers import backtrack  # type: ignore

    for puzzle in minimal().grids:
        print(backtrack(Sudoku.from_list(puzzle.tolist(), BoxSize(3, 3))), flush=True)


if __name__ == "__main__":
    {
        "exact-cover": exact_cover,
        "py-sudoku": py_sudoku,
        "sudokutools": sudokutools,
        "lib-sudoku": lib_sudoku,
        "dokusan": dokusan,
    }[sys.argv[1]]()
