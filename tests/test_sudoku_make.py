"""Sudoku: grids, samples and puzzles, against published numbers."""

from __future__ import annotations

import itertools

import known_sudoku as known
import numpy as np
import oracles_sudoku as oracles
import pytest
from cases_sudoku import level as level

from puzzlekit import PuzzleError, _call, sudoku


def test_grids():
    found = sudoku.grids(100000, first=5, seed=3)
    assert sudoku.verify(None, found).all()
    assert (found.array[:, 0] == 5).all()
    assert len(np.unique(np.ascontiguousarray(found.array).view("V81"))) == 100000
    assert found == sudoku.grids(100000, first=5, seed=3, threads=1)
    assert found != sudoku.grids(100000, first=5)
    assert (sudoku.grids(777, first=5, seed=3).array == found.array[:777]).all()
    assert sudoku.automorphisms(found.array[0]) == 1
    some = sudoku.grids(90000, seed=3)
    assert sudoku.verify(None, some).all()
    assert len(np.unique(np.ascontiguousarray(some.array).view("V81"))) == 90000
    assert len(sudoku.dedup(some[::1000])) == 1
    assert len(sudoku.grids(0)) == 0


def test_essentially_distinct_grids():
    found = sudoku.grids(3000, distinct="essentially", first=4, seed=1)
    assert sudoku.verify(None, found).all()
    assert (found.array[:, 0] == 4).all()
    assert len(np.unique(np.ascontiguousarray(sudoku.canonical(found)).view("V81"))) == 3000
    assert found == sudoku.grids(3000, distinct="essentially", first=4, seed=1)


@pytest.mark.parametrize("k", [-1, 1.5, "3", None, True, 10**12, 10**13, 2**64 - 1, 2**64])
def test_bad_numbers_of_grids(k):
    for verb in (sudoku.grids, sudoku.sample, sudoku.puzzles):
        with pytest.raises(PuzzleError):
            verb(k)


def test_sampler_of_the_greatest_number():
    assert _call.Plan("sudoku_sample", 2**64 - 1, 1).units == 2**56


def test_stopped_searches_give_what_they_have():
    for found in (
        sudoku.sample(300000, progress=lambda done, total, found: done < 100),
        sudoku.grids(300000, distinct="essentially", progress=lambda *_: False),
    ):
        assert len(found) < 300000
        assert not found.complete


@pytest.mark.parametrize("first", [0, 10, -1, "5", 2.5])
def test_bad_first_cells(first):
    with pytest.raises(PuzzleError):
        sudoku.grids(3, first=first)


def chi_square(observed, expected):
    return float(((observed - expected) ** 2 / expected).sum())


def test_the_sampler_is_uniform():
    lines = [line.split() for line in known.BANDS.split("\n") if line]
    weights, boxes = [], []
    for *columns, size, completions in lines:
        weights.append(int(size) * int(completions))
        boxes.append([["147", "258", "369"], columns[:3], columns[3:]])
    assert sum(int(line[-2]) for line in lines) == 36288
    assert sum(weights) * 72 * 72 * 362880 == known.GRIDS
    tensors = [[len(set(a) & set(b) & set(c)) for a, b, c in itertools.product(*box)] for box in boxes]
    classes = oracles.band_classes(tensors)
    assert len(set(classes)) == 44
    probability = dict(zip(classes, np.array(weights) / sum(weights)))

    k = 40000
    grids = sudoku.sample(k, seed=12).grids
    for bands in (grids[:, 0:3], grids[:, 3:6], grids.transpose(0, 2, 1)[:, 6:9]):
        found = oracles.band_tensors(bands)
        kinds, inverse = np.unique(found, axis=0, return_inverse=True)
        named = oracles.band_classes(kinds)
        observed = dict.fromkeys(classes, 0)
        for name, count in zip(named, np.bincount(inverse.reshape(-1))):
            observed[name] += int(count)  # a KeyError: a band that does not exist
        common = [name for name in classes if probability[name] * k >= 5]
        seen = np.array([observed[name] for name in common])
        expected = np.array([probability[name] * k for name in common])
        # 99.99 % of chi-square with some 40 degrees of freedom lies below 83.
        assert chi_square(seen, expected) < 83
    digits_seen = np.stack([(grids == digit).sum(axis=0) for digit in range(1, 10)])
    assert chi_square(digits_seen, k / 9) < 81 * 8 + 5 * (2 * 81 * 8) ** 0.5


