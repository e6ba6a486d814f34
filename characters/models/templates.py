"""An antagonist of a chronicle's library: a name, a kind, health and a few pools, or all Traits."""

from __future__ import annotations

from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models import TEXT_LENGTH, Chronicle, InBin
from campaigns.tokens import public_id
from characters.models.gear import name_field


class Template(InBin):
    """A chronicle's own template. It is in no cast, search or roll: only what is made from it can be.

    `weapons` and `armor` are names in the chronicle's tables, `specialties` and `lists` are like those of a character.
    `shipped` is the key of the ruleset's template that this one replaces.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="templates")
    name = name_field(_("name"))
    plural = name_field(_("name of several"), blank=True)
    kind = models.CharField(_("kind"), max_length=30, default="mortal")
    traits = models.JSONField(default=dict, blank=True)
    pools = models.JSONField(default=dict, blank=True)
    merits = models.JSONField(default=list, blank=True)
    specialties = models.JSONField(default=dict, blank=True)
    lists = models.JSONField(default=dict, blank=True)
    weapons = models.JSONField(default=list, blank=True)
    armor = models.JSONField(default=list, blank=True)
    notes = models.TextField(_("notes"), blank=True, validators=[MaxLengthValidator(TEXT_LENGTH)])
    shipped = models.CharField(max_length=60, blank=True)
    updated = models.DateTimeField(auto_now=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="template_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name
