"""The rules are watched while they are tested."""

from rules.systems import RULESETS
from tests.rules.citing import Watch

WATCH = Watch(tuple(RULESETS.values()))
WATCH.begin()
