"""Queens under pytest-benchmark: `pytest bench/bench_queens.py`. Peers, which take minutes, are in `make bench`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench import queens
from bench.runner import Job


@pytest.mark.parametrize("job", list(queens.jobs()), ids=lambda job: " ".join(job.name.split()))
def test_queens(benchmark: BenchmarkFixture, job: Job) -> None:
    result = benchmark.pedantic(job.run, setup=job.before, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    job.check(result)
