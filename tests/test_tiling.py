"""Tiling: the oracle, the published counts, every pruning rule alone, laws, files, bad input, the command line."""

from __future__ import annotations

import builtins
import json
import pickle
import subprocess
import sys
from functools import cache
from itertools import groupby
from random import Random

import known_tiling
import numpy as np
import oracles_tiling as oracle
import pytest
from conftest import SANITIZED
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, _call, tiling
from puzzlekit._call import Stages
from puzzlekit._kernel import lib
from puzzlekit.tiling import _halves, _problem
from puzzlekit.tiling._halves import COUNT, KEY, KEYS, NODES, PATHS, RULES, Halves
from puzzlekit.tiling._problem import ALL, FUNDAMENTAL

MANY = 12 if SANITIZED else 80


def problems(seed, number, most_cells=49):
    random = Random(seed)
    return [oracle.random_problem(random, most_cells) for _ in range(number)]


def as_tuples(tilings):
    return [tuple(map(tuple, one)) for one in np.asarray(tilings).tolist()]


def in_order(tilings):
    return sorted(tilings, key=lambda one: [side for _, _, side in one])


def halves(width, height, squares, **options):
    sides = sorted(set(squares))
    return Halves(width, height, sides, [squares.count(side) for side in sides], threads=1, **options)


# ---- against the oracle ----


@pytest.mark.parametrize("seed", range(4))
def test_search_agrees_with_oracle(seed):
    for width, height, squares in problems(seed, MANY):
        problem = tiling.Rectangle(width, height, squares)
        expected = oracle.tilings(width, height, squares)
        classes = oracle.fundamental(width, height, expected)
        everything = tiling.enumerate(problem, fundamental=False)
        assert as_tuples(everything.array) == in_order(expected)
        assert as_tuples(tiling.enumerate(problem).array) == in_order(classes)
        assert tiling.count(problem) == len(expected)
        assert tiling.count(problem, fundamental=True) == len(classes)
        assert tiling.verify(problem, everything).all()


def test_symmetric_tilings_are_among_the_random_ones():
    short = 0
    for width, height, squares in problems(0, MANY):
        found = oracle.tilings(width, height, squares)
        classes = oracle.fundamental(width, height, found)
        short += len(found) < len(classes) * (8 if width == height else 4)
    assert short > MANY // 10


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
        return sum(_call.count(search._plan(part, True, NODES)) for part in parts) + search.nodes(Stages(None))

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
    search = halves(7, 6, SOME.squares)
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


# ---- published counts ----


@pytest.mark.parametrize("n", range(1, 8))
def test_partridge(n):
    assert (tiling.count(n), tiling.count(n, fundamental=True)) == known_tiling.PARTRIDGE[n]


@pytest.mark.skipif(SANITIZED, reason="takes a minute there")
def test_partridge_8_counted():
    assert tiling.count(8) == known_tiling.PARTRIDGE[8][0]
    assert tiling.verify(8, tiling.solve(8)).all()


@pytest.mark.slow
def test_partridge_8():
    found = tiling.enumerate(8)
    assert len(found) == known_tiling.PARTRIDGE[8][1]
    assert len(tiling.enumerate(8, fundamental=False)) == known_tiling.PARTRIDGE[8][0]
    assert tiling.verify(8, found).all()
    assert len(tiling.refill(found)) == 0
    without = found[np.delete(np.arange(len(found)), 1000)]
    assert tiling.refill(without).bouwkamp() == found[1000:1001].bouwkamp()


def test_moron():
    width, height, squares = known_tiling.MORON
    problem = tiling.Rectangle(width, height, squares)
    assert (tiling.count(problem), tiling.count(problem, fundamental=True)) == (4, 1)
    code = tiling.from_bouwkamp("(18,15)(7,8)(14,4)(10,1)(9)")
    assert tiling.canonical(code.problem, code).tolist() == tiling.enumerate(code.problem).array.tolist()


@pytest.mark.slow
def test_duijvestijn():
    width, height, squares = known_tiling.DUIJVESTIJN
    problem = tiling.Rectangle(width, height, squares)
    assert (tiling.count(problem), tiling.count(problem, fundamental=True)) == (8, 1)


@pytest.mark.parametrize("side", [1, 2, 7, 12])
def test_unit_squares(side):
    problem = tiling.Rectangle(side, side, {1: side * side})
    assert (tiling.count(problem), tiling.count(problem, fundamental=True)) == (1, 1)


