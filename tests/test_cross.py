"""The cross against the oracle, the known counts, and the laws of its own symmetries."""

from __future__ import annotations

import copy
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import known
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, cross

HALF_TURN = [15 - cell for cell in range(16)]
SWAPS = ([*range(10), 12, 11, 10, *range(13, 16)], [0, 1, 2, 5, 4, 3, *range(6, 16)])


def fillings(found: cross.Solutions) -> set[tuple[Fraction, ...]]:
    return {tuple(map(oracles.exact, row.tolist())) for row in found.array}


def check_against_oracle(values, tolerance=0) -> int:
    found = cross.enumerate(values, tolerance=tolerance)
    expected = oracles.cross(values, tolerance)
    assert len(found) == len(expected)
    assert fillings(found) == expected
    assert cross.count(values, tolerance=tolerance) == len(expected)
    assert cross.verify(values, found, tolerance=tolerance).all()
    assert sum(cross.sums(cross.Cross(values, tolerance=tolerance)).values()) == len(expected)
    return len(expected)


@pytest.mark.parametrize("name", known.CROSS_COUNTS)
def test_known_counts(name):
    values, expected = known.CROSS_COUNTS[name]
    found = cross.enumerate(values)
    assert len(found) == cross.count(values) == expected
    assert len(np.unique(found.ranks, axis=0)) == expected
    assert cross.verify(values, found).all()


def test_known_sums():
    assert cross.sums() == known.CROSS_SUMS
    found = cross.enumerate()
    totals, counts = np.unique(found.totals, return_counts=True)
    assert dict(zip(totals.tolist(), counts.tolist())) == known.CROSS_SUMS == found.sums()
    for total, count in known.CROSS_SUMS.items():
        assert cross.count(total=total) == count
        assert (cross.enumerate(total=total).array == found.array[found.totals == total]).all()


def test_against_oracle_on_repeated_numbers():
    pick = random.Random(16)
    found = 0
    for _ in range(100):
        distinct = [pick.randint(-9, 9) for _ in range(pick.randint(1, 10))]
        found += check_against_oracle([pick.choice(distinct) for _ in range(16)])
    assert found > 1000


def test_against_oracle_on_fractions_and_huge_numbers():
    pick = random.Random(17)
    for scale in (Fraction(1, 7), 10**40, Fraction(10**30, 3), Decimal("0.01")):
        values = [pick.randint(-3, 3) * scale for _ in range(16)]
        check_against_oracle(values)
    # Two numbers in one: only what holds in both parts holds.
    values = [a * 10**40 + b for a, b in zip([0, 1, 2, 3] * 4, [1, 2, 3, 4] * 4)]
    assert check_against_oracle(values) == 0
    values = [a * 10**40 - 10**20 * a for a in [0, 1, 2, 3] * 4]
    assert check_against_oracle(values) > 0


def test_against_oracle_on_distinct_numbers():
    assert check_against_oracle([-40, -31, -9, -8, -7, -5, -3, -2, 0, 2, 4, 5, 11, 13, 29, 47]) > 0


def test_against_oracle_with_tolerance():
    pick = random.Random(18)
    found = 0
    for tolerance in (0.1, 1, 2, Fraction(5, 2)):
        for _ in range(4):
            distinct = [pick.randint(-9, 9) for _ in range(pick.randint(1, 4))]
            found += check_against_oracle([pick.choice(distinct) for _ in range(16)], tolerance)
    assert found > 100


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_against_oracle_on_anything(distinct, pick):
    check_against_oracle([pick.choice(distinct) for _ in range(16)])


def test_against_the_tolerance_search():
    """Two kernels that share no search: with a tolerance below the unit both find the equal sums."""
    for values in (range(1, 17), range(-8, 8), [*range(1, 9)] * 2, [0, 1, 1, 2, 3, 5, 8, 13] * 2):
        exact = cross.enumerate(values).sorted()
        near = cross.enumerate(values, tolerance=0.5).sorted()
        assert len(exact) > 0
        assert (exact.array == near.array).all()
        assert (exact.totals == near.totals).all()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=16, max_size=16))
def test_symmetries(values):
    found = cross.enumerate(values)
    rows = set(map(bytes, found.ranks))
    assert len(rows) == len(found)
    for image in (HALF_TURN, *SWAPS):
        assert set(map(bytes, found.ranks[:, image])) == rows
    negated = cross.enumerate([-value for value in values])
    assert set(map(tuple, -negated.array)) == set(map(tuple, found.array))
    tripled = cross.enumerate([3 * value for value in values])
    assert (tripled.ranks == found.ranks).all()


