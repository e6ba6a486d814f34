"""The layout of a sheet, and reading a sheet by it."""

from __future__ import annotations

import pytest

from rules.model.kinds import Kind
from rules.model.pools import labels
from rules.model.sheet import Category, Group, Layout, Section, Trait
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from tests.rules.table import mortal, vampire

LAYOUT = MASQUERADE.layout


def test_the_sheet_has_nine_attributes_and_thirty_abilities():
    """MQ-DICE-1."""
    counted = [trait.category for trait in LAYOUT.traits_for("vampire")]
    assert (counted.count(Category.ATTRIBUTE), counted.count(Category.ABILITY)) == (9, 30)


def test_every_trait_has_a_key_of_its_own_in_snake_case():
    keys = [trait.key for trait in LAYOUT.traits()]
    assert len(keys) == len(set(keys))
    assert all(key.isidentifier() and key == key.lower() for key in keys)
    assert {"animal_ken", "self_control"} <= set(keys)


def test_humanity_and_willpower_go_up_to_ten():
    """MQ-DICE-2."""
    ten_dot = {trait.key for trait in LAYOUT.traits() if trait.category is Category.TEN_DOT}
    assert ten_dot - {"glory", "honor", "wisdom"} == {"humanity", "willpower"}
    assert LAYOUT.trait("humanity").maximum == LAYOUT.trait("willpower").maximum == 10


def test_only_the_blooded_have_disciplines_and_only_vampires_a_generation():
    def sections(kind):
        return {section.key for section in LAYOUT.for_kind(kind)}

    assert sections("vampire") - sections("ghoul") == {"blood"}
    assert sections("ghoul") - sections("mortal") == {"disciplines"}


@pytest.mark.parametrize(("kind", "has"), [("vampire", True), ("ghoul", True), ("mortal", False), ("garou", False)])
def test_only_the_blooded_have_blood(kind, has):
    assert ("blood" in {resource.key for resource in LAYOUT.resources_for(kind)}) is has


def test_what_a_sheet_does_not_say_is_the_layouts_default():
    """MQ-DICE-1: an Attribute left out has one dot."""
    assert (LAYOUT.dots(mortal(), "strength"), LAYOUT.dots(mortal(), "brawl")) == (1, 0)
    assert LAYOUT.dots(mortal(strength=0), "strength") == 0


def test_an_unknown_trait_is_an_ability():
    assert LAYOUT.trait("rocket_science") == Trait("rocket_science", "Rocket science", Category.ABILITY)


@pytest.mark.parametrize(
    ("generation", "most"),
    [
        (4, 50),
        (5, 40),
        (6, 30),
        (7, 20),
        (8, 15),
        (9, 14),
        (10, 13),
        (11, 12),
        (12, 11),
        (13, 10),
        (15, 10),
        (None, 10),
    ],
)
def test_blood_goes_by_generation(generation, most):
    sheet = vampire() if generation is None else vampire(generation=generation)
    assert LAYOUT.maximum(sheet, "blood") == LAYOUT.points(sheet, "blood_pool") == most


def test_points_are_full_where_the_sheet_says_nothing():
    assert LAYOUT.points(mortal(willpower=6), "willpower") == 6
    assert LAYOUT.points(mortal(willpower=6, resources={"willpower": 2}), "willpower") == 2


@pytest.mark.parametrize("alias", ["blood", "blood_pool", "blood_points"])
def test_blood_is_known_by_other_names(alias):
    assert LAYOUT.resource(alias).key == "blood"
    assert LAYOUT.points(vampire(resources={alias: 3}), "blood") == 3


def test_points_that_nobody_knows_are_what_the_sheet_holds():
    sheet = mortal(resources={"luck": 2})
    assert LAYOUT.resource("luck") is None
    assert (LAYOUT.points(sheet, "luck"), LAYOUT.maximum(sheet, "luck")) == (2, 2)
    assert LAYOUT.points(mortal(), "luck") == 0


def test_a_mortal_has_no_blood_points():
    assert LAYOUT.maximum(mortal(), "blood") == LAYOUT.points(mortal(), "blood") == 0


def test_a_new_sheet_begins_with_its_start_and_an_old_one_that_says_nothing_with_none():
    """MQ-DICE-2."""
    humanity, strength = LAYOUT.trait("humanity"), LAYOUT.trait("strength")
    assert (humanity.offered, humanity.default) == (7, 0)
    assert strength.offered == strength.default == 1


def on_sheet(system, kind):
    return {t.key: t for section in system.layout.for_kind(kind) for group in section.groups for t in group.traits}


@pytest.mark.parametrize("system", [MASQUERADE, APOCALYPSE, WOUNDS], ids=lambda system: system.key)
def test_garou_have_renown_up_to_ten_and_a_rank(system):
    traits = on_sheet(system, "garou")
    assert [(traits[key].minimum, traits[key].maximum) for key in ("glory", "honor", "wisdom")] == [(0, 10)] * 3
    assert (traits["rank"].category, traits["rank"].maximum, traits["rank"].offered) == (Category.FACT, 6, 1)
    assert not {"glory", "honor", "wisdom", "rank"} & (on_sheet(system, "vampire").keys() | on_sheet(system, "mortal"))
    assert system.layout.dots(mortal(), "glory") == system.layout.dots(mortal(), "rank") == 0


