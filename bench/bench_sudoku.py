"""Sudoku under pytest-benchmark: `pytest bench/bench_sudoku.py`. Peers, which take minutes, are in `make bench`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench import sudoku
from bench.runner import Job


@pytest.mark.parametrize("job", list(sudoku.jobs()), ids=lambda job: " ".join(job.name.split()))
def test_sudoku(benchmark: BenchmarkFixture, job: Job) -> None:
    rounds = 2 if job.like else 10  # what is compared with puzzlekit is slow
    result = benchmark.pedantic(job.run, setup=job.before, rounds=rounds, warmup_rounds=1)  # type: ignore[no-untyped-call]
    job.check(result)
