"""Suggested openings for the Storyteller's narration: they fit the attack, and name nobody unknown to players."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils.text import capfirst

from combat.commands import perform
from combat.history import records
from combat.history.openings import COMMON, DARK, openings
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.roll import RollTraits
from rules.systems import BUILT_IN, RULESETS
from rules.topics.commands import Narrate, OverrideAttack, SetVisibility
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def offered(fight: Table, resolution: str = "r1", ruleset: str = "masquerade") -> tuple[str, ...]:
    past, _since = records.resolved_in(fight.encounter, resolution)
    assert past is not None
    return openings(past, RULESETS[ruleset])


def told(kind: str, who: str, whom: str, ruleset: str = "masquerade") -> set[str]:
    found = (str(each).format(who=who, whom=whom) for each in (*COMMON[kind], RULESETS[ruleset].openings[kind]))
    return {capfirst(each) for each in found}


def test_every_ruleset_has_a_tone_of_its_own() -> None:
    kinds = COMMON.keys() - {DARK, "torpor"}
    assert all(RULESETS[point.name].openings.keys() == kinds for point in BUILT_IN)


def test_they_fit_what_it_came_to(fight: Table) -> None:
    ilya, marguerite = fight["Ilya"], fight["Marguerite"]
    fight.do(Attack(ilya, (marguerite,)), dice=FixedDice(2))
    fight.do(Attack(ilya, (marguerite,)), dice=FixedDice(1))
    fight.do(Attack(ilya, (marguerite,), defences={marguerite: Defence("dodge")}), dice=FixedDice(8))
    fight.do(Attack(ilya, (marguerite,)), dice=FixedDice(9))
    assert set(offered(fight, "r1")) == told("miss", "Ilya", "Marguerite")
    assert set(offered(fight, "r2")) == told("botch", "Ilya", "Marguerite")
    assert told("grave", "Ilya", "Marguerite") & set(offered(fight, "r4"))
    fight.do(OverrideAttack("r4", marguerite, dealt=0))
    assert set(offered(fight, "r4")) == told("nothing", "Ilya", "Marguerite")


def test_who_falls_is_told_first(fight: Table) -> None:
    thug = fight["Thug 1"]
    fight.do(Attack(fight["Ilya"], (thug,), "Test sword"), dice=FixedDice(10))
    found = offered(fight)
    assert fight.state.combatants[thug].conditions & {"incapacitated", "dying", "dead"}
    assert found[0] in told("fell", "Ilya", "Thug 1") | told("dead", "Ilya", "Thug 1")


def test_a_mortal_has_no_beast(fight: Table) -> None:
    ilya, thug = fight["Ilya"], fight["Thug 1"]
    fight.do(Attack(thug, (ilya,)), dice=FixedDice(9))
    fight.do(Attack(ilya, (thug,)), dice=FixedDice(9))
    fight.do(Attack(ilya, (fight["Marguerite"],)), dice=FixedDice(9))
    own = [str(each) for each in RULESETS["masquerade"].openings.values()]
    by_mortal, at_mortal, vampires = (
        {each for each in own if each.format(who=by, whom=at) in offered(fight, which)}
        for which, by, at in (("r1", "Thug 1", "Ilya"), ("r2", "Ilya", "Thug 1"), ("r3", "Ilya", "Marguerite"))
    )
    assert vampires
    assert not at_mortal | by_mortal


def test_the_hidden_and_the_masked_are_not_named(fight: Table) -> None:
    fight.do(Attack(fight[TRUE_NAME], (fight["Ilya"],)), dice=FixedDice(9))
    fight.do(Attack(fight[SECRET], (fight["Ilya"],)), dice=FixedDice(9))
    fight.do(Attack(fight["Marguerite"], (fight[SECRET],)), dice=FixedDice(9))
    masked, dark, unseen = offered(fight, "r1"), offered(fight, "r2"), offered(fight, "r3")
    assert any("tall man" in each for each in masked)
    assert set(dark) == {str(each).format(who="", whom="Ilya") for each in COMMON[DARK]}
    assert unseen == ()
    assert not any(name in each for each in (*masked, *dark) for name in (SECRET, TRUE_NAME))


def test_figures_that_are_not_shown_do_not_show_in_words(fight: Table) -> None:
    masked = fight[TRUE_NAME]
    fight.do(SetVisibility(masked, health_shown="nothing"))
    fight.do(Attack(fight["Ilya"], (masked,)), dice=FixedDice(9))
    assert set(offered(fight)) == told("hit", "Ilya", "a tall man")


def test_an_opening_is_told_as_it_is_or_gone_on_from(fight: Table, signed_in: Any, player: Any) -> None:
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(9))
    form = reverse("combat:form", args=[fight.encounter_id, "narrate"])
    address = reverse("combat:do", args=[fight.encounter_id, "narrate"])
    storyteller = signed_in(fight.storyteller)
    first = offered(fight)[0]

    def narration() -> str:
        return fight.view(player).log.entries[-1].narration or next(
            each.narration for each in fight.view(player).log.entries if each.rolls
        )

    assert first in storyteller.get(form, {"resolution": "r1"}, headers=HTMX).content.decode().replace("&#x27;", "'")
    assert storyteller.post(address, {"resolution": "r1", "opening": first}).status_code == 302
    assert narration() == first
    assert first in storyteller.get(form, {"resolution": "r1"}, headers=HTMX).content.decode().split("</textarea>")[0]
    own = first + " <b>*And* more.</b>"
    assert storyteller.post(address, {"resolution": "r1", "opening": first, "text": own}).status_code == 302
    assert narration() == own
    page = signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert "&lt;b&gt;*And* more.&lt;/b&gt;" in page


def test_nothing_is_told_without_words(fight: Table, signed_in: Any) -> None:
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(9))
    address = reverse("combat:do", args=[fight.encounter_id, "narrate"])
    for said in ({}, {"resolution": "r1"}, {"resolution": "r1", "opening": "Something else."}, {"resolution": "r9"}):
        assert signed_in(fight.storyteller).post(address, said, headers=HTMX).status_code == 422


def test_what_was_taken_back_has_no_words_of_another_roll(fight: Table, player: Any) -> None:
    """Its number is reused by the next roll."""
    fight.do(Attack(fight["Ilya"], (fight["Marguerite"],), "unarmed"))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(RollTraits(fight["Thug 1"], ("wits",), secret=True))
    fight.do(Narrate("r1", "He smells the trap."))
    entries = fight.view("storyteller").log.entries
    assert [(entry.undone, entry.narration) for entry in entries if entry.resolution] == [  # type: ignore[attr-defined]
        (False, "He smells the trap."),
        (True, ""),
    ]
    assert "trap" not in repr(fight.view(player).log)
