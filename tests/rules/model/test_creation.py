"""Budgets of new characters: how their lines are read, and what a sheet's dots spend of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.creation import BudgetTable, account, budget_of
from rules.model.options import BadOption
from rules.model.people import EXAMPLES, people
from rules.systems import RULESETS

MASQUERADE, DARKNESS = RULESETS["masquerade"], RULESETS["darkness"]
TABLE = BudgetTable(MASQUERADE.layout.for_kind("vampire"))


def of(system, person):
    """A person's account."""
    dots = {trait.key: trait.default for trait in system.layout.traits()} | dict(person.traits)
    budget = budget_of(system, person.kind)
    return account(budget, dots)


def counts(system, kind, **dots):
    """label -> (spent, given, left, over), and the points left, for a sheet with these dots and no others."""
    found = account(budget_of(system, kind), dots)
    return {each.line.key: (each.spent, each.given, each.left, each.over) for each in found.counts}, found.left


@pytest.mark.parametrize("key", [key for key, system in RULESETS.items() if people(system, EXAMPLES)])
def test_every_example_keeps_to_its_budget(key):
    """MQ-MAKE-1, AP-MAKE-1, WD-MAKE-1, CD-MAKE-1, WL-MAKE-1."""
    system = RULESETS[key]
    for person in people(system, EXAMPLES):
        found = of(system, person)
        assert (found.left >= 0, found.over) == (True, 0), person.key
        assert all(count.left == 0 for count in found.counts if count.line.key in ("attributes", "abilities")), (
            person.key
        )


def test_the_first_dot_of_attributes_and_virtues_is_free():
    found, points = counts(MASQUERADE, "vampire", strength=1, conscience=1, brawl=1)
    assert found["attributes"] == ((0, 0, 0), (7, 5, 3), 15, 0)
    assert found["virtues"] == ((0,), (7,), 7, 0)
    assert found["abilities"] == ((1, 0, 0), (13, 9, 5), 26, 0)
    assert points == 15


def test_the_largest_number_goes_to_the_group_with_the_most_dots():
    found, points = counts(MASQUERADE, "vampire", perception=5, intelligence=5, charisma=5, manipulation=2)
    assert found["attributes"] == ((0, 5, 8), (3, 5, 7), 3, 1)
    assert points == 15 - 5


def test_a_trait_starts_with_the_dots_of_others():
    found, points = counts(MASQUERADE, "vampire", conscience=3, self_control=4, courage=2, humanity=8, willpower=2)
    assert found["humanity"] == ((8,), (7,), 0, 1)
    assert found["willpower"] == ((2,), (2,), 0, 0)
    assert points == 15 - 2


def test_one_more_dot_goes_anywhere():
    found, _points = counts(DARKNESS, "vampire", strength=4, dexterity=4, presence=4, manipulation=2, wits=4)
    assert found["attributes"] == ((3, 6, 4), (3, 5, 4), 0, 0)
    found, _points = counts(DARKNESS, "vampire", strength=4, dexterity=3, presence=4, manipulation=2, wits=5)
    assert found["attributes"] == ((5, 5, 4), (5, 4, 3), 0, 1)
    assert counts(DARKNESS, "vampire")[0]["attributes"] == ((0, 0, 0), (5, 4, 3), 13, 0)


def test_dots_without_a_price_are_over_and_cost_nothing():
    budget = budget_of(DARKNESS, "vampire")
    found = account(budget, {"blood_potency": 3})
    assert (found.left, found.over) == (0, 2)


def test_a_fifth_dot_counts_twice_where_the_switch_is_on():
    assert counts(DARKNESS, "mortal", strength=5, brawl=5)[0]["skills"][0] == (0, 6, 0)
    off = DARKNESS.with_options({"creation_fifth_dot": False})
    assert counts(off, "mortal", strength=5, brawl=5)[0]["skills"][0] == (0, 5, 0)


def test_one_number_is_for_all_groups_together():
    own = MASQUERADE.with_options({"creation": [["abilities", "20", 2]]})
    found, points = counts(own, "mortal", brawl=5, melee=5, law=5)
    assert found == {"abilities": ((15,), (20,), 5, 0)}
    assert points == 0


def test_kinds_without_a_budget_of_their_own_have_the_common_one():
    assert budget_of(MASQUERADE, "garou") == budget_of(MASQUERADE, "mortal")
    assert budget_of(MASQUERADE, "vampire") != budget_of(MASQUERADE, "mortal")
    assert budget_of(MASQUERADE.with_options({"creation_vampire": []}), "vampire") is None
    bare = replace(MASQUERADE, options=(), settings={})
    assert budget_of(bare, "vampire") is None


def test_a_line_says_what_is_given_and_what_more_costs():
    for line, row in {
        "Attributes: 7/5/3, 5": ("attributes", "7/5/3", 5),
        " abilities :13 / 9/5 + 2": ("abilities", "13/9/5+2", 0),
        "Humanity: Conscience + self-control, 2": ("humanity", "conscience+self_control", 2),
        "Disciplines: 3, 7": ("disciplines", "3", 7),
        "Freebie points: 15": ("points", "15", 0),
    }.items():
        assert TABLE.read(line) == row
        assert TABLE.read(TABLE.written(row)) == row
    assert TABLE.written(("humanity", "conscience+self_control", 2)) == (
        "Humanity/Path: Conscience/Conviction + Self-Control/Instinct, 2"
    )
    assert TABLE.written(("abilities", "13/9/5+2", 0)) == "Abilities: 13/9/5 + 2"
    assert TABLE.written(("points", "15", 0)) == "Freebie points: 15"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Attributes", "Write a line like this"),
        ("Attributes: 7/5/3, -1", "Write a line like this"),
        ("Juggling: 3", "“Juggling” is not a part"),
        ("Humanity: Juggling, 2", "“Juggling” is not a part"),
        ("Attributes: 7/5", "Attributes: enter one number, or one for each group."),
        ("Disciplines: 3/2", "Disciplines: enter one number, or one for each group."),
    ],
)
def test_a_line_that_says_something_else_is_refused(line, message):
    with pytest.raises(ValueError, match=message):
        TABLE.read(line)


@pytest.mark.parametrize(
    "rows",
    [
        "text",
        [1],
        [["attributes", "7/5/3"]],
        [["juggling", "3", 1]],
        [["attributes", 7, 1]],
        [["attributes", "seven", 1]],
        [["attributes", "7/5", 1]],
        [["attributes", "7/5/3", True]],
        [["attributes", "7/5/3", "5"]],
        [["attributes", "7/5/3", 100]],
        [["attributes", "7/5/3", 5], ["attributes", "6/4/3", 5]],
    ],
)
def test_a_budget_that_cannot_be_is_refused(rows):
    with pytest.raises(BadOption) as problem:
        MASQUERADE.check_options({"creation_vampire": rows})
    assert problem.value.key == "creation_vampire"
