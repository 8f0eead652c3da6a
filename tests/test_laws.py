"""The laws of the runtime, on a search made to order (csrc/probe.c): its rows are known without searching."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from itertools import pairwise

import numpy as np
import pytest
from conftest import SANITIZED
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, _call

NO_UNIT = 2**64 - 1
THREADS = (1, 2, 3, 7)


def probe(units: int, rows: int, *, spin: int = 0, weight: int = 1, broken: int = NO_UNIT) -> _call.Plan:
    return _call.Plan("probe", units, rows, spin, weight, broken)


def expected(units: int, rows: int, first: int = 0) -> np.ndarray:
    pairs = [(unit, place) for unit in range(first, units) for place in range(rows * (unit % 4))]
    return np.array(pairs, np.uint64).reshape(-1, 2)


def pairs(array: np.ndarray) -> np.ndarray:
    return array.view(np.uint64)


@pytest.fixture(params=["direct", "threads"])
def phase(request, monkeypatch):
    """Searches on the caller's thread, and the same searches as long ones that get a thread of their own."""
    if request.param == "threads":
        monkeypatch.setattr(_call, "DIRECT_SECONDS", -1.0)


@pytest.mark.parametrize("threads", THREADS)
def test_units_that_are_clearly_too_long_for_the_callers_thread(threads):
    """The direct phase ends before its time is up, and what it has counted until then is counted once."""
    plan = probe(400, 9, spin=20_000)
    assert _call.count(plan, threads=threads) == len(expected(400, 9))
    assert _call.count_units(plan, threads=threads).tolist() == [9 * (unit % 4) for unit in range(400)]
    found = _call.enumerate_rows(plan, threads=threads)
    assert (pairs(found.array) == expected(400, 9)).all()


@pytest.mark.usefixtures("phase")
@pytest.mark.parametrize("threads", THREADS)
def test_same_rows_for_any_number_of_threads(threads):
    found = _call.enumerate_rows(probe(997, 9), threads=threads)
    assert (pairs(found.array) == expected(997, 9)).all()
    assert found.complete
    assert found.stats.units == 997


@pytest.mark.parametrize("threads", THREADS)
def test_more_units_than_the_ring_holds(threads):
    found = _call.enumerate_rows(probe(20_000, 1, spin=200), threads=threads)
    assert (pairs(found.array) == expected(20_000, 1)).all()


@pytest.mark.usefixtures("phase")
def test_count_is_the_number_of_rows():
    plan = probe(997, 9)
    rows = len(expected(997, 9))
    assert _call.count(plan) == rows
    assert _call.count(plan, threads=3) == rows
    assert sum(len(block) for block in _call.iterate_rows(plan)) == rows
    assert _call.count_units(plan, threads=2).tolist() == [9 * (unit % 4) for unit in range(997)]


@pytest.mark.usefixtures("phase")
@settings(max_examples=25, deadline=None)
@given(units=st.integers(0, 60), rows=st.integers(0, 40), limit=st.integers(0, 5000), threads=st.integers(1, 4))
def test_limit_is_a_prefix(units, rows, limit, threads):
    whole = expected(units, rows)
    found = _call.enumerate_rows(probe(units, rows), limit=limit, threads=threads)
    assert (pairs(found.array) == whole[:limit]).all()
    assert found.complete == (limit > len(whole))
    blocks = list(_call.iterate_rows(probe(units, rows), limit=limit, threads=threads))
    assert (pairs(np.concatenate([found.array[:0], *blocks])) == whole[:limit]).all()


@pytest.mark.usefixtures("phase")
@settings(max_examples=25, deadline=None)
@given(units=st.integers(0, 60), rows=st.integers(0, 2000), threads=st.integers(1, 4), window=st.integers(1, 100_000))
def test_iterate_is_enumerate(units, rows, threads, window):
    """Also when the window is far smaller than a unit's rows."""
    whole = expected(units, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_call, "WINDOW_BYTES", window)
        blocks = list(_call.iterate_rows(probe(units, rows), threads=threads))
    assert (pairs(np.concatenate([np.empty((0, 16), np.uint8), *blocks])) == whole).all()


