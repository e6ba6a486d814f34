"""Sessions: the list, a session in its states, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns import access, lists, readable
from campaigns import session_services as services
from campaigns.errors import EditConflict, Refused
from campaigns.forms.differences import differences
from campaigns.models import Answer, Attendance, Event, Membership, Progress, Role, Session
from campaigns.people import told_apart
from campaigns.requests import HtmxRequest
from campaigns.sessions import heading, session_or_404
from campaigns.views.form_pages import form_page, status_of, take_conflict
from campaigns.webhook.page import told_to
from characters import experience
from characters.experience_pages import open_proposals
from story import evening, sessions
from story.forms import AnswerForm, EndForm, ItemForm, SessionEditForm, SessionForm

NOTHING_TO_SAY = 204
MOST_PAGES = 400
"""How many pages a new item of the preparation can link to."""


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """All sessions of a chronicle."""
    page = sessions.session_list(access.member_or_404(request.user, chronicle_id))
    listed = lists.parts(request.GET, {"sessions": page.sessions})
    return render(request, "story/sessions.html", {"page": page, "chronicle": page.chronicle, "listed": listed})


@login_required
@form_page
def announce(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    form = SessionForm(request.POST or None)
    if form.is_valid():
        made = services.announce(by=by, **form.cleaned_data)
        return redirect("story:session", made.pk)
    context = {"chronicle": sessions.place(by), "form": form, "told_to": told_to(by.chronicle, Event.ANNOUNCED)}
    return render(request, "story/session_edit.html", context, status=status_of(form))


@login_required
@require_safe
def session(request: HttpRequest, session_id: str) -> HttpResponse:
    """A session: planned, playing, played or cancelled."""
    found, membership = session_or_404(request.user, session_id)
    return _drawn(request, found, membership)


def _drawn(request: HttpRequest, found: Session, membership: Membership, form: ItemForm | None = None) -> HttpResponse:
    page = sessions.session_page(found, membership)
    context = {"page": page, "chronicle": page.chronicle}
    if page.prepared is not None:
        context["form"] = form or _item_form(None, membership)
    return render(request, "story/session.html", context, status=status_of(form) if form else 200)


@login_required
@form_page
def edit(request: HttpRequest, session_id: str) -> HttpResponse:
    found, by = _as_storyteller(request, session_id)

    def draw() -> SessionEditForm:
        return SessionEditForm(request.POST or None, instance=found, initial={"version": found.version})

    form = draw()
    name = heading(found.number, found.title)
    if form.is_valid():
        try:
            services.edit(by=by, session=found, **form.cleaned_data)
            return redirect("story:session", session_id)
        except EditConflict:
            found.refresh_from_db()
            take_conflict(form, found.version, differences(draw()))
    context = {"chronicle": sessions.place(by), "form": form, "session_id": session_id, "name": name}
    return render(request, "story/session_edit.html", context, status=status_of(form))


@login_required
@require_POST
def stage(request: HtmxRequest, session_id: str) -> HttpResponse:
    """Begin a session, call it off, plan it again, or go on with one that was ended by mistake."""
    found, by = _as_storyteller(request, session_id)
    to = request.POST.get("to", "")
    about: dict[str, Any] = {"by": by, "session": found}
    steps: dict[str, Callable[[], None]] = {
        "begin": lambda: services.begin(**about, now=timezone.now()),
        "take-back": lambda: services.take_back(**about),
        "cancel": lambda: services.cancel(**about),
        "restore": lambda: services.restore(**about),
        "reopen": lambda: services.reopen(**about),
    }
    return _done(request, steps.get(to, _nothing), reverse("story:session", args=[session_id]))


def _nothing() -> None:
    raise Refused(_("The session has moved on in the meantime."))


@login_required
@require_POST
def answer(request: HtmxRequest, session_id: str) -> HttpResponse:
    """Say whether one will be there."""
    found, membership = session_or_404(request.user, session_id)
    access.check_playable(membership.chronicle)
    if not access.may_play(membership):
        raise PermissionDenied(_("Only players and Storytellers answer."))
    form = AnswerForm(request.POST)
    home = request.POST.get("back") == "chronicle"
    way, key = ("campaigns:chronicle", found.chronicle_id) if home else ("story:session", found.pk)

    def save() -> None:
        if not form.is_valid():
            raise Refused(_("Answer yes, maybe or no; the word has at most 80 characters."))
        given = Answer(form.cleaned_data["answer"])
        word = form.cleaned_data["word"]
        services.answer(by=membership, session=found, answer=given, word=word, now=timezone.now())

    done = _done(request, save, f"{reverse(way, args=[key])}#answers")
    if done.status_code != NOTHING_TO_SAY:
        return done
    # The form had something typed in it, so it isn't updated with its page.
    answers, mine = sessions.answers_to(found, membership)
    back = "chronicle" if home else ""
    context = {"answers": answers, "mine": mine, "may_answer": True, "session_id": found.pk, "back": back}
    drawn = render(request, "story/_answers.html", context)
    drawn["HX-Trigger"] = done["HX-Trigger"]
    return drawn


@login_required
@require_POST
def prepare(request: HttpRequest, session_id: str) -> HttpResponse:
    """Add an item to the Storytellers' list."""
    found, by = _as_storyteller(request, session_id)
    form = _item_form(request.POST, by)
    if form.is_valid():
        data = form.cleaned_data
        page = readable.pages_for(by).filter(pk=data["page"]).first() if data["page"] else None
        try:
            services.prepare(by=by, session=found, text=data["text"], page=page, fight=data["fight"])
            # The browser focuses the field again, for the next line.
            return redirect(f"{reverse('story:session', args=[session_id])}#new-item")
        except Refused as refusal:
            form.add_error(None, str(refusal))
    return _drawn(request, found, by, form)


