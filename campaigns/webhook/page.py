"""The view model of the webhook's page, for Storytellers: an allow-list without the address's token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Chronicle, Delivery, DeliveryState, Event, Webhook
from campaigns.webhook import messages, outbox
from campaigns.webhook.addresses import BadAddress, read

SHOWN = 10


@dataclass(frozen=True, slots=True)
class DeliveryLine:
    """A message that was sent, or will be. `tone` is the chip's style."""

    at: datetime
    event: str
    session: str
    state: str
    tone: str
    answer: str
    session_url: str = ""


@dataclass(frozen=True, slots=True)
class WebhookPage:
    """A chronicle's webhook. `allowed`: whether this server sends any; `host` is "" without a webhook."""

    allowed: bool
    host: str = ""
    events: tuple[str, ...] = ()
    language: str = ""
    zone: str = ""
    stopped: datetime | None = None
    deliveries: tuple[DeliveryLine, ...] = ()
    example: str = ""


def webhook_page(chronicle: Chronicle) -> WebhookPage:
    """What Storytellers see of a chronicle's webhook."""
    hook = Webhook.objects.filter(chronicle=chronicle).first()
    if hook is None:
        return WebhookPage(settings.VESPER_WEBHOOKS)
    events = [_("session announced")] * hook.announced + [_("session ended")] * hook.ended
    rows = hook.deliveries.select_related("session").order_by("-created", "-pk")[:SHOWN]
    return WebhookPage(
        settings.VESPER_WEBHOOKS,
        host_of(hook),
        tuple(events),
        dict(settings.LANGUAGES).get(hook.language, hook.language),
        hook.time_zone or "UTC",
        hook.stopped,
        tuple(map(_line, rows)),
        _example(hook),
    )


def told_to(chronicle: Chronicle, event: Event) -> str:
    """The host that will be told of a session's event; "" if nobody is. For Storytellers, before they save."""
    hook = Webhook.objects.filter(chronicle=chronicle).first()
    return host_of(hook) if hook is not None and outbox.is_told(hook, event) else ""


def _example(hook: Webhook) -> str:
    """How the latest session was announced, or would have been."""
    latest = hook.chronicle.sessions.order_by("-number").first()
    return messages.announcement(hook, latest) if latest else ""


def host_of(hook: Webhook) -> str:
    """The address's host, which is all that is shown."""
    try:
        return read(hook.address).host
    except BadAddress:
        return _("an address that is no longer allowed")


def _line(row: Delivery) -> DeliveryLine:
    tones = {DeliveryState.SENT: "steel", DeliveryState.FAILED: "harm", DeliveryState.DROPPED: "", "waiting": "brass"}
    return DeliveryLine(
        row.created,
        row.get_event_display(),
        messages.heading(row.session) if row.session else "",
        row.get_state_display(),
        tones.get(row.state, ""),
        _answer(row),
        reverse("story:session", args=[row.session_id]) if row.session_id else "",
    )


def _answer(row: Delivery) -> str:
    said = []
    if row.status is not None:
        said.append(_explained(row.status))
    elif row.failure:
        said.append(row.get_failure_display())
    elif row.state == DeliveryState.DROPPED:
        said.append(_("It no longer applied."))
    if row.attempts > 1:
        said.append(ngettext("%(number)s attempt", "%(number)s attempts", row.attempts) % {"number": row.attempts})
    if row.state == DeliveryState.WAITING and row.attempts and (row.status is not None or row.failure):
        said.append(_("Vesper will try again."))
    return " · ".join(said)


def _explained(status: int) -> str:
    words = {"status": status}
    if 200 <= status < 300:
        return _("Accepted (%(status)s)") % words
    if 300 <= status < 400:
        return _("Redirected to another address (%(status)s), which Vesper doesn’t follow") % words
    if status in outbox.GONE:
        return _("The receiver doesn’t know this address (%(status)s)") % words
    if status == 429:
        return _("Too many messages for the receiver (%(status)s)") % words
    if status >= 500:
        return _("The receiver has a problem (%(status)s)") % words
    return _("The receiver refused it (%(status)s)") % words
