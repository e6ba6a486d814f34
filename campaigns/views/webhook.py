"""A chronicle's webhook, for Storytellers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns import access, throttle
from campaigns.errors import EditConflict
from campaigns.forms.differences import differences
from campaigns.forms.webhook import WebhookForm
from campaigns.models import Webhook
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of, take_conflict
from campaigns.webhook import services
from campaigns.webhook.page import host_of, webhook_page

MOST_TESTS, TEST_SECONDS = 5, 600
"""Test messages that a chronicle can send, within how many seconds."""


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    context = {"page": brief(by), "hook": webhook_page(by.chronicle)}
    return render(request, "campaigns/webhook.html", context)


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)

    def draw() -> WebhookForm:
        hook = Webhook.objects.filter(chronicle=chronicle_id).first()
        host = host_of(hook) if hook else ""
        return WebhookForm(request.POST or None, hook=hook, host=host, language=get_language() or "")

    form = draw()
    if form.is_valid():
        try:
            services.save(by=by, **form.cleaned_data, time_zone=timezone.get_current_timezone_name())
            messages.success(request, _("Saved. Send a test to see whether it works."))
            return redirect("campaigns:webhook", chronicle_id)
        except EditConflict:
            fresh = draw()
            # The address isn't compared: neither of the two is shown.
            del fresh.fields["address"]
            take_conflict(form, fresh.initial["version"], differences(fresh))
    context = {"page": brief(by), "form": form}
    return render(request, "campaigns/webhook_edit.html", context, status=status_of(form))


@login_required
@require_POST
def send_test(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    if throttle.count(request, "webhook-test", seconds=TEST_SECONDS, who=chronicle_id) > MOST_TESTS:
        messages.error(request, _("You have sent many tests. Wait ten minutes before the next one."))
    else:
        services.send_test(by=by)
    return redirect("campaigns:webhook", chronicle_id)


@login_required
@require_POST
def remove(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    services.remove(by=by)
    messages.success(request, _("The webhook has been removed. Nothing more is sent."))
    return redirect("campaigns:webhook", chronicle_id)
