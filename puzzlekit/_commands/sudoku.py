"""puzzlekit sudoku: finished grids, solving, counting, checking, puzzles, canonical forms."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Final

import numpy as np

from puzzlekit import _call, sudoku
from puzzlekit._commands.shared import (
    BATCH,
    add_output_file,
    file_name,
    note,
    output,
    output_form,
    progress_bar,
    whole,
    write_stream,
)
from puzzlekit._files import whole_file
from puzzlekit._solutions import SUFFIXES, FileForm, file_form
from puzzlekit.errors import PuzzleError
from puzzlekit.sudoku import _formats, _input, _make
from puzzlekit.sudoku._rules import CLASSIC, Cells, Rules, rules_of

DEFAULT_FILE: Final = "sudoku.txt"


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `puzzlekit sudoku` and its subcommands."""
    parser = commands.add_parser(
        "sudoku",
        help="make, solve, count, check and compare sudokus",
        description="With -c: write N distinct finished grids to a file. With -s: solve the puzzles of a file. "
        "With a subcommand: see its --help.",
    )
    parser.add_argument("-c", dest="grids", type=whole, metavar="N", help="write N distinct finished grids")
    parser.add_argument("-s", dest="solve", metavar="FILE", help="solve the puzzles of FILE")
    parser.add_argument("-o", "--output", type=file_name, metavar="FILE", help=f"where to (default: {DEFAULT_FILE})")
    parser.add_argument("--first", type=whole, metavar="D", help="with -c: the digit of the first cell")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--uniform", action="store_true", help="with -c: each of all grids equally likely")
    how.add_argument("--essentially", action="store_true", help="with -c: no two the same up to symmetry")
    parser.add_argument("--layout", choices=("lines", "rows"), help="a line each (default), or nine lines of nine")
    parser.add_argument("--seed", type=whole, metavar="S", help="with -c: the same grids every time")
    parser.add_argument("--threads", type=whole, metavar="T", help="threads to work with (default: all there are)")
    parser.set_defaults(run=run, verb=None, parser=parser)
    verbs = parser.add_subparsers(metavar="{solve,count,check,generate,canonical,dedup}", parser_class=type(parser))

    def verb(name: str, text: str, work: Any, puzzles: bool = True) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if puzzles:
            made.add_argument(
                "puzzles", nargs="+", metavar="PUZZLE", help="81 characters, or a file; - for standard input"
            )
        # What stood before the subcommand holds unless it is said again.
        again: dict[str, Any] = {"default": argparse.SUPPRESS}
        add_output_file(made, **again)
        made.add_argument(
            "--threads", type=whole, metavar="T", help="threads to work with (default: all there are)", **again
        )
        made.set_defaults(verb=work)
        return made

    solve = verb("solve", "solve puzzles; those that are not proper are marked", run_solve)
    solve.add_argument("--all", action="store_true", help="all solutions of one puzzle, in order")
    solve.add_argument("--limit", type=whole, metavar="K", help="with --all: at most K, the first ones")
    solve.add_argument("--format", choices=list(SUFFIXES.values()), help="default: by the file's suffix, else text")
    counting = verb("count", "count the solutions of each puzzle", run_count)
    counting.add_argument("--limit", type=whole, metavar="K", help="stop at K (default: count them all)")
    checking = verb("check", "say whether puzzles are proper ones, and if not, why", run_check)
    for made in (solve, counting, checking):
        made.add_argument("--box", type=_box, default=(3, 3), metavar="RxC", help="rows and columns of a box (3x3)")
        made.add_argument("--diagonals", action="store_true", help="the diagonals hold every digit too")
        made.add_argument("--windoku", action="store_true", help="four more boxes, in the windows")
        made.add_argument("--regions", metavar="TEXT", help="81 symbols: which region each cell belongs to")
    generate = verb("generate", "make puzzles with exactly one solution", run_generate, puzzles=False)
    generate.add_argument("-n", dest="amount", type=whole, default=1, metavar="K", help="how many (1)")
    generate.add_argument("--clues", type=whole, metavar="C", help="the number of givens")
    generate.add_argument("--not-minimal", action="store_true", help="givens may be more than needed")
    generate.add_argument("--symmetry", choices=list(_make.TURNS), help="of the pattern of givens")
    generate.add_argument(
        "--seed", type=whole, metavar="S", help="the same puzzles every time", default=argparse.SUPPRESS
    )
    generate.add_argument(
        "--seconds", type=float, default=60.0, metavar="T", help="how long to go on since the last one was found (60)"
    )
    verb("canonical", "bring puzzles or grids to their canonical form", run_canonical)
    verb("dedup", "keep one of each class of sudokus that are essentially the same", run_dedup)


