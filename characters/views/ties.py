"""Ties: the list with its drawing, and the forms."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns import lists
from campaigns.access import check_playable, member_or_404
from campaigns.errors import EditConflict, Refused
from campaigns.forms.differences import differences
from campaigns.models import Membership, PageKind, PassageAudience, Session
from campaigns.page_services import audiences_for, choosable
from campaigns.people import told_apart
from campaigns.readable import pages_for
from campaigns.tokens import new_key
from campaigns.views.form_pages import form_page, status_of, take_conflict
from characters import pages, tie_pages, tie_services
from characters.access import player_or_403
from characters.forms.ties import TieForm
from characters.known import ends_of, known_to
from characters.models import BoonState, Tie, TieKind, TieReadership
from characters.tie_pages import Wanted, session_name

CHOSEN = ("who", "kind", "state")


@login_required
@require_safe
def ties(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    membership = member_or_404(request.user, chronicle_id)
    wanted = Wanted(**{name: request.GET.get(name, "")[:12] for name in CHOSEN})
    page = tie_pages.ties_page(membership, wanted)
    keep = {name: value for name in CHOSEN if (value := getattr(wanted, name))}
    context = {
        "chronicle": pages.place(membership.chronicle),
        "page": page,
        "listed": lists.parts(request.GET, {"ties": page.lines}, keep=keep),
        "kinds": TieKind.choices,
        "states": BoonState.choices,
        "chosen": bool(keep),
    }
    return render(request, "characters/ties.html", context)


@login_required
@form_page
def add(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = player_or_403(request.user, chronicle_id)
    form = _form(request, by, None)
    if form.is_valid():
        try:
            tie_services.write_tie(by=by, data=form.data_of(), key=form.cleaned_data["key"])
            messages.success(request, _("The tie has been saved."))
            return redirect("characters:ties", chronicle_id)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    return _drawn(request, by, form, None)


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, tie_id: str) -> HttpResponse:
    by, tie = _writable(request, chronicle_id, tie_id)
    form = _form(request, by, tie)
    if form.is_valid():
        try:
            version = form.cleaned_data["version"] or 0
            tie_services.change_tie(by=by, tie_id=tie_id, data=form.data_of(), version=version)
            messages.success(request, _("The tie has been saved."))
            return redirect("characters:ties", chronicle_id)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        except EditConflict:
            _by, fresh = _writable(request, chronicle_id, tie_id)
            take_conflict(form, fresh.version, differences(_form(request, by, fresh)))
    return _drawn(request, by, form, tie)


@login_required
@require_POST
def settle(request: HttpRequest, chronicle_id: str, tie_id: str) -> HttpResponse:
    """Pays or forgives a boon, or takes that back, and returns to the page it was pressed on."""
    by, tie = _writable(request, chronicle_id, tie_id)
    try:
        tie_services.settle(by=by, tie_id=tie_id, state=request.POST.get("state", ""))
    except Refused as refusal:
        messages.error(request, str(refusal))
    who = request.POST.get("from", "")
    if who in ends_of(tie) and who in known_to(by):
        return redirect("characters:face", chronicle_id, who)
    return redirect(f"{reverse('characters:ties', args=[chronicle_id])}#tie-{tie_id}")


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, tie_id: str) -> HttpResponse:
    by, tie = _writable(request, chronicle_id, tie_id)
    if request.method == "POST":
        tie_services.delete_tie(by=by, tie_id=tie_id)
        messages.success(request, _("The tie has been deleted."))
        return redirect("characters:ties", chronicle_id)
    names = tie_pages.names_of(by, known_to(by))
    first, second = (names[end] for end in ends_of(tie))
    context = {"chronicle": pages.place(by.chronicle), "id": tie_id, "first": first, "second": second}
    return render(request, "characters/tie_delete.html", context)


def _writable(request: HttpRequest, chronicle_id: str, tie_id: str) -> tuple[Membership, Tie]:
    membership = member_or_404(request.user, chronicle_id)
    tie = tie_services.tie_or_404(membership, tie_id)
    check_playable(membership.chronicle)
    return membership, tie


def _form(request: HttpRequest, by: Membership, tie: Tie | None) -> TieForm:
    known = known_to(by)
    if not by.is_storyteller and not any(one.is_mine for one in known.values()):
        raise PermissionDenied(_("You can only tie characters of your own."))
    groups = pages_for(by).filter(kind=PageKind.GROUP).order_by("folded", "pk").values_list("pk", "title")
    ends: list[Any] = [(_("Characters"), [(who, one.name) for who, one in known.items()])]
    if found := list(groups):
        ends.append((_("Groups"), found))
    sessions = Session.objects.filter(chronicle_id=by.chronicle_id).order_by("-number")
    audiences = audiences_for(by)
    if tie is not None and tie.audience not in audiences:
        audiences = (PassageAudience(tie.audience), *audiences)
    members = list(choosable(by))
    told_apart(by.chronicle_id, (each.user for each in members))
    return TieForm(
        request.POST or None,
        ends=ends,
        sessions=[(each.pk, f"{session_name(each)} {each.title}".strip()) for each in sessions],
        audiences=audiences,
        readers=[(str(each.pk), each.user.display_name) for each in members],
        initial=_initial(request, by, tie),
    )


def _initial(request: HttpRequest, by: Membership, tie: Tie | None) -> dict[str, Any]:
    if tie is None:
        begun = {name: request.GET.get(name, "")[:12] for name in ("kind", "first", "second")}
        return {
            **{name: value for name, value in begun.items() if value},
            "key": new_key(),
            "audience": audiences_for(by)[0],
        }
    first, second = ends_of(tie)
    plain = ("version", "kind", "text", "text_back", "size", "state", "audience")
    chosen = TieReadership.objects.filter(tie=tie).values_list("membership", flat=True)
    return {
        **{name: getattr(tie, name) for name in plain},
        "first": first,
        "second": second,
        "since": tie.since_id or "",
        "ended": tie.ended_id or "",
        "readers": [str(each) for each in chosen],
    }


def _drawn(request: HttpRequest, by: Membership, form: TieForm, tie: Tie | None) -> HttpResponse:
    context = {"chronicle": pages.place(by.chronicle), "form": form, "tie": tie.pk if tie else ""}
    return render(request, "characters/tie_edit.html", context, status=status_of(form))
