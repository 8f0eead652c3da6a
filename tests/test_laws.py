"""The laws of the runtime, on a search made to order (csrc/probe.c): its rows are known without searching."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import numpy as np
import pytest
from cases_runtime import THREADS, expected, pairs, probe
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, _call


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
