"""Look for the sixteen numbers whose cross has the most fillings, and for those that take the longest.

    python -m bench.worst_cross {rows,time} [--seconds 60] [--seed 1]

A seeded climb: from small integers in a row, with repeats, or symmetric about 0, change a number or two (in a mirrored
pair for symmetric ones), keep what is no worse, and start anew when nothing has helped for a while.
"""

from __future__ import annotations

import argparse
import random
import time

from puzzlekit import cross

PATIENCE = 300


def seconds(values: list[int]) -> float:
    """The least time of a few, which other work on the machine hardly disturbs."""
    times = []
    for _ in range(4):
        began = time.perf_counter()
        cross.enumerate(values, threads=1)
        times.append(time.perf_counter() - began)
    return min(times)


def start(chance: random.Random) -> list[int]:
    kind = chance.randrange(4)
    low = chance.randint(-12, 2)
    if kind == 0:
        return list(range(low, low + 16))
    if kind == 1:
        return [low + i // 2 for i in range(16)]
    if kind == 2:
        half = chance.sample(range(1, 13), 8)
        return [*half, *(-number for number in half)]
    return [chance.randint(-10, 10) for _ in range(16)]


def changed(values: list[int], chance: random.Random) -> list[int]:
    new = list(values)
    kind = chance.randrange(4)
    if kind == 0:
        return [number + chance.choice((-1, 1)) for number in new]
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(16)
        old = new[place]
        new[place] = old + chance.choice((-2, -1, 1, 2)) if kind == 1 else chance.randint(-16, 16)
        if kind == 3 and -old in new:
            new[new.index(-old)] = -new[place]
    return new


def main() -> None:
    parser = argparse.ArgumentParser(description="Climb towards the worst case of the cross.")
    parser.add_argument("what", choices=("rows", "time"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    score = cross.count if options.what == "rows" else seconds
    chance = random.Random(options.seed)
    deadline = time.monotonic() + options.seconds
    best: float = 0
    while time.monotonic() < deadline:
        here = start(chance)
        height: float = score(here)
        idle = 0
        while idle < PATIENCE and time.monotonic() < deadline:
            there = changed(here, chance)
            other = score(there)
            idle = 0 if other > height else idle + 1
            if other >= height:
                here, height = there, other
            if height > best and seconds(here) * 1.2 > (0 if options.what == "rows" else best):
                best = height
                print(
                    f"{best:g}  {seconds(here) * 1e3:.2f} ms  {cross.count(here)} fillings  {sorted(here)}", flush=True
                )


if __name__ == "__main__":
    main()
