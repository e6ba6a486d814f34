"""A fight to test with: two players' vampires, a masked NPC, a gang, and a hidden combatant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from campaigns.tokens import public_id
from characters.sheets import sheets_of
from combat.commands import drafts, perform
from combat.commands.outside import open_log
from combat.history.records import read, ruleset_for
from combat.live import consumers
from combat.log import codec
from combat.models import Encounter
from combat.panes import View
from combat.panes.build import view_for
from combat.secrecy.access import audience_of
from rules.engine.dice import Throw
from rules.topics import commands
from rules.topics.commands import Newcomer
from tests.kept import kept

SECRET = "Zzyzx the Unseen"
"""The hidden combatant's name, which must not be in anything that a player receives."""

TRUE_NAME = "Quintus Thornwald"
"""The masked combatant's real name."""


class FixedDice:
    """The same faces for every roll."""

    def __init__(self, *faces: int) -> None:
        self.faces = faces or (8, 3, 7, 2, 9)
        self.thrown = 0

    def roll(self, throw: Throw) -> tuple[int, ...]:
        found = tuple(self.faces[(self.thrown + index) % len(self.faces)] for index in range(throw.count))
        self.thrown += throw.count
        return found

    def pick(self, options: int) -> int:
        return 0


class WrittenDice(FixedDice):
    """The given faces first, then ones."""

    def __init__(self, *first: int) -> None:
        super().__init__()
        self.first = list(first)

    def roll(self, throw: Throw) -> tuple[int, ...]:
        return tuple(self.first.pop(0) if self.first else 1 for _ in range(throw.count))


@dataclass
class Table:
    """An encounter, with methods to act in it. Combatants are found by name."""

    encounter_id: str
    storyteller: Any
    ids: dict[str, str]

    @classmethod
    def of(cls, encounter: Encounter, storyteller: Any) -> Table:
        """A table with everybody in the encounter, by name."""
        table = cls(encounter.pk, storyteller, {})
        table.ids = {each.sheet.name: who for who, each in table.state.combatants.items()}
        return table

    @property
    def encounter(self) -> Encounter:
        return Encounter.objects.select_related("chronicle").get(pk=self.encounter_id)

    @property
    def state(self) -> Any:
        return codec.load_state(self.encounter.state)

    def __getitem__(self, name: str) -> str:
        return self.ids[name]

    def do(self, command: Any, by: Any = None, **more: Any) -> perform.Performed:
        """Perform commands, as the Storyteller unless another user is given, with fixed dice."""
        more.setdefault("dice", FixedDice())
        return perform.perform(encounter_id=self.encounter_id, actor=by or self.storyteller, command=command, **more)

    def view(self, audience: Any) -> View:
        """An audience's view, by the audience's name or by user."""
        if not isinstance(audience, str):
            audience = audience_of(self.encounter.chronicle.memberships.get(user=audience))
        return view_for(read(self.encounter), audience)

    def begin(self) -> Table:
        self.do(commands.Begin())
        return self

    def turn(self) -> Table:
        """Roll initiative, and let everybody who can declare something trivial."""
        if ruleset_for(self.encounter).initiative.rolled:
            self.do(commands.RollInitiative())
        return self


def make_character(chronicle: Any, name: str, owner: Any = None, **more: Any) -> Any:
    from characters.models import Character

    traits = {"strength": 3, "dexterity": 3, "stamina": 2, "wits": 3, "brawl": 3, "melee": 3, "dodge": 2}
    fields = {
        "kind": "vampire",
        "traits": traits | {"willpower": 6, "generation": 10},
        "resources": {"blood": 10, "willpower": 6},
    }
    return Character.objects.create(chronicle=chronicle, name=name, owner=owner, **(fields | more))


def bar_fight(chronicle: Any, storyteller: Any, people: dict[str, Any], traits: Any, **weapon: Any) -> Table:
    """A running Chronicles fight: people by player, identical except for their names; the last is hidden."""
    from campaigns.models import Chronicle
    from characters.models import CarriedWeapon, Character, Weapon

    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="chronicles")
    chronicle.refresh_from_db()
    carried = Weapon.objects.create(ruleset="chronicles", type="lethal", **weapon)
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The bar", scene="Smoke.")
    for name, owner in people.items():
        character = Character.objects.create(chronicle=chronicle, name=name, owner=owner, traits=traits)
        CarriedWeapon.objects.create(character=character, weapon=carried)
        hidden = name == list(people)[-1]
        drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=character, hidden=hidden)
    return Table.of(encounter, storyteller).begin()


