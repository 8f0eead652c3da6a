"""puzzlekit queens: n queens that do not attack one another."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from puzzlekit import queens
from puzzlekit._commands.shared import (
    BATCH,
    add_output_options,
    add_search_options,
    note,
    output,
    output_form,
    progress_bar,
    whole,
    write_stream,
)
from puzzlekit.errors import PuzzleError


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `puzzlekit queens`."""
    parser = commands.add_parser(
        "queens",
        help="put n queens on a board so that none attacks another",
        description="Print every board with N queens as lines of . and Q, an empty line after each. How many there "
        "are and the time go to standard error.",
    )
    parser.add_argument("n", type=whole, metavar="N", help="rows, columns and queens")
    parser.add_argument("--count", action="store_true", help="print how many there are, not which")
    parser.add_argument(
        "--fundamental", action="store_true", help="boards that are turned or mirrored images of one another are one"
    )
    parser.add_argument(
        *("--placed", "-p"), type=_square, nargs="+", action="extend", default=[], metavar="R,C", help="given queens"
    )
    parser.add_argument(
        *("--blocked", "-b"), type=_square, nargs="+", action="extend", default=[], metavar="R,C", help="empty squares"
    )
    parser.add_argument("--toroidal", action="store_true", help="diagonals go on at the opposite edge")
    parser.add_argument("--sample", type=whole, metavar="K", help="K random boards, each as likely as any other")
    parser.add_argument("--seed", type=whole, metavar="S", help="the same seed gives the same sample")
    add_search_options(parser)
    add_output_options(parser, queens.Solutions.SUFFIXES)
    parser.set_defaults(run=run)


def _square(text: str) -> tuple[int, int]:
    """A square from an argument such as 0,3."""
    parts = text.split(",")
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not a square such as 0,3 (row and column, from 0)")
    return whole(parts[0]), whole(parts[1])


def run(arguments: argparse.Namespace) -> None:
    """Search, write and tell."""
    began = time.perf_counter()
    if arguments.count and (arguments.limit is not None or arguments.format or arguments.output):
        raise PuzzleError("--count prints one number: it does not go with --limit, --format or --output")
    if arguments.sample is not None and (arguments.count or arguments.fundamental or arguments.limit is not None):
        raise PuzzleError("--sample goes with none of --count, --fundamental and --limit")
    if arguments.seed is not None and arguments.sample is None:
        raise PuzzleError("--seed goes with --sample")
    squares = {"placed": arguments.placed, "blocked": arguments.blocked}
    problem = queens.Queens(arguments.n, **squares, toroidal=arguments.toroidal, fundamental=arguments.fundamental)
    options = {"threads": arguments.threads, "progress": progress_bar()}
    if arguments.count:
        many = queens.count(problem, **options)
        print(many)
    else:
        with output(arguments) as file:
            many = _write(problem, file, arguments, options)
    note(f"{many:,} board{'' if many == 1 else 's'} in {time.perf_counter() - began:.3f} s")


def _write(problem: queens.Queens, file: BinaryIO, arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    """Write boards, those of a search while they are found if the form allows it; how many they are."""
    form = output_form(arguments, queens.Solutions.SUFFIXES)
    if arguments.sample is not None or form == "npy" or form == "npz" or form == "svg":
        if arguments.sample is None:
            found = queens.enumerate(problem, limit=arguments.limit, **options)
        else:
            found = queens.sample(problem, arguments.sample, seed=arguments.seed, **options)
        found.write(file, form)
        return len(found)
    many = 0
    batches = queens.iterate(problem, batch=BATCH, limit=arguments.limit, **options)

    def counted() -> Iterator[queens.Solutions]:
        nonlocal many
        for batch in batches:
            many += len(batch)
            yield batch

    opening = queens.Solutions(problem, np.empty((0, problem.n), np.uint8))._opening(form)
    write_stream(file, form, opening, counted(), arguments.limit)
    return many
