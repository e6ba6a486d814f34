"""Finding rulesets by entry points, and rejecting invalid ones."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint

import pytest

from rules import rulebook
from rules.engine.catalogues import GROUP, folders_of
from rules.engine.messages import EVENTS
from rules.model.conditions import conditions
from rules.systems import BUILT_IN, RULESETS
from rules.systems.registry import BadSystem, admit
from tests.rules.systems.packages import BOOK, install, points


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    rulebook.load.cache_clear()  # several packages have the same name here
    rulebook.answers.cache_clear()
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def rejected(folder):
    """The reason why the one package in a folder is rejected; the built-in rulesets are all there."""
    systems, (found,) = admit(BUILT_IN, points(folder))
    assert systems == {point.name: RULESETS[point.name] for point in BUILT_IN}
    assert (found.key, found.package) == ("checkers", "checkers 1.2")
    return found.reason


def test_a_package_s_ruleset_is_admitted_behind_the_built_in_ones(folder):
    systems, refused = admit(BUILT_IN, points(install(folder)))
    assert [*systems] == [*(point.name for point in BUILT_IN), "checkers"]
    assert systems["checkers"].book["CH-ONE-1"].title == "A rule"
    assert systems["checkers"].book.answers() == {}
    assert refused == ()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise OSError('no dice')", "it could not be loaded: OSError: no dice"),
        ("import backgammon", "it could not be loaded: ModuleNotFoundError: No module named 'backgammon'"),
        ("del SYSTEM", "it could not be loaded: AttributeError: module 'checkers' has no attribute 'SYSTEM'"),
        ("SYSTEM = {}", "“checkers:SYSTEM” is dict, not System."),
        ("SYSTEM = MASQUERADE", "its key is “masquerade”, but it is registered as “checkers”."),
        ("SYSTEM = replace(SYSTEM, book=type('Book', (), {'name': 'X'})())", "its book is Book, not Rulebook."),
        ("SYSTEM = replace(SYSTEM, layout=None)", "its layout is NoneType, not Layout."),
        ("SYSTEM = replace(SYSTEM, health=SYSTEM.pools)", "its health (PoolRules) has no “one_by_one”."),
        ("SYSTEM = replace(SYSTEM, kinds={})", "it has no kind of creature “mortal”."),
        (
            "SYSTEM = replace(SYSTEM, kinds={**SYSTEM.kinds, 'ghost': SYSTEM.kinds['mortal']})",
            "its kind of creature “ghost” is not a Kind of that key.",
        ),
        (
            "SYSTEM = replace(SYSTEM, cites={**SYSTEM.cites, 'pool': 'CH-TWO-2'})",
            "its rulebook has no rule CH-TWO-2, which the topic “pool” cites.",
        ),
        (
            "SYSTEM = replace(SYSTEM, modifiers={'target_head': MASQUERADE.modifiers['target_head']})",
            "its rulebook has no rule MQ-VAMP-1, which ModifierRule “target_head” cites.",
        ),
        ("SYSTEM = replace(SYSTEM, presets=(('Sneaking', 'Dexterity + Sneaking'),))", "it could not be loaded: "),
    ],
)
def test_what_is_broken_is_rejected_with_a_reason_and_the_others_stay(folder, code, reason):
    assert rejected(install(folder, code=code)).startswith(reason)


def test_a_key_that_is_taken_is_rejected(folder):
    install(folder, "aaa")
    systems, (refused,) = admit(BUILT_IN, points(install(folder, "zzz", prefix="ZZ")))
    assert "checkers" in systems
    assert (refused.package, refused.reason) == ("zzz 1.2", "there is a system with the key “checkers” already.")
    _systems, (refused,) = admit(BUILT_IN, [EntryPoint("wounds", "checkers:SYSTEM", GROUP)])
    assert refused.reason == "there is a system with the key “wounds” already."


def test_rules_that_another_has_are_rejected(folder):
    assert rejected(install(folder, prefix="MQ")) == "Masquerade has rules with the prefix “MQ” already."


def test_a_rule_of_another_s_under_a_prefix_of_one_s_own_is_rejected(folder):
    book = BOOK + '\n[[rule]]\nid = "MQ-ATK-6"\ntitle = "Taken"\ntext = "Another has it."\n'
    assert rejected(install(folder, book=book)) == "Masquerade has a rule MQ-ATK-6 already."


def test_a_key_that_can_stand_in_no_address_is_rejected(folder):
    _systems, (refused,) = admit(BUILT_IN, points(install(folder, "checkers", key="Check-ers")))
    assert refused.reason.startswith("its key “Check-ers” is not 1 to 30 small letters")


def test_an_answer_that_stands_on_no_rule_is_rejected(folder):
    install(folder)
    (folder / "checkers" / "answers").mkdir()
    answer = '[[answer]]\nquestion = "first"\ntext = "White."\nrules = ["CH-NONE-1"]\n'
    (folder / "checkers" / "answers" / "checkers.toml").write_text(answer)
    assert rejected(folder) == "its rulebook has no rule CH-NONE-1, which the answer to “first” cites."


def test_what_a_rejected_package_declared_is_taken_back(folder):
    code = """
from dataclasses import dataclass
from rules.engine.messages import Event, event
from rules.engine.phrases import phrase
from rules.model.conditions import Condition, declare

@event()
@dataclass(frozen=True, slots=True)
class PieceCrowned(Event):
    who: str

declare(Condition("crowned", phrase("crowned")))

raise TypeError("And then this.")
"""
    assert rejected(install(folder, code=code)).endswith("TypeError: And then this.")
    assert "PieceCrowned" not in EVENTS
    assert "crowned" not in [each.key for each in conditions()]


def test_an_event_of_a_name_that_is_taken_is_rejected(folder):
    code = """
from dataclasses import dataclass
from rules.engine.messages import Event, event

@event()
@dataclass(frozen=True, slots=True)
class AttackResolved(Event):
    who: str
"""
    reason = "it could not be loaded: TypeError: A message called AttackResolved has been declared already."
    assert rejected(install(folder, code=code)) == reason


def test_a_broken_built_in_ruleset_is_no_matter_of_packages(folder):
    install(folder, code="SYSTEM = replace(SYSTEM, kinds={})")
    with pytest.raises(BadSystem, match="no kind of creature"):
        admit(points(folder), [])


def test_packages_bring_their_texts_in_other_languages(folder):
    install(folder)
    assert folders_of([*BUILT_IN, *points(folder), EntryPoint("lost", "nowhere:LOST", GROUP)]) == ()
    (folder / "checkers" / "locale").mkdir()
    assert folders_of(points(folder)) == (folder / "checkers" / "locale",)
