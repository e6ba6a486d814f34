"""Exports and imports as jobs: uploads in parts, what survives a dead process, who may do what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from campaigns import workers
from campaigns.archives import box
from campaigns.errors import Refused
from campaigns.models import Chronicle, Membership, User
from story.archives import transfers, whole
from story.models import Stage, Transfer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "transfers"


@pytest.fixture
def dead(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> Any:
    """Processes that die at once."""
    monkeypatch.setattr(workers, "start", lambda *_said: None)
    return django_capture_on_commit_callbacks


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> Any:
    """Processes that have done all their work when they are begun."""

    def start(_folder: Path, _command: str, transfer: str, *_more: str) -> None:
        transfers.run(Transfer.objects.get(pk=transfer))

    monkeypatch.setattr(workers, "start", start)
    return lambda: django_capture_on_commit_callbacks(execute=True)


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "is_alive", lambda _folder: True)
    monkeypatch.setattr(workers, "start", lambda *_said: None)


@pytest.fixture
def by(chronicle: Chronicle, storyteller: User) -> Membership:
    return chronicle.memberships.get(user=storyteller)


@pytest.fixture
def archive(chronicle: Chronicle, tmp_path: Path) -> bytes:
    path = tmp_path / "made.zip"
    whole.take_out(chronicle, path, lambda _more: None)
    return path.read_bytes()


def uploaded(here: Any, user: User, data: bytes, part: int = 1000) -> Transfer:
    with here():
        transfer = transfers.begin_upload(user, len(data))
        for start in range(0, len(data), part):
            assert transfers.receive(transfer, start, data[start : start + part]) == min(len(data), start + part)
    return transfers.of(user, transfer.pk)


# ------------------------------------------------------------------ out


def test_an_archive_is_made_and_downloaded(by: Membership, client_of: Any, here: Any) -> None:
    client = client_of(by.user)
    with here():
        answer = client.post(reverse("story:export", args=[by.chronicle_id]))
    page = client.get(answer["Location"])
    made = Transfer.objects.get()
    assert made.stage == Stage.DONE
    assert reverse("story:transfer-file", args=[made.pk]) in page.content.decode()
    sent = client.get(reverse("story:transfer-file", args=[made.pk]))
    data = b"".join(sent.streaming_content)
    assert data == transfers.file_of(made).read_bytes()
    assert int(sent["Content-Length"]) == len(data)
    assert sent["Content-Disposition"].endswith('.zip"')
    assert box.is_zip(data)
    assert (
        reverse("story:transfer", args=[made.pk])
        in client.get(reverse("story:export", args=[by.chronicle_id])).content.decode()
    )


def test_pressed_twice_it_is_made_once(by: Membership, alive: None) -> None:
    assert transfers.take_out(by) == transfers.take_out(by)
    assert Transfer.objects.count() == 1


def test_at_most_two_are_made_at_a_time(by: Membership, alive: None, player: User) -> None:
    for _each in range(transfers.MOST_AT_ONCE):
        Transfer.objects.create(user=player, stage=Stage.SAVING)
    with pytest.raises(Refused, match="Try again"):
        transfers.take_out(by)
    assert Transfer.objects.count() == transfers.MOST_AT_ONCE


def test_one_that_was_interrupted_says_so_and_can_be_made_again(by: Membership, client_of: Any, dead: Any) -> None:
    with dead(execute=True):
        made = transfers.take_out(by)
    page = client_of(by.user).get(reverse("story:transfer", args=[made.pk])).content.decode()
    assert "interrupted" in page
    assert "every 1s" not in page
    assert transfers.take_out(by) != made


def test_only_its_maker_sees_it_and_only_while_a_storyteller(
    by: Membership, client_of: Any, here: Any, other_player: User
) -> None:
    with here():
        made = transfers.take_out(by)
    by.chronicle.memberships.filter(user=other_player).update(role="storyteller")
    address = reverse("story:transfer-file", args=[made.pk])
    assert client_of(other_player).get(address).status_code == 404
    by.role = "player"
    by.save()
    assert client_of(by.user).get(address).status_code == 403
    by.delete()
    assert client_of(by.user).get(address).status_code == 404


def test_after_a_day_it_is_gone(by: Membership, here: Any, folder: Path) -> None:
    with here():
        made = transfers.take_out(by)
    Transfer.objects.update(created=timezone.now() - transfers.KEPT)
    transfers.purge()
    assert not Transfer.objects.exists()
    assert not transfers.file_of(made).exists()


# ------------------------------------------------------------------ in


def test_an_upload_in_parts_is_checked_shown_and_saved(
    archive: bytes, storyteller: User, client_of: Any, here: Any
) -> None:
    client = client_of(storyteller)
    begun = client.post(reverse("story:import"), {"size": len(archive)}).json()
    half = len(archive) // 2
    for start, part in ((0, archive[:half]), (half, archive[half:])):
        with here():
            sent = {"start": start, "part": SimpleUploadedFile("part", part)}
            assert client.post(begun["part"], sent).json() == {"there": start + len(part)}
    made = Transfer.objects.get()
    assert made.stage == Stage.CHECKED
    page = client.get(begun["page"])
    assert "Leave the place open" in page.content.decode()
    before = Chronicle.objects.count()
    form = page.context["form"]
    with here():
        client.post(begun["page"], {name: form[name].initial for name in form.fields})
    made.refresh_from_db()
    assert (made.stage, Chronicle.objects.count()) == (Stage.DONE, before + 1)
    assert reverse("campaigns:chronicle", args=[made.chronicle_id]) in client.get(begun["page"]).content.decode()
    assert client.get(reverse("campaigns:chronicle", args=[made.chronicle_id])).status_code == 200
    client.post(begun["page"], {})  # pressed again
    assert Chronicle.objects.count() == before + 1


def test_without_a_script_the_form_sends_it(archive: bytes, storyteller: User, client_of: Any, here: Any) -> None:
    with here():
        answer = client_of(storyteller).post(reverse("story:import"), {"file": SimpleUploadedFile("a.zip", archive)})
    assert answer["Location"] == reverse("story:transfer", args=[Transfer.objects.get().pk])
    assert Transfer.objects.get().stage == Stage.CHECKED


@pytest.mark.parametrize(("data", "said"), [(b"", "empty"), (b"GIF89a....", "isn’t a zip")])
def test_another_file_is_refused_at_its_field(data: bytes, said: str, storyteller: User, client_of: Any) -> None:
    answer = client_of(storyteller).post(reverse("story:import"), {"file": SimpleUploadedFile("a.zip", data)})
    assert (answer.status_code, said in answer.content.decode()) == (422, True)
    assert not Transfer.objects.exists()


@pytest.mark.parametrize("size", ["0", "-5", "x", str(box.MOST_PACKED + 1), "9" * 400])
def test_a_size_that_cannot_be_is_refused(size: str, storyteller: User, client_of: Any) -> None:
    answer = client_of(storyteller).post(reverse("story:import"), {"size": size})
    assert (answer.status_code, "100" in answer.json()["problem"]) == (409, True)


def test_parts_that_are_repeated_or_out_of_turn_change_nothing(storyteller: User, dead: Any) -> None:
    transfer = transfers.begin_upload(storyteller, 10)
    assert transfers.receive(transfer, 0, b"01234") == 5
    assert transfers.receive(transfer, 0, b"01234") == 5
    assert transfers.receive(transfer, 7, b"789") == 5
    assert transfers.receive(transfer, 5, b"56789 and more") == 5
    assert transfers.receive(transfer, 5, b"56789") == 10
    assert transfers.file_of(transfer).read_bytes() == b"0123456789"
    assert transfers.receive(transfer, 10, b"") == 10


def test_a_bad_file_is_refused_with_its_reason(archive: bytes, storyteller: User, client_of: Any, here: Any) -> None:
    transfer = uploaded(here, storyteller, archive[:-200])
    assert transfer.stage == Stage.FAILED
    page = client_of(storyteller).get(reverse("story:transfer", args=[transfer.pk])).content.decode()
    assert "damaged or incomplete" in page
    assert reverse("story:import") in page


def test_a_new_upload_replaces_the_last(storyteller: User, folder: Path) -> None:
    first = transfers.begin_upload(storyteller, 10)
    transfers.begin_upload(storyteller, 20)
    assert not Transfer.objects.filter(pk=first.pk).exists()
    assert len(list(folder.iterdir())) == 1


def test_nobody_takes_two_places_or_one_that_isnt_offered(
    archive: bytes, storyteller: User, stranger: User, here: Any, client_of: Any
) -> None:
    transfer = uploaded(here, storyteller, archive)
    first, second = [each["key"] for each in transfer.contents["people"]][:2]
    mine = str(storyteller.pk)
    address = reverse("story:transfer", args=[transfer.pk])
    answer = client_of(storyteller).post(address, {f"place-{first}": mine, f"place-{second}": mine})
    assert (answer.status_code, "two places" in answer.content.decode()) == (422, True)
    with pytest.raises(Refused):
        transfers.bring_in(transfer, {first: mine, second: mine})
    answer = client_of(storyteller).post(address, {f"place-{first}": str(stranger.pk)})
    assert answer.status_code == 422
    with pytest.raises(Refused):
        transfers.bring_in(transfer, {first: str(stranger.pk)})
    assert transfers.of(storyteller, transfer.pk).stage == Stage.CHECKED


def test_an_import_that_dies_leaves_nothing_and_can_be_repeated(
    archive: bytes, storyteller: User, here: Any, dead: Any
) -> None:
    before = Chronicle.objects.count()
    transfer = uploaded(here, storyteller, archive)
    transfers._reach(transfer, Stage.SAVING)
    assert transfers.of(storyteller, transfer.pk).stage == Stage.FAILED
    assert "Nothing was saved" in Transfer.objects.get().problem
    assert Chronicle.objects.count() == before


def test_an_error_while_saving_leaves_nothing(
    archive: bytes, storyteller: User, here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    transfer = uploaded(here, storyteller, archive)
    before = Chronicle.objects.count()
    monkeypatch.setattr(transfers, "_reach", lambda *_said: (_ for _ in ()).throw(OSError("disk full")))
    transfer.stage = Stage.SAVING
    with pytest.raises(OSError, match="disk full"):
        transfers.run(transfer)
    assert Chronicle.objects.count() == before
    assert Transfer.objects.get().stage == Stage.FAILED


def test_names_in_an_archive_are_escaped(archive: bytes, storyteller: User, client_of: Any, here: Any) -> None:
    transfer = uploaded(here, storyteller, archive)
    bold = "<b id=bold>"
    transfer.contents = json.loads(json.dumps(transfer.contents)) | {"name": bold}
    transfer.contents["people"][0]["name"] = bold
    transfer.save()
    assert bold not in client_of(storyteller).get(reverse("story:transfer", args=[transfer.pk])).content.decode()


def test_stopping_is_asked_of_the_process_and_discarding_deletes(
    storyteller: User, alive: None, client_of: Any, folder: Path
) -> None:
    transfer = transfers.begin_upload(storyteller, 10)
    transfers._reach(transfer, Stage.CHECKING)
    client = client_of(storyteller)
    client.post(reverse("story:transfer-cancel", args=[transfer.pk]))
    assert (transfers.folder_of(transfer) / workers.STOP).exists()
    transfers._reach(transfer, Stage.CHECKED)
    client.post(reverse("story:transfer-cancel", args=[transfer.pk]))
    assert not Transfer.objects.exists()
    assert list(folder.iterdir()) == []
