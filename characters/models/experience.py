"""Experience: for each character a ledger of sealed entries that are never changed or deleted."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models import NAME_LENGTH
from campaigns.tokens import public_id
from characters.models.characters import Character

REASON_LENGTH = 200

LIST = "list:"
"""Prefix of a purchase's Trait that is an entry of a list of the sheet; the list's key follows it."""


class Ledger(models.Model):
    """The end of a character's entries: how many there are, and the seal of the last."""

    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="ledger")
    seq = models.PositiveIntegerField(default=0)
    seal = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return str(self.character)


class EntryKind(models.TextChoices):
    """What an entry is about."""

    AWARD = "award", _("award")
    PURCHASE = "purchase", _("purchase")
    CORRECTION = "correction", _("correction")


class Step(models.TextChoices):
    """Where a purchase is: each step is an entry of its own."""

    ASKED = "asked", _("asked for")
    GRANTED = "granted", _("granted")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")


class EntryQuerySet(models.QuerySet["ExperienceEntry"]):
    """Append-only rows: updates and deletes raise."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise EntryIsWritten

    def delete(self) -> NoReturn:
        raise EntryIsWritten

    def waiting(self) -> EntryQuerySet:
        """Purchases asked for that nobody has answered."""
        return self.filter(kind=EntryKind.PURCHASE, step=Step.ASKED, answers=None)


class EntryIsWritten(TypeError):
    """Raised on an attempt to change or delete an entry. A correction is a new one."""


class ExperienceEntry(models.Model):
    """One entry of a ledger.

    `amount`, in the ruleset's smallest unit, is what it adds to the balance, which is the sum over all entries and
    stored nowhere. A purchase that is asked for has a `price` and no amount; its answer is another entry `about` it.
    `line` is the price line as it was then, `was` and `to` are the Trait's dots. Of an entry of a
    list of the sheet, `trait` is `LIST` and the list's key, and `reason` its name. Purchases without a Trait say in
    `reason` what is bought. `proof` is the log entry that earned an award: the encounter's id, a colon, the entry's.

    `by` keeps the number of an account that was deleted, since the seal covers it, and with it no name.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="experience")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=EntryKind.choices)
    step = models.CharField(max_length=10, choices=Step.choices, blank=True)
    amount = models.IntegerField(default=0)
    price = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    note = models.CharField(max_length=REASON_LENGTH, blank=True)
    line = models.CharField(max_length=2 * REASON_LENGTH, blank=True)
    trait = models.CharField(max_length=NAME_LENGTH, blank=True)
    was = models.PositiveSmallIntegerField(null=True)
    to = models.PositiveSmallIntegerField(null=True)
    about = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="answers")
    proof = models.CharField(max_length=40, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="+"
    )
    # Idempotency key from the form.
    key = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    seal = models.CharField(max_length=64, editable=False)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["character", "-seq"]
        constraints = [
            models.UniqueConstraint(fields=["character", "seq"], name="experience_numbered_once"),
            models.UniqueConstraint(
                fields=["about"], condition=models.Q(kind="purchase"), name="experience_answered_once"
            ),
            models.UniqueConstraint(
                fields=["character", "by", "key"], condition=~models.Q(key=""), name="experience_once_per_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.character_id} {self.seq}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise EntryIsWritten
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise EntryIsWritten


class DeclinedProposal(models.Model):
    """An award proposed from the log that a Storyteller passed over, so that it isn't proposed again."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="+")
    proof = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["character", "proof"], name="declined_once")]

    def __str__(self) -> str:
        return self.proof
