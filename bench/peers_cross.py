"""The cross with 1..16 by solvers from PyPI: each prints a line for every filling.

python-constraint2 has no sums of which only equality is known: it is told the six sums that have fillings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

LINES = ((0, 1, 2), (3, 4, 5, 6), (9, 10, 11, 12), (13, 14, 15), (0, 6, 9, 15), (2, 7, 11), (4, 8, 13))


def found(filling: Iterable[int]) -> None:
    print(*filling, flush=True)


def ortools() -> None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [model.new_int_var(1, 16, f"c{cell}") for cell in range(16)]
    total = model.new_int_var(10, 45, "total")
    model.add_all_different(cells)
    for line in LINES:
        model.add(sum(cells[cell] for cell in line) == total)

    class Printer(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found(self.value(cell) for cell in cells)

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1  # it enumerates with one only
    solver.solve(model, Printer())


def constraint() -> None:
    from constraint import AllDifferentConstraint, ExactSumConstraint, Problem  # type: ignore

    for total in range(27, 33):
        problem = Problem()
        problem.addVariables(range(16), range(1, 17))
        problem.addConstraint(AllDifferentConstraint())
        for line in LINES:
            problem.addConstraint(ExactSumConstraint(total), line)
        for filling in problem.getSolutionIter():
            found(filling[cell] for cell in range(16))


if __name__ == "__main__":
    {"ortools": ortools, "constraint": constraint}[sys.argv[1]]()