def _box(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and int(part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not two numbers such as 3x3")
    return int(parts[0]), int(parts[1])


def _rules(arguments: argparse.Namespace) -> Rules:
    extra = "windoku" if arguments.windoku else None
    regions = arguments.regions
    if regions is not None:
        regions = "".join(regions.split())
    return rules_of(arguments.box, arguments.diagonals, regions, extra)


def _keywords(rules: Rules) -> dict[str, Any]:
    return {"box": rules.box, "diagonals": rules.diagonals, "regions": rules.regions, "extra": rules.extra}


def _cells(words: Sequence[str], rules: Rules) -> Cells:
    """The puzzles that the words are or name."""
    return np.concatenate(
        [
            _formats.parsed(sys.stdin.buffer.read(), "standard input", rules).puzzles
            if word == "-"
            else _input.many(word, rules).cells
            for word in words
        ]
    )


def _at_least_one(option: str, amount: int, what: str) -> None:
    if amount < 1:
        raise PuzzleError(f"{option} needs a number of {what} from 1 on, not {amount}")


def run(arguments: argparse.Namespace) -> None:
    """-c, -s, or a subcommand."""
    verb, error = arguments.verb, arguments.parser.error
    with_grids = ("first", "uniform", "essentially")
    if verb is not None:
        for name, option in (("grids", "-c"), ("solve", "-s"), ("layout", "--layout"), *_options(with_grids)):
            if getattr(arguments, name) not in (None, False):
                error(f"{option} does not go with a subcommand")
        if arguments.seed is not None and verb is not run_generate:
            error("--seed goes with -c and generate")
        verb(arguments)
        return
    if (arguments.grids is None) == (arguments.solve is None):
        error("one of -c N and -s FILE is needed, or a subcommand: solve, count, check, generate, canonical, dedup")
    began = time.perf_counter()
    target = arguments.output or DEFAULT_FILE
    if arguments.grids is not None:
        _at_least_one("-c", arguments.grids, "grids")
        with whole_file(target) as file:
            for number, block in enumerate(_grid_blocks(arguments)):
                if arguments.layout == "rows" and number:
                    file.write(b"\n")
                file.write(block)
        amount = "1 grid" if arguments.grids == 1 else f"{arguments.grids:,} grids"
        note(f"{amount} in {target}, {time.perf_counter() - began:.3f} s")
        return
    for name, option in (*_options(with_grids), ("seed", "--seed")):
        if getattr(arguments, name) not in (None, False):
            error(f"{option} goes with -c")
    with whole_file(target) as file:
        cells = _cells([arguments.solve], CLASSIC) if arguments.solve == "-" else sudoku.read(arguments.solve).array
        answers = sudoku.solve(np.ascontiguousarray(cells), threads=arguments.threads, progress=progress_bar())
        _formats.write_answers(file, answers, arguments.layout or "lines")
    amount = "1 puzzle" if len(answers) == 1 else f"{len(answers):,} puzzles"
    note(f"{amount} ({_summary(answers)}) in {target}, {time.perf_counter() - began:.3f} s")


def _options(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, f"--{name}") for name in names]


def _summary(answers: sudoku.Answers) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in answers.summary().items() if count)


def _grid_blocks(arguments: argparse.Namespace) -> Iterator[bytes | memoryview]:
    """The file of -c, piece by piece."""
    k, first, threads, bar = _make.amount_of(arguments.grids), arguments.first, arguments.threads, progress_bar()
    layout: _formats.Layout = arguments.layout or "lines"
    seed = _make.seed_of(arguments.seed)
    if arguments.uniform or arguments.essentially:
        if first is not None:
            _make.bulk_plan(0, first, seed, False)
        if arguments.essentially:
            pieces = _make.essentially_distinct(k, first, seed, threads, bar)
        else:
            plan = _call.Plan("sudoku_sample", k, seed)
            blocks = _call.iterate_rows(plan, threads=threads, progress=bar)
            pieces = (block if first is None else _make.renamed_to(block, first) for block in blocks)
        for piece in pieces:
            yield _formats.text_of(np.ascontiguousarray(piece), layout, CLASSIC)
        return
    as_lines = layout == "lines"
    plan = _make.bulk_plan(k, first, seed, as_lines)
    # Unit by unit, on this thread: a third of a millisecond each, and what was just made is still in the cache when it
    # is written. With a search in a thread of its own, all this takes half as much processor time again.
    with _make.reporting(bar) as report:
        for unit in range(plan.units):
            rows = _call.enumerate_rows(plan, threads=threads, units=(unit, unit + 1)).array
            yield rows.data.cast("B") if as_lines else _formats.text_of(rows, "rows", CLASSIC)
            if report is not None:
                report(unit + 1, plan.units, min(k, (unit + 1) * _make.NAMES))


