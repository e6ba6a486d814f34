"""The demo: a chronicle to try things out, with a fight ready to begin."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Q

from campaigns import page_services
from campaigns import services as campaigns
from campaigns.models import Chronicle, Membership, Role, User
from campaigns.tokens import ALPHABET
from characters import tables
from characters.models import Armor, Character, Weapon
from characters.services import Carried, SheetData, create_character
from combat.commands import drafts
from combat.models import Encounter

FILE = Path(__file__).with_name("demo.toml")
RULESET = "masquerade"


@dataclass(frozen=True, slots=True)
class SignIn:
    """An account's sign-in. The password is not stored anywhere else."""

    name: str
    password: str
    role: str


def make_demo() -> tuple[SignIn, ...]:
    """Create the demo chronicle and return its sign-ins, with random passwords.

    For a database without users: a name that is taken raises IntegrityError.
    """
    tables.load()
    book = tomllib.loads(FILE.read_text(encoding="utf-8"))
    passwords = {user["name"]: new_password() for user in book["users"]}
    users = {user["name"]: _make_user(user, passwords[user["name"]]) for user in book["users"]}
    chronicle = _make_chronicle(book, users)
    storyteller = Membership.objects.get(chronicle=chronicle, role=Role.STORYTELLER)
    for note in book["notes"]:
        page_services.create_page(by=storyteller, **{key: text.strip() for key, text in note.items()})
    encounter = drafts.create_encounter(
        by=storyteller, name=book["encounter"]["name"], scene=book["encounter"]["scene"].strip()
    )
    for written in book["characters"]:
        _bring_in(encounter, storyteller, written, _make_character(storyteller, written, users))
    return tuple(SignIn(user["name"], passwords[user["name"]], str(Role(user["role"]).label)) for user in book["users"])


def new_password() -> str:
    """A random password that is easy to read out and type on a phone: three groups of four, about 55 bits."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(3))


def _make_user(written: Mapping[str, Any], password: str) -> User:
    user = campaigns.sign_up(username=written["name"], password=password)
    user.first_name = written["shown"]
    user.save(update_fields=["first_name"])
    return user


def _make_chronicle(book: Mapping[str, Any], users: Mapping[str, User]) -> Chronicle:
    first = next(user["name"] for user in book["users"] if user["role"] == Role.STORYTELLER)
    about = book["chronicle"]
    chronicle = campaigns.create_chronicle(
        user=users[first], name=about["name"], ruleset=RULESET, description=about["description"].strip()
    )
    for user in book["users"]:
        if user["name"] != first:
            campaigns.add_member(chronicle=chronicle, user=users[user["name"]], role=Role(user["role"]))
    return chronicle


def _make_character(by: Membership, written: Mapping[str, Any], users: Mapping[str, User]) -> Character:
    sheet = SheetData(
        name=written["name"],
        kind=written["kind"],
        concept=written["concept"],
        traits=written["traits"],
        resources=written["resources"],
        notes=written.get("notes", ""),
        storyteller_notes=written.get("storyteller_notes", ""),
        weapons=[_carried(Weapon, each) for each in written["weapons"]],
        armor=[_carried(Armor, each) for each in written["armor"]],
    )
    return create_character(by=by, owner=users.get(written.get("owner", "")), sheet=sheet)


def _carried(table: type[Weapon] | type[Armor], written: Mapping[str, Any]) -> Carried:
    row = table._default_manager.get(Q(chronicle__isnull=True), ruleset=RULESET, name=written["name"])
    return Carried(item=row.pk, name=written.get("as", ""), rounds=written.get("rounds"))


def _bring_in(encounter: Encounter, by: Membership, written: Mapping[str, Any], character: Character) -> None:
    common: dict[str, Any] = {"encounter_id": encounter.pk, "actor": by.user, "character": character}
    common |= {"hidden": written.get("hidden", False), "mask": written.get("mask", "")}
    if "copies" in written:
        drafts.add_copies(count=written["copies"], **common)
    else:
        drafts.add_character(**common)
