"""Tiling: the oracle, the published counts, laws, files, bad input, the command line."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from random import Random

import known_tiling
import numpy as np
import oracles_tiling as oracle
import pytest
from cases_tiling import MANY, as_tuples, halves, in_order, problems
from conftest import SANITIZED
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, tiling
from puzzlekit._call import Stages

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
    assert tiling.from_bouwkamp("[18,15],[7,8],[14,4],[10,1],[9]") == code
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
        lambda: list(tiling.iterate(problem, progress=lambda *_: False)),
    ):
        with pytest.raises(Cancelled):
            call()
    told.clear()
    assert not tiling.enumerate(problem, progress=progress).complete


def test_iterate_searches_when_it_is_asked():
    told = []
    with pytest.raises(PuzzleError, match="memory"):
        tiling.iterate(MORE, memory=0)
    found = tiling.iterate(MORE, batch=3, limit=7, progress=lambda *state: told.append(state))
    assert not told
    assert [len(some) for some in found] == [3, 3, 1]
    assert told


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


def test_more_tilings_than_memory_holds():
    """They are counted up to symmetry all the same, and the first ones can be had."""
    problem, memory = tiling.Rectangle(7, 6, {1: 30, 2: 3}), 1_000_000
    for fundamental in (True, False):
        found = tiling.enumerate(problem, fundamental=fundamental)
        assert tiling.count(problem, fundamental=fundamental, memory=memory) == len(found)
        few = tiling.enumerate(problem, fundamental=fundamental, memory=memory, limit=9)
        assert few.array.tolist() == found.array[:9].tolist()
        assert not few.complete
        iterator = tiling.iterate(problem, fundamental=fundamental, memory=memory)
        assert [one.tolist() for one in iterator] == found.array.tolist()
        with pytest.raises(PuzzleError, match="is not enough to list 1,976 tilings") as error:
            tiling.enumerate(problem, fundamental=fundamental, memory=memory)
        enough = int(str(error.value).split("at least ")[1].split(";")[0].replace(",", ""))
        assert tiling.enumerate(problem, fundamental=fundamental, memory=enough) == found


def test_one_class_has_more_keys_than_memory_holds():
    problem, memory = tiling.Rectangle(4, 43, {1: 16, 2: 39}), 1_000_000
    few = tiling.enumerate(problem, memory=memory, limit=3)
    assert tiling.verify(problem, few).all()
    assert next(tiling.iterate(problem, memory=memory)).tolist() == few[0].tolist()
    with pytest.raises(PuzzleError, match=r"is not enough to list 230,813,000 tilings: .* with limit="):
        tiling.enumerate(problem, memory=memory)
    with pytest.raises(PuzzleError, match="nor to count them"):
        tiling.enumerate(tiling.Rectangle(4, 20, {1: 32, 2: 12}), memory=30_000)


def test_counts_up_to_symmetry_can_be_stopped_from_the_first_report():
    problem = tiling.Rectangle(4, 32, {1: 64, 2: 16})  # tilings that are mirrored across are most of the work
    told = []
    with pytest.raises(Cancelled, match="after 0 solutions"):
        tiling.count(problem, fundamental=True, progress=lambda *state: told.append(state) or len(told) < 4)
    assert all(done < total for done, total, _ in told)


def test_refill_finds_what_is_missing():
    found = tiling.enumerate(tiling.Rectangle(6, 5, {3: 1, 2: 3, 1: 9}))
    assert len(tiling.refill(found)) == 0
    every = tiling.enumerate(found.problem, fundamental=False)
    assert len(tiling.refill(every)) == 0
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
        ((3, 3, b"333"), "squares must be sides"),
        ((3, 3, "333"), "squares must be sides"),
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
