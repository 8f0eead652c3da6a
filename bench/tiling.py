"""Tiling: what is measured."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bench import ROOT, cases
from bench.runner import FLAGS, Job, Peer, compiler
from puzzlekit import tiling

MORON = tiling.Rectangle(*cases.MORON)
SMALL = tiling.Rectangle(*cases.TILING_SMALL)
FIRST = "small rectangle listed"


def jobs() -> Iterator[Job]:
    """Counts and lists with one thread. Longer ones are in `long`: python -m bench.tiling."""
    yield Job("Partridge 7 counted", partial(tiling.count, 7, threads=1), 0)
    yield Job("Moron 32 x 33, all", lambda: tiling.count(MORON, threads=1), 4)
    yield Job(FIRST, lambda: tiling.enumerate(SMALL, fundamental=False, threads=1), cases.TILING_SMALL_COUNT, _checked)


def peers() -> Iterator[Peer]:
    for name, key in (("OR-Tools CP-SAT", "ortools"), ("exact-cover", "exact_cover"), ("dlx-cython", "dlx_cython")):
        yield Peer(f"{FIRST} by {name}", "bench.peers_tiling", [key], cases.TILING_SMALL_COUNT, _check_lines, FIRST)


def _checked(found: tiling.Solutions) -> int:
    assert tiling.verify(SMALL, found).all()
    return len(found)


def _check_lines(lines: list[str]) -> None:
    """Lines are tilings in JSON."""
    if lines:
        rows = np.array([json.loads(line) for line in lines])
        assert tiling.verify(SMALL, rows).all()
        order = np.sort(rows[:, :, 1] * 10_000 + rows[:, :, 0] * 100 + rows[:, :, 2], axis=1)
        assert len(np.unique(order, axis=0)) == len(rows)


def _textbook(*arguments: int) -> list[float]:
    """What the textbook program prints: tilings, states, seconds, and estimates of all states and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        program, source = Path(folder, "skyline"), ROOT / "bench" / "textbook" / "tiling_skyline.c"
        subprocess.run([*compiler(), *FLAGS, "-o", program, source], check=True)
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def long() -> None:
    """What takes longer than a round of the table should: each once, with all threads, answers asserted."""
    import time

    def timed(name: str, run: partial[object], expected: object) -> None:
        cpu, began = time.process_time(), time.perf_counter()
        assert run() == expected, name
        print(
            f"{name}: {time.perf_counter() - began:.1f} s, {time.process_time() - cpu:.1f} s of processors", flush=True
        )

    square = tiling.Rectangle(*cases.DUIJVESTIJN)
    timed("Partridge 8 counted", partial(tiling.count, 8), 18_656)
    timed("Partridge 8 listed", partial(lambda: len(tiling.enumerate(8))), 2_332)
    timed("Duijvestijn 112 x 112, the first", partial(lambda: tiling.solve(square) is not None), True)
    timed("Duijvestijn 112 x 112, all", partial(tiling.count, square), 8)
    found, _, seconds, _, _ = _textbook(7)
    assert found == 0
    print(f"Partridge 7 by the textbook: {seconds:.1f} s of one processor")
    _, _, seconds, states, estimate = _textbook(8, 12, 200)
    print(f"Partridge 8 by the textbook: {estimate:.0f} s, {states:.2g} states, from a sample of {seconds:.0f} s")


if __name__ == "__main__":
    long()
