"""Experience: a character's ledger and requests, and the Storyteller's awards and answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from campaigns.access import check_playable, storyteller_or_403
from campaigns.errors import Refused
from campaigns.models import NAME_LENGTH, Membership
from campaigns.tokens import new_key
from campaigns.views.form_pages import form_page
from characters import access, experience, experience_pages, experience_seals, pages, rulesets
from characters.access import Seen
from characters.experience_words import unit
from characters.forms.experience import AnswerForm, AwardForm, CorrectionForm, OtherForm, RaiseForm
from characters.forms.fields import number_in
from characters.models import ExperienceEntry
from characters.models.experience import LIST


@login_required
@form_page
def ledger(request: HttpRequest, character_id: str) -> HttpResponse:
    """A character's experience; a POST asks for something."""
    seen = _readable(request, character_id)
    if request.method != "POST":
        return _ledger(request, seen)
    if not seen.may_write:
        raise PermissionDenied(_("Only its player and the Storyteller can do that."))
    other = OtherForm(request.POST) if "what" in request.POST else None
    raising = None if other else RaiseForm(request.POST)
    form: Any = other or raising
    if form.is_valid():
        data = form.cleaned_data
        wish = experience.Other(data["what"], data["points"]) if other else _wish(data)
        try:
            made = experience.ask(by=seen.membership, character=seen.character, wish=wish, key=data["key"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            if made is not None:
                messages.success(request, _("Bought.") if made.step == "granted" else _("Your request is waiting."))
            return redirect("characters:experience", character_id)
    return _ledger(request, seen, other=other, raising=raising)


def _wish(data: dict[str, Any]) -> experience.Raise | experience.Entry:
    trait = data["trait"]
    if trait.startswith(LIST):
        return experience.Entry(trait.removeprefix(LIST), _as_kept(data["entry"]), data["to"], data["words"])
    return experience.Raise(trait, data["to"], data["words"])


def _as_kept(text: str) -> str:
    """A name as the sheet keeps it: without spaces around it, and single ones in it."""
    return " ".join(text.split())


def _ledger(
    request: HttpRequest, seen: Seen, *, other: OtherForm | None = None, raising: RaiseForm | None = None
) -> HttpResponse:
    said: Any = request.POST if raising else request.GET
    chosen = experience_pages.asking(
        seen,
        said.get("trait", ""),
        number_in(said.get("to", "")),
        said.get("words", ""),
        _as_kept(said.get("entry", ""))[:NAME_LENGTH],
        number_in(said.get("place", "")),
    )
    context = {
        "chronicle": pages.place(seen.character.chronicle),
        "page": experience_pages.ledger_page(seen),
        "asking": chosen if seen.may_write else None,
        "raising": raising,
        "other": other or OtherForm(),
        "key": new_key(),
    }
    wrong = (other and other.errors) or (raising and raising.errors)
    return render(request, "characters/experience.html", context, status=422 if wrong else 200)


@login_required
@require_POST
def withdraw(request: HttpRequest, character_id: str, entry_id: str) -> HttpResponse:
    """Take a request back."""
    seen = access.writable_or_403(request.user, character_id)
    entry = ExperienceEntry.objects.filter(pk=entry_id, character=seen.character, step="asked").first()
    if entry is None:
        raise Http404("No such request")
    try:
        experience.withdraw(by=seen.membership, entry=entry)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("characters:experience", character_id)


@login_required
@form_page
def correct(request: HttpRequest, character_id: str) -> HttpResponse:
    """Correct a balance, for Storytellers."""
    seen = _readable(request, character_id)
    if not seen.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller can do that."))
    ruleset = rulesets.ruleset_for(seen.character.chronicle)
    form = CorrectionForm(request.POST or None, unit=_units(ruleset.beats), initial={"key": new_key()})
    if form.is_valid():
        experience.correct(by=seen.membership, character=seen.character, **form.cleaned_data)
        return redirect("characters:experience", character_id)
    context = {"chronicle": pages.place(seen.character.chronicle), "card": pages.card(seen), "form": form}
    status = 422 if form.errors else 200
    return render(request, "characters/experience_correct.html", context, status=status)


@login_required
@form_page
def ledgers(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """The chronicle's experience; a POST awards some to many."""
    by = storyteller_or_403(request.user, chronicle_id)
    form = _award_form(request, by)
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        got = experience.award(by=by, to=data["to"], amount=data["amount"], reason=data["words"], key=data["key"])
        if got:
            said = ngettext("%(number)s character got it.", "%(number)s characters got it.", len(got))
            messages.success(request, said % {"number": len(got)})
        return redirect("characters:ledgers", chronicle_id)
    return _ledgers(request, by, form)


def _ledgers(
    request: HttpRequest, by: Membership, form: AwardForm, *, answer: AnswerForm | None = None, about: str = ""
) -> HttpResponse:
    page = experience_pages.ledgers_page(by)
    wrong = form.errors or (answer and answer.errors)
    gone = answer and all(each.id != about for each in page.requests)
    context = {
        "unsent": answer["note"].value() if answer and gone else "",
        "chronicle": page.chronicle,
        "page": page,
        "form": form,
        "answer": answer,
        "about": about,
        "key": new_key(),
    }
    return render(request, "characters/ledgers.html", context, status=422 if wrong else 200)


def _award_form(request: HttpRequest, by: Membership) -> AwardForm:
    ruleset = rulesets.ruleset_for(by.chronicle)
    cast = experience_pages.cast_of(by)
    reasons = experience_pages.reasons(ruleset)
    return AwardForm(
        request.POST if request.method == "POST" and "reason" in request.POST else None,
        cast=[(one.pk, one.name) for one in cast],
        reasons=reasons,
        labels=experience_pages.awards_in_words(ruleset),
        chosen=[one.pk for one in cast if not one.is_npc],
        unit=_units(ruleset.beats),
    )


@login_required
@require_POST
def answer(request: HttpRequest, chronicle_id: str, entry_id: str) -> HttpResponse:
    """Grant or refuse a request, for Storytellers."""
    by = storyteller_or_403(request.user, chronicle_id)
    entry = ExperienceEntry.objects.filter(pk=entry_id, character__chronicle=chronicle_id, step="asked").first()
    if entry is None:
        raise Http404("No such request")
    form = AnswerForm(request.POST)
    if form.is_valid():
        decide = experience.grant if "grant" in request.POST else experience.refuse
        try:
            decide(by=by, entry=entry, note=form.cleaned_data["note"])
            return redirect("characters:ledgers", chronicle_id)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    return _ledgers(request, by, _award_form(request, by), answer=form, about=entry_id)


@login_required
@require_POST
def proposals(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Award what the log proposes, or pass it over, for Storytellers."""
    by = storyteller_or_403(request.user, chronicle_id)
    known = experience_pages.open_proposals(by)
    chosen = [known[key] for key in request.POST.getlist("proposal") if key in known]
    grant = "grant" in request.POST
    count = experience.settle(by=by, chosen=chosen, grant=grant)
    if count and grant:
        said = ngettext("%(number)s award has been made.", "%(number)s awards have been made.", count)
        messages.success(request, said % {"number": count})
    return redirect("characters:ledgers", chronicle_id)


@login_required
@require_safe
def export(request: HttpRequest, chronicle_id: str) -> StreamingHttpResponse:
    """The chronicle's ledgers with their seals, for `manage.py verify`."""
    by = storyteller_or_403(request.user, chronicle_id, read_only_too=True)
    named = {"Content-Disposition": 'attachment; filename="experience.jsonl"'}
    found = experience_seals.lines(by.chronicle_id)
    return StreamingHttpResponse(found, content_type="application/jsonl; charset=utf-8", headers=named)


def _readable(request: HttpRequest, character_id: str) -> Seen:
    seen = access.character_or_404(request.user, character_id)
    if not seen.may_read:
        raise PermissionDenied(_("Only its player and the Storyteller can see this."))
    check_playable(seen.character.chronicle)
    return seen


def _units(beats: int) -> str:
    return unit(1) if beats == 1 else _("Beats")
