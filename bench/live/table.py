"""Creates the fight to measure, on a temporary database, and the cookies of its readers. A process of its own.

    cd CHECKOUT; python bench/live/table.py '{"events": 10, "players": 6, "readers": 50, "combatants": 10}'

Prints a :class:`Table` as one line of JSON. The working directory is the checkout whose code prepares the fight, since
each version has its own migrations; the fight is the same in all.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import Any, Self

if __name__ == "__main__":
    sys.path[0] = os.getcwd()

CSRF = "a" * 32
"""The CSRF cookie: any text of this length works."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody with pages of the fight open. `audience` is the view they get."""

    name: str
    audience: str
    path: str
    cookie: str


@dataclass(frozen=True, slots=True)
class Table:
    """The fight: its id, who is hurt in it, and its readers, players first."""

    encounter: str
    chronicle: str
    target: str
    storyteller: Reader
    readers: tuple[Reader, ...]
    rows: int

    @classmethod
    def told(cls, line: str) -> Self:
        """The table from the JSON that this module prints."""
        said = json.loads(line)
        readers = tuple(Reader(**each) for each in said.pop("readers"))
        return cls(storyteller=Reader(**said.pop("storyteller")), readers=readers, **said)


def prepare(*, events: int, players: int, readers: int, combatants: int = 10) -> Table:
    """Start the demo's fight with this many players and combatants, `events` rows in its log, and `readers`.

    Sets up Django in this process, with the data folder from the environment.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()

    from django.core.management import call_command
    from django.db import connection

    from campaigns.models import User
    from combat.commands import perform
    from combat.demo import make_demo
    from combat.log import codec
    from combat.models import Encounter
    from rules.topics import commands

    call_command("migrate", verbosity=0)
    make_demo()
    fight = Encounter.objects.fights().get()
    storyteller = User.objects.get(username="storyteller")
    _invite(fight.chronicle, players, readers)
    _bring_in(fight, storyteller, combatants)
    for command in (commands.Begin(), commands.RollInitiative()):
        perform.perform(encounter_id=fight.pk, actor=storyteller, command=command)
    state = codec.load_state(Encounter.objects.get(pk=fight.pk).state)
    target = next(who for who, each in state.combatants.items() if each.sheet.name == "Ilya Voss")
    _fill(fight.pk, storyteller, target, events)
    found = _readers(fight)
    rows = Encounter.objects.get(pk=fight.pk).seq
    connection.close()
    mine = next(each for each in found if each.audience == "storyteller")
    return Table(fight.pk, fight.chronicle_id, target, mine, found, rows)


def _readers(fight: Any) -> tuple[Reader, ...]:
    """All members of the fight's chronicle, players first, and the wall."""
    from campaigns.models import Role
    from combat.live import wall
    from combat.secrecy.access import audience_of

    order = [Role.PLAYER, Role.STORYTELLER, Role.OBSERVER]
    members = sorted(fight.chronicle.memberships.select_related("user"), key=lambda each: order.index(each.role))
    by = next(each for each in members if each.role == Role.STORYTELLER)
    found = [
        Reader(
            each.user.username,
            audience_of(each),
            f"/ws/encounters/{fight.pk}/",
            f"vesper-session={_session(each.user)}; vesper-csrf={CSRF}",
        )
        for each in members
    ]
    return (*found, Reader("wall", "table", f"/ws/wall/{wall.open_wall(by=by)}/{fight.pk}/", ""))


def _invite(chronicle: Any, players: int, readers: int) -> None:
    """Add players, and as many observers as are missing."""
    from campaigns.models import Membership, Role, User

    present = Membership.objects.filter(chronicle=chronicle)
    lacking = max(0, players - present.filter(role=Role.PLAYER).count())
    more = max(0, readers - 1 - present.count())  # the wall counts as one
    for place in range(more):
        user = User.objects.create(username=f"reader{place}")
        role = Role.PLAYER if place < lacking else Role.OBSERVER
        Membership.objects.create(chronicle=chronicle, user=user, role=role)


def _bring_in(fight: Any, storyteller: Any, combatants: int) -> None:
    """Add characters until there are enough combatants, and give each player without a character one of these, or
    somebody of the Storyteller's whom all can see, if there are enough."""
    from campaigns.models import Membership, Role
    from characters.models import Character
    from combat.commands import drafts
    from combat.log import codec

    cast = fight.chronicle.characters.order_by("name")
    pattern = cast.get(name="Thug")
    named = {each.sheet.name for each in codec.load_state(fight.state).combatants.values() if not each.hidden}
    free = list(cast.filter(owner=None, name__in=named))
    for number in range(len(codec.load_state(fight.state).combatants), combatants):
        traits = {"kind": pattern.kind, "traits": pattern.traits, "resources": pattern.resources}
        another = Character.objects.create(chronicle=fight.chronicle, name=f"Hireling {number}", **traits)
        drafts.add_character(encounter_id=fight.pk, actor=storyteller, character=another)
        free.insert(0, another)
    players = Membership.objects.filter(chronicle=fight.chronicle, role=Role.PLAYER).order_by("user")
    lacking = [each.user for each in players if not cast.filter(owner=each.user).exists()]
    for user, character in zip(lacking, free, strict=False):
        character.owner = user
        character.save(update_fields=["owner"])


def _session(user: Any) -> str:
    from django.test import Client

    browser = Client()
    browser.force_login(user)
    return str(browser.session.session_key)


def _fill(encounter_id: str, actor: Any, target: str, events: int) -> None:
    """Fill the log up to this many rows by alternating a blow and its correction, all sealed.

    The two are performed once and then copied: ten thousand commands would take longer than the whole measurement.
    """
    from campaigns.tokens import public_id
    from combat.commands import perform
    from combat.log import seal
    from combat.models import Encounter, LogRow
    from rules.model.gear import Damage
    from rules.topics.commands import Harm, SetHealth

    before = Encounter.objects.get(pk=encounter_id)
    if events - before.seq < 2:
        return
    for command in (Harm(target, 1, Damage.BASHING), SetHealth(target, ())):
        perform.perform(encounter_id=encounter_id, actor=actor, command=command)
    fight = Encounter.objects.get(pk=encounter_id)
    assert fight.state == before.state, "the boxes must be as before"
    pattern = list(LogRow.objects.filter(encounter_id=encounter_id, seq__gt=before.seq).order_by("seq"))
    rows = []
    for number in range(fight.seq + 1, events + 1, 2):
        for place, row in enumerate(pattern):
            said = {name: getattr(row, name) for name in ("kind", "actor", "actor_name", "command", "events", "cast")}
            copy = LogRow(encounter=fight, seq=number + place, token=public_id(), **said)
            copy.seal = fight.seal = seal.seal(fight.seal, seal.content(copy))
            rows.append(copy)
    LogRow.objects.bulk_create(rows, batch_size=500)
    fight.seq += len(rows)
    fight.save()


if __name__ == "__main__":
    print(json.dumps(asdict(prepare(**json.loads(sys.argv[1])))))  # noqa: T201