@pytest.mark.usefixtures("phase")
@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 50), min_size=2, max_size=5).map(sorted))
def test_ranges_of_units_add_up(cuts):
    plan = probe(50, 3)
    parts = [_call.enumerate_rows(plan, units=ends).array for ends in pairwise(cuts)]
    whole = _call.enumerate_rows(plan, units=(cuts[0], cuts[-1])).array
    assert (np.concatenate(parts) == whole).all()
    assert sum(_call.count(plan, units=ends) for ends in pairwise(cuts)) == len(whole)
    assert sum(len(block) for ends in pairwise(cuts) for block in _call.iterate_rows(plan, units=ends)) == len(whole)


def test_a_long_unit_stops_soon_after_its_limit():
    """One row costs a millisecond; the search of all would take minutes."""
    began = time.perf_counter()
    found = _call.enumerate_rows(probe(2, 500_000, spin=500_000), limit=3)
    assert len(found.array) == 3
    assert time.perf_counter() - began < 10


def test_counts_beyond_floats_and_beyond_64_bits():
    assert _call.count(probe(2, 3, weight=2**55 + 1)) == 3 * (2**55 + 1)
    assert _call.count(probe(4, 1, weight=2**61 + 1)) == 6 * (2**61 + 1)
    for units, rows in ((4, 1), (2, 5)):  # across units, and within one
        with pytest.raises(PuzzleError, match="64 bits"):
            _call.count(probe(units, rows, weight=2**62))
        with pytest.raises(PuzzleError, match="64 bits"):
            _call.count_units(probe(units, rows, weight=2**62), threads=2)


@pytest.mark.usefixtures("phase")
def test_a_count_stops_at_its_limit():
    plan, rows = probe(997, 9), len(expected(997, 9))
    for limit in (0, 1, 100, rows - 1, rows, rows + 1, 10**30):
        for threads in (1, 3):
            assert _call.count(plan, limit=limit, threads=threads) == min(limit, rows)
    assert _call.count(probe(10**9, 1000, spin=100), limit=10**4) == 10**4


@pytest.mark.usefixtures("phase")
def test_a_kernel_that_fails():
    plan = probe(100, 3, broken=50)
    for threads in (1, 3):
        with pytest.raises(SystemError):
            _call.enumerate_rows(plan, threads=threads)
        with pytest.raises(SystemError):
            _call.count(plan, threads=threads)
        with pytest.raises(SystemError):
            list(_call.iterate_rows(plan, threads=threads))
    assert len(_call.enumerate_rows(plan, units=(0, 50)).array) == len(expected(50, 3))


# ---- progress and cancel ----


@pytest.mark.usefixtures("phase")
def test_progress_tells_the_beginning_and_the_end():
    told: list[tuple[int, int, int]] = []
    plan = probe(200, 5)
    _call.enumerate_rows(plan, progress=lambda *state: told.append(state))
    rows = len(expected(200, 5))
    assert told[0] == (0, 200, 0)
    assert told[-1] == (200, 200, rows)
    told.clear()
    assert _call.count(plan, progress=lambda *state: told.append(state)) == rows
    assert told[-1] == (200, 200, rows)


def test_progress_moves():
    told: list[tuple[int, int, int]] = []
    plan = probe(2000, 30, spin=5000)
    for verb in (_call.count, _call.enumerate_rows, lambda plan, **options: list(_call.iterate_rows(plan, **options))):
        told.clear()
        verb(plan, threads=1, progress=lambda *state: told.append(state))
        assert len(told) > 3
        for earlier, later in pairwise(told):
            assert all(a <= b for a, b in zip(earlier, later))


def test_progress_does_not_step_back_when_rows_are_taken_late():
    told: list[tuple[int, int, int]] = []
    rows = _call.iterate_rows(probe(3000, 400), threads=3, progress=lambda *state: told.append(state))
    for _ in rows:
        time.sleep(0.02)
    assert told[-1][2] == len(expected(3000, 400))
    for earlier, later in pairwise(told):
        assert all(a <= b for a, b in zip(earlier, later))


def test_progress_never_tells_more_than_the_limit():
    told: list[tuple[int, int, int]] = []
    _call.enumerate_rows(probe(2000, 30, spin=20_000), limit=7000, progress=lambda *state: told.append(state))
    assert told[-1][2] == 7000
    for earlier, later in pairwise(told):
        assert all(a <= b for a, b in zip(earlier, later))


