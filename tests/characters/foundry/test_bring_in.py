"""The pages on which a character is brought in and taken out."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaigns.models import Chronicle, Membership, Role
from characters.foundry.reading import read
from characters.incoming import packing
from characters.incoming.creating import bring_in
from characters.models import Cause, Character, SheetChange, Weapon
from tests.characters.foundry.conftest import actor, content, packed, playing
from tests.kept import kept

CAST = ("storyteller", "player", "other_player", "observer", "stranger")


def address(chronicle: Chronicle) -> str:
    return reverse("characters:bring-in", args=[chronicle.pk])


def upload(client: Any, chronicle: Chronicle, file: bytes) -> Any:
    return client.post(address(chronicle), {"file": SimpleUploadedFile("actor.json", file)})


def confirm(client: Any, chronicle: Chronicle, shown: Any, **more: str) -> Any:
    form = shown.context["form"]
    data = {name: form[name].value() or "" for name in form.fields if name != "leave_out"}
    return client.post(address(chronicle), data | more)


@pytest.fixture
@kept
def ours(shipped: None, chronicle: Chronicle) -> Chronicle:
    return chronicle


def test_a_player_brings_in_their_own_character(ours: Chronicle, signed_in: Callable[[Any], Any], player: Any) -> None:
    client = signed_in(player)
    shown = upload(client, ours, content("vampire"))
    page = shown.content.decode()
    assert shown.status_code == 200
    assert Character.objects.count() == 0, "a preview writes nothing"
    for text in (
        "Recognised",
        "Goes into the notes",
        "Will be created",
        "Only the character.",
        "Boat hook",
        "Dexterity 4",
    ):
        assert text in page, text
    assert "Played by" not in page
    answer = confirm(client, ours, shown, name="Tamsin", owner=str(player.pk + 1))
    made = Character.objects.get()
    assert answer["Location"] == reverse("characters:sheet", args=[made.pk])
    assert (made.owner, made.name, made.traits["dexterity"]) == (player, "Tamsin", 4)
    assert [row.shown_name for row in made.weapons.all()] == ["Knife", "Light revolver"]
    assert not Weapon.objects.filter(chronicle=ours).exists()
    assert "**Boat hook" in made.notes
    assert made.storyteller_notes == ""


def test_the_history_says_where_it_is_from(ours: Chronicle, signed_in: Callable[[Any], Any], player: Any) -> None:
    client = signed_in(player)
    confirm(client, ours, upload(client, ours, content("vampire")))
    made = Character.objects.get()
    (change,) = SheetChange.objects.filter(character=made)
    assert (change.cause, change.reason) == (Cause.IMPORT, "Foundry VTT: worldofdarkness 3.3.5")
    history = client.get(reverse("characters:history", args=[made.pk])).content.decode()
    assert "imported" in history
    assert "worldofdarkness 3.3.5" in history
    assert client.get(reverse("characters:as-of", args=[made.pk])).status_code == 200


def test_a_storyteller_chooses_who_plays_it_and_makes_what_is_lacking(
    ours: Chronicle, signed_in: Callable[[Any], Any], storyteller: Any, other_player: Any
) -> None:
    client = signed_in(storyteller)
    shown = upload(client, ours, content("vampire"))
    assert "Boat hook" in shown.content.decode()
    assert shown.context["page"].made_weapons == ("Boat hook",)
    confirm(client, ours, shown, owner=str(other_player.pk))
    made = Character.objects.get()
    assert made.owner == other_player
    assert [row.shown_name for row in made.weapons.all()] == ["Knife", "Boat hook", "Light revolver"]
    assert Weapon.objects.get(chronicle=ours).name == "Boat hook"


def test_pressing_twice_makes_one(ours: Chronicle, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)
    shown = upload(client, ours, content("vampire"))
    first, second = (confirm(client, ours, shown) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert Character.objects.count() == Weapon.objects.filter(chronicle=ours).count() == 1


def test_one_that_went_into_the_bin_is_not_made_again(
    ours: Chronicle, signed_in: Callable[[Any], Any], player: Any
) -> None:
    client = signed_in(player)
    shown = upload(client, ours, content("vampire"))
    confirm(client, ours, shown)
    client.post(reverse("characters:delete", args=[Character.objects.get().pk]), {"post": "yes"})
    again = confirm(client, ours, shown)
    assert again.status_code == 422
    assert "in the bin" in again.content.decode()


def test_a_row_that_somebody_adds_meanwhile_stops_everything(ours: Chronicle, storyteller: Any) -> None:
    from campaigns.errors import Refused

    asking = playing(ours, "masquerade", storyteller)
    arrival = read(content("vampire"), asking)
    Weapon.objects.create(chronicle=ours, ruleset="masquerade", name="Boat HOOK", mode="melee")
    with pytest.raises(Refused, match="table"):
        bring_in(by=asking.by, owner=None, arrival=arrival, key="k")
    assert Character.objects.count() == 0


def test_a_players_file_makes_no_rows_whatever_it_says(ours: Chronicle, storyteller: Any, player: Any) -> None:
    """Somebody who was a Storyteller when they looked at the preview, and isn't any more."""
    arrival = read(content("vampire"), playing(ours, "masquerade", storyteller))
    by = Membership.objects.get(chronicle=ours, user=player)
    with pytest.raises(PermissionDenied):
        bring_in(by=by, owner=player, arrival=arrival, key="k")
    assert Character.objects.count() == 0


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"", "This file is empty"),
        (b"hello", "isn’t one of the formats below"),
        (b"{", "can’t be read as JSON"),
        (content("mta"), "from the Foundry system “mta”"),
        (b"{" + b" " * 2_000_000 + b"}", "too large"),
    ],
)
def test_a_bad_file_is_an_error_at_the_field(
    ours: Chronicle, signed_in: Callable[[Any], Any], player: Any, file: bytes, words: str
) -> None:
    answer = upload(signed_in(player), ours, file)
    assert answer.status_code == 422
    assert words in answer.context["form"].errors["file"][0]
    assert Character.objects.count() == 0


