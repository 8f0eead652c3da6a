"""The numbers game: what hands reach, and the whole game space, against the published totals and by other paths."""

from __future__ import annotations

import builtins
import random
from itertools import combinations

import known_countdown as known
import numpy as np
import oracles_countdown as oracles
import pytest

from puzzlekit import Cancelled, _call, countdown
from puzzlekit.countdown import _game, _reach, _solve, _survey

# ---- published figures ----


@pytest.fixture(scope="module")
def space() -> countdown.Survey:
    return countdown.survey()


def test_uk_totals(space):
    assert space.reached.shape == (known.UK_SETS, 899)
    assert space.pairs == known.UK_PAIRS
    assert space.solvable == known.UK_SOLVABLE
    assert space.full_sets == known.UK_FULL_SETS
    assert round(space.probability, 4) == known.UK_PROBABILITY
    for target, sets in known.UK_SETS_OF_TARGET.items():
        assert space.sets_of_target[target - 101] == sets
    assert space.hardest_targets(1) == [(947, 9017)]
    assert f"{known.UK_SOLVABLE:,}" in space.summary()
    assert f"{known.UK_FULL_SETS:,}" in space.summary()


def test_uk_distances(space):
    large = (space.cards > 10).sum(axis=1)
    for many, expected in builtins.enumerate(known.UK_DISTANCES):
        away = np.bincount(np.minimum(space.distances[large == many], 11).reshape(-1), minlength=12)
        assert tuple(away) == expected


def test_uk_sets(space):
    large = (space.cards > 10).sum(axis=1)
    assert tuple(np.bincount(large)) == known.UK_SETS_BY_LARGE
    assert (space.cards == countdown.games()).all()
    assert (np.diff(space.cards, axis=1) >= 0).all()
    assert len({tuple(row) for row in space.cards.tolist()}) == known.UK_SETS


def test_uk_totals_from_100():
    assert countdown.survey(lo=100).solvable == known.UK_SOLVABLE_FROM_100


@pytest.mark.slow
def test_solutions_of_the_whole_space(space):
    """The search for expressions, in every game: it solves what the survey says, and makes the totals."""
    targets = range(101, 1000)
    solutions = unique = 0
    most = (0, 0, ())
    for cards, reached in zip(space.cards.tolist(), space.reached):
        plan = _solve._search_plan(countdown.Game(cards), _solve._FORMS["plain"], targets)
        found = _call.count_units(plan).reshape(len(targets), -1).sum(axis=1)
        assert ((found > 0) == reached).all()
        solutions += int(found.sum())
        unique += int((found == 1).sum())
        most = max(most, (int(found.max()), targets[found.argmax()], tuple(cards)))
    assert (solutions, unique) == (known.UK_SOLUTIONS, known.UK_UNIQUE)
    assert most == (known.MOST_SOLUTIONS[2], known.MOST_SOLUTIONS[1], known.MOST_SOLUTIONS[0])


def test_consecutive():
    cards, last = known.CONSECUTIVE
    assert countdown.unreachable(cards, 1, last + 1).tolist() == [last + 1]


def test_one_of_each_small_card():
    found = countdown.survey([*range(1, 11), 25, 50, 75, 100])
    assert len(found.reached) == known.SINGLES_SETS
    assert (found.distances > 10).sum() == known.SINGLES_FAR


@pytest.mark.slow
def test_uk_totals_with_fractions():
    found = countdown.survey(fractions=True)
    assert (found.solvable, found.full_sets) == (known.UK_FRACTIONS_SOLVABLE, known.UK_FRACTIONS_FULL_SETS)


# ---- the game space by other paths ----


def test_space_against_single_games(space):
    """The search of single hands shares the tables with the survey, but not what is done with them."""
    pick = random.Random(6)
    places = [*pick.sample(range(known.UK_SETS), 40), 0, known.UK_SETS - 1]
    values, counts = _game.kinds_of(countdown.UK)
    rows = _survey.all_counts(counts, 6)[places]
    assert (_reach.reach_hands(values, rows, 101, 999, False, False) == space.reached[places]).all()


def test_space_against_expressions(space):
    """A target is reached if and only if there is an expression."""
    pick = random.Random(66)
    for _ in range(60):
        place, target = pick.randrange(known.UK_SETS), pick.randint(101, 999)
        assert (countdown.count(space.cards[place].tolist(), target) > 0) == space.reached[place, target - 101]


