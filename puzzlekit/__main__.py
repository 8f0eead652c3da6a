"""The command line: `puzzlekit FAMILY ...` or `python -m puzzlekit FAMILY ...`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from puzzlekit import __version__
from puzzlekit._commands import countdown, cross, queens, shared, tiling
from puzzlekit.errors import PuzzleError

COMMANDS = (cross, queens, countdown, tiling)


def parser() -> shared.Parser:
    """The parser of all commands."""
    made = shared.Parser(prog="puzzlekit", description="All solutions of combinatorial puzzles, exact and fast.")
    made.add_argument("--version", action="version", version=f"puzzlekit {__version__}")
    commands = made.add_subparsers(metavar="FAMILY", required=True, parser_class=shared.Parser)
    for command in COMMANDS:
        command.add_command(commands)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 2 for bad input, 130 after Ctrl-C."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        shared.note("puzzlekit: standard output is closed")
        return 2
    given = parser().parse_args(shared.shield(sys.argv[1:] if arguments is None else arguments))
    signal.signal(signal.SIGTERM, _terminate)
    try:
        given.run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough. What is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        shared.note("interrupted")
        return 130
    except (PuzzleError, OSError, MemoryError) as error:
        shared.note(f"puzzlekit: {error}")
        return 2
    return 0


def _terminate(number: int, frame: object) -> None:
    """Leave as after an exception, so that no half of a file stays behind."""
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
