"""A chronicle's pages and passages."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns import access, links, lists, page_services, readable, reading, throttle
from campaigns.errors import EditConflict
from campaigns.forms.pages import NewPageForm, PageForm, PassageForm, edit_initial
from campaigns.models import TEXT_LENGTH, Membership, Page, PageKind, Picture
from campaigns.requests import HtmxRequest
from campaigns.rulesets import why_missing
from campaigns.sessions import playing
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of, take_conflict

MINUTE = 60
A_MINUTE = 12
"""The maximum number of pictures per member and minute."""
CONFLICT, NOT_FOUND = 409, 404
POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""A picture is only ever displayed, even if somebody opens its address directly."""


def _writer(request: HttpRequest, chronicle_id: str) -> Membership:
    """The reader's membership, if they may write pages."""
    by = access.member_or_404(request.user, chronicle_id)
    access.check_playable(by.chronicle)
    if not page_services.kinds_for(by):
        raise PermissionDenied(_("Observers can’t write pages."))
    return by


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.member_or_404(request.user, chronicle_id)
    wanted = reading.Wanted(
        kind=request.GET.get("kind", ""), own="own" in request.GET, state=request.GET.get("state", "")
    )
    keep = {name: request.GET[name] for name in ("kind", "state", "own") if request.GET.get(name)}
    part = lists.parts(request.GET, {"page": reading.titles(by, wanted)}, keep=keep)["page"]
    context = {
        "page": brief(by),
        "lines": reading.title_lines(by, part.lines, timezone.now()),
        "part": part,
        "wanted": wanted,
        "kinds": PageKind.choices,
        "may_write": _may_write(by),
        "state": reading.listed_state(by),
    }
    return render(request, "campaigns/pages.html", context)


def _may_write(by: Membership) -> bool:
    return bool(page_services.kinds_for(by)) and not why_missing(by.chronicle.ruleset)


@login_required
@require_safe
def page(request: HtmxRequest, chronicle_id: str, page_id: str) -> HttpResponse:
    by = access.member_or_404(request.user, chronicle_id)
    view = reading.page_view(by, readable.page_or_404(by, page_id))
    part = lists.parts(request.GET, {"passages": view.passages}, last=view.in_order_of_writing)["passages"]
    context = {"page": brief(by), "view": view, "part": part}
    return render(request, "campaigns/_page_text.html" if request.htmx else "campaigns/page.html", context)


@login_required
@require_safe
def old_note(request: HttpRequest, chronicle_id: str, page_id: str) -> HttpResponse:
    """The address of a note from before it was a page."""
    by = access.member_or_404(request.user, chronicle_id)
    found = readable.page_or_404(by, page_id)
    return redirect("campaigns:page", chronicle_id, found.pk)


