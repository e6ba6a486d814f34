"""Every ruleset has a rule for each topic that its shared parts cite (docs/decisions/0001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from rules.engine.messages import event_types
from rules.model.gear import Damage, Mode
from rules.model.plan import Part
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter
from rules.model.system import Game, System
from rules.strike.blows import ArmorBreaks
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.events import ArmorDestroyed, Described
from rules.topics.rolls.pools import PoolRules
from tests.rules.citing import Cites, Uncited, Watch, classes, foreign, methods, modules


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_ruleset_is_watched_while_it_is_tested(ruleset: System) -> None:
    assert isinstance(ruleset.cites, Cites)
    assert isinstance(ruleset.with_options({}).cites, Cites)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_cited_rule_is_in_the_rulebook(ruleset: System) -> None:
    assert set(ruleset.cites.values()) <= set(ruleset.book.rules)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_house_rule_names_a_rule(ruleset: System) -> None:
    assert {option.rule for option in ruleset.options} <= set(ruleset.book.rules)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
def test_every_kind_of_attack_and_of_damage_has_a_rule(ruleset: System) -> None:
    assert {*Mode, *Damage} <= set(ruleset.cites)


# ------------------------------------------------------------------ the watch itself


@dataclass(frozen=True, slots=True)
class Boasting(PoolRules):
    """Pools that cite a topic of their own."""

    def traits(self, sheet: Sheet, traits: object, rule: str) -> tuple[Part, ...]:
        return (Part("boast", "Boast", self.system.cites["boasting"], dice=1),)


def with_boasts(system: System, rule: str = "") -> System:
    cites = {**system.cites, **({"boasting": rule} if rule else {})}
    return replace(system, pools=Boasting(), cites=cites)


def test_a_topic_is_asked_of_every_system_made_of_the_part() -> None:
    told = with_boasts(MASQUERADE, "MQ-DICE-1")
    Watch((told, DARKNESS)).begin()
    assert told.pools.traits(Sheet("Ann"), (), "")[0].rule == "MQ-DICE-1"
    told, untold = with_boasts(MASQUERADE, "MQ-DICE-1"), with_boasts(DARKNESS)
    Watch((told, untold)).begin()
    with pytest.raises(Uncited, match="“boasting”, on which darkness has no rule"):
        told.pools.traits(Sheet("Ann"), (), "")


def test_what_a_game_forbids_is_asked_for_whoever_forbids_it() -> None:
    told, untold = replace(MASQUERADE), replace(DARKNESS)
    watch = Watch((told, untold))
    watch.begin()
    state = Encounter(combatants={"ann": Combatant("ann", Sheet("Ann"))})
    with pytest.raises(Uncited, match=r"test_what_a_game_forbids_\w+ cites “overage”"):
        Game(state, told).forbid("overage", "No.")
    assert [topic for _code, topic in watch.seen] == ["overage"]


def test_a_system_answers_for_its_own_parts_and_for_nobody_elses() -> None:
    assert "rules.systems.wound_levels.attack" in modules(RULESETS["wounds"]) - modules(MASQUERADE)
    acting = ("rules.systems.storytelling.turns", "StorytellingTurns.use_action")
    assert acting in methods(DARKNESS) & methods(RULESETS["chronicles"]) - methods(MASQUERADE)
    overridden = ("rules.topics.rolls.pools", "PoolRules.total")
    assert overridden in methods(MASQUERADE) - methods(DARKNESS)
    assert "hold_over" in foreign(RULESETS["chronicles"]) - foreign(DARKNESS)


OF_FACETS: Mapping[type, type] = {ArmorDestroyed: ArmorBreaks}
"""Events that only one facet causes, in the systems that have it."""
RULED_BY_SOME = {Described}
"""Events of every system on which only some have a rule."""


def test_events_cite_the_first_topic_that_a_system_has_and_each_has_one() -> None:
    for declared in (each for each in event_types() if each.cls.__module__.startswith("rules.")):
        if declared.cls in RULED_BY_SOME:
            assert any(topic in system.cites for topic in declared.topics for system in RULESETS.values())
            continue
        for system in RULESETS.values():
            if declared.cls in OF_FACETS and OF_FACETS[declared.cls] not in classes(system):
                continue
            known = [topic for topic in declared.topics if topic in system.cites]
            assert known or not declared.topics or declared.topics[0] in foreign(system) or declared.action, declared
