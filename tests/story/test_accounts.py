"""All data of an account: everything of its owner's, and no more than they may read."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone, translation

from campaigns import page_services
from campaigns.models import Membership, Role, SignIn, User
from campaigns.services import create_chronicle, leave
from campaigns.views.accounts import PASSWORDS_AN_HOUR
from story.accounts import data, files
from story.views import accounts
from tests import planted
from tests.combat.conftest import characters, draft, fight
from tests.test_leaving import NAMED, busy, member_of, person
from tests.test_permissions import world
from tests.world import World

__all__ = ["characters", "draft", "fight", "person", "world"]  # fixtures

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget_tries() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def unpacked(user: User) -> dict[str, str]:
    """The texts of the files by name, and of pictures what they can be read as."""
    packed = io.BytesIO()
    files.write(User.objects.get(pk=user.pk), packed)
    with zipfile.ZipFile(packed) as found:
        assert found.testzip() is None
        names = found.namelist()
        assert len(names) == len(set(names))
        return {name: found.read(name).decode("utf-8", "replace") for name in names}


def named(found: dict[str, str], name: str) -> list[str]:
    return [text for path, text in found.items() if path.rpartition("/")[2] == name]


def test_every_relation_to_an_account_is_in_a_file_or_has_a_reason() -> None:
    """A new model that refers to an account: add its rows to `story.accounts.data`, or say there why not."""
    relations = {
        f"{each.related_model._meta.label}.{each.field.name}"
        for each in User._meta.get_fields(include_hidden=True)
        if each.auto_created and not each.concrete
    }
    assert relations == data.IN_FILES.keys() | data.LEFT_OUT.keys()
    assert not data.IN_FILES.keys() & data.LEFT_OUT.keys()


@pytest.mark.servers
def test_who_did_everything_gets_every_file(world: World) -> None:
    busy(world, "other_player")
    busy(world, "storyteller")
    hers, storytellers = (unpacked(world.people[who]) for who in ("other_player", "storyteller"))
    present = {path.rpartition("/")[2] for path in (*hers, *storytellers)}
    assert set(data.IN_FILES.values()) - {"shown.json"} <= present
    account = json.loads(hers["account.json"])
    assert (account["name"], account["email"]) == (NAMED["other_player"], f"{NAMED['other_player']}@mail.example")
    (pages,) = named(hers, "pages.json")
    words = {each["title"] for each in json.loads(pages)}
    assert {"For author", "For chosen", "For everyone"} <= words
    assert any(text.startswith("# For author\n\nWords of other_player.") for text in hers.values())
    assert "bringing cake" in named(hers, "answers.json")[0]
    assert "owes nothing" in named(hers, "ties.json")[0]
    assert "gloves" in named(hers, "ties.json")[0]
    actions = [json.loads(line) for line in named(hers, "actions.jsonl")[0].splitlines()]
    assert {each["fight"] for each in actions} >= {world.fight.encounter.name}
    assert all(each["at"] and each["what"] for each in actions)
    assert "CANARY for the late ones" in named(storytellers, "invitations.json")[0]


def test_her_own_are_all_there(world: World) -> None:
    """What only her player and the Storytellers read of her, apart from what isn't written on the sheet."""
    found = "".join(unpacked(world.people["other_player"]).values())
    for name in ("her sire", "her background", "her specialty", "her notes", "her merit", "her award", "her request"):
        assert planted.HERS[name] in found, name
    assert planted.HERS["why granted"] in found


@pytest.mark.parametrize("who", ["player", "other_player", "observer", "removed", "stranger"])
def test_nobody_gets_what_they_may_not_read(world: World, who: str) -> None:
    found = "".join((*unpacked(world.people[who]), *unpacked(world.people[who]).values()))
    for text in world.known(who):
        found = found.replace(text, "")
    assert [secret for secret in world.secrets(who) if secret in found] == []
    others = {name: user for name, user in world.people.items() if user is not None and name != who}
    assert [name for name, user in others.items() if user.email and user.email in found] == []


def test_there_are_no_keys_to_anything(world: World) -> None:
    busy(world, "storyteller")
    user = User.objects.get(pk=world.people["storyteller"].pk)
    found = "".join(unpacked(user).values())
    secret = [
        user.password,
        world.ids["token"],
        world.ids["wall"],
        *SignIn.objects.values_list("session_key", flat=True),
    ]
    secret += SignIn.objects.values_list("session_data", flat=True)
    assert len(secret) > 4
    assert [each for each in secret if each in found] == []


def test_a_storyteller_gets_no_notes_on_characters(world: World) -> None:
    """They are the chronicle's, also if she plays a character herself."""
    found = "".join(unpacked(world.people["storyteller"]).values())
    assert "really a ghost" not in found
    assert planted.UNKNOWN["her Storyteller's notes"] not in found