def cancel_after(calls: int):
    told: list[int] = []

    def progress(done: int, total: int, found: int) -> bool:
        told.append(done)
        return len(told) <= calls

    return progress


def test_stages_are_told_as_one_search():
    told = []
    stages = _call.Stages(lambda *state: told.append(state))
    stages.found = 5
    for start, end in ((0, 0.25), (0.25, 0.5), (0.5, 1)):
        _call.count(probe(200, 5), progress=stages.run(start, end))
        stages.check()
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[0] == (0, stages.WHOLE, 5)
    assert told[-1] == (stages.WHOLE, stages.WHOLE, 5)


def test_stages_that_are_stopped():
    stages = _call.Stages(lambda *state: False)
    assert not _call.enumerate_rows(probe(4000, 100, spin=20_000), progress=stages.run(0, 1)).complete
    with pytest.raises(Cancelled):
        stages.check()
    assert _call.Stages(None).run(0, 1) is None
    with pytest.raises(PuzzleError, match="progress must be"):
        _call.Stages("yes")


def test_stages_have_one_bar(capsys):
    stages = _call.Stages(True)
    for start, end in ((0, 0.5), (0.5, 1)):
        _call.count(probe(100, 10), progress=stages.run(start, end))
    stages.close()
    assert capsys.readouterr().err.count("100%") == 1


@pytest.mark.parametrize("calls", [0, 2])
@pytest.mark.parametrize("threads", [1, 3])
def test_false_cancels(calls, threads):
    plan = probe(4000, 100, spin=20_000)
    whole = expected(400, 100)
    found = _call.enumerate_rows(plan, threads=threads, progress=cancel_after(calls))
    assert not found.complete
    some = pairs(found.array)[: len(whole)]
    assert (some == whole[: len(some)]).all()
    assert (len(found.array) == 0) == (calls == 0)
    with pytest.raises(Cancelled):
        _call.count(plan, threads=threads, progress=cancel_after(calls))
    with pytest.raises(Cancelled):
        for _ in _call.iterate_rows(plan, threads=threads, progress=cancel_after(calls)):
            pass
    assert threading.active_count() == 1


def test_an_exception_in_progress_cancels():
    def progress(done: int, total: int, found: int) -> None:
        if done:
            raise ZeroDivisionError

    for verb in (_call.enumerate_rows, _call.count, lambda plan, **options: list(_call.iterate_rows(plan, **options))):
        with pytest.raises(ZeroDivisionError):
            verb(probe(4000, 100, spin=20_000), progress=progress)
        assert threading.active_count() == 1


def test_a_bar(capsys):
    _call.count(probe(100, 10), progress=True)
    assert "100/100" in capsys.readouterr().err


# ---- iterators ----


def test_a_closed_iterator_stops_its_search():
    blocks = _call.iterate_rows(probe(10**9, 1000, spin=100))
    next(blocks)
    assert threading.active_count() == 2
    blocks.close()
    assert threading.active_count() == 1
    assert list(blocks) == []


def test_a_forgotten_iterator_stops_its_search():
    blocks = _call.iterate_rows(probe(10**9, 1000, spin=100))
    next(blocks)
    del blocks
    assert threading.active_count() == 1


def test_a_search_rests_while_nobody_takes_its_rows():
    told: list[int] = []
    blocks = _call.iterate_rows(probe(10**7, 1000), progress=lambda done, total, found: told.append(done))
    next(blocks)
    time.sleep(0.3)
    next(blocks)
    seen = told[-1]
    time.sleep(0.3)
    next(blocks)
    assert told[-1] - seen < 4 * _call.WINDOW_BYTES / 16_000
    blocks.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_are_long_in_coming_are_not_held_back(threads):
    """All rows of a unit would take minutes, and so would the rows that fill a buffer."""
    blocks = _call.iterate_rows(probe(4, 10**6, spin=10**6), threads=threads)
    began = time.perf_counter()
    rows = 0
    for block in blocks:
        assert (pairs(block) == np.column_stack([np.ones(len(block)), np.arange(rows, rows + len(block))])).all()
        rows += len(block)
        if rows > 20:
            break
    blocks.close()
    assert time.perf_counter() - began < 10


# ---- threads, processes, signals, memory ----


