"""The rulesets that there are, by key. A new one is a module beside its neighbours and a line here."""

from collections.abc import Mapping

from rules.ruleset import Ruleset
from rules.rulesets.apocalypse import APOCALYPSE
from rules.rulesets.chronicles import CHRONICLES
from rules.rulesets.darkness import DARKNESS
from rules.rulesets.masquerade import MASQUERADE
from rules.rulesets.wounds import WOUNDS

RULESETS: Mapping[str, Ruleset] = {
    ruleset.key: ruleset for ruleset in (MASQUERADE, APOCALYPSE, DARKNESS, CHRONICLES, WOUNDS)
}
