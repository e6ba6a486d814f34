"""Fights and their logs. The log is the truth; what an encounter says of its state is a cache of the log's fold."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models import NAME_LENGTH, TEXT_LENGTH, Chronicle
from campaigns.rulesets import installed
from campaigns.tokens import public_id
from combat.fields import WrittenField


class Status(models.TextChoices):
    """Where an encounter stands; the same words as `rules.model.state.Status`."""

    DRAFT = "draft", _("Draft")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    ENDED = "ended", _("Ended")


class EncounterQuerySet(models.QuerySet["Encounter"]):
    """Logs of fights, and of the rolls outside them."""

    def fights(self) -> EncounterQuerySet:
        """Those that are fights."""
        return self.filter(outside_fights=False)

    def playable(self) -> EncounterQuerySet:
        """Those of chronicles whose ruleset is installed."""
        return self.filter(chronicle__ruleset__in=installed())

    def without_state(self) -> EncounterQuerySet:
        """Without their states, which are long, and known to a process that saw the last row: see `logs.state_now`."""
        return self.defer("state")

    def listed(self) -> EncounterQuerySet:
        """Fights as a list of them needs them: without their states, which are long."""
        return self.fights().defer("state", "versions", "clocks")


class Encounter(models.Model):
    """A fight, drafted, running or over; or (`outside_fights`) the rolls of a chronicle outside of any.

    Each chronicle has one of the latter, which runs as long as it does and has no turns: see `combat.commands.outside`.

    `held` is the number of a row that only those who rolled see yet: see `combat.history.reveal`.

    `seq` is the number of its last log row, and `seal` that row's. `versions` counts, for each audience, how often its
    view changed: see `combat.panes.versions`. With `state` they are written under the row's lock, by
    `combat.commands.writing` alone.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="encounters")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    scene = models.TextField(_("scene"), max_length=TEXT_LENGTH, blank=True)
    outside_fights = models.BooleanField(default=False, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT, editable=False)
    seq = models.PositiveIntegerField(default=0, editable=False)
    state = WrittenField(default=dict, editable=False)
    versions = WrittenField(default=dict, editable=False)
    held = models.PositiveIntegerField(null=True, editable=False)
    seal = models.CharField(max_length=64, blank=True, editable=False)
    # By open question, when it answers itself: see `combat.log.clocks`.
    clocks = WrittenField(default=dict, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    begun = models.DateTimeField(null=True, editable=False)
    ended = models.DateTimeField(null=True, editable=False)

    # Name and status as they were read: what a list of encounters says.
    _listed: tuple[str, str]

    objects = EncounterQuerySet.as_manager()

    class Meta:
        ordering = ["-created", "id"]
        indexes = [models.Index(fields=["chronicle", "status"], name="encounter_by_status")]
        constraints = [
            models.UniqueConstraint(
                fields=["chronicle"], condition=models.Q(outside_fights=True), name="one_log_of_rolls_a_chronicle"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_db(cls, db: Any, field_names: Any, values: Any, **more: Any) -> Encounter:
        made = super().from_db(db, field_names, values, **more)
        made._listed = (made.name, made.status)
        return made

    def is_listed_anew(self) -> bool:
        """Whether a list of encounters says something else of it than when it was read."""
        return getattr(self, "_listed", None) != (self.name, self.status)

    @property
    def visible_to_players(self) -> bool:
        """Whether players may know that this encounter exists: a draft is the Storyteller's own."""
        return self.status != Status.DRAFT


class Wall(models.Model):
    """A chronicle’s screen on the wall: who holds its link sees what the whole table may. Only a hash of it is kept.

    One a chronicle: a new link ends the one before.
    """

    chronicle = models.OneToOneField(Chronicle, on_delete=models.CASCADE, related_name="wall")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made = models.DateTimeField(auto_now=True)
    expires = models.DateTimeField()

    def __str__(self) -> str:
        return self.chronicle.name


class Kind(models.TextChoices):
    """What sort of thing a row of the log is."""

    COMMAND = "command", _("command")
    SHEET = "sheet", _("sheet edited outside the fight")
    CAST = "cast", _("sheets as they are now")
    UNDO = "undo", _("undone")
    REDO = "redo", _("redone")


class LogQuerySet(models.QuerySet["LogRow"]):
    """Rows that are written once."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise LogIsWritten

    def delete(self) -> NoReturn:
        raise LogIsWritten


class LogIsWritten(TypeError):
    """Somebody tried to change or delete a row of a log: undo appends a row instead."""


class LogRow(models.Model):
    """What one command came to. `command` and `events` are written by `combat.log.codec`.

    `target` is the number of the row that an undo takes back or a redo brings back. `cast` keeps who was seen
    how when it happened: what players read afterwards must not change with what they learn later. `token`
    names the row where its number would tell how much happened unseen. `seal` closes the row to the one before:
    see `combat.log.seal`.
    """

    encounter = models.ForeignKey(Encounter, on_delete=models.CASCADE, related_name="rows")
    seq = models.PositiveIntegerField()
    token = models.CharField(max_length=12, default=public_id, editable=False)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=150)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.COMMAND)
    command = WrittenField(default=dict)
    events = WrittenField(default=list)
    cast = WrittenField(default=dict)
    target = models.PositiveIntegerField(null=True)
    # Made by the form; the same one again is the same press of the same button.
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001  # null: rows without one are not compared
    # A digest of the form that came with the key: what a form means changes with the fight, what it says does not.
    sent = models.CharField(max_length=16, blank=True, default="", editable=False)
    seal = models.CharField(max_length=64, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = LogQuerySet.as_manager()

    class Meta:
        ordering = ["encounter", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["encounter", "seq"], name="log_numbered_once"),
            models.UniqueConstraint(fields=["encounter", "actor", "key"], name="log_one_row_per_key"),
        ]

    def __str__(self) -> str:
        return f"{self.encounter_id} {self.seq}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LogIsWritten
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise LogIsWritten


class FightNotes(models.Model):
    """What Storytellers jot down during a fight, which nobody else reads.

    Not of the encounter itself: what is no part of a fight comes into no view of it. `version` counts edits.
    """

    encounter = models.OneToOneField(Encounter, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=TEXT_LENGTH, blank=True)
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.encounter.name


class DeskKeys(models.Model):
    """What an account has made of the keys of the desk: see `combat.desk.keys`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="desk_keys")
    # Only what differs from the keys as they are at first.
    own = WrittenField(default=dict, blank=True)
    on = models.BooleanField(default=True)

    def __str__(self) -> str:
        return str(self.user)
