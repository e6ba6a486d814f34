"""A reader's mark, and what is derived from logs and stored because it is slow. The timeline has no table."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from campaigns.models import Chronicle, Membership
from campaigns.tokens import public_id
from combat.models import Encounter


class Looked(models.Model):
    """When a member last looked at their chronicle.

    `seen` is their latest visit. A visit after a pause moves `since` to the end of the one before, so what is new
    stays new while they read it (`story.looking`). During the first visit, `since` is None: nothing is new.
    """

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="looked")
    since = models.DateTimeField(null=True)
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.membership_id)


class StoredDigest(models.Model):
    """A log's digest for one audience in one language: a cache (`story.digests`).

    `made_from` is the digest of everything that it depends on: the log's seal, the house rules, the code. `people` are
    the ids of all characters in the fight, hidden ones included: they choose a player's audience and are in no view.
    `lines` are the log's lines, each with its entry's id, and `folded` is their text for searches.
    """

    encounter = models.ForeignKey(Encounter, on_delete=models.CASCADE, related_name="+")
    audience = models.CharField(max_length=40)
    language = models.CharField(max_length=10)
    made_from = models.CharField(max_length=16)
    people = models.JSONField(default=list)
    body = models.JSONField()
    lines = models.JSONField()
    folded = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["encounter", "audience", "language"], name="one_digest_a_reader"),
        ]

    def __str__(self) -> str:
        return f"{self.encounter_id} {self.audience}"


class Stage(models.TextChoices):
    """Where a transfer is."""

    UPLOADING = "uploading"
    CHECKING = "checking"
    CHECKED = "checked"
    SAVING = "saving"
    WRITING = "writing"
    DONE = "done"
    FAILED = "failed"


class Transfer(models.Model):
    """A chronicle on its way into a file or out of one (`story.archives.transfers`), for a day.

    `chronicle` is the one that is taken out, or the one that was brought in. `contents` is what an archive holds, once
    it is checked; `places` are the ids of the accounts chosen for its people, by key. `problem` is why it failed.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="transfers")
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, null=True, related_name="+")
    inward = models.BooleanField(default=False)
    stage = models.CharField(max_length=10, choices=Stage.choices)
    size = models.PositiveIntegerField(default=0)
    contents = models.JSONField(default=dict)
    places = models.JSONField(default=dict)
    problem = models.TextField(blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created", "id"]

    def __str__(self) -> str:
        return f"{self.pk} {self.stage}"
