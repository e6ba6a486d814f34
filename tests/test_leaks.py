"""Nothing secret reaches a player, an observer or a stranger: every URL and every frame is searched."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db.models import JSONField, Model, PositiveIntegerField, TextField
from django.test import Client
from django.test.utils import isolate_apps
from django.urls import reverse

from characters.models import Portrait
from combat.commands import perform, revising
from combat.commands.outside import open_log
from combat.web.forms.endpoints import endpoints
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.commands import Declare
from tests import planted
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, characters, draft, fight
from tests.combat.sockets import opened
from tests.kept import kept
from tests.unzipped import text_of
from tests.world import HTMX, SECRETS, World, addresses, build, places, plain, routes

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = pytest.mark.django_db

OTHERS = ("player", "other_player", "observer", "removed", "stranger", "elsewhere", "admin", "guest")
OF_COMMANDS = ("combat:do", "combat:form")
MEMBERS = ("player", "other_player", "observer")


@pytest.fixture
@kept
def world(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    return build(fight, characters, people)


def in_the_dark(fight: Table) -> None:
    """What the hidden combatant does, and what the Storyteller does in secret."""
    hidden = fight[SECRET]
    waive = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1", "MQ-ABORT-1"]
    for command in (
        Declare(hidden, f"{SECRET} pounces.", out_of_order=True),
        commands.RollTraits(hidden, ("wits",), secret=True, label=SECRETS["roll"]),
        commands.RollTraits(fight[TRUE_NAME], ("wits",), secret=True, label=SECRETS["roll"]),
        commands.Harm(hidden, 2, Damage.LETHAL, why=SECRETS["roll"]),
        commands.Spend(hidden, "blood", 1),
        commands.Spend(fight[TRUE_NAME], "blood", 1),
        Attack(hidden, (fight["Thug 1"],)),
        commands.ChangeConditions(hidden, add=frozenset({"prone"})),
        commands.SetVisibility(hidden, mask="A shape", dice_shown=True),
        commands.RollTraits(hidden, ("wits",), secret=True, label=SECRETS["roll"]),
        commands.ShowRoll("of the hidden one"),
        commands.SetDefaultDefence((hidden, fight[TRUE_NAME]), "dodge"),
        commands.ProposeAttack("in the dark", Attack(hidden, (fight["Ilya"],)), approval=True),
        commands.SendBackAttack("in the dark", SECRETS["roll"]),
    ):
        fight.do(command, dice=FixedDice(2), waive=waive)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    rolls_in_the_dark(fight)


def rolls_in_the_dark(fight: Table) -> None:
    """Secret rolls outside fights: for the hidden character, and for a player's own."""
    log, people = open_log(fight.encounter.chronicle), fight.state.combatants
    behind = {"secret": True, "label": SECRETS["roll"]}
    common: dict[str, Any] = {"encounter_id": log.pk, "actor": fight.storyteller, "dice": FixedDice(6)}
    for who in (SECRET, TRUE_NAME, "Ilya"):
        one = people[fight[who]].character
        long = commands.Extended(f"in the dark {who}", 40, interval=SECRETS["roll"])
        perform.perform(command=commands.RollTraits(one, ("wits",), **behind), **common)
        perform.perform(command=commands.RollTraits(one, ("wits",), extended=long, **behind), **common)
        perform.perform(command=commands.RollOn(long.id), **common)
    perform.undo(encounter_id=log.pk, actor=fight.storyteller)


def everything(world: World, who: str, client: Client | None = None) -> dict[str, str]:
    """Everything a reader receives: each response with its headers, by request."""
    found: dict[str, str] = {}
    client = client or world.client(who)
    for number, (route, address) in enumerate(addresses(world)):
        ways = ({}, HTMX) if route.startswith("combat:") else ({},)
        # What each command and form has in common is asked for both ways often enough.
        for headers in ways if route not in OF_COMMANDS else (ways[number % 2],):
            answer = client.get(address, headers=headers)
            assert answer.status_code < 500, address
            found[f"{address} {headers}"] = _read(answer)
    for target in world.fight.ids.values():
        query = {"who": world.fight["Ilya"], "at": target}
        for page in ("combat:attack", "combat:attack-plan"):
            answer = client.get(reverse(page, args=[world.fight.encounter_id]), query, headers=HTMX)
            found[f"{page} {target}"] = _read(answer)
    for name, form in endpoints().items():
        for target in ("Ilya", SECRET) if "who" in form.base_fields else ():
            address, asked = reverse("combat:form", args=[world.fight.encounter_id, name]), world.fight[target]
            found[f"{name} {asked}"] = _read(client.get(address, {"who": asked}, headers=HTMX))
    return found


MADE_AT = re.compile(r'"made": "[^"]*"')


