"""A player's vampire, somebody else's, and one that only the Storyteller knows of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from characters import hooks, tables
from characters.models import Armor, CarriedWeapon, Character, Weapon, WornArmor
from tests.kept import kept

TRAITS = {
    "strength": 2,
    "dexterity": 4,
    "stamina": 3,
    "wits": 3,
    "alertness": 2,
    "dodge": 3,
    "firearms": 1,
    "melee": 3,
    "occult": 4,
    "auspex": 2,
    "thaumaturgy": 3,
    "conscience": 3,
    "self_control": 4,
    "courage": 3,
    "humanity": 6,
    "willpower": 6,
    "generation": 9,
}


@pytest.fixture
@kept
def shipped(db: None) -> None:
    """The built-in tables."""
    tables.load()


@pytest.fixture
def weapon(shipped: None) -> Callable[[str], Weapon]:
    return lambda name: Weapon.objects.get(ruleset="masquerade", chronicle=None, name=name)


@pytest.fixture
@kept
def ilya(chronicle: Any, player: Any, weapon: Callable[[str], Weapon]) -> Character:
    """The player's vampire, hurt, with a sword, a pistol and a thick coat."""
    made = Character.objects.create(
        chronicle=chronicle,
        owner=player,
        kind="vampire",
        name="Ilya Voss",
        concept="Tremere",
        traits=TRAITS,
        resources={"willpower": 4, "blood": 7},
        marks=["lethal", "bashing", "bashing"],
        notes="Owes the *Prince* a favour.",
        storyteller_notes="The Prince is dead: CANARY-NOTES.",
    )
    CarriedWeapon.objects.create(character=made, weapon=weapon("Sword"), name="Grandfather's sabre", order=0)
    CarriedWeapon.objects.create(character=made, weapon=weapon("Light pistol"), rounds=9, order=1)
    coat = Armor.objects.get(ruleset="masquerade", name="Reinforced clothing")
    WornArmor.objects.create(character=made, armor=coat)
    return made


@pytest.fixture
@kept
def lurker(chronicle: Any) -> Character:
    """The Storyteller's own, hidden from everybody else."""
    return Character.objects.create(chronicle=chronicle, kind="vampire", name="CANARY Lurker", traits={"strength": 5})


@pytest.fixture
def fights() -> Iterator[dict[str, str]]:
    """Character id -> name of its running encounter; initially empty."""
    running: dict[str, str] = {}
    before = list(hooks._asked)
    hooks._asked[:] = [lambda character_id: running.get(character_id, "")]
    yield running
    hooks._asked[:] = before


@pytest.fixture
def signed_in(client: Any) -> Callable[[Any], Any]:
    """signed_in(user) -> the client, signed in as them."""

    def sign_in(user: Any) -> Any:
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def fields() -> Callable[[Any], dict[str, Any]]:
    """fields(response) -> what a browser would submit of the sheet's form."""

    def read(response: Any) -> dict[str, Any]:
        form = response.context["form"]
        data: dict[str, Any] = {}
        for part in (form, form.weapons.management_form, form.armor.management_form, *form.weapons, *form.armor):
            for bound in part:
                value = bound.value()
                if value not in (None, []) and value is not False:
                    data[bound.html_name] = value if isinstance(value, list) else str(value)
        return data

    return read