@pytest.mark.parametrize(
    ("deck", "size", "lo", "hi"),
    [
        ([*countdown.UK], 3, 1, 1500),
        ([*countdown.UK], 4, 50, 640),
        ([*countdown.UK], 5, 101, 999),
        ([1, 1, 1, 2, 2, 3, 5, 8], 6, 1, 511),
        ([1, 1, 1, 2, 2, 3, 5, 8], 7, 1, 512),
        ([12, 37, 62, 87, *range(1, 8)], 6, 101, 999),
        ([2, 3, 5, 7, 11, 13, 17, 400], 5, 7, 3000),
        ([1, 2, 3, 4, 1000, 1500], 4, 1, 999),
        ([1, 1, 2, 30000], 3, 1, 999),
        ([*range(1, 14)] * 4, 4, 24, 24),
        ([*range(1, 28)], 2, 1, 60),
        ([2] * 300 + [3], 3, 1, 20),
        ([1, 2, 3], 1, 1, 5),
        ([1, 2, 2, 3], 2, 1, 5),
    ],
)
def test_survey_of_other_decks(deck, size, lo, hi):
    found = countdown.survey(deck, size, lo, hi)
    sets = sorted(set(combinations(sorted(n for n in set(deck) for _ in range(min(deck.count(n), size))), size)))
    assert [tuple(row) for row in found.cards.tolist()] == sets
    values, counts = _game.kinds_of(deck)
    expected = _reach.reach_hands(values, _survey.all_counts(counts, size), lo, hi, False, False)
    assert (found.reached == expected).all()


def test_tables_made_in_stages_are_the_same(space, monkeypatch):
    decks = [([1, 1, 1, 2, 2, 3, 5, 8], size, 1, 700) for size in range(3, 8)] + [
        ([12, 37, 62, 87, *range(1, 8)], 6, 101, 999)
    ]
    at_once = [countdown.survey(*deck).reached for deck in decks]
    monkeypatch.setattr(_survey, "_AT_ONCE", 0)
    for deck, reached in zip(decks, at_once):
        assert (countdown.survey(*deck).reached == reached).all()
    assert (countdown.survey().reached == space.reached).all()


def test_tables_of_a_large_deck_can_be_stopped():
    told = []
    with pytest.raises(Cancelled):
        countdown.survey(range(1, 26), 7, progress=lambda *state: told.append(state) or state[1] < 300)
    assert {state[1] for state in told} == {25, 300}


def test_survey_against_oracle():
    found = countdown.survey([1, 1, 2, 3, 5, 9, 25], 4, 1, 300)
    for cards, row in zip(found.cards.tolist(), found.reached):
        values = set(oracles.all_forms(tuple(cards), False, False).values())
        assert row.tolist() == [target in values for target in range(1, 301)]


def test_survey_distances():
    found = countdown.survey([1, 1, 2, 3, 5, 25], 4, 20, 120)
    for cards, row in zip(found.cards.tolist(), found.distances):
        values = set(oracles.all_forms(tuple(cards), False, False).values())
        assert row.tolist() == [min(abs(value - target) for value in values) for target in range(20, 121)]
    assert ((found.distances == 0) == found.reached).all()
    assert "nearest values" in found.summary(distances=True)


@pytest.mark.parametrize(
    ("deck", "size", "fractions"),
    [([5000], 1, False), ([3000, 7000, 90], 1, True), ([3000, 4000, 7000, 90], 2, False), ([2**40, 2**41], 1, False)],
)
def test_distances_to_values_far_above(deck, size, fractions):
    """Sets that reach nothing up to twice the greatest target."""
    found = countdown.survey(deck, size, 1, 100, fractions=fractions)
    for cards, row in zip(found.cards.tolist(), found.distances):
        values = {made for made in oracles.all_forms(tuple(cards), fractions, False).values() if made.denominator == 1}
        assert row.tolist() == [min(abs(value - target) for value in values) for target in range(1, 101)]
    assert f"the farthest is {found.distances.max():,} away" in found.summary(distances=True)


@pytest.mark.parametrize("cpu", _call.CPU_LEVELS)
def test_every_processor_finds_the_same(cpu, space, monkeypatch):
    if _call.CPU_LEVELS.index(cpu) > _call.lib.pk_cpu_level():
        pytest.skip(f"this machine has no {cpu}")
    monkeypatch.setenv("PUZZLEKIT_CPU", cpu)
    assert (countdown.survey().reached == space.reached).all()
    wide = countdown.survey([1, 1, 2, 2, 3, 7, 25, 100], 6, 1, 4000)
    values, counts = _game.kinds_of(wide.deck)
    some = [0, 5, 11]
    rows = _survey.all_counts(counts, 6)[some]
    assert (_reach.reach_hands(values, rows, 1, 4000, False, False) == wide.reached[some]).all()


@pytest.mark.parametrize("cards", [(1, 2, 3, 4, 5, 6, 7), (3, 5, 6, 7, 8, 9, 25), (1, 1, 1, 2, 2, 2, 3, 3)])
def test_more_cards_by_two_paths(cards):
    values, counts = _game.kinds_of(cards)
    expected = _reach.reach_hands(values, counts[np.newaxis], 1, 2500, False, False)[0]
    assert (countdown.reachable(cards, 1, 2500) == np.flatnonzero(expected) + 1).all()


# ---- the laws of every family ----


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_survey_for_any_number_of_threads(threads, space, monkeypatch):
    monkeypatch.setattr(_call, "DIRECT_SECONDS", -1.0)
    assert (countdown.survey(threads=threads).reached == space.reached).all()
