"""Each ruleset's derived Traits, and the Merits that it uses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Armor
from rules.model.sheet import Sheet
from rules.systems import RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.sheets import werewolf_shapes
from rules.systems.wound_levels.system import WOUNDS


def figures(ruleset, sheet):
    return {each.key: each.value(ruleset, sheet) for each in ruleset.derived}


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
