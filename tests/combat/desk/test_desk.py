"""The Storyteller's desk: keys, notes, moving rows, and the rows' content."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns.errors import EditConflict
from combat.desk import keys as desk_keys
from combat.desk import storage
from combat.models import FightNotes
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, Table

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


def page(table: Table, name: str) -> str:
    return reverse(f"combat:{name}", args=[table.encounter_id])


def fields(keys: dict[str, str], *, on: bool = True) -> dict[str, str]:
    return {f"key_{name}": key for name, key in keys.items()} | ({"on": "on"} if on else {})


# ------------------------------------------------------------------ keys


def test_at_first_each_key_does_one_thing() -> None:
    assert list(desk_keys.conflicts(desk_keys.bindings({}))) == []
    assert all(desk_keys.is_key(action.key) for action in desk_keys.ACTIONS)


@pytest.mark.servers
def test_keys_are_the_accounts(fight: Table, draft: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client, wanted = signed_in(storyteller), desk_keys.bindings({}) | {"next": "N", "note": ""}
    answer = client.post(page(fight, "keys"), fields(wanted), **HTMX)
    assert (answer.status_code, answer["HX-Trigger"]) == (200, "vesper:done")
    assert storage.keys_of(storyteller) == storage.Keys(wanted)
    shown = client.get(page(fight, "encounter")).content.decode()
    (kept,) = re.findall(r'data-keys="([^"]+)"', shown)
    assert json.loads(kept.replace("&quot;", '"')) == wanted
    client.post(page(fight, "keys"), {"reset": "1"})
    assert storage.keys_of(storyteller) == storage.Keys(desk_keys.bindings({}))


def test_a_key_does_not_do_two_things(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client, wanted = signed_in(storyteller), desk_keys.bindings({}) | {"next": "u"}
    answer = client.post(page(fight, "keys"), fields(wanted), **HTMX)
    assert answer.status_code == 422
    assert "“u” is used more than once" in answer.content.decode()
    assert storage.keys_of(storyteller).of["next"] == "n"


@pytest.mark.parametrize("key", ["\u200b", "nn"])
def test_a_key_is_one_sign_that_can_be_seen(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, key: str
) -> None:
    wanted = desk_keys.bindings({}) | {"next": key}
    assert signed_in(storyteller).post(page(fight, "keys"), fields(wanted)).status_code == 422


def test_keys_can_be_switched_off(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)
    client.post(page(fight, "keys"), fields(desk_keys.bindings({}), on=False))
    assert 'data-on="false"' in client.get(page(fight, "encounter")).content.decode()


def test_keys_of_earlier_days_do_no_harm(storyteller: Any) -> None:
    from combat.models import DeskKeys

    DeskKeys.objects.create(user=storyteller, own={"gone": "g", "next": "N"})
    assert storage.keys_of(storyteller).of == desk_keys.bindings({"next": "N"})


# ------------------------------------------------------------------ notes


@pytest.mark.servers
def test_notes_are_kept_as_they_are_typed(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)
    answer = client.post(page(fight, "notes"), {"text": " He flees.\n", "version": "0"}, **HTMX).content.decode()
    assert 'id="notes-version" value="1"' in answer
    assert " He flees.\n" in client.get(page(fight, "encounter")).content.decode()
    client.post(page(fight, "notes"), {"text": "He stays.", "version": "1"})
    kept = FightNotes.objects.get()
    assert (kept.text, kept.version) == ("He stays.", 2)


@pytest.mark.servers
def test_notes_of_another_screen_are_shown_and_not_lost(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    client = signed_in(storyteller)
    client.post(page(fight, "notes"), {"text": "On the tablet.", "version": "0"})
    for headers in (HTMX, {}):
        answer = client.post(page(fight, "notes"), {"text": "On the laptop.", "version": "0"}, **headers)
        assert answer.status_code == 409
        assert "On the tablet." in answer.content.decode()
    assert "On the laptop." in answer.content.decode()
    assert FightNotes.objects.get().text == "On the tablet."
    # The response brings the version with which one's own text can be saved.
    assert client.post(page(fight, "notes"), {"text": "On the laptop.", "version": "1"}).status_code == 302
    assert FightNotes.objects.get().text == "On the laptop."


def test_notes_that_are_too_long_are_refused(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    answer = signed_in(storyteller).post(page(fight, "notes"), {"text": "x" * 20_001, "version": "0"}, **HTMX)
    assert answer.status_code == 422
    assert 'class="harm"' in answer.content.decode()


@pytest.mark.servers
def test_notes_change_nobodys_view(fight: Table, storyteller: Any) -> None:
    before = fight.encounter.versions
    by = fight.encounter.chronicle.memberships.get(user=storyteller)
    storage.keep_notes(by=by, encounter=fight.encounter, text="CANARY", version=0)
    assert fight.encounter.versions == before
    with pytest.raises(EditConflict):
        storage.keep_notes(by=by, encounter=fight.encounter, text="Other", version=0)


@pytest.mark.servers
def test_the_chronicles_notes_can_be_looked_up(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    from campaigns import page_services

    by = fight.encounter.chronicle.memberships.get(user=storyteller)
    note = page_services.create_page(by=by, title="The vestry", text="The door **sticks**.", audience="storytellers")
    shown = signed_in(storyteller).get(page(fight, "notes"), **HTMX).content.decode()
    assert "The vestry" in shown
    assert "sticks" not in shown
    address = reverse("campaigns:page", args=[fight.encounter.chronicle_id, note.pk])
    assert f'hx-get="{address}"' in shown
    assert "<strong>sticks</strong>" in signed_in(storyteller).get(address, **HTMX).content.decode()


# ------------------------------------------------------------------ rows


def press(table: Table, client: Any, name: str, **said: str) -> Any:
    return client.post(reverse("combat:do", args=[table.encounter_id, name]), said, **HTMX)


def ordered(table: Table) -> list[tuple[str, ...]]:
    table.turn()
    return list(table.state.order)


@pytest.mark.servers
def test_a_row_is_put_before_another_or_last(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    fight.do(commands.RollInitiative())
    client, everybody = signed_in(storyteller), list(fight.ids.values())
    fight.do(commands.SetOrder(tuple((who,) for who in everybody)))
    last, first = everybody[-1], everybody[0]
    assert press(fight, client, "move", who=last, before=first).status_code == 200
    assert fight.state.order[0] == (last,)
    assert press(fight, client, "move", who=last, before="").status_code == 200
    assert fight.state.order == tuple((who,) for who in everybody)


def test_a_row_goes_up_and_down_by_steps(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    fight.do(commands.RollInitiative())
    a, b, c, *rest = fight.ids.values()
    fight.do(commands.SetOrder(((a,), (b, c), tuple(rest))))
    client = signed_in(storyteller)
    for who, step, order in (
        (c, "up", ((a,), (c,), (b,), tuple(rest))),
        (c, "up", ((c,), (a,), (b,), tuple(rest))),
        (c, "up", ((c,), (a,), (b,), tuple(rest))),
        (c, "down", ((a,), (c,), (b,), tuple(rest))),
        (a, "down", ((c,), (a,), (b,), tuple(rest))),
        (rest[0], "down", ((c,), (a,), (b,), tuple(rest[1:]), (rest[0],))),
    ):
        press(fight, client, "move", who=who, step=step)
        assert fight.state.order == order


def test_who_has_no_place_yet_is_not_moved(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    answer = press(fight, signed_in(storyteller), "move", who=fight["Ilya"], step="up")
    assert answer.status_code == 422
    assert "initiative first" in answer.content.decode()


def test_health_is_shown_in_one_press(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client, thug = signed_in(storyteller), fight["Thug 1"]
    assert (fight.state.combatants[thug].health_shown, fight.state.combatants[fight["Ilya"]].health_shown) == (
        "word",
        "boxes",
    )
    for shown in ("boxes", "nothing", "word"):
        assert press(fight, client, "health-shown", show=f"{thug} {shown}").status_code == 200
        assert fight.state.combatants[thug].health_shown == shown
    assert press(fight, client, "health-shown", show=f"{thug} all").status_code == 422


def test_points_stand_in_the_storytellers_rows_alone(fight: Table) -> None:
    rows = {row.name: row for row in fight.view("storyteller").order.rows()}
    assert [(pool.short, pool.label, pool.now) for pool in rows["Ilya"].pools] == [
        ("W", "Willpower", 6),
        ("B", "Blood pool", 10),
    ]
    assert not hasattr(fight.view("table").order.rows()[0], "pools")


def test_a_paused_fight_offers_what_can_be_done(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    client = signed_in(storyteller)
    offered = client.get(page(fight, "encounter")).content.decode()
    assert "form/damage/" in offered
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    fight.do(commands.Pause())
    left = client.get(page(fight, "encounter")).content.decode()
    for name in ("damage", "roll", "spend", "declare", "delay", "abort"):
        assert f"form/{name}/" not in left
    assert "full-defence" not in left
    assert 'draggable="true"' not in left
    # An offer that is still valid is carried out.
    fight.do(commands.ChangeConditions(fight["Ilya"], add=frozenset({"prone"})))
    fight.do(commands.Heal(fight["Ilya"], 1, Damage.BASHING))
    fight.do(commands.SetVisibility(fight[SECRET], hidden=False))