def test_the_sampler_implies_the_number_of_grids():
    estimate = _call.call("pk_sudoku_sample_total", 2_000_000, 5)
    assert abs(estimate / known.GRIDS - 1) < 0.01  # five standard deviations


def test_samples():
    found = sudoku.sample(5000, seed=8)
    assert sudoku.verify(None, found).all()
    assert len(np.unique(found.array, axis=0)) == 5000
    assert found == sudoku.sample(5000, seed=8, threads=1)
    assert (sudoku.sample(70, seed=8).array == found.array[:70]).all()
    assert found[:10] != sudoku.sample(10, seed=9)
    assert sudoku.sample(3) != sudoku.sample(3)
    for seed in (-1, 2**64, 1.5, "x"):
        with pytest.raises(PuzzleError):
            sudoku.sample(1, seed=seed)


def test_puzzles(level):
    found = sudoku.puzzles(100, seed=5)
    assert len(found) == 100
    assert (sudoku.solve(found).status == 1).all()
    assert (sudoku.solve(found).array == found.solutions).all()
    assert found == sudoku.puzzles(100, seed=5, threads=1)
    assert found != sudoku.puzzles(100)
    for puzzle in found.array[:5].tolist():
        assert len(oracles.solutions(puzzle, oracles.houses(), 2)) == 1
        assert oracles.is_minimal(puzzle)
    assert 20 <= found.clues.min()
    assert found.clues.max() <= 32


def test_puzzles_as_asked():
    assert set(sudoku.puzzles(40, clues=24, seed=1).clues.tolist()) == {24}
    for clues in (30, 45, 80, 81):
        found = sudoku.puzzles(20, clues=clues, minimal=False, seed=1)
        assert set(found.clues.tolist()) == {clues}
        assert (sudoku.solve(found).status == 1).all()
    loose = sudoku.puzzles(20, minimal=False, seed=1)
    assert (sudoku.solve(loose).status == 1).all()
    turns = {
        "rotation": lambda p: p[::-1, ::-1],
        "quarter": lambda p: p.T[::-1],
        "horizontal": lambda p: p[:, ::-1],
        "vertical": lambda p: p[::-1],
        "diagonal": lambda p: p.T,
        "antidiagonal": lambda p: p[::-1, ::-1].T,
    }
    for symmetry, turn in turns.items():
        found = sudoku.puzzles(10, symmetry=symmetry, seed=1)
        assert (sudoku.solve(found).status == 1).all()
        for puzzle in found.grids:
            assert ((turn(puzzle) > 0) == (puzzle > 0)).all()
    found = sudoku.puzzles(5, symmetry="rotation", clues=32, minimal=False, seed=1)
    assert set(found.clues.tolist()) == {32}


@pytest.mark.parametrize(
    ("keywords", "names"),
    [
        ({"clues": 16}, "17 to 81"),
        ({"clues": 0}, "17 to 81"),
        ({"clues": 82}, "17 to 81"),
        ({"clues": 60}, "60"),
        ({"clues": 18, "seconds": np.float32(0.3)}, "0 of 1 puzzles with 18 clues"),
        ({"symmetry": "spiral"}, "spiral"),
        ({"seconds": 0}, "0"),
        ({"clues": "many"}, "many"),
        ({"minimal": 3}, "3"),
        ({"symmetry": "quarter", "clues": 30, "minimal": False}, "quarter"),
    ],
)
def test_puzzles_out_of_reach(keywords, names):
    with pytest.raises(PuzzleError) as error:
        sudoku.puzzles(1, **keywords)
    assert names in str(error.value)


def test_time_runs_from_the_last_find():
    assert len(sudoku.puzzles(30000, seconds=0.4)) == 30000


def test_more_clues_than_any_minimal_puzzle_with_a_symmetry():
    """Of quarter turns, some puzzles are minimal with 44 clues: their orbits are needed, not their clues."""
    with pytest.raises(PuzzleError, match="0 of 1 puzzles"):
        sudoku.puzzles(1, clues=80, symmetry="quarter", seconds=0.2)


def test_verbs_do_not_share_their_random_grids():
    assert (sudoku.puzzles(1, seed=1).solutions[0] != sudoku.sample(1, seed=1).array[0]).any()
