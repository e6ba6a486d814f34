"""What the tests of people and chronicles share: sign-in, and stand-ins for what other apps hang on a chronicle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from campaigns import access
from campaigns.models import Membership


@pytest.fixture(autouse=True)
def _forget_tries() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def client_of() -> Callable[[Any], Client]:
    """client_of(user) -> a client signed in as them; client_of(None) -> a guest's."""

    def make(user: Any) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return make


@pytest.fixture
def member(chronicle: Any) -> Callable[[Any], Membership]:
    """member(user) -> their membership of the chronicle."""

    def find(user: Any) -> Membership:
        return Membership.objects.get(chronicle=chronicle, user=user)

    return find


@dataclass
class Row:
    """A character or an encounter, as far as this app reads one."""

    pk: str
    name: str
    concept: str = ""
    owner: Any = None
    status: str = "draft"

    @property
    def owner_id(self) -> Any:
        return self.owner.pk if self.owner else None

    @property
    def is_npc(self) -> bool:
        return self.owner is None

    @property
    def visible_to_players(self) -> bool:
        return self.status != "draft"


class Rows:
    """Stands in for a reverse relation."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def filter(self, **wanted: Any) -> Rows:
        if wanted == {"owner__isnull": False}:
            return Rows([row for row in self.rows if row.owner is not None])
        return Rows([row for row in self.rows if all(getattr(row, key) == value for key, value in wanted.items())])

    def fights(self) -> Rows:
        return self

    def select_related(self, *names: str) -> Rows:
        return self

    def annotate(self, **wanted: Any) -> Rows:
        for row in self.rows:
            for name in wanted:
                setattr(row, name, None)
        return self

    def order_by(self, *names: str) -> Rows:
        return self

    def all(self) -> Rows:
        return self

    def exists(self) -> bool:
        return bool(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


@pytest.fixture
def hangs_on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """hangs_on(characters=[...], encounters=[...]): what the apps above have for every chronicle."""

    def hang(**relations: list[Row]) -> None:
        monkeypatch.setattr(access, "_related", lambda _chronicle, name: Rows(relations.get(name, [])))

    return hang