def test_two_python_threads_search_at_once():
    plan, other = probe(600, 30, spin=3000), probe(500, 40, spin=3000)
    found: dict[int, np.ndarray] = {}

    def search(key: int, plan: _call.Plan) -> None:
        found[key] = _call.enumerate_rows(plan, threads=2).array

    workers = [threading.Thread(target=search, args=work) for work in ((0, plan), (1, plan), (2, other))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (pairs(found[0]) == expected(600, 30)).all()
    assert (found[0] == found[1]).all()
    assert (pairs(found[2]) == expected(500, 40)).all()


class Counting:
    """The compiled library, with the blocks that are freed counted."""

    def __init__(self, lib) -> None:
        self.lib = lib
        self.freed = 0

    def __getattr__(self, name: str):
        return getattr(self.lib, name)

    def pk_free(self, block) -> None:
        self.freed += 1
        self.lib.pk_free(block)


def test_memory_is_freed_once_when_the_last_view_goes(monkeypatch):
    counting = Counting(_call.lib)
    monkeypatch.setattr(_call, "lib", counting)
    array = _call.enumerate_rows(probe(100, 100)).array
    assert not array.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True
    view = pairs(array)[5:100:7, 1]
    kept = view.copy()
    del array
    assert counting.freed == 0
    assert (view == kept).all()
    del view
    assert counting.freed == 1
    for _ in range(3):
        _call.enumerate_rows(probe(100, 100))
    assert counting.freed == 4


def answer_interrupts() -> None:
    """A program that is started in the background may be told to ignore Ctrl-C; these tests send it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_script(script: str, timeout: float = 60) -> str:
    """Run a program in a process of its own; it may hang, so it has limited time."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=tempfile.gettempdir(),  # not where the sources are
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        preexec_fn=answer_interrupts if os.name == "posix" else None,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


INTERRUPTED = """
    import os, signal, threading, time
    from puzzlekit import _call
    plan = _call.Plan("probe", 10**9, 1000, {spin}, 1, 2**64 - 1)
    waited = []
    for _ in range(3):
        sent = []
        def send():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.3, send)
        timer.start()
        try:
            {verb}
        except KeyboardInterrupt:
            waited.append(time.perf_counter() - sent[0])
        timer.join()
        assert threading.active_count() == 1, threading.enumerate()
    print(min(waited))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("spin", [1000, 10**6])
@pytest.mark.parametrize(
    "verb",
    [
        "_call.count(plan)",
        "_call.count(plan, threads=1)",
        "_call.enumerate_rows(plan, limit=10**7)",
        "[None for block in _call.iterate_rows(plan)]",
    ],
)
def test_ctrl_c(verb, spin):
    """It is answered in 0.2 s, the best of three times, and leaves no thread behind."""
    assert float(run_script(INTERRUPTED.format(verb=verb, spin=spin))) < (1 if SANITIZED else 0.2)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_while_a_plan_is_made():
    waited = run_script(
        """
        import os, signal, threading, time
        from puzzlekit import _call
        def send():
            global sent
            sent = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.3, send).start()
        try:
            _call.aside(lambda stop: time.sleep(60))
        except KeyboardInterrupt:
            print(time.perf_counter() - sent)
        """
    )
    assert float(waited) < 1


def test_a_plan_that_is_made_aside():
    plan = _call.aside(lambda stop: _call.Plan("probe", 3, 2, 0, 1, 2**64 - 1))
    assert _call.count(plan) == 6
    with pytest.raises(Cancelled):
        _call.aside(lambda stop: _call.Plan("queens_join", 18, None, False, 0, stop + 1))
    with pytest.raises(SystemError):
        _call.aside(lambda stop: _call.Plan("queens_join", 99, None, False, 0, stop))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_many_times_in_a_row():
    """However many, at whatever moments: nothing but KeyboardInterrupt, and nothing that runs on."""
    run_script(
        """
        import random, signal, threading, time
        from puzzlekit import _call
        plan = _call.Plan("probe", 10**9, 1000, 1000, 1, 2**64 - 1)
        pick = random.Random(1)
        def interrupt(number, frame):
            if frame.f_code.co_name != "<module>":  # never while the last one is being answered below
                raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        for place in range(60):
            # Close together, in the middle of cleaning up. Python may swallow one of them, so more follow.
            signal.setitimer(signal.ITIMER_REAL, pick.uniform(0.005, 0.03), pick.choice([0.0003, 0.001, 0.003, 0.1]))
            try:
                if place % 2:
                    _call.count(plan)
                else:
                    [None for block in _call.iterate_rows(plan)]
            except KeyboardInterrupt:
                pass
            signal.setitimer(signal.ITIMER_REAL, 0)
        for _ in range(200):
            if not any(thread.is_alive() for thread in threading.enumerate()[1:]):
                break
            time.sleep(0.05)
        else:
            raise SystemExit(str(threading.enumerate()))
        """
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_fork_after_threads():
    """GNU OpenMP hangs when both sides of a fork use it in their main threads."""
    run_script(
        """
        import os, signal, time
        from puzzlekit import _call
        signal.alarm(50)
        plan = _call.Plan("probe", 400, 30, 2000, 1, 2**64 - 1)
        expected = _call.count(plan, threads=2)
        open_iterator = _call.iterate_rows(_call.Plan("probe", 10**9, 1000, 100, 1, 2**64 - 1), threads=2)
        next(open_iterator)
        if os.environ.get("PUZZLEKIT_SANITIZE") == "1":
            time.sleep(1)  # until the workers rest: the sanitizer's malloc must not be forked while in use
        child = os.fork()
        signal.alarm(50)
        assert _call.count(plan, threads=2) == expected
        assert len(_call.enumerate_rows(plan, threads=2).array) == expected
        if not child:
            try:
                for block in open_iterator:
                    pass
            except RuntimeError as error:
                assert "fork" in str(error)
                os._exit(0)
            os._exit(1)
        next(open_iterator)
        open_iterator.close()
        assert os.waitpid(child, 0)[1] == 0
        """
    )


def test_an_open_iterator_does_not_keep_a_program_alive():
    run_script(
        """
        from puzzlekit import _call
        blocks = _call.iterate_rows(_call.Plan("probe", 10**9, 1000, 100, 1, 2**64 - 1), threads=2)
        next(blocks)
        """
    )


FLAT = """
    import resource
    from puzzlekit import _call
    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    plan = _call.Plan("probe", {units}, {rows}, 0, 1, 2**64 - 1)
    before = peak()
    size = sum(block.nbytes for block in _call.iterate_rows(plan, threads={threads}))
    print(size / 2**20, peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss in KiB")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps freed memory")