def test_adding_a_constant_is_no_symmetry():
    """Lines have three and four cells."""
    assert cross.count(range(1, 17)) != cross.count(range(16))
    assert cross.count(range(10**6, 10**6 + 16)) == 0


def test_order_and_sorted():
    found = cross.enumerate()
    assert (np.diff(found.totals) >= 0).all()
    assert found == cross.enumerate()
    in_order = found.sorted()
    assert [tuple(row) for row in in_order.array] == sorted(tuple(row) for row in found.array)
    assert in_order.complete


def test_dtypes():
    ints = cross.enumerate(limit=2)
    assert ints.array.dtype == ints.totals.dtype == np.int64
    assert ints.ranks.dtype == np.uint8
    assert (ints.array == ints.ranks + 1).all()
    floats = cross.enumerate([value / 10 for value in range(1, 17)], limit=2)
    assert floats.array.dtype == floats.totals.dtype == np.float64
    assert floats.totals[0] == 2.7
    assert (floats.ranks == ints.ranks).all()
    decimals = cross.enumerate([Decimal(value) / 10 for value in range(1, 17)], limit=2)
    assert decimals.array.dtype == object
    assert decimals.totals[0] == Decimal("2.7")
    assert isinstance(decimals.totals[0], Decimal)
    fractions = cross.enumerate([Fraction(value, 7) for value in range(1, 17)], limit=2)
    assert fractions.totals[0] == Fraction(27, 7)
    huge = cross.enumerate([value * 10**30 for value in range(1, 17)], limit=2)
    assert huge.array.dtype == object
    assert huge.totals[0] == 27 * 10**30
    edge = cross.enumerate([value * 2**59 for value in range(1, 17)], limit=2)
    assert edge.array.dtype == object  # 16 * 2**59 does not fit
    inside = cross.enumerate([value * 2**58 for value in range(1, 17)], limit=2)
    assert inside.array.dtype == np.int64
    assert inside.totals.dtype == np.int64
    assert inside.totals[0] == 27 * 2**58
    wide = cross.enumerate([value * 2**59 - 2**62 for value in range(1, 17)])
    assert wide.array.dtype == np.int64
    assert cross.verify(wide.problem, wide).all()


def test_equal_numbers_of_different_types_are_one_number():
    mixed = [1, 1.0, Fraction(1), Decimal(1), np.int8(2), np.float32(2), 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]
    assert cross.count(mixed) == known.CROSS_COUNTS["1..4 four times"][1]


def test_floats_are_the_decimals_they_print_as():
    assert cross.count([value / 10 for value in range(1, 17)]) == 33608
    assert cross.count([np.float32(value / 10) for value in range(1, 17)]) == 33608
    apart = [value / 10 for value in range(1, 17)]
    apart[2] = 0.1 + 0.2  # prints as 0.30000000000000004
    assert cross.count(apart) < 33608
    assert cross.count([float(f"{value}e300") for value in range(1, 17)]) == 33608
    assert cross.count([1e300, -1e300, 1e-300, *range(13)]) == 0
    if np.finfo(np.longdouble).nmant > 60:
        wide = np.longdouble(2) ** 63 + np.arange(16)
        assert cross.Cross(wide).values == tuple(2**63 + value for value in range(16))


def test_totals_that_no_float_holds_are_decimals():
    values = [1e16, -1e16, 1.5, -1.5, 1e16, -1e16, 1.5, -1.5, *[0.0] * 8]
    found = cross.enumerate(values, tolerance=0)
    assert len(found) > 0
    assert all(
        oracles.exact(total) == sum(map(oracles.exact, row[:3].tolist()))
        for total, row in zip(found.totals, found.array)
    )


def test_given_kinds_of_collections():
    expected = cross.enumerate()
    for values in (
        list(range(1, 17)),
        tuple(range(16, 0, -1)),
        set(range(1, 17)),
        np.arange(1, 17),
        iter(range(1, 17)),
    ):
        assert cross.enumerate(values) == expected
    assert cross.enumerate(np.arange(1, 17, dtype=np.uint8)[::-1]) == expected
    assert cross.enumerate(np.array(range(1, 17), object)) == expected


