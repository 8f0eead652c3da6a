"""A small rectangle by solvers from PyPI: each prints a line for every tiling, its squares as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bench.cases import TILING_SMALL

WIDTH, HEIGHT, SQUARES = TILING_SMALL
SIDES = sorted(set(SQUARES))


def places() -> Iterator[tuple[int, int, int]]:
    for side in SIDES:
        for y in range(HEIGHT - side + 1):
            for x in range(WIDTH - side + 1):
                yield x, y, side


def cells(x: int, y: int, side: int) -> list[int]:
    return [(y + j) * WIDTH + x + i for j in range(side) for i in range(side)]


def ortools() -> None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    used = {place: model.new_bool_var(str(place)) for place in places()}
    covers: list[list[object]] = [[] for _ in range(WIDTH * HEIGHT)]
    for place, variable in used.items():
        for cell in cells(*place):
            covers[cell].append(variable)
    for some in covers:
        model.add_exactly_one(some)
    for side in SIDES:
        model.add(sum(variable for place, variable in used.items() if place[2] == side) == SQUARES.count(side))

    class Printer(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            print(json.dumps([place for place, variable in used.items() if self.value(variable)]), flush=True)

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1  # it enumerates with one only
    solver.solve(model, Printer())


def by_exact_cover(solve: Callable[[Any], Iterable[Iterable[int]]]) -> None:
    """It knows no counts, so a square is a place and which of its side's squares it is, in all orders: what differs in
    these only is printed once."""
    import numpy as np

    rows, names = [], []
    area = WIDTH * HEIGHT
    for which, wanted in enumerate(SQUARES):
        for place in places():
            if place[2] == wanted:
                row = np.zeros(area + len(SQUARES), np.int32)
                row[cells(*place)] = 1
                row[area + which] = 1
                rows.append(row)
                names.append(place)
    seen = set()
    for solution in solve(np.array(rows)):
        tiling = tuple(sorted(names[row] for row in solution))
        if tiling not in seen:
            seen.add(tiling)
            print(json.dumps(tiling), flush=True)


def exact_cover() -> None:
    from exact_cover import get_all_solutions

    by_exact_cover(get_all_solutions)


def dlx_cython() -> None:
    from dlxsolver import DLXSolver

    by_exact_cover(lambda rows: DLXSolver(rows).solve())


if __name__ == "__main__":
    {"ortools": ortools, "exact_cover": exact_cover, "dlx_cython": dlx_cython}[sys.argv[1]]()
