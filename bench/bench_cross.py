"""The cross under pytest-benchmark: `pytest bench/bench_cross.py`. Peers, which take minutes, are in `make bench`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench import cross
from bench.runner import Job


@pytest.mark.parametrize("job", list(cross.jobs()), ids=lambda job: " ".join(job.name.split()))
def test_cross(benchmark: BenchmarkFixture, job: Job) -> None:
    rounds = 5 if job.like else 100  # what is compared with puzzlekit is slow
    result = benchmark.pedantic(job.run, setup=job.before, rounds=rounds, warmup_rounds=1)  # type: ignore[no-untyped-call]
    job.check(result)