@pytest.mark.parametrize("length", [1, 2, 5, 13, 30])
def test_strips_of_two_rows_are_fibonacci(length):
    fibonacci = [1, 1]
    while len(fibonacci) <= length:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    ways = sum(
        tiling.count(tiling.Rectangle(length, 2, {2: twos, 1: 2 * length - 4 * twos}))
        for twos in range(length // 2 + 1)
    )
    assert ways == fibonacci[length]


# ---- laws ----


SOME = tiling.Rectangle(7, 6, {3: 2, 2: 3, 1: 12})
MORE = tiling.Rectangle(8, 6, {3: 2, 2: 2, 1: 22})


@pytest.mark.parametrize("problem", [SOME, MORE], ids=["search", "halves"])
@pytest.mark.parametrize("fundamental", [True, False])
def test_laws(problem, fundamental):
    assert problem._by_halves == (problem is MORE)
    found = tiling.enumerate(problem, fundamental=fundamental, threads=1)
    assert found.complete
    assert len(found) == tiling.count(problem, fundamental=fundamental) > 50
    assert len({tuple(sides) for sides in found.sides.tolist()}) == len(found)
    assert found.sides.tolist() == sorted(found.sides.tolist())
    assert not found.array.flags.writeable
    assert found.array.dtype == np.int16
    for threads in (2, 3, 7):
        again = tiling.enumerate(problem, fundamental=fundamental, threads=threads)
        assert again.array.tobytes() == found.array.tobytes()
    for limit in (0, 1, 17):
        few = tiling.enumerate(problem, fundamental=fundamental, limit=limit)
        assert few.array.tolist() == found.array[:limit].tolist()
        assert not few.complete
    assert [one.tolist() for one in tiling.iterate(problem, fundamental=fundamental)] == found.array.tolist()
    batches = list(tiling.iterate(problem, fundamental=fundamental, batch=40))
    assert np.concatenate([batch.array for batch in batches]).tolist() == found.array.tolist()
    assert {len(batch) for batch in batches[:-1]} <= {40}
    one = tiling.solve(problem, threads=1)
    assert one in tiling.enumerate(problem)
    assert problem is MORE or one.tolist() == tiling.enumerate(problem).array[0].tolist()
    assert tiling.solve(problem, threads=3).tolist() == one.tolist()


def test_all_tilings_are_the_images_of_the_fundamental_ones():
    everything = {tuple(sides) for sides in tiling.enumerate(SOME, fundamental=False).sides.tolist()}
    images = [tiling.symmetries(SOME, one) for one in tiling.enumerate(SOME)]
    assert {tuple(sides) for some in images for sides in some[:, :, 2].tolist()} == everything
    assert sum(map(len, images)) == len(everything)
    for some in images[:20]:
        assert (tiling.canonical(SOME, some) == tiling.canonical(SOME, some[:1])).all()


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
    for call in (
        lambda: tiling.count(many, fundamental=True, memory=10**7),
        lambda: tiling.enumerate(many, memory=10**7),
    ):
        with pytest.raises(PuzzleError, match=r"memory=10,000,000 is not enough .* at least \d"):
            call()
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


def test_sample_is_seeded_and_among_all():
    everything = tiling.enumerate(SOME, fundamental=False)
    some = tiling.sample(SOME, 30, seed=4)
    assert some == tiling.sample(everything, 30, seed=4)
    assert all(one in everything for one in some)
    assert tiling.solve(SOME, seed=4).tolist() == tiling.solve(SOME, seed=4).tolist()
    assert len(tiling.sample(tiling.Rectangle(2, 2, [1]), 5)) == 0


@pytest.mark.parametrize("problem", [tiling.partridge(7), tiling.Rectangle(*known_tiling.DUIJVESTIJN)], ids=str)
def test_progress_tells_and_stops(problem):
    told = []

    def progress(done, total, found):
        told.append((done, total, found))
        return len(told) < 3

    with pytest.raises(Cancelled):
        tiling.count(problem, progress=progress)
    assert all(0 <= done <= total for done, total, _ in told)
    for call in (
        lambda: tiling.solve(problem, progress=lambda *_: False),
        lambda: tiling.solve(problem, seed=1, progress=lambda *_: False),
        lambda: tiling.sample(problem, 3, progress=lambda *_: False),
    ):
        with pytest.raises(Cancelled):
            call()
    told.clear()
    assert not tiling.enumerate(problem, progress=progress).complete


@pytest.mark.parametrize("memory", [None, 1_000_000])
def test_progress_only_grows_and_ends_with_the_answer(memory):
    problem = tiling.Rectangle(9, 9, {4: 1, 3: 2, 2: 6, 1: 23})
    told = []
    number = tiling.count(problem, memory=memory, progress=lambda *state: told.append(state))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1] == (Stages.WHOLE, Stages.WHOLE, number)
    found = tiling.enumerate(MORE, progress=lambda *state: told.append(state))
    assert told[-1] == (Stages.WHOLE, Stages.WHOLE, len(found))


