"""The cross under pytest-benchmark: `pytest bench/bench_cross.py`. Peers take minutes: they are left to `make bench`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench import cross
from bench.runner import Job


@pytest.mark.parametrize("job", list(cross.jobs()), ids=lambda job: " ".join(job.name.split()))
def test_cross(benchmark: BenchmarkFixture, job: Job) -> None:
    job.check(benchmark(job.run))
