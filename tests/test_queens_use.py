"""Samples, puzzles and symmetry; what is refused; text, files, pictures and the command line."""

from __future__ import annotations

import json
import random
from xml.etree import ElementTree

import known_queens as known
import numpy as np
import oracles_queens as oracle
import pytest

from puzzlekit import Cancelled, PuzzleError, queens
from puzzlekit.__main__ import main

# ---- sample, symmetry, puzzle ----


@pytest.mark.parametrize(("n", "options"), [(6, {}), (7, {}), (10, {"blocked": [(0, 0), (9, 0)], "placed": [(1, 1)]})])
def test_sample_is_uniform(n, options):
    """Every board comes; how often is compared with what is to be expected (chi square, seven deviations)."""
    every = queens.enumerate(n, **options)
    some = queens.sample(n, 200 * len(every), seed=7, **options)
    distinct, times = np.unique(some.array, axis=0, return_counts=True)
    assert (distinct == every.sorted().array).all()
    square = ((times - 200) ** 2 / 200).sum()
    assert abs(square - (len(every) - 1)) < 7 * (2 * len(every)) ** 0.5


def test_sample_of_units_that_are_joined():
    some = queens.sample(12, 20_000, seed=1)
    assert queens.verify(12, some).all()
    first = np.bincount(some.array[:, 0], minlength=12)
    expected = np.bincount(queens.enumerate(12).array[:, 0], minlength=12) * 20_000 / known.ALL[12]
    assert ((first - expected) ** 2 / expected).sum() < 60
    assert (some.array == queens.sample(12, 20_000, seed=1).array).all()
    assert len(queens.sample(12, 0, seed=1)) == 0


@pytest.mark.parametrize(("n", "k"), [(12, 0), (12, 3), (13, 5000)])
def test_a_sample_depends_on_the_seed_alone(n, k):
    told: list[tuple[int, int, int]] = []
    some = queens.sample(n, k, seed=4, threads=1, progress=lambda *state: told.append(state))
    assert told[-1][0] == told[-1][1]
    assert [state[0] for state in told] == sorted(state[0] for state in told)
    assert (queens.sample(n, k, seed=4, threads=3).array == some.array).all()
    with pytest.raises(Cancelled):
        queens.sample(n, k, progress=lambda done, total, found: False)


def test_fundamental_boards_are_counted_and_listed_only():
    for problem in (queens.Queens(9, fundamental=True), queens.Queens(8, placed=[(0, 1)], fundamental=True)):
        with pytest.raises(PuzzleError, match="fundamental"):
            queens.solve(problem)
        with pytest.raises(PuzzleError, match="fundamental"):
            queens.sample(problem, 1)
        every = queens.enumerate(problem.n, placed=problem.placed)
        kept = every.array[queens.verify(problem, every)]
        assert (kept == queens.enumerate(problem).sorted().array).all()


def test_symmetries_and_canonical():
    pick = random.Random(1)
    every = queens.enumerate(9).array
    for place in pick.sample(range(len(every)), 60):
        board = tuple(every[place].tolist())
        assert [tuple(image) for image in queens.symmetries(board).tolist()] == sorted(oracle.images(board))
        assert tuple(queens.canonical(board)[0].tolist()) == min(oracle.images(board))
    assert len(queens.symmetries([1, 3, 0, 2])) == 2
    assert queens.symmetries(queens.solve(0)).shape == (1, 0)
    assert queens.canonical(queens.enumerate(0)).shape == queens.symmetries(queens.enumerate(0)).shape == (1, 0)
    assert len(queens.verify(8, [])) == len(queens.canonical([])) == 0
    assert len(queens.symmetries([2, 4, 1, 7, 0, 6, 3, 5])) == 4


@pytest.mark.parametrize("seed", range(12))
def test_puzzle(seed):
    n = 4 + seed
    made = queens.puzzle(n, seed=seed)
    assert made.unique
    assert queens.count(n, placed=made.placed) == 1
    assert queens.solve(n, placed=made.placed).tolist() == list(made.solution)
    for left_out in made.placed:
        assert queens.count(n, placed=[square for square in made.placed if square != left_out]) > 1
    assert queens.puzzle(n, seed=seed) == made
    assert str(made).count("Q") == len(made.placed)
    for solved, queens_drawn in ((False, len(made.placed)), (True, n)):
        root = ElementTree.fromstring(made.to_svg(solved=solved))
        assert (
            sum(element.get("transform") is not None for element in root.iter() if "path" in element.tag)
            == queens_drawn
        )


def test_puzzle_with_so_many_queens():
    assert len(queens.puzzle(8, given=5, seed=1).placed) == 5
    loose = queens.puzzle(8, given=1, unique=False, seed=1)
    assert len(loose.placed) == 1
    assert loose.unique == (queens.count(8, placed=loose.placed) == 1)
    for n, few in ((9, 2), (12, 0), (30, 0), (64, 2)):
        loose = queens.puzzle(n, given=few, unique=False, seed=1)
        assert not loose.unique
        assert len(loose.placed) == few
        assert queens.verify(n, loose.solution, placed=loose.placed).all()
    with pytest.raises(PuzzleError, match="no puzzle with 0"):
        queens.puzzle(8, given=0, seed=1)
    with pytest.raises(PuzzleError, match="no board with 3"):
        queens.puzzle(3)
    with pytest.raises(PuzzleError, match="given"):
        queens.puzzle(8, unique=False)
    with pytest.raises(PuzzleError, match="9"):
        queens.puzzle(8, given=9)


