"""The numbers game: expressions against an oracle, the published figures, and the laws that hold for every family."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from fractions import Fraction

import known_countdown as known
import numpy as np
import oracles_countdown as oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import Cancelled, PuzzleError, _call, countdown
from puzzlekit.countdown import _solve

HUTTON = known.HUTTON_CARDS
LEVELS = tuple(oracles.LEVELS)
MODES = [(fractions, use_all) for fractions in (False, True) for use_all in (False, True)]


def random_cards(pick: random.Random, size: int) -> tuple[int, ...]:
    """Cards of the show, or small ones of which some are equal, or others."""
    deck = pick.choice([countdown.UK, [1, 1, 2, 2, 3, 3, 4, 4], range(1, 60)])
    return tuple(pick.sample(list(deck), size))


def check_expressions(expected: dict, cards, target, fractions, use_all) -> None:
    """All forms of a target, at all levels, as the oracle has them."""
    for level in LEVELS:
        wanted = {form for form, made in expected.items() if made == target and oracles.LEVELS[level](form)}
        options = {"form": level, "fractions": fractions, "use_all": use_all}
        found = countdown.enumerate(cards, target, **options)
        forms = [oracles.parsed(text, fractions) for text in found.expressions]
        assert len(forms) == len(set(forms)), "two expressions of one form"
        assert set(forms) == wanted
        assert countdown.count(cards, target, **options) == len(wanted)
        sizes = [len(oracles.cards_of(form)) for form in forms]
        assert sizes == sorted(sizes)


def check_solve(expected: dict, cards, target, fractions, use_all) -> None:
    found = countdown.solve(cards, target, fractions=fractions, use_all=use_all)
    near = min((made for made in set(expected.values()) if made.denominator == 1), key=lambda v: (abs(v - target), v))
    assert found.value == near
    assert found.distance == abs(near - target)
    form = oracles.parsed(found.expression, fractions)
    assert expected[form] == near
    assert len(found.cards_used) == min(len(oracles.cards_of(form)) for form, made in expected.items() if made == near)
    assert not Counter(found.cards_used) - Counter(cards)
    assert bool(countdown.check(found.expression, cards, int(near), fractions=fractions, use_all=use_all))
    if found.steps:
        assert bool(countdown.check("\n".join(found.steps), cards, int(near), fractions=fractions, use_all=use_all))


def check_reachable(expected: dict, cards, fractions, use_all, lo, hi) -> None:
    values = sorted({int(made) for made in expected.values() if made.denominator == 1})
    options = {"fractions": fractions, "use_all": use_all}
    assert countdown.reachable(cards, None, None, **options).tolist() == values
    inside = [made for made in values if lo <= made <= hi]
    assert countdown.reachable(cards, lo, hi, **options).tolist() == inside
    missing = sorted(set(range(lo, hi + 1)) - set(inside))
    assert countdown.unreachable(cards, lo, hi, **options).tolist() == missing


@pytest.mark.parametrize(("fractions", "use_all"), MODES)
@pytest.mark.parametrize(("size", "games"), [(1, 5), (2, 20), (3, 40), (4, 60)])
def test_against_oracle(size, games, fractions, use_all):
    pick = random.Random(f"{size} {fractions} {use_all}")
    for _ in range(games):
        cards = random_cards(pick, size)
        expected = oracles.all_forms(cards, fractions, use_all)
        whole = sorted({int(made) for made in expected.values() if made.denominator == 1})
        for target in {*pick.sample(whole, min(3, len(whole))), pick.randint(1, 200)}:
            check_expressions(expected, cards, target, fractions, use_all)
            check_solve(expected, cards, target, fractions, use_all)
        check_solve(expected, cards, whole[-1] + pick.randint(50, 500), fractions, use_all)
        check_reachable(expected, cards, fractions, use_all, pick.randint(1, 120), pick.randint(121, 1300))


@pytest.mark.parametrize(
    ("fractions", "use_all", "games"), [(False, False, 40), (False, True, 30), (True, False, 6), (True, True, 6)]
)
def test_against_oracle_with_five_cards(fractions, use_all, games):
    pick = random.Random(f"{fractions} {use_all}")
    for _ in range(games):
        cards = random_cards(pick, 5)
        expected = oracles.all_forms(cards, fractions, use_all)
        whole = sorted({int(made) for made in expected.values() if made.denominator == 1 and made < 2000})
        for target in pick.sample(whole, 4):
            check_expressions(expected, cards, target, fractions, use_all)
        check_solve(expected, cards, pick.randint(100, 999), fractions, use_all)
        check_reachable(expected, cards, fractions, use_all, 101, 999)


@pytest.mark.parametrize(
    ("cards", "fractions"),
    [
        ((1019, 1021, 2**19, 2**20 - 3), False),
        ((2**30 - 1, 2**29), False),
        ((46339, 46339), True),
        ((49, 101, 401, 1031), True),
    ],
)
@pytest.mark.parametrize("use_all", [False, True])
def test_against_oracle_near_the_limits(cards, fractions, use_all):
    """Values of nearly 2**60, and of nearly 2**31 with fractions."""
    expected = oracles.all_forms(cards, fractions, use_all)
    whole = sorted({int(made) for made in expected.values() if made.denominator == 1})
    for target in whole[-3:]:
        check_expressions(expected, cards, target, fractions, use_all)
    check_solve(expected, cards, (2**31 if fractions else 2**60) - 1, fractions, use_all)
    check_reachable(expected, cards, fractions, use_all, 1, 3000)


@pytest.mark.parametrize("target", [2**59, 2**60 - 1, 2**60 - 3])
def test_targets_beyond_every_value(target):
    """Sets without a table have a bound instead: without it sums of their values leave 64 bits."""
    for use_all in (False, True):
        assert countdown.count([3, 5, 7, 9, 11, 16], target, use_all=use_all) == 0


@pytest.mark.parametrize("level", LEVELS)
def test_every_value_at_once(level):
    for cards in [(1, 2, 2, 3), (4, 6, 25), (5,), (3, 3), (1, 1, 1, 1)]:
        for fractions, use_all in MODES:
            expected = oracles.all_forms(cards, fractions, use_all)
            wanted = {form for form in expected if oracles.LEVELS[level](form)}
            found = countdown.enumerate(cards, form=level, fractions=fractions, use_all=use_all)
            forms = [oracles.parsed(text, fractions) for text in found.expressions]
            assert len(forms) == len(set(forms))
            assert set(forms) == wanted


# ---- published figures ----


@pytest.mark.parametrize("form", known.HUTTON)
def test_hutton(form):
    assert (countdown.count(HUTTON, form=form), countdown.count(HUTTON, 765, form=form)) == known.HUTTON[form]
    assert countdown.count(HUTTON, known.HUTTON_UNREACHABLE, form=form) == 0


def test_hutton_integers_and_all_trees():
    assert countdown.count(HUTTON, form="integer trees") == known.HUTTON_INTEGERS
    assert oracles.tree_count(6) == known.HUTTON_ALL_TREES


@pytest.mark.parametrize("form", LEVELS)
def test_hutton_forms(form):
    found = countdown.enumerate(HUTTON, 765, form=form)
    assert len(found) == countdown.count(HUTTON, 765, form=form) == known.HUTTON_FORMS[form]
    assert countdown.verify(HUTTON, 765, found).all()
    assert countdown.count(HUTTON, known.HUTTON_UNREACHABLE, form=form) == 0


@pytest.mark.parametrize("size", range(1, 7))
def test_forms_in_general_position(size):
    """Cards whose sums never cancel; a form for each, whatever its value."""
    cards = (12, 13, 29, 39, 49, 70)[:size]
    options = {"form": "raw", "fractions": True, "use_all": True}
    assert countdown.count(cards, **options) == known.GENERAL_FORMS[size - 1]


@pytest.mark.parametrize("top", known.TWENTY_FOUR)
def test_twenty_four(top):
    """Four suits of cards. A survey also has targets that some of the cards make, so each hand is counted."""
    hands = countdown.games([*range(1, top + 1)] * 4, 4).tolist()
    options = {"form": "raw", "fractions": True, "use_all": True, "limit": 1}
    solvable = sum(countdown.count(hand, 24, **options) for hand in hands)
    assert (solvable, len(hands)) == known.TWENTY_FOUR[top]


def test_twenty_four_that_needs_fractions():
    hand = (3, 3, 8, 8)
    assert countdown.enumerate(hand, 24, fractions=True, use_all=True).expressions == ["8 / (3 - 8 / 3)"]
    assert countdown.count(hand, 24, use_all=True) == 0
    assert countdown.solve(hand, 24, use_all=True).distance == 1


@pytest.mark.parametrize(
    ("cards", "target", "text"),
    [
        ((1, 1, 2, 16), 24, "16 * (1 + 1 / 2)"),
        ((1, 4, 32, 43), 1368, "(43 - 1 / 4) * 32"),
        ((1, 2, 5, 1664), 9152, "1664 * (5 + 1 / 2)"),
    ],
)
def test_one_may_be_divided(cards, target, text):
    """1 / n is neither multiplied nor divided by 1."""
    assert countdown.enumerate(cards, target, fractions=True).expressions == [text]
    assert countdown.solve(cards, target, fractions=True).expression == text
    expected = oracles.all_forms(cards, True, False)
    check_expressions(expected, cards, target, True, False)
    check_solve(expected, cards, 8933, True, False)  # the nearest of the last hand is its 9152


def test_most_solutions():
    cards, target, expected = known.MOST_SOLUTIONS
    assert countdown.count(cards, target, form="plain") == expected


# ---- the laws of every family ----


@pytest.fixture(params=["direct", "threads"])
def phase(request, monkeypatch):
    if request.param == "threads":
        monkeypatch.setattr(_call, "DIRECT_SECONDS", -1.0)


@pytest.mark.usefixtures("phase")
@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("cards", "target"), [((2, 4, 8, 25, 50, 100), 200), ((1, 1, 2, 2, 3, 3, 4), 24), ((2, 3, 3, 4, 6), None)]
)
def test_laws(cards, target, threads):
    found = countdown.enumerate(cards, target, threads=threads)
    assert found.complete
    assert found == countdown.enumerate(cards, target, threads=1)
    assert countdown.count(cards, target, threads=threads) == len(found)
    assert countdown.count(cards, target, limit=3, threads=threads) == min(3, len(found))
    assert [one.tokens for one in countdown.iterate(cards, target, threads=threads)] == [one.tokens for one in found]
    batches = list(countdown.iterate(cards, target, threads=threads, batch=7))
    assert (np.concatenate([batch.array for batch in batches]) == found.array).all()
    assert {len(batch) for batch in batches[:-1]} <= {7}
    for limit in (0, 1, 5, len(found), len(found) + 1):
        some = countdown.enumerate(cards, target, limit=limit, threads=threads)
        assert (some.array == found.array[:limit]).all()
        assert some.complete == (limit > len(found))
    assert countdown.verify(cards, target, found[:200]).all()


def test_progress_and_cancel():
    told = []
    cards = (2, 4, 8, 25, 50, 100)
    countdown.enumerate(cards, 200, progress=lambda *state: told.append(state))
    assert told[0][:2] == (0, 63)
    assert told[-1] == (63, 63, countdown.count(cards, 200))
    with pytest.raises(Cancelled):
        countdown.count(cards, 200, progress=lambda *state: False)
    with pytest.raises(Cancelled):
        countdown.solve(cards, 200, progress=lambda *state: False)
    with pytest.raises(Cancelled):
        countdown.survey(progress=lambda *state: False)
    assert not countdown.enumerate(cards, 200, progress=lambda *state: False).complete


@pytest.mark.parametrize("options", [{}, {"form": "raw"}, {"use_all": True}, {"fractions": True, "limit": 5000}])
@pytest.mark.parametrize(
    ("cards", "target"), [((2, 4, 8, 25, 50, 100), 200), ((1, 1, 2, 2, 3, 3), 24), ((2, 3, 3, 4), None)]
)
def test_tables_made_in_stages_are_the_same(cards, target, options, monkeypatch):
    at_once = countdown.enumerate(cards, target, **options)
    monkeypatch.setattr(_solve, "_AT_ONCE", 1)
    assert countdown.enumerate(cards, target, **options) == at_once
    assert countdown.count(cards, target, **options) == len(at_once)


def test_tables_of_many_cards_can_be_stopped():
    """Twelve different cards have tables that take seconds."""
    cards = range(20, 44, 2)
    told = []

    def stop_at_the_fifth(*state):
        told.append(state)
        return state[1] != 792

    assert not countdown.enumerate(cards, 999, progress=stop_at_the_fifth).complete
    assert {state[1] for state in told} == {12, 66, 220, 495, 792}
    assert {state[2] for state in told} == {0}
    for verb in (countdown.count, countdown.iterate):
        with pytest.raises(Cancelled):
            verb(cards, 999, progress=lambda *state: False)


@pytest.mark.parametrize("verb", [countdown.enumerate, countdown.count, countdown.iterate])
def test_a_bad_limit_is_refused_before_any_tables(verb):
    told = []
    with pytest.raises(PuzzleError, match="limit must not be negative"):
        verb(range(20, 44, 2), 999, limit=-1, progress=lambda *state: told.append(state))
    assert told == []


def test_the_search_for_the_nearest_can_be_stopped():
    """Far from every value all of them are asked for, one unit that takes a second."""
    told = []
    with pytest.raises(Cancelled):
        countdown.solve((100, 75, 50, 25, 10, 10, 9), 2**59, progress=lambda *state: told.append(state) or state[1] > 1)
    assert told[-1][1:] == (1, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.integers(1, 400), st.booleans(), st.booleans())
def test_expressions_are_right(cards, target, fractions, use_all):
    found = countdown.enumerate(cards, target, fractions=fractions, use_all=use_all, limit=300)
    forms = set()
    for text in found.expressions:
        form = oracles.parsed(text, fractions)
        forms.add(form)
        assert oracles.value(form) == target
        assert not Counter(oracles.cards_of(form)) - Counter(cards)
        assert not use_all or oracles.cards_of(form) == sorted(cards)
        assert oracles.is_irredundant(form)
    assert len(forms) == len(found)
    solved = countdown.solve(cards, target, fractions=fractions, use_all=use_all)
    if len(found):
        assert solved.distance == 0
        assert len(solved.cards_used) == len(oracles.cards_of(oracles.parsed(found.expressions[0], fractions)))
    elif not use_all:
        assert target not in countdown.reachable(cards, target, target, fractions=fractions)


@settings(max_examples=40, deadline=None)
@given(st.permutations(HUTTON), st.integers(101, 999))
def test_order_of_cards_does_not_matter(cards, target):
    assert countdown.enumerate(cards, target) == countdown.enumerate(HUTTON, target)


# ---- one solution ----


def test_solution():
    found = countdown.solve([25, 50, 3, 7], 522)
    assert str(found) == "(50 + 25) * 7 - 3 = 522"
    assert found.tree == ("-", ("*", ("+", 50, 25), 7), 3)
    assert found.steps == ["50 + 25 = 75", "75 * 7 = 525", "525 - 3 = 522"]
    assert (found.value, found.distance, found.target, found.cards_used) == (522, 0, 522, (3, 7, 25, 50))
    alone = countdown.solve([7], 9)
    assert (alone.expression, alone.steps, alone.tree, alone.distance) == ("7", [], 7, 2)


def test_equal_cards_make_no_duplicates():
    assert countdown.enumerate([5, 5, 5], 10).expressions == ["5 + 5"]
    assert countdown.count([5, 5, 5], 5, form="raw") == len(
        {form for form, made in oracles.all_forms((5, 5, 5), False, False).items() if made == 5}
    )


def test_nearest_prefers_the_smaller():
    found = countdown.solve([2, 6], 5, use_all=True)  # 3, 4, 8, 12
    assert found.value == 4
    assert countdown.solve([10, 10], 60).value == 20  # 1, 10, 20, 100
    assert countdown.solve([10, 10], 10**9).value == 100


def test_solutions(tmp_path):
    found = countdown.enumerate(HUTTON, 765)
    assert found[0].expression == "(50 + 1) * (25 - 10)"
    assert found[-1] in found
    assert "(50 + 1) * (25 - 10)" in found
    assert "1 + 1" not in found
    assert found.index(found[3]) == 3
    assert found.count("(50 + 1) * (25 - 10)") == 1
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again[0] == found[0]
    assert [one.expression for one in found[2:4]] == found.expressions[2:4]
    assert found.to_text().splitlines()[0] == "(50 + 1) * (25 - 10) = 765"
    assert found.to_csv().splitlines()[:2] == ["expression", "(50 + 1) * (25 - 10)"]
    told = json.loads(found.to_json())
    assert (told["cards"], told["target"], told["count"]) == ([*HUTTON], 765, 12)
    assert told["solutions"] == found.expressions
    assert "12 expressions for 765" in repr(found)
    assert "765" in found.to_svg()
    for suffix in ("txt", "csv", "json", "npy", "npz", "svg"):
        found.save(tmp_path / f"all.{suffix}")
    assert (np.load(tmp_path / "all.npy") == found.array).all()
    assert not found.array.flags.writeable
    empty = countdown.enumerate(HUTTON, 831)
    assert (len(empty), empty.to_text(), json.loads(empty.to_json())["solutions"]) == (0, "", [])


@pytest.mark.parametrize(
    ("cards", "target", "text"),
    [
        ((8, 3), 5, "8 - 3"),
        ((8, 3, 2), 3, "8 - 3 - 2"),
        ((8, 3, 2), 7, "8 + 2 - 3"),
        ((24, 3, 2), 4, "24 / 3 / 2"),
        ((24, 3, 2), 16, "24 * 2 / 3"),
        ((30, 3, 2), 6, "30 / (3 + 2)"),
    ],
)
def test_text(cards, target, text):
    assert text in countdown.enumerate(cards, target, use_all=True).expressions


def test_text_and_tree_agree():
    for solution in countdown.iterate([2, 4, 8, 25, 50], fractions=True, limit=3000):
        assert Fraction(eval(solution.expression.replace("/", "/ Fraction(1) /"), {"Fraction": Fraction})) == Fraction(
            solution.value
        )


# ---- many cards ----


@pytest.mark.parametrize(
    ("cards", "greatest"),
    [
        ((1,) * 10, 36),
        ((1, 1, 2, 2, 3, 3, 4, 4, 5, 5), 999),
        ((3, 4, 5, 6, 7, 8, 9, 10, 25, 50), 999),
        ((100, 75, 50, 25, 10, 10, 9, 9, 8, 8), 999),
        ((1,) * 24, 999),
    ],
)
def test_ten_cards_and_more(cards, greatest):
    reached = countdown.reachable(cards, 1)
    assert reached[-1] == greatest
    for target in (101, 998):
        found = countdown.solve(cards, target)
        assert (found.distance == 0) == (target in reached)
        if len(set(cards)) > 1:
            assert countdown.verify(cards, target, next(countdown.iterate(cards, target, limit=20, batch=20))).all()


# ---- bad input ----


@pytest.mark.parametrize(
    ("cards", "target", "told"),
    [
        ([], 5, "at least one card"),
        ([0, 1], 5, "positive, not 0"),
        ([-3, 1], 5, "positive, not -3"),
        ([1.5, 1], 5, "whole number, not 1.5"),
        ([True], 5, "whole number, not True"),
        (["7"], 5, "whole number, not '7'"),
        ("123", 5, "not the text '123'"),
        (7, 5, "several whole numbers, not 7"),
        ([1, 2], 0, "target must be positive, not 0"),
        ([1, 2], -4, "target must be positive, not -4"),
        ([1, 2], 2.0, "target must be a whole number, not 2.0"),
        ([1, 2], 2**60, "below 2**60"),
        ([2**60], 5, "below 2**60"),
        ([2**30, 2**30], 5, "product of the cards must be below 2**60"),
        ([1] * 25, 5, "at most 24 cards, not 25"),
        (range(1, 14), 5, "13 cards of which 13 differ are too many"),
    ],
)
def test_bad_games(cards, target, told):
    for verb in (countdown.enumerate, countdown.count, countdown.iterate, countdown.solve):
        with pytest.raises(PuzzleError) as caught:
            verb(cards, target)
        assert told in str(caught.value)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: countdown.enumerate([1], 1, form="short"), "form must be one of raw, plain, irredundant, not 'short'"),
        (lambda: countdown.enumerate([1], 1, form=[]), "not []"),
        (lambda: countdown.count([1], 1, form=[]), "not []"),
        (lambda: countdown.solve([10**5000], 1), "not a whole number of 16610 bits"),
        (lambda: countdown.games(size=10**5000), "not a whole number of 16610 bits"),
        (lambda: countdown.count([1], 1, form="trees", use_all=True), "no use_all"),
        (lambda: countdown.count([1] * 9, 1, form="trees"), "up to 8 cards, not 9"),
        (lambda: countdown.enumerate([1], 1, fractions=1), "fractions must be True or False, not 1"),
        (lambda: countdown.enumerate([10**6] * 3, 1, fractions=True), "below 2**31"),
        (lambda: countdown.reachable([50000, 50000], None, None, fractions=True), "below 2**31"),
        (lambda: countdown.survey([412, 1108, 12, 512], 4, fractions=True), "below 2**31"),
        (lambda: countdown.enumerate([5], 2**31, fractions=True), "target must be below 2**31"),
        (lambda: countdown.enumerate(countdown.Game([1], 1), 2), "those of the Game"),
        (lambda: countdown.solve([1]), "solve needs a target"),
        (lambda: countdown.reachable([1], 9, 3), "lo must not be above hi, and 9 is above 3"),
        (lambda: countdown.reachable([1], 0), "lo must be positive, not 0"),
        (lambda: countdown.unreachable([1], 1, 2**40), "hi of at most"),
        (lambda: countdown.games(size=0), "size must be 1 to 24 for this deck, not 0"),
        (lambda: countdown.games([1, 2], 3), "size must be 1 to 2"),
        (lambda: countdown.games(range(1, 70), 2), "at most 64 different cards, not 69"),
        (
            lambda: countdown.games(range(1, 60), 12),
            "at most 33,554,432 sets, and this one has 1,119,487,075,980 of 12",
        ),
        (lambda: countdown.games(range(10**9), 2), "there are more than 10,000 cards"),
        (lambda: countdown.solve(range(1, 10**9), 5), "there are more than 10,000 cards"),
        (lambda: countdown.survey(lo=5, hi=4), "lo must not be above hi"),
        (lambda: countdown.survey(hi=0), "hi must be positive"),
        (lambda: countdown.game(large=5), "large must be 0 to 4, not 5"),
        (lambda: countdown.game(seed="x"), "seed must be a whole number, not 'x'"),
        (lambda: countdown.game(seed=-1), "seed must not be negative, not -1"),
        (lambda: countdown.game(difficulty="evil"), "not 'evil'"),
        (lambda: countdown.game(difficulty=(3, 1)), "not (3, 1)"),
        (lambda: countdown.game(difficulty=(704, 900)), "no game has more than 703 solutions"),
        (lambda: countdown.game(solvable=False, difficulty="easy"), "has no difficulty"),
        (lambda: countdown.check(5, [1], 1), "must be a text, not 5"),
    ],
)
def test_bad_arguments(call, told):
    with pytest.raises(PuzzleError) as caught:
        call()
    assert told in str(caught.value)
