"""Exporting and importing whole chronicles."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from campaigns import access
from campaigns.downloads import file_response
from campaigns.errors import Refused
from campaigns.requests import SignedInRequest
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of
from story.archive_forms import ArchiveForm, PlacesForm
from story.archive_pages import transfer_page
from story.archives import transfers
from story.models import Stage, Transfer

CONFLICT = 409


@login_required
@form_page
def take_out(request: SignedInRequest, chronicle_id: str) -> HttpResponse:
    """Export a chronicle: its recent archives, and a button for a new one."""
    by = access.storyteller_or_403(request.user, chronicle_id, read_only_too=True)
    problem = ""
    if request.method == "POST":
        try:
            return redirect("story:transfer", transfers.take_out(by).pk)
        except Refused as refused:
            problem = str(refused)
    made = [transfer_page(each) for each in transfers.recent(request.user, by.chronicle)]
    context = {"page": brief(by), "chronicle": by.chronicle, "made": made, "problem": problem}
    return render(request, "story/archive_export.html", context, status=CONFLICT if problem else 200)


@login_required
@form_page
def bring_in(request: SignedInRequest) -> HttpResponse:
    """Import a chronicle: choose the file. A script sends it in parts and posts only its size here."""
    if request.method == "POST" and "size" in request.POST:
        return _begin(request)
    form = ArchiveForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            transfer = transfers.begin_upload(request.user, file.size)
            transfers.receive(transfer, 0, file.read())
            return redirect("story:transfer", transfer.pk)
        except Refused as refused:
            form.add_error("file", str(refused))
    return render(request, "story/archive_import.html", {"form": form}, status=status_of(form))


def _begin(request: SignedInRequest) -> HttpResponse:
    try:
        transfer = transfers.begin_upload(request.user, _number(request.POST["size"]))
    except Refused as refused:
        return JsonResponse({"problem": str(refused)}, status=CONFLICT)
    addresses = {name: reverse(f"story:{view}", args=[transfer.pk]) for name, view in _ADDRESSES.items()}
    return JsonResponse(addresses)


_ADDRESSES = {"part": "transfer-part", "page": "transfer"}


@login_required
@require_POST
def part(request: SignedInRequest, transfer_id: str) -> HttpResponse:
    """Take a part of an upload, and say how many bytes are there."""
    transfer = transfers.of(request.user, transfer_id)
    sent = request.FILES.get("part")
    try:
        there = transfers.receive(transfer, _number(request.POST.get("start", "")), sent.read() if sent else b"")
    except Refused as refused:
        return JsonResponse({"problem": str(refused)}, status=CONFLICT)
    return JsonResponse({"there": there})


@login_required
@form_page
def transfer(request: SignedInRequest, transfer_id: str) -> HttpResponse:
    """A transfer: how far it is, what an archive holds, or how it ended. Saves a checked archive."""
    found = transfers.of(request.user, transfer_id)
    form = _places(request, found) if found.stage == Stage.CHECKED else None
    if request.method == "POST":
        if form is None:
            return redirect("story:transfer", transfer_id)  # the same press again
        if form.is_valid():
            try:
                transfers.bring_in(found, form.places)
                return redirect("story:transfer", transfer_id)
            except Refused as refused:
                form.add_error(None, str(refused))
    context = {"page": transfer_page(found), "form": form}
    return render(request, "story/archive.html", context, status=status_of(form) if form else 200)


def _places(request: SignedInRequest, found: Transfer) -> PlacesForm:
    posted: Any = request.POST if request.method == "POST" else None
    return PlacesForm(posted, people=transfers.people(found), accounts=transfers.candidates(request.user))


@login_required
@require_POST
def cancel(request: SignedInRequest, transfer_id: str) -> HttpResponse:
    """Stop the work, or discard an archive."""
    found = transfers.of(request.user, transfer_id)
    working = found.stage in transfers.WORKING
    transfers.cancel(found)
    if working:
        return redirect("story:transfer", transfer_id)
    if found.chronicle_id and not found.inward:
        return redirect("story:export", found.chronicle_id)
    return redirect("story:import")


@login_required
@require_safe
def download(request: SignedInRequest, transfer_id: str) -> HttpResponseBase:
    """The archive of a chronicle, for its Storyteller who made it."""
    found = transfers.of(request.user, transfer_id)
    path = transfers.file_of(found)
    if found.inward or found.stage != Stage.DONE or found.chronicle is None or not path.exists():
        raise Http404("No such archive")
    access.storyteller_or_403(request.user, found.chronicle.pk, read_only_too=True)
    name = f"{slugify(found.chronicle.name) or 'chronicle'}-{found.created:%Y-%m-%d}.zip"
    return file_response(request, path, name, "application/zip")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else -1
