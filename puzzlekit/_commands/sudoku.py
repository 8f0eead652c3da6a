"""puzzlekit sudoku: finished grids, solving, counting, checking, puzzles, canonical forms."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final

import numpy as np

from puzzlekit import _call, sudoku
from puzzlekit._commands.shared import note, output, progress_bar, whole
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
    parser.add_argument("-o", "--output", metavar="FILE", help=f"where to (default: {DEFAULT_FILE})")
    parser.add_argument("--first", type=whole, metavar="D", help="with -c: the digit of the first cell")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--uniform", action="store_true", help="with -c: each of all grids equally likely")
    how.add_argument("--essentially", action="store_true", help="with -c: no two the same up to symmetry")
    parser.add_argument(
        "--layout", choices=("lines", "rows"), default="lines", help="a line each, or nine lines of nine"
    )
    parser.add_argument("--seed", type=whole, metavar="S", help="with -c: the same grids every time")
    parser.add_argument("--threads", type=whole, metavar="T", help="threads to work with (default: all there are)")
    parser.set_defaults(run=run, parser=parser)
    verbs = parser.add_subparsers(metavar="{solve,count,check,generate,canonical,dedup}", parser_class=type(parser))

    def verb(name: str, text: str, work: Any, puzzles: bool = True) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if puzzles:
            made.add_argument(
                "puzzles", nargs="+", metavar="PUZZLE", help="81 characters, or a file; - for standard input"
            )
        made.add_argument("-o", "--output", metavar="FILE", help="write to FILE, which appears whole or not at all")
        made.add_argument("--threads", type=whole, metavar="T", help="threads to work with (default: all there are)")
        made.set_defaults(run=work)
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
    generate.add_argument("--symmetry", choices=list(_make._TURNS), help="of the pattern of givens")
    generate.add_argument("--seed", type=whole, metavar="S", help="the same puzzles every time")
    generate.add_argument("--seconds", type=float, default=60.0, metavar="T", help="how long to try (60)")
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
        n = arguments.box[0] * arguments.box[1]
        regions = "".join(regions.split())
        regions = [list(regions[start : start + n]) for start in range(0, len(regions), n)]
    return rules_of(arguments.box, arguments.diagonals, regions, extra)


def _keywords(rules: Rules) -> dict[str, Any]:
    return {"box": rules.box, "diagonals": rules.diagonals, "regions": rules.regions, "extra": rules.extra}


def _cells(words: Sequence[str], rules: Rules) -> Cells:
    """The puzzles that the words are or name."""
    rows = []
    for word in words:
        given: Any = sys.stdin.read().split() if word == "-" else word
        rows.append(_input.many(given, rules).cells)
    return np.concatenate(rows)


def run(arguments: argparse.Namespace) -> None:
    """-c or -s."""
    if (arguments.grids is None) == (arguments.solve is None):
        arguments.parser.error(
            "one of -c N and -s FILE is needed, or a subcommand: solve, count, check, generate, canonical, dedup"
        )
    began = time.perf_counter()
    target = arguments.output or DEFAULT_FILE
    if arguments.grids is not None:
        if arguments.grids < 1:
            raise PuzzleError(f"-c needs a number of grids from 1 on, not {arguments.grids}")
        blocks = _grid_blocks(arguments)
        first = next(blocks)  # mistakes show before the file is touched
        with whole_file(target) as file:
            file.write(first)
            for block in blocks:
                file.write(block)
        amount = "1 grid" if arguments.grids == 1 else f"{arguments.grids:,} grids"
        note(f"{amount} in {target}, {time.perf_counter() - began:.3f} s")
        return
    if arguments.first is not None or arguments.uniform or arguments.essentially or arguments.seed is not None:
        arguments.parser.error("--first, --uniform, --essentially and --seed go with -c")
    cells = sudoku.read(arguments.solve).array
    with whole_file(target) as file:
        answers = sudoku.solve(np.ascontiguousarray(cells), threads=arguments.threads, progress=progress_bar())
        if arguments.layout == "rows":
            file.write(_formats.text_of(np.ascontiguousarray(answers.array), "rows", CLASSIC))
        else:
            answers.write(file, "text")
    parts = ", ".join(f"{count:,} {name}" for name, count in answers.summary().items() if count)
    amount = "1 puzzle" if len(answers) == 1 else f"{len(answers):,} puzzles"
    note(f"{amount} ({parts}) in {target}, {time.perf_counter() - began:.3f} s")


def _grid_blocks(arguments: argparse.Namespace) -> Iterator[bytes | memoryview]:
    """The file of -c, piece by piece."""
    k, first, threads, bar = arguments.grids, arguments.first, arguments.threads, progress_bar()
    seed = _make.seed_of(arguments.seed)
    if arguments.uniform or arguments.essentially:
        if first is not None:
            _make.bulk_plan(0, first, seed, False)
        if arguments.essentially:
            pieces = _make.essentially_distinct(k, first, seed, threads, bar)
        else:
            plan = _call.Plan("sudoku_sample", k, seed)
            blocks = _call.iterate_rows(plan, threads=threads, progress=bar)
            pieces = (block if first is None else _make._renamed_to(block, first) for block in blocks)
        for piece in pieces:
            yield _formats.text_of(np.ascontiguousarray(piece), arguments.layout, CLASSIC)
            if arguments.layout == "rows":
                yield b"\n"
        return
    as_lines = arguments.layout == "lines"
    plan = _make.bulk_plan(k, first, seed, as_lines)
    # Unit by unit, on this thread: a third of a millisecond each, and what was just made is still in the cache when it
    # is written. With a search in a thread of its own, all this takes half as much processor time again.
    with _make.reporting(bar) as report:
        for unit in range(plan.units):
            rows = _call.enumerate_rows(plan, threads=threads, units=(unit, unit + 1)).array
            yield rows.data.cast("B") if as_lines else _formats.text_of(rows, "rows", CLASSIC)
            if not as_lines:
                yield b"\n"
            if report is not None:
                report(unit + 1, plan.units, min(k, (unit + 1) * _make.NAMES))


def _form(arguments: argparse.Namespace) -> FileForm:
    if arguments.format:
        form: FileForm = arguments.format
        return form
    return file_form(arguments.output) if arguments.output else "text"


def run_solve(arguments: argparse.Namespace) -> None:
    """solve."""
    rules = _rules(arguments)
    cells = _cells(arguments.puzzles, rules)
    form = _form(arguments)
    options = {**_keywords(rules), "threads": arguments.threads, "progress": progress_bar()}
    if arguments.limit is not None and not arguments.all:
        raise PuzzleError("--limit goes with --all")
    if arguments.all:
        if len(cells) != 1:
            raise PuzzleError(f"--all is for one puzzle, not {len(cells)}")
        found: Any = sudoku.enumerate(cells[0], limit=arguments.limit, **options)
        note(f"{len(found):,} solutions" + ("" if found.complete else ", and there are more"))
    else:
        found = sudoku.solve(cells, **options)
        note(", ".join(f"{count:,} {name}" for name, count in found.summary().items() if count))
    with output(arguments) as file:
        found.write(file, form)


def run_count(arguments: argparse.Namespace) -> None:
    """count."""
    rules = _rules(arguments)
    cells = _cells(arguments.puzzles, rules)
    given = cells[0] if len(cells) == 1 else cells
    options = {**_keywords(rules), "threads": arguments.threads, "progress": progress_bar()}
    counts = np.atleast_1d(sudoku.count(given, limit=arguments.limit, **options))
    with output(arguments) as file:
        file.write("".join(f"{count}\n" for count in counts.tolist()).encode())


def run_check(arguments: argparse.Namespace) -> None:
    """check."""
    rules = _rules(arguments)
    cells = _cells(arguments.puzzles, rules)
    with output(arguments) as file:
        for puzzle in cells:
            answer = sudoku.check(puzzle, **_keywords(rules), threads=arguments.threads)
            file.write(f"{_input.as_text(puzzle)}  {answer}\n".encode())


def run_generate(arguments: argparse.Namespace) -> None:
    """generate."""
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
    if arguments.output:
        form = (
            file_form(arguments.output)
            if arguments.output.endswith((".json", ".npy", ".npz", ".svg", ".csv"))
            else None
        )
        if form is None:
            sudoku.write(arguments.output, made)
        else:
            made.save(arguments.output)
    else:
        _write_lines(sys.stdout.buffer, made.array)


def _write_lines(file: BinaryIO, cells: Cells) -> None:
    sys.stdout.flush()
    file.write(_formats.text_of(np.ascontiguousarray(cells), "lines", CLASSIC))
    file.flush()


def run_canonical(arguments: argparse.Namespace) -> None:
    """canonical."""
    forms = sudoku.canonical(_cells(arguments.puzzles, CLASSIC), threads=arguments.threads, progress=progress_bar())
    with output(arguments) as file:
        _write_lines(file, forms)


def run_dedup(arguments: argparse.Namespace) -> None:
    """dedup."""
    cells = _cells(arguments.puzzles, CLASSIC)
    kept = sudoku.dedup(cells, threads=arguments.threads, progress=progress_bar())
    with output(arguments) as file:
        _write_lines(file, kept)
    note(f"{len(kept):,} of {len(cells):,} are kept")
