"""A chronicle's own Traits and sections of the sheet."""

from __future__ import annotations

import pytest

from rules.model.creation import budget_of
from rules.model.kinds import Kind
from rules.model.options import BadOption
from rules.model.own_traits import LONGEST_NAME, MOST_OWN, Sort, check_own, places, read_own
from rules.model.roll import RollTraits
from rules.model.sheet import Category, Sheet
from rules.model.system import Game
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.rolls.pools import plan_roll
from tests.rules.table import Table

SAILING = {"label": " Sea   craft ", "sort": "ability", "place": "abilities/1", "most": 5}
DREAD = {"label": "Dread", "sort": "alone", "section": "Night", "most": 10, "kinds": ["vampire"]}
DEBTS = {"label": "Debts", "sort": "fact", "section": "night", "most": 15, "kinds": ["vampire"]}
OATHS = {"label": "Oaths", "sort": "text"}


def read(key="own_a", system=MASQUERADE, **given):
    return read_own(key, given, system.layout, system.kinds)


def played(*given, system=MASQUERADE):
    return system.with_traits(tuple(read(f"own_{number}", system, **each) for number, each in enumerate(given)))


def headed(system, kind, dots=None):
    return {
        section.label: [[trait.label for trait in group.traits] for group in section.groups]
        for section in system.layout.for_kind(kind, dots)
    }


def test_an_ability_stands_among_those_of_the_ruleset():
    system = played(SAILING)
    assert headed(system, "mortal")["Abilities"][1][-1] == "Sea craft"
    trait = system.layout.trait("own_0")
    assert (trait.category, trait.minimum, trait.maximum, trait.dotted, trait.own) == (
        Category.ABILITY,
        0,
        5,
        True,
        True,
    )
    assert trait in system.layout.special_traits("mortal")
    assert headed(MASQUERADE, "mortal")["Abilities"][1][-1] != "Sea craft"


def test_traits_of_one_section_are_together_on_the_sheets_of_their_kinds():
    system = played(DREAD, SAILING, DEBTS)
    assert headed(system, "vampire")["Night"] == [["Dread", "Debts"]]
    assert "Night" not in headed(system, "mortal")
    assert "Night" in headed(system.with_kinds([Kind("own-lamia", "Lamia", frozenset(), like="vampire")]), "own-lamia")
    assert [system.layout.trait(key).dotted for key in ("own_0", "own_2")] == [True, False]


def test_a_text_is_a_detail_of_its_own():
    system = played(OATHS)
    detail = system.layout.details_for("garou")[-1]
    assert (detail.label, detail.long, detail.own) == ("Oaths", True, True)
    assert list(system.layout.traits()) == list(MASQUERADE.layout.traits())


def test_what_is_gone_stays_where_there_is_something_in_it():
    system = played({**SAILING, "gone": True}, {**OATHS, "gone": True}).with_options({})
    assert system.layout.off - MASQUERADE.layout.off == {"own_0"}
    assert headed(system, "mortal")["Abilities"] == headed(MASQUERADE, "mortal")["Abilities"]
    assert headed(system, "mortal", {"own_0": 2})["Abilities"][1][-1] == "Sea craft"
    details = system.layout.details_for
    assert [len(details("mortal", filled)) - len(details("mortal")) for filled in ({}, {"own_1": "To the sea"})] == [
        0,
        1,
    ]


def test_they_are_rolled_by_their_sort():
    """MQ-DICE-1, MQ-DICE-7."""
    system = played(SAILING, DREAD, DEBTS)
    table = Table(system, ann=Sheet("Ann", "vampire", {"dexterity": 2, "own_0": 3, "own_1": 4, "own_2": 3, "brawl": 1}))
    game = Game(table.state, table.ruleset)

    def pool(*traits):
        return plan_roll(game, RollTraits("ann", traits)).pool

    assert (pool("dexterity", "own_0"), pool("own_1"), pool("own_1", "dexterity")) == (5, 4, 6)
    table.refuses("MQ-DICE-1", RollTraits("ann", ("own_0",)))
    table.refuses("MQ-DICE-1", RollTraits("ann", ("own_1", "brawl")))
    table.refuses("input", RollTraits("ann", ("own_2",)))
    without = Table(system, ann=Sheet("Ann", "vampire", {"dexterity": 2}))
    labels = [
        part.label for part in plan_roll(Game(without.state, system), RollTraits("ann", ("dexterity", "own_0"))).parts
    ]
    assert labels[1] == "Sea craft, untrained"


