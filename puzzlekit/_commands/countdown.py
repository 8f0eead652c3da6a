"""puzzlekit countdown: reach a target with cards."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from puzzlekit import countdown
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
    """Add `puzzlekit countdown`."""
    parser = commands.add_parser(
        "countdown",
        help="reach a target with some cards, + - * and /",
        description="Print an expression with the fewest cards that makes the target, or comes nearest to it. The time "
        "goes to standard error.",
    )
    parser.add_argument("numbers", nargs="*", type=whole, metavar="TARGET CARD", help="the target, then the cards")
    parser.add_argument("--all", action="store_true", help="print every distinct expression for the target")
    parser.add_argument("--count", action="store_true", help="print how many there are")
    parser.add_argument(
        "--form",
        metavar="FORM",
        help="irredundant (default), plain or raw; with --count also trees, pruned trees or integer trees",
    )
    parser.add_argument("--fractions", action="store_true", help="allow fractions on the way")
    parser.add_argument("--use-all", action="store_true", help="use every card")
    parser.add_argument("--steps", action="store_true", help="print steps, as on the show")
    parser.add_argument("--random", action="store_true", help="make a random game instead")
    parser.add_argument("--seed", type=whole, metavar="S", help="the same random game for the same S")
    parser.add_argument("--large", type=whole, metavar="K", help="a random game with K large cards")
    parser.add_argument("--difficulty", metavar="D", help="a random game that is easy, medium or hard")
    parser.add_argument("--survey", action="store_true", help="print totals of the whole game space instead")
    parser.add_argument(
        "--check",
        metavar="EXPRESSION",
        help="say whether this answer is right (exit status 1: it is not); --check=EXPRESSION if it begins with -",
    )
    add_search_options(parser)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Do the one thing that was asked for, write and tell."""
    began = time.perf_counter()
    given = [name for name, value in vars(arguments).items() if value is not None and value is not False]
    modes = [name for name in _MODES if name in given]
    if len(modes) > 1:
        raise PuzzleError(f"--{modes[0]} and --{modes[1]} are different things: ask for one of them")
    mode = modes[0] if modes else "solve"
    if mode in ("random", "survey") and arguments.numbers:
        raise PuzzleError(f"--{mode} takes no numbers, and there is {arguments.numbers[0]}")
    act, options = _MODES[mode]
    for name in given:
        if name in _OPTIONS and name not in options:
            told = f"--{mode}" if modes else "one expression"
            raise PuzzleError(f"--{name.replace('_', '-')} has no meaning for {told}")
    act(arguments)
    note(f"{time.perf_counter() - began:.3f} s")


def _game(arguments: argparse.Namespace) -> countdown.Game:
    if len(arguments.numbers) < 2:
        raise PuzzleError("give the target and then the cards, for instance 765 1 3 7 10 25 50")
    target, *cards = arguments.numbers
    return countdown.Game(cards, target, arguments.fractions, arguments.use_all)


def _search_options(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "form": arguments.form or "irredundant",
        "limit": arguments.limit,
        "threads": arguments.threads,
        "progress": progress_bar(),
    }


def _write(arguments: argparse.Namespace, text: str) -> None:
    with output(arguments) as file:
        file.write(f"{text}\n".encode())


def _solve(arguments: argparse.Namespace) -> None:
    found = countdown.solve(_game(arguments), threads=arguments.threads, progress=progress_bar())
    lines = (found.steps or [str(found.value)]) if arguments.steps else [str(found)]
    _write(arguments, "\n".join(lines))
    if found.distance:
        note(f"{found.target} cannot be reached; this is {found.distance} away")


def _count(arguments: argparse.Namespace) -> None:
    game = _game(arguments)
    _write(arguments, str(countdown.count(game, **_search_options(arguments))))


def _all(arguments: argparse.Namespace) -> None:
    game = _game(arguments)
    options = _search_options(arguments)
    form = output_form(arguments)
    if arguments.steps and form != "text":
        raise PuzzleError(f"--steps is text, not {form}")
    many = 0

    def counted() -> Iterator[countdown.Solutions]:
        nonlocal many
        for batch in countdown.iterate(game, batch=BATCH, **options):
            many += len(batch)
            yield batch

    with output(arguments) as file:
        if arguments.steps:
            for solution in itertools.chain.from_iterable(counted()):
                file.write("\n".join([*solution.steps, "", ""]).encode())
        elif form in ("text", "csv", "json"):
            opening = countdown.Solutions(game, np.empty((0, 1), np.uint8))._opening(form)
            write_stream(file, form, opening, counted(), arguments.limit)
        else:
            found = countdown.enumerate(game, **options)
            many = len(found)
            found.write(file, form)
    note(f"{many:,} expression{'' if many == 1 else 's'}")


def _random(arguments: argparse.Namespace) -> None:
    made = countdown.game(arguments.seed, arguments.large, difficulty=arguments.difficulty)
    _write(arguments, f"{made.target} {' '.join(map(str, made.cards))}")
    note("the target, then the cards: give these numbers to puzzlekit countdown for an answer")


def _survey(arguments: argparse.Namespace) -> None:
    found = countdown.survey(fractions=arguments.fractions, threads=arguments.threads, progress=progress_bar())
    _write(arguments, found.summary())


def _check(arguments: argparse.Namespace) -> None:
    checked = countdown.check(arguments.check, _game(arguments))
    if checked:
        _write(arguments, f"right: {checked.value}")
        return
    where = "" if checked.position is None else f" at {checked.position}"
    _write(arguments, f"wrong{where}: {checked.problem}")
    sys.exit(1)


_RULES: Final = ("fractions", "use_all")
_MODES: Final = {  # what each does, and the options that it has
    "all": (_all, (*_RULES, "form", "steps", "limit", "threads", "format")),
    "count": (_count, (*_RULES, "form", "limit", "threads")),
    "random": (_random, ("seed", "large", "difficulty")),
    "survey": (_survey, ("fractions", "threads")),
    "check": (_check, _RULES),
    "solve": (_solve, (*_RULES, "steps", "threads")),
}
_OPTIONS: Final = {name for _, options in _MODES.values() for name in options}
