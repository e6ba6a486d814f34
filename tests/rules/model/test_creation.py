"""Budgets of new characters: how their lines are read, and what a sheet's dots spend of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.creation import BudgetTable, StartTable, account, budget_of, in_entries
from rules.model.options import BadOption
from rules.model.people import EXAMPLES, people
from rules.systems import RULESETS

MASQUERADE, DARKNESS = RULESETS["masquerade"], RULESETS["darkness"]
APOCALYPSE = RULESETS["apocalypse"]
TABLE = BudgetTable(MASQUERADE.layout.for_kind("vampire"), MASQUERADE.layout.lists_for("vampire"), special=True)
STARTS = StartTable(tuple(APOCALYPSE.layout.traits()))


def of(system, person):
    """A person's account."""
    dots = {trait.key: trait.default for trait in system.layout.traits()} | dict(person.traits)
    budget = budget_of(system, person.kind)
    specialties = sum(len(names) for names in person.specialties.values())
    return account(budget, dots, in_entries(person.lists, specialties), person.details.values())


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
        "Backgrounds: 5, 1": ("list:backgrounds", "5", 1),
        "Specialties: 3": ("specialty", "3", 0),
    }.items():
        assert TABLE.read(line) == row
        assert TABLE.read(TABLE.written(row)) == row
    assert TABLE.written(("humanity", "conscience+self_control", 2)) == (
        "Humanity/Path: Conscience/Conviction + Self-Control/Instinct, 2"
    )
    assert TABLE.written(("abilities", "13/9/5+2", 0)) == "Abilities: 13/9/5 + 2"
    assert TABLE.written(("points", "15", 0)) == "Freebie points: 15"
    assert TABLE.written(("list:backgrounds", "5", 1)) == "Backgrounds: 5, 1"
    assert TABLE.written(("specialty", "3", 0)) == "Specialties: 3"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Attributes", "Write a line like this"),
        ("Attributes: 7/5/3, -1", "Write a line like this"),
        ("Juggling: 3", "“Juggling” is not a part"),
        ("Humanity: Juggling, 2", "“Juggling” is not a part"),
        ("Attributes: 7/5", "Attributes: enter one number, or one for each group."),
        ("Disciplines: 3/2", "Disciplines: enter one number, or one for each group."),
        ("Backgrounds: 3/2", "Backgrounds: enter one number."),
        ("Backgrounds: 3 + 1", "Backgrounds: enter one number."),
        ("Specialties: Courage", "Specialties: enter one number."),
        ("Gifts: 3", "“Gifts” is not a part"),
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


# ------------------------------------------------------------------ lists and specialties


def spent(system, kind, lists, specialties=0):
    """key -> (spent, left, over) of a budget's lists and specialties, and the points left."""
    found = account(budget_of(system, kind), {}, in_entries(lists, specialties))
    counts = {each.line.key: (each.spent, each.left, each.over) for each in found.counts if not each.line.groups}
    return counts, found.left


def test_entries_count_their_dots_and_one_without_any():
    found, points = spent(MASQUERADE, "vampire", {"backgrounds": [("Allies", 3), ("Mentor", 0)]})
    assert found == {"list:backgrounds": ((4,), 1, 0), "list:merits": ((0,), 0, 0)}
    assert points == 15
    found, points = spent(MASQUERADE, "vampire", {"backgrounds": [("Allies", 5), ("Herd", 2)], "merits": [("Calm", 3)]})
    assert found == {"list:backgrounds": ((7,), 0, 2), "list:merits": ((3,), 0, 3)}
    assert points == 15 - 2 - 3


def test_a_line_names_its_list():
    lines = budget_of(DARKNESS, "garou").lines
    assert {line.key: line.list for line in lines if not line.groups} == {
        "specialty": "",
        "list:merits": "merits",
        "list:gifts": "gifts",
    }
    assert {line.list for line in lines if line.groups} == {""}


