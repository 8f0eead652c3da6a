"""Queens against the oracles and the published counts, and the laws of boards and symmetry."""

from __future__ import annotations

import random

import known_queens as known
import numpy as np
import oracles_queens as oracle
import pytest
from cases_queens import boards, random_case
from conftest import PROCESSORS

from puzzlekit import PuzzleError, _call, queens

THREADS = (1, 2, 3, 7)

# ---- counts ----


@pytest.mark.parametrize("n", range(17))
def test_all(n):
    assert queens.count(n) == queens.count(n, placed=iter(())) == known.ALL[n]


@pytest.mark.parametrize("n", [n for n in known.FUNDAMENTAL if n <= 16])
def test_fundamental(n):
    assert queens.count(n, fundamental=True) == known.FUNDAMENTAL[n]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
def test_toroidal(n):
    assert queens.count(n, toroidal=True) == known.TOROIDAL.get(n, 0)


@pytest.mark.usefixtures("processor", "queens_kernel")
@pytest.mark.parametrize("n", range(4, 12))
def test_every_variant(n):
    assert queens.count(n) == known.ALL[n]
    assert len(queens.enumerate(n)) == known.ALL[n]
    assert len(queens.enumerate(n, fundamental=True)) == known.FUNDAMENTAL[n]


@pytest.mark.usefixtures("processor")
@pytest.mark.parametrize("n", [12, 13, 14])
def test_every_processor(n):
    assert queens.count(n) == known.ALL[n]


@pytest.mark.slow
@pytest.mark.parametrize("n", [16, 17, 18])
def test_every_processor_on_large_boards(n, monkeypatch):
    for name in PROCESSORS:
        monkeypatch.setenv("PUZZLEKIT_CPU", name)
        assert queens.count(n) == known.ALL[n]
    assert queens.count(n, fundamental=True) == known.FUNDAMENTAL[n]


def test_a_torus_up_to_symmetry():
    found = queens.enumerate(13, toroidal=True).array
    assert queens.count(13, toroidal=True, fundamental=True) == len(np.unique(queens.canonical(found), axis=0)) == 572


@pytest.mark.slow
def test_large_torus():
    assert queens.count(19, toroidal=True) == known.TOROIDAL[19]


def test_the_order_does_not_depend_on_the_processor(monkeypatch):
    for options in ({"n": 12}, {"n": 13}, {"n": 14}, {"n": 11, "blocked": [(0, 0)]}, {"n": 12, "fundamental": True}):
        made = []
        for name in PROCESSORS:
            monkeypatch.setenv("PUZZLEKIT_CPU", name)
            made.append(queens.enumerate(**options).array)
        assert all((other == made[0]).all() for other in made)