# ---- what is refused ----


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"n": -1}, "-1"),
        ({"n": 8.0}, "8.0"),
        ({"n": "8"}, "'8'"),
        ({"n": True}, "True"),
        ({"n": 24}, "24"),
        ({"n": 65, "placed": [(0, 0)]}, "65"),
        ({"n": 65, "toroidal": True}, "65"),
        ({"n": 8, "placed": [(8, 0)]}, r"\(8, 0\)"),
        ({"n": 8, "placed": [(0, -1)]}, r"\(0, -1\)"),
        ({"n": 8, "blocked": [(0, 1, 2)]}, r"\(0, 1, 2\)"),
        ({"n": 8, "blocked": [0, 1]}, r"\[0, 1\]"),
        ({"n": 8, "blocked": [(0, 1.5)]}, "1.5"),
        ({"n": 8, "blocked": np.zeros((7, 8), bool)}, r"\(7, 8\)"),
        ({"n": 3, "blocked": [[True, False, False]] * 2}, r"\(2, 3\)"),
        ({"n": 8, "blocked": np.zeros((8, 8), int)}, "True or False"),
        ({"n": 8, "blocked": np.zeros(8, int)}, r"\(8,\)"),
        ({"n": 8, "placed": [(10**5000, 0)]}, "16610 bits"),
        ({"n": 10**5000}, "16610 bits"),
        ({"n": -(10**5000)}, "16610 bits"),
        ({"n": 7, "toroidal": np.array([0, 1])}, "toroidal must be"),
        ({"n": 7, "toroidal": "no"}, "'no'"),
        ({"n": 7, "fundamental": 1}, "fundamental must be"),
        ({"n": np.timedelta64(8, "s")}, "timedelta64"),
        ({"n": 8, "threads": 0}, "0"),
        ({"n": 8, "threads": "2"}, "'2'"),
        ({"n": 8, "progress": 3}, "3"),
        ({"n": queens.Queens(8), "placed": [(0, 0)]}, "other arguments"),
    ],
)
def test_bad_input(arguments, named):
    for verb in (queens.count, queens.enumerate, queens.iterate):
        with pytest.raises(PuzzleError, match=named):
            verb(**arguments)


def test_bad_boards():
    with pytest.raises(PuzzleError, match="shape"):
        queens.verify(8, [[0, 1, 2]])
    with pytest.raises(PuzzleError, match="other arguments"):
        queens.count(queens.Queens(8), blocked=iter([(0, 0)]))
    with pytest.raises(PuzzleError, match="same number"):
        queens.verify(2, [[0, 1], [0]])
    with pytest.raises(PuzzleError, match="float"):
        queens.verify(3, [[0.0, 1.0, 2.0]])
    with pytest.raises(PuzzleError, match="one queen"):
        queens.canonical([[0, 0, 1]])
    with pytest.raises(PuzzleError, match="one board"):
        queens.symmetries(queens.enumerate(6))
    with pytest.raises(PuzzleError, match="same number"):
        queens.symmetries([[0, 1], [0]])
    for options in ({"n": 21}, {"n": 22, "blocked": [(0, 0)]}, {"n": 25, "toroidal": True}):
        with pytest.raises(PuzzleError, match=str(options["n"])):
            queens.sample(**options, k=1)
    for k in (10**12, 10**18, 10**30):
        with pytest.raises(PuzzleError, match=str(k)):
            queens.sample(8, k)
    with pytest.raises(PuzzleError, match="16610 bits"):
        queens.sample(8, -(10**5000))
    with pytest.raises(PuzzleError, match="16610 bits"):
        queens.puzzle(8, given=10**5000)
    for seed in ("x", -1):
        with pytest.raises(PuzzleError, match="seed"):
            queens.solve(8, seed=seed)
    for n, limit in ((20, None), (22, None), (22, 10**30)):
        with pytest.raises(PuzzleError, match="memory"):
            queens.enumerate(n, limit=limit)
    for unique in (None, 1, "no"):
        with pytest.raises(PuzzleError, match="unique"):
            queens.puzzle(8, given=3, unique=unique)
    with pytest.raises(PuzzleError, match="seed"):
        queens.puzzle(3, seed="s")
    with pytest.raises(PuzzleError, match="no board"):
        queens.sample(3, 1)
    with pytest.raises(PuzzleError, match="-1"):
        queens.sample(8, -1)
    with pytest.raises(PuzzleError, match="limit"):
        queens.enumerate(8, limit=-1)
    with pytest.raises(PuzzleError, match="less than"):
        queens.solve(2**31)