def test_no_file_is_asked_for(ours: Chronicle, signed_in: Callable[[Any], Any], player: Any) -> None:
    answer = signed_in(player).post(address(ours), {})
    assert answer.status_code == 422
    assert "Choose a file first." in answer.content.decode()


def bomb() -> str:
    return base64.b64encode(zlib.compress(b"{" + b" " * 300_000_000 + b"}")).decode()


@pytest.mark.parametrize(
    "sent", ["", "x", "eJw=", "\x00", "é" * 10, base64.b64encode(b"not packed").decode(), packing.pack(b"{}"), bomb()]
)
def test_what_comes_back_is_not_trusted(
    ours: Chronicle, signed_in: Callable[[Any], Any], player: Any, sent: str
) -> None:
    answer = signed_in(player).post(address(ours), {"packed": sent, "name": "Nobody", "key": "k"})
    assert answer.status_code == 422
    assert Character.objects.count() == 0
    assert 'name="file"' in answer.content.decode(), "the file can be chosen again"


def test_a_name_that_cannot_be_keeps_the_rest(ours: Chronicle, signed_in: Callable[[Any], Any], player: Any) -> None:
    client = signed_in(player)
    shown = upload(client, ours, content("vampire"))
    again = confirm(client, ours, shown, name="\u200b")
    assert again.status_code == 422
    assert "name" in again.context["form"].errors
    assert Character.objects.count() == 0
    assert confirm(client, ours, again, name="Tamsin").status_code == 302


def test_leaving_something_out_takes_a_tick(ours: Chronicle, signed_in: Callable[[Any], Any], player: Any) -> None:
    made = actor("vampire")
    made["system"]["background"] = "A long life. " * 3000
    client = signed_in(player)
    shown = upload(client, ours, packed(made))
    assert "Doesn’t fit into the notes" in shown.content.decode()
    refused = confirm(client, ours, shown)
    assert refused.status_code == 422
    assert "leave_out" in refused.context["form"].errors
    assert Character.objects.count() == 0
    assert confirm(client, ours, refused, leave_out="on").status_code == 302


