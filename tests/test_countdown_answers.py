"""The numbers game as it is played: random games, a person's answers, and the command line."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import known_countdown as known
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import PuzzleError, countdown

HUTTON = known.HUTTON_CARDS


# ---- games ----


def test_games_are_repeated_by_their_seed():
    for options in ({}, {"large": 2}, {"solvable": False}, {"difficulty": "hard"}):
        assert countdown.game(seed=3, **options) == countdown.game(seed=3, **options)
    assert len({countdown.game(seed=seed) for seed in range(50)}) == 50


@pytest.mark.parametrize("large", range(5))
def test_random_games(large):
    for seed in range(10):
        made = countdown.game(seed, large, solvable=True)
        assert sum(card > 10 for card in made.cards) == large
        assert not Counter(made.cards) - Counter(countdown.UK)
        assert 101 <= made.target <= 999
        assert countdown.solve(made).distance == 0
    assert countdown.solve(countdown.game(1, large, solvable=False)).distance > 0


@pytest.mark.parametrize("difficulty", [*countdown.DIFFICULTIES, (7, 9)])
def test_difficulty(difficulty):
    least, greatest = countdown.DIFFICULTIES.get(difficulty, difficulty)
    for seed in range(5):
        assert least <= countdown.count(countdown.game(seed, difficulty=difficulty)) <= greatest


# ---- a person's answer ----


@pytest.mark.parametrize(
    "text",
    [
        "(25 + 50) * 7 - 3",
        "(25+50)x7-3",
        "((25 + 50)) × 7 − 3 = 522",
        "25 + 50 = 75\n75 * 7 = 525\n525 - 3 = 522",
        "25 + 50\n75 * 7\n525 - 3\n",
        "25 + 50 = 75; 7 · 75 = 525, 525 – 3",
    ],
)
def test_right_answers(text):
    checked = countdown.check(text, [25, 50, 3, 7], 522)
    assert checked
    assert (checked.ok, checked.value, checked.kind, checked.problem) == (True, 522, None, "")


@pytest.mark.parametrize(
    ("text", "kind", "position", "told"),
    [
        ("", "syntax", 0, "no expression"),
        ("  \n ", "syntax", 0, "no expression"),
        ("25 +", "syntax", 4, "a number is missing at the end"),
        ("25 + * 3", "syntax", 5, "a number is missing before '*'"),
        ("(25 + 50", "syntax", 8, "')' is missing at the end"),
        ("25 50", "syntax", 3, "a sign is missing before '50'"),
        ("25 + 50)", "syntax", 7, "a sign is missing before ')'"),
        ("25 $ 50", "syntax", 3, "'$' is not a number"),
        ("25 + 50 = ", "syntax", 9, "a number is missing at the end"),
        ("__import__('os')", "syntax", 0, "'_' is not a number"),
        ("-25 + 50", "syntax", 0, "a number is missing before '-'"),
        ("25 + 50 = 76", "value", 10, "25 + 50 is 75, not 76"),
        ("25 + 25", "card", 5, "the card 25 is used twice, and there is one"),
        ("25 + 9", "card", 5, "there is no card 9"),
        ("50 / 7", "fraction", 3, "50 / 7 is not a whole number"),
        ("25 - 50", "negative", 3, "25 - 50 is negative"),
        ("50 / (25 - 25)", "negative", 9, "25 - 25 is zero"),
        ("25 + 50", "value", None, "the value is 75, not 522"),
        ("25 + 50 = 75; 75 + 75", "card", 19, "the result 75 is used twice, and there is one"),
        ("(" * 200 + "25" + ")" * 200, "syntax", 100, "nested more than"),
        ("1" * 4_001, "syntax", 4_000, "longer than"),
        ("1" * 4_000, "card", 0, "there is no card"),
        ("9" * 1_999 + "*" + "9" * 1_999, "card", 0, "there is no card"),
    ],
)
def test_wrong_answers(text, kind, position, told):
    checked = countdown.check(text, [25, 50, 3, 7], 522)
    assert not checked
    assert checked.kind == kind
    assert checked.position == position
    assert told in checked.problem


@pytest.mark.parametrize(
    ("text", "cards", "target", "fractions"),
    [
        ("10/5=2; 8/4=2; 2*2", [10, 5, 8, 4], 4, False),
        ("10/5=2; 8/4=2; 2*2", [10, 5, 8, 4], 4, True),
        ("8/3 = 8/3; 3 - 8/3 = 1/3; 8 / (1/3)", [3, 3, 8, 8], 24, True),
        ("8/3; 3 - 8/3; 8 / 1/3", [3, 3, 8, 8], 24, True),
    ],
)
def test_quotients_and_results_look_alike(text, cards, target, fractions):
    assert countdown.check(text, cards, target, fractions=fractions, use_all=True)


@pytest.mark.parametrize(
    ("text", "cards", "position"),
    [("6 - 4 = 2; 800/400 + 1", [1, 4, 6], 11), ("8/3; 3 - 16/6; 8 / (1/3)", [3, 3, 8, 8], 9)],
)
def test_a_quotient_is_no_result_that_is_written_otherwise(text, cards, position):
    found = countdown.check(text, cards, fractions=True)
    assert (found.kind, found.position) == ("card", position)


def test_answers_by_other_rules():
    assert countdown.check("8 / (3 - 8 / 3)", [3, 3, 8, 8], 24, fractions=True, use_all=True)
    assert countdown.check("8 * 3", [3, 3, 8, 8], 24, use_all=True).problem == "not used: 3, 8"
    assert countdown.check("8 / 3", [3, 3, 8, 8], fractions=True).value == Fraction(8, 3)
    assert countdown.check("8 - 3 = 5; 8 * 3", [3, 3, 8, 8], 24, use_all=True).problem == "not used: 5"


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789+-*/x()= \n;,.é", max_size=30))
def test_any_text_is_an_answer(text):
    checked = countdown.check(text, [25, 50, 3, 7], 522)
    if checked:
        assert checked.value == 522
    else:
        assert checked.problem
        assert checked.position is None or 0 <= checked.position <= len(text)


def test_verify():
    texts = ["(50 + 1) * (25 - 10)", "50 * 10", "50 +", "(50 + 1) * (25 - 10) + 0"]
    assert countdown.verify(HUTTON, 765, texts).tolist() == [True, False, False, False]
    found = countdown.enumerate(HUTTON, 765)
    assert countdown.verify(HUTTON, 765, found.array).all()
    assert not countdown.verify(HUTTON, 764, found).any()
    assert not countdown.verify([1, 3, 7, 10, 25, 51], 765, found).any()


PLUS, MINUS, END = 240, 241, 255


def test_verify_rows_that_are_no_expressions():
    rows = [
        [0, 1, PLUS],
        [0, PLUS, 1],  # an operator without its operands
        [PLUS, PLUS, PLUS],
        [0, 1, 0],  # no operator
        [0, 1, END],
        [END, END, END],
        [0, 2, PLUS],  # no such card
        [0, 200, PLUS],
        [0, 244, PLUS],
        [1, 0, MINUS],
    ]
    assert countdown.verify([1, 2], None, np.array(rows, np.uint8)).tolist() == [True, *[False] * 8, True]
    assert countdown.verify([1, 2], None, np.empty((0, 3), np.uint8)).tolist() == []
    for tokens in (b"", bytes([200]), bytes([0, PLUS]), bytes([0]) * 255, bytes([0]) * 300):
        with pytest.raises(PuzzleError, match="no expressions in postfix order"):
            countdown.Solution(countdown.Game([1, 2], 3), tokens).expression  # noqa: B018


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (np.zeros((1, 100_000), np.uint8), "uint8 of shape (rows, 3), not uint8 of shape (1, 100000)"),
        (np.zeros(3, np.uint8), "not uint8 of shape (3,)"),
        (np.zeros((1, 3)), "not float64 of shape (1, 3)"),
        ([[0, 1, PLUS]], "must be a text"),
        ("1 + 2", "several expressions, not '1 + 2'"),
        (5, "several expressions, not 5"),
    ],
)
def test_verify_refuses(rows, told):
    with pytest.raises(PuzzleError) as caught:
        countdown.verify([1, 2], 3, rows)
    assert told in str(caught.value)


# ---- the command line ----


def run(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-P", "-m", "puzzlekit", "countdown", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_command_solves():
    assert run("765", *map(str, HUTTON)).stdout == "(50 + 1) * (25 - 10) = 765\n"
    far = run("831", *map(str, HUTTON))
    assert "831 cannot be reached; this is 1 away" in far.stderr
    assert run("522", "25", "50", "3", "7", "--steps").stdout.splitlines()[-1] == "525 - 3 = 522"


def test_command_lists_and_counts(tmp_path):
    lines = run("765", *map(str, HUTTON), "--all").stdout.splitlines()
    assert len(set(lines)) == len(lines) == 12
    assert all(line.endswith(" = 765") for line in lines)
    assert run("765", *map(str, HUTTON), "--count", "--form", "raw").stdout == "22\n"
    assert run("765", *map(str, HUTTON), "--count", "--form", "pruned trees").stdout == "49\n"
    assert run("765", *map(str, HUTTON), "--count", "--limit", "2").stdout == "2\n"
    assert run("24", "3", "3", "8", "8", "--count", "--fractions", "--use-all").stdout == "1\n"
    assert run("765", *map(str, HUTTON), "--all", "--limit", "2").stdout.splitlines() == lines[:2]
    assert run("765", *map(str, HUTTON), "--all", "-o", str(tmp_path / "all.json")).returncode == 0
    assert json.loads((tmp_path / "all.json").read_text())["count"] == 12
    told = json.loads(run("765", *map(str, HUTTON), "--all", "--format", "json").stdout)
    assert len(told["solutions"]) == 12
    steps = run("765", *map(str, HUTTON), "--all", "--steps")
    assert steps.stdout.count("\n\n") == 12
    assert "12 expressions\n" in steps.stderr
    none = run("831", *map(str, HUTTON), "--all")
    assert (none.stdout, none.returncode) == ("", 0)
    assert "0 expressions\n" in none.stderr


def test_command_makes_games():
    made = run("--random", "--seed", "5", "--large", "2").stdout
    assert made == run("--random", "--seed", "5", "--large", "2").stdout
    target, *cards = map(int, made.split())
    assert countdown.game(5, 2) == countdown.Game(cards, target)


def test_command_surveys():
    assert f"{known.UK_SOLVABLE:,} of {known.UK_PAIRS:,}" in run("--survey").stdout


def test_command_checks():
    assert run("--check", "(25 + 50) x 7 - 3", "522", "25", "50", "3", "7").stdout == "right: 522\n"
    wrong = run("--check", "25 + 25", "522", "25", "50", "3", "7")
    assert wrong.stdout == "wrong at 5: the card 25 is used twice, and there is one\n"
    assert wrong.returncode == 1
    assert run("--check=-3 + 25", "22", "25", "3").stdout == "wrong at 0: a number is missing before '-'\n"
    assert run("--check", "25 + 3", "22", "25", "3").stdout == "wrong: the value is 28, not 22\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give the target and then the cards"),
        (["765"], "give the target and then the cards"),
        (["0", "1", "2"], "target must be positive, not 0"),
        (["5", "-1"], "a card must be positive, not -1"),
        (["5", "x"], "'x'"),
        (["5", "1", "--all", "--count"], "different things"),
        (["5", "1", "--survey"], "--survey takes no numbers"),
        (["--random", "--difficulty", "evil"], "not 'evil'"),
        (["5", "1", "4", "--threads", "0"], "threads must be at least 1, not 0"),
        (["5", "1", "4", "--seed", "0"], "--seed has no meaning for one expression"),
        (["5", "1", "4", "--limit", "3"], "--limit has no meaning for one expression"),
        (["5", "1", "4", "--form", "raw"], "--form has no meaning for one expression"),
        (["5", "1", "4", "--count", "--format", "json"], "--format has no meaning for --count"),
        (["--random", "--steps"], "--steps has no meaning for --random"),
        (["--survey", "--use-all"], "--use-all has no meaning for --survey"),
    ],
)
def test_command_refuses(arguments, told):
    refused = run(*arguments)
    assert refused.returncode == 2
    assert told in refused.stderr
    assert refused.stdout == ""
    assert builtins.len(refused.stderr.splitlines()) == 1
