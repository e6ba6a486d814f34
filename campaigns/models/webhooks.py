"""A chronicle's webhook, and what was sent to it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.chronicles import Chronicle
from campaigns.models.sessions import Session
from campaigns.tokens import public_id

ADDRESS_LENGTH = 500


class Webhook(models.Model):
    """Where a chronicle's sessions are announced. Without a row, nothing is sent.

    `address` contains a token: anybody who has it can write there. It must be in no page, log, export or archive;
    pages show its host. Messages are in `language`, with times in `time_zone`, those of the Storyteller who saved it.
    `failures` counts deliveries that failed in a row, `stopped` is when too many had.
    """

    chronicle = models.OneToOneField(Chronicle, on_delete=models.CASCADE, related_name="webhook")
    address = models.CharField(max_length=ADDRESS_LENGTH)
    announced = models.BooleanField(default=True)
    ended = models.BooleanField(default=True)
    language = models.CharField(max_length=10)
    time_zone = models.CharField(max_length=64, blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    stopped = models.DateTimeField(null=True, editable=False)
    version = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return self.chronicle_id


class Event(models.TextChoices):
    """What a message is about."""

    ANNOUNCED = "session-announced", _("Session announced")
    ENDED = "session-ended", _("Session ended")
    TEST = "test", _("Test")


class DeliveryState(models.TextChoices):
    """Where a message is: still to be sent, arrived, given up, or not sent because it no longer applied."""

    WAITING = "waiting", _("Waiting")
    SENT = "sent", _("Delivered")
    FAILED = "failed", _("Failed")
    DROPPED = "dropped", _("Not sent")


class Failure(models.TextChoices):
    """Why there was no HTTP status."""

    NAME = "name", _("The host name wasn’t found.")
    PRIVATE = "private", _("The host isn’t on the public internet.")
    CONNECTION = "connection", _("The host couldn’t be reached.")
    TLS = "tls", _("There was no secure connection to the host.")
    TIMEOUT = "timeout", _("There was no answer in time.")
    GARBLED = "garbled", _("The answer made no sense.")
    INTERRUPTED = "interrupted", _("The server stopped while it was sending.")


class Delivery(models.Model):
    """A message to a webhook: a row of the outbox, kept for a while as a record.

    It holds no text: that is written from the session as it is when the message is sent. `due` is when the next attempt
    is made; while one is made, when it counts as interrupted.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20, choices=Event.choices)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    failure = models.CharField(max_length=12, choices=Failure.choices, blank=True)
    created = models.DateTimeField()
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created", "-id"]
        indexes = [models.Index(fields=["state", "due"], name="delivery_by_due")]

    def __str__(self) -> str:
        return f"{self.event} {self.state}"
