"""A chronicle's own kinds of creature: created, edited, deleted, and hidden from those who may not know of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns import services
from campaigns.models import Chronicle
from characters.models import Character, Weapon
from characters.rulesets import ruleset_for
from rules.model.kinds import answers, read_kind
from rules.systems import RULESETS

pytestmark = pytest.mark.django_db

DROWNED = {
    "label": " The  Drowned ",
    "soaks": ["bashing", "lethal"],
    "banes": ["fire"],
    "more_banes": "Cold iron, salt",
    "felled": "incapacitated",
    "undead": "on",
    "regenerates": "on",
    "version": "1",
}


def at(chronicle: Any, route: str = "kinds", *more: str) -> str:
    return reverse(f"campaigns:{route}", args=[chronicle.pk, *more])


@pytest.fixture
def made(chronicle: Any, storyteller: Any, client_of: Any) -> str:
    """The key of a kind created by a Storyteller with the form, on a vampire's sheet."""
    answer = client_of(storyteller).post(f"{at(chronicle, 'write-kind')}?like=vampire", DROWNED)
    assert answer.status_code == 302
    chronicle.refresh_from_db()
    (key,) = chronicle.own_kinds
    return str(key)


def test_a_kind_made_with_the_form_is_one_of_the_chronicles_ruleset(chronicle: Any, made: str) -> None:
    kind = ruleset_for(chronicle).kind(made)
    assert (kind.label, kind.like, kind.undead, kind.regenerates) == ("The Drowned", "vampire", True, True)
    assert (kind.bleeds, kind.tires, kind.feels_wounds, kind.human) == (False, False, False, False)
    assert kind.banes == {"fire", "cold_iron", "salt"}
    assert kind.felled == "incapacitated"


def test_its_form_begins_with_the_answers_of_the_kind_that_it_is_like(
    chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    page = client_of(storyteller).get(f"{at(chronicle, 'write-kind')}?like=vampire")
    form = page.context["form"]
    assert (form["undead"].value(), form["bleeds"].value(), form["felled"].value()) == (True, False, "torpor")
    assert client_of(storyteller).get(f"{at(chronicle, 'write-kind')}?like=dragon").status_code == 404


@pytest.mark.parametrize(("ruleset", "like"), [(key, like) for key, each in RULESETS.items() for like in each.kinds])
def test_a_kind_can_be_made_just_as_the_one_that_it_is_like(
    chronicle: Any, storyteller: Any, client_of: Any, ruleset: str, like: str
) -> None:
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset=ruleset)
    client, where = client_of(storyteller), f"{at(chronicle, 'write-kind')}?like={like}"
    form = client.get(where).context["form"]
    drawn = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False)}
    assert client.post(where, drawn | {"label": "Ghost"}).status_code == 302
    chronicle.refresh_from_db()
    (kept,) = chronicle.own_kinds.values()
    made = read_kind("ghost", kept, RULESETS[ruleset].kinds)
    assert answers(made) == answers(RULESETS[ruleset].kind(like))
    boxes = RULESETS[ruleset].health.one_by_one is None
    assert ("felled" in form.fields) is boxes, "without boxes, full boxes have no effect"


def test_it_comes_back_as_it_was_answered_and_can_be_changed(
    chronicle: Any, storyteller: Any, client_of: Any, made: str
) -> None:
    client, where = client_of(storyteller), at(chronicle, "edit-kind", made)
    form = client.get(where).context["form"]
    assert (form["more_banes"].value(), form["label"].value()) == ("Cold iron, salt", "The Drowned")
    assert client.post(where, {**DROWNED, "label": "Sunken"}).status_code == 422, "somebody saved in between"
    changed = {**DROWNED, "label": "Sunken", "version": str(chronicle.version)}
    assert client.post(where, changed).status_code == 302
    chronicle.refresh_from_db()
    assert ruleset_for(chronicle).kind(made).label == "Sunken"
    wrong = {**changed, "more_banes": ", ".join(f"bane {n}" for n in range(25)), "version": str(chronicle.version)}
    assert "Enter at most 20 sources of aggravated damage" in client.post(where, wrong).content.decode()


