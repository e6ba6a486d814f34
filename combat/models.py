"""Fights and their logs. The log is the source of truth; an encounter's state is a cached projection."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.changed import SavesChanges
from campaigns.models import NAME_LENGTH, TEXT_LENGTH, Chronicle, InBin, OutOfBin, Passage, Session
from campaigns.prepared import PreparedSaves
from campaigns.rulesets import installed
from campaigns.tokens import public_id
from combat.fields import SharedField, WrittenField


class Status(models.TextChoices):
    """Status of an encounter, with the same values as `rules.model.state.Status`."""

    DRAFT = "draft", _("Draft")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    ENDED = "ended", _("Ended")


class EncounterQuerySet(models.QuerySet["Encounter"]):
    """Queries for fights and for logs of rolls outside fights."""

    def fights(self) -> EncounterQuerySet:
        """Only fights."""
        return self.filter(outside_fights=False)

    def playable(self) -> EncounterQuerySet:
        """Only those of chronicles whose ruleset is installed."""
        return self.filter(chronicle__ruleset__in=installed())

    def without_state(self) -> EncounterQuerySet:
        """Without their states, which are large and usually cached in the process: see `combat.log.rows.state_now`."""
        return self.defer("state")

    def listed(self) -> EncounterQuerySet:
        """Fights for a list, without their large fields."""
        return self.fights().defer("state", "versions", "clocks", "earlier_seals")


class Encounter(SavesChanges, InBin):
    """A fight (draft, running or over), or with `outside_fights` a chronicle's rolls outside fights.

    Each chronicle has one of the latter; it always runs and has no turns: see `combat.commands.outside`.

    `held` is the number of a row that only those who rolled have seen so far: see `combat.history.reveal`.

    `place` orders drafts, the highest first: see `combat.commands.drafts`.

    `seq` is the number of the last log row, and `seal` its seal. `versions` counts for each audience how often its view
    has changed: see `combat.panes.versions`. These and `state` are only written by `combat.commands.writing`, under
    the row's lock.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="encounters")
    # The session in which it began, None for fights from before there were sessions, or outside one.
    session = models.ForeignKey(
        Session, on_delete=models.SET_NULL, null=True, editable=False, related_name="encounters"
    )
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    scene = models.TextField(_("scene"), max_length=TEXT_LENGTH, blank=True)
    outside_fights = models.BooleanField(default=False, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT, editable=False)
    place = models.IntegerField(default=0, editable=False)
    seq = models.PositiveIntegerField(default=0, editable=False)
    state = WrittenField(default=dict, editable=False)
    versions = SharedField(default=dict, editable=False)  # an action reads it four times
    held = models.PositiveIntegerField(null=True, editable=False)
    seal = models.CharField(max_length=64, blank=True, editable=False)
    # Seals that the log had before it was sealed again: see `combat.log.reseal`.
    earlier_seals = WrittenField(default=list, editable=False)
    # By open question, the time when it is answered by default: see `combat.log.clocks`.
    clocks = WrittenField(default=dict, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    begun = models.DateTimeField(null=True, editable=False)
    ended = models.DateTimeField(null=True, editable=False)

    reinforced = True
    """Whether any reinforcements may have been prepared: False only if it was read that there are none."""

    # What a list of encounters depends on, as read from the database.
    _listed: tuple[Any, ...]

    objects = OutOfBin.from_queryset(EncounterQuerySet)()  # type: ignore[misc]  # with methods of its own
    with_bin = EncounterQuerySet.as_manager()  # type: ignore[misc]

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
        made._listed = made._shown_in_list()
        return made

    def is_listed_anew(self) -> bool:
        """Whether something that a list of encounters depends on changed since it was read."""
        return getattr(self, "_listed", None) != self._shown_in_list()

    def _shown_in_list(self) -> tuple[Any, ...]:
        kept = self.__dict__
        return kept.get("name"), kept.get("status"), kept.get("binned"), kept.get("place")

    @property
    def visible_to_players(self) -> bool:
        """Whether players may know that it exists: drafts are only for the Storyteller."""
        return self.status != Status.DRAFT


class Wall(models.Model):
    """The link to a chronicle's wall screen, which shows the table's view. Only a hash of its token is kept.

    One per chronicle: a new link replaces the previous one.
    """

    chronicle = models.OneToOneField(Chronicle, on_delete=models.CASCADE, related_name="wall")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made = models.DateTimeField(auto_now=True)
    expires = models.DateTimeField()
    # What a Storyteller put on the screen, over the fight.
    passage = models.ForeignKey(Passage, on_delete=models.SET_NULL, null=True, editable=False, related_name="wall")

    def __str__(self) -> str:
        return self.chronicle.name


class Kind(models.TextChoices):
    """Type of a log row."""

    COMMAND = "command", _("command")
    SHEET = "sheet", _("sheet edited outside the fight")
    CAST = "cast", _("sheets as they are now")
    UNDO = "undo", _("undone")
    REDO = "redo", _("redone")


class LogQuerySet(models.QuerySet["LogRow"]):
    """Append-only rows: updates and deletes raise. Only `combat.log.reseal` goes around it, to remove a name."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise LogIsWritten

    def delete(self) -> NoReturn:
        raise LogIsWritten


class LogIsWritten(TypeError):
    """Raised on an attempt to change or delete a log row. Undo appends a row instead."""


class LogRow(PreparedSaves):
    """One step of a log: a command and its events, as encoded by `combat.log.codec`.

    `target` is the number of the row that an undo or redo refers to. `cast` records how each combatant was seen at the
    time, so that later revelations don't change what players read about earlier steps. `token` identifies the row in
    places where its number would reveal how many unseen rows there are. `seal` chains the row to the previous one: see
    `combat.log.seal`.
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
    # Idempotency key from the form: the same key means the same press of the same button.
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001  # null: rows without one are not compared
    # Digest of the form sent with the key. The form stays the same even when its meaning changes with the fight.
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
    """The Storytellers' private notes on a fight. `version` counts edits.

    In a separate table, so that they can't get into any view of the fight.
    """

    encounter = models.OneToOneField(Encounter, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=TEXT_LENGTH, blank=True)
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.encounter.name


class ForecastPolicies(models.Model):
    """The policies that Storytellers chose for a fight's forecast, by combatant: see `combat.desk.forecast`.

    `chosen` has the policies' keys, only those that aren't the combatant's default. In a separate table, so that they
    can't get into any view of the fight, and changing them moves no version.
    """

    encounter = models.OneToOneField(Encounter, on_delete=models.CASCADE, related_name="forecast_policies")
    chosen = WrittenField(default=dict)

    def __str__(self) -> str:
        return self.encounter.name


class Reinforcement(models.Model):
    """A group that waits outside a fight, for Storytellers only.

    `words` are quick add's, a line for each; `people` is whom they meant (`combat.commands.newcomers.Wanted`).
    `joined` is the number of the log row that brought them in: they wait while there is none, or it is undone.

    In a separate table, so that it can't get into any player's view of the fight.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    encounter = models.ForeignKey(Encounter, on_delete=models.CASCADE, related_name="reinforcements")
    label = models.CharField(max_length=NAME_LENGTH)
    words = models.TextField(max_length=TEXT_LENGTH)
    people = WrittenField(default=list)
    hidden = models.BooleanField(default=False)
    mask = models.CharField(max_length=60, blank=True)
    health_shown = models.CharField(max_length=10, blank=True)
    side = models.CharField(max_length=10, blank=True)
    joined = models.PositiveIntegerField(null=True, editable=False)
    version = models.PositiveIntegerField(default=1)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created", "id"]

    def __str__(self) -> str:
        return self.label


class DeskKeys(models.Model):
    """An account's keyboard shortcuts for the desk: see `combat.desk.keys`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="desk_keys")
    # Only the differences from the default keys.
    own = WrittenField(default=dict, blank=True)
    on = models.BooleanField(default=True)

    def __str__(self) -> str:
        return str(self.user)
