"""What the conditions in the Storyteller's list do, and which are only a note."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, Status
from rules.model.system import Game, System
from rules.strike.attack import plan_answered
from rules.systems import RULESETS
from rules.topics.bars import barred
from tests.rules.table import BOW, KNIFE, PISTOL, STONE

WEAPONS = (KNIFE, PISTOL, STONE, BOW)
NOTES = {
    "masquerade": {"prone", "grappled", "pinned", "blinded", "stunned", "surprised", "in_frenzy"},
    "apocalypse": {"grappled", "pinned", "stunned", "surprised", "in_frenzy"},
    "darkness": {"prone", "grappled", "pinned", "stunned", "in_frenzy"},
    "chronicles": {"pinned", "in_frenzy"},
    "wounds": {"prone", "grappled", "pinned", "in_frenzy"},
}
WATCHING = {"asleep", "meditating"}
"""They matter only to those who might notice an ambush (WL-INIT-5)."""
BESIDES = {"deafened": ("both_eyes",)}
"""Conditions that matter only with others (CD-COND-1)."""


def asked(system: System, who: str, *conditions: str) -> Iterator[tuple[str, str]]:
    """What the rules answer about attacks by Ann at Bob past Cid, and about rolls, if one of them has conditions."""
    dots = {each.key: 3 for each in system.layout.traits() if each.maximum >= 3 and each.key != "size"}
    sheet = Sheet("", "mortal", dots, weapons=WEAPONS)
    people = {each: Combatant(each, replace(sheet, name=each.capitalize())) for each in ("ann", "bob", "cid")}
    people[who] = replace(people[who], conditions=frozenset(conditions))
    order = tuple((each,) for each in people)
    game = Game(Encounter(Status.RUNNING, combatants=people, order=order, turn=1), system)
    for weapon in ("unarmed", *(each.name for each in WEAPONS)):
        for answer in ("", *system.attack.defences.kinds):
            yield (
                f"{weapon} {answer}",
                _told(
                    lambda weapon=weapon, answer=answer: plan_answered(
                        game, Attack("ann", ("bob",), weapon, near=("cid",)), "bob", Defence(answer)
                    )
                ),
            )
    yield "idle", system.turns.idle(game.state, who)
    yield "barred", repr(barred(game, who, "attack"))
    for traits in (("strength", "athletics"), ("dexterity", "stealth"), ("wits", "investigation")):
        yield " + ".join(traits), _told(lambda traits=traits: system.pools.roll(game, RollTraits(who, traits)))


def _told(ask: object) -> str:
    try:
        return repr(ask())  # type: ignore[operator]
    except RuleViolation as refusal:
        return repr(refusal.refusal)


def changed(system: System, who: str, condition: str) -> set[str]:
    """The questions that somebody's condition answers differently."""
    others = BESIDES.get(condition, ())
    without = dict(asked(system, who, *others))
    return {about for about, answer in asked(system, who, condition, *others) if answer != without[about]}


@pytest.mark.parametrize("system", [RULESETS[key] for key in NOTES], ids=list(NOTES))
def test_what_is_more_than_a_note_changes_something_on_one_side_or_the_other(system: System) -> None:
    system = system.with_options({each.key: True for each in system.options if each.key == "beaten_down"})
    offered = system.conditions.offered
    assert {each.key for each in offered if not each.works} == NOTES[system.key]
    for each in offered:
        if each.key not in WATCHING:
            found = {who: changed(system, who, each.key) for who in ("ann", "bob", "cid")}
            assert any(found.values()) == each.works, (each.key, found)
