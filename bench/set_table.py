"""Creates a chronicle with a running fight and many people, for `bench/harness`. A process of its own.

    bench/set_table.py '{"players": 8, "observers": 1, "storytellers": 2, "thugs": 4, "bystanders": 0}' [TABLES]

Prints one line of JSON per table, described by `bench.harness.Table`. The database is that of DATABASE_URL or
VESPER_DATA; it may already contain other tables. The working directory is the checkout whose code creates the tables.
"""

# ruff: noqa: T201, E402 (prints its results; Django must be set up before imports)

from __future__ import annotations

import json
import os
import sys
from typing import Any

sys.path[0] = os.getcwd()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import transaction
from django.test import Client

from campaigns import services as campaigns
from campaigns.models import Chronicle, Membership, Role, User
from campaigns.tokens import public_id
from characters import tables
from characters.models import Character
from combat.commands import drafts, perform
from combat.live import wall
from combat.log import codec
from combat.models import Encounter
from combat.secrecy.access import audience_of
from rules.topics import commands

TRAITS = {
    "strength": 3,
    "dexterity": 3,
    "stamina": 3,
    "wits": 3,
    "perception": 2,
    "alertness": 2,
    "brawl": 3,
    "dodge": 2,
    "willpower": 6,
    "generation": 10,
}


def main() -> None:
    wanted = json.loads(sys.argv[1])
    call_command("migrate", interactive=False, verbosity=0)
    tables.load()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with transaction.atomic():
        for _table in range(count):
            print(json.dumps(made(**wanted)))


def made(*, players: int, observers: int, storytellers: int, thugs: int, bystanders: int) -> dict[str, Any]:
    """Create the table with this many people. Each player plays a vampire; the `thugs` are their mortal enemies.

    Nothing happens to `bystanders` in the fight, so that their sheets can be edited in the meantime.
    """
    people = {f"storyteller {number}": Role.STORYTELLER for number in range(1, storytellers + 1)}
    people |= {f"player {number}": Role.PLAYER for number in range(1, players + 1)}
    people |= {f"observer {number}": Role.OBSERVER for number in range(1, observers + 1)}
    users = {name: _user(name) for name in people}
    first = users["storyteller 1"]
    chronicle = campaigns.create_chronicle(user=first, name="Under load", ruleset="masquerade")
    for name, role in people.items():
        if users[name] != first:
            campaigns.add_member(chronicle=chronicle, user=users[name], role=role)
    by = Membership.objects.get(chronicle=chronicle, user=first)
    fight = drafts.create_encounter(by=by, name="The long fight", scene="Rain on a tin roof.")
    common: dict[str, Any] = {"encounter_id": fight.pk, "actor": first}
    for name, role in people.items():
        if role is Role.PLAYER:
            drafts.add_character(**common, character=_character(chronicle, name, users[name]))
    for number in range(1, bystanders + 1):
        drafts.add_character(**common, character=_character(chronicle, f"Bystander {number}"))
    if thugs:
        drafts.add_copies(**common, character=_character(chronicle, "Thug"), count=thugs)
    perform.perform(**common, command=commands.Begin())
    fight.refresh_from_db()
    return {
        "chronicle": chronicle.pk,
        "encounter": fight.pk,
        "rows": fight.seq,
        "wall": wall.open_wall(by=by),
        "combatants": _ids(fight),
        "characters": dict(chronicle.characters.exclude(name="Thug").values_list("name", "pk")),
        "people": {name: _told(chronicle, name, user) for name, user in users.items()},
    }


def _user(name: str) -> User:
    # No passwords: nobody signs in by the form, and hashing takes a quarter of a second each.
    user = User(username=f"{name.replace(' ', '-')}-{public_id()}", first_name=name.capitalize())
    user.set_unusable_password()
    user.save()
    return user


def _character(chronicle: Chronicle, name: str, owner: User | None = None) -> Character:
    return Character.objects.create(
        chronicle=chronicle,
        name=name.capitalize(),
        owner=owner,
        kind="vampire" if owner else "mortal",
        traits=TRAITS if owner else {key: 2 for key in TRAITS if key != "generation"},
        resources={"blood": 10, "willpower": 6} if owner else {},
    )


def _ids(fight: Encounter) -> dict[str, str]:
    return {each.sheet.name: who for who, each in codec.load_state(fight.state).combatants.items()}


def _told(chronicle: Chronicle, name: str, user: User) -> dict[str, Any]:
    browser = Client()
    browser.force_login(user)
    audience = audience_of(Membership.objects.get(chronicle=chronicle, user=user))
    return {"name": name, "user": user.pk, "audience": audience, "session": browser.session.session_key}


if __name__ == "__main__":
    main()