@login_required
@form_page
def create(request: HtmxRequest, chronicle_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    kind = request.GET.get("kind", "")
    initial: dict[str, Any] = {"kind": kind if kind in page_services.kinds_for(by) else PageKind.NOTE}
    initial["session"] = getattr(playing(chronicle_id), "pk", None)
    initial["title"] = request.GET.get("title", "")[:80] or (_own_journal(by) if kind == PageKind.JOURNAL else "")
    form = NewPageForm(*_sent(request), by=by, initial=initial)
    _count_pictures(request, form, by)
    if form.is_valid():
        data = form.cleaned_data
        made = page_services.create_page(
            by=by,
            title=data["title"],
            kind=data["kind"],
            session=data.get("session"),
            picture=_picture(form),
            **form.given(),
        )
        return _saved(request, chronicle_id, made.pk)
    context = {"page": brief(by), "form": form, "heading": _("New page")}
    return _drawn(request, "campaigns/page_edit.html", context, form)


def _own_journal(by: Membership) -> str:
    return _("Journal of %(name)s") % {"name": by.user.display_name}


@login_required
@require_safe
def journal(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """To the next entry of the reader's journal, the latest if they keep several; to a new one if they keep none."""
    by = _writer(request, chronicle_id)
    own = readable.pages_for(by).filter(kind=PageKind.JOURNAL, author=by.user_id).order_by("-created", "pk").first()
    if own is None:
        return redirect(f"{reverse('campaigns:write-page', args=[chronicle_id])}?kind={PageKind.JOURNAL}")
    return redirect("campaigns:write-passage", chronicle_id, own.pk)


@login_required
@form_page
def edit(request: HtmxRequest, chronicle_id: str, page_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    row = _editable(by, page_id)
    form = PageForm(request.POST or None, by=by, initial=edit_initial(row))
    form.fields["title"].help_text = _("Links in other texts keep the old title and stop working.")
    if form.is_valid():
        data = form.cleaned_data
        session = data.get("session", row.session)
        try:
            page_services.edit_page(
                by=by, page=row, title=data["title"], kind=data["kind"], session=session, version=data["version"] or 0
            )
            return _saved(request, chronicle_id, page_id)
        except EditConflict:
            saved = readable.page_or_404(by, page_id)
            take_conflict(form, saved.version, [f"{saved.title} ({saved.get_kind_display()})"])
    context = {"page": brief(by), "form": form, "view": row, "heading": _("Edit the page"), "live": "page-form"}
    return _drawn(request, "campaigns/page_edit.html", context, form)


def _editable(by: Membership, page_id: str) -> Page:
    row = readable.page_or_404(by, page_id)
    if not page_services.may_edit_page(by, row, page_services.Players(by.chronicle_id)):
        raise PermissionDenied(_("This page belongs to somebody else."))
    return row


@login_required
@require_POST
def done(request: HttpRequest, chronicle_id: str, page_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    page_services.set_done(by=by, page=readable.page_or_404(by, page_id), done="done" in request.POST)
    return redirect("campaigns:page", chronicle_id, page_id)


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, page_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    row = readable.page_or_404(by, page_id)
    if not page_services.may_delete_page(by, row, page_services.Players(chronicle_id)):
        raise PermissionDenied(_("This page belongs to somebody else."))
    if request.method == "POST":
        page_services.delete_page(by=by, page=row)
        messages.success(request, _("“%(name)s” is in the bin.") % {"name": row.title})
        return redirect("campaigns:pages", chronicle_id)
    return render(request, "campaigns/page_delete.html", {"page": brief(by), "view": row})


@login_required
@form_page
def add_passage(request: HtmxRequest, chronicle_id: str, page_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    row = readable.page_or_404(by, page_id)
    if not page_services.may_add_to(by, row, page_services.Players(chronicle_id)):
        raise PermissionDenied(_("This page belongs to somebody else."))
    form = PassageForm(*_sent(request), by=by)
    _count_pictures(request, form, by)
    if form.is_valid():
        made = page_services.add_passage(by=by, page=row, picture=_picture(form), **form.given())
        return _saved(request, chronicle_id, page_id, made.pk)
    context = {"page": brief(by), "form": form, "view": row, "heading": row.title}
    return _drawn(request, "campaigns/page_edit.html", context, form)


@login_required
@form_page
def edit_passage(request: HtmxRequest, chronicle_id: str, passage_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    try:
        row = readable.passage_or_404(by, passage_id)
    except Http404:
        if not request.POST.get("text", "").strip():
            raise
        return _lost(request, by)
    if not page_services.may_edit_passage(by, row.page, row, page_services.Players(chronicle_id)):
        raise PermissionDenied(_("This passage belongs to somebody else."))
    kept: Any = Picture.objects.filter(passage=row).defer("picture").first()
    initial = {
        "text": row.text,
        "audience": row.audience,
        "readers": [str(pk) for pk in row.readership.values_list("membership_id", flat=True)],
        "caption": kept.caption if kept else "",
        "version": row.version,
    }
    form = PassageForm(*_sent(request), by=by, initial=initial, has_picture=kept is not None)
    _count_pictures(request, form, by)
    theirs = None
    if form.is_valid():
        data = form.cleaned_data
        try:
            page_services.edit_passage(
                by=by,
                passage=row,
                version=data["version"] or 0,
                picture=_picture(form),
                caption=data["caption"],
                remove_picture=data.get("remove_picture", False),
                **form.given(),
            )
            return _saved(request, chronicle_id, row.page_id, row.pk)
        except EditConflict:
            saved = readable.passage_or_404(by, passage_id)
            view = reading.page_view(by, saved.page)
            theirs = next(line for line in view.passages if line.id == passage_id)
            take_conflict(form, saved.version)
    context = {"page": brief(by), "form": form, "view": row.page, "heading": row.page.title, "theirs": theirs}
    context |= {"live": "passage-form", "passage_id": passage_id}
    return _drawn(request, "campaigns/page_edit.html", context, form)


def _lost(request: HtmxRequest, by: Membership) -> HttpResponse:
    """The words for a passage that was deleted while they were written, as a new page to save."""
    typed = {name: request.POST.get(name, "") for name in ("text", "audience", "caption")}
    form = NewPageForm(by=by, initial={**typed, "text": typed["text"][:TEXT_LENGTH], "kind": PageKind.NOTE})
    context = {"page": brief(by), "form": form, "heading": _("New page"), "lost": True}
    context["address"] = reverse("campaigns:write-page", args=[by.chronicle_id])
    response = _drawn(request, "campaigns/page_edit.html", context, form)
    # It isn't found, but htmx shows a conflict and no such page.
    response.status_code = CONFLICT if request.htmx else NOT_FOUND
    return response


@login_required
@require_POST
def move_passage(request: HttpRequest, chronicle_id: str, passage_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    row = readable.passage_or_404(by, passage_id)
    page_services.move_passage(by=by, passage=row, up="up" in request.POST)
    return _saved(request, chronicle_id, row.page_id, row.pk)


@login_required
@form_page
def delete_passage(request: HttpRequest, chronicle_id: str, passage_id: str) -> HttpResponse:
    by = _writer(request, chronicle_id)
    row = readable.passage_or_404(by, passage_id)
    if not page_services.may_edit_passage(by, row.page, row, page_services.Players(chronicle_id)):
        raise PermissionDenied(_("This passage belongs to somebody else."))
    if request.method == "POST":
        if page_services.delete_passage(by=by, passage=row):
            messages.success(request, _("“%(name)s” is in the bin.") % {"name": row.page.title})
            return redirect("campaigns:pages", chronicle_id)
        return redirect("campaigns:page", chronicle_id, row.page_id)
    last = not readable.passages_for(by).filter(page=row.page_id).exclude(pk=row.pk).exists()
    context = {"page": brief(by), "view": row.page, "last": last, "text": row.text, "passage_id": row.pk}
    return render(request, "campaigns/passage_delete.html", context)


@login_required
@require_POST
def preview(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """A text as its writer would read it."""
    by = _writer(request, chronicle_id)
    text = request.POST.get("text", "")[:TEXT_LENGTH]
    context = {"text": text, "links": links.of_text(text, links.addresses(by, [text]))}
    return render(request, "campaigns/_passage_preview.html", context)


@login_required
@require_safe
def picture(request: HttpRequest, chronicle_id: str, picture_id: str) -> HttpResponse:
    by = access.member_or_404(request.user, chronicle_id)
    found = Picture.objects.filter(pk=picture_id, passage__in=readable.passages_for(by).order_by().values("pk")).first()
    if found is None:
        raise Http404("No such picture")
    headers = {"Content-Security-Policy": POLICY}
    return HttpResponse(bytes(found.picture), content_type="image/webp", headers=headers)


def _sent(request: HttpRequest) -> tuple[Any, ...]:
    return (request.POST, request.FILES) if request.method == "POST" else ()


def _count_pictures(request: HttpRequest, form: PassageForm, by: Membership) -> None:
    uploads = form.is_bound and form.files
    if uploads and throttle.count(request, "picture", seconds=MINUTE, who=by.user_id) > A_MINUTE:
        form.wait = MINUTE


def _picture(form: PassageForm) -> page_services.NewPicture | None:
    drawn = form.cleaned_data.get("picture")
    return page_services.NewPicture(drawn, form.cleaned_data["caption"]) if drawn else None


def _drawn(request: HtmxRequest, template: str, context: dict[str, Any], form: Any) -> HttpResponse:
    """The form as a page or, for htmx, in a drawer over the page that asked for it."""
    if "text" in form.fields:
        text = str(form["text"].value() or "")[:TEXT_LENGTH]
        by = access.member_or_404(request.user, context["page"]["id"])
        context |= {"text": text, "links": links.of_text(text, links.addresses(by, [text]))}
    status = 429 if getattr(form, "wait", 0) and form.errors else status_of(form)
    response = render(request, "campaigns/_page_drawer.html" if request.htmx else template, context, status=status)
    if status == 429:
        response["Retry-After"] = str(form.wait)
    return response


def _saved(request: Any, chronicle_id: str, page_id: str, passage_id: str = "") -> HttpResponse:
    if request.htmx:
        return HttpResponse(headers={"HX-Trigger": "vesper:done"})
    to = reverse("campaigns:page", args=[chronicle_id, page_id])
    return redirect(f"{to}#passage-{passage_id}" if passage_id else to)
