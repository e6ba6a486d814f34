"""What a ruleset is, and that this package uses no randomness, clock or framework."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import rules
from rules.engine.violations import Referee, RuleViolation
from rules.model.system import SystemPart
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE

RULES = Path(rules.__file__).parent
FORBIDDEN = {"django", "channels", "random", "secrets", "datetime", "time", "os", "socket", "uuid"}


def test_rulesets_are_found_by_key():
    assert RULESETS["masquerade"] is MASQUERADE
    assert MASQUERADE.name == "Masquerade"


def test_an_unknown_kind_of_creature_is_a_mortal():
    """MQ-DICE-4, MQ-DMG-4."""
    assert MASQUERADE.kind("dragon") is MASQUERADE.kinds["mortal"]


def test_circumstances_are_known_by_key_and_alias():
    """MQ-ATK-8."""
    assert MASQUERADE.circumstances.rule("short_burst") is MASQUERADE.modifiers["burst"]
    names = [name for rule in MASQUERADE.circumstances.played.values() for name in (rule.key, *rule.aliases)]
    assert len(names) == len(set(names))


def test_a_referee_forbids_or_notes_what_is_waived_once():
    referee = Referee({"MQ-ATK-8"})
    referee.forbid("MQ-ATK-8", "Too few rounds.")
    referee.forbid("MQ-ATK-8", "Too few rounds.")
    assert [(flag.rule, flag.text) for flag in referee.waived] == [("MQ-ATK-8", "Too few rounds.")]
    with pytest.raises(RuleViolation, match=r"^No\. \(MQ-ATK-7\)$"):
        referee.forbid("MQ-ATK-7", "No.")


def test_nobody_waives_sense():
    with pytest.raises(RuleViolation):
        Referee({"input"}).forbid("input", "No.")


def _imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("module", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES)))
def test_the_rules_import_no_framework_no_clock_and_no_chance(module):
    imported = set(_imported(ast.parse(module.read_text(encoding="utf-8"))))
    assert not imported & FORBIDDEN
    assert imported <= {"rules"} | set(sys.stdlib_module_names)


def test_the_rules_run_in_a_bare_interpreter():
    """Without site-packages, and without Django."""
    names = [
        ".".join(path.relative_to(RULES.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(RULES.rglob("*.py"))
    ]
    program = (
        "import importlib, json, sys\n"
        f"sys.path.insert(0, {str(RULES.parent)!r})\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert not loaded & {"django", "channels", "secrets"}


@pytest.mark.parametrize(("ruleset", "short"), [("masquerade", "m"), ("darkness", "yd")])
def test_distances_have_a_unit_that_is_short(ruleset, short):
    assert RULESETS[ruleset].short_unit == short


def parts_in(value):
    """Every part in a value, recursively."""
    if isinstance(value, SystemPart):
        yield value
    if isinstance(value, tuple | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from parts_in(each)
    elif is_dataclass(value):
        for each in fields(value):
            if each.name != "system":
                yield from parts_in(getattr(value, each.name))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_part_belongs_to_the_system_as_it_is_played(ruleset):
    played = ruleset.with_options({}).with_kinds([])
    for system in (ruleset, played):
        parts = [part for each in fields(system) for part in parts_in(getattr(system, each.name))]
        assert len(parts) >= 8
        assert all(part.system is system for part in parts)
