"""A character's notes, copying it, handing it over, and deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.access import check_playable
from campaigns.errors import EditConflict, Refused
from campaigns.tokens import new_key
from campaigns.views.form_pages import form_page, status_of
from characters import access, copying, hooks, pages, services
from characters.access import Seen
from characters.forms.others import CopyForm, HandOverForm, NotesForm

CONFLICT = gettext_lazy(
    "These notes were changed while you were editing. The saved version is below: copy what you need, then save again."
)


@login_required
@form_page
def notes(request: HttpRequest, character_id: str) -> HttpResponse:
    seen = access.writable_or_403(request.user, character_id)
    kept = seen.character.notes
    mark = services.notes_mark(kept)
    form = NotesForm(request.POST or None, initial={"notes": kept, "seen": mark})
    theirs, status = "", status_of(form)
    if form.is_valid():
        data = form.cleaned_data
        try:
            services.write_notes(by=seen.membership, character=seen.character, notes=data["notes"], seen=data["seen"])
            return redirect("characters:sheet", character_id)
        except EditConflict:
            theirs, status = kept, 409
            form.add_error(None, CONFLICT)
            form.data = form.data.copy()
            form.data["seen"] = mark
    more = {"form": form, "theirs": theirs, "fight": access.fight_that_locks(seen)}
    return render(request, "characters/notes.html", _context(seen) | more, status=status)


@login_required
@form_page
def copy(request: HttpRequest, character_id: str) -> HttpResponse:
    """Makes a copy: a player's own for that player, and for a Storyteller by default a hidden one."""
    seen = access.writable_or_403(request.user, character_id)
    by, players = seen.membership, access.players_of(seen.membership) if seen.is_storyteller else None
    begun = {"name": copying.free_name(by, seen.character.name), "key": new_key()}
    form = CopyForm(request.POST or None, owners=players, initial=begun)
    if form.is_valid():
        said = form.cleaned_data
        owner = by.user if players is None else next((each for each in players if str(each.pk) == said["owner"]), None)
        try:
            made = copying.copy_character(
                by=by, character=seen.character, name=said["name"], owner=owner, key=said["key"]
            )
            messages.success(request, _("%(name)s has been created.") % {"name": made.name})
            return redirect("characters:sheet", made.pk)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    return render(request, "characters/copy.html", _context(seen) | {"form": form}, status=status_of(form))


@login_required
@form_page
def hand_over(request: HttpRequest, character_id: str) -> HttpResponse:
    seen = access.character_or_404(request.user, character_id)
    if not seen.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller can hand a character over."))
    check_playable(seen.character.chronicle)
    owners = {str(user.pk): user for user in access.players_of(seen.membership, also=seen.character.owner)}
    form = HandOverForm(request.POST or None, owners=list(owners.values()), initial={"owner": seen.character.owner_id})
    if request.method == "POST" and form.is_valid():
        try:
            owner = owners.get(form.cleaned_data["owner"])
            services.hand_over(by=seen.membership, character=seen.character, owner=owner)
            return redirect("characters:sheet", character_id)
        except Refused as refusal:
            form.add_error("owner", str(refusal))
    return render(request, "characters/hand_over.html", _context(seen) | {"form": form}, status=status_of(form))


@login_required
@form_page
def delete(request: HttpRequest, character_id: str) -> HttpResponse:
    seen = access.writable_or_403(request.user, character_id)
    fight = hooks.fight_of(character_id)
    if request.method == "POST":
        try:
            services.delete_character(by=seen.membership, character=seen.character)
            messages.success(request, _("%(name)s has been deleted.") % {"name": seen.character.name})
            return redirect("campaigns:chronicle", seen.character.chronicle_id)
        except Refused as refusal:
            more = {"refused": str(refusal)}
            return render(request, "characters/delete.html", _context(seen) | more, status=422)
    return render(request, "characters/delete.html", _context(seen) | {"fight": fight})


def _context(seen: Seen) -> dict[str, object]:
    return {"chronicle": pages.place(seen.character.chronicle), "card": pages.card(seen)}