def test_lists_of_other_kinds_and_others_count_nothing():
    found, points = spent(MASQUERADE, "vampire", {"flaws": [("Short", 5)], "gifts": [("Razor Claws", 1)]}, 4)
    assert (found["list:backgrounds"], points) == (((0,), 5, 0), 15)


def test_gifts_and_specialties():
    found, points = spent(APOCALYPSE, "garou", {"gifts": [("Falling Touch", 1), ("Resist Pain", 3)]}, 2)
    assert (found["list:gifts"], "specialty" in found, points) == (((4,), 0, 1), False, 15 - 7)
    found, _points = spent(DARKNESS, "garou", {"gifts": [("Clarity", 1)], "merits": [("Giant", 4), ("Fame", 4)]}, 2)
    assert found == {"specialty": ((2,), 1, 0), "list:merits": ((8,), 0, 1), "list:gifts": ((1,), 2, 0)}


def test_a_ruleset_without_specialties_budgets_none():
    with pytest.raises(ValueError, match="“Specialties” is not a part"):
        replace(TABLE, special=False).read("Specialties: 3")


# ------------------------------------------------------------------ starting dots


def test_the_auspice_gives_rage_and_the_breed_gnosis():
    """AP-MAKE-1."""
    budget = budget_of(APOCALYPSE, "garou")

    def rage_and_gnosis(*words):
        found = account(budget, {"rage": 5, "gnosis": 3}, words=words)
        by = {each.line.key: (each.given, each.left, each.over) for each in found.counts}
        return by["rage"], by["gnosis"], found.left

    assert rage_and_gnosis("Judge", " ahroun ", "Lupus") == (((5,), 0, 0), ((5,), 2, 0), 15)
    assert rage_and_gnosis("Ragabash", "Homid") == (((1,), 0, 4), ((1,), 0, 2), 15 - 4 - 2 * 2)
    assert rage_and_gnosis("Stargazers") == (((3,), 0, 2), ((3,), 0, 0), 15 - 2)


def test_starting_dots_are_a_house_rule():
    own = APOCALYPSE.with_options({"creation_starts": [["Wendigo", "willpower", 4], ["Wendigo", "rage", 2]]})
    assert budget_of(own, "garou").starts == {"willpower": {"wendigo": 4}, "rage": {"wendigo": 2}}
    assert budget_of(APOCALYPSE.with_options({"creation_starts": []}), "garou").starts == {}
    assert budget_of(MASQUERADE, "vampire").starts == {}
    row = ("Get of Fenris", "rage", 4)
    assert STARTS.read(" Get of Fenris: rage 4") == row
    assert STARTS.written(row) == "Get of Fenris: Rage 4"
    assert STARTS.read("Uktena: Animal Ken 2") == ("Uktena", "animal_ken", 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Ahroun", "Write a line like this: “Ahroun: Rage 5”."),
        ("Ahroun: Rage", "Write a line like this: “Ahroun: Rage 5”."),
        (" : Rage 5", "Write a line like this: “Ahroun: Rage 5”."),
        ("Ahroun: Fury 5", "“Fury” is not a part"),
        ("Ahroun: Rage 11", "Starting dots of Rage must be at most 10."),
    ],
)
def test_a_line_of_starting_dots_that_says_something_else_is_refused(line, message):
    with pytest.raises(ValueError, match=message):
        STARTS.read(line)


@pytest.mark.parametrize(
    "rows",
    [
        "text",
        [1],
        [["Ahroun", "rage"]],
        [["Ahroun", "juggling", 1]],
        [["", "rage", 1]],
        [["A" * 81, "rage", 1]],
        [[7, "rage", 1]],
        [["Ahroun", "rage", True]],
        [["Ahroun", "rage", 11]],
        [["Ahroun", "rage", 5], ["AHROUN", "rage", 4]],
    ],
)
def test_starting_dots_that_cannot_be_are_refused(rows):
    with pytest.raises(BadOption) as problem:
        APOCALYPSE.check_options({"creation_starts": rows})
    assert problem.value.key == "creation_starts"