def test_total_and_tolerance():
    values = [value + random.Random(value).choice([-1, 0, 1]) * Decimal("0.01") for value in range(1, 17)]
    assert cross.count(values) < 33608
    near = cross.enumerate(values, tolerance=Decimal("0.07"), threads=2)
    assert len(near) > 33000
    assert cross.verify(values, near[:2000], tolerance=Decimal("0.07")).all()
    some = cross.enumerate(values, total=30, tolerance=Decimal("0.07"))
    assert 0 < len(some) < len(near)
    assert cross.verify(values, some[:2000], total=30, tolerance=Decimal("0.07")).all()
    hundredths = np.array([int(100 * number) for number in near.problem.numbers.distinct])[near.ranks]
    lines = np.array([hundredths[:, line].sum(axis=1) for line in cross.LINES])
    assert (near.ranks[(abs(lines - 3000) <= 7).all(axis=0)] == some.ranks).all()
    for total in (100, 0.25, -50, 0, 3):
        assert cross.count([0] * 8 + [1] * 8, total=total) == len(cross.enumerate([0] * 8 + [1] * 8, total=total)) == 0
    for total in (26, 33, Fraction(55, 2), 10**30, -(10**30), 27.0000001):
        assert cross.count(total=total) == 0
        assert len(cross.enumerate(total=total)) == 0


@pytest.mark.parametrize("tolerance", [4, 10, 20])
def test_great_tolerances_give_rows_at_once(tolerance):
    found = cross.enumerate(tolerance=tolerance, limit=100)
    assert len(found) == 100
    assert cross.verify(range(1, 17), found, tolerance=tolerance).all()


def test_solve():
    assert (cross.solve() == cross.enumerate().array[0]).all()
    assert cross.verify(range(1, 17), cross.solve(total=31), total=31).all()
    assert cross.solve([1] * 16) is None
    assert cross.solve(range(1, 17), total=33) is None


def test_a_cross_as_problem():
    problem = cross.Cross(range(16, 0, -1), total=29)
    assert problem.values == tuple(range(1, 17))
    assert problem == cross.Cross(range(1, 17), total=29)
    assert cross.Cross([0.1] * 16) == cross.Cross([Decimal("0.1")] * 16)
    assert cross.Cross([0.1] * 16) != cross.Cross([0.2] * 16)
    assert cross.count(problem) == 9368
    assert cross.enumerate(problem).problem == problem
    assert cross.sums(problem) == {29: 9368}
    with pytest.raises(PuzzleError, match="total"):
        cross.count(problem, total=30)
    with pytest.raises(AttributeError):
        problem.total = 30


def test_verify_is_exact():
    wide = cross.enumerate([value * (2**60 + 1) for value in range(-7, 9)], limit=5)
    assert cross.verify(wide.problem, wide.array.tolist()).all()
    values = [1e16, *(value * 10**16 for value in range(2, 17))]
    row = [int(number) for number in cross.enumerate(values).array[0]]
    assert cross.verify(values, [row]).all()
    row[row.index(3 * 10**16)] += 1
    assert not cross.verify(values, [row]).any()
    for values, total, tolerance in (
        ([-1, 2] * 8, 3.5, 1.5),
        ([-1, 2] * 8, 2.5, Fraction(5, 2)),
        ([0, 0, 0, 1] * 4, Fraction(1, 2), 0.6),
        ([0, 0, 0, 1] * 4, 1, 1.25),
    ):
        near = cross.enumerate(values, tolerance=2 * tolerance)
        some = cross.enumerate(values, total=total, tolerance=tolerance)
        assert 0 < len(some) < len(near)
        assert cross.verify(values, some, total=total, tolerance=tolerance).all()
        within = cross.verify(values, near, total=total, tolerance=tolerance)
        assert {*map(bytes, near.ranks[within])} == {*map(bytes, some.ranks)}
    assert cross.count(total=10**100, tolerance=1) == cross.count(total=-(10**100), tolerance=1) == 0


def test_copies_and_pickles():
    found = cross.enumerate(limit=10)
    assert len(found.totals) == 10
    for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
        assert copied == found
        assert copied.complete == found.complete
        assert not copied.ranks.flags.writeable
    problem = cross.Cross([Fraction(value, 3) for value in range(16)], total=9, tolerance=1)
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_verify_says_no():
    found = cross.enumerate(limit=5).array
    wrong = found.copy()
    wrong[0, [0, 1]] = wrong[0, [1, 0]]  # a line changes
    wrong[1] += 1  # other numbers
    wrong[2, 3] = wrong[2, 4]  # a number twice
    wrong[3] = wrong[3, HALF_TURN]  # still a filling
    assert cross.verify(range(1, 17), wrong).tolist() == [False, False, False, True, True]
    assert cross.verify(range(1, 17), found[0]).tolist() == [True]
    assert cross.verify(range(1, 17), found, total=27).all()
    assert not cross.verify(range(1, 17), found, total=28).any()
    assert cross.verify(range(1, 17), found.astype(float)).all()
    assert cross.verify(range(1, 17), found.astype(object)).all()
    assert not cross.verify(range(1, 17), found.astype(object) * 10**300).any()
    assert cross.verify(range(1, 17), np.empty((0, 16), int)).shape == (0,)
    for rows in (found[:, :15], 5, found[np.newaxis], [["a"] * 16], [[None] * 16]):
        with pytest.raises(PuzzleError, match="rows"):
            cross.verify(range(1, 17), rows)


