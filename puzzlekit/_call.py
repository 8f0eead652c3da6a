"""The one door to the C kernels: plans, runs, threads, Ctrl-C, progress, errors, and memory that becomes numpy arrays.

Nothing else imports the compiled module. A family makes a `Plan` and hands it to `enumerate_rows`, `iterate_rows`,
`count` or `count_units`.

A search first runs on the caller's thread for a few milliseconds, because a thread costs more than a small search
takes. A longer one runs in a fresh Python thread that is joined before the verb returns, while the caller waits in
short steps: so Ctrl-C is answered at once (a C call would answer it only on its return), and OpenMP's worker pool
dies with that thread, which is what makes a later fork() safe.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from puzzlekit._arguments import whole_number
from puzzlekit._kernel import ffi, lib
from puzzlekit._machine import processors
from puzzlekit._values import shown
from puzzlekit.errors import Cancelled, PuzzleError

Progress = Callable[[int, int, int], "bool | None"] | bool | None
"""How a search reports: None, True for a bar, or a callable that is told units done, units in all, solutions found."""

DIRECT_SECONDS: Final = 0.005
STEP_SECONDS: Final = 0.02
REPORT_SECONDS: Final = 0.1
WINDOW_BYTES: Final = 1 << 23
THREADS_PER_PROCESSOR: Final = 4
"""More gain nothing, and a system that cannot make a thread ends the process."""
UNLIMITED: Final = 2**64 - 1
CPU_LEVELS: Final = ("portable", "avx2", "avx512")
_NO_WINDOW: Final = 2 ** (8 * ffi.sizeof("size_t")) - 1

_Bytes = np.ndarray[Any, np.dtype[np.uint8]]
_C_TYPES: Final = {
    "i1": "char[]",
    "u1": "uint8_t[]",
    "u2": "uint16_t[]",
    "i4": "int32_t[]",
    "u4": "uint32_t[]",
    "i8": "int64_t[]",
    "u8": "uint64_t[]",
}


@dataclass(frozen=True)
class Stats:
    """How a search went: seconds from the call on, threads it was given, and units (independent parts) of it done."""

    seconds: float
    threads: int
    units: int


@dataclass(frozen=True)
class Rows:
    """What a search found: a read-only array of shape (rows, bytes a row), and whether that is all there is."""

    array: _Bytes
    complete: bool
    stats: Stats


def _argument(value: Any) -> Any:
    """An array as the pointer that C wants; None as NULL; anything else as it is."""
    if value is None:
        return ffi.NULL
    if isinstance(value, np.ndarray):
        return ffi.from_buffer(_C_TYPES[value.dtype.str[1:]], value)
    return value


def call(function: str, *arguments: Any) -> Any:
    """Call a C function that needs no thread of its own. Arrays must be contiguous and of the type C expects."""
    return getattr(lib, function)(*map(_argument, arguments))


def function(name: str) -> Callable[..., Any]:
    """A C function that takes and returns numbers, to be kept where looking it up would take as long as the call."""
    found: Callable[..., Any] = getattr(lib, name)
    return found


def check(status: int) -> int:
    """Map a status of C to an exception, or return it: partial results are not errors."""
    if status == lib.PK_ENOMEM:
        raise MemoryError("the search needs more memory than there is")
    if status == lib.PK_EOVERFLOW:
        raise PuzzleError("the number of solutions does not fit 64 bits")
    if status < 0:
        raise SystemError(f"a kernel refused its input (status {status}): please report this")
    return status


class Plan:
    """A compiled search, made by the C function ``pk_<kernel>_plan``. It is immutable, and threads may share it."""

    def __init__(self, kernel: str, *arguments: Any) -> None:
        self.keep = arguments  # a plan may point to them
        slot = ffi.new("pk_plan **")
        if check(call(f"pk_{kernel}_plan", *arguments, slot)) == lib.PK_CANCELLED:
            raise Cancelled("the plan was given up")
        self.pointer = ffi.gc(slot[0], lib.pk_plan_free)
        self.units: int = lib.pk_plan_units(self.pointer)
        self.row_bytes: int = lib.pk_plan_row_bytes(self.pointer)


def cpu_level() -> int:
    """What vectors kernels may use, a pk_cpu level: the machine's, or what PUZZLEKIT_CPU asks for.

    The variable is portable, avx2 or avx512: for tests, and for finding out what vectors are worth. What the machine
    lacks is an error.
    """
    best: int = lib.pk_cpu_level()
    asked = os.environ.get("PUZZLEKIT_CPU", "")
    if not asked:
        return best
    if asked not in CPU_LEVELS:
        raise PuzzleError(f"PUZZLEKIT_CPU must be one of {', '.join(CPU_LEVELS)}, not {asked!r}")
    level = CPU_LEVELS.index(asked)
    if level > best:
        raise PuzzleError(f"PUZZLEKIT_CPU is {asked}, but this machine has {CPU_LEVELS[best]}")
    return level


def thread_limit(threads: int | None) -> int | None:
    """Check ``threads=``."""
    if threads is None:
        return None
    whole = whole_number("threads", threads)
    if whole < 1:
        raise PuzzleError(f"threads must be at least 1, not {shown(whole)}")
    # what is small anyway need not be compared: to ask for the processors takes 6 us, as long as a small search
    return whole if whole <= 8 else min(whole, max(8, THREADS_PER_PROCESSOR * (os.cpu_count() or 1)))


def default_threads() -> int:
    """What ``threads=None`` means: OMP_NUM_THREADS if it is set, else the processors this process may use.

    It is asked in the caller's thread, because limits such as threadpoolctl's hold there and not in a new one.
    """
    allowed: int = lib.pk_max_threads()
    if "OMP_NUM_THREADS" not in os.environ:
        allowed = min(allowed, processors())
    return max(1, allowed)


def row_limit(limit: int | None) -> int:
    """Resolve ``limit=``: None means no limit."""
    if limit is None:
        return UNLIMITED
    whole = whole_number("limit", limit)
    if whole < 0:
        raise PuzzleError(f"limit must not be negative, not {shown(whole)}")
    return min(whole, UNLIMITED)


def batch_size(batch: int | None) -> int:
    """Resolve ``batch=``: None means one row at a time."""
    if batch is None:
        return 1
    whole = whole_number("batch", batch)
    if whole < 1:
        raise PuzzleError(f"batch must be at least 1, not {shown(whole)}")
    return whole


def reporter(progress: Progress) -> Callable[[int, int, int], bool | None] | None:
    if progress is None or progress is False:
        return None
    if progress is True:
        return Bar()
    if not callable(progress):
        raise PuzzleError(f"progress must be None, True or a callable, not {progress!r}")
    return progress


class _Tqdm(tqdm):  # type: ignore[misc]
    """A bar without tqdm's monitor, a thread that would outlive the search."""

    monitor_interval = 0


