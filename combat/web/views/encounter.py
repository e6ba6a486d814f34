"""The pages of a fight: desk, seats and drafts, and its command forms as pages or in the drawer."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from campaigns import access as tables
from campaigns.lists import MOST_LINES
from campaigns.pages import encounter_lines
from campaigns.people import told_apart
from campaigns.requests import SignedInRequest
from campaigns.rulesets import why_missing
from campaigns.views.form_pages import form_page, status_of
from campaigns.words import said
from characters.library import library
from characters.models import Character
from combat.commands import copying, drafts
from combat.commands.deadlines import in_time
from combat.history import records
from combat.history.stored import stored_rows
from combat.live.frames import view_of
from combat.models import Status
from combat.panes import StorytellerView, build
from combat.secrecy.access import Seen, encounter_or_404, fight_or_404, storyteller_or_403
from combat.web.forms.announced import circumstances_of, what_and_whom
from combat.web.forms.attack import AttackForm, AttackPreview
from combat.web.forms.base import FieldsForm
from combat.web.forms.cast import CopyForm, EncounterForm, JoinForm, fallen_of, present_in
from combat.web.forms.rolls import RollForm, RollPreview
from combat.web.views.commands import CONFLICT, endpoint_or_404, form_for, home_of
from combat.web.views.desk import desk_of
from combat.web.views.drawer import context_of, drawer
from rules.engine.violations import RuleViolation
from rules.topics.commands import SetCarried


@login_required
@require_safe
def encounter(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """The fight as the reader may see it."""
    seen = encounter_or_404(request.user, encounter_id, read_only_too=True)
    if seen.encounter.outside_fights:
        return redirect(home_of(seen))
    if read_only := why_missing(seen.encounter.chronicle.ruleset):
        return _stored(request, seen, read_only)
    seen = in_time(seen)
    if seen.encounter.status == Status.DRAFT:
        return render(request, "combat/draft.html", context_of(seen, **_cast(seen), **desk_of(seen, request.user)))
    more = _attack(seen, request) if seen.is_storyteller and seen.encounter.status == Status.RUNNING else {}
    return render(request, "combat/encounter.html", context_of(seen, **more, **desk_of(seen, request.user)))


def _stored(request: HttpRequest, seen: Seen, read_only: str) -> HttpResponse:
    """A fight whose ruleset isn't installed: name and scene, and for the Storyteller the stored log."""
    context = {
        "encounter": seen.encounter,
        "chronicle": seen.encounter.chronicle,
        "read_only": read_only,
        "is_storyteller": seen.is_storyteller,
        "rows": stored_rows(seen.encounter) if seen.is_storyteller else (),
    }
    return render(request, "combat/stored.html", context)


# ------------------------------------------------------------------ drafts


