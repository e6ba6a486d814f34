"""Hostile text in every displayed field, on every page and in every frame, remains text.

Fields are discovered from models and forms; a new one fails until it is listed here. Each contains a unique word before
the payloads, which must appear on some page, so that no field is tested in vain.
"""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.db import connection, models
from django.db.models import Value
from django.db.models.functions import Cast, Concat
from django.test import Client
from django.urls import reverse

from campaigns.forms.base import NameField
from campaigns.markdown import render
from campaigns.models import Chronicle, Membership
from characters.models import Armor, CarriedWeapon, Character, SheetChange, Template, Weapon, WornArmor
from combat.commands import drafts, perform
from combat.log import codec
from combat.models import Encounter
from combat.web.forms.endpoints import endpoints
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.roll import Extended, RollTraits
from rules.systems import RULESETS
from rules.topics.commands import (
    Begin,
    ChangeConditions,
    Declare,
    Delay,
    Describe,
    Harm,
    Narrate,
    OverrideAttack,
    PassTime,
    ProposeAttack,
    RollInitiative,
    SendBackAttack,
    SetHealth,
    SetVisibility,
    Spend,
)
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, draft, fight
from tests.combat.conftest import characters as plain_characters
from tests.kept import kept
from tests.payloads import EVERY, PAYLOADS, alive, spots
from tests.world import HTMX, World, addresses, build

__all__ = ["draft", "fight", "plain_characters"]  # fixtures

pytestmark = pytest.mark.django_db


def mark(field: str) -> str:
    """The word that identifies a field's text on a page: letters and full stops."""
    return f"Xq.{field.replace('_', '-')}."


def hostile(field: str) -> str:
    return f"{mark(field)} {EVERY}"


# ------------------------------------------------------------------ the fields

IN_ROWS = {
    *("User.first_name", "User.last_name", "SignIn.device", "Chronicle.name", "Chronicle.description"),
    *(
        "Invitation.label",
        "Page.title",
        "Passage.text",
        "Picture.caption",
        "Weapon.name",
        "Weapon.note",
        "Armor.name",
        "Armor.note",
    ),
    *("Character.name", "Character.concept", "Character.notes", "Character.storyteller_notes"),
    *("Template.name", "Template.plural", "Template.notes"),
    *("CarriedWeapon.name", "WornArmor.name", "Encounter.name", "Encounter.scene", "FightNotes.text"),
    *("LogRow.actor_name", "SheetChange.reason", "Reinforcement.label", "Reinforcement.words", "Reinforcement.mask"),
    *("Face.text", "Meeting.known_as", "Tie.text", "Tie.text_back"),
    *("ExperienceEntry.reason", "ExperienceEntry.note", "ExperienceEntry.line"),
    *("Session.title", "Session.place", "Session.recap", "Attendance.word", "Preparation.text"),
}
"""Text columns. All rows get hostile text in them."""
IN_PARTS = {
    "Character.merits": "merit",
    "Character.details": "detail",
    "Character.lists": "entry",
    "Character.specialties": "specialty",
    "Template.lists": "entry",
    "Template.specialties": "specialty",
    "Character.injuries": "injury",
    "Character.scars": "scar",
    "Character.lasting": "lasting",
    "Character.fought": "fought",
    "SheetChange.changes": "changed",
    "Chronicle.own_kinds": "kind",
    "Chronicle.own_traits": "trait",
    "Chronicle.own_powers": "power",
}
"""Texts inside JSON columns, and their marks."""
BY_PLAY = {"Encounter.state", "Encounter.versions", "LogRow.command", "LogRow.events", "LogRow.cast"}
BY_PLAY |= {
    f"StoredDigest.{field}" for field in ("body", "lines", "folded", "people", "audience", "language", "made_from")
}
"""Written by fights: the texts are in their commands, below."""
NEVER_FREE = {
    "User": {"password", "username", "email", "language", "time_zone"},
    "SignIn": {"session_data"},
    "Chronicle": {"options", "conduct"},
    "Weapon": {"attribute", "ability", "damage_from", "tags"},
    "Armor": {"covers", "power"},
    "Character": {"kind", "traits", "resources", "marks", "impairments"},
    "Template": {"kind", "traits", "pools", "merits", "weapons", "armor", "shipped"},
    "SheetChange": {"fight", "entry"},
    "Page": {"folded"},
    "Passage": {"folded"},
    "Link": {"folded"},
    "ExperienceEntry": {"trait", "proof", "key", "seal"},
    "Ledger": {"seal"},
    "DeclinedProposal": {"proof"},
    "Preparation": {"fight"},
    "Encounter": {"clocks", "earlier_seals", "seal"},
    "Reinforcement": {"people", "health_shown", "side"},
    "LogRow": {"token", "key", "sent", "seal"},
    "ShippedTable": {"digest"},
    "DeskKeys": {"own"},
    "ForecastPolicies": {"chosen"},
    "CarriedWeapon": {"key"},
    "WornArmor": {"key"},
    "Transfer": {"contents", "places", "problem"},
    "Webhook": {"address", "language", "time_zone"},
    "Invitation": {"token_hash"},
    "Wall": {"token_hash"},
    "CalendarFeed": {"language", "token_hash"},
}
"""Validated against lists, patterns or the ruleset, generated by us, or never shown."""