class Bar:
    """A progress bar of units, with the number of solutions beside it, once a search has taken `delay` seconds."""

    def __init__(self, delay: float = 0) -> None:
        self.delay = delay
        self.bar: Any = None

    def __call__(self, done: int, total: int, found: int) -> None:
        if self.bar is None:
            self.bar = _Tqdm(total=total, unit="unit", delay=self.delay)
        self.bar.set_postfix(found=f"{found:,}", refresh=False)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None  # the next search begins another one


class Stages:
    """The progress of a search of several runs, told as one: parts of `WHOLE`, of which each run has a share.

    A family makes one, hands `run` to each of its runs as their progress, asks `check` after those that do not raise
    `Cancelled`, says with `finish` what was found in the end, and closes it. `found` is what it says before that. A run
    that is given up and done again in smaller parts is no step back: what has been reached stays.
    """

    WHOLE: Final = 10_000

    def __init__(self, progress: Progress) -> None:
        self.report = reporter(progress)
        self.found = 0
        self.reached = 0
        self.stopped = False

    def run(self, start: float, end: float) -> Progress:
        """The progress of a run that has the parts from start to end, fractions of the whole."""
        report = self.report
        if report is None:
            return None

        def tell(done: int, total: int, found: int) -> bool | None:
            place = int(self.WHOLE * (start + (end - start) * done / max(total, 1)))
            self.reached = max(self.reached, place)
            answer = report(self.reached, self.WHOLE, self.found)
            self.stopped = isinstance(answer, (bool, np.bool_)) and not answer
            return not self.stopped

        return tell

    def check(self) -> None:
        """Raise `Cancelled` if progress has stopped a run."""
        if self.stopped:
            raise Cancelled(f"progress stopped the search after {self.found} solutions")

    def finish(self, found: int) -> None:
        """Report the end: all parts, and what was found."""
        if self.report is not None:
            self.report(self.WHOLE, self.WHOLE, found)

    def close(self) -> None:
        if isinstance(self.report, Bar):
            self.report.close()


_live: weakref.WeakSet[_Run] = weakref.WeakSet()


@atexit.register
def _cancel_all() -> None:
    """At exit nobody is left to take the rows of an open iterator, so its workers must not go on waiting."""
    for run in list(_live):
        run.close()