@pytest.fixture
@kept
def characters(chronicle: Any, player: Any, other_player: Any) -> dict[str, Any]:
    from characters.models import CarriedWeapon, Weapon

    made = {
        "Ilya": make_character(chronicle, "Ilya", player),
        "Marguerite": make_character(chronicle, "Marguerite", other_player),
        TRUE_NAME: make_character(chronicle, TRUE_NAME),
        SECRET: make_character(chronicle, SECRET),
        "Thug": make_character(chronicle, "Thug", kind="mortal", traits={"dexterity": 2, "brawl": 2, "wits": 2}),
    }
    sword, _ = Weapon.objects.get_or_create(
        name="Test sword",
        ruleset="masquerade",
        chronicle=None,
        defaults={"mode": "melee", "damage": 2, "damage_from": "strength", "type": "lethal"},
    )
    pistol, _ = Weapon.objects.get_or_create(
        name="Test pistol",
        ruleset="masquerade",
        chronicle=None,
        defaults={"mode": "firearm", "damage": 5, "type": "lethal", "range_short": 20, "rate": 3, "clip": 12},
    )
    CarriedWeapon.objects.create(character=made["Ilya"], weapon=sword)
    CarriedWeapon.objects.create(character=made["Ilya"], weapon=pistol, rounds=5)
    return made


@pytest.fixture
@kept
def draft(chronicle: Any, storyteller: Any, characters: dict[str, Any]) -> Table:
    """The fight as a draft, with everybody in it. They join in one step: five take half of most tests' time."""
    membership = chronicle.memberships.get(user=storyteller)
    encounter = drafts.create_encounter(by=membership, name="The chapel", scene="Rain through the roof.")
    sheets = sheets_of(character.pk for character in characters.values())

    def joining(name: str, **how: Any) -> Newcomer:
        character = characters[name]
        sheet = sheets[character.pk]
        return Newcomer(public_id(), sheet, character.pk, player=not character.is_npc, **how)

    thug = characters["Thug"].pk
    thugs = [Newcomer(public_id(), replace(sheets[thug], name=f"Thug {number}"), group=thug) for number in (1, 2)]
    named = [
        joining("Ilya"),
        joining("Marguerite"),
        joining(TRUE_NAME, mask="a tall man"),
        joining(SECRET, hidden=True),
    ]
    perform.perform(encounter_id=encounter.pk, actor=storyteller, command=commands.Join((*named, *thugs)))
    return Table.of(Encounter.objects.get(pk=encounter.pk), storyteller)


@pytest.fixture
@kept
def fight(draft: Table) -> Table:
    """The fight, begun."""
    return draft.begin()


@pytest.fixture
@kept
def hunt(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A player's Garou in armour against a gunman."""
    from characters.models import Armor, CarriedWeapon, Weapon, WornArmor

    chronicle.ruleset = "apocalypse"
    chronicle.save()
    wolf = make_character(
        chronicle,
        "Wolf",
        player,
        kind="garou",
        traits={"dexterity": 3, "wits": 3, "stamina": 3, "rage": 3, "gnosis": 3},
        resources={},
    )
    gunman = make_character(chronicle, "Gunman", kind="mortal", traits={"dexterity": 3, "firearms": 2}, resources={})
    vest = Armor.objects.create(name="Test vest", ruleset="apocalypse", rating=2, penalty=-1)
    WornArmor.objects.create(character=wolf, armor=vest)
    pistol = Weapon.objects.create(
        name="Test gun", ruleset="apocalypse", mode="firearm", damage=5, type="lethal", range_short=20, clip=12
    )
    CarriedWeapon.objects.create(character=gunman, weapon=pistol)
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The caern", scene="")
    common = {"encounter_id": encounter.pk, "actor": storyteller}
    drafts.add_character(**common, character=wolf)
    drafts.add_character(**common, character=gunman)
    return Table.of(encounter, storyteller).begin()


@pytest.fixture
def signed_in(client: Any) -> Callable[[Any], Any]:
    """signed_in(user) -> the test client, signed in as them."""

    def sign_in(user: Any) -> Any:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in


@pytest.fixture
@kept
def log(chronicle: Any, storyteller: Any, characters: dict[str, Any]) -> Table:
    """The log of the chronicle's rolls, its people by name."""
    return Table(open_log(chronicle).pk, storyteller, {name: each.pk for name, each in characters.items()})


@pytest.fixture
def plain_panes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panes as their values, since rendering is tested elsewhere."""

    def drawn(template: str, context: dict[str, Any]) -> str:
        if "pane" not in context:
            return f'<output id="version" data-version="{context["version"]}" data-since="{context["since"]}"></output>'
        return f'<section id="{template}" data-version="{context["pane_version"]}">{context["pane"]!r}</section>'

    monkeypatch.setattr("combat.live.frames.render_to_string", drawn)


@pytest.fixture
def nobody_is_there_yet() -> None:
    """Forget the sockets of earlier tests, which did not disconnect."""
    consumers._open.clear()


@pytest.fixture
def acts(fight: Table, django_capture_on_commit_callbacks: Any) -> Callable[..., Any]:
    """acts(command, by=user) during an async test, with hints sent."""

    def act(command: Any, by: Any = None) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            fight.do(command, by=by)

    return sync_to_async(act)
