"""Tiling under pytest-benchmark: `pytest bench/bench_tiling.py`. Longer searches: `python -m bench.tiling`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench import tiling
from bench.runner import Job


@pytest.mark.parametrize("job", list(tiling.jobs()), ids=lambda job: " ".join(job.name.split()))
def test_tiling(benchmark: BenchmarkFixture, job: Job) -> None:
    result = benchmark.pedantic(job.run, setup=job.before, rounds=1 if job.like else 5)  # type: ignore[no-untyped-call]
    job.check(result)