class _End:
    """The end of a search, told by its thread.

    Neither Thread.join nor Event.wait: interrupted by Ctrl-C, the one takes a running thread for a stopped one (Python
    3.10 to 3.12), and the other may lose its lock.
    """

    def __init__(self) -> None:
        self.reached = False
        self.lock = threading.Lock()
        self.lock.acquire()

    def tell(self) -> None:
        self.reached = True
        self.lock.release()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, about so long; whether it has been reached."""
        if not self.reached:
            self.lock.acquire(timeout=seconds)
        return self.reached


def aside(make: Callable[[Any], Plan]) -> Plan:
    """Make a plan that takes seconds on a thread of its own, so that Ctrl-C need not wait for C.

    `make` is handed an array of one int32 that is 0, and 1 from the moment that nobody waits any more: for a C function
    that can be stopped. Any other finishes unseen.
    """
    end, stop = _End(), np.zeros(1, np.int32)
    made: list[Plan | BaseException] = []

    def work() -> None:
        try:
            made.append(make(stop))
        except BaseException as error:
            made.append(error)
        finally:
            end.tell()

    try:
        threading.Thread(target=work, name="puzzlekit plan", daemon=True).start()
        while not end.wait(STEP_SECONDS):
            pass
    finally:
        stop[0] = 1
    plan = made.pop()
    if isinstance(plan, BaseException):
        try:
            raise plan
        finally:
            del plan  # or its traceback, this frame and what the plan was made of would hold one another
    return plan


def _work(pointer: Any, threads: int, keep: object, end: _End) -> None:
    """What the thread of a search does. It holds what the C run points to, but not the `_Run`, which may go first."""
    try:
        lib.pk_run_work(pointer, threads)
    finally:
        end.tell()


class _Run:
    """One search: the C run, the thread that works on it, and who hears of its progress."""

    def __init__(
        self,
        plan: Plan,
        *,
        limit: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
        units: tuple[int, int] | None = None,
        window: int = _NO_WINDOW,
        counts: np.ndarray[Any, np.dtype[np.uint64]] | None = None,
        counting: bool = False,
    ) -> None:
        first, last = (0, plan.units) if units is None else units
        self.report = reporter(progress)
        self.thread_limit = thread_limit(threads)
        self.threads = 1
        self.began = self.reported = time.perf_counter()
        self.process = os.getpid()
        self.thread: threading.Thread | None = None
        self.end = _End()
        self.keep = plan, counts  # the C run points to them
        self.row_bytes = plan.row_bytes
        pointer = lib.pk_run_new(plan.pointer, first, last, counting, _argument(counts), row_limit(limit), window)
        if pointer == ffi.NULL:
            raise MemoryError("the search needs more memory than there is")
        self.memory = ffi.gc(pointer, lib.pk_run_free)
        # However often Ctrl-C interrupts close(), a search that nobody holds any more is cancelled, in C.
        self.pointer = ffi.gc(self.memory, lib.pk_run_cancel)

    def wait(self) -> int:
        """Search to the end and return the status."""
        try:
            self._tell()
            self._begin()
            if self.thread is not None:
                while not self.end.wait(STEP_SECONDS):
                    self._tell_sometimes()
            status: int = lib.pk_run_status(self.pointer)
            self._tell()
        finally:
            self.close()
        return check(status)

    def wait_for_all(self) -> None:
        """Search to the end; raise `Cancelled` when progress stopped the search."""
        if self.wait() == lib.PK_CANCELLED:
            raise self._cancelled()

    def _cancelled(self) -> Cancelled:
        return Cancelled(f"progress stopped the search after {self.progress()[2]} solutions")

    def blocks(self) -> Iterator[_Bytes]:
        """Yield the rows in order as they are found; raise `Cancelled` when progress stopped the search."""
        try:
            self._tell()
            self._begin()
            ended = self.thread is None
            while True:
                block = self.take()
                if block is not None:
                    yield block
                    if not ended and os.getpid() != self.process:
                        raise RuntimeError("a search that was begun before a fork can go on only in the parent process")
                elif ended:
                    break
                else:
                    ended = bool(lib.pk_run_wait(self.pointer, STEP_SECONDS))
                self._tell_sometimes()
            status = lib.pk_run_status(self.pointer)
            self._tell()
        finally:
            self.close()
        if check(status) == lib.PK_CANCELLED:
            raise self._cancelled()

    def _begin(self) -> None:
        """Try the search on this thread; start one of its own if it takes longer."""
        self.process = os.getpid()
        if lib.pk_run_direct(self.pointer, DIRECT_SECONDS) == lib.PK_MORE:
            self.threads = (
                1
                if not lib.pk_has_openmp()
                else min(self.thread_limit or default_threads(), lib.pk_run_left(self.pointer))
            )
            # A daemon, and known to _cancel_all: a search that nobody waits for must not keep the process alive.
            thread = threading.Thread(
                target=_work,
                args=(self.memory, self.threads, self.keep, self.end),
                name="puzzlekit search",
                daemon=True,
            )
            _live.add(self)
            self.thread = thread
            thread.start()

    def take(self) -> _Bytes | None:
        """The rows that are ready, as an array that owns the memory C found them in; None when there are none."""
        rows = ffi.new("uint64_t *")
        block = lib.pk_run_take(self.pointer, rows)
        if block == ffi.NULL:
            return None
        size = rows[0] * self.row_bytes
        buffer = memoryview(ffi.buffer(ffi.gc(block, lib.pk_free, size), size)).toreadonly()
        return np.frombuffer(buffer, np.uint8).reshape(-1, self.row_bytes)

    def progress(self) -> tuple[int, int, int]:
        """Units done, units in all, solutions found."""
        done, total, found = (ffi.new("uint64_t *") for _ in range(3))
        lib.pk_run_progress(self.pointer, done, total, found)
        return done[0], total[0], found[0]

    def stats(self) -> Stats:
        return Stats(time.perf_counter() - self.began, self.threads, self.progress()[0])

    def _tell_sometimes(self) -> None:
        if self.report is not None and time.perf_counter() - self.reported >= REPORT_SECONDS:
            self._tell()

    def _tell(self) -> None:
        if self.report is None:
            return
        answer = self.report(*self.progress())
        self.reported = time.perf_counter()
        if isinstance(answer, (bool, np.bool_)) and not answer:
            lib.pk_run_cancel(self.pointer)

    def close(self) -> None:
        """Stop the search if it still runs, and wait until nothing of it does. In a forked process nothing does."""
        if self.thread is not None and os.getpid() == self.process:
            lib.pk_run_cancel(self.pointer)
            while not self.end.wait(STEP_SECONDS) and self.thread.is_alive():
                pass
            if self.thread.ident is not None:  # Ctrl-C may have come before it was started
                self.thread.join()
        if isinstance(self.report, Bar):
            self.report.close()


def enumerate_rows(
    plan: Plan,
    *,
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    units: tuple[int, int] | None = None,
) -> Rows:
    """All rows of a plan, or of the units [first, last) of it, in unit order."""
    run = _Run(plan, limit=limit, threads=threads, progress=progress, units=units)
    status = run.wait()
    array = run.take()
    if array is None:
        array = np.empty((0, plan.row_bytes), np.uint8)
        array.flags.writeable = False
    return Rows(array, status == lib.PK_OK, run.stats())


def iterate_rows(
    plan: Plan,
    *,
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    units: tuple[int, int] | None = None,
) -> Iterator[_Bytes]:
    """The same rows in blocks, as they are found, in flat memory. Closing the iterator stops the search."""
    return _Run(plan, limit=limit, threads=threads, progress=progress, units=units, window=WINDOW_BYTES).blocks()


def count(
    plan: Plan,
    *,
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    units: tuple[int, int] | None = None,
) -> int:
    """The number of solutions, at most `limit`; no rows are built."""
    run = _Run(plan, limit=limit, threads=threads, progress=progress, units=units, counting=True)
    run.wait_for_all()
    return run.progress()[2]


def count_units(
    plan: Plan, *, threads: int | None = None, progress: Progress = None
) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The number of solutions in each unit."""
    counts = np.zeros(plan.units, np.uint64)
    _Run(plan, threads=threads, progress=progress, counting=True, counts=counts).wait_for_all()
    return counts


def build_info() -> dict[str, str | bool | int]:
    """How the compiled kernels were built, and what this machine lets them use.

    Returns
    -------
    dict
        ``compiler``, ``openmp`` (whether searches use several threads), ``processor`` (what kernels are run for:
        portable, avx2 or avx512) and ``threads`` (how many, by default).

    Examples
    --------
    >>> sorted(build_info())
    ['compiler', 'openmp', 'processor', 'threads']
    """
    return {
        "compiler": ffi.string(lib.pk_compiler()).decode(),
        "openmp": bool(lib.pk_has_openmp()),
        "processor": CPU_LEVELS[cpu_level()],
        "threads": default_threads(),
    }
