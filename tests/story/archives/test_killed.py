"""An import whose process is killed, at any moment, leaves nothing behind and can be repeated."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from campaigns import workers
from campaigns.models import Chronicle, User
from characters.models import Character, SheetChange
from story.archives import transfers, whole
from story.models import Stage, Transfer

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 120
MANY = 5_000


@pytest.fixture(autouse=True)
def _processes_share_the_database(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    before = "sqlite://" if connection.vendor == "sqlite" else os.environ["DATABASE_URL"].rpartition("/")[0]
    monkeypatch.setenv("DATABASE_URL", f"{before}/{connection.settings_dict['NAME']}")
    monkeypatch.setenv("VESPER_DATA", str(tmp_path))
    settings.DATA_DIR = tmp_path


def waited(transfer: Transfer) -> Transfer:
    """The transfer once its process has ended."""
    deadline = time.monotonic() + PATIENCE
    while workers.is_alive(transfers.folder_of(transfer)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return transfers.of(transfer.user, transfer.pk)


def rows() -> dict[str, int]:
    """How many rows each table has, transfers left out."""
    names = ("campaigns", "characters", "combat", "story")
    models = [model for name in names for model in apps.get_app_config(name).get_models()]
    return {model.__name__: model._base_manager.count() for model in models if model is not Transfer}


def begun(by: User, data: bytes) -> Transfer:
    transfer = transfers.begin_upload(by, len(data))
    transfers.receive(transfer, 0, data)
    return waited(transfer)


@pytest.fixture
def long(chronicle: Chronicle, storyteller: User, tmp_path: Path) -> bytes:
    """An archive with so many rows that there is time to kill who saves them."""
    one = Character.objects.create(chronicle=chronicle, name="Ilya")
    many = [SheetChange(character=one, by=storyteller, changes=[["concept", "", str(n)]]) for n in range(MANY)]
    SheetChange.objects.bulk_create(many)
    path = tmp_path / "made.zip"
    whole.take_out(chronicle, path, lambda _more: None)
    return path.read_bytes()


@pytest.mark.parametrize("percent", [40, 70])
def test_a_killed_import_leaves_nothing_and_is_repeated(long: bytes, percent: int, storyteller: User) -> None:
    """The first half is reading, the second is saving."""
    before, transfer = rows(), begun(storyteller, long)
    assert transfer.stage == Stage.CHECKED, transfer.problem
    transfers.bring_in(transfer, {})
    folder = transfers.folder_of(transfer)
    process = workers._started[folder]
    while workers.progress(folder).percent < percent and workers.is_alive(folder):
        time.sleep(0.001)
    process.kill()
    found = waited(transfer)
    assert found.stage == Stage.FAILED
    assert "Nothing was saved" in found.problem
    assert rows() == before
    again = begun(storyteller, long)
    transfers.bring_in(again, {})
    assert waited(again).stage == Stage.DONE
    assert rows()["SheetChange"] == 2 * MANY


def test_the_process_of_an_export_is_found_dead(chronicle: Chronicle, storyteller: User) -> None:
    by = chronicle.memberships.get(user=storyteller)
    made = transfers.take_out(by)
    folder = transfers.folder_of(made)
    process = workers._started[folder]
    process.kill()
    assert waited(made).stage in (Stage.FAILED, Stage.DONE)
    again = waited(transfers.take_out(by))
    assert again.stage == Stage.DONE, again.problem
    assert transfers.file_of(again).stat().st_size == again.size
