"""n queens by solvers from PyPI: each prints a line for every board, the column of the queen of each row."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterable


def found(board: Iterable[int]) -> None:
    print(*board, flush=True)


def ortools(n: int) -> None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    columns = [model.new_int_var(0, n - 1, f"r{row}") for row in range(n)]
    model.add_all_different(columns)
    model.add_all_different([column + row for row, column in enumerate(columns)])
    model.add_all_different([column - row for row, column in enumerate(columns)])

    class Printer(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found(self.value(column) for column in columns)

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1  # it enumerates with one only
    solver.solve(model, Printer())


def nqueens(n: int) -> None:
    from nqueens_solver.solver import solve_n_queens  # type: ignore

    with contextlib.redirect_stdout(io.StringIO()):  # it prints boards itself
        boards = solve_n_queens(n)
    for board in boards:
        found(board)


if __name__ == "__main__":
    {"ortools": ortools, "nqueens": nqueens}[sys.argv[1]](int(sys.argv[2]))
