"""The Traits and sections that a Storyteller adds to the sheets: made, renamed, removed and put back."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.urls import reverse

from campaigns import services
from campaigns.models import Chronicle
from characters.models import Character
from characters.rulesets import ruleset_for

pytestmark = pytest.mark.django_db

SAILING = {"label": " Sea  craft ", "sort": "ability", "place": "abilities/1", "most": "5", "version": "1"}
DREAD = {"label": "Dread", "sort": "alone", "section": "Night", "most": "10", "kinds": ["vampire"], "version": "1"}
OATHS = {"label": "Oaths", "sort": "text", "version": "1"}


def at(chronicle: Any, route: str = "traits", *more: str) -> str:
    return reverse(f"campaigns:{route}", args=[chronicle.pk, *more])


def add(client: Any, chronicle: Any, typed: dict[str, Any]) -> str:
    """Add one with the form; returns its key."""
    before = set(Chronicle.objects.get(pk=chronicle.pk).own_traits)
    assert client.post(at(chronicle, "write-trait"), typed).status_code == 302
    chronicle.refresh_from_db()
    (key,) = set(chronicle.own_traits) - before
    return key


def text_of(page: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode())))


@pytest.fixture
def client(client_of: Any, storyteller: Any) -> Any:
    return client_of(storyteller)


def test_what_is_added_is_on_the_sheets_of_the_chronicle(client: Any, chronicle: Any) -> None:
    keys = [add(client, chronicle, typed) for typed in (SAILING, DREAD, OATHS)]
    layout = ruleset_for(chronicle).layout
    assert [layout.trait(key).label for key in keys[:2]] == ["Sea craft", "Dread"]
    assert keys[1] in {trait.key for trait in layout.traits_for("vampire")}
    assert keys[1] not in {trait.key for trait in layout.traits_for("mortal")}
    assert layout.details_for("mortal")[-1].label == "Oaths"
    told = text_of(client.get(at(chronicle)))
    for words in (
        "Abilities: Skills",
        "0 to 5, an Ability",
        "Night",
        "0 to 10, rolled alone",
        "Vampire",
        "all characters",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("wrong", "field", "says"),
    [
        ({"label": "\u200b"}, "label", "This has no visible characters. Use letters or digits."),
        ({"label": "Brawl"}, "label", "The sheet already has something called “Brawl”. Choose another name."),
        ({"label": "Sea, cold"}, "label", "A Trait’s name can’t contain + : ( ) or a comma"),
        ({"place": ""}, "section", "Enter the name of its section, or choose a place among the Abilities."),
        ({"place": "attributes/0"}, "place", "Select a valid choice."),
        ({"most": "0"}, "most", "Ensure this value is greater than or equal to 1."),
        ({"most": "21"}, "most", "Ensure this value is less than or equal to 20."),
        ({"sort": "spell"}, "sort", "Select a valid choice."),
        ({"kinds": ["dragon"]}, "kinds", "Select a valid choice."),
    ],
)
def test_bad_input_is_told_at_its_field(client: Any, chronicle: Any, wrong: Any, field: str, says: str) -> None:
    answer = client.post(at(chronicle, "write-trait"), SAILING | wrong)
    assert answer.status_code == 422
    (problem,) = answer.context["form"].errors[field]
    assert says in problem or field in ("place", "most", "sort", "kinds")
    assert answer.context["form"]["label"].value() == (SAILING | wrong)["label"]
    chronicle.refresh_from_db()
    assert chronicle.own_traits == {}


def test_another_name_keeps_dots_and_lines(client: Any, chronicle: Any, member: Any, storyteller: Any) -> None:
    key = add(client, chronicle, DREAD)
    one = Character.objects.create(chronicle=chronicle, name="Undine", kind="vampire", traits={key: 4})
    options = {"own_rolls": ["Stare: Dread, 7"]}
    services.change_options(by=member(storyteller), options=options, version=chronicle.version)
    chronicle.refresh_from_db()
    renamed = {**DREAD, "label": "Terror", "version": str(chronicle.version)}
    assert client.post(at(chronicle, "edit-trait", key), renamed).status_code == 302
    chronicle.refresh_from_db()
    found = ruleset_for(chronicle)
    assert (found.layout.trait(key).label, found.layout.trait(key).aliases) == ("Terror", ("Dread",))
    assert found.ready_rolls()[-1].traits == (key,)
    again = {**DREAD, "label": "Dread", "version": str(chronicle.version)}
    assert client.post(at(chronicle, "edit-trait", key), again).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.own_traits[key]["was"] == ["Terror"]
    one.refresh_from_db()
    assert one.traits == {key: 4}


def test_the_maximum_stays_above_everybodys_dots(client: Any, chronicle: Any) -> None:
    key = add(client, chronicle, DREAD)
    Character.objects.create(chronicle=chronicle, name="Undine", kind="vampire", traits={key: 7})
    lower = {**DREAD, "most": "5", "version": str(chronicle.version)}
    answer = client.post(at(chronicle, "edit-trait", key), lower)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"most": ["These have more dots: Undine (7)."]}
    assert client.post(at(chronicle, "edit-trait", key), lower | {"most": "7"}).status_code == 302


def test_a_saved_trait_becomes_no_text(client: Any, chronicle: Any) -> None:
    rated, text = add(client, chronicle, DREAD), add(client, chronicle, OATHS)
    typed = {**DREAD, "sort": "text", "version": str(chronicle.version)}
    assert "sort" in client.post(at(chronicle, "edit-trait", rated), typed).context["form"].errors
    form = client.get(at(chronicle, "edit-trait", text)).context["form"]
    assert list(form.fields) == ["version", "label", "kinds"]
    named = {"label": "Vows", "version": str(chronicle.version)}
    assert client.post(at(chronicle, "edit-trait", text), named).status_code == 302
    chronicle.refresh_from_db()
    assert (chronicle.own_traits[text]["label"], chronicle.own_traits[text]["sort"]) == ("Vows", "text")


def test_what_is_removed_keeps_its_dots_and_can_be_put_back(client: Any, chronicle: Any) -> None:
    key = add(client, chronicle, DREAD)
    assert "No sheet has dots or words in it." in text_of(client.get(at(chronicle, "delete-trait", key)))
    Character.objects.create(chronicle=chronicle, name="Undine", kind="vampire", traits={key: 4})
    assert "still show it: Undine." in text_of(client.get(at(chronicle, "delete-trait", key)))
    assert client.post(at(chronicle, "delete-trait", key)).status_code == 302
    chronicle.refresh_from_db()
    layout = ruleset_for(chronicle).layout
    assert key not in {trait.key for trait in layout.traits_for("vampire")}
    assert key in {trait.key for trait in layout.traits_for("vampire", {key: 4})}
    page = text_of(client.get(at(chronicle)))
    assert "Removed" in page
    assert "Put Dread back?" in text_of(client.get(at(chronicle, "delete-trait", key)))
    assert client.post(at(chronicle, "delete-trait", key)).status_code == 302
    chronicle.refresh_from_db()
    assert key in {trait.key for trait in ruleset_for(chronicle).layout.traits_for("vampire")}


def test_the_name_of_a_removed_one_is_kept_for_it(client: Any, chronicle: Any) -> None:
    key = add(client, chronicle, DREAD)
    client.post(at(chronicle, "delete-trait", key))
    answer = client.post(at(chronicle, "write-trait"), DREAD)
    assert answer.context["form"].errors["label"] == [
        "The sheet already has something called “Dread”. Choose another name."
    ]


def test_an_edit_meanwhile_is_told(client: Any, chronicle: Any, member: Any, storyteller: Any) -> None:
    key = add(client, chronicle, DREAD)
    stale = {**DREAD, "version": str(chronicle.version)}
    theirs = {**chronicle.own_traits[key], "label": "Horror"}
    services.save_trait(by=member(storyteller), key=key, answers=theirs, version=chronicle.version)
    answer = client.post(at(chronicle, "edit-trait", key), stale)
    assert answer.status_code == 422
    assert "Name: Horror" in answer.context["form"].theirs


def test_an_unknown_one_is_not_found(client: Any, chronicle: Any) -> None:
    for route in ("edit-trait", "delete-trait"):
        assert client.get(at(chronicle, route, "own_none")).status_code == 404