SAID = {
    "action.by_why": "because",
    "action.extra_why": "circumstance",
    "add.words": "Character.name",
    "add.plain": "Character.name",
    "answer.by_why": "because",
    "answer.extra_why": "circumstance",
    "attack.by_why": "because",
    "attack.extra_why": "circumstance",
    "boxes.reason": "boxes",
    "conditions.other": "condition",
    "conditions.reason": "unwell",
    "damage.reason": "damage",
    "declare.text": "declare",
    "delay.text": "delay",
    "describe.text": "describe",
    "join.mask": "mask",
    "join.name": "Character.name",
    "narrate.text": "narrate",
    "override.reason": "override",
    "roll.extra_why": "rolled",
    "roll.label": "label",
    "roll.interval": "interval",
    "send-back.word": "word",
    "spend.reason": "spend",
    "regain.reason": "spend",
    "sheet-roll.extra_why": "rolled",
    "sheet-roll.label": "label",
    "sheet-roll.interval": "interval",
    "visibility.mask": "mask",
}
"""The mark for each free text field of a command."""
SHORT = [each for each in PAYLOADS if len(each) <= 26 and "\x00" not in each][:8]
"""Fits into a condition, which has at most 40 characters."""
LOUDEST = '"><script>pwned=1</script>'
"""Fits where the rules accept at most a line."""
NO_TEXTS = {
    *("attack.defence_of", "clock.stop", "clock.run", "join.character", "join.template", "move.before"),
    "bring-in.reinforcement",
}
"""Command fields that take an id."""


def text_fields() -> set[str]:
    """Each column that could contain a text typed by somebody."""
    ours = [
        model
        for app in ("campaigns", "characters", "combat", "story")
        for model in apps.get_app_config(app).get_models()
    ]
    kinds = (models.CharField, models.TextField, models.JSONField)
    return {
        f"{model.__name__}.{field.name}"
        for model in ours
        for field in model._meta.fields
        if isinstance(field, kinds) and not field.choices and not field.primary_key
    }


def typed_fields() -> set[str]:
    """Each field of the fight's commands that takes a text."""
    return {
        f"{name}.{field}"
        for name, form in endpoints().items()
        for field, found in form.base_fields.items()
        if type(found) in (forms.CharField, NameField) and not found.widget.is_hidden
    }


def test_every_field_has_its_place() -> None:
    excused = {f"{model}.{field}" for model, names in NEVER_FREE.items() for field in names}
    assert text_fields() == (IN_ROWS | IN_PARTS.keys() | BY_PLAY | excused)
    assert typed_fields() == set(SAID) | NO_TEXTS


# ------------------------------------------------------------------ the payloads themselves


def test_there_are_many_and_each_would_do_something_where_nothing_stands_against_it() -> None:
    """A payload with no effect on an unescaped page targets something else: an encoding, or another template
    language."""
    assert len(PAYLOADS) == len(set(PAYLOADS)) >= 60
    harmless = [each for each in PAYLOADS if not any(map(alive, spots(each)))]
    assert len(harmless) <= 8, harmless
    assert not any("<script>" in each for each in harmless)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_none_lives_in_a_text_or_in_markdown(payload: str) -> None:
    from django.template import Context, Template

    page = Template(
        "<title>{{ x }}</title><p title=\"{{ x }}\" data-x='{{ x }}'>{{ x }}</p><textarea>{{ x }}</textarea>"
    )
    assert alive(page.render(Context({"x": payload}))) == []
    assert alive(render(payload)) == []
    assert alive(render(f"> - {payload}\n\n| a |\n|---|\n| {payload} |")) == []


# ------------------------------------------------------------------ a table full of them


