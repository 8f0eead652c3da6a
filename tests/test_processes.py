"""The runtime among threads, processes and signals; what memory it takes, and gives back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading

import numpy as np
import pytest
from cases_runtime import expected, pairs, probe
from conftest import SANITIZED

from puzzlekit import Cancelled, _call


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