def test_werewolves_have_the_renown_of_their_game():
    """WD-EXP-1, CD-EXP-1."""
    renown = {"cunning", "glory", "honor", "purity", "wisdom"}
    for system in (DARKNESS, CHRONICLES):
        traits = on_sheet(system, "garou")
        assert {key for key, trait in traits.items() if trait.category is Category.RENOWN} == renown
        assert {traits[key].maximum for key in renown} == {5}
        assert (traits["primal_urge"].default, traits["primal_urge"].maximum) == (1, 10)
        assert not (renown | {"primal_urge"}) & on_sheet(system, "vampire").keys()
    assert "rank" in on_sheet(DARKNESS, "garou")
    assert "rank" not in on_sheet(CHRONICLES, "garou")


@pytest.mark.parametrize(
    ("system", "key", "called"),
    [
        (MASQUERADE, "humanity", {"mortal": "Humanity", "vampire": "Humanity/Path"}),
        (MASQUERADE, "conscience", {"mortal": "Conscience", "vampire": "Conscience/Conviction"}),
        (MASQUERADE, "self_control", {"ghoul": "Self-Control", "vampire": "Self-Control/Instinct"}),
        (DARKNESS, "morality", {"mortal": "Morality", "vampire": "Humanity", "garou": "Harmony"}),
        (CHRONICLES, "integrity", {"ghoul": "Integrity", "vampire": "Humanity", "garou": "Harmony"}),
        (WOUNDS, "humanity", {"vampire": "Humanity/Path"}),
    ],
    ids=lambda each: getattr(each, "key", ""),
)
def test_each_kind_calls_its_morality_by_its_name(system, key, called):
    assert {kind: on_sheet(system, kind)[key].label for kind in called} == called
    assert {kind: system.layout.trait(key, kind).label for kind in called} == called


def test_a_chronicles_own_kind_calls_it_as_the_kind_that_it_is_like():
    system = DARKNESS.with_kinds([Kind("own-lamia", "Lamia", frozenset(), like="vampire")])
    assert on_sheet(system, "own-lamia")["morality"].label == system.layout.trait("morality", "own-lamia").label
    assert system.layout.trait("morality", "own-lamia").label == "Humanity"


def test_a_line_may_use_any_name_and_labels_count_first():
    assert [DARKNESS.layout.key_of(name) for name in ("harmony", "Humanity", "MORALITY")] == ["morality"] * 3
    assert [DARKNESS.layout.key_of(name) for name in ("Size", "Luck")] == ["", ""]
    clash = Group(
        "", (Trait("dread", "Dread", Category.ABILITY, aliases=("Awe",)), Trait("awe", "Awe", Category.ABILITY))
    )
    assert Layout((Section("own", "Own", (clash,)),), ()).key_of("awe") == "awe"


ADDED = {
    MASQUERADE: {
        *("awareness", "expression", "hobby_talent", "larceny", "professional_skill", "technology", "expert_knowledge"),
    },
    APOCALYPSE: {"technology"},
}


@pytest.mark.parametrize("system", ADDED, ids=lambda system: system.key)
def test_a_house_rule_adds_the_abilities_of_the_anniversary_edition(system):
    """MQ-ABIL-1, AP-ABIL-1."""
    on = system.with_options({"anniversary_abilities": True})
    assert system.layout.off == ADDED[system]
    assert on.layout.off == frozenset()
    for kind in system.kinds:
        assert on_sheet(on, kind).keys() - on_sheet(system, kind).keys() == ADDED[system]
    assert on.with_options({}).layout.off == ADDED[system]


def test_a_sheet_keeps_the_added_abilities_in_which_it_has_dots():
    """MQ-ABIL-1."""
    dots = {"awareness": 3, "technology": 0, "brawl": 2}
    kept = {trait.key for trait in LAYOUT.traits_for("vampire", dots)}
    assert kept - on_sheet(MASQUERADE, "vampire").keys() == {"awareness"}
    assert "awareness" in {trait.key for trait in LAYOUT.special_traits("vampire", dots)}
    assert "awareness" not in {trait.key for trait in LAYOUT.special_traits("vampire")}


def test_abilities_of_a_house_rule_that_is_off_are_known_to_lines_and_rolled():
    """MQ-ABIL-1."""
    assert MASQUERADE.with_options({"own_rolls": ["Sensing: Perception + Awareness, 7"]}).ready_rolls()[-1].traits == (
        "perception",
        "awareness",
    )
    assert LAYOUT.trait("awareness").label == "Awareness"
    assert LAYOUT.dots(vampire(awareness=2), "awareness") == 2
    assert ("awareness" in labels(MASQUERADE), "alertness" in labels(MASQUERADE)) == (False, True)
