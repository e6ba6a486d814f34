"""The outbox: messages wait as rows, written with the session that they tell of, and server threads send them.

A message is claimed by one conditional update, so that no two threads or processes send it, and until when is written
with the claim: if the process dies meanwhile, another one tries again then. So a message arrives at least once, twice
only if a server stopped between the receiver's answer and ours; receivers can tell by the delivery's id.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import close_old_connections, transaction
from django.db.models import F, Min
from django.utils import timezone

from campaigns.models import Delivery, DeliveryState, Event, Failure, Progress, Session, Webhook
from campaigns.signals import session_announced, session_ended
from campaigns.webhook import addresses, calls
from campaigns.webhook.messages import body_of

logger = logging.getLogger(__name__)

WORKERS = 2
"""Threads per process that send."""
LONGEST_SLEEP = 30.0
"""Maximum sleep of a thread in seconds, since other processes can add messages."""
PAUSES = (15, 120, 900)
"""Seconds after each failed attempt but the last."""
MOST_ATTEMPTS = len(PAUSES) + 1
LEASE = timedelta(seconds=90)
"""After this an attempt counts as interrupted: far longer than a call can take."""
TOO_OLD = timedelta(hours=24)
"""Older messages aren't sent: the server was off, and the news is stale."""
MOST_FAILURES = 5
"""Messages that fail in a row until a webhook is stopped."""
MOST_WAITING = 20
"""Messages of one webhook that can wait."""
KEPT, KEPT_FOR = 20, timedelta(days=30)
"""How many finished deliveries of a webhook are kept, and for how long."""
AGAIN = (408, 425, 429)
"""Refusals that may pass, apart from the receiver's own faults (500 and above)."""
GONE = (404, 410)
"""The receiver says that there is no such webhook: it isn't asked again."""

wake = threading.Event()
"""Set when something may be due."""


def connect() -> None:
    """Connect to the signals of sessions. Called once, when the app is ready."""
    session_announced.connect(_announced, dispatch_uid="webhook")
    session_ended.connect(_ended, dispatch_uid="webhook")


def _announced(session: Session, **_more: Any) -> None:
    _add_for(session, Event.ANNOUNCED)


def _ended(session: Session, **_more: Any) -> None:
    _add_for(session, Event.ENDED)


def _add_for(session: Session, event: Event) -> None:
    with transaction.atomic():  # a savepoint: a failure here must not undo the session
        hook = Webhook.objects.filter(chronicle=session.chronicle_id).first()
        if hook is not None and is_told(hook, event):
            add(hook, event, session)


def is_told(hook: Webhook, event: Event) -> bool:
    """Whether the event is sent: the server allows it, the webhook goes on and has it among its events."""
    return settings.VESPER_WEBHOOKS and hook.stopped is None and _wanted(hook, event)


def _wanted(hook: Webhook, event: Event) -> bool:
    return {Event.ANNOUNCED: hook.announced, Event.ENDED: hook.ended}.get(event, True)


def add(hook: Webhook, event: Event, session: Session | None = None) -> Delivery:
    """Put a message in the outbox, in the caller's transaction; of too many, note that it isn't sent."""
    now = timezone.now()
    _tidy(hook)
    full = hook.deliveries.filter(state=DeliveryState.WAITING).count() >= MOST_WAITING
    state, finished = (DeliveryState.DROPPED, now) if full else (DeliveryState.WAITING, None)
    made: Delivery = Delivery.objects.create(
        webhook=hook, event=event, session=session, state=state, due=now, created=now, finished=finished
    )
    transaction.on_commit(wake.set, robust=True)
    return made


# ------------------------------------------------------------------ sending


def send_next(now: datetime | None = None) -> bool:
    """Make the next attempt that is due. Returns whether there was one."""
    delivery = _claim(now or timezone.now())
    if delivery is None:
        return False
    version = delivery.webhook.version
    if delivery.attempts > MOST_ATTEMPTS:
        answer = calls.Answer(failure=Failure.INTERRUPTED)
    elif not _still_applies(delivery):
        _settle(delivery, DeliveryState.DROPPED, calls.Answer(), version)
        return True
    else:
        answer = _call(delivery)
    _settle(delivery, _state_after(delivery, answer), answer, version)
    return True


def seconds_until_due(now: datetime | None = None) -> float:
    """When the next attempt is due, from now, at most `LONGEST_SLEEP`."""
    due = Delivery.objects.filter(state=DeliveryState.WAITING).aggregate(first=Min("due"))["first"]
    left = (due - (now or timezone.now())).total_seconds() if due else LONGEST_SLEEP
    return min(LONGEST_SLEEP, max(0.05, left))


