"""The cast as each member knows it, and the faces of NPCs."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from campaigns import lists
from campaigns.access import member_or_404, storyteller_or_403
from campaigns.errors import EditConflict
from campaigns.forms.differences import differences
from campaigns.models import Membership
from campaigns.views.form_pages import form_page, status_of, take_conflict
from characters import access, face_pages, face_services, pages
from characters.forms.faces import FaceForm
from characters.known import Known, known_to
from characters.models import Face


@login_required
@require_safe
def cast(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    membership = member_or_404(request.user, chronicle_id)
    page = face_pages.cast_page(membership)
    listed = lists.parts(request.GET, {"players": page.players, "others": page.others})
    context = {"chronicle": pages.place(membership.chronicle), "page": page, "listed": listed}
    return render(request, "characters/cast.html", context)


@login_required
@require_safe
def printed(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """The whole cast on one page, for printing."""
    membership = member_or_404(request.user, chronicle_id)
    context = {"chronicle": pages.place(membership.chronicle), "page": face_pages.printed_cast(membership)}
    return render(request, "characters/cast_print.html", context)


@login_required
@require_safe
def face(request: HttpRequest, chronicle_id: str, character_id: str) -> HttpResponse:
    membership, known = access.known_or_404(request.user, chronicle_id, character_id)
    page = face_pages.face_page(membership, known)
    listed = lists.parts(request.GET, {"ties": page.ties})
    context = {"chronicle": pages.place(membership.chronicle), "page": page, "listed": listed}
    return render(request, "characters/face.html", context)


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, character_id: str) -> HttpResponse:
    """Edits an NPC's face, and who has met it under which name."""
    by, known = access.npc_or_403(request.user, chronicle_id, character_id)
    form = _form(request, by, known)
    if form.is_valid():
        said = form.cleaned_data
        try:
            face_services.save_face(
                by=by,
                character_id=known.id,
                text=said["text"],
                with_portrait=said["with_portrait"],
                met=form.met(),
                seen=said["seen"],
            )
            messages.success(request, _("Saved."))
            return redirect("characters:face", chronicle_id, character_id)
        except EditConflict:
            theirs = differences(_form(request, by, known))
            take_conflict(form, by.chronicle.version, theirs)
            form.data["seen"] = face_services.face_mark(known.id)
    context = {"chronicle": pages.place(by.chronicle), "form": form, "id": known.id, "name": known.name}
    context["portrait"] = known.portrait
    return render(request, "characters/face_edit.html", context, status=status_of(form))


@login_required
@require_POST
def tell(request: HttpRequest, chronicle_id: str, character_id: str) -> HttpResponse:
    """Tells an NPC's name to one character that knows it under another, or to everyone."""
    by, known = access.npc_or_403(request.user, chronicle_id, character_id)
    face_services.tell_name(by=by, character_id=known.id, who=request.POST.get("who", "")[:12])
    return redirect("characters:face", chronicle_id, character_id)


@login_required
@require_POST
def meetings(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Accepts or declines meetings that fights propose."""
    by = storyteller_or_403(request.user, chronicle_id)
    accept = "accept" in request.POST
    count = face_services.settle(by=by, chosen=request.POST.getlist("meeting"), accept=accept)
    said = ngettext("%(number)d meeting accepted.", "%(number)d meetings accepted.", count) if accept else ""
    if said:
        messages.success(request, said % {"number": count})
    return redirect("characters:cast", chronicle_id)


def _form(request: HttpRequest, by: Membership, known: Known) -> FaceForm:
    row = Face.objects.filter(character=known.id).first()
    people = [(who, one.name) for who, one in known_to(by).items() if not one.is_npc]
    initial = {
        "text": row.text if row else "",
        "with_portrait": bool(row and row.with_portrait),
        "seen": face_services.face_mark(known.id),
    }
    return FaceForm(request.POST or None, people=people, met=face_services.met_by(known.id), initial=initial)
