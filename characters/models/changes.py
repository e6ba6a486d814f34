"""The history of a sheet: what each edit by hand changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from characters.models.characters import Character

REASON_LENGTH = 300


class Cause(models.TextChoices):
    """What changed a sheet."""

    BEGUN = "begun", _("as it stood")
    FORM = "form", _("edited")
    PURCHASE = "purchase", _("experience")
    TIME = "time", _("time passed")
    IMPORT = "import", _("imported")
    CORRECTION = "correction", _("corrected")
    FIGHT = "fight", _("in a fight")
    PLAY = "play", _("outside fights")
    HANDED_OVER = "handed", _("handed over")


class SheetChange(models.Model):
    """What an edit, a fight or anything else changed of a character, append-only.

    `changes` is a list of [name, before, after] as :mod:`characters.changes` writes it. `reason` is for the
    character's player to read. `fight` is the id of the encounter that it happened in, "" if none, and `entry` the
    token of its log entry, for changes outside fights. A fight has several rows if it was long: they are read as one.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="changes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    cause = models.CharField(max_length=10, choices=Cause.choices, default=Cause.FORM)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    fight = models.CharField(max_length=12, blank=True)
    entry = models.CharField(max_length=12, blank=True)
    changes = models.JSONField(default=list)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.character}, {self.at:%Y-%m-%d %H:%M}"