BAD_VALUES = [
    (range(15), "16 numbers, not 15"),
    (range(17), "more than 16"),
    ([], "not 0"),
    (iter(int, 1), "more than 16"),
    (None, "None"),
    (7, "7"),
    ("0123456789abcdef", "0123456789abcdef"),
    (b"0123456789abcdef", "0123456789abcdef"),
    ([True, *range(15)], r"values\[0\]: True is a truth value"),
    ([*range(15), np.bool_(False)], r"values\[15\]: False is a truth value"),
    ([*range(15), "16"], r"values\[15\]: '16' is a str"),
    ([*range(15), None], r"values\[15\]: None is a NoneType"),
    ([*range(15), float("nan")], "nan is not finite"),
    ([*range(15), float("-inf")], "-inf is not finite"),
    ([*range(15), Decimal("NaN")], "NaN is not finite"),
    ([*range(15), Decimal("sNaN")], "sNaN is not finite"),
    ([*range(15), Decimal("Infinity")], "Infinity is not finite"),
    ([*range(15), np.float32("inf")], "inf is not finite"),
    ([*range(15), 1 + 2j], r"\(1\+2j\) is a complex"),
    ([*range(15), [16]], r"\[16\] is a list"),
    ([[value] for value in range(16)], r"values\[0\]: \[0\] is a list"),
    (np.arange(16).reshape(4, 4), r"shape \(4, 4\)"),
    (np.arange(16).reshape(1, 16), r"shape \(1, 16\)"),
    ([*range(15), Decimal("1e999999999")], "digits"),
    ([*range(15), np.datetime64("2026-01-01")], "datetime64"),
    ([*range(15), np.timedelta64(5)], "timedelta64"),
]


@pytest.mark.parametrize(("values", "message"), BAD_VALUES, ids=range(len(BAD_VALUES)))
@pytest.mark.parametrize("verb", [cross.enumerate, cross.count, cross.iterate, cross.solve, cross.sums])
def test_bad_values(verb, values, message):
    with pytest.raises(PuzzleError, match=message):
        verb(values)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"limit": -1}, "limit must not be negative, not -1"),
        ({"limit": 1.5}, "limit must be a whole number, not 1.5"),
        ({"limit": True}, "limit must be a whole number, not True"),
        ({"threads": 0}, "threads must be at least 1, not 0"),
        ({"threads": -2}, "threads must be at least 1, not -2"),
        ({"threads": "2"}, "threads must be a whole number, not '2'"),
        ({"progress": 5}, "progress must be None, True or a callable, not 5"),
        ({"total": "27"}, "total: '27' is a str"),
        ({"total": float("nan")}, "total: nan is not finite"),
        ({"tolerance": -1}, "tolerance must not be negative, not -1"),
        ({"tolerance": None}, "tolerance: None is a NoneType"),
        ({"tolerance": float("inf")}, "tolerance: inf is not finite"),
    ],
)
def test_bad_keywords(keywords, message):
    for verb in (cross.enumerate, cross.iterate):
        with pytest.raises(PuzzleError, match=message):
            verb(**keywords)
    for verb in (cross.count, cross.solve):
        with pytest.raises(PuzzleError, match="threads"):
            verb(threads=0)
    with pytest.raises(Cancelled):
        cross.solve(progress=lambda *state: False)
    assert cross.count(limit=100) == 100
    with pytest.raises(PuzzleError, match="batch must be at least 1, not 0"):
        cross.iterate(batch=0)


def test_a_tolerance_needs_numbers_of_one_scale():
    with pytest.raises(PuzzleError, match="tolerance"):
        cross.count([10**30, *range(15)], tolerance=1)
    assert cross.count([10**15, *range(15)], tolerance=1) == 0
    assert cross.count([0] * 16, tolerance=10**100) == 1
    assert cross.count(range(1, 17), tolerance=10**-9) == 33608


def test_a_long_int():
    assert cross.count([value * 3**20000 for value in range(1, 17)], total=27 * 3**20000) == 4440
    assert len(cross.enumerate([10**5000 * value for value in range(1, 17)], limit=1).to_text()) > 16 * 5000