def test_who_was_removed_gets_their_own_words_alone(world: World) -> None:
    busy(world, "other_player")
    member = member_of(world, "other_player")
    Membership.objects.filter(pk=member.pk).update(removed_at=timezone.now())
    found = unpacked(world.people["other_player"])
    everything = "".join((*found, *found.values()))
    assert "Words of other_player." in everything
    assert "bringing cake" in everything
    assert "owes nothing" in everything
    folders = {path.partition("/")[0] for path in found if "/" in path}
    assert folders == {"left"}
    for gone in (world.chronicle.name, world.fight.encounter.name, "strength", planted.HERS["her award"], "Next"):
        assert gone not in everything, gone
    assert [set(each) for each in json.loads(named(found, "characters.json")[0])] == [{"name", "folder"}] * 2
    assert json.loads(named(found, "actions.json")[0])["number"] > 1


def test_who_left_gets_the_same(world: World) -> None:
    busy(world, "other_player")
    leave(member=member_of(world, "other_player"))
    found = unpacked(world.people["other_player"])
    assert "Words of other_player." in "".join(found.values())
    assert world.chronicle.name not in "".join((*found, *found.values()))


def test_a_storyteller_who_became_a_player_reads_as_one(world: World) -> None:
    """Rolls that she made in secret are in the log, and no longer hers to read."""
    Membership.objects.filter(user=world.people["storyteller"]).update(role=Role.PLAYER)
    found = unpacked(world.people["storyteller"])
    actions = [json.loads(line) for line in named(found, "actions.jsonl")[0].splitlines()]
    assert world.ids["draft"] not in str(actions)
    whole = "".join(found.values())
    assert planted.UNKNOWN["secret botch"] not in whole
    # Her own words on pages stay hers.
    assert "The Prince falls in CANARY three." in whole


def test_a_missing_ruleset_is_no_obstacle(world: World) -> None:
    type(world.chronicle).objects.filter(pk=world.chronicle.pk).update(ruleset="gone")
    assert named(unpacked(world.people["other_player"]), "sheet.json")


def test_odd_names_of_chronicles_make_plain_folders(person: Any) -> None:
    user = person("solo")
    for name in ("../../etc", "Ünïcödé 🦇", "💀"):
        create_chronicle(user=user, name=name, ruleset="masquerade")
    paths = list(unpacked(user))
    assert all(path.isascii() and ".." not in path and not path.startswith("/") for path in paths)


def test_the_readme_is_in_the_readers_language(person: Any) -> None:
    user = person("solo")
    assert unpacked(user)["README.md"].startswith("# The data of solo")
    with translation.override("de"):
        assert unpacked(user)["README.md"].startswith("# Die Daten von solo")


# ------------------------------------------------------------------ the page


def test_the_page_asks_for_the_password_and_then_gives_the_file(person: Any, client: Any) -> None:
    user = person("solo")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    page, file = reverse("story:account-data"), reverse("story:account-data-file")
    assert page in client.get(reverse("campaigns:account")).content.decode()
    assert file not in client.get(page).content.decode()
    assert client.post(file)["Location"] == page
    assert client.post(page, {"password": "wrong"}).status_code == 422
    assert client.post(page, {"password": "solo's password"})["Location"] == page
    assert file in client.get(page).content.decode()
    assert client.get(file).status_code == 405
    answer = client.post(file)
    assert answer["Content-Type"] == "application/zip"
    assert answer["Cache-Control"] == "no-store"
    content = b"".join(answer.streaming_content)
    with zipfile.ZipFile(io.BytesIO(content)) as found:
        assert json.loads(found.read("account.json"))["name"] == "solo"


def test_the_password_counts_for_ten_minutes(person: Any, client: Any, monkeypatch: Any) -> None:
    client.force_login(person("solo"), backend="django.contrib.auth.backends.ModelBackend")
    client.post(reverse("story:account-data"), {"password": "solo's password"})
    now = time.time()
    monkeypatch.setattr(accounts.time, "time", lambda: now + 60 * accounts.MINUTES + 1)
    assert client.post(reverse("story:account-data-file")).status_code == 302


def test_guesses_and_downloads_are_limited(person: Any, client: Any) -> None:
    client.force_login(person("solo"), backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("story:account-data")
    client.post(address, {"password": "solo's password"})
    answers = [client.post(reverse("story:account-data-file")) for _each in range(accounts.DOWNLOADS_AN_HOUR + 1)]
    for answer in answers[:-1]:
        assert zipfile.is_zipfile(io.BytesIO(b"".join(answer.streaming_content)))
    assert [answer.status_code for answer in answers] == [200] * accounts.DOWNLOADS_AN_HOUR + [429]
    assert {client.post(address, {"password": "x"}).status_code for _each in range(PASSWORDS_AN_HOUR)} == {422, 429}


def test_the_command_writes_a_file_for_its_owner_alone(person: Any, tmp_path: Any, capsys: Any) -> None:
    person("solo")
    path = tmp_path / "solo.zip"
    call_command("account_data", "SOLO", str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert zipfile.ZipFile(path).testzip() is None
    with pytest.raises(CommandError, match="File exists"):
        call_command("account_data", "solo", str(path))
    with pytest.raises(CommandError, match="There is no account"):
        call_command("account_data", "nobody", str(tmp_path / "other"))


def test_words_are_written_as_they_were_typed(world: World) -> None:
    by = member_of(world, "other_player")
    odd = "# No heading\n\n<script>alert(1)</script> “ü” 🦇 &amp;"
    page_services.create_page(by=by, title="Odd", text=odd, audience="author")
    assert any(odd in text for text in unpacked(world.people["other_player"]).values())
