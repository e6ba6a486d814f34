"""Derived traits of each ruleset, and the Merits that it makes something of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.gear import Armor
from rules.rulesets import RULESETS
from rules.rulesets.apocalypse import APOCALYPSE
from rules.rulesets.darkness import DARKNESS
from rules.rulesets.masquerade import MASQUERADE
from rules.rulesets.storytelling import werewolf_shapes
from rules.rulesets.wounds import WOUNDS
from rules.sheet import Sheet


def figures(ruleset, sheet):
    return {each.key: each.value(sheet, ruleset) for each in ruleset.derived}


def test_initiative_running_and_boxes_of_the_classic_family():
    """MQ-INIT-1, AP-INIT-1, AP-SIT-9."""
    sheet = Sheet("", traits={"dexterity": 4, "wits": 2})
    assert figures(MASQUERADE, sheet) == {"initiative": 6, "health": 7}
    assert figures(APOCALYPSE, sheet) == {"initiative": 6, "running": 32, "health": 7}


def test_initiative_and_stride_of_wound_levels():
    """WL-INIT-1, WL-MOVE-1."""
    assert figures(WOUNDS, Sheet("", traits={"dexterity": 4, "wits": 2})) == {"initiative": 6, "stride": 25}


def test_defense_speed_initiative_and_boxes_of_the_world_of_darkness():
    """WD-DEF-1, WD-GEAR-1, WD-INIT-1, WD-HEALTH-1: armour takes a point of Defense and of Speed."""
    traits = {"strength": 3, "dexterity": 4, "wits": 3, "composure": 2, "stamina": 3}
    sheet = Sheet("", "garou", traits, armor=(Armor("plate", 4, defense=-2, speed=-3),))
    assert figures(DARKNESS, sheet) == {"defense": 1, "speed": 9, "initiative": 6, "health": 8}
    wolf = next(shape for shape in werewolf_shapes("WD-SHAPE-1") if shape.key == "lupus")
    assert figures(DARKNESS, replace(sheet, shape=wolf)) == {"defense": 1, "speed": 14, "initiative": 8, "health": 8}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_each_stands_on_a_rule_of_its_ruleset(ruleset):
    rules = [each.rule for each in (*ruleset.derived, *ruleset.merits)]
    assert set(rules) <= set(ruleset.book.rules)
