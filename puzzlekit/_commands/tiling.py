"""puzzlekit tiling: fill a rectangle with squares."""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from puzzlekit import tiling
from puzzlekit._commands.shared import (
    BATCH,
    add_output_file,
    add_search_options,
    note,
    output,
    output_form,
    progress_bar,
    whole,
    write_stream,
)
from puzzlekit._solutions import FileForm
from puzzlekit.errors import PuzzleError
from puzzlekit.tiling._problem import MOST_SQUARES
from puzzlekit.tiling._results import none_of


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `puzzlekit tiling`."""
    parser = commands.add_parser(
        "tiling",
        help="fill a rectangle with given squares",
        description="Print every tiling as its Bouwkamp code, a line each. Without a rectangle N is that of the "
        "Partridge puzzle: k squares of side k for k = 1..N in a square. Numbers and time go to standard error.",
    )
    parser.add_argument("n", nargs="?", type=whole, metavar="N", help="the Partridge puzzle of order N")
    parser.add_argument("--rectangle", type=_size, metavar="WxH", help="columns and rows of the rectangle")
    parser.add_argument("--squares", type=_squares, metavar="S,S,...", help="sides of the squares; 3*5 is 5,5,5")
    parser.add_argument("--count", action="store_true", help="print how many there are, not which")
    parser.add_argument("--fundamental", action="store_true", help="one of each class of turned and mirrored images")
    parser.add_argument(
        "--memory", type=whole, metavar="BYTES", help="memory to use (default: a share of what is free)"
    )
    parser.add_argument(
        "--refill",
        metavar="FILE",
        help="read Bouwkamp codes, refill rectangles inside, and print the tilings that are missing in FILE",
    )
    parser.add_argument("--max-area", type=whole, metavar="A", help="of rectangles to refill (225)")
    add_search_options(parser)
    parser.add_argument(
        "--format",
        choices=["bouwkamp", "csv", "json", "npy", "svg", "text"],
        help="default: by the file's suffix; without a file, bouwkamp. text draws each tiling",
    )
    add_output_file(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Search, write and tell."""
    began = time.perf_counter()
    _check_together(arguments)
    if arguments.refill:
        _refill(arguments)
    elif arguments.count:
        _count(_problem(arguments), arguments)
    else:
        _list(_problem(arguments), arguments)
    note(f"{time.perf_counter() - began:.3f} s")


def _check_together(arguments: argparse.Namespace) -> None:
    """What is given but would not be used is an error."""
    if arguments.refill:
        searched = [arguments.n, arguments.rectangle, arguments.squares, arguments.limit, arguments.threads]
        if any(some is not None for some in [*searched, arguments.memory]) or arguments.count or arguments.fundamental:
            raise PuzzleError("--refill reads its tilings from FILE: only --max-area, --format and --output go with it")
    elif arguments.max_area is not None:
        raise PuzzleError("--max-area goes with --refill only")
    if arguments.count and (arguments.limit is not None or arguments.format):
        raise PuzzleError("--count prints one number: it does not go with --limit or --format")


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)\s*[xX*]\s*(\d+)", text.strip())
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 32x33")
    return int(match[1]), int(match[2])


def _squares(text: str) -> list[int]:
    sides: list[int] = []
    for word in re.split(r"\s*,\s*|\s+", text.strip()):
        match = re.fullmatch(r"(\d+)(?:\*(\d+))?", word)
        if not match:
            raise argparse.ArgumentTypeError(f"{word!r} is neither a side nor side*times")
        times = int(match[2] or 1)
        if times > MOST_SQUARES:
            raise argparse.ArgumentTypeError(f"{word!r}: at most {MOST_SQUARES} squares")
        sides += [int(match[1])] * times
    return sides


def _problem(arguments: argparse.Namespace) -> tiling.Rectangle:
    if arguments.n is not None:
        if arguments.rectangle or arguments.squares:
            raise PuzzleError("give N, or --rectangle and --squares, not both")
        return tiling.partridge(arguments.n)
    if not arguments.rectangle or not arguments.squares:
        raise PuzzleError("give N, or --rectangle WxH and --squares S,S,...")
    width, height = arguments.rectangle
    return tiling.Rectangle(width, height, arguments.squares)


def _count(problem: tiling.Rectangle, arguments: argparse.Namespace) -> None:
    with output(arguments) as file:
        number = tiling.count(
            problem,
            fundamental=arguments.fundamental,
            memory=arguments.memory,
            threads=arguments.threads,
            progress=progress_bar(),
        )
        file.write(f"{number}\n".encode())


def _list(problem: tiling.Rectangle, arguments: argparse.Namespace) -> None:
    options = {
        "fundamental": arguments.fundamental,
        "limit": arguments.limit,
        "memory": arguments.memory,
        "threads": arguments.threads,
        "progress": progress_bar(),
    }
    with output(arguments) as file:
        form = _form(arguments)
        if (form == "text" or form == "csv" or form == "json") and arguments.format != "text":
            opening = tiling.Solutions(problem, none_of(problem))._opening(form)
            write_stream(file, form, opening, tiling.iterate(problem, batch=BATCH, **options), arguments.limit)
            return
        found = tiling.enumerate(problem, **options)
        if arguments.format == "text":
            for index in range(len(found)):
                file.write(f"{found.draw(index)}\n\n".encode())
        else:
            found.write(file, form)
        note(found._title())


def _form(arguments: argparse.Namespace) -> FileForm:
    if arguments.format in ("bouwkamp", "text"):
        return "text"
    return output_form(arguments)


def _refill(arguments: argparse.Namespace) -> None:
    try:
        text = Path(arguments.refill).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PuzzleError(f"{arguments.refill!r} is no text: a line for each Bouwkamp code is wanted") from None
    known = tiling.from_bouwkamp(text)
    area = 225 if arguments.max_area is None else arguments.max_area
    with output(arguments) as file:
        missing = tiling.refill(known, area, progress=progress_bar())
        missing.write(file, _form(arguments))
    note(f"missing among {len(known):,}: {len(missing):,}")
