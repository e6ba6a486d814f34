"""The pages of a fight: who gets which."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from combat.models import Encounter
from combat.web.forms.base import FieldsForm
from combat.web.forms.endpoints import endpoints
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import SECRET, TRUE_NAME, Table

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}
FORMS = sorted(
    name for name, form in endpoints().items() if issubclass(form, FieldsForm) and form.fragment and name != "attack"
)
STORYTELLERS = sorted(name for name in FORMS if endpoints()[name].storyteller_only)


def form_url(table: Table, name: str) -> str:
    return reverse("combat:form", args=[table.encounter_id, name])


@pytest.mark.servers
@pytest.mark.parametrize("name", FORMS)
def test_each_form_is_a_page_and_a_fragment(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, name: str
) -> None:
    client = signed_in(storyteller)
    page = client.get(form_url(fight, name), {"who": fight["Ilya"]})
    fragment = client.get(form_url(fight, name), {"who": fight["Ilya"]}, **HTMX)
    assert (page.status_code, fragment.status_code) == (200, 200)
    assert b"<html" in page.content
    assert b"<html" not in fragment.content


@pytest.mark.parametrize("name", FORMS)
def test_players_get_their_own_forms_without_the_unseen(
    fight: Table, signed_in: Callable[[Any], Any], player: Any, name: str
) -> None:
    answer = signed_in(player).get(form_url(fight, name), {"who": fight[SECRET]})
    if name in STORYTELLERS:
        assert answer.status_code == 403
        return
    assert answer.status_code == 200
    for planted in (SECRET, fight[SECRET], TRUE_NAME):
        assert planted not in answer.content.decode().replace(f"who={fight[SECRET]}", "")


def test_strangers_get_nothing(fight: Table, signed_in: Callable[[Any], Any], stranger: Any) -> None:
    client = signed_in(stranger)
    for url in (
        form_url(fight, "declare"),
        reverse("combat:attack", args=[fight.encounter_id]),
        reverse("combat:encounter", args=[fight.encounter_id]),
    ):
        assert client.get(url).status_code == 404


def test_an_unknown_form_is_not_found(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)
    for name in ("act", "reload", "attack", "nonsense"):
        assert client.get(form_url(fight, name)).status_code == 404


@pytest.mark.parametrize("page", ["cast", "edit", "keys"])
def test_the_storytellers_pages_are_theirs(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any, page: str
) -> None:
    url = reverse(f"combat:{page}", args=[fight.encounter_id])
    assert signed_in(storyteller).get(url).status_code == 200
    assert signed_in(player).get(url).status_code == 403


def test_somebody_in_full(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any) -> None:
    url = reverse("combat:somebody", args=[fight.encounter_id, fight[SECRET]])
    assert SECRET in signed_in(storyteller).get(url).content.decode()
    assert signed_in(player).get(url).status_code == 403
    gone = reverse("combat:somebody", args=[fight.encounter_id, "nobody"])
    assert signed_in(storyteller).get(gone).status_code == 404


def links_of(body: str) -> set[str]:
    return {html.unescape(href) for href in re.findall(r'href="(/encounters/[^"]+)"', body)}


def test_every_link_of_every_screen_leads_somewhere(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any, observer: Any
) -> None:
    fight.turn()
    fight.do(ProposeAttack("e1", commands.Attack(fight[TRUE_NAME], (fight["Ilya"],))))
    page = reverse("combat:encounter", args=[fight.encounter_id])
    for user, least in ((storyteller, 60), (player, 5), (observer, 0)):
        client = signed_in(user)
        links = links_of(client.get(page).content.decode())
        assert len(links) >= least
        for link in links:
            answer = client.get(link)
            assert answer.status_code == 200, link
            assert "form-errors" not in answer.content.decode(), link


# ------------------------------------------------------------------ drawing a fight up


@pytest.mark.servers
def test_a_fight_is_drawn_up(chronicle: Any, signed_in: Callable[[Any], Any], storyteller: Any, player: Any) -> None:
    url = reverse("combat:create", args=[chronicle.pk])
    answer = signed_in(storyteller).post(url, {"name": "The wharf", "scene": "Fog."})
    made = Encounter.objects.get(name="The wharf")
    assert answer["Location"] == reverse("combat:encounter", args=[made.pk])
    page = signed_in(storyteller).get(answer["Location"]).content.decode()
    assert "Nobody in this fight yet." in page
    assert "Fog." in page
    assert signed_in(player).get(answer["Location"]).status_code == 404
    assert signed_in(player).get(url).status_code == 403


def test_a_nameless_fight_comes_back(chronicle: Any, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    answer = signed_in(storyteller).post(reverse("combat:create", args=[chronicle.pk]), {"name": "", "scene": "Fog."})
    assert answer.status_code == 422
    assert "Fog." in answer.content.decode()


@pytest.mark.servers
def test_all_players_characters_join_in_one_press(
    chronicle: Any, characters: dict[str, Any], signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    encounter = Encounter.objects.create(chronicle=chronicle, name="Empty")
    url = reverse("combat:do", args=[encounter.pk, "join"])
    signed_in(storyteller).post(url, {"players": "on"}, **HTMX)
    table = Table(encounter.pk, storyteller, {})
    assert sorted(each.sheet.name for each in table.state.combatants.values()) == ["Ilya", "Marguerite"]
    assert table.encounter.seq == 1, "one undo takes them back"
    thugs = {"character": characters["Thug"].pk, "count": 3, "hidden": "on", "side": "others", "key": "t"}
    signed_in(storyteller).post(url, thugs, **HTMX)
    copies = [each for each in table.state.combatants.values() if each.group]
    assert [each.sheet.name for each in copies] == ["Thug 1", "Thug 2", "Thug 3"]
    assert all(each.hidden and each.side == "others" for each in copies)


def test_the_dead_and_the_dying_are_not_added_with_all(
    chronicle: Any, characters: dict[str, Any], signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    encounter = Encounter.objects.create(chronicle=chronicle, name="Empty")
    url, client = reverse("combat:do", args=[encounter.pk, "join"]), signed_in(storyteller)
    ilya, marguerite = characters["Ilya"], characters["Marguerite"]
    ilya.marks = ["aggravated"] * 7
    ilya.save()
    cast = client.get(reverse("combat:cast", args=[encounter.pk]), **HTMX).content.decode()
    assert "Add all" not in cast, "only one is left"
    assert '<span class="chip harm">dead</span>' in cast
    client.post(url, {"players": "on"}, **HTMX)
    table = Table(encounter.pk, storyteller, {})
    assert [each.sheet.name for each in table.state.combatants.values()] == [marguerite.name]
    refused = client.post(url, {"players": "on"}, **HTMX)
    assert "dead, dying or in torpor" in refused.content.decode()
    client.post(url, {"character": ilya.pk}, **HTMX)
    assert len(table.state.combatants) == 2, "alone they can be added"


@pytest.mark.servers
@pytest.mark.parametrize(
    "said",
    [
        {"players": "on"},
        {"character": "Ilya"},
        {"character": "Thug", "count": 1},
        {"character": "Thug", "count": 3, "together": "on", "hidden": "on"},
    ],
)
def test_a_join_whose_answer_was_lost_is_answered_once_more(
    chronicle: Any, characters: dict[str, Any], signed_in: Callable[[Any], Any], storyteller: Any, said: dict[str, Any]
) -> None:
    encounter = Encounter.objects.create(chronicle=chronicle, name="Empty")
    url = reverse("combat:do", args=[encounter.pk, "join"])
    if "character" in said:
        said = said | {"character": characters[said["character"]].pk}
    first, again = (signed_in(storyteller).post(url, said | {"key": "k"}, **HTMX) for _press in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert "pane-order" in again.content.decode()
    table = Table(encounter.pk, storyteller, {})
    assert table.encounter.seq == 1
    # A new press counts separately, even if it wants what is already there.
    other = signed_in(storyteller).post(url, said | {"key": "k", "mask": "somebody"}, **HTMX)
    assert other.status_code in (409, 422)
    assert table.encounter.seq == 1


def test_nobody_joins_under_a_mask_of_which_nothing_shows(
    draft: Table, characters: dict[str, Any], signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    before = draft.encounter.seq
    said = {"character": characters["Thug"].pk, "key": "k", "count": 1, "mask": "\u3164"}
    answer = signed_in(storyteller).post(reverse("combat:do", args=[draft.encounter_id, "join"]), said, **HTMX)
    assert answer.status_code == 422
    assert "This has no visible characters." in answer.content.decode()
    assert draft.encounter.seq == before


@pytest.mark.servers
def test_a_drafts_name_and_scene_change(draft: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    url = reverse("combat:edit", args=[draft.encounter_id])
    signed_in(storyteller).post(url, {"name": "The crypt", "scene": "Dust."})
    assert (draft.encounter.name, draft.encounter.scene) == ("The crypt", "Dust.")


@pytest.mark.servers
def test_a_draft_is_thrown_away_and_a_fight_is_not(
    draft: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    url = reverse("combat:discard", args=[draft.encounter_id])
    draft.begin()
    assert signed_in(storyteller).post(url).status_code == 422
    other = Encounter.objects.create(chronicle=draft.encounter.chronicle, name="Another")
    assert signed_in(storyteller).post(reverse("combat:discard", args=[other.pk])).status_code == 302
    assert not Encounter.objects.filter(pk=other.pk).exists()
