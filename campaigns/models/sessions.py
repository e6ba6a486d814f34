"""Sessions: the evenings of a chronicle, who was there, and what is prepared for them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.chronicles import NAME_LENGTH, TEXT_LENGTH, Chronicle
from campaigns.tokens import public_id


class Progress(models.TextChoices):
    """Where a session is: announced, being played, over, or called off."""

    PLANNED = "planned", _("Planned")
    PLAYING = "playing", _("Playing")
    PLAYED = "played", _("Played")
    CANCELLED = "cancelled", _("Cancelled")


class Session(models.Model):
    """An evening of the chronicle. Every member may read it; its preparation is for Storytellers only.

    `number` counts the sessions of a chronicle from 1. `starts` is when it is announced for, None while that is open;
    `begun` and `ended` are when it was played. The story's dates are plain dates. `recap` is Markdown.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="sessions")
    number = models.PositiveIntegerField(_("number"))
    title = models.CharField(_("title"), max_length=NAME_LENGTH, blank=True)
    starts = models.DateTimeField(_("starts"), null=True, blank=True)
    place = models.CharField(_("place"), max_length=NAME_LENGTH, blank=True)
    progress = models.CharField(max_length=10, choices=Progress.choices, default=Progress.PLANNED, editable=False)
    begun = models.DateTimeField(null=True, editable=False)
    ended = models.DateTimeField(null=True, editable=False)
    story_begins = models.DateField(_("the story begins"), null=True, blank=True)
    story_ends = models.DateField(_("the story ends"), null=True, blank=True)
    recap = models.TextField(_("recap"), max_length=TEXT_LENGTH, blank=True)
    # When the recap was last written, None without one.
    told = models.DateTimeField(null=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    # When it last got another version, None if it is as it was announced.
    changed = models.DateTimeField(null=True, editable=False)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["chronicle", "number"], name="session_number_once_a_chronicle"),
            models.UniqueConstraint(
                fields=["chronicle"], condition=Q(progress="playing"), name="one_session_playing_a_chronicle"
            ),
        ]

    def __str__(self) -> str:
        return self.title or str(self.number)


class Answer(models.TextChoices):
    """Whether somebody will be there."""

    YES = "yes", _("Yes")
    MAYBE = "maybe", _("Maybe")
    NO = "no", _("No")


class Attendance(models.Model):
    """A member's answer to a session, and whether they were there.

    It belongs to the account rather than the membership, so that those who leave the chronicle stay in its past.
    `came` is None until the session has ended.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="attendance")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    answer = models.CharField(_("answer"), max_length=5, choices=Answer.choices, blank=True)
    word = models.CharField(_("comment"), max_length=NAME_LENGTH, blank=True)
    answered = models.DateTimeField(null=True, editable=False)
    came = models.BooleanField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["session", "user"], name="attendance_once_a_session"),
        ]

    def __str__(self) -> str:
        return self.answer


class Preparation(models.Model):
    """An item of the Storytellers' list for a session: a scene, a draft fight, a handout, a clue.

    An item without `used` whose session is over, or that has none, is on the list of the next session: it carries over
    by itself (`campaigns.sessions`). `used` is when it was ticked, and `used_in` the session in which that happened.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="preparations")
    session = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, blank=True, related_name="prepared")
    text = models.CharField(_("text"), max_length=300)
    # A page to open, or a draft fight by its id: the fights are in the app above.
    page = models.ForeignKey("campaigns.Page", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    fight = models.CharField(max_length=12, blank=True)
    place = models.IntegerField(default=0)
    used = models.DateTimeField(null=True, editable=False)
    used_in = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, editable=False, related_name="used")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["place", "created", "id"]

    def __str__(self) -> str:
        return self.text
