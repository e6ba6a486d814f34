"""The desk's keyboard shortcuts (per account) and notes (per fight)."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from campaigns.errors import EditConflict
from campaigns.models import User
from campaigns.reading import PageTitle, title_lines, titles
from campaigns.requests import SignedInRequest
from campaigns.viewing import viewing
from campaigns.views.form_pages import form_page, status_of
from characters.library import library
from combat.desk import keys as desk_keys
from combat.desk import storage
from combat.desk.suggestions import are_on
from combat.secrecy.access import Seen, storyteller_or_403
from combat.web.forms.desk import KeysForm, NotesForm
from combat.web.views.drawer import drawer

MOST_PAGES = 60
"""How many of the chronicle's pages are listed beside a fight."""


def desk_of(seen: Seen, user: User) -> dict[str, Any]:
    """The context a desk needs in addition to its panes; empty for readers without a desk."""
    if not seen.is_storyteller:
        return {}
    names = [entry.person.name for entry in library(seen.encounter.chronicle)]
    return {
        "notes": storage.notes_of(seen.encounter),
        "quick_names": names,
        "suggests": are_on(seen.encounter) and not viewing(),
        **_keys(storage.keys_of(user)),
    }


def _keys(keys: storage.Keys) -> dict[str, Any]:
    return {"desk_keys": keys, "desk_keys_json": json.dumps(keys.of)}


@login_required
@form_page
def keys(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """Shows and changes the desk's keyboard shortcuts, which apply on all of the account's devices."""
    seen = storyteller_or_403(request.user, encounter_id)
    if "reset" in request.POST:
        return _kept(request, seen, storage.Keys(desk_keys.bindings({})))
    form = KeysForm(request.POST or None, keys=storage.keys_of(request.user))
    if form.is_valid():
        return _kept(request, seen, form.keys())
    return drawer(request, seen, "combat/desk/_keys.html", status=status_of(form), form=form)


def _kept(request: SignedInRequest, seen: Seen, keys: storage.Keys) -> HttpResponse:
    storage.keep_keys(user=request.user, keys=keys)
    if not request.htmx:
        return redirect("combat:encounter", seen.encounter.pk)
    context = _keys(keys) | {"oob": True}
    answer = render(request, "combat/desk/_desk_keys.html", context)
    answer["HX-Trigger"] = "vesper:done"
    return answer


@login_required
@form_page
def notes(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """The fight's notes, saved while typing, and the chronicle's notes for reference."""
    seen = storyteller_or_403(request.user, encounter_id)
    if request.method != "POST":
        kept = storage.notes_of(seen.encounter)
        return drawer(request, seen, "combat/desk/_all_notes.html", notes=kept, pages=_pages(seen))
    form = NotesForm(request.POST)
    if not form.is_valid():
        return render(
            request, "combat/desk/_notes_kept.html", {"problems": form.errors.get("text"), "oob": True}, status=422
        )
    said, encounter = form.cleaned_data, seen.encounter
    try:
        kept = storage.keep_notes(
            by=seen.membership, encounter=encounter, text=said["text"], version=said["version"] or 0
        )
    except EditConflict:
        changed = {"notes": storage.notes_of(encounter), "mine": said["text"], "theirs": True}
        if request.htmx:
            return render(request, "combat/desk/_notes_kept.html", changed | {"oob": True}, status=409)
        return drawer(request, seen, "combat/desk/_all_notes.html", status=409, pages=_pages(seen), **changed)
    if not request.htmx:
        return redirect("combat:encounter", encounter_id)
    return render(request, "combat/desk/_notes_kept.html", {"notes": kept, "oob": True})


def _pages(seen: Seen) -> tuple[PageTitle, ...]:
    """The chronicle's newest pages, whose texts are fetched when opened."""
    by = seen.membership
    return title_lines(by, titles(by)[:MOST_PAGES], timezone.now())
