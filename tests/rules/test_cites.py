"""Every topic that a shared part speaks of stands on a rule of every ruleset (docs/decisions/0001)."""

import re
from pathlib import Path

import pytest

import rules
from rules.gear import Damage, Mode
from rules.rulesets import RULESETS

SOURCE = Path(rules.__file__).parent
LITERAL = re.compile(r"""(?:cites\[|forbid\()\s*"([a-z_]+)"(?:\s+if\s+\w+\s+else\s+"([a-z_]+)")?""")


def topics() -> set[str]:
    files = [path for path in SOURCE.rglob("*.py") if "rulesets" not in path.parts]
    found = {topic for path in files for pair in LITERAL.findall(path.read_text()) for topic in pair if topic}
    return found | set(Mode) | set(Damage)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_topic_of_the_parts_stands_on_a_rule(ruleset):
    assert topics() - {"input"} <= set(ruleset.cites)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_cited_rule_is_in_the_rulebook(ruleset):
    assert set(ruleset.cites.values()) <= set(ruleset.book.rules)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_house_rule_names_a_rule(ruleset):
    assert {option.rule for option in ruleset.options} <= set(ruleset.book.rules)


def test_the_search_for_topics_finds_them():
    assert {"pool", "wounds", "least_damage", "declaration", "heal"} <= topics()
