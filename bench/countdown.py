"""The numbers game: what is measured."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench import cases
from bench.runner import Job, Peer, textbook
from puzzlekit import _call, countdown
from puzzlekit.countdown import _game, _reach

SPACE = "the game space, 13,243 hands"
REACHABLE = "all targets of six cards"
EXPRESSIONS = "all expressions of a target"


def jobs() -> Iterator[Job]:
    """One game, more cards, and the whole game space in every variant that this machine runs. One thread."""
    six, target = cases.COUNTDOWN_CARDS, 765
    search = textbook("countdown_dfs").countdown_dfs
    search.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
    yield Job(REACHABLE, partial(countdown.reachable, six), cases.COUNTDOWN_REACHED[six], len)
    yield Job("  textbook in C", _textbook_reachable(search, six), cases.COUNTDOWN_REACHED[six], like=REACHABLE)
    yield Job("expression for a target", partial(countdown.solve, six, target), "(50 + 1) * (25 - 10) = 765", str)
    yield Job("expression for the nearest value", partial(countdown.solve, six, 831), 830, lambda found: found.value)
    search_all = partial(countdown.enumerate, six, target, threads=1)
    yield Job(EXPRESSIONS, search_all, 12, lambda found: _expressions(found, six, target))
    yield Job("  as text", lambda: search_all().to_text(), 12, lambda text: len(set(text.splitlines())))
    most = cases.COUNTDOWN_MOST
    search_most = partial(countdown.enumerate, *most, form="plain", threads=1)
    yield Job("703 expressions, the most there are", search_most, 703, lambda found: _expressions(found, *most))
    for cards, reached in list(cases.COUNTDOWN_REACHED.items())[1:]:
        yield Job(f"all targets of {len(cards)} cards", partial(countdown.reachable, cards), reached, len)
    fractions = partial(countdown.reachable, six, fractions=True)
    yield Job("all targets of six cards, fractions", fractions, cases.COUNTDOWN_FRACTIONS, len)
    for level, name in enumerate(_call.CPU_LEVELS[: _call.cpu_level() + 1]):
        yield Job(f"{SPACE}, {name}", _space(level), (10_858_746, 1226), _totals)


def peers() -> Iterator[Peer]:
    six = cases.COUNTDOWN_CARDS
    reached = cases.COUNTDOWN_REACHED[six]
    yield Peer("all targets by Ruby Quiz #7", "bench.peers_countdown", ["quiz"], reached, _check_targets, REACHABLE)
    solver = "765 by countdown-numbers-solver"
    yield Peer(solver, "bench.peers_countdown", ["solver"], 12, _check_lines, EXPRESSIONS)


def _textbook_reachable(search: Any, cards: tuple[int, ...]) -> Callable[[], int]:
    numbers = np.array(cards, np.int64)
    out = np.empty(899, np.uint8)
    return lambda: int(search(numbers.ctypes.data, len(numbers), 101, 999, out.ctypes.data))


def _expressions(found: countdown.Solutions, cards: tuple[int, ...], target: int) -> int:
    """How many there are, if they are right and all distinct."""
    assert countdown.verify(cards, target, found).all()
    assert len(set(found.expressions)) == len(found)
    return len(found)


def _space(level: int) -> Callable[[], np.ndarray[Any, Any]]:
    values, counts = _game.kinds_of(countdown.UK)
    return lambda: _reach.survey_sets(values, counts, 6, 101, 999, 1, None, level)


def _totals(reached: np.ndarray[Any, Any]) -> tuple[int, int]:
    return int(reached.sum()), int(reached.all(axis=1).sum())


def _check_targets(lines: list[str]) -> None:
    targets = [int(line.split(" = ")[0]) for line in lines]
    assert len(set(targets)) == len(targets)
    assert set(targets) <= set(countdown.reachable(cases.COUNTDOWN_CARDS).tolist())


def _check_lines(lines: list[str]) -> None:
    assert countdown.verify(cases.COUNTDOWN_CARDS, 765, [line.replace("=", " ").split("  ")[0] for line in lines]).all()
    assert len(set(lines)) == len(lines)
