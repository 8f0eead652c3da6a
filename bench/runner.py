"""Jobs, measured in turn, and the table of their times."""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import shlex
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import puzzlekit
from bench import ROOT

if Path(puzzlekit.__file__).resolve().is_relative_to(ROOT / "puzzlekit"):
    raise ImportError(f"{puzzlekit.__file__} is the source tree: install the wheel first (make bench does)")

FLAGS: Final = ("-O3", "-std=gnu11")
"""The flags of the wheel's kernels (setup.py) that matter for speed."""

ROUNDS: Final = 15
ROUND_SECONDS: Final = 0.02
"""In each round a job is repeated for about this long, once at least."""


@dataclass
class Job:
    """Something to measure.

    Attributes
    ----------
    name
        What the table calls it.
    run
        Does the job once; only this is timed.
    answer
        Turns what `run` returned into what must equal `expected`.
    before
        Called before each run, not timed.
    like
        The name of puzzlekit's job that does the same: the ratio of the least times is shown.
    """

    name: str
    run: Callable[[], Any]
    expected: Any
    answer: Callable[[Any], Any] = lambda result: result
    like: str | None = None
    before: Callable[[], None] = lambda: None
    seconds: list[float] = field(default_factory=list)

    def check(self, result: Any) -> None:
        """Raise AssertionError if this is not the answer."""
        found = self.answer(result)
        if found != self.expected:
            raise AssertionError(f"{self.name}: {found}, not {self.expected}")


@dataclass
class Peer:
    """Another solver: a program that prints a line for each solution and is stopped when its time is over.

    `check` raises AssertionError for lines that are not distinct solutions.
    """

    name: str
    module: str
    arguments: Sequence[str]
    solutions: int
    check: Callable[[list[str]], None]
    like: str

    def part(self, found: int) -> str:
        """What the table says of a peer that was stopped."""
        return f"    stopped with {found:,} of {self.solutions:,}"

    def run(self, seconds: float) -> tuple[int, float]:
        """How many solutions it printed, and in what time."""
        began = time.perf_counter()
        with tempfile.TemporaryFile("w+") as out:
            command = [sys.executable, "-m", self.module, *self.arguments]
            with subprocess.Popen(command, cwd=ROOT, stdout=out) as program:
                try:
                    status = program.wait(seconds)
                except subprocess.TimeoutExpired:
                    program.kill()
                    status = None
            taken = time.perf_counter() - began
            out.seek(0)
            lines = [line for line in out if line.endswith("\n")]
        self.check(lines)
        if status or (status == 0 and len(lines) != self.solutions):
            raise AssertionError(f"{self.name}: ended with status {status} after {len(lines)} solutions")
        return len(lines), taken


@cache
def textbook(name: str) -> ctypes.CDLL:
    """A program of the folder `textbook` as a library, compiled as the wheel's kernels are."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, f"{name}.so")
        source = ROOT / "bench" / "textbook" / f"{name}.c"
        subprocess.run([*compiler(), *FLAGS, "-shared", "-fPIC", "-o", library, source], check=True)
        return ctypes.CDLL(str(library))


def compiler() -> list[str]:
    """What setuptools calls to compile C."""
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[:1]


def measure(
    jobs: Sequence[Job],
    rounds: int = ROUNDS,
    round_seconds: float = ROUND_SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> None:
    """Measure all jobs side by side: every round runs each of them, so that what disturbs one disturbs all.

    With time.process_time as the clock, it says something on a busy machine too.
    """
    for job in jobs:
        job.before()
        job.check(job.run())
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            for job in jobs:
                round_ends = clock() + round_seconds
                ended = 0.0
                while ended < round_ends:
                    result = None  # its memory is free before the next is made
                    job.before()
                    began = clock()
                    result = job.run()
                    ended = clock()
                    job.seconds.append(ended - began)
                if turn == rounds - 1:
                    job.check(result)
    finally:
        gc.enable()


def table(jobs: Sequence[Job], peers: Sequence[Peer], seconds: float) -> Iterator[str]:
    """The lines of a table in Markdown. Peers run while it is printed, `seconds` each."""
    least = {job.name: min(job.seconds) for job in jobs}
    width = max(len(name) for name in [*(job.name for job in jobs), *(peer.part(peer.solutions) for peer in peers)])
    yield f"| {'':{width}} | least time | median   | to puzzlekit |"
    yield f"| {'-' * width} | ---------: | -------: | -----------: |"
    for job in jobs:
        ratio = f"{min(job.seconds) / least[job.like]:,.0f} x" if job.like else ""
        median = shown(statistics.median(job.seconds))
        yield f"| {job.name:{width}} | {shown(min(job.seconds)):>10} | {median:>8} | {ratio:>12} |"
    for peer in peers if seconds else ():
        found, taken = peer.run(seconds)
        ratio = f"{'' if found == peer.solutions else '> '}{taken / least[peer.like]:,.0f} x"
        yield f"| {peer.name:{width}} | {shown(taken):>10} | {'':8} | {ratio:>12} |"
        if found < peer.solutions:
            yield f"| {peer.part(found):{width}} | {'':10} | {'':8} | {'':12} |"


def shown(seconds: float) -> str:
    """A time with three digits or so."""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"


def machine() -> str:
    """What was measured, with what, on what."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    textbooks = subprocess.run([*compiler(), "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    built = puzzlekit.build_info()["compiler"]
    return (
        f"puzzlekit {puzzlekit.__version__} ({built}, one thread) from {Path(puzzlekit.__file__).parent}\n"
        f"textbook programs: {textbooks}, {' '.join(FLAGS)}\n"
        f"{model}, {os.cpu_count()} processors; {platform.system()}; Python {platform.python_version()}"
    )
