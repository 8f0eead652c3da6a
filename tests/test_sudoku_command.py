"""Sudoku: the command line."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
import pytest
from cases_sudoku import HARD, WIKI, digits

from puzzlekit import _call, sudoku


def run(*arguments, cwd=None, given=None, code=0):
    command = [sys.executable, "-P", "-m", "puzzlekit", "sudoku", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, input=given, timeout=120)
    assert done.returncode == code, done.stderr
    return done


def test_the_two_commands_of_the_source(tmp_path):
    run("-c", 1000, "--first", 5, cwd=tmp_path)
    lines = (tmp_path / "sudoku.txt").read_text().splitlines()
    assert len(set(lines)) == 1000
    assert all(line[0] == "5" and oracles.has_every_digit(digits(line)) for line in lines[::37])
    (tmp_path / "puzzles.txt").write_text(f"{WIKI}\n{HARD}\n")
    run("-s", "puzzles.txt", "-o", "out.txt", cwd=tmp_path)
    expected = [oracles.solutions(digits(puzzle), oracles.houses())[0] for puzzle in (WIKI, HARD)]
    assert (tmp_path / "out.txt").read_text().splitlines() == ["".join(map(str, grid)) for grid in expected]
    run("-s", "puzzles.txt", "--layout", "rows", cwd=tmp_path)
    assert (sudoku.read(tmp_path / "sudoku.txt").array == np.array(expected)).all()
    run("-c", 20, "--uniform", "--first", 3, "--seed", 1, "--layout", "rows", "-o", "u.txt", cwd=tmp_path)
    assert sudoku.verify(None, tmp_path / "u.txt").sum() == 20
    run("-c", 20, "--essentially", "-o", "e.txt", cwd=tmp_path)
    assert len(sudoku.dedup(tmp_path / "e.txt")) == 20


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-c"],
        ["-c", "0"],
        ["-c", "-5"],
        ["-c", "many"],
        ["-c", "2.5"],
        ["-c", "3", "--first", "10"],
        ["-c", "3", "-s", "x"],
        ["-s", "missing.txt"],
        ["-s"],
        ["-c", "3", "-o", "no/such/folder.txt"],
        ["solve", "123"],
        ["-c", "3", "--threads", "0"],
        ["solve", "--box", "3", WIKI],
        ["solve", "--box", "0x3", "--regions", "ABC", WIKI],
        ["count", "--limit", "x", WIKI],
        ["generate", "--clues", "16"],
        ["frobnicate"],
        ["-c", "18446744073709551615", "--uniform"],
        ["-c", "5", "solve", WIKI],
        ["--first", "5", "solve", WIKI],
        ["--seed", "5", "solve", WIKI],
        ["-s", "x", "--seed", "5"],
        ["generate", "-n", "0"],
        ["generate", "-n", "3", "-o", "x.sdk"],
        ["generate", "-n", "200000", "-o", "no/such/folder.txt"],
        ["solve", "--all", "." * 81, "-o", "no/such/folder.txt"],
        ["dedup", WIKI, "-o", "x.foo"],
        ["solve", "-"],
    ],
)
def test_bad_commands(tmp_path, arguments):
    done = run(*arguments, cwd=tmp_path, given="", code=2)
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_subcommands(tmp_path):
    assert digits(run("solve", WIKI).stdout.strip()) == list(oracles.solutions(digits(WIKI), oracles.houses())[0])
    assert len(run("solve", "--all", known.CASES[3][0]).stdout.splitlines()) == 26
    assert run("solve", "-", given=WIKI).stdout == run("solve", WIKI).stdout
    assert run("count", known.CASES[3][0], WIKI).stdout == "26\n1\n"
    assert run("count", "--box", "2x2", "." * 16).stdout == "288\n"
    assert run("count", "--limit", 5, "--windoku", "." * 81).stdout == "5\n"
    assert "r1c1 and r1c2" in run("check", "11" + "." * 79).stdout
    made = run("generate", "-n", 5, "--seed", 1, "--clues", 25).stdout.split()
    assert len(made) == 5
    assert (sudoku.solve(made).status == 1).all()
    run("generate", "-n", 5, "-o", tmp_path / "p.sdm")
    assert len(sudoku.read(tmp_path / "p.sdm")) == 5
    assert run("canonical", sudoku.transform(known.MOST_CANONICAL)).stdout.strip() == known.MOST_CANONICAL
    assert run("dedup", WIKI, sudoku.transform(WIKI), HARD).stdout.split() == [WIKI, HARD]
    run("solve", WIKI, "-o", tmp_path / "x.svg")
    ElementTree.parse(tmp_path / "x.svg")


def test_options_before_and_behind_a_subcommand(tmp_path):
    assert run("--seed", 3, "generate").stdout == run("generate", "--seed", 3).stdout
    run("-o", tmp_path / "before.txt", "solve", WIKI)
    run("solve", WIKI, "-o", tmp_path / "behind.txt")
    assert (tmp_path / "before.txt").read_text() == (tmp_path / "behind.txt").read_text()


def test_standard_input_is_a_file(tmp_path):
    rows = "# a board\n" + "\n".join(WIKI[k : k + 9] for k in range(0, 81, 9)) + f"\n{HARD} # and a line\n"
    assert run("count", "-", given=rows).stdout == "1\n1\n"
    run("-s", "-", "-o", tmp_path / "x.txt", given=rows)
    assert len(sudoku.read(tmp_path / "x.txt")) == 2


def test_rows_have_no_line_too_many(tmp_path):
    for how in ([], ["--uniform"]):
        run("-c", 1, "--layout", "rows", "-o", tmp_path / "one.txt", *how)
        assert (tmp_path / "one.txt").read_text().count("\n") == 9


def test_all_solutions_in_every_form(tmp_path):
    puzzle = known.CASES[3][0]
    found = sudoku.enumerate(puzzle)
    for name in ("a.txt", "a.csv", "a.json", "a.npy"):
        run("solve", "--all", puzzle, "-o", tmp_path / name)
        found.save(tmp_path / f"b{name}")
        assert (tmp_path / name).read_bytes() == (tmp_path / f"b{name}").read_bytes()
    done = run("solve", "--all", "--limit", 5, puzzle)
    assert len(done.stdout.splitlines()) == 5
    assert "there may be more" in done.stderr


def test_a_bar_can_begin_again(capsys):
    """Commands that search several times show one bar after the other."""
    bar = _call.Bar()
    for total in (3, 5):
        bar(1, total, 0)
        assert bar.bar.total == total
        bar.close()
    assert "1/3" in capsys.readouterr().err
