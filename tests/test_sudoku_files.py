"""Sudoku: files, text and pictures."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import known_sudoku as known
import numpy as np
import pytest
from cases_sudoku import JIGSAW, WIKI, text

from puzzlekit import PuzzleError, sudoku


def test_files(tmp_path):
    found = sudoku.puzzles(7, seed=2)
    for name in ("a.txt", "a.sdm", "a.ss", "a.csv"):
        sudoku.write(tmp_path / name, found)
        assert (sudoku.read(tmp_path / name).array == found.array).all()
        assert (sudoku.solve(tmp_path / name).array == found.solutions).all()
        assert (sudoku.solve(str(tmp_path / name)).array == found.solutions).all()
    sudoku.write(tmp_path / "one.sdk", found.array[0])
    assert (sudoku.read(tmp_path / "one.sdk").array == found.array[:1]).all()
    sudoku.write(tmp_path / "rows.txt", found, layout="rows")
    lines = (tmp_path / "rows.txt").read_text().splitlines()
    assert len(lines) == 7 * 10 - 1
    assert len(lines[0].split()) == 9
    assert lines[9] == ""
    assert (sudoku.read(tmp_path / "rows.txt").array == found.array).all()
    sudoku.write(tmp_path / "both.csv", found, solutions=found.solutions)
    both = sudoku.read(tmp_path / "both.csv")
    assert (both.array == found.array).all()
    assert (both.solutions == found.solutions).all()
    with open(tmp_path / "both.csv", newline="") as file:
        assert next(csv.DictReader(file))["solution"] == text(found.solutions[0])
    found.save(tmp_path / "saved.csv")
    assert (tmp_path / "saved.csv").read_text() == (tmp_path / "both.csv").read_text()
    for name in ("a.csv", "a.CSV"):
        sudoku.write(tmp_path / name, found)
        assert (tmp_path / name).read_text() == (tmp_path / "both.csv").read_text()
    with pytest.raises(PuzzleError, match="solution 2 is none"):
        sudoku.write(tmp_path / "c.csv", found, solutions=found.solutions[[0, 0, 2, 3, 4, 5, 6]])
    with pytest.raises(PuzzleError, match=r"\.sdk"):
        sudoku.write(tmp_path / "two.sdk", found)
    with pytest.raises(PuzzleError, match=r"\.doc"):
        sudoku.write(tmp_path / "two.doc", found)


def test_what_people_write(tmp_path):
    file = tmp_path / "mixed.txt"
    nine = [WIKI[k : k + 9] for k in range(0, 81, 9)]
    file.write_text(
        "\ufeff# a list of puzzles\n\n"
        + WIKI.replace(".", "0")
        + " # easy, 30 clues\n"
        + WIKI.replace(".", "*")
        + "\t17;x\n"
        + "\n".join(" ".join(line.replace(".", "_")) for line in nine)
        + "\n\n"
        + "+-------+-------+-------+\n"
        + "\n".join("| " + " | ".join(" ".join(line[k : k + 3]) for k in (0, 3, 6)) + " |" for line in nine)
        + "\n+-------+-------+-------+\n[Puzzle]\n"
        + "\n".join(nine)
        + "\n[State]\n123456789\n",
        encoding="utf-8",
    )
    assert [text(row) for row in sudoku.read(file).array] == [WIKI] * 5


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (WIKI + "\n" + WIKI[:40] + "x" + WIKI[41:] + "\n", ["line 2", "column 41", "'x'", "1 good puzzle"]),
        (WIKI + "\n" + WIKI + "\n123\n", ["line 3", "3 cells", "2 good puzzles"]),
        ("\n".join(["123456789"] * 5), ["line 1", "5 rows", "0 good puzzles"]),
        ("", ["no puzzles"]),
        ("puzzle,solution\n" + WIKI + ",123\n", ["line 2", "3 cells"]),
        ("puzzle\n" + WIKI[:-1] + "?\n", ["line 2", "column 81", "'?'"]),
        ("puzzle,solution\n" + f"{WIKI},\n" * 2 + f"{WIKI},{'1' * 81}\n", ["line 4", "no solution", "2 good puzzles"]),
        (WIKI + "," + WIKI + "\n", ["line 1", "column 82", "','"]),
    ],
)
def test_bad_files(tmp_path, content, names):
    (tmp_path / "bad.txt").write_text(content)
    with pytest.raises(PuzzleError) as error:
        sudoku.read(tmp_path / "bad.txt")
    for name in ["bad.txt", *names]:
        assert name in str(error.value)


# ---- text and pictures ----


def test_forms(tmp_path):
    answers = sudoku.solve([WIKI, "." * 81])
    assert list(csv.DictReader(answers.to_csv().splitlines()))[1]["status"] == "several"
    assert json.loads(answers.to_json())["solutions"][0]["status"] == "unique"
    found = sudoku.enumerate(known.CASES[3][0])
    data = json.loads(found.to_json())
    assert data["count"] == 26
    assert data["complete"]
    assert data["solutions"][3] == text(found[3])
    assert data["givens"] == known.CASES[3][0]
    data = json.loads(sudoku.enumerate("." * 81, limit=1, diagonals=True, regions=JIGSAW).to_json())
    assert data["diagonals"]
    assert len(data["regions"]) == 81
    made = sudoku.puzzles(2, seed=1)
    assert json.loads(made.to_json())["puzzles"][1] == {
        "puzzle": text(made.array[1]),
        "solution": text(made.solutions[1]),
    }
    assert found.to_text().splitlines() == [text(row) for row in found]
    assert found.to_csv().splitlines()[0] == "solution"
    for name in ("x.txt", "x.csv", "x.json", "x.npy", "x.npz", "x.svg"):
        for some in (found, answers, sudoku.puzzles(2, seed=1), sudoku.grids(2, seed=1)):
            some.save(tmp_path / name)
            saved = (tmp_path / name).read_bytes()
            assert bytes(some.to_text(), "utf-8") == saved if name.endswith("txt") else len(saved) > 100
            if name.endswith("npy"):
                assert (np.load(tmp_path / name) == some.array).all()
            if name.endswith("npz"):
                assert (np.load(tmp_path / name)["array"] == some.array).all()
            if name.endswith("json"):
                assert json.loads(saved)["count"] == len(some)
    assert repr(found).startswith("<26 solutions of")
    assert repr(answers).startswith("<2 puzzles: 1 unique, 1 several>")
    assert "clues" in repr(sudoku.puzzles(2, seed=1))
    assert found[:3].array.shape == (3, 81)
    assert not found[:3].complete
    assert (answers[::-1].puzzles[1] == answers.puzzles[0]).all()


def test_pictures():
    picture = sudoku.svg(WIKI, sudoku.solve(WIKI))
    root = ElementTree.fromstring(picture)
    groups = root.findall(".//{*}g[@font-weight]")
    assert sum(len(group) for group in groups) == 30
    assert len(root.findall(".//{*}text")) == 81
    assert len(ElementTree.fromstring(sudoku.svg(WIKI)).findall(".//{*}text")) == 30
    with pytest.raises(PuzzleError, match="givens"):
        sudoku.svg(WIKI, "1" * 81)
    improper = sudoku.solve(["11" + "." * 79, "." * 81]).to_svg()
    assert [improper.count(remark) for remark in ("invalid: equal", "several solutions,")] == [1, 1]
    groups = ElementTree.fromstring(improper).findall(".//{*}g[@font-weight]")
    assert [len(group) for group in groups] == [2, 0]
    assert "<svg" in sudoku.solve([WIKI])._repr_svg_()
    assert sudoku.draw(WIKI).splitlines()[0] == "5 3 . | . 7 . | . . ."
    assert sudoku.draw(known.MOST_CANONICAL, regions=JIGSAW).splitlines()[0] == "1   2   3   4 | 5   6 | 7   8   9"


def test_boards_in_frames(tmp_path):
    """Simple Sudoku, and others, draw lines above and below."""
    for edge, between in (("*-----------*", "|---+---+---|"), (".---.---.---.", ":---+---+---:")):
        rows = [f"|{'|'.join(WIKI[k + c : k + c + 3] for c in (0, 3, 6))}|" for k in range(0, 81, 9)]
        lines = [edge, *rows[:3], between, *rows[3:6], between, *rows[6:], edge]
        (tmp_path / "framed.ss").write_text("\n".join(lines) + "\n")
        assert text(sudoku.read(tmp_path / "framed.ss").array[0]) == WIKI


def test_answers_in_files(tmp_path):
    """What is not solved is not passed off as solved in any of them."""
    answers = sudoku.solve([WIKI, "." * 81, "11" + "." * 79])
    sudoku.write(tmp_path / "a.txt", answers)
    assert (tmp_path / "a.txt").read_text() == answers.to_text()
    sudoku.write(tmp_path / "a.csv", answers)
    assert (tmp_path / "a.csv").read_text() == answers.to_csv()
    sudoku.write(tmp_path / "rows.txt", answers, layout="rows")
    blocks = (tmp_path / "rows.txt").read_text().split("\n\n")
    assert [len(block.splitlines()) for block in blocks] == [9, 10, 10]
    assert blocks[1].endswith("# several solutions, this is one")
    assert blocks[2].startswith("1 1 0")
    assert (sudoku.read(tmp_path / "rows.txt").array == answers.boards).all()
    with pytest.raises(PuzzleError, match="layout"):
        sudoku.write(tmp_path / "a.ss", answers)
    assert not (tmp_path / "a.ss").exists()
    sudoku.write(tmp_path / "a.ss", answers[:1])