@pytest.fixture
@kept
def characters(plain_characters: dict[str, Any]) -> dict[str, Any]:
    """The usual cast, under other names."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL holds texts to their length: the pages are the same")
    for name, one in plain_characters.items():
        # Only one name with all payloads: names are in so many places that pages would grow by megabytes otherwise.
        one.name = f"{mark('Character.name')} {name} {EVERY if name == 'Ilya' else LOUDEST}"
        one.save()
    return plain_characters


@pytest.fixture
@kept
def world(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    return hostile_world(fight, characters, people)


def hostile_world(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    """The leak tests' world, with the payloads in all of its texts."""
    plain = ("Ilya", "Marguerite", TRUE_NAME, SECRET)
    ids = {name: next(who for full, who in fight.ids.items() if f" {name} " in full) for name in plain}
    thugs = [who for who in fight.ids.values() if who not in ids.values()]
    fight.ids = ids | {f"Thug {number}": who for number, who in enumerate(thugs, 1)}
    world = build(fight, characters, people)
    play(fight)
    fill_parts(world, characters)
    fill_rows()
    return world


def play(fight: Table) -> None:
    """Perform each command that takes a text, with the payloads."""
    ilya, marguerite, masked, thug = (fight[name] for name in ("Ilya", "Marguerite", TRUE_NAME, "Thug 1"))
    because = (
        Modifier("difficulty", {"by": 1, "why": hostile("because")}),
        Modifier("circumstance", {"dice": 1, "why": hostile("circumstance")}),
    )
    rolled = (Modifier("circumstance", {"dice": 1, "why": hostile("rolled")}),)
    long = Extended("long", 40, interval=mark("interval") + LOUDEST)
    out_of_turn = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1", "MQ-ABORT-1"]
    for command in (
        SetVisibility(masked, mask=hostile("mask")),
        RollInitiative(),
        Declare(ilya, hostile("declare"), out_of_order=True),
        Attack(ilya, (thug,), modifiers=because, defences={thug: Defence("dodge", modifiers=because)}),
        OverrideAttack("r1", thug, outcome="miss", why=hostile("override")),
        Narrate("r1", hostile("narrate")),
        Delay(marguerite, hostile("delay")),
        ChangeConditions(ilya, frozenset(mark("condition") + each for each in SHORT), why=hostile("unwell")),
        Harm(thug, 1, Damage.BASHING, why=hostile("damage")),
        SetHealth(thug, (Damage.LETHAL,), why=hostile("boxes")),
        Spend(ilya, "blood", 1, why=hostile("spend")),
        RollTraits(ilya, ("wits",), label=hostile("label"), modifiers=rolled, extended=long),
        ProposeAttack("back", Attack(ilya, (thug,), modifiers=because), approval=True),
        SendBackAttack("back", hostile("word")),
        PassTime((ilya,), 1, why=hostile("waited")),
        ProposeAttack("asked", Attack(thug, (ilya,), modifiers=because)),
    ):
        fight.do(command, dice=FixedDice(8), waive=out_of_turn)


def fill_parts(world: World, characters: dict[str, Any]) -> None:
    """Fill texts inside JSON, and add a table of each other ruleset with a sheet, a weapon and armour."""
    by = world.people["storyteller"]
    kinds = Chronicle.objects.get(pk=world.chronicle.pk).own_kinds
    for kind in kinds.values():
        kind["label"] = mark("kind") + "<svg onload=pwned=1>"
    traits = Chronicle.objects.get(pk=world.chronicle.pk).own_traits
    for trait in traits.values():
        trait["label"] = mark("trait") + "<svg onload=pwned=1>"
    loud = "<svg onload=pwned=1>"
    grown = {"name": mark("power") + loud[:24], "type": "lethal", "tags": [loud]}
    power = {"label": mark("power") + loud, "effects": [{"does": "weapon", "weapon": grown}]}
    more = {"own_kinds": kinds, "own_traits": traits, "own_powers": {world.ids["power"]: power}}
    Chronicle.objects.filter(pk=world.chronicle.pk).update(**more)
    sheets = [*characters.values()]
    for ruleset in RULESETS.keys() - {"masquerade"}:
        chronicle = Chronicle.objects.create(name=ruleset, ruleset=ruleset)
        Membership.objects.create(chronicle=chronicle, user=by, role="storyteller")
        sheets.append(Character.objects.create(chronicle=chronicle, name=mark("Character.name") + LOUDEST, owner=by))
        world.ids[f"sheet {ruleset}"], world.ids[f"table {ruleset}"] = sheets[-1].pk, chronicle.pk
        weapon = Weapon.objects.create(ruleset=ruleset, chronicle=chronicle, name="x", mode="melee", damage=1)
        armor = Armor.objects.create(ruleset=ruleset, chronicle=chronicle, name="x", rating=1)
        CarriedWeapon.objects.create(character=sheets[-1], weapon=weapon)
        WornArmor.objects.create(character=sheets[-1], armor=armor)
        if ruleset == "darkness":
            world.ids["fight elsewhere"] = private_words(chronicle, by, sheets[-1])
    for one in sheets:
        one.merits = [hostile("merit")]
        one.specialties = {"wits": [hostile("specialty")], "stealth": [hostile("specialty")]}
        one.lists = {"backgrounds": [[hostile("entry"), 2]], "merits": [[hostile("entry"), 2]]}
        one.details = {key: hostile("detail") for key in ("nature", "aspirations", world.ids["trait"])}
        one.lasting = [{"condition": "cursed", "rule": "", "fight": "", "why": hostile("lasting")}]
        if one.chronicle.ruleset == "wounds":
            one.injuries = [{"level": 2, "cause": hostile("injury")}]
            one.scars = [{"level": 2, "cause": hostile("scar"), "turn": 1, "fight": ""}]
        long_ago = "2026-01-01T00:00:00+00:00"
        one.fought = {
            "fight": "nosuchfight1",
            "since": long_ago,
            "last": long_ago,
            "was": {"concept": hostile("fought")},
        }
        one.save()
        changed = [["concept", "", hostile("changed")], ["origin", None, hostile("changed")]]
        SheetChange.objects.create(character=one, by=by, reason="x", changes=changed)
    entries = [[hostile("entry"), 2]]
    Template.objects.update(specialties={"wits": [hostile("specialty")]}, lists={"backgrounds": entries})