def run_solve(arguments: argparse.Namespace) -> None:
    """solve."""
    if arguments.limit is not None and not arguments.all:
        raise PuzzleError("--limit goes with --all")
    rules = _rules(arguments)
    form = output_form(arguments)
    options = {"threads": arguments.threads, "progress": progress_bar()}
    with output(arguments) as file:
        cells = _cells(arguments.puzzles, rules)
        if arguments.all:
            if len(cells) != 1:
                raise PuzzleError(f"--all is for one puzzle, not {len(cells)}")
            problem = sudoku.Sudoku(cells[0], **_keywords(rules))
            count = _write_all(file, form, problem, arguments.limit, options)
            note(f"{count:,} solutions" + (", and there may be more" if count == arguments.limit else ""))
        else:
            answers = sudoku.solve(cells, **_keywords(rules), **options)
            answers.write(file, form)
            note(_summary(answers))


def _write_all(
    file: BinaryIO, form: FileForm, problem: sudoku.Sudoku, limit: int | None, options: dict[str, Any]
) -> int:
    """Write all solutions of a puzzle, in text while they are found; how many there were."""
    if form not in ("text", "csv", "json"):
        found = sudoku.enumerate(problem, limit=limit, **options)
        found.write(file, form)
        return len(found)
    count = 0

    def counted() -> Iterator[sudoku.Solutions]:
        nonlocal count
        for batch in sudoku.iterate(problem, batch=BATCH, limit=limit, **options):
            count += len(batch)
            yield batch

    opening = sudoku.Solutions(problem, np.empty((0, len(problem.cells)), np.uint8))._opening(form)
    write_stream(file, form, opening, counted(), limit)
    return count


def run_count(arguments: argparse.Namespace) -> None:
    """count."""
    rules = _rules(arguments)
    with output(arguments) as file:
        cells = _cells(arguments.puzzles, rules)
        given = cells[0] if len(cells) == 1 else cells
        options = {**_keywords(rules), "threads": arguments.threads, "progress": progress_bar()}
        counts = np.atleast_1d(sudoku.count(given, limit=arguments.limit, **options))
        file.write("".join(f"{count}\n" for count in counts.tolist()).encode())


def run_check(arguments: argparse.Namespace) -> None:
    """check."""
    rules = _rules(arguments)
    options = {**_keywords(rules), "threads": arguments.threads, "progress": progress_bar()}
    with output(arguments) as file:
        for puzzle in _cells(arguments.puzzles, rules):
            file.write(f"{_input.as_text(puzzle)}  {sudoku.check(puzzle, **options)}\n".encode())


def run_generate(arguments: argparse.Namespace) -> None:
    """generate."""
    _at_least_one("-n", arguments.amount, "puzzles")
    layout = _layout(arguments, also=(".json", ".npy", ".npz", ".svg"))
    if layout == "sdk" and arguments.amount != 1:
        raise PuzzleError(f"a .sdk file holds one puzzle, not {arguments.amount}")
    with output(arguments) as file:
        made = sudoku.puzzles(
            arguments.amount,
            clues=arguments.clues,
            minimal=not arguments.not_minimal,
            symmetry=arguments.symmetry,
            seed=arguments.seed,
            seconds=arguments.seconds,
            threads=arguments.threads,
            progress=progress_bar(),
        )
        if layout is None:
            made.write(file, file_form(arguments.output))
        else:
            solutions = made.solutions if layout == "csv" else None
            file.write(_formats.text_of(np.ascontiguousarray(made.array), layout, CLASSIC, solutions))


def _layout(arguments: argparse.Namespace, also: Sequence[str] = ()) -> _formats.Layout | None:
    """The layout of the output; None if its suffix is one of `also`."""
    if not arguments.output:
        return "lines"
    return None if arguments.output.lower().endswith(tuple(also)) and also else _formats.layout_of(arguments.output)


def run_canonical(arguments: argparse.Namespace) -> None:
    """canonical."""
    _convert(arguments, sudoku.canonical)


def run_dedup(arguments: argparse.Namespace) -> None:
    """dedup."""
    before, kept = _convert(arguments, sudoku.dedup)
    note(f"{kept:,} of {before:,} are kept")


def _convert(arguments: argparse.Namespace, work: Callable[..., Any]) -> tuple[int, int]:
    """Write what is made of the given puzzles; how many these were, and how many those."""
    layout = _layout(arguments)
    assert layout is not None
    with output(arguments) as file:
        cells = _cells(arguments.puzzles, CLASSIC)
        made = work(cells, threads=arguments.threads, progress=progress_bar())
        file.write(_formats.text_of(np.ascontiguousarray(made), layout, CLASSIC))
    return len(cells), len(made)
