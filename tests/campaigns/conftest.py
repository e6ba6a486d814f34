"""Fixtures for accounts and chronicles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

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


def page_of(client: Any, chronicle: Any) -> str:
    return client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
