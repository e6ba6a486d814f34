"""Drafts in the Storytellers' own order."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from campaigns import bins, services
from campaigns.lists import MOST_LINES
from campaigns.models import Membership
from campaigns.pages import chronicle_page
from combat.commands import drafts, perform
from combat.models import Encounter
from rules.topics.commands import Begin
from tests.combat.conftest import Table
from tests.kept import kept
from tests.world import plain

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    found: Membership = chronicle.memberships.get(user=storyteller)
    return found


@pytest.fixture
@kept
def made(by: Membership) -> dict[str, Encounter]:
    """Three drafts, in the order of their creation."""
    return {name: drafts.create_encounter(by=by, name=name) for name in ("Mill", "Pier", "Crypt")}


def names(by: Membership) -> list[str]:
    return [line.name for line in chronicle_page(by, timezone.now()).encounters]


def test_a_new_draft_is_first_and_moves_past_its_neighbours(by: Membership, made: dict[str, Encounter]) -> None:
    assert names(by) == ["Crypt", "Pier", "Mill"]
    assert drafts.move_draft(by=by, encounter=made["Mill"], before=made["Pier"].pk)
    assert names(by) == ["Crypt", "Mill", "Pier"]
    assert drafts.move_draft(by=by, encounter=made["Crypt"], after=made["Mill"].pk)
    assert names(by) == ["Mill", "Crypt", "Pier"]
    drafts.create_encounter(by=by, name="Roof")
    assert names(by) == ["Roof", "Mill", "Crypt", "Pier"]


def test_each_line_knows_its_neighbours(by: Membership, made: dict[str, Encounter]) -> None:
    lines = chronicle_page(by, timezone.now()).encounters
    crypt, pier, mill = (made[name].pk for name in ("Crypt", "Pier", "Mill"))
    assert [(line.above, line.below) for line in lines] == [("", pier), (crypt, mill), (pier, "")]


def test_a_repeated_press_moves_once(by: Membership, made: dict[str, Encounter]) -> None:
    for _press in range(2):
        assert drafts.move_draft(by=by, encounter=made["Mill"], before=made["Pier"].pk)
    assert names(by) == ["Crypt", "Mill", "Pier"]


def test_who_is_no_neighbour_any_more_is_not_passed(by: Membership, made: dict[str, Encounter], draft: Table) -> None:
    draft.begin()
    for past in ({"before": made["Crypt"].pk}, {"after": draft.encounter_id}, {"before": "nobody"}, {}):
        assert not drafts.move_draft(by=by, encounter=made["Mill"], **past)
    assert not drafts.move_draft(by=by, encounter=draft.encounter, before=made["Crypt"].pk)
    assert not drafts.move_draft(by=by, encounter=made["Mill"], before=made["Mill"].pk)
    assert names(by) == ["The chapel", "Crypt", "Pier", "Mill"]


def test_drafts_with_the_same_place_can_be_moved(by: Membership, made: dict[str, Encounter]) -> None:
    Encounter.objects.update(place=0)
    assert names(by) == ["Crypt", "Pier", "Mill"]
    assert drafts.move_draft(by=by, encounter=made["Mill"], before=made["Pier"].pk)
    assert names(by) == ["Crypt", "Mill", "Pier"]


def test_a_fight_that_is_a_draft_again_has_its_place(by: Membership, made: dict[str, Encounter], draft: Table) -> None:
    drafts.move_draft(by=by, encounter=draft.encounter, after=made["Crypt"].pk)
    before = names(by)
    draft.begin()
    assert names(by)[0] == "The chapel"
    perform.undo(encounter_id=draft.encounter_id, actor=draft.storyteller)
    assert names(by) == before
    made["Pier"].refresh_from_db()
    bins.put_in(made["Pier"])
    assert drafts.move_draft(by=by, encounter=made["Mill"], before=draft.encounter_id), "they are neighbours now"


def test_only_storytellers_and_only_their_own_chronicle(
    by: Membership, made: dict[str, Encounter], player: Any, observer: Any, stranger: Any
) -> None:
    for user in (player, observer):
        with pytest.raises(PermissionDenied):
            drafts.move_draft(
                by=by.chronicle.memberships.get(user=user), encounter=made["Mill"], before=made["Pier"].pk
            )
    other = services.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade").memberships.get()
    assert not drafts.move_draft(by=other, encounter=made["Mill"], before=made["Pier"].pk)
    assert names(by) == ["Crypt", "Pier", "Mill"]


# ------------------------------------------------------------------ the page


def move(client: Any, one: Encounter, **said: str) -> Any:
    return client.post(reverse("combat:move", args=[one.pk]), said)


def test_buttons_lead_back_to_themselves(
    made: dict[str, Encounter], signed_in: Callable[[Any], Any], storyteller: Any, by: Membership
) -> None:
    client, crypt, mill = signed_in(storyteller), made["Crypt"].pk, made["Mill"].pk
    address = reverse("campaigns:chronicle", args=[by.chronicle_id])
    page = client.get(address).content.decode()
    assert f'<button id="after-{crypt}" class="quiet icon-only" name="after" value="{made["Pier"].pk}">' in page
    assert f'<button id="before-{crypt}" class="quiet icon-only up" type="button" aria-disabled="true">' in page
    answer = move(client, made["Mill"], before=made["Pier"].pk)
    assert answer["Location"] == f"{address}?encounters=1#before-{mill}"
    assert names(by) == ["Crypt", "Mill", "Pier"]
    late = move(client, made["Mill"], before=made["Pier"].pk, after="")
    assert late.status_code == 302
    move(client, made["Pier"], before=crypt)
    said = "The order of the drafts has changed in the meantime."
    assert said in client.get(address).content.decode()
    assert said not in client.get(address).content.decode()
    assert names(by) == ["Crypt", "Mill", "Pier"]


def test_a_script_gets_no_page(
    made: dict[str, Encounter], signed_in: Callable[[Any], Any], storyteller: Any, by: Membership
) -> None:
    client, address = signed_in(storyteller), reverse("combat:move", args=[made["Mill"].pk])
    answer = client.post(address, {"before": made["Pier"].pk}, **HTMX)
    assert (answer.status_code, answer.content, answer["HX-Trigger"]) == (204, b"", "vesper:done")
    stale = client.post(address, {"after": made["Crypt"].pk[::-1]}, **HTMX)
    assert (stale.status_code, stale["HX-Retarget"], stale["HX-Trigger"]) == (409, "#messages", "vesper:done")
    assert "has changed in the meantime" in stale.content.decode()


def test_a_draft_that_moves_to_the_next_part_of_the_list_is_followed(
    by: Membership, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    made = [drafts.create_encounter(by=by, name=f"Draft {number}") for number in range(MOST_LINES + 1)][::-1]
    answer = move(signed_in(storyteller), made[MOST_LINES - 1], after=made[MOST_LINES].pk)
    assert f"?encounters=2#after-{made[MOST_LINES - 1].pk}" in answer["Location"]


@pytest.mark.parametrize("who", ["player", "observer"])
def test_players_do_not_notice(
    fight: Table, made: dict[str, Encounter], by: Membership, request: Any, signed_in: Callable[[Any], Any], who: str
) -> None:
    client = signed_in(request.getfixturevalue(who))
    address = reverse("campaigns:chronicle", args=[by.chronicle_id])
    before = plain(client.get(address).content.decode())
    assert move(client, made["Mill"], before=made["Pier"].pk).status_code == 404
    assert move(client, fight.encounter, before=made["Pier"].pk).status_code == 403
    drafts.move_draft(by=by, encounter=made["Mill"], before=made["Pier"].pk)
    assert plain(client.get(address).content.decode()) == before
    assert "before-" not in before


# ------------------------------------------------------------------ from earlier versions


def test_earlier_drafts_keep_their_order(by: Membership, made: dict[str, Encounter], stranger: Any) -> None:
    other = services.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade").memberships.get()
    elsewhere = drafts.create_encounter(by=other, name="Elsewhere")
    Encounter.objects.update(place=0)
    Encounter.objects.filter(pk=made["Pier"].pk).update(created=timezone.now())
    bins.put_in(drafts.create_encounter(by=by, name="Binned"))
    before = names(by)
    assert before == ["Pier", "Crypt", "Mill"]
    importlib.import_module("combat.migrations.0012_places_of_drafts").keep_order(apps, None)
    assert names(by) == before
    places = dict(Encounter.with_bin.fights().values_list("name", "place"))
    assert places == {"Mill": 1, "Crypt": 2, "Pier": 3, "Binned": 4, "Elsewhere": 1}
    assert Encounter.objects.get(pk=elsewhere.pk).place == 1


def test_a_fight_that_begins_meanwhile_is_left_alone(by: Membership, made: dict[str, Encounter], draft: Table) -> None:
    """A move writes places only: what a fight has become since the page was drawn stays."""
    drafts.move_draft(by=by, encounter=draft.encounter, after=made["Crypt"].pk)
    draft.do(Begin())
    assert draft.encounter.status == "running"
    assert drafts.move_draft(by=by, encounter=made["Mill"], before=made["Pier"].pk)
    assert draft.encounter.status == "running"
