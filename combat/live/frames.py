"""Frames: the changed panes as HTML, rendered once per audience, language, version and process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import time
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language

from campaigns.current import reading
from combat.cache import Kept
from combat.history import records
from combat.models import Encounter
from combat.panes import View, versions
from combat.panes.build import view_for

MOST_KEPT = 400


@dataclass(frozen=True, slots=True)
class Frame:
    """The changed panes as out-of-band swaps, and the version they bring a page to.

    A frame names the version it builds on: a page that doesn't have it yet holds the frame back.
    """

    version: int
    html: str


_kept = Kept(MOST_KEPT)


def language_of(asked: str) -> str:
    """The language of a page, for its frames; the active one if `asked` is unknown."""
    return asked if asked in dict(settings.LANGUAGES) else str(get_language())


def view_of(encounter: Encounter, audience: str) -> View:
    """An audience's view of the encounter."""
    return versions.view_of(encounter, audience, lambda: view_for(records.read(encounter), audience))


def page_context(encounter: Encounter, audience: str) -> dict[str, Any]:
    """The template context of a full page with panes."""
    view = view_of(encounter, audience)
    return {
        "encounter_id": encounter.pk,
        "audience": audience,
        "version": versions.version_of(encounter, audience),
        "view": view,
        "now": _now(view),
        "pane_versions": {name: versions.changed_at(encounter, audience, name) for name in view.panes()},
    }


def _now(view: View) -> int | None:
    """The server's time in milliseconds, for pages with a running clock, because phones' clocks are off."""
    asks = getattr(view, "asks", None)
    shown = asks and any(each.clock for each in (*asks.defences, *asks.waiting))
    return int(time() * 1000) if shown else None


def frame(encounter: Encounter, audience: str, have: int | None) -> Frame | None:
    """The frame that a page with version `have` is missing, in the active language; None if it is up to date.

    A page without a version, or with one from the future, gets all panes.
    """
    version = versions.version_of(encounter, audience)
    if have == version:
        return None
    since = have if have is not None and have < version else 0
    names = [name for name in view_of(encounter, audience).panes() if _lacks(encounter, audience, name, since)]
    return Frame(version, _joined(encounter, audience, since, version, names))


def _lacks(encounter: Encounter, audience: str, pane: str, since: int) -> bool:
    return since == 0 or versions.changed_at(encounter, audience, pane) > since


def _joined(encounter: Encounter, audience: str, since: int, version: int, names: Iterable[str]) -> str:
    mark = render_to_string(
        "combat/panes/_version.html",
        {
            # As text, since nothing should be written as a number of the reader's language.
            "version": str(version),
            "since": str(since),
            "audience": audience,
            "oob": True,
            "now": _now(view_of(encounter, audience)),
        },
    )
    return "\n".join([mark, *(_pane(encounter, audience, name, since) for name in names)])


def _pane(encounter: Encounter, audience: str, name: str, since: int = 0) -> str:
    """A pane that changed after version `since`: what differs in it or, if a page may lack more, all of it."""
    at = versions.changed_at(encounter, audience, name)
    pieces = versions.pieces_since(encounter, audience, name, since)
    view = view_of(encounter, audience)
    key = (encounter.pk, audience, reading(), name, at, pieces is None)
    html: str | None = _kept.get(key)
    if html is not None and at > versions.first_of(encounter):
        return html
    context = {
        "encounter_id": encounter.pk,
        "audience": audience,
        "version": str(versions.version_of(encounter, audience)),
        "view": view,
        "pane": view.panes()[name],
        "pane_version": str(at),
        "oob": True,
    }
    folder = "combat/panes"
    if pieces is not None:
        context |= {"pane_since": str(pieces[0]), "ids": pieces[1]}
        folder = "combat/panes/pieces"
    rendered: str = _kept.put(key, render_to_string(f"{folder}/_{name}.html", context))
    return rendered