def test_progress_and_cancel(monkeypatch):
    told: list[tuple[int, int, int]] = []
    many = queens.count(15, progress=lambda *state: told.append(state))
    assert told[-1][2] == many == known.ALL[15]
    assert queens.count(8, progress=lambda *state: told.append(state)) == told[-1][2] == known.ALL[8]
    for options in (
        {"n": 12, "fundamental": True},
        {"n": 13, "toroidal": True},
        {"n": 12, "toroidal": True},
        {"n": 0, "toroidal": True},
        {"n": 11, "toroidal": True, "fundamental": True},
    ):
        told.clear()
        assert queens.count(**options, progress=lambda *state: told.append(state)) == told[-1][2]
    for options in ({"n": 18}, {"n": 18, "fundamental": True}, {"n": 19, "blocked": [(0, 0)]}):
        with pytest.raises(Cancelled):
            queens.count(**options, progress=lambda done, total, found: done < 10)
    monkeypatch.setattr("puzzlekit.queens._search._count_scaled", None)
    with pytest.raises(Cancelled):  # while boards are counted that a turn leaves as they are, before all are
        queens.count(12, fundamental=True, progress=lambda *_: False)


# ---- text, files, pictures, the command line ----


def test_text_and_csv_and_json_and_fen():
    found = queens.enumerate(4)
    assert found.to_text() == ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n\n"
    assert found.to_csv() == "r0,r1,r2,r3\n1,3,0,2\n2,0,3,1\n"
    assert found.to_fen() == "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/1Q2\n"
    made = json.loads(queens.enumerate(5, placed=[(0, 0)], blocked=[(1, 1)]).to_json())
    assert made["n"] == 5
    assert made["placed"] == [[0, 0]]
    assert made["solutions"] == [list(board) for board in oracle.by_search(5, [(0, 0)], [(1, 1)])]
    assert made["complete"] is True
    assert json.loads(queens.enumerate(0).to_json())["solutions"] == [[]]
    assert json.loads(queens.enumerate(6, fundamental=True).to_json())["fundamental"] is True
    assert repr(queens.enumerate(6)).splitlines()[:2] == ["<4 boards with 6 queens>", "  1 3 5 0 2 4"]


def test_pictures():
    root = ElementTree.fromstring(queens.enumerate(8, placed=[(0, 0)], blocked=[(4, 4)]).to_svg())
    paths = [element for element in root.iter() if element.tag.endswith("path")]
    crowns = [path for path in paths if path.get("transform")]
    assert len(crowns) == 8 * queens.count(8, placed=[(0, 0)], blocked=[(4, 4)])
    assert len({path.get("fill") for path in crowns}) == 2


def test_files(tmp_path):
    found = queens.enumerate(8)
    for name in ("a.txt", "a.csv", "a.json", "a.npy", "a.npz", "a.svg"):
        found.save(tmp_path / name)
    assert (np.load(tmp_path / "a.npy") == found.array).all()
    assert (np.loadtxt(tmp_path / "a.csv", delimiter=",", skiprows=1, dtype=int) == found.array).all()


def test_command(tmp_path, capsysbinary):
    def run(*arguments: str) -> str:
        assert main(["queens", *arguments]) == 0
        captured = capsysbinary.readouterr()
        assert b" in " in captured.err
        return captured.out.decode()

    assert run("8", "--count") == "92\n"
    assert run("8", "--count", "--fundamental") == "12\n"
    assert run("8", "--count", "--placed", "0,0", "--blocked", "1,4", "1,5") == (
        f"{queens.count(8, placed=[(0, 0)], blocked=[(1, 4), (1, 5)])}\n"
    )
    assert run("5", "--toroidal", "--count") == "10\n"
    assert run("6") == queens.enumerate(6).to_text()
    assert run("6", "--format", "fen", "--limit", "2") == queens.enumerate(6)[:2].to_fen()
    run("6", "-o", str(tmp_path / "boards.fen"))
    assert (tmp_path / "boards.fen").read_text() == queens.enumerate(6).to_fen()
    assert run("8", "--sample", "2", "--seed", "1", "--format", "fen") == queens.sample(8, 2, seed=1).to_fen()
    assert run("8", "--sample", "3", "--seed", "1", "--format", "csv") == queens.sample(8, 3, seed=1).to_csv()
    target = tmp_path / "boards.npy"
    assert run("10", "-o", str(target)) == ""
    assert (np.load(target) == queens.enumerate(10).array).all()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("8 --placed 8,0", "(8, 0)"),
        ("8 --placed 80", "'80'"),
        ("x", "x"),
        ("99", "99"),
        ("8 --seed 1", "--sample"),
        ("8 --sample 1 --count", "--sample"),
        ("8 --count --limit 5", "--count"),
        ("8 --count --format svg", "--count"),
        ("8 --count -o x.svg", "--count"),
        ("8 -o a.pdf", ".pdf"),
        ("8 --format pdf", "pdf"),
    ],
)
def test_a_command_that_is_refused(arguments, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["queens", *arguments.split()])
    except SystemExit as end:
        code = end.code
    captured = capsys.readouterr()
    assert code == 2
    assert named in captured.err
    assert captured.out == ""
    assert not any(tmp_path.iterdir())