def test_nothing_wanted_is_nothing_searched():
    told = []
    found = tiling.enumerate(tiling.partridge(8), limit=0, progress=lambda *state: told.append(state))
    assert (len(found), found.complete, told) == (0, False, [])


@given(
    width=st.integers(1, 8),
    height=st.integers(1, 8),
    twos=st.integers(0, 3),
    threes=st.integers(0, 2),
    fours=st.integers(0, 1),
)
@settings(max_examples=25, deadline=None)
def test_counts_lists_and_halves_agree(width, height, twos, threes, fours):
    ones = width * height - 4 * twos - 9 * threes - 16 * fours
    if ones < 0 or ones > 30:
        return
    problem = tiling.Rectangle(width, height, {1: ones, 2: twos, 3: threes, 4: fours})
    number = tiling.count(problem)
    if number > 20_000:
        return
    found = tiling.enumerate(problem, fundamental=False)
    assert tiling.verify(problem, found).all()
    assert len(found) == number == sum(1 for _ in tiling.iterate(problem, fundamental=False))
    assert len(tiling.enumerate(problem)) == tiling.count(problem, fundamental=True)
    if problem.is_possible:
        assert halves(width, height, list(problem.squares)).count(Stages(None)) == number


# ---- verify, refill, codes ----


def test_verify_refuses():
    found = tiling.enumerate(SOME).array[:1]
    assert tiling.verify(SOME, found).tolist() == [True]
    shuffled = found[:, ::-1]
    assert tiling.verify(SOME, shuffled).tolist() == [True]
    for place, change in ((0, 1), (1, 1), (0, -1), (1, -1), (2, 1), (2, -1)):
        for square in range(found.shape[1]):
            wrong = found.copy()
            wrong[0, square, place] += change
            assert tiling.verify(SOME, wrong).tolist() == [False]
    assert tiling.verify(tiling.Rectangle(6, 7, SOME.counts), found).tolist() == [False]
    with pytest.raises(PuzzleError, match="17 squares"):
        tiling.verify(SOME, found[:, :3])
    with pytest.raises(PuzzleError, match="float64"):
        tiling.verify(SOME, found.astype(float))
    with pytest.raises(PuzzleError, match="same number"):
        tiling.verify(SOME, [[[0, 0, 1]], [[0, 0, 1], [1, 0, 1]]])
    small = tiling.Rectangle(3, 2, [2, 1, 1])
    for far in (2**16, 2**63 - 1, 2**64 + 4, -(2**63)):
        for place in range(3):
            wrong = [[0, 0, 2], [2, 0, 1], [2, 1, 1]]
            wrong[0][place] = far
            assert tiling.verify(small, wrong).tolist() == [False]
            with pytest.raises(PuzzleError, match="row 0 is not a tiling"):
                tiling.canonical(small, wrong)
            with pytest.raises(PuzzleError, match="row 0 is not a tiling"):
                tiling.symmetries(small, wrong)


def test_problems_are_frozen():
    with pytest.raises(TypeError):
        SOME.counts[2] = 5
    assert pickle.loads(pickle.dumps(SOME)) == SOME
    assert eval(repr(SOME), {"Rectangle": tiling.Rectangle}) == SOME
    assert hash(SOME) == hash(tiling.Rectangle(7, 6, dict(SOME.counts)))


def test_verify_agrees_with_oracle():
    random = Random(8)
    for width, height, squares in problems(8, 30, 20):
        good = set(oracle.tilings(width, height, squares))
        rows = [tuple((random.randrange(width), random.randrange(height), s) for s in squares) for _ in range(50)]
        rows += list(good)[:5]
        expected = [tuple(sorted(row, key=lambda q: (q[1], q[0]))) in good for row in rows]
        assert tiling.verify(tiling.Rectangle(width, height, squares), rows).tolist() == expected