def _claim(now: datetime) -> Delivery | None:
    # Webhooks that failed last are served after the others, so that they delay nobody else's messages.
    due = Delivery.objects.filter(state=DeliveryState.WAITING, due__lte=now).order_by("webhook__failures", "due", "pk")
    for pk in due.values_list("pk", flat=True)[: 2 * WORKERS]:
        mine = Delivery.objects.filter(pk=pk, state=DeliveryState.WAITING, due__lte=now)
        if mine.update(attempts=F("attempts") + 1, due=now + LEASE):
            return Delivery.objects.select_related("webhook__chronicle", "session").filter(pk=pk).first()
    return None


def _still_applies(delivery: Delivery) -> bool:
    """Whether the message is still wanted and true: a session may have been called off or reopened meanwhile."""
    hook, event, session = delivery.webhook, Event(delivery.event), delivery.session
    if event == Event.TEST:
        return True
    if hook.stopped or not _wanted(hook, event) or timezone.now() - delivery.created > TOO_OLD or session is None:
        return False
    told = (Progress.PLAYED,) if event == Event.ENDED else (Progress.PLANNED, Progress.PLAYING)
    return session.progress in told


def _call(delivery: Delivery) -> calls.Answer:
    try:
        # Checked again at each call: rules and our own names may have changed since it was saved.
        address = addresses.read(delivery.webhook.address)
    except addresses.BadAddress:
        return calls.Answer(failure=Failure.PRIVATE)
    return calls.post(address, body_of(delivery))


def _state_after(delivery: Delivery, answer: calls.Answer) -> DeliveryState:
    if answer.status is not None and 200 <= answer.status < 300:
        return DeliveryState.SENT
    once_more = answer.status is None or answer.status in AGAIN or answer.status >= 500
    hopeless = answer.failure in (Failure.PRIVATE, Failure.INTERRUPTED) or delivery.event == Event.TEST
    tries = once_more and not hopeless and delivery.attempts < MOST_ATTEMPTS
    return DeliveryState.WAITING if tries else DeliveryState.FAILED


@transaction.atomic
def _settle(delivery: Delivery, state: DeliveryState, answer: calls.Answer, version: int) -> None:
    """Note the outcome of an attempt, with the webhook's row locked; a no-op if it was removed meanwhile."""
    hook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    row = Delivery.objects.select_for_update().filter(pk=delivery.pk, state=DeliveryState.WAITING).first()
    if hook is None or row is None:
        return
    now = timezone.now()
    row.state, row.status, row.failure = state, answer.status, answer.failure
    if state == DeliveryState.WAITING:
        pause = max(PAUSES[min(row.attempts, len(PAUSES)) - 1], answer.wait)
        row.due = now + timedelta(seconds=pause)
        transaction.on_commit(wake.set, robust=True)
    else:
        row.finished = now
    row.save(update_fields=["state", "status", "failure", "due", "finished"])
    # What an earlier address did says nothing about the present one.
    if hook.version == version:
        _count(hook, state, answer, now)


def _count(hook: Webhook, state: DeliveryState, answer: calls.Answer, now: datetime) -> None:
    if state == DeliveryState.SENT:
        hook.failures, hook.stopped = 0, None
    elif state == DeliveryState.FAILED:
        hook.failures += 1
        if answer.status in GONE or hook.failures >= MOST_FAILURES:
            hook.stopped = hook.stopped or now
    hook.save(update_fields=["failures", "stopped"])


# ------------------------------------------------------------------ threads of the server


def keep_sending() -> None:
    """Start the threads that send. Called by servers; does nothing if the settings say so."""
    if settings.VESPER_WEBHOOKS:
        for number in range(WORKERS):
            threading.Thread(target=_work, name=f"webhook {number}", daemon=True).start()


def _work() -> None:
    while True:
        wake.clear()
        try:
            sleep = 0.0 if send_next() else seconds_until_due()
            if sleep == LONGEST_SLEEP:
                purge()
        except Exception:  # even database errors: the next round tries again
            logger.warning("Webhooks could not be served", exc_info=True)
            sleep = LONGEST_SLEEP / 3
        finally:
            close_old_connections()
        if sleep:
            wake.wait(sleep)


def purge(now: datetime | None = None) -> int:
    """Delete old deliveries of all webhooks; returns how many."""
    old = Delivery.objects.filter(finished__lte=(now or timezone.now()) - KEPT_FOR)
    return old.delete()[0] if old.exists() else 0


def _tidy(hook: Webhook) -> None:
    done = hook.deliveries.exclude(state=DeliveryState.WAITING).order_by("-created", "-pk")
    surplus = list(done.values_list("pk", flat=True)[KEPT - 1 :])
    if surplus:
        hook.deliveries.filter(pk__in=surplus).delete()
