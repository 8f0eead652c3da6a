"""Sudoku: files, text and pictures."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import known_sudoku as known
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
    assert found.to_text().splitlines() == [text(row) for row in found]
    assert found.to_csv().splitlines()[0] == "solution"
    for name in ("x.txt", "x.csv", "x.json", "x.npy", "x.npz", "x.svg"):
        for some in (found, answers, sudoku.puzzles(2, seed=1), sudoku.grids(2, seed=1)):
            some.save(tmp_path / name)
            assert (tmp_path / name).stat().st_size > 100
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
    assert "<svg" in sudoku.solve([WIKI])._repr_svg_()
    assert sudoku.draw(WIKI).splitlines()[0] == "5 3 . | . 7 . | . . ."
    assert sudoku.draw(known.MOST_CANONICAL, regions=JIGSAW).splitlines()[0] == "1   2   3   4 | 5   6 | 7   8   9"
