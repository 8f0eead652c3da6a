"""What this process may use of the machine: processors, and memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from puzzlekit._values import shown
from puzzlekit.errors import PuzzleError


def processors() -> int:
    """The processors of this process: by affinity, and by the time that a Linux control group grants it."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:
            quota, period = file.read().split()
        return min(count, max(1, -(-int(quota) // int(period))))
    except (OSError, ValueError):
        return count


def free_memory(root: Path = Path("/")) -> int:
    """Bytes that this process could still take: of the machine, and of its Linux control groups."""
    free = 4 << 30
    try:
        for line in (root / "proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                free = int(line.split()[1]) << 10
    except (OSError, ValueError):
        if hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
            free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(0, min([free, *_free_in_groups(root)]))


def _free_in_groups(root: Path) -> Iterator[int]:
    """What is free in this process's control groups that limit memory: its own one, and all above it."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            mount, names = root / "sys/fs/cgroup", ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            mount = root / "sys/fs/cgroup/memory"
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        group = mount / path.strip("/")
        # in a container the path may be one of outside, where nothing is; the mount is the group itself then
        for level in (group, *(above for above in group.parents if above.is_relative_to(mount))):
            with contextlib.suppress(OSError, ValueError):
                yield _free_in_group(level, *names)


def _free_in_group(group: Path, most: str, used: str, cache: str) -> int:
    """The limit less what is used, but for files that the system would drop."""
    statistics = dict(line.split() for line in (group / "memory.stat").read_text(encoding="ascii").splitlines())
    limit, now = (int((group / name).read_text(encoding="ascii")) for name in (most, used))
    return limit - now + int(statistics.get(cache, 0))


def check_memory(size: int, what: str) -> None:
    """Raise a PuzzleError if there are fewer bytes of memory than so many."""
    if size > free_memory():
        raise PuzzleError(f"{what} would take {shown(size >> 20)} MB of memory, more than there is")
