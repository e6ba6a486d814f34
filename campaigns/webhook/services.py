"""Writes to a chronicle's webhook. Rights are checked again under the chronicle's lock: see `campaigns.services`."""

from __future__ import annotations

from django.db import transaction
from django.http import Http404

from campaigns import audit
from campaigns.errors import EditConflict
from campaigns.models import Delivery, Event, Membership, Webhook
from campaigns.services import lock_as_storyteller
from campaigns.webhook import outbox


@transaction.atomic
def save(
    *, by: Membership, address: str, announced: bool, ended: bool, language: str, time_zone: str, version: int
) -> None:
    """Set the chronicle's webhook, or change it; an empty `address` keeps the one it has.

    Failures are forgotten. Raises `EditConflict` if `version` is no longer its version (0 for none).
    """
    chronicle = lock_as_storyteller(by)
    hook = Webhook.objects.select_for_update().filter(chronicle=chronicle).first()
    if version != (hook.version if hook else 0) or not (hook or address):
        raise EditConflict
    hook = hook or Webhook(chronicle=chronicle, version=0)
    hook.address = address or hook.address
    hook.announced, hook.ended, hook.language, hook.time_zone = announced, ended, language, time_zone
    hook.failures, hook.stopped = 0, None
    hook.version += 1
    hook.save()
    audit.note("webhook-set", chronicle=chronicle.pk)


@transaction.atomic
def remove(*, by: Membership) -> None:
    """Remove the webhook with its deliveries, the waiting ones too; a no-op if there is none."""
    chronicle = lock_as_storyteller(by)
    if Webhook.objects.filter(chronicle=chronicle).delete()[0]:
        audit.note("webhook-removed", chronicle=chronicle.pk)


@transaction.atomic
def send_test(*, by: Membership) -> Delivery:
    """Put a test message in the outbox, also if the webhook was stopped. Raises `Http404` without a webhook."""
    hook = Webhook.objects.filter(chronicle=lock_as_storyteller(by)).first()
    if hook is None:
        raise Http404("No webhook")
    return outbox.add(hook, Event.TEST)
