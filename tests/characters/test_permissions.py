"""Who sees and does what with a character, for every role."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from campaigns.errors import Refused
from campaigns.models import Membership
from characters import services
from characters.models import Character
from characters.services import SheetData
from characters.signals import handed_over, sheet_changed

PAGES = (
    "sheet",
    "history",
    "as-of",
    "edit",
    "notes",
    "experience",
    "correct",
    "copy",
    "take-out",
    "hand-over",
    "delete",
)
READ = ("sheet", "history", "as-of", "take-out")
CAST = ("storyteller", "player", "other_player", "observer", "stranger", "admin")
ILYA = {
    "sheet": (200, 200, 403, 403, 404, 404),
    "history": (200, 200, 403, 403, 404, 404),
    "as-of": (200, 200, 403, 403, 404, 404),
    "edit": (200, 200, 403, 403, 404, 404),
    "notes": (200, 200, 403, 403, 404, 404),
    "experience": (200, 200, 403, 403, 404, 404),
    "correct": (200, 403, 403, 403, 404, 404),
    "copy": (200, 200, 403, 403, 404, 404),
    "take-out": (200, 200, 403, 403, 404, 404),
    "hand-over": (200, 403, 403, 403, 404, 404),
    "delete": (200, 200, 403, 403, 404, 404),
}
LURKER = (200, 404, 404, 404, 404, 404)


def member(chronicle: Any, user: Any) -> Membership:
    return Membership.objects.get(chronicle=chronicle, user=user)


def test_a_sheet_opens_in_a_drawer_too(signed_in: Any, storyteller: Any, other_player: Any, ilya: Character) -> None:
    address = reverse("characters:sheet", args=[ilya.pk])
    drawer = signed_in(storyteller).get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in drawer
    assert 'id="drawer-title"' in drawer
    assert 'class="sheet-grid"' in drawer
    assert signed_in(other_player).get(address, headers={"HX-Request": "true"}).status_code == 403


@pytest.mark.parametrize("view", PAGES)
def test_pages_of_a_players_character(view: str, request: Any, signed_in: Any, ilya: Character) -> None:
    for who, status in zip(CAST, ILYA[view], strict=True):
        response = signed_in(request.getfixturevalue(who)).get(reverse(f"characters:{view}", args=[ilya.pk]))
        assert response.status_code == status, who
        if status in (403, 404):
            assert "CANARY" not in response.content.decode()
            assert "favour" not in response.content.decode()


@pytest.mark.parametrize("view", PAGES)
def test_pages_of_a_hidden_character(view: str, request: Any, signed_in: Any, lurker: Character) -> None:
    for who, status in zip(CAST, LURKER, strict=True):
        client = signed_in(request.getfixturevalue(who))
        url = reverse(f"characters:{view}", args=[lurker.pk])
        assert client.get(url).status_code == status, who
        if view not in READ and status == 404:
            assert client.post(url, {"post": "yes"}).status_code == 404, who
    assert Character.objects.filter(pk=lurker.pk).exists()


@pytest.mark.parametrize("view", PAGES)
def test_a_hidden_character_looks_exactly_like_none(view: str, request: Any, signed_in: Any, lurker: Character) -> None:
    for who in CAST[1:]:
        client = signed_in(request.getfixturevalue(who))
        hidden = client.get(reverse(f"characters:{view}", args=[lurker.pk]))
        nothing = client.get(reverse(f"characters:{view}", args=["bcdfghjkmn"]))
        assert hidden.status_code == nothing.status_code == 404
        assert without_token(hidden) == without_token(nothing)
        assert sorted(hidden.headers.items()) == sorted(nothing.headers.items())


def without_token(response: Any) -> str:
    import re

    return re.sub(r'"[A-Za-z0-9]{64}"', '""', response.content.decode())


def test_anonymous_visitors_sign_in_first(client: Any, ilya: Character, lurker: Character) -> None:
    for one in (ilya, lurker):
        response = client.get(reverse("characters:sheet", args=[one.pk]))
        assert response.status_code == 302
        assert reverse("campaigns:sign-in") in response["Location"]


def test_other_players_read_a_name_and_a_concept(signed_in: Any, other_player: Any, ilya: Character) -> None:
    body = signed_in(other_player).get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    assert "Ilya Voss" in body
    assert "Tremere" in body
    for secret in ("Dexterity", "sabre", "favour", "CANARY", "Generation"):
        assert secret not in body


def test_the_storytellers_notes_are_the_storytellers(
    signed_in: Any, player: Any, storyteller: Any, ilya: Character
) -> None:
    for page in ("sheet", "edit"):
        url = reverse(f"characters:{page}", args=[ilya.pk])
        assert "CANARY" not in signed_in(player).get(url).content.decode()
        assert "CANARY" in signed_in(storyteller).get(url).content.decode()


def test_the_page_shows_what_the_players_know_from_paper(signed_in: Any, player: Any, ilya: Character) -> None:
    body = signed_in(player).get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    for words in (
        *("Dexterity: 4 of 5", "Generation 9", "played by player", "Blood pool: 7 of 14", "Willpower: 4 of 6"),
        *(
            "Grandfather&#x27;s sabre",
            "Dexterity + Melee −1 (Wounds: Injured), <b>6</b>",
            "Strength + 2 lethal",
            "20 m",
            "9 of 18",
        ),
        *("rating 1", "Thaumaturgy", "Incapacitated", "<em>Prince</em>"),
    ):
        assert words in body
    assert "Vicissitude" not in body


def test_reading_a_sheet_takes_few_queries(
    signed_in: Any, player: Any, ilya: Character, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(player)
    # The last one is whether anybody is tied to them.
    with django_assert_max_num_queries(10):
        client.get(reverse("characters:sheet", args=[ilya.pk]))


# Creating characters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "status"),
    list(zip(CAST, (200, 200, 200, 403, 404, 404), strict=True)),
)
def test_who_may_make_a_character(who: str, status: int, request: Any, signed_in: Any, chronicle: Any) -> None:
    client = signed_in(request.getfixturevalue(who))
    assert client.get(reverse("characters:create", args=[chronicle.pk])).status_code == status


def create(client: Any, chronicle: Any, fields: Any, **typed: str) -> Any:
    url = reverse("characters:create", args=[chronicle.pk])
    return client.post(url, fields(client.get(url)) | {"name": "Nell"} | typed)


def test_a_player_makes_a_character_for_nobody_else(
    signed_in: Any, chronicle: Any, player: Any, other_player: Any, fields: Any
) -> None:
    response = create(signed_in(player), chronicle, fields, owner=str(other_player.pk))
    made = Character.objects.get()
    assert response["Location"] == reverse("characters:sheet", args=[made.pk])
    assert (made.owner, made.kind, made.traits["strength"]) == (player, "vampire", 1)


def test_the_storyteller_makes_one_for_anybody_who_plays_or_for_nobody(
    signed_in: Any, chronicle: Any, storyteller: Any, player: Any, observer: Any, stranger: Any, fields: Any
) -> None:
    client = signed_in(storyteller)
    for typed, owner in (("", None), (str(player.pk), player)):
        assert create(client, chronicle, fields, owner=typed, kind="mortal").status_code == 302
        made = Character.objects.get()
        assert (made.owner, made.is_npc) == (owner, owner is None)
        made.delete()
    for nobody in (observer, stranger, storyteller):
        assert create(client, chronicle, fields, owner=str(nobody.pk), kind="mortal").status_code == 422
    assert not Character.objects.exists()


def test_nobody_is_twice_among_those_who_may_play_a_character(
    signed_in: Any, chronicle: Any, storyteller: Any, player: Any, other_player: Any, ilya: Character
) -> None:
    """Storytellers are “The Storyteller”; the present player stays in the list in any case."""
    everybody = ["", str(player.pk), str(other_player.pk)]
    client = signed_in(storyteller)

    def offered(name: str, key: str) -> list[str]:
        form = client.get(reverse(f"characters:{name}", args=[key])).context["form"]
        return [value for value, _label in form.fields["owner"].choices]

    assert offered("create", chronicle.pk) == offered("hand-over", ilya.pk) == everybody
    Character.objects.filter(pk=ilya.pk).update(owner=storyteller)
    assert offered("hand-over", ilya.pk) == [*everybody, str(storyteller.pk)]


def test_services_ask_for_the_right_themselves(chronicle: Any, player: Any, other_player: Any, ilya: Character) -> None:
    sheet = SheetData(name="Mine now", kind="vampire")
    theirs, mine = member(chronicle, other_player), member(chronicle, player)
    for forbidden in (
        lambda: services.update_sheet(by=theirs, character=ilya, sheet=sheet, version=1),
        lambda: services.write_notes(by=theirs, character=ilya, notes="", seen=services.notes_mark(ilya.notes)),
        lambda: services.delete_character(by=theirs, character=ilya),
        lambda: services.hand_over(by=mine, character=ilya, owner=other_player),
        lambda: services.create_character(by=mine, owner=other_player, sheet=sheet),
        lambda: services.create_character(by=mine, owner=None, sheet=sheet),
    ):
        with pytest.raises(PermissionDenied):
            forbidden()
    gone = member(chronicle, player)
    Membership.objects.filter(pk=gone.pk).delete()
    with pytest.raises(PermissionDenied):
        services.update_sheet(by=gone, character=ilya, sheet=sheet, version=1)
    assert Character.objects.get().name == "Ilya Voss"


def test_a_sheet_that_was_torn_up_meanwhile_is_not_found(chronicle: Any, player: Any, ilya: Character) -> None:
    mine = member(chronicle, player)
    services.delete_character(by=mine, character=Character.objects.get(pk=ilya.pk))
    with pytest.raises(Http404):
        services.delete_character(by=mine, character=ilya)
    chronicle.delete()
    with pytest.raises(Http404):
        services.create_character(by=mine, owner=player, sheet=SheetData(name="Late", kind="vampire"))


def test_an_owner_who_only_watches_now_reads_and_does_not_write(
    signed_in: Any, chronicle: Any, player: Any, ilya: Character
) -> None:
    Membership.objects.filter(chronicle=chronicle, user=player).update(role="observer")
    client = signed_in(player)
    assert client.get(reverse("characters:sheet", args=[ilya.pk])).status_code == 200
    assert client.get(reverse("characters:edit", args=[ilya.pk])).status_code == 403


def test_a_removed_player_is_a_stranger(signed_in: Any, chronicle: Any, player: Any, ilya: Character) -> None:
    from django.utils import timezone

    Membership.objects.filter(chronicle=chronicle, user=player).update(removed_at=timezone.now())
    assert signed_in(player).get(reverse("characters:sheet", args=[ilya.pk])).status_code == 404


# During a fight -------------------------------------------------------------------------------------------------


def test_during_a_fight_traits_are_the_storytellers_and_notes_stay_the_players(
    signed_in: Any, player: Any, storyteller: Any, ilya: Character, fights: dict[str, str], fields: Any
) -> None:
    url = reverse("characters:edit", args=[ilya.pk])
    client = signed_in(player)
    typed = fields(client.get(url))
    fights[ilya.pk] = "Dockside"
    notes = reverse("characters:notes", args=[ilya.pk])
    assert client.get(url)["Location"] == notes
    assert client.post(url, typed | {"trait-strength": "5"}).status_code == 409
    assert Character.objects.get(pk=ilya.pk).traits["strength"] == 2
    assert "“Dockside” is running" in client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    opened = client.get(notes).context["form"]["seen"].value()
    Character.objects.filter(pk=ilya.pk).update(version=9, marks=[])
    assert client.post(notes, {"notes": "Ow.", "seen": opened}).status_code == 302
    client = signed_in(storyteller)
    typed = fields(client.get(url))
    assert client.post(url, typed | {"trait-strength": "5"}).status_code == 302
    kept = Character.objects.get(pk=ilya.pk)
    assert (kept.traits["strength"], kept.notes) == (5, "Ow.")


def test_the_service_refuses_a_player_during_a_fight(
    chronicle: Any, player: Any, ilya: Character, fights: dict[str, str]
) -> None:
    fights[ilya.pk] = "Dockside"
    with pytest.raises(Refused, match="Dockside"):
        services.update_sheet(
            by=member(chronicle, player), character=ilya, sheet=SheetData(name="x", kind="vampire"), version=1
        )


def test_notes_that_were_changed_meanwhile_are_kept_beside_those_typed(
    signed_in: Any, player: Any, ilya: Character
) -> None:
    url = reverse("characters:notes", args=[ilya.pk])
    client = signed_in(player)
    seen = client.get(url).context["form"]["seen"].value()
    Character.objects.filter(pk=ilya.pk).update(notes="Written elsewhere.")
    response = client.post(url, {"notes": "Written here.", "seen": seen})
    assert response.status_code == 409
    assert "Written elsewhere." in response.content.decode()
    assert response.context["form"]["notes"].value() == "Written here."
    again = {"notes": "Both.", "seen": response.context["form"]["seen"].value()}
    assert client.post(url, again).status_code == 302
    assert Character.objects.get(pk=ilya.pk).notes == "Both."


def test_notes_that_are_too_long_come_back(signed_in: Any, player: Any, ilya: Character) -> None:
    url = reverse("characters:notes", args=[ilya.pk])
    response = signed_in(player).post(url, {"notes": "x" * 20_001, "seen": ""})
    assert response.status_code == 422
    assert len(response.context["form"]["notes"].value()) == 20_001


def test_a_character_in_a_fight_is_not_deleted(
    signed_in: Any, player: Any, ilya: Character, fights: dict[str, str], chronicle: Any
) -> None:
    url = reverse("characters:delete", args=[ilya.pk])
    client = signed_in(player)
    fights[ilya.pk] = "Dockside"
    response = client.post(url)
    assert response.status_code == 422
    assert "Ilya Voss is in a running fight, “Dockside”. End the fight first." in response.content.decode()
    fights.clear()
    assert client.post(url)["Location"] == reverse("campaigns:chronicle", args=[chronicle.pk])
    assert not Character.objects.exists()


# Handing over, and telling ---------------------------------------------------------------------------------------


def test_handing_over(
    signed_in: Any, storyteller: Any, observer: Any, other_player: Any, ilya: Character, chronicle: Any
) -> None:
    url = reverse("characters:hand-over", args=[ilya.pk])
    client = signed_in(storyteller)
    for typed, owner in ((str(other_player.pk), other_player), ("", None)):
        assert client.post(url, {"owner": typed}).status_code == 302
        assert Character.objects.get(pk=ilya.pk).owner == owner
    assert client.post(url, {"owner": str(observer.pk)}).status_code == 422
    with pytest.raises(Refused):
        services.hand_over(by=member(chronicle, storyteller), character=ilya, owner=observer)
    assert Character.objects.get(pk=ilya.pk).is_npc


def test_changes_are_told_inside_their_transaction(
    chronicle: Any, storyteller: Any, player: Any, ilya: Character
) -> None:
    heard: list[tuple[str, str]] = []

    def hear(*, character_id: str, chronicle_id: str, **_more: Any) -> None:
        heard.append((character_id, Character.objects.get(pk=character_id).name))
        assert chronicle_id == chronicle.pk

    for signal in (sheet_changed, handed_over):
        signal.connect(hear)
    try:
        by = member(chronicle, storyteller)
        services.update_sheet(by=by, character=ilya, sheet=SheetData(name="Ilya II", kind="vampire"), version=1)
        made = services.create_character(by=by, owner=player, sheet=SheetData(name="Nell", kind="mortal"))
        services.hand_over(by=by, character=made, owner=None)
    finally:
        for signal in (sheet_changed, handed_over):
            signal.disconnect(hear)
    assert heard == [(ilya.pk, "Ilya II"), (made.pk, "Nell"), (made.pk, "Nell")]
