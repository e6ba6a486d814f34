"""The rulesets that there are, by key. A new one is a module beside its neighbours and a line here."""

from collections.abc import Mapping

from rules.model.system import System
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS

RULESETS: Mapping[str, System] = {
    ruleset.key: ruleset for ruleset in (MASQUERADE, APOCALYPSE, DARKNESS, CHRONICLES, WOUNDS)
}