def test_refill_finds_what_is_missing():
    found = tiling.enumerate(tiling.Rectangle(6, 5, {3: 1, 2: 3, 1: 9}))
    assert len(tiling.refill(found)) == 0
    without = found[np.delete(np.arange(len(found)), [0, 11])]
    assert tiling.refill(without).bouwkamp() == found[np.array([0, 11])].bouwkamp()
    assert len(tiling.refill(without, max_area=0)) == 0
    told = []
    tiling.refill(without, progress=lambda *state: told.append(state))
    assert told[0] == (0, Stages.WHOLE, 0)
    assert told[-1] == (Stages.WHOLE, Stages.WHOLE, 2)
    with pytest.raises(Cancelled):
        tiling.refill(without, progress=lambda *_: False)


def test_bouwkamp_codes_go_both_ways():
    for problem in (SOME, tiling.Rectangle(*known_tiling.MORON)):
        found = tiling.enumerate(problem)
        assert found.bouwkamp() == [tiling.to_bouwkamp(one) for one in found]
        again = tiling.from_bouwkamp("\n".join(found.bouwkamp()))
        assert again == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no Bouwkamp code"),
        ("(1,2", "not a Bouwkamp code"),
        ("(2,2)(5)", "does not fit"),
        ("(2,1)", "does not fill"),
        ("(0)", "line 1: .* a side is at least 1"),
        ("(" + "9" * 5000 + ")", "characters\\) is not a Bouwkamp code"),
        ("(2)\n\n(\uff12)", "line 3: .* is not a Bouwkamp code"),
        ("(2)(999999999)", "does not fit"),
        (5, "are text, not 5"),
        (None, "are text, not None"),
        ("(99999)", "at most 4096"),
        ("(1,1)\n(1,1)(1,1)", "line 2"),
    ],
)
def test_bad_codes(text, message):
    with pytest.raises(PuzzleError, match=message):
        tiling.from_bouwkamp(text)


# ---- files and pictures ----


def test_files(tmp_path):
    found = tiling.enumerate(SOME)
    for suffix in ("txt", "csv", "json", "npy", "npz", "svg"):
        found.save(tmp_path / f"t.{suffix}")
    assert (tmp_path / "t.txt").read_text() == found.to_text()
    table = np.loadtxt(tmp_path / "t.csv", delimiter=",", skiprows=1, dtype=int)
    assert table.reshape(found.array.shape).tolist() == found.array.tolist()
    told = json.loads((tmp_path / "t.json").read_text())
    assert told["solutions"] == found.array.tolist()
    assert (told["width"], told["height"], told["squares"]) == (7, 6, list(SOME.squares))
    assert np.load(tmp_path / "t.npy").tolist() == found.array.tolist()
    drawing = (tmp_path / "t.svg").read_text()
    assert drawing.count("<rect") == 1 + found.MOST_DRAWN * len(SOME.squares)
    assert f"{len(found)} tilings of 7 x 6 by 17 squares (the first 24 are drawn)" in drawing


def test_wide_values_are_written_too():
    """More than 256 distinct symbols: text is made without the C table."""
    problem = tiling.Rectangle(400, 100, {100: 4})
    found = tiling.enumerate(problem)
    assert found.to_text() == "(100,100,100,100)\n"
    many = tiling.Rectangle(300, 1, {1: 300})
    assert json.loads(tiling.enumerate(many).to_json())["solutions"] == tiling.enumerate(many).array.tolist()


def test_draw_and_repr():
    found = tiling.enumerate(tiling.Rectangle(5, 5, {3: 1, 2: 4}), fundamental=False)
    assert len(found) == 0
    found = tiling.enumerate(tiling.Rectangle(5, 3, {3: 1, 2: 1, 1: 2}), fundamental=False)
    assert found.draw(0).count("+") >= 8
    assert "<4 tilings of 5 x 3 by 4 squares>" in repr(found)
    assert "<2 of the tilings of 5 x 3 by 4 squares>" in repr(found[:2])
    assert "<1 tiling of 3 x 3 by 1 square>" in repr(tiling.enumerate(tiling.Rectangle(3, 3, [3])))


# ---- bad input ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3, [1]), "width must be from 1 to 4096, not 0"),
        ((3, 5000, [1]), "height must be from 1 to 4096, not 5000"),
        ((3, 3.5, [1]), "height must be a whole number, not 3.5"),
        ((3, 3, [0]), "a side must be from 1"),
        ((3, 3, [-2]), "-2"),
        ((3, 3, [True]), "True"),
        ((3, 3, {2: -1}), "the number of squares of side 2"),
        ((3, 3, 9), "squares must be sides"),
        ((100, 100, {1: 10_000}), "at most 4096 squares"),
    ],
)
def test_bad_rectangles(arguments, message):
    with pytest.raises(PuzzleError, match=message):
        tiling.Rectangle(*arguments)


