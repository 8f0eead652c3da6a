"""Tiling by halves: every pruning rule alone, keys, states and memory."""

from __future__ import annotations

import builtins
from functools import cache
from itertools import groupby
from random import Random

import numpy as np
import oracles_tiling as oracle
import pytest
from cases_tiling import MANY, halves, problems
from conftest import SANITIZED

from puzzlekit import PuzzleError, _call, tiling
from puzzlekit._call import Stages
from puzzlekit._kernel import lib
from puzzlekit.tiling import _halves, _problem
from puzzlekit.tiling._halves import COUNT, KEY, KEYS, NODES, PATHS, RULES
from puzzlekit.tiling._problem import ALL, FUNDAMENTAL

# ---- rules ----

SWITCHES = [
    {"rules": 0, "closure": False, "classes": 1, "steps": 0},
    {"rules": 0, "closure": False, "classes": 1, "steps": 0, "octant": False},
    *({"rules": rule, "closure": False, "classes": 1, "steps": 0} for rule in RULES.values()),
    {"rules": 0, "closure": True, "classes": 2, "steps": 0},
    {"rules": 0, "closure": False, "classes": 1, "steps": 3},
    {"steps": 3},
    {"steps": 3, "octant": False},
    {"steps": 2, "extra": 1},
    {},
]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_each_rule_alone_agrees_with_oracle(switches):
    for width, height, squares in problems(77, MANY):
        found = halves(width, height, squares, **switches).count(Stages(None))
        assert found == len(oracle.tilings(width, height, squares)), (width, height, squares)


