"""Deleting an account that did everything: its name is nowhere in the database, and all else is still there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns import leaving, page_services, session_services
from campaigns.models import Attendance, Invitation, Membership, Page, Passage, Role, SignIn, User
from campaigns.services import change_role, create_chronicle
from characters.models import Character, Meeting, SheetChange, Tie
from characters.tie_services import TieData, write_tie
from combat.log import export
from combat.log import rows as logs
from combat.models import DeskKeys, Encounter, LogRow
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from story.digests import read_for_everybody
from tests.combat.conftest import characters, draft, fight
from tests.combat.log.test_seal import WAIVE
from tests.test_permissions import world
from tests.world import World

__all__ = ["characters", "draft", "fight", "world"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

NAMED = {"storyteller": "Zephyrine.Quatermain", "other_player": "Xanthippe_Oglethorpe"}
"""User names that are in no other text. Display names and addresses are made from them."""


@pytest.fixture
def person(db: None) -> Any:
    def make(name: str, **more: Any) -> Any:
        known = NAMED.get(name, name)
        shown = {"first_name": f"{known.replace('_', ' ')} the Shown"} if name in NAMED else {}
        return User.objects.create_user(known, f"{known}@mail.example", f"{name}'s password", **shown, **more)

    return make


def everything() -> Iterator[tuple[str, str]]:
    """Every value of the database, as text, with its table and column."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            quoted = connection.ops.quote_name(table)
            cursor.execute(f"SELECT * FROM {quoted}")
            columns = [each[0] for each in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    yield f"{table}.{column}", _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def found(*names: str) -> set[str]:
    wanted = [name.casefold() for name in names]
    return {where for where, text in everything() if any(name in text.casefold() for name in wanted)}


def names_of(user: User) -> tuple[str, ...]:
    return user.username, user.display_name, user.email, user.username.replace("_", " ")


def member_of(world: World, who: str) -> Membership:
    return Membership.objects.select_related("user").get(chronicle=world.chronicle, user=world.people[who])


def busy(world: World, who: str) -> None:
    """What the world's fixture doesn't do: words of every sort, answers, sign-ins, what the administration notes."""
    cache.clear()
    user, by = world.people[who], member_of(world, who)
    client = Client()
    client.post(reverse("campaigns:sign-in"), {"username": user.username, "password": f"{who}'s password"})
    assert SignIn.objects.filter(user=user).exists()
    client.get(reverse("campaigns:chronicle", args=[world.chronicle.pk]))
    for audience in page_services.audiences_for(by):
        page_services.create_page(by=by, title=f"For {audience}", text=f"Words of {who}.", audience=audience)
    page_services.create_page(
        by=by, title=f"Journal of {user.display_name}", text="I live.", kind="journal", audience="everyone"
    )
    planned = session_services.announce(by=member_of(world, "storyteller"), title="Next")
    session_services.answer(by=by, session=planned, answer="yes", word="bringing cake", now=timezone.now())
    hers, met = world.ids["private character"], world.ids["met character"]
    write_tie(by=by, data=TieData("relation", hers, met, "owes nothing", audience=_narrowest(by)))
    # Signing in clears the failures of before.
    Client().post(reverse("campaigns:sign-in"), {"username": user.username, "password": "wrong"})
    assert AccessAttempt.objects.filter(username=user.username.casefold()).exists()
    DeskKeys.objects.create(user=user)
    kind = ContentType.objects.get_for_model(User)
    about = {"content_type": kind, "object_id": str(user.pk), "action_flag": CHANGE}
    LogEntry.objects.create(user=world.people["admin"], object_repr=str(user), change_message="[]", **about)
    fought = world.fight
    actor = user if who == "other_player" else None
    fought.do(Attack(fought["Marguerite"], (fought["Thug 1"],)), by=None, waive=WAIVE)
    fought.do(commands.RollTraits(fought["Marguerite"], ("wits",)), by=actor, hold=True)


def _narrowest(by: Membership) -> str:
    return str(page_services.audiences_for(by)[0])


def test_nothing_of_a_player_who_did_everything_is_left(world: World) -> None:
    busy(world, "other_player")
    user = world.people["other_player"]
    mine = list(Character.with_bin.filter(owner=user).values_list("pk", flat=True))
    before = {
        encounter.pk: (encounter.seq, encounter.state, encounter.seal, encounter.clocks, encounter.held)
        for encounter in Encounter.with_bin.all()
    }
    acted = set(LogRow.objects.filter(actor=user).values_list("encounter", flat=True))
    names = names_of(user)
    assert len(mine) > 1
    assert len(acted) > 1
    assert {"combat_logrow.actor_name", "campaigns_user.username", "campaigns_page.title"} <= found(*names)

    leaving.delete_account(user)

    assert found(*names) == set()
    assert not User.objects.filter(pk=user.pk).exists()
    for encounter in Encounter.with_bin.all():
        seq, state, seal, clocks, held = before[encounter.pk]
        assert export.is_whole(encounter)
        assert (encounter.seq, encounter.state, encounter.clocks, encounter.held) == (seq, state, clocks, held)
        assert (encounter.seal != seal) == (encounter.pk in acted)
        assert logs.state_of(logs.rows_of(encounter), logs.first_state(encounter)) == logs.load_state(encounter, state)
    assert before[world.fight.encounter_id][4], "a roll is held"
    for each in Character.with_bin.filter(pk__in=mine):
        assert each.owner is None
        assert Meeting.objects.filter(character=each, by=None).exists()
        last = SheetChange.objects.filter(character=each).order_by("-pk").first()
        assert (last.cause, last.by, last.changes) == ("handed", None, [["owner", user.pk, None]])
    titles = set(Page.objects.values_list("title", flat=True))
    assert {"For everyone", "For chosen", "Journal of a former member"} <= titles
    assert "For author" not in titles
    assert not Passage.objects.filter(text="Words of other_player.", audience="author").exists()
    assert not Tie.objects.filter(text="owes nothing").exists()
    assert Tie.objects.filter(pk=world.ids["her tie"]).exists()
    assert not Attendance.objects.filter(word="bringing cake").exists()


def test_nothing_of_a_storyteller_who_did_everything_is_left(world: World) -> None:
    busy(world, "storyteller")
    user = world.people["storyteller"]
    names = names_of(user)
    by = member_of(world, "storyteller")
    change_role(by=by, member=member_of(world, "player"), role=Role.STORYTELLER)
    alone = create_chronicle(user=user, name="Only mine", ruleset="masquerade")
    assert "combat_logrow.actor_name" in found(*names)
    goodbye = leaving.farewell(user)
    assert goodbye.alone == ("Only mine",)
    assert goodbye.left == (world.chronicle.name,)
    assert not goodbye.refused

    leaving.delete_account(user)

    assert found(*names) == set()
    assert not type(alone).objects.filter(pk=alone.pk).exists()
    assert {each.state(timezone.now()) for each in Invitation.objects.filter(created_by=None)} == {"revoked"}
    assert all(export.is_whole(each) for each in Encounter.with_bin.all())
    # What she wrote for the other Storytellers and the table is the chronicle's.
    assert Page.objects.filter(title="For storytellers").exists()


def test_the_fight_goes_on_and_every_page_opens(world: World, django_capture_on_commit_callbacks: Any) -> None:
    busy(world, "other_player")
    fight = world.fight
    order = list(fight.state.combatants)
    gone = Client()
    gone.force_login(world.people["other_player"], backend="django.contrib.auth.backends.ModelBackend")
    with django_capture_on_commit_callbacks(execute=True):
        leaving.delete_account(world.people["other_player"])
    read_for_everybody(world.ids["fight that is over"])
    assert list(fight.state.combatants) == order
    fight.do(commands.Harm(fight["Marguerite"], 1, Damage.LETHAL))
    fight.do(Attack(fight["Marguerite"], (fight["Thug 1"],)), waive=WAIVE)
    assert export.is_whole(fight.encounter)
    for who in ("storyteller", "player", "observer"):
        client = world.client(who)
        for name, arguments in (
            ("campaigns:chronicle", [world.chronicle.pk]),
            ("combat:encounter", [fight.encounter_id]),
            ("combat:report", [fight.encounter_id]),
            ("combat:encounter", [world.ids["rolls"]]),
            ("story:timeline", [world.chronicle.pk]),
            ("story:sessions", [world.chronicle.pk]),
            ("campaigns:pages", [world.chronicle.pk]),
            ("characters:cast", [world.chronicle.pk]),
        ):
            answer = client.get(reverse(name, args=arguments), follow=True)
            assert answer.status_code == 200, (who, name)
            assert "Xanthippe" not in answer.content.decode()
    storyteller = world.client("storyteller")
    for name in ("sheet", "history", "experience", "edit"):
        assert storyteller.get(reverse(f"characters:{name}", args=[world.ids["private character"]])).status_code == 200
    assert storyteller.get(reverse("characters:ledgers", args=[world.chronicle.pk])).status_code == 200
    # Its browser is signed out.
    assert gone.get(reverse("campaigns:account")).status_code == 302
    assert gone.get(reverse("combat:encounter", args=[fight.encounter_id])).status_code == 302


def test_every_model_with_a_name_in_it_was_searched(world: World) -> None:
    """The search reads the tables themselves, those of other apps too."""
    tables = {where.partition(".")[0] for where, _text in everything()}
    written = {each._meta.db_table for each in apps.get_models() if each._default_manager.exists()}
    assert written <= tables
