"""puzzlekit cross: fill the cross with sixteen numbers."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator

import numpy as np

from puzzlekit import _values, cross
from puzzlekit._commands.shared import (
    BATCH,
    add_output_options,
    add_search_options,
    note,
    number,
    output,
    output_form,
    progress_bar,
    write_stream,
)
from puzzlekit._values import Number
from puzzlekit.errors import PuzzleError


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `puzzlekit cross`."""
    parser = commands.add_parser(
        "cross",
        help="fill the cross so that its seven lines have equal sums",
        description="Print every filling of the cross, a line each: the sum, then the sixteen cells row by row. "
        "The number of fillings of each sum and the time go to standard error.",
    )
    parser.add_argument(
        "values", nargs="*", type=number, metavar="VALUE", help="16 numbers such as 3, -0.5 or 2/3 (1..16)"
    )
    parser.add_argument("--total", type=number, metavar="T", help="only fillings whose lines have this sum")
    parser.add_argument("--tolerance", type=number, default=0, metavar="D", help="let sums differ by at most D")
    parser.add_argument("--count", action="store_true", help="print how many there are, not which")
    add_search_options(parser)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Search, write and tell."""
    began = time.perf_counter()
    if arguments.count and (arguments.limit is not None or arguments.format or arguments.output):
        raise PuzzleError("--count prints one number: it does not go with --limit, --format or --output")
    problem = cross.Cross(arguments.values or range(1, 17), arguments.total, arguments.tolerance)
    if arguments.count:
        sums = cross.sums(problem, threads=arguments.threads, progress=progress_bar())
        print(sum(sums.values()))
    else:
        sums = _write(problem, arguments)
    for line in _table(sums):
        note(line)
    note(f"{time.perf_counter() - began:.3f} s")


def _write(problem: cross.Cross, arguments: argparse.Namespace) -> dict[Number, int]:
    """Write the fillings where the arguments say, and return how many there are of each sum."""
    sums: dict[Number, int] = {}
    first: list[cross.Solutions] = []
    options = {"limit": arguments.limit, "threads": arguments.threads, "progress": progress_bar()}

    def noticed(batches: Iterable[cross.Solutions]) -> Iterator[cross.Solutions]:
        for batch in batches:
            first.extend([] if first else [batch[:1]])
            for total, times in batch.sums().items():
                sums[total] = sums.get(total, 0) + times
            yield batch

    form = output_form(arguments)
    none = cross.Solutions(problem, np.empty((0, 16), np.uint8))
    none.check_form(form)
    with output(arguments) as file:
        if form == "text" or form == "csv" or form == "json":
            write_stream(
                file,
                form,
                none._opening(form),
                noticed(cross.iterate(problem, batch=BATCH, **options)),
                arguments.limit,
            )
        else:
            found = cross.enumerate(problem, **options)
            found.write(file, form)
            sums = found.sums()
            first = [found[:1]]
    if arguments.output and first and len(first[0]):
        note(first[0].draw() + "\n")
    return sums


def _table(sums: dict[Number, int]) -> Iterator[str]:
    """The number of fillings of each sum, and of all."""
    rows = [(_values.as_text(total), f"{times:,}") for total, times in sums.items()]
    rows = [("sum", "fillings"), *rows, ("all", f"{sum(sums.values()):,}")]
    left, right = (max(map(len, column)) for column in zip(*rows))
    for total, times in rows:
        yield f"{total:>{left}}  {times:>{right}}"