def test_a_bane_is_what_was_typed_and_what_could_be_none_is_refused(
    chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    client, where = client_of(storyteller), at(chronicle, "write-kind")
    refused = client.post(where, {**DROWNED, "more_banes": "Öl, !?"})
    assert refused.status_code == 422
    assert refused.context["form"].errors == {"more_banes": ["“!?” needs at least one letter or digit."]}
    assert client.post(where, {**DROWNED, "more_banes": "Öl, серебро"}).status_code == 302
    page = client.get(at(chronicle)).content.decode()
    assert "takes aggravated damage from fire, öl, серебро" in page


def test_what_was_saved_of_a_kind_meanwhile_stands_beside_what_was_typed(
    chronicle: Any, storyteller: Any, client_of: Any, member: Any, made: str
) -> None:
    theirs = {**chronicle.own_kinds[made], "label": "Wraith of the Lake", "banes": ["salt"], "open": True}
    services.save_kind(by=member(storyteller), key=made, answers=theirs, version=chronicle.version)
    client, where = client_of(storyteller), at(chronicle, "edit-kind", made)
    typed = {**DROWNED, "version": str(chronicle.version), "felled": "torpor"}
    response = client.post(where, typed)
    assert response.status_code == 422
    assert response.context["form"].theirs == [
        "Name: Wraith of the Lake",
        "Takes aggravated damage from: —",
        "Other sources of aggravated damage: salt",
        "When every health box is filled with lethal or aggravated damage: down",
        "Visible to players: on",
    ]
    page = response.content.decode()
    assert "<li>Name: Wraith of the Lake</li>" in page
    again = {**typed, "version": str(response.context["form"]["version"].value())}
    assert client.post(where, again).status_code == 302


def test_a_kind_has_a_name_that_shows(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    typed = {**DROWNED, "label": "\u200b\u3164"}
    answer = client_of(storyteller).post(f"{at(chronicle, 'write-kind')}?like=vampire", typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors["label"] == ["This has no visible characters. Use letters or digits."]
    assert "Cold iron, salt" in answer.content.decode()
    chronicle.refresh_from_db()
    assert chronicle.own_kinds == {}


def test_a_new_kind_is_in_nobodys_way(chronicle: Any, storyteller: Any, client_of: Any, member: Any) -> None:
    services.edit_chronicle(by=member(storyteller), name="Other", description="", version=1)
    assert client_of(storyteller).post(at(chronicle, "write-kind"), DROWNED).status_code == 302


def test_one_that_somebody_is_of_stays(
    chronicle: Any, storyteller: Any, client_of: Any, member: Any, made: str
) -> None:
    one = Character.objects.create(chronicle=chronicle, name="Undine", kind=made)
    client, where = client_of(storyteller), at(chronicle, "delete-kind", made)
    assert "Undine" in client.get(where).content.decode()
    assert client.post(where).status_code == 422
    one.delete()
    assert client.post(where).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.own_kinds == {}


def test_players_learn_of_it_only_where_they_may(
    chronicle: Any, storyteller: Any, player: Any, client_of: Any, member: Any, made: str
) -> None:
    pages = (reverse("campaigns:chronicle", args=[chronicle.pk]), reverse("characters:create", args=[chronicle.pk]))
    told = [client_of(player).get(page).content.decode() for page in pages]
    assert not any("Drowned" in text or made in text for text in told)
    sheet = {"name": "Ann", "kind": made}
    answer = client_of(player).post(pages[1], sheet)
    assert answer.status_code == 422, "somebody who may not know of the kind can't choose it"
    answers = {**chronicle.own_kinds[made], "open": True}
    services.save_kind(by=member(storyteller), key=made, answers=answers, version=chronicle.version)
    assert all("The Drowned" in client_of(player).get(page).content.decode() for page in pages)


def test_whoever_is_of_a_hidden_kind_keeps_it(chronicle: Any, player: Any, client_of: Any, made: str) -> None:
    one = Character.objects.create(chronicle=chronicle, name="Undine", kind=made, owner=player)
    page = client_of(player).get(reverse("characters:edit", args=[one.pk]))
    assert page.context["form"]["kind"].value() == made
    assert "The Drowned" in client_of(player).get(reverse("characters:sheet", args=[one.pk])).content.decode()


def test_weapons_of_the_chronicle_carry_its_banes(chronicle: Any, made: str) -> None:
    chronicle.refresh_from_db()
    nail = Weapon(chronicle=chronicle, ruleset="masquerade", name="nail", mode="melee", type="lethal", tags="cold_iron")
    assert [field for field, words in nail.problems() if words] == []
    nail.tags = "warm_iron"
    assert [field for field, words in nail.problems() if words] == ["tags"]
