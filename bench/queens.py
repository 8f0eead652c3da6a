"""Queens: what is measured."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from bench import cases, runner
from bench.runner import Job, Peer, textbook
from puzzlekit import _call, queens

PEERS_N = 10


def jobs() -> Iterator[Job]:
    """Counts beside the textbook's, and in every variant that this machine runs; lists; completions. One thread."""
    counts = {n: partial(queens.count, n) for n in (0, 4, 6, 7, 8, 9, 10)}  # on the caller's thread in any case
    counts |= {n: partial(queens.count, n, threads=1) for n in (11, 12, 14)}
    for n, counting in counts.items():
        yield Job(_counted(n), counting, cases.QUEENS[n])
        yield _textbook(n)
    for n in (16, 17):
        yield Job(_counted(n), partial(queens.count, n, threads=1), cases.QUEENS[n])
        yield Job(f"  two threads, n = {n}", partial(queens.count, n, threads=2), cases.QUEENS[n], like=_counted(n))
        for level, name in enumerate(_call.CPU_LEVELS[: _call.cpu_level() + 1]):
            yield Job(f"  {name}, n = {n}", _variant(n, level), cases.QUEENS[n], like=_counted(n))
    yield Job("16 counted up to symmetry", partial(queens.count, 16, fundamental=True, threads=1), 1_846_955)
    for n in (8, 12, 14):
        yield Job(f"{n} as an array", partial(queens.enumerate, n, threads=1), cases.QUEENS[n], partial(_boards, n))
    yield Job("16 as an array", partial(queens.enumerate, 16, threads=1), cases.QUEENS[16], len)
    barred = [(row, (7 * row + 3) % 16) for row in range(16)]
    yield Job("16, sixteen squares barred", partial(queens.count, 16, blocked=barred, threads=1), cases.QUEENS_BARRED)
    yield Job("13 on a torus", partial(queens.count, 13, toroidal=True, threads=1), 4_524)


def large_jobs() -> Iterator[Job]:
    """What takes seconds and hundreds of megabytes: `python -m bench.queens`."""
    for n in (14, 15, 16, 17, 18):
        yield Job(_counted(n), partial(queens.count, n, threads=1), cases.QUEENS[n])
        for level, name in enumerate(_call.CPU_LEVELS[: _call.cpu_level()]):
            yield Job(f"  {name}, n = {n}", _variant(n, level), cases.QUEENS[n], like=_counted(n))
        if n <= 16:
            yield _textbook(n)
    for n in (12, 14, 16):
        yield Job(f"{n} as an array", partial(queens.enumerate, n, threads=1), cases.QUEENS[n], len)
    made = queens.enumerate(16)
    yield Job("16 sorted", made.sorted, cases.QUEENS[16], len)


def peers() -> Iterator[Peer]:
    for name, key in (("OR-Tools CP-SAT", "ortools"), ("nqueens-solver", "nqueens")):
        arguments = [key, str(PEERS_N)]
        boards = cases.QUEENS[PEERS_N]
        yield Peer(f"{PEERS_N} by {name}", "bench.peers_queens", arguments, boards, _check_lines, _counted(PEERS_N))


def _counted(n: int) -> str:
    return f"{n} counted"


def _textbook(n: int) -> Job:
    search = textbook("queens_masks").queens_masks
    search.argtypes, search.restype = [ctypes.c_int], ctypes.c_uint64
    return Job(f"  textbook in C, n = {n}", partial(search, n), cases.QUEENS[n], like=_counted(n))


def _variant(n: int, level: int) -> Callable[[], int]:
    return lambda: _call.count(_call.Plan("queens_join", n, None, False, level, None), threads=1)


def _boards(n: int, found: queens.Solutions) -> int:
    """How many there are, if they are boards and all distinct."""
    assert queens.verify(n, found).all()
    assert len(np.unique(found.array, axis=0)) == len(found)
    return len(found)


def _check_lines(lines: list[str]) -> None:
    if lines:
        rows = np.loadtxt(lines, np.int64, ndmin=2)
        assert queens.verify(PEERS_N, rows).all()
        assert len(np.unique(rows, axis=0)) == len(rows)


if __name__ == "__main__":
    large = list(large_jobs())
    runner.measure(large, 2, 0.5, time.process_time)
    print(runner.machine(), "", *runner.table(large, (), 0), sep="\n")