def private_words(chronicle: Chronicle, by: Any, character: Character) -> str:
    """A fight in a ruleset with private narration; returns its id."""
    membership = Membership.objects.get(chronicle=chronicle, user=by)
    encounter = drafts.create_encounter(by=membership, name="x", scene="x")
    common: dict[str, Any] = {"encounter_id": encounter.pk, "actor": by}
    drafts.add_character(**common, character=character)
    perform.perform(**common, command=Begin())
    (who,) = codec.load_state(Encounter.objects.get(pk=encounter.pk).state).combatants
    perform.perform(**common, command=Describe((who,), hostile("describe")))
    return str(encounter.pk)


def fill_rows() -> None:
    """Fill every text of every row, bypassing forms: safe display must not depend on validation."""
    for field in IN_ROWS - {"Character.name"}:
        model, _dot, name = field.partition(".")
        owner = next(
            app for app in ("campaigns", "characters", "combat", "story") if model.lower() in apps.all_models[app]
        )
        rows = apps.get_model(owner, model)._base_manager.all()
        models.QuerySet(rows.model, using=rows.db).update(
            **{name: Concat(Value(mark(field)), Cast("pk", models.CharField()), Value(f" {EVERY}"))}
        )


def pages(world: World, client: Client) -> dict[str, Any]:
    """Each response to this reader, by URL."""
    asked = [address for _route, address in addresses(world)]
    ilya, thug = world.fight["Ilya"], world.fight["Thug 1"]
    asked += [
        f"{reverse('combat:form', args=[world.fight.encounter_id, name])}?who={ilya}" for name in sorted(endpoints())
    ]
    asked += [f"{reverse('combat:attack', args=[world.fight.encounter_id])}?who={ilya}&at={thug}"]
    for name, key in world.ids.items():
        if name.startswith("sheet "):
            asked += [reverse(f"characters:{page}", args=[key]) for page in ("sheet", "edit", "delete", "portrait")]
        if name.startswith("table "):
            asked += [reverse("campaigns:chronicle", args=[key]), reverse("characters:gear", args=[key])]
    asked += [reverse("combat:encounter", args=[world.ids["fight elsewhere"]])]
    return {address: client.get(address, headers=HTMX if "since" in address else {}) for address in asked}


READERS = ("storyteller", "player", "guest")


@pytest.mark.parametrize("who", READERS)
def test_in_no_page_and_no_frame_does_any_live(world: World, who: str) -> None:
    """A player reads German, so that German pages are covered as well."""
    client = world.client(who)
    fill_rows()  # including what signing in wrote
    if who == "player":
        client.cookies["vesper-language"] = "de"
    living, everything = {}, []
    for address, answer in pages(world, client).items():
        assert answer.status_code < 500, address
        body = answer.getvalue().decode(errors="replace")
        everything.append(body)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            if found := alive(body):
                living[address] = found[:3]
        elif "pwned" in body:
            # A download: the browser saves it and doesn't render it.
            assert answer["Content-Disposition"].startswith("attachment"), address
            assert answer["X-Content-Type-Options"] == "nosniff"
    assert living == {}
    if who == "storyteller":
        whole = "".join(everything)
        marks = {*SAID.values(), *IN_ROWS, *IN_PARTS.values()}
        assert sorted(each for each in marks if mark(each) not in whole) == []