def test_what_cannot_be_filled_has_no_tilings_at_once():
    for problem in (
        tiling.Rectangle(3, 3, [1]),
        tiling.Rectangle(3, 3, []),
        tiling.Rectangle(2, 8, [4]),
        tiling.Rectangle(4000, 4000, {5: 100}),
    ):
        assert tiling.count(problem) == tiling.count(problem, fundamental=True) == 0
        assert len(tiling.enumerate(problem)) == 0
        assert tiling.enumerate(problem).complete
        assert tiling.solve(problem) is None
        assert list(tiling.iterate(problem)) == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: tiling.partridge(0),
        lambda: tiling.count("8"),
        lambda: tiling.count(True),
        lambda: tiling.count(SOME, threads=0),
        lambda: tiling.count(MORE, threads=0),
        lambda: tiling.count(SOME, memory=0),
        lambda: tiling.enumerate(SOME, limit=-1),
        lambda: tiling.iterate(SOME, batch=0),
        lambda: tiling.sample(SOME, -1),
        lambda: tiling.count(MORE, progress=3),
        lambda: tiling.symmetries(SOME, tiling.enumerate(SOME, limit=2)),
        lambda: tiling.to_bouwkamp([1, 2, 3]),
        lambda: tiling.to_bouwkamp([[0, 0, 3], [5, 0, 2]]),
        lambda: tiling.to_bouwkamp([[0, 0, 3.5]]),
        lambda: tiling.count(SOME, fundamental="no"),
        lambda: tiling.enumerate(SOME, fundamental=1),
        lambda: tiling.iterate(SOME, fundamental=None),
        lambda: tiling.sample(SOME, 1, seed=-1),
        lambda: tiling.solve(SOME, seed=1.5),
        lambda: tiling.sample(tiling.enumerate(SOME, limit=2), 3),
        lambda: tiling.refill([1]),
    ],
)
def test_bad_arguments(call):
    with pytest.raises(PuzzleError):
        call()


# ---- the command line ----


def run(*arguments, code=0):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "puzzlekit", "tiling", *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == code, done.stderr
    return done


def test_command_line(tmp_path):
    moron = ["--rectangle", "32x33", "--squares", "1,4,7,8,9,10,14,15,18"]
    assert run(*moron, "--count").stdout == "4\n"
    assert run(*moron, "--count", "--fundamental").stdout == "1\n"
    assert len(run(*moron).stdout.splitlines()) == 4
    assert run(*moron, "--fundamental").stdout == "(9,8,15)(1,7)(10)(4,18)(14)\n"
    assert len(run(*moron, "--limit", "2").stdout.splitlines()) == 2
    assert run("6", "--count").stdout == "0\n"
    assert json.loads(run(*moron, "--format", "json").stdout)["count"] == 4
    assert run(*moron, "--format", "csv").stdout.startswith("x1,y1,side1,x2")
    assert "| 18" in run(*moron, "--format", "text").stdout
    for suffix in ("svg", "npy", "json", "csv", "txt"):
        path = tmp_path / f"m.{suffix}"
        assert run(*moron, "-o", str(path)).stdout == ""
        assert path.stat().st_size > 50
    assert len(np.load(tmp_path / "m.npy")) == 4


def test_command_line_refills(tmp_path):
    codes = tiling.enumerate(SOME).bouwkamp()
    path = tmp_path / "codes.txt"
    path.write_text("\n".join(codes[1:]) + "\n")
    assert run("--refill", str(path)).stdout == codes[0] + "\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["8", "--rectangle", "2x2"],
        ["--rectangle", "2x2"],
        ["--rectangle", "2by2", "--squares", "1"],
        ["--rectangle", "2x2", "--squares", "1,a"],
        ["0"],
        ["--refill", "/nowhere/at/all"],
        ["7", "-o", "/nowhere/at/all.txt"],
        ["7", "-o", "tilings.doc"],
        ["7", "--count", "--limit", "2"],
        ["7", "--count", "--format", "csv"],
        ["7", "--max-area", "9"],
        ["7", "--refill", "tilings.txt"],
        ["--refill", "tilings.txt", "--limit", "1"],
        ["--refill", sys.executable],
    ],
)
def test_command_line_says_what_is_wrong(arguments):
    done = run(*arguments, code=2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
