"""Checks the rules' citations during their tests."""

from rules.systems import RULESETS
from tests.rules.citing import Watch

WATCH = Watch(tuple(RULESETS.values()))
WATCH.begin()