def test_lines_of_house_rules_name_them_by_any_of_their_names():
    system = played({**DREAD, "was": ["Terror"]})
    for name in ("Dread", "terror"):
        found = system.with_options({"own_rolls": [f"Stare: {name}, 7"], "experience_prices": [f"{name}: current x 3"]})
        assert found.ready_rolls()[-1].traits == ("own_0",)
        assert found.prices()[0].about.key == "own_0"
    with pytest.raises(BadOption):
        MASQUERADE.with_options({"own_rolls": ["Stare: Dread, 7"]})
    own = DARKNESS.with_traits((read(system=DARKNESS, **DREAD),))
    assert own.with_options({"own_rolls": ["Stare: Dread"]}).ready_rolls()[-1].traits == ("own_a",)
    with pytest.raises(BadOption):
        DARKNESS.with_options({"own_rolls": ["Stare: Dread"]})


def test_an_ability_of_ones_own_counts_in_the_budget_of_its_heading():
    budget = budget_of(played(SAILING), "vampire")
    line = next(line for line in budget.lines if line.key == "abilities")
    assert "own_0" in {trait.key for trait in line.groups[1]}


def test_where_an_ability_can_be():
    assert list(places(MASQUERADE.layout).values()) == ["Talents", "Skills", "Knowledges"]
    assert list(places(DARKNESS.layout)) == ["skills/0", "skills/1", "skills/2"]


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"sort": "spell"}, "sort"),
        ({"sort": None}, "sort"),
        ({"place": "attributes/0"}, "place"),
        ({"place": 3}, "place"),
        ({"sort": "alone"}, "place"),
        ({"place": ""}, "section"),
        ({"place": "", "section": "x" * (LONGEST_NAME + 1)}, "section"),
        ({"most": 0}, "most"),
        ({"most": 21}, "most"),
        ({"most": True}, "most"),
        ({"most": "5"}, "most"),
        ({"kinds": ["dragon"]}, "kinds"),
        ({"kinds": "vampire"}, "kinds"),
        ({"label": ""}, "label"),
        ({"label": 7}, "label"),
        ({"label": "x" * (LONGEST_NAME + 1)}, "label"),
        ({"label": "Sea + Sky"}, "label"),
        ({"label": "Sea, cold"}, "label"),
    ],
)
def test_bad_input_is_refused_at_its_setting(given, key):
    with pytest.raises(BadOption) as refused:
        read(**(SAILING | given))
    assert refused.value.key == key


def test_a_text_may_have_any_name():
    assert read(label="Oaths: old, new", sort="text").sort is Sort.TEXT


def test_no_two_have_the_same_name():
    check_own([read(**SAILING), read(**DREAD), read(**OATHS)], MASQUERADE.layout)
    for label in ("brawl", "Humanity/Path", "CLAN", "Dread"):
        with pytest.raises(BadOption) as refused:
            check_own([read(**DREAD), read(**SAILING | {"label": label})], MASQUERADE.layout)
        assert refused.value.key == "label"


def test_there_is_a_limit():
    many = [read(f"own_{number}", **DREAD | {"label": f"Dread {number}"}) for number in range(MOST_OWN + 1)]
    check_own(many[:-1], MASQUERADE.layout)
    with pytest.raises(BadOption):
        check_own(many, MASQUERADE.layout)


def test_its_names_begin_with_the_present_one():
    assert read(**SAILING | {"was": ["Boats"]}).names == ("Sea craft", "Boats")
