"""The registry of live pages, and where the models that they depend on have their chronicle."""

from __future__ import annotations

import pytest
from django.http import Http404

from campaigns.models import Chronicle
from combat.live import pages
from combat.live.page_hints import WATCHED


def test_every_watched_model_leads_to_a_chronicle() -> None:
    for model, path in WATCHED.items():
        found = model
        for name in path.split("__") if path != "pk" else ():
            found = found._meta.get_field(name).related_model
        assert found is Chronicle, model


def test_an_app_above_adds_pages_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PAGES", dict(pages.PAGES))

    def look(_user: object, key: str) -> pages.Shown:
        return pages.Shown(key, ())

    pages.register("moon", look)
    pages.register("moon", look)
    assert pages.shown(None, "moon", "full").value == "full"
    with pytest.raises(ValueError):
        pages.register("home", look)
    with pytest.raises(Http404):
        pages.shown(None, "sun", "full")
