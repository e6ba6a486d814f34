"""The demo in an empty database."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from campaigns.models import Chronicle
from characters.models import Character
from combat.commands import perform
from combat.demo import make_demo
from combat.history.records import read
from combat.log import codec
from combat.models import Encounter
from combat.panes.build import view_for
from rules.model.sheet import Layout
from rules.systems import RULESETS
from rules.topics import commands

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_it_makes_a_table_with_a_fight_ready_to_begin() -> None:
    make_demo()
    chronicle = Chronicle.objects.get()
    roles = sorted(chronicle.memberships.values_list("role", flat=True))
    assert roles == ["observer", "player", "player", "storyteller"]
    assert Character.objects.filter(kind="vampire").count() == 4
    assert Character.objects.filter(kind="vampire", owner__isnull=False).count() == 2
    encounter = Encounter.objects.fights().get()
    people = codec.load_state(encounter.state).combatants.values()
    assert encounter.status == "draft"
    assert {"Thug 1", "Thug 2", "Thug 3"} <= {each.sheet.name for each in people}
    assert [each.sheet.name for each in people if each.hidden] == ["Thing in the rafters"]
    storyteller = get_user_model().objects.get(username="storyteller")
    perform.perform(encounter_id=encounter.pk, actor=storyteller, command=commands.Begin())
    perform.perform(encounter_id=encounter.pk, actor=storyteller, command=commands.RollInitiative())


def test_players_of_the_demo_see_no_secret() -> None:
    make_demo()
    encounter = Encounter.objects.fights().get()
    storyteller = get_user_model().objects.get(username="storyteller")
    perform.perform(encounter_id=encounter.pk, actor=storyteller, command=commands.Begin())
    fight = read(Encounter.objects.fights().select_related("chronicle").get())
    player = get_user_model().objects.get(username="ilya")
    for audience in ("table", f"player-{player.pk}"):
        seen = repr(view_for(fight, audience))
        assert "Ilya Voss" in seen
        assert "Thing in the rafters" not in seen
        assert "Deacon" not in seen


def test_its_sheets_hold_what_the_ruleset_knows() -> None:
    make_demo()
    layout: Layout = RULESETS["masquerade"].layout
    known = {trait.key: trait for trait in layout.traits()}
    for character in Character.objects.all():
        for key, dots in character.traits.items():
            assert known[key].minimum <= dots <= known[key].maximum, (character.name, key)
        for key, points in character.resources.items():
            resource = layout.resource(key)
            assert resource is not None
            traits = {trait.key: trait.default for trait in known.values()} | character.traits
            assert 0 <= points <= resource.maximum(traits), (character.name, key)


def test_it_says_how_to_sign_in() -> None:
    said = io.StringIO()
    call_command("demo", stdout=said)
    lines = said.getvalue().splitlines()[1:]
    assert len(lines) == 4
    for line in lines:
        name, password = line.split()[:2]
        assert get_user_model().objects.get(username=name).check_password(password)


def test_passwords_are_drawn_each_time() -> None:
    from combat.demo import new_password

    assert len({new_password() for _ in range(50)}) == 50


def test_it_leaves_a_used_database_alone(person: Any) -> None:
    person("anna")
    with pytest.raises(CommandError):
        call_command("demo")
    assert not Chronicle.objects.exists()