@login_required
@form_page
def create(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Create a draft from a name and a scene."""
    by = tables.storyteller_or_403(request.user, chronicle_id)
    form = EncounterForm(request.POST or None)
    if form.is_valid():
        made = drafts.create_encounter(by=by, **form.cleaned_data)
        return redirect("combat:encounter", made.pk)
    context = {"form": form, "chronicle": by.chronicle}
    return render(request, "combat/create.html", context, status=status_of(form))


@login_required
@form_page
def edit(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """Edit a fight's name and scene. Only changed fields are saved, so concurrent edits of the other survive."""
    seen = storyteller_or_403(request.user, encounter_id)
    form = EncounterForm(request.POST or None, initial={"name": seen.encounter.name, "scene": seen.encounter.scene})
    if form.is_valid():
        changed = {name: form.cleaned_data[name] for name in form.changed_data}
        drafts.describe(by=seen.membership, encounter=seen.encounter, **changed)
        if request.htmx:
            return HttpResponse(headers={"HX-Trigger": "vesper:done"})
        return redirect("combat:encounter", encounter_id)
    return drawer(request, seen, "combat/forms/_edit.html", status=status_of(form), form=form)


@login_required
@require_POST
def move(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """Move a draft past its neighbour in the list: the draft it should be directly `before` or `after`."""
    seen = storyteller_or_403(request.user, encounter_id)
    way = "before" if request.POST.get("before") else "after"
    moved = drafts.move_draft(by=seen.membership, encounter=seen.encounter, **{way: request.POST.get(way, "")})
    if request.htmx and moved:
        return HttpResponse(status=204, headers={"HX-Trigger": "vesper:done"})
    changed = _("The order of the drafts has changed in the meantime. Check it and try again.")
    if request.htmx:
        shown = {"HX-Retarget": "#messages", "HX-Reswap": "innerHTML", "HX-Trigger": "vesper:done"}
        note = render_to_string("combat/forms/_refusal.html", {"message": changed}, request)
        return HttpResponse(note, status=CONFLICT, headers=shown)
    if not moved:
        messages.error(request, changed)
    lines = encounter_lines(tables.encounters_for(seen.membership))
    place = next((place for place, line in enumerate(lines) if line.id == encounter_id), 0)
    list_page = place // MOST_LINES + 1
    # The browser focuses the button again, so that it can be pressed several times.
    there = f"{reverse('campaigns:chronicle', args=[seen.encounter.chronicle_id])}?encounters={list_page}"
    return redirect(f"{there}#{way}-{encounter_id}")


@login_required
@form_page
def discard(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """Ask whether to put a draft or an ended fight in the bin, and do it."""
    seen = storyteller_or_403(request.user, encounter_id)
    fight, refused = seen.encounter, ""
    if request.method == "POST":
        try:
            drafts.delete_encounter(by=seen.membership, encounter=fight)
            messages.success(request, _("“%(name)s” is in the bin.") % {"name": fight.name})
            return redirect("campaigns:chronicle", fight.chronicle_id)
        except RuleViolation as violation:
            refused = said(violation.message)
    context = {"encounter": fight, "chronicle": fight.chronicle, "draft": fight.status == Status.DRAFT}
    return render(request, "combat/discard.html", context | {"refused": refused}, status=422 if refused else 200)


@login_required
@form_page
def copy(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """Copy an ended fight's cast, and its scene, into a new draft."""
    seen = storyteller_or_403(request.user, encounter_id)
    fight = seen.encounter
    form = CopyForm(request.POST or None, initial={"name": fight.name, "scene": True, "healed": "yes"})
    if form.is_valid():
        try:
            made = copying.copy_encounter(by=seen.membership, encounter=fight, **form.cleaned_data)
            return redirect("combat:encounter", made.pk)
        except RuleViolation as violation:
            form.add_error(None, said(violation.message))
    context = {"form": form, "encounter": fight, "chronicle": fight.chronicle}
    return render(request, "combat/copy.html", context, status=status_of(form))


@login_required
@require_GET
def cast(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """The characters that can be added, with a button for each."""
    seen = storyteller_or_403(request.user, encounter_id)
    return drawer(request, seen, "combat/desk/_cast.html", **_cast(seen))


def _cast(seen: Seen) -> dict[str, Any]:
    here = present_in(seen.encounter)
    people = list(Character.objects.filter(chronicle_id=seen.encounter.chronicle_id).select_related("owner"))
    told_apart(seen.encounter.chronicle_id, (one.owner for one in people))
    fallen = fallen_of(seen.encounter, (one for one in people if not one.is_npc and one.pk not in here))
    return {
        "players_characters": [(one, one.pk in here, fallen.get(one.pk, "")) for one in people if not one.is_npc],
        "absent": [one for one in people if not one.is_npc and one.pk not in {*here, *fallen}],
        "storytellers_characters": [(one, one.pk in here) for one in people if one.is_npc],
        "templates": library(seen.encounter.chronicle),
        "join_form": form_for(seen, JoinForm),
        "knows_drawing": knows_drawing(seen),
    }


# ------------------------------------------------------------------ forms


@login_required
@require_GET
def form(request: SignedInRequest, encounter_id: str, name: str) -> HttpResponse:
    """A command's form, in the drawer or as a page."""
    seen = encounter_or_404(request.user, encounter_id)
    kind = endpoint_or_404(seen, name)
    if not issubclass(kind, FieldsForm) or not kind.fragment or kind is AttackForm:
        raise Http404("No such form")
    if kind.storyteller_only:
        tables.check_storyteller(seen.membership)
    if issubclass(kind, RollForm):
        return drawer(request, seen, kind.fragment, **roll_builder(seen, request))
    asked = {key: value for key, value in request.GET.items() if len(value) < 100}
    return drawer(request, seen, kind.fragment, form=form_for(seen, kind, initial=asked), name=name)


def roll_builder(seen: Seen, request: HttpRequest) -> dict[str, Any]:
    """The context of the roll builder as filled in so far, with its preview."""
    filled = form_for(seen, RollPreview, request.GET.copy())
    filled.is_valid()
    return {"form": filled, "name": "roll"}


@login_required
@require_GET
def somebody(request: SignedInRequest, encounter_id: str, who: str) -> HttpResponse:
    """A combatant's full sheet, with the Storyteller's actions."""
    seen = storyteller_or_403(request.user, encounter_id)
    sheet = build.somebody(records.read(seen.encounter), who)
    if sheet is None:
        raise Http404("No such combatant")
    view = view_of(seen.encounter, seen.audience)
    assert isinstance(view, StorytellerView)
    row = next(each for each in view.order.rows() if each.id == who)
    drawn = knows_drawing(seen)
    return drawer(request, seen, "combat/forms/_somebody.html", sheet=sheet, row=row, knows_drawing=drawn)


def knows_drawing(seen: Seen) -> bool:
    """Whether weapons are drawn and put away in the fight's ruleset."""
    return records.ruleset_for(seen.encounter).knows(SetCarried)


# ------------------------------------------------------------------ the attack


@login_required
@require_GET
def attack(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """The attack form, filled in from the query: who, at, weapon and so on."""
    seen = fight_or_404(request.user, encounter_id)
    return drawer(request, seen, "combat/forms/_attack.html", **_attack(seen, request))


@login_required
@require_GET
def attack_plan(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """Only the preview of the attack form as filled in."""
    seen = fight_or_404(request.user, encounter_id)
    return render(request, "combat/preview/_plan.html", context_of(seen, **_attack(seen, request)))


def _attack(seen: Seen, request: HttpRequest) -> dict[str, Any]:
    """The context of the attack form. Missing fields get the likeliest values, so there is always a preview."""
    filled = form_for(seen, AttackPreview, request.GET.copy())
    if filled.announced and "who" not in request.GET:
        exchange = filled.announced
        bare = form_for(seen, AttackPreview, what_and_whom(exchange))
        filled = form_for(seen, AttackPreview, circumstances_of(bare, exchange.attack, what_and_whom(exchange)))
    filled.is_valid()
    return {"form": filled, "name": "attack"}
