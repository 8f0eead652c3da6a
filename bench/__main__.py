"""Measure everything side by side, assert every answer, and print one table: `make bench`, or `python -m bench`."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Final

from bench import runner

FAMILIES: Final = ("cross", "queens", "countdown", "tiling")
"""Modules of this package with a function `jobs`, and one `peers`, that yield what to measure."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"of {', '.join(FAMILIES)}; all if none is named")
    parser.add_argument("--peers", type=float, default=60, metavar="SECONDS", help="for each peer; 0 leaves them out")
    options = parser.parse_args()
    unknown = set(options.families) - set(FAMILIES)
    if unknown:
        parser.error(f"there is no family {', '.join(sorted(unknown))}")
    print(runner.machine(), flush=True)
    for family in options.families or FAMILIES:
        module = import_module(f"bench.{family}")
        jobs, peers = list(module.jobs()), list(module.peers())
        runner.measure(jobs)
        print(f"\n{family}:\n")
        for line in runner.table(jobs, peers, options.peers):
            print(line, flush=True)


if __name__ == "__main__":
    main()