@login_required
@require_POST
def item(request: HtmxRequest, session_id: str, item_id: str) -> HttpResponse:
    """Tick an item, move it past its neighbour, or delete it."""
    found, by = _as_storyteller(request, session_id)
    asked = request.POST

    def save() -> None:
        about: dict[str, Any] = {"by": by, "session": found, "item": item_id}
        if "used" in asked:
            services.tick(**about, now=timezone.now() if asked["used"] else None)
        elif "delete" in asked:
            services.remove(**about)
        elif not services.move(**about, before=asked.get("before", ""), after=asked.get("after", "")):
            raise Refused(_("The order has changed in the meantime. Check it and try again."))

    return _done(request, save, f"{reverse('story:session', args=[session_id])}#preparation")


@login_required
@require_POST
def awards(request: HttpRequest, session_id: str) -> HttpResponse:
    """Award what the session's log proposes, or pass it over."""
    found, by = _as_storyteller(request, session_id)
    known = open_proposals(by)
    chosen = [known[key] for key in request.POST.getlist("proposal") if key in known]
    experience.settle(by=by, chosen=chosen, grant="grant" in request.POST)
    return redirect("story:session", found.pk)


@login_required
@form_page
def end(request: HttpRequest, session_id: str) -> HttpResponse:
    """End the session that is played: attendance and recap. Both can be changed later, at the same address."""
    found, by = _as_storyteller(request, session_id)
    over = found.progress == Progress.PLAYED
    if not over and found.progress != Progress.PLAYING:
        messages.error(request, _("This session wasn’t played."))
        return redirect("story:session", session_id)
    people, came = _people(found, by)

    def draw() -> EndForm:
        recap = found.recap if over or found.recap or request.method == "POST" else evening.drafted(found, by)
        initial = {"version": found.version, "recap": recap, "came": came}
        return EndForm(request.POST or None, initial=initial, people=people)

    form = draw()
    if form.is_valid():
        data = form.cleaned_data
        there = {user: user in data["came"] for user, _name in people}
        try:
            services.end(
                by=by, session=found, version=data["version"], recap=data["recap"], came=there, now=timezone.now()
            )
            return redirect("story:session", session_id)
        except EditConflict:
            found.refresh_from_db()
            came = _people(found, by)[1]
            take_conflict(form, found.version, differences(draw()))
        except Refused as refusal:
            form.add_error(None, str(refusal))
    name = heading(found.number, found.title)
    context = {"chronicle": sessions.place(by), "form": form, "session_id": session_id, "name": name, "over": over}
    # A recap that is edited later isn't sent again.
    context["told_to"] = "" if over else told_to(by.chronicle, Event.ENDED)
    return render(request, "story/session_end.html", context, status=status_of(form))


def _people(found: Session, by: Membership) -> tuple[list[tuple[int, str]], list[int]]:
    """Those who may have attended, with their answers; and those who did, proposed from who acted until it is saved."""
    given = {each.user_id: each for each in Attendance.objects.filter(session=found).select_related("user")}
    members = by.chronicle.memberships.active().taken().exclude(role=Role.OBSERVER).select_related("user")
    users = {each.user_id: each.user for each in members.order_by("joined", "pk")}
    users |= {pk: each.user for pk, each in given.items() if pk not in users and (each.came or each.user.place_in_id)}
    told_apart(by.chronicle_id, users.values())
    people = []
    for pk, user in users.items():
        said = given[pk].get_answer_display() if pk in given and given[pk].answer else ""
        people.append((pk, f"{user.display_name} ({said})" if said else user.display_name))
    kept = {pk: each.came for pk, each in given.items() if each.came is not None}
    acted = evening.acted(found) | {by.user_id} if not kept else set()
    return people, [pk for pk in users if kept.get(pk, pk in acted)]


def _item_form(data: Any, by: Membership) -> ItemForm:
    pages = readable.pages_for(by).order_by("folded").values_list("pk", "title")[:MOST_PAGES]
    drafts = [(each.pk, each.name) for each in sessions.drafts_of(by.chronicle_id)]
    return ItemForm(data, pages=list(pages), fights=drafts)


def _as_storyteller(request: HttpRequest, session_id: str) -> tuple[Session, Membership]:
    found, membership = session_or_404(request.user, session_id)
    access.check_storyteller(membership)
    access.check_playable(membership.chronicle)
    return found, membership


def _done(request: HtmxRequest, work: Callable[[], None], back: str) -> HttpResponse:
    """The answer to a press: nothing for htmx, since the page updates itself; a refusal as a message."""
    refused = ""
    try:
        work()
    except Refused as refusal:
        refused = str(refusal)
    if not request.htmx:
        if refused:
            messages.error(request, refused)
        return redirect(back)
    if not refused:
        return HttpResponse(status=NOTHING_TO_SAY, headers={"HX-Trigger": "vesper:done"})
    shown = {"HX-Retarget": "#messages", "HX-Reswap": "innerHTML", "HX-Trigger": "vesper:done"}
    note = render_to_string("combat/forms/_refusal.html", {"message": refused}, request)
    return HttpResponse(note, status=409, headers=shown)