@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize(("units", "rows"), [(20_000, 1200), (2, 36_000_000), (5, 5_000_000)])
def test_iterate_takes_flat_memory(units, rows, threads, monkeypatch):
    """Half a gigabyte of rows goes by, in many units or few, while memory grows by a few windows."""
    # What is measured is what the runtime holds: glibc gives each thread a heap that keeps what was freed in it.
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", "1000000")
    size, grown = map(float, run_script(FLAT.format(units=units, rows=rows, threads=threads)).split())
    assert size > 450
    assert grown < 6 * _call.WINDOW_BYTES / 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer reserves more than any limit")
def test_out_of_memory_is_an_error_and_no_crash():
    run_script(
        """
        import resource
        from puzzlekit import _call
        plan = _call.Plan("probe", 100, 10**7, 0, 1, 2**64 - 1)
        assert _call.count(_call.Plan("probe", 100, 3, 10**5, 1, 2**64 - 1), threads=2) == 450
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))
        for threads in (1, 2):
            try:
                _call.enumerate_rows(plan, threads=threads)
            except MemoryError:
                pass
            else:
                raise SystemExit("no MemoryError")
        assert len(_call.enumerate_rows(plan, limit=1000).array) == 1000
        """
    )


# ---- how many threads ----


def test_default_threads(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    script = "from puzzlekit import _call; print(_call.default_threads())"
    assert run_script(script) == "1\n"
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert run_script(script) == ("5\n" if _call.build_info()["openmp"] else "1\n")
    monkeypatch.delenv("OMP_NUM_THREADS")
    script = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n" + script
    if hasattr(os, "sched_setaffinity"):
        assert run_script(script) == "1\n"


def test_a_great_number_of_threads_is_harmless():
    plan = probe(3000, 3, spin=2000)
    assert _call.count(plan, threads=10**9) == len(expected(3000, 3))


def test_signal_handlers_are_left_alone():
    before = signal.getsignal(signal.SIGINT)
    _call.count(probe(100, 10, spin=10_000))
    assert signal.getsignal(signal.SIGINT) is before
