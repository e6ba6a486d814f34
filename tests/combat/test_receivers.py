"""Which of an account's changes make its sockets ask again."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("fields", "asks"),
    [
        (None, True),
        (["password"], True),
        (["is_active", "first_name"], True),
        (["last_login"], False),
        (["time_zone"], False),
        (["first_name", "email"], False),
    ],
)
def test_sockets_ask_again_where_a_right_may_have_changed(
    fields: Any, asks: bool, player: Any, chronicle: Any, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    hinted: list[Any] = []
    monkeypatch.setattr("combat.receivers.hint", lambda *to: hinted.append(to))
    with django_capture_on_commit_callbacks(execute=True):
        player.save(update_fields=fields)
    assert bool(hinted) is asks
