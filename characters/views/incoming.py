"""Bringing a character in from a file: the file, a preview, and creation; and taking one out."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns.access import may_play
from campaigns.errors import Refused
from campaigns.models import Membership, User
from campaigns.tokens import new_key
from campaigns.views.form_pages import form_page, status_of
from characters import access, pages
from characters.archives import single
from characters.forms.incoming import ArrivalForm, CharacterFileForm
from characters.incoming import packing
from characters.incoming.arrival import Arrival, Asking, BadFile
from characters.incoming.creating import bring_in as create
from characters.incoming.previews import arrival_page
from characters.incoming.readers import read, readers
from characters.takeout import format_of, formats


@login_required
@form_page
def bring_in(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """The file; once one is posted, its preview; once that is confirmed, the character."""
    by = access.player_or_403(request.user, chronicle_id)
    if "packed" in request.POST:
        return _confirmed(request, by)
    accept = ",".join(each.accept for each in readers())
    form = CharacterFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()), accept=accept)
    if form.is_valid():
        content = form.cleaned_data["file"]
        try:
            arrival = read(content, Asking(by))
        except BadFile as problem:
            form.add_error("file", str(problem))
        else:
            return _preview(request, by, arrival, _arrival_form(by, arrival, packing.pack(content)))
    return _file_page(request, by, form)


def _file_page(request: HttpRequest, by: Membership, form: CharacterFileForm) -> HttpResponse:
    context = {"chronicle": pages.place(by.chronicle), "form": form, "readers": readers()}
    return render(request, "characters/bring_in.html", context, status=status_of(form))


def _arrival_form(by: Membership, arrival: Arrival, packed: str = "", data: object = None) -> ArrivalForm:
    owners = access.players_of(by) if by.is_storyteller else None
    begun = {"name": arrival.sheet.name, "key": new_key(), "packed": packed}
    return ArrivalForm(data, owners=owners, left_out=bool(arrival.left_out), initial=begun)


def _preview(request: HttpRequest, by: Membership, arrival: Arrival, form: ArrivalForm) -> HttpResponse:
    context = {"chronicle": pages.place(by.chronicle), "form": form, "page": arrival_page(by, arrival)}
    return render(request, "characters/arrival.html", context, status=status_of(form))


def _confirmed(request: HttpRequest, by: Membership) -> HttpResponse:
    """Create the character from the file in the form, which is read again: nothing of the preview is trusted."""
    content = packing.unpack(request.POST.get("packed", ""))
    try:
        if content is None:
            raise BadFile(_("The file didn’t reach the server whole. Choose it again."))
        arrival = read(content, Asking(by))
    except BadFile as problem:
        again = CharacterFileForm({}, {}, accept=",".join(each.accept for each in readers()))
        again.full_clean()
        del again.errors["file"]
        again.add_error("file", str(problem))
        return _file_page(request, by, again)
    form = _arrival_form(by, arrival, data=request.POST)
    if not form.is_valid():
        return _preview(request, by, arrival, form)
    owner: User | None = by.user
    if by.is_storyteller:
        chosen = form.cleaned_data["owner"]
        owner = next((each for each in access.players_of(by) if str(each.pk) == chosen), None)
    named = replace(arrival, sheet=replace(arrival.sheet, name=form.cleaned_data["name"]))
    try:
        made = create(by=by, owner=owner, arrival=named, key=form.cleaned_data["key"])
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _preview(request, by, arrival, form)
    messages.success(request, _("%(name)s has been created.") % {"name": made.name})
    return redirect("characters:sheet", made.pk)


# ------------------------------------------------------------------ taking out


@login_required
@require_safe
def take_out(request: HttpRequest, character_id: str) -> HttpResponse:
    """The formats in which a character can be taken out."""
    seen = access.readable_or_403(request.user, character_id)
    offered = [(each, each.why_not(seen)) for each in formats()]
    context = {"chronicle": pages.place(seen.character.chronicle), "card": pages.card(seen), "formats": offered}
    context["own"] = seen.is_owner and may_play(seen.membership)
    return render(request, "characters/take_out.html", context)


@login_required
@require_safe
def take_out_file(request: HttpRequest, character_id: str, format: str) -> HttpResponse:  # noqa: A002
    """A character as a file."""
    seen = access.readable_or_403(request.user, character_id)
    found = format_of(format)
    if found is None or found.why_not(seen):
        raise Http404("No such format")
    name = f"{single.file_name(seen.character.name)}-{found.key}.{found.ending}"
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(found.write(seen), content_type=found.type, headers=named)


@login_required
@require_safe
def take_out_own(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """All own characters of a player, a file each."""
    member = access.player_or_403(request.user, chronicle_id)
    named = {"Content-Disposition": f'attachment; filename="{single.file_name(member.chronicle.name)}-characters.zip"'}
    return HttpResponse(single.files_of(member), content_type="application/zip", headers=named)