@cache
def with_one_smallest(seed, number):
    """Problems with an only smallest square that are soon searched without rules, and how many tilings they have."""
    random, made = Random(seed), []
    while len(made) < number:
        width, height, squares = oracle.random_problem_with_one_smallest(random, turned=len(made) % 4 == 0)
        if len(squares) <= 16:
            plan = tiling.Rectangle(width, height, squares)._search(ALL)
            made.append((width, height, squares, _call.count(plan, threads=1)))
    return made


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_each_rule_alone_holds_with_one_smallest_square(switches):
    for width, height, squares, expected in with_one_smallest(21, MANY // 2):
        search = halves(width, height, squares, **switches)
        assert search.octant == switches.get("octant", True)
        assert search.count(Stages(None)) == expected, (width, height, squares)


@pytest.mark.slow
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_each_rule_alone_agrees_with_search_on_thousands(switches):
    for width, height, squares in problems(1234, 4000, 72):
        found = halves(width, height, squares, **switches).count(Stages(None))
        assert found == tiling.count(tiling.Rectangle(width, height, squares)), (width, height, squares)
    for width, height, squares, expected in with_one_smallest(4321, 2000):
        assert halves(width, height, squares, **switches).count(Stages(None)) == expected, (width, height, squares)


def test_rules_do_prune():
    """A test of the switches: with a rule, fewer states are looked at."""
    squares = list(tiling.partridge(6).squares)
    plain = {"steps": 0, "rules": 0, "closure": False}

    def nodes(**options):
        search = halves(21, 21, squares, **{**plain, **options})
        parts = list(search._parts())
        second = search._joined(Stages(None), NODES, lambda part, plan, *_: _call.count(plan))
        return sum(_call.count(search._plan(part, True, NODES)) for part in parts) + sum(states for _, states in second)

    for name, rule in RULES.items():
        assert nodes(rules=rule) < nodes(), name
    assert nodes(closure=True) < nodes()


@pytest.mark.parametrize("switches", [{}, {"steps": 3}, {"octant": False}], ids=str)
def test_lists_by_halves_agree_with_oracle(switches):
    for width, height, squares in problems(5, MANY):
        found = halves(width, height, squares, **switches).tilings(Stages(None))
        problem = tiling.Rectangle(width, height, squares)
        assert tiling.verify(problem, found).all()
        classes = {tuple(map(tuple, one)) for one in tiling.canonical(problem, found).tolist()}
        assert classes == oracle.fundamental(width, height, oracle.tilings(width, height, squares))


def test_what_is_never_symmetric_is_not():
    """Every fourth problem has a tiling that a half-turn leaves as it is."""
    claims = []
    for place, (width, height, squares, expected) in builtins.enumerate(with_one_smallest(9, MANY)):
        problem = tiling.Rectangle(width, height, squares)
        classes = _call.count(problem._search(FUNDAMENTAL))
        never = expected == classes * (8 if width == height else 4)
        claims.append(problem._is_never_symmetric())
        assert never or not claims[-1], (width, height, squares)
        assert place % 4 or not never
    assert MANY // 4 < sum(claims) < MANY


def test_symmetric_tilings_agree_with_oracle():
    met = [0] * 8
    for width, height, squares in problems(6, 3 * MANY):
        low, high = sorted((width, height))
        every = oracle.tilings(low, high, squares)
        images = [oracle.images(low, high, one) for one in every]
        search = halves(low, high, squares)
        for symmetry in range(1, 8 if low == high else 4):
            plan = _call.Plan("tiling_symmetric", low, high, *search.arrays, len(search.sides), symmetry)
            fixed = sum(one == image[symmetry] for one, image in zip(every, images))
            assert _call.count(plan, threads=1) == fixed, (low, high, squares, symmetry)
            met[symmetry] += fixed
    assert min(met[1:]) > 0


def test_halves_of_more_squares_agree_with_search():
    """Problems that the verbs search by halves, counted both ways, in both orientations."""
    random = Random(3)
    for _ in range(4 if SANITIZED else 25):
        width, height, squares = oracle.random_problem(random, 81)
        problem, turned = tiling.Rectangle(width, height, squares), tiling.Rectangle(height, width, squares)
        if not problem._by_halves or squares.count(1) > 12:
            continue
        rows = [_call.count(problem._search(which)) for which in (ALL, FUNDAMENTAL)]
        assert [tiling.count(problem), tiling.count(problem, fundamental=True)] == rows
        assert [tiling.count(turned), tiling.count(turned, fundamental=True)] == rows


# ---- keys and states ----


def runs(profile):
    return tuple((height, len(list(some))) for height, some in groupby(profile))


def test_keys_are_as_different_as_profiles():
    """Halves with the same key and code have the same profile or its mirror image, and the other way round."""
    search = halves(9, 8, [3] * 2 + [2] * 9 + [1] * 18, classes=1, octant=False)
    part = next(search._parts())
    stages = Stages(None)
    keys = search._keys(part, stages, 0, 1)
    rows = _call.enumerate_rows(search._plan(part, True, PATHS, None, None, keys)).array
    assert len(rows) > 1000
    heads = np.ascontiguousarray(rows[:, : KEY.itemsize]).view(KEY)[:, 0]
    squares = rows[:, KEY.itemsize :][:, : 3 * search.squares].reshape(len(rows), -1, 3)
    cut = search._rows_of_first(part)
    of_key, of_profile = {}, {}
    for key, some in zip(heads["key"].tolist(), squares.tolist()):
        profile = [0] * 9
        for x, y, place in some:
            if place < 255:
                side = search.sides[place]
                for column in range(x, x + side):
                    profile[column] = max(profile[column], y + side - cut)
        least = min(runs(profile), runs(profile[::-1]))
        assert of_key.setdefault(key, least) == least
        assert of_profile.setdefault(least, key) == key
    assert len(of_key) > 100


def test_equal_keys_are_merged_and_found():
    """Also where a key has many codes, and where 32 bits do not hold a weight: then two rows have it."""
    random = np.random.default_rng(6)
    rows = np.zeros(30_000, KEY)
    rows["key"] = random.integers(0, 2**63, 300, np.uint64)[random.integers(0, 300, len(rows))]
    rows["key"][::3] = 2**63
    rows["code"] = random.integers(0, 90, len(rows))
    rows["weight"] = random.integers(1, 5, len(rows))
    rows["weight"][:2] = 2**32 - 1
    rows["key"][:2], rows["code"][:2] = 7, 7
    expected = {}
    for key, code, weight in rows.tolist():
        expected[key, code] = expected.get((key, code), 0) + weight
    search = halves(7, 6, [3] * 2 + [2] * 3 + [1] * 12)
    merged = search._sorted(rows)
    assert len(merged) == len(expected) + 1
    assert merged[["key", "code"]].tolist() == sorted([*expected, (7, 7)])
    found = {}
    for key, code, weight in merged.tolist():
        found[key, code] = found.get((key, code), 0) + weight
    assert found == expected
    assert np.array_equal(search._sorted(merged), merged)


def test_many_equal_halves_have_few_keys():
    search = halves(6, 16, [2] * 12 + [1] * 48, extra=1)
    part = next(search._parts())
    assert len(search._keys(part, Stages(None), 0, 1)) == 49
    assert search.count(Stages(None)) == 13_220_893_697


STATE = np.dtype(
    {
        "names": ["weight", "hash", "code", "height"],
        "formats": ["<u8", "<u4", "<u4", ("u1", 10)],
        "offsets": [0, 8, 12, 22],
        "itemsize": 32,
    }
)


def merge(states, count=None):
    rows = np.ascontiguousarray(states).view(np.uint8).reshape(-1)
    return _call.count(_call.Plan("tiling_merge", 10, rows, len(states) if count is None else count))


def test_equal_states_are_merged():
    random = np.random.default_rng(4)
    states = np.zeros(20_000, STATE)
    states["code"] = random.integers(0, 40, len(states))
    states["height"][:, 3] = random.integers(0, 50, len(states))
    states["hash"] = states["code"] * 0x9E3779B1 + states["height"][:, 3] % 7  # some differ and have the same hash
    states["weight"] = random.integers(1, 9, len(states))
    before = states.copy()
    expected = {}
    for weight, code, height in zip(before["weight"], before["code"], before["height"][:, 3]):
        expected[code, height] = expected.get((code, height), 0) + weight
    assert merge(states) == len(expected) == merge(states)
    kept = states[states["weight"] > 0]
    assert {(row["code"], row["height"][3]): row["weight"] for row in kept} == expected
    _, first = np.unique(before[["code", "height"]], return_index=True)
    assert np.flatnonzero(states["weight"]).tolist() == sorted(first.tolist())


def test_what_does_not_fit_is_an_error():
    heavy = np.zeros(2, STATE)
    heavy["weight"] = 2**57
    with pytest.raises(PuzzleError, match="64 bits"):
        merge(heavy)
    with pytest.raises(MemoryError):
        merge(heavy, 2**32)
    search = halves(9, 9, [4, *[3] * 2, *[2] * 6, *[1] * 23])
    part, stages = next(search._parts()), Stages(None)
    states = search._states(part, True, None, stages, 0, 1).copy()
    keys = search._keys(part, stages, 0, 1).copy()
    weights = states.view("<u8")[:, 0]
    weights[weights > 0] = 2**40
    with pytest.raises(PuzzleError, match="64 bits"):  # weights of keys have 32 bits
        _call.count(search._plan(part, True, KEYS, None, states))
    states = search._states(part, False, None, stages, 0, 1).copy()
    weights = states.view("<u8")[:, 0]
    weights[weights > 0] = 2**58 - 1
    keys["weight"] = 2**32 - 1
    with pytest.raises(PuzzleError, match="64 bits"):
        _call.count(search._plan(part, False, COUNT, None, states, keys))


# ---- numbers and memory ----


def test_kernel_and_python_agree_on_numbers():
    limits = ("WIDTH", "HEIGHT", "SIZES", "DEPTH")
    assert [getattr(lib, f"PK_TILING_{name}") for name in limits] == [
        _halves.WIDTH,
        _halves.HEIGHT,
        _halves.SIZES,
        _halves.DEEPEST,
    ]
    assert {name: getattr(lib, f"PK_TILING_{name.upper()}") for name in RULES} == RULES
    for name in ("STATES", "KEYS", "COUNT", "PAIRED", "PATHS", "NODES"):
        assert getattr(_halves, name) == getattr(lib, f"PK_TILING_{name}")
    for name in ("ALL", "FUNDAMENTAL", "ORBITS"):
        assert getattr(_problem, name) == getattr(lib, f"PK_TILING_{name}")


def test_lists_say_what_memory_they_need():
    many = tiling.Rectangle(4, 20, {1: 32, 2: 12})
    assert tiling.count(many) == 78_403_538
    assert tiling.count(many, fundamental=True, memory=10**7) == 19_623_430  # as the search square by square says
    with pytest.raises(PuzzleError, match=r"memory=10,000,000 is not enough .* at least \d"):
        tiling.enumerate(many, memory=10**7)
    assert tiling.verify(many, tiling.solve(many, memory=10**7)).all()
    with pytest.raises(PuzzleError, match=r"memory=2,000 is not enough: .* for which [\d,]+ is enough") as told:
        tiling.count(many, memory=2_000)
    enough = int(str(told.value).split()[-3].replace(",", ""))
    assert 2_000 < enough < 1_000_000


def test_tables_stay_within_a_share_of_memory():
    wide = tiling.Rectangle(46, 79, {1: 63, 2: 63, 3: 63, 4: 63, 40: 1, 12: 1})
    assert len(wide._halves(10**7, 1).tables[2]) <= 10**7 // 16
    assert wide._halves(None, 1).budget >= 2**28
    assert [tiling.partridge(n)._halves(10**9, 1).tables[0] for n in (8, 9, 10)] == [8, 9, 9]


def test_little_memory_means_smaller_classes_and_the_same_count():
    problem = tiling.partridge(6)
    squares = list(problem.squares)
    wide = tiling.Rectangle(9, 9, {4: 1, 3: 2, 2: 6, 1: 23})
    expected = tiling.count(wide)
    assert tiling.count(wide, memory=1_000_000) == expected
    assert halves(21, 21, squares, memory=2_000_000).count(Stages(None)) == 0
    with pytest.raises(PuzzleError, match=r"memory=500 is not enough"):
        tiling.count(wide, memory=500)
