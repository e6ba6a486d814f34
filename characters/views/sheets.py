"""A character's sheet: viewing, creating and editing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from campaigns.errors import EditConflict, Refused
from campaigns.models import Membership, User
from campaigns.requests import HtmxRequest
from campaigns.tokens import new_key
from campaigns.views.form_pages import form_page, take_conflict
from characters import access, copying, pages, people, services
from characters.access import Seen
from characters.acting import acting
from characters.forms.fields import number_in
from characters.forms.listings import ADD
from characters.forms.sheet import SheetForm
from characters.layouts import lay_out
from characters.models import Character
from characters.rulesets import why_missing
from characters.services import SheetData

# Buttons that redraw the form as typed: for another kind, or with another row.
DRAW_AGAIN = ("lay", "add-weapon", "add-armor", ADD)
CONFLICT = gettext_lazy(
    "This sheet was changed while you were editing, by somebody else or by a fight. What you typed is still here, and "
    "the differences are below. Save again to keep yours."
)


@login_required
@require_safe
def sheet(request: HtmxRequest, character_id: str) -> HttpResponse:
    seen = access.character_or_404(request.user, character_id)
    context = {"chronicle": pages.place(seen.character.chronicle)}
    if not seen.may_read:
        return render(request, "characters/card.html", context | {"card": pages.card(seen)}, status=403)
    if why_missing(seen.character.chronicle.ruleset):
        return render(request, "characters/stored_sheet.html", context | {"page": pages.stored_sheet(seen)})
    template = "characters/_sheet_drawer.html" if request.htmx else "characters/sheet.html"
    page = pages.sheet_page(seen)
    return render(request, template, context | {"page": page, "acting": acting(seen, page)})


@login_required
@form_page
def create(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.player_or_403(request.user, chronicle_id)
    original = copying.original(by, request.GET.get("copy", ""))
    form = SheetForm(
        _typed(request),
        chronicle=by.chronicle,
        for_storyteller=by.is_storyteller,
        owners=access.players_of(by) if by.is_storyteller else None,
        kind=request.GET.get("kind", ""),
        start=_start(request, by, original),
        key=new_key(),
    )
    if _draws_again(request, form) or not form.is_bound or not form.is_valid():
        return _form_page(request, form, by)
    owner = _owner(form, by)
    origin = copying.origin_of(original, owner) if original else ""
    try:
        key = form.cleaned_data["key"]
        made = services.create_character(by=by, owner=owner, sheet=form.sheet(), key=key, origin=origin)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _form_page(request, form, by)
    messages.success(request, _("%(name)s has been created.") % {"name": made.name})
    return redirect("characters:sheet", made.pk)


def _start(request: HttpRequest, by: Membership, original: Character | None) -> SheetData | None:
    """The sheet that a new character begins with: a copy of another one, or an example."""
    if original:
        return copying.copy_of(by, original)
    example = people.example(by.chronicle, request.GET.get("example", ""))
    return people.sheet_data(by.chronicle, example) if example else None


@login_required
@form_page
def edit(request: HttpRequest, character_id: str) -> HttpResponse:
    seen = access.writable_or_403(request.user, character_id)
    fight = access.fight_that_locks(seen)
    if fight and request.method != "POST":
        return redirect("characters:notes", character_id)
    form = _form(request, seen)
    if _draws_again(request, form) or not form.is_bound:
        return _form_page(request, form, seen.membership, seen)
    if fight:
        return _locked(request, seen, form, services.locked_sentence(fight))
    return _saved(request, seen, form)


def _saved(request: HttpRequest, seen: Seen, form: SheetForm) -> HttpResponse:
    if not form.is_valid():
        return _form_page(request, form, seen.membership, seen)
    try:
        _save(form, seen)
    except EditConflict:
        return _conflict(request, seen.character.pk)
    except Refused as refusal:  # a fight began after the first check
        return _locked(request, seen, form, str(refusal))
    messages.success(request, _("The sheet has been saved."))
    return redirect("characters:sheet", seen.character.pk)


def _form(request: HttpRequest, seen: Seen) -> SheetForm:
    one = seen.character
    return SheetForm(_typed(request), chronicle=one.chronicle, character=one, for_storyteller=seen.is_storyteller)


def _save(form: SheetForm, seen: Seen) -> None:
    services.update_sheet(
        by=seen.membership,
        character=seen.character,
        sheet=form.sheet(),
        version=form.cleaned_data.get("version") or 0,
    )


def _locked(request: HttpRequest, seen: Seen, form: SheetForm, sentence: str) -> HttpResponse:
    """Show the form with an error: during a fight only Storytellers may save Traits, so the input stays in the form."""
    form.add_error(None, sentence)
    return _form_page(request, form, seen.membership, seen, status=409)


def _conflict(request: HttpRequest, character_id: str) -> HttpResponse:
    seen = access.writable_or_403(request.user, character_id)
    fresh = _form(request, seen)
    fresh.is_valid()
    take_conflict(fresh, seen.character.version, fresh.differences(), CONFLICT)
    return _form_page(request, fresh, seen.membership, seen, status=409)


def _form_page(
    request: HttpRequest,
    form: SheetForm,
    by: Membership,
    seen: Seen | None = None,
    *,
    status: int = 0,
) -> HttpResponse:
    wrong = form.is_bound and (bool(form.errors) or form.weapons.total_error_count() or form.armor.total_error_count())
    context = {
        "chronicle": pages.place(by.chronicle),
        "form": form,
        "layout": lay_out(form, guided=_is_guided(request, by, seen)),
        "card": pages.card(seen) if seen else None,
        "wrong": wrong,
        "fresh": not (seen or form.is_bound or form.begun),
        "examples": () if seen or form.is_bound else pages.examples(by.chronicle),
        "originals": () if seen or form.is_bound else copying.originals(by),
    }
    return render(request, "characters/sheet_edit.html", context, status=status or (422 if wrong else 200))


def _is_guided(request: HttpRequest, by: Membership, seen: Seen | None) -> bool:
    """Whether the form is laid out as steps: for a player's new character, unless the address says otherwise."""
    return request.GET.get("guide", "" if seen or by.is_storyteller else "1") == "1"


def _draws_again(request: HttpRequest, form: SheetForm) -> bool:
    asked = request.method == "POST" and any(name in request.POST for name in DRAW_AGAIN)
    if asked:
        form.show_as_typed()
    return asked


def _typed(request: HttpRequest) -> Any:
    """The posted data, with one more row if a button asked for it."""
    if request.method != "POST":
        return None
    data = request.POST.copy()
    for name, prefix in (("add-weapon", "weapons"), ("add-armor", "armor")):
        total = number_in(data.get(f"{prefix}-TOTAL_FORMS", ""))
        if name in data and total is not None:
            data[f"{prefix}-TOTAL_FORMS"] = str(total + 1)
    return data


def _owner(form: SheetForm, by: Membership) -> User | None:
    if not by.is_storyteller:
        return by.user
    chosen = form.cleaned_data.get("owner")
    return next((user for user in access.players_of(by) if str(user.pk) == chosen), None)