def _read(answer: Any) -> str:
    text = text_of(answer)
    if answer.get("Content-Type") == "application/zip":
        # It says when it was made, and that changes its length.
        answer["Content-Length"], text = "", MADE_AT.sub("", text)
    return plain(f"{answer.status_code}\n{sorted(answer.headers.items())}\n{answer.cookies.output()}\n{text}")


def leaked(world: World, who: str, asked: str, text: str) -> list[str]:
    """The secrets in a response, except those in the request's own URL, which sign-in links repeat."""
    found = [secret for secret in world.secrets(who) if secret in text and secret not in asked]
    rest = text.casefold().replace("atlantic/canary", "")  # a time zone
    for known in world.known(who):
        rest = rest.replace(known.casefold(), "")
    return found or ([planted.MARK] if planted.MARK in rest else [])


# ------------------------------------------------------------------ everything that can be read


def test_every_route_is_tried(world: World) -> None:
    """Add new URLs to `tests.world.places`."""
    assert {route for route in routes() if not route.startswith("admin:")} == set(places(world))


def test_the_secrets_are_there_to_be_found(world: World) -> None:
    in_the_dark(world.fight)
    everywhere = "".join(everything(world, "storyteller").values()).casefold()
    assert [secret for secret in world.secrets() if secret.casefold() not in everywhere] == []


def test_a_player_reads_what_is_theirs(world: World) -> None:
    """What is planted for the other player alone is found by them, so it is searched for where it is."""
    everywhere = "".join(everything(world, "other_player").values()).casefold()
    assert [text for text in planted.HERS.values() if text.casefold() not in everywhere] == []


# ------------------------------------------------------------------ every field


NUMBERS = "Keys of the rules with numbers: what is hidden changes them below, and no byte changes."
MADE = "Made by the machine at random, or a digest: it says nothing."
TOKEN = "The token of a log entry: those of secret rolls are in `World.secrets`."
KEY = "A key of the rules or of a list of choices, with a name that everybody knows."
PUBLIC = "Every member reads it."
DERIVED = "Made for one audience from what its log tells it: tests/story/test_digests.py."
ACCOUNT = "On the page of one's own account alone: tests/campaigns."
ELSEWHERE = "Only where injuries are kept one by one: tests/combat/secrecy plays such fights twice."
NOT_PLANTED = {
    **dict.fromkeys(("Character.traits", "Character.resources", "Character.marks", "Character.impairments"), NUMBERS),
    **dict.fromkeys(("Template.traits", "Template.pools", "Encounter.versions", "Encounter.clocks"), NUMBERS),
    **dict.fromkeys(("Reinforcement.health_shown", "Reinforcement.side"), KEY),
    **dict.fromkeys(("Character.injuries", "Character.scars"), ELSEWHERE),
    **dict.fromkeys(("Character.kind", "Template.kind", "Template.shipped", "ExperienceEntry.trait"), KEY),
    **dict.fromkeys(("Weapon.attribute", "Weapon.ability", "Weapon.damage_from", "Weapon.tags", "Armor.covers"), KEY),
    **dict.fromkeys(("ExperienceEntry.proof", "DeclinedProposal.proof", "SheetChange.entry", "LogRow.token"), TOKEN),
    **dict.fromkeys(("StoredDigest.body", "StoredDigest.lines", "StoredDigest.folded"), DERIVED),
    **dict.fromkeys(("Transfer.contents", "Transfer.places", "Transfer.problem"), ACCOUNT),
    **dict.fromkeys(("StoredDigest.audience", "StoredDigest.made_from"), MADE),
    **dict.fromkeys(("Session.title", "Session.place", "Session.recap", "Attendance.word"), PUBLIC),
    "ForecastPolicies.chosen": "Ids of combatants and keys of policies: tests/combat/forecast.",
    "Preparation.fight": "The id of a fight: that of the draft is in `World.secrets`.",
    "StoredDigest.language": "The code of a language.",
    "StoredDigest.people": "Ids of characters; no view holds them.",
    "SheetChange.fight": "The id of a fight: that of the draft is in `World.secrets`.",
    "Armor.note": "As Weapon.note.",
    "ExperienceEntry.line": "A price of the house rules, which every member reads.",
    **dict.fromkeys(("Chronicle.name", "Chronicle.description", "Chronicle.options", "Chronicle.conduct"), PUBLIC),
    **dict.fromkeys(("User.username", "User.first_name", "User.last_name", "LogRow.actor_name"), PUBLIC),
    **dict.fromkeys(("User.language", "User.time_zone", "DeskKeys.own", "SignIn.device"), ACCOUNT),
    **dict.fromkeys(("Webhook.language", "Webhook.time_zone"), "The code of a language, the name of a zone."),
    **dict.fromkeys(("User.password", "SignIn.session_data", "Invitation.token_hash", "Wall.token_hash"), MADE),
    **dict.fromkeys(("LogRow.key", "LogRow.sent", "LogRow.seal", "Encounter.seal", "ShippedTable.digest"), MADE),
    "Encounter.earlier_seals": MADE,
    "CalendarFeed.token_hash": MADE,
    "CalendarFeed.language": "The code of a language.",
    **dict.fromkeys(("CarriedWeapon.key", "WornArmor.key"), MADE),
    **dict.fromkeys(("ExperienceEntry.key", "ExperienceEntry.seal", "Ledger.seal"), MADE),
}
"""The fields without a planted text, and why."""


