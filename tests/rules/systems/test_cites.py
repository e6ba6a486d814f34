"""Every topic that a shared part speaks of stands on a rule of every ruleset (docs/decisions/0001)."""

import dataclasses
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.engine.messages import command_types
from rules.model.gear import Damage, Mode
from rules.model.system import System
from rules.systems import RULESETS

SOURCE = Path(rules.__file__).parent
COMPOSING = {"modifiers.py", "modifier_list.py", "sheets.py", "sheet.py", "apocalypse_sheet.py", "layouts.py"} | {
    "system.py",
    "apocalypse.py",
    "masquerade.py",
    "close_combat.py",
    "firearms.py",
    "options.py",
}
LITERAL = re.compile(r"""(?:cites\[|forbid\()\s*"([a-z_]+)"(?:\s+if\s+[^\]]+?\s+else\s+"([a-z_]+)")?""")


def topics_in(files: set[Path]) -> set[str]:
    return {topic for path in files for pair in LITERAL.findall(path.read_text()) for topic in pair if topic}


def parts_of(value: Any) -> Iterator[Path]:
    """The module of a part, and those of the parts that it is made of."""
    yield Path(getattr(sys.modules[type(value).__module__], "__file__", None) or "")
    for each in value if isinstance(value, tuple) else ():
        yield from parts_of(each)
    for field in dataclasses.fields(value) if dataclasses.is_dataclass(value) else ():
        if field.name != "system":
            yield from parts_of(getattr(value, field.name))


def composed(ruleset: System) -> set[Path]:
    """The modules of the parts that a ruleset is made of."""
    parts = (ruleset.mechanic, ruleset.pools, ruleset.initiative, ruleset.turns, ruleset.attack, ruleset.health)
    return {path for part in parts for path in parts_of(part) if SOURCE in path.parents}


def topics(ruleset: System) -> set[str]:
    """What is spoken of by what all rulesets share, and by this one's parts, but for commands that it does not know."""
    # Circumstances are made with a ruleset's own cites at hand, when it is put together.
    everything = {path for path in SOURCE.rglob("*.py") if not COMPOSING & set(path.parts)}
    others = {path for other in RULESETS.values() for path in composed(other)} - composed(ruleset)
    foreign = {topic for each in command_types() if not ruleset.knows(each.cls) for topic in each.topics}
    return (topics_in(everything - others) - foreign) | set(Mode) | set(Damage)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_topic_of_the_parts_stands_on_a_rule(ruleset):
    assert topics(ruleset) - {"input"} <= set(ruleset.cites)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_cited_rule_is_in_the_rulebook(ruleset):
    assert set(ruleset.cites.values()) <= set(ruleset.book.rules)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_house_rule_names_a_rule(ruleset):
    assert {option.rule for option in ruleset.options} <= set(ruleset.book.rules)


def test_the_search_for_topics_finds_them():
    assert {"pool", "wounds", "least_damage", "declaration", "heal"} <= topics(RULESETS["masquerade"])
    assert {"pool", "wounds", "defense", "surprise", "hold_over", "chance"} <= topics(RULESETS["darkness"])


def test_a_ruleset_speaks_of_nothing_that_only_others_have():
    assert topics(RULESETS["masquerade"]).isdisjoint({"defense", "chance", "hold_over"})
    assert topics(RULESETS["darkness"]).isdisjoint({"overage", "soak", "abort", "parry"})