@pytest.mark.parametrize(("who", "status"), list(zip(CAST, (200, 200, 200, 403, 404), strict=True)))
def test_who_may_bring_in(
    ours: Chronicle, signed_in: Callable[[Any], Any], request: Any, who: str, status: int
) -> None:
    client = signed_in(request.getfixturevalue(who))
    assert client.get(address(ours)).status_code == status
    assert upload(client, ours, content("vampire")).status_code == status
    sent = {"packed": packing.pack(content("vampire")), "name": "Somebody", "key": "k", "owner": ""}
    assert client.post(address(ours), sent).status_code == (302 if status == 200 else status)
    assert Character.objects.count() == (status == 200)


def test_a_hidden_kind_of_the_chronicle_stays_hidden(
    ours: Chronicle, signed_in: Callable[[Any], Any], player: Any, storyteller: Any
) -> None:
    ours.own_kinds = {"own_tidebound": {"label": "Tidebound", "like": "vampire"}}
    ours.save()
    made = actor("vampire")
    made["flags"]["vesper"] = {"kind": "own_tidebound"}
    assert "Tidebound" not in upload(signed_in(player), ours, packed(made)).content.decode()
    assert "Tidebound" in upload(signed_in(storyteller), ours, packed(made)).content.decode()


# ------------------------------------------------------------------ taking out


def test_a_player_takes_their_character_out(ilya: Character, signed_in: Callable[[Any], Any], player: Any) -> None:
    client = signed_in(player)
    page = client.get(reverse("characters:take-out", args=[ilya.pk])).content.decode()
    link = reverse("characters:take-out-file", args=[ilya.pk, "foundry"])
    assert link in page
    file = client.get(link)
    assert file["Content-Disposition"] == 'attachment; filename="ilya-voss-foundry.json"'
    found = json.loads(file.content)
    assert (found["name"], found["type"], found["_stats"]["systemId"]) == ("Ilya Voss", "Vampire", "worldofdarkness")
    assert b"CANARY" not in file.content
    assert (
        reverse("characters:take-out", args=[ilya.pk])
        in client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    )


def test_a_ruleset_without_a_counterpart_says_so(
    ilya: Character, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    Chronicle.objects.filter(pk=ilya.chronicle_id).update(ruleset="wounds")
    client = signed_in(storyteller)
    page = client.get(reverse("characters:take-out", args=[ilya.pk])).content.decode()
    assert "Wound Levels has no counterpart in Foundry." in page
    for key in ("foundry", "nothing"):
        assert client.get(reverse("characters:take-out-file", args=[ilya.pk, key])).status_code == 404


@pytest.mark.parametrize(("who", "status"), list(zip(CAST, (200, 200, 403, 403, 404), strict=True)))
def test_who_may_take_out(
    ilya: Character, signed_in: Callable[[Any], Any], request: Any, who: str, status: int
) -> None:
    client = signed_in(request.getfixturevalue(who))
    for name, more in (("take-out", ()), ("take-out-file", ("foundry",))):
        answer = client.get(reverse(f"characters:{name}", args=[ilya.pk, *more]))
        assert answer.status_code == status
        assert client.post(reverse(f"characters:{name}", args=[ilya.pk, *more])).status_code == 405


def test_an_owner_who_became_an_observer_still_takes_it_along(
    ilya: Character, signed_in: Callable[[Any], Any], player: Any
) -> None:
    Membership.objects.filter(chronicle=ilya.chronicle, user=player).update(role=Role.OBSERVER)
    client = signed_in(player)
    assert client.get(reverse("characters:take-out-file", args=[ilya.pk, "foundry"])).status_code == 200
    assert client.get(address(ilya.chronicle)).status_code == 403
