"""The numbers game under pytest-benchmark: `pytest bench/bench_countdown.py`. Peers are in `make bench`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench import countdown
from bench.runner import Job


@pytest.mark.parametrize("job", list(countdown.jobs()), ids=lambda job: " ".join(job.name.split()))
def test_countdown(benchmark: BenchmarkFixture, job: Job) -> None:
    rounds = 5 if job.like or "hands" in job.name else 50
    result = benchmark.pedantic(job.run, setup=job.before, rounds=rounds, warmup_rounds=1)  # type: ignore[no-untyped-call]
    job.check(result)