def test_a_processor_that_is_not_there(monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_CPU", "abacus")
    with pytest.raises(PuzzleError, match="abacus"):
        queens.count(12)


# ---- boards ----


@pytest.mark.usefixtures("queens_kernel")
@pytest.mark.parametrize("n", range(9))
def test_against_oracles(n):
    expected = list(oracle.by_search(n))
    if n < 8:
        assert expected == oracle.by_permutations(n)
    found = queens.enumerate(n)
    assert boards(found.sorted()) == expected
    assert found.complete
    assert found.array.dtype == np.uint8
    assert found.array.shape == (len(expected), n)
    if n:
        least = sorted({min(oracle.images(board)) for board in expected})
        assert boards(queens.enumerate(n, fundamental=True).sorted()) == least


@pytest.mark.parametrize("n", range(10))
def test_small_boards_come_in_lexicographic_order(n):
    found = queens.enumerate(n)
    assert found == found.sorted()


@pytest.mark.parametrize("n", range(1, 14))
def test_boards_are_boards_and_distinct(n):
    found = queens.enumerate(n)
    assert queens.verify(n, found).all()
    assert len(np.unique(found.array, axis=0)) == known.ALL[n]


@pytest.mark.parametrize("n", [9, 10, 11, 12])
def test_orbits_add_up(n):
    fundamental = queens.enumerate(n, fundamental=True)
    orbits = [queens.symmetries(board) for board in fundamental]
    assert sum(map(len, orbits)) == known.ALL[n]
    together = np.concatenate(orbits)
    assert (np.unique(together, axis=0) == queens.enumerate(n).sorted().array).all()
    assert (queens.canonical(fundamental) == fundamental.array).all()


@pytest.mark.parametrize("n", [5, 7, 11, 13])
def test_torus_boards(n):
    found = queens.enumerate(n, toroidal=True)
    assert len(found) == known.TOROIDAL[n]
    assert queens.verify(n, found, toroidal=True).all()
    assert found == found.sorted()
    if n < 8:
        assert boards(found) == oracle.by_permutations(n, torus=True)


def test_sorted_is_lexicographic_beyond_packed_keys():
    pick = random.Random(3)
    for n in (4, 11, 15, 16, 17, 20):
        rows = np.array([pick.sample(range(n), n) for _ in range(3000)], np.uint8)
        made = queens.Solutions(queens.Queens(n), rows).sorted().array.tolist()
        assert made == sorted(rows.tolist())


@pytest.mark.slow
def test_sorted_sixteen():
    array = queens.enumerate(16).sorted().array
    key = array[:, :8].copy().view(">u8").ravel()
    tail = array[:, 8:].copy().view(">u8").ravel()
    assert ((key[1:] > key[:-1]) | ((key[1:] == key[:-1]) & (tail[1:] > tail[:-1]))).all()


# ---- laws ----

CASES = [
    {"n": 8},
    {"n": 11},
    {"n": 12},
    {"n": 11, "fundamental": True},
    {"n": 12, "placed": [(3, 4)]},
    {"n": 13, "blocked": [(0, 0), (6, 6), (7, 2)]},
    {"n": 11, "toroidal": True},
]


@pytest.mark.parametrize("options", CASES, ids=str)
def test_laws(options, monkeypatch):
    whole = queens.enumerate(**options, threads=1)
    many = len(whole)
    assert queens.count(**options) == many
    assert sum(len(some) for some in queens.iterate(**options, batch=97)) == many
    assert len(np.unique(whole.array, axis=0)) == many
    checked = {key: value for key, value in options.items() if key != "fundamental"}
    assert queens.verify(boards=whole, **checked).all()
    for limit in (0, 1, many // 2, many, many + 1):
        some = queens.enumerate(**options, limit=limit)
        assert (some.array == whole.array[:limit]).all()
        assert some.complete == (limit > many)
    for direct in (_call.DIRECT_SECONDS, -1.0):
        monkeypatch.setattr(_call, "DIRECT_SECONDS", direct)
        for threads in THREADS:
            assert queens.enumerate(**options, threads=threads) == whole
            assert queens.count(**options, threads=threads) == many
            joined = np.concatenate([some.array for some in queens.iterate(**options, batch=500, threads=threads)])
            assert (joined == whole.array).all()


def test_iterate_gives_boards_one_by_one():
    assert [tuple(board) for board in queens.iterate(6)] == oracle.by_permutations(6)
    some = queens.iterate(18)
    assert queens.verify(18, [next(some) for _ in range(1000)]).all()
    some.close()


@pytest.mark.usefixtures("queens_kernel")
def test_symmetric_problems_have_symmetric_boards():
    pick = random.Random(5)
    for _ in range(20):
        n = pick.randint(5, 9)
        case = random_case(pick, n, consistent=True)
        many = queens.count(n, **case)
        turned = {key: [(column, n - 1 - row) for row, column in squares] for key, squares in case.items()}
        mirrored = {key: [(row, n - 1 - column) for row, column in squares] for key, squares in case.items()}
        assert queens.count(n, **turned) == queens.count(n, **mirrored) == many
