"""Which rule a condition's entry cites."""

from __future__ import annotations

import pytest

from combat.history.citations import rule_of_condition
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES


@pytest.mark.parametrize(
    ("ruleset", "condition", "rule"),
    [
        (MASQUERADE, "dead", "MQ-HEALTH-2"),
        (CHRONICLES, "bleeding", "CD-HEALTH-3"),
        (CHRONICLES, "bandaged", "CD-HEALTH-3"),
        (CHRONICLES, "prone", "CD-PRONE-1"),
        (DARKNESS, "dodging", "WD-DODGE-1"),
        (APOCALYPSE, "staked", "AP-SIT-7"),
        (MASQUERADE, "bleeding", "MQ-HEALTH-2"),
        (MASQUERADE, "cursed", ""),
    ],
)
def test_a_condition_cites_its_own_rule_or_that_of_the_harm_behind_it(ruleset, condition, rule):
    assert rule_of_condition(condition, ruleset) == rule
