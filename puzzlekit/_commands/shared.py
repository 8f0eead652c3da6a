"""What the commands of all families share: numbers as arguments, output options, where output goes, and the bar."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NoReturn

from puzzlekit import _call, _values
from puzzlekit._files import whole_file
from puzzlekit._solutions import SUFFIXES, FileForm, Form, Solutions, file_form, written
from puzzlekit.errors import PuzzleError

BATCH = 1 << 16
_MINUS = "\N{MINUS SIGN}"
_NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(/\d+)?")


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def shield(arguments: Iterable[str]) -> list[str]:
    """Negative numbers with another minus sign, so that argparse does not take -1/2 or -1e3 for options."""
    return [_MINUS + word[1:] if _NEGATIVE.fullmatch(word) else word for word in arguments]


def number(text: str) -> _values.Number:
    """An exact number from an argument."""
    try:
        return _values.parse(text.replace(_MINUS, "-"))
    except PuzzleError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def whole(text: str) -> int:
    """A whole number from an argument."""
    text = text.replace(_MINUS, "-")
    with contextlib.suppress(PuzzleError):
        value = _values.parse(text)
        if isinstance(value, int):
            return value
    raise argparse.ArgumentTypeError(f"{_values.shown(text)} is not a whole number")


def file_name(text: str) -> str:
    """A file's name from an argument; an empty one may be a variable of the shell that is not set."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file is missing")
    unshielded = "-" + text.removeprefix(_MINUS)
    return unshielded if _NEGATIVE.fullmatch(unshielded) and text.startswith(_MINUS) else text


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """--limit and --threads, as in every verb that searches."""
    parser.add_argument("--limit", type=whole, metavar="K", help="at most K solutions, the first ones")
    parser.add_argument("--threads", type=whole, metavar="N", help="threads to search with (default: all there are)")


def add_output_file(parser: argparse.ArgumentParser, **options: Any) -> None:
    """-o."""
    words = "write to FILE, which appears whole or not at all"
    parser.add_argument("-o", "--output", type=file_name, metavar="FILE", help=words, **options)


def add_output_options(parser: argparse.ArgumentParser, suffixes: Mapping[str, str] = SUFFIXES) -> None:
    """--format and -o."""
    forms = list(suffixes.values())
    parser.add_argument("--format", choices=forms, help="default: by the file's suffix; without a file, text")
    add_output_file(parser)


def progress_bar() -> _call.Progress:
    """A bar for people, after a second; none when standard error is not a terminal."""
    return _call.Bar(delay=1) if sys.stderr.isatty() else None


def output_form(arguments: argparse.Namespace, suffixes: Mapping[str, str] = SUFFIXES) -> FileForm:
    """The form of the output, from --format or the file's suffix."""
    if arguments.format:
        form: FileForm = arguments.format
        return form
    return file_form(arguments.output, suffixes) if arguments.output else "text"


@contextlib.contextmanager
def output(arguments: argparse.Namespace) -> Iterator[BinaryIO]:
    """Where the output goes: the file, opened before any work, or standard output."""
    if arguments.output:
        with whole_file(arguments.output) as file:
            yield file
    else:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


def write_stream(file: BinaryIO, form: Form, opening: str, batches: Iterable[Solutions], limit: int | None) -> None:
    """Write solutions as text, csv or json while they are found."""
    for piece in written(form, opening, batches, lambda count: limit is None or count < limit):
        file.write(piece)


def note(text: str) -> None:
    """A line for people, on standard error, so that standard output holds nothing but the answer."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # nobody can be told; nor at exit, when what is still buffered would be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
