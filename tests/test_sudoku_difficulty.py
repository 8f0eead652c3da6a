"""Sudoku: measures of difficulty."""

from __future__ import annotations

import itertools

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
from cases_sudoku import HARD, WIKI

from puzzlekit import sudoku


def test_difficulty():
    easy = sudoku.difficulty(WIKI)
    assert (easy.status, easy.technique, easy.backdoor, easy.guesses) == ("unique", "hidden single", 0, 0)
    hard = sudoku.difficulty(HARD)
    assert hard.technique == "beyond these"
    assert hard.backdoor >= 1
    assert hard.guesses > 0
    assert sudoku.difficulty("." * 81).status == "several"
    assert sudoku.difficulty("." * 81).technique is None
    assert sudoku.difficulty(known.CASES[8][0]).status == "none"
    assert sudoku.difficulty("11" + "." * 79).status == "invalid"
    full = sudoku.difficulty(known.MOST_CANONICAL)
    assert (full.technique, full.backdoor) == ("none", 0)
    found = sudoku.puzzles(300, seed=11)
    measured = sudoku.difficulty(found)
    for one in measured:
        singles = one.technique in sudoku.TECHNIQUES[:3]
        assert (one.backdoor == 0) == singles
    assert len({one.technique for one in measured}) >= 5


def test_backdoors_are_backdoors():
    """With the singles of another program: the cells of some set are enough, and those of no smaller set."""
    houses = oracles.houses()
    peers = [{other for house in houses if cell in house for other in house} for cell in range(81)]

    def singles(board):
        board = list(board)
        while True:
            free = {
                cell: set(range(1, 10)) - {board[other] for other in peers[cell]}
                for cell in range(81)
                if not board[cell]
            }
            moves = {cell: min(options) for cell, options in free.items() if len(options) == 1}
            for house in houses:
                for digit in range(1, 10):
                    places = [cell for cell in house if digit in free.get(cell, ())]
                    if len(places) == 1:
                        moves[places[0]] = digit
            if not moves:
                return not free
            for cell, digit in moves.items():
                board[cell] = digit

    def is_enough(puzzle, solution, cells):
        board = puzzle.copy()
        board[list(cells)] = solution[list(cells)]
        return singles(board)

    found = sudoku.puzzles(600, seed=13)
    measured = [one.backdoor for one in sudoku.difficulty(found)]
    for size in (0, 1, 2):
        for place in [k for k, backdoor in enumerate(measured) if backdoor == size][: (3, 3, 1)[size]]:
            puzzle, solution = found.array[place], found.solutions[place]
            empty = np.flatnonzero(puzzle == 0).tolist()
            for less in range(size):
                assert not any(is_enough(puzzle, solution, cells) for cells in itertools.combinations(empty, less))
            assert any(is_enough(puzzle, solution, cells) for cells in itertools.combinations(empty, size))
    assert {0, 1, 2} <= set(measured)