def test_every_field_holds_a_secret_or_cannot(world: World) -> None:
    """Plant a text in a new field in `tests.planted`, or say here why nothing secret is ever in it."""
    in_the_dark(world.fight)
    assert planted.unplanted() == NOT_PLANTED.keys()


def test_a_field_that_nobody_thought_of_is_found() -> None:
    with isolate_apps("characters"):

        class Rumour(Model):  # noqa: DJ008  # nobody reads it
            text = TextField()
            about = JSONField()
            heard = PositiveIntegerField()

            class Meta:
                app_label = "characters"

    assert planted.text_fields([Rumour]).keys() == {"Rumour.text", "Rumour.about"}


@pytest.mark.parametrize("who", OTHERS)
def test_no_answer_holds_a_secret(world: World, who: str) -> None:
    in_the_dark(world.fight)
    leaks = {
        asked: found for asked, text in everything(world, who).items() if (found := leaked(world, who, asked, text))
    }
    assert leaks == {}


@pytest.mark.parametrize("who", [*MEMBERS, "stranger", "guest"])
def test_no_refusal_holds_a_secret(world: World, who: str) -> None:
    """Forms sent empty, and forms with ids of hidden combatants."""
    in_the_dark(world.fight)
    hidden, client = world.fight[SECRET], world.client(who)
    for _route, address in addresses(world):
        if "/sign-out/" in address or address.endswith(("/leave/", "/delete/")):
            continue
        for said in ({}, {"who": hidden, "at": hidden, "against": hidden, "answer": f"x {hidden} dodge"}):
            answer = client.post(address, said, headers=HTMX)
            assert answer.status_code < 500, address
            assert leaked(world, who, f"{address} {hidden}", _read(answer)) == [], address


# ------------------------------------------------------------------ secret actions change no byte


def somebody_acts(fight: Table) -> None:
    fight.do(commands.RollInitiative())
    for who in fight.ids.values():
        fight.do(Declare(who, "Fight.", out_of_order=True))
    fight.do(commands.Act())


def test_what_is_done_in_the_dark_changes_no_byte(world: World, characters: dict[str, Any]) -> None:
    """Every page of every member, before and after the hidden act and the Storyteller edits an NPC's sheet."""
    somebody_acts(world.fight)
    # One session each: the account's page lists them.
    clients = {who: world.client(who) for who in MEMBERS}
    before = {who: everything(world, who, client) for who, client in clients.items()}
    in_the_dark(world.fight)
    npc = characters[TRUE_NAME]
    npc.traits = npc.traits | {"strength": 5, "stamina": 5, "fortitude": 3}
    npc.storyteller_notes = "Something else."
    npc.save()
    Portrait.objects.filter(character__in=[npc, characters[SECRET]]).delete()
    Portrait.objects.create(character=npc, picture=b"another")

    revising.revise_sheets(encounter_id=world.fight.encounter_id, characters=[npc.pk])
    for who in MEMBERS:
        now = everything(world, who, clients[who])
        changed = {asked: (text, before[who][asked]) for asked, text in now.items() if text != before[who][asked]}
        assert changed == {}, who


# ------------------------------------------------------------------ frames


@pytest.mark.parametrize("who", MEMBERS)
def test_no_frame_holds_a_secret(world: World, who: str) -> None:
    in_the_dark(world.fight)
    heard: list[str] = []

    async def scenario() -> None:
        socket = await opened(world.people[who], world.fight.encounter_id)
        heard.append(await socket.receive_from())
        for have in (0, 1, 2):
            await socket.send_to(json.dumps({"have": have}))
            heard.append(await socket.receive_from())
        await sync_to_async(world.fight.do)(commands.Harm(world.fight["Ilya"], 1, Damage.BASHING))
        await socket.send_to(json.dumps({"have": 1}))
        heard.append(await socket.receive_from())
        await socket.disconnect()

    async_to_sync(scenario)()
    assert any("Ilya" in frame for frame in heard)
    assert [leaked(world, who, "", frame) for frame in heard] == [[] for _ in heard]
