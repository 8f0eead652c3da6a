"""What memory is free: of the machine and of control groups of both versions, from files that are made up."""

from __future__ import annotations

import pytest

from puzzlekit._machine import free_memory

GB = 1 << 30


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("groups", "limit", "used", "cache", "mount"),
    [
        ("0::/a/b\n", "memory.max", "memory.current", "inactive_file", "sys/fs/cgroup"),
        (
            "4:cpu,memory:/a/b\n0::/\n",
            "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_inactive_file",
            "sys/fs/cgroup/memory",
        ),
    ],
    ids=["v2", "v1"],
)
def test_free_memory_is_that_of_the_narrowest_group(tmp_path, groups, limit, used, cache, mount):
    def group(path, most, now, files):
        return {
            f"{mount}/{path}/{limit}": f"{most}\n",
            f"{mount}/{path}/{used}": f"{now}\n",
            f"{mount}/{path}/memory.stat": f"anon 5\n{cache} {files}\n",
        }

    write(tmp_path, {"proc/meminfo": f"MemTotal: 1 kB\nMemAvailable: {8 * GB >> 10} kB\n"})
    assert free_memory(tmp_path) == 8 * GB
    write(tmp_path, {"proc/self/cgroup": groups})
    assert free_memory(tmp_path) == 8 * GB
    write(tmp_path, group("a", 6 * GB, 3 * GB, GB))  # of the files in its cache the system drops what is inactive
    assert free_memory(tmp_path) == 4 * GB
    write(tmp_path, group("a/b", 5 * GB, 3 * GB, 0))
    assert free_memory(tmp_path) == 2 * GB
    write(tmp_path, group("", "max", 3 * GB, 0))
    assert free_memory(tmp_path) == 2 * GB
    write(tmp_path, group(".", GB, 2 * GB, 0))  # in a container the mount itself is the group
    assert free_memory(tmp_path) == 0
