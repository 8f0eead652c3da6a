"""Sudoku: measures of difficulty."""

from __future__ import annotations

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
    """Of a few puzzles, with the singles of another program: no smaller set of cells is enough."""
    found = sudoku.puzzles(40, seed=13)
    measured = sudoku.difficulty(found)
    houses = oracles.houses()
    checked = [0, 0]

    def singles(board):
        board = list(board)
        while True:
            free = {}
            for cell in range(81):
                if not board[cell]:
                    used = {board[other] for house in houses if cell in house for other in house}
                    free[cell] = set(range(1, 10)) - used
            move = next(((cell, min(options)) for cell, options in free.items() if len(options) == 1), None)
            for house in houses:
                for digit in range(1, 10):
                    places = [cell for cell in house if digit in free.get(cell, ())]
                    if len(places) == 1:
                        move = places[0], digit
            if move is None:
                return not free
            board[move[0]] = move[1]

    for puzzle, solution, one in zip(found.array, found.solutions, measured):
        if one.backdoor <= 1 and checked[one.backdoor] < 3:
            checked[one.backdoor] += 1
            opened = [singles(puzzle)]
            if one.backdoor == 1:
                opened = []
                for cell in np.flatnonzero(puzzle == 0):
                    board = puzzle.copy()
                    board[cell] = solution[cell]
                    opened.append(singles(board))
                assert not singles(puzzle)
            assert any(opened)
    assert checked == [3, 3]
