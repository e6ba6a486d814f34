"""A character of a chronicle, with what they carry and wear."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models import NAME_LENGTH, TEXT_LENGTH, Chronicle, InBin
from campaigns.prepared import PreparedSaves
from campaigns.tokens import public_id
from characters.models.gear import Armor, Weapon, name_field
from rules.model.gear import Fault as RulesFault


class Fault(models.TextChoices):
    """Why a weapon can't be used."""

    JAMMED = RulesFault.JAMMED.value, _("jammed")
    SEIZED = RulesFault.SEIZED.value, _("jammed for good")
    BROKEN = RulesFault.BROKEN.value, _("broken")
    DROPPED = RulesFault.DROPPED.value, _("dropped")
    TAKEN = RulesFault.TAKEN.value, _("taken away")


class Character(PreparedSaves, InBin):
    """A character of a chronicle. Without an owner it is the Storyteller's.

    The ruleset's layout and health levels decide what `traits`, `resources`, `marks` and `injuries` may hold; the form
    validates it. Missing keys have the layout's default. `details` are the identity's texts by key, `specialties` the
    names of a Trait's specialties by its key, and `lists` the entries of the lists by key, each as [name, dots].
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="characters")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="characters"
    )
    kind = models.CharField(_("kind"), max_length=30, default="mortal")
    name = name_field(_("name"))
    concept = models.CharField(_("concept"), max_length=NAME_LENGTH, blank=True)
    traits = models.JSONField(default=dict, blank=True)
    resources = models.JSONField(default=dict, blank=True)
    merits = models.JSONField(default=list, blank=True)
    details = models.JSONField(default=dict, blank=True)
    specialties = models.JSONField(default=dict, blank=True)
    lists = models.JSONField(default=dict, blank=True)
    # The damage types of the filled health boxes, worst first.
    marks = models.JSONField(default=list, blank=True)
    # For rulesets that track injuries one by one: {level, cause} each, and permanent scars with their origin.
    injuries = models.JSONField(default=list, blank=True)
    scars = models.JSONField(default=list, blank=True)
    # Injured parts of the body that outlast the fight, such as a wracked arm.
    impairments = models.JSONField(default=list, blank=True)
    # Other conditions that outlast the fight: {condition, rule, fight, why} each.
    lasting = models.JSONField(default=list, blank=True)
    # What a fight has changed that isn't in the history yet: see `characters.changes`.
    fought = models.JSONField(default=dict, blank=True, editable=False)
    notes = models.TextField(_("notes"), blank=True, validators=[MaxLengthValidator(TEXT_LENGTH)])
    storyteller_notes = models.TextField(
        _("the Storyteller's notes"), blank=True, validators=[MaxLengthValidator(TEXT_LENGTH)]
    )
    updated = models.DateTimeField(auto_now=True)
    # Optimistic concurrency token: a form drawn before somebody else's edit or a blow must not silently undo it.
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="character_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_npc(self) -> bool:
        """Whether the Storyteller plays this character."""
        return self.owner_id is None


def gear_key() -> models.CharField[str, str]:
    """What sheets, logs and histories call a carried row: it stays the same where the row gets another primary key."""
    return models.CharField(max_length=20, default=public_id, editable=False)


class CarriedWeapon(models.Model):
    """A carried weapon: a row of the tables with a custom name, rounds and fault."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="weapons")
    # RESTRICT, not PROTECT, so that a chronicle can be deleted together with its custom weapons.
    weapon = models.ForeignKey(Weapon, on_delete=models.RESTRICT, related_name="carried")
    name = name_field(_("custom name"), blank=True)
    rounds = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    fault = models.CharField(_("fault"), max_length=10, choices=Fault.choices, blank=True)
    order = models.PositiveSmallIntegerField(default=0)
    key = gear_key()

    class Meta:
        ordering = ["order", "id"]
        constraints = [models.UniqueConstraint(fields=["character", "key"], name="weapon_key_once")]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The custom name, or the one in the tables."""
        return self.name or self.weapon.name


class WornArmor(models.Model):
    """Worn armour: a row of the tables with a custom name."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="armor")
    armor = models.ForeignKey(Armor, on_delete=models.RESTRICT, related_name="worn")
    name = name_field(_("custom name"), blank=True)
    destroyed = models.BooleanField(_("destroyed"), default=False)
    order = models.PositiveSmallIntegerField(default=0)
    key = gear_key()

    class Meta:
        ordering = ["order", "id"]
        constraints = [models.UniqueConstraint(fields=["character", "key"], name="armor_key_once")]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The custom name, or the one in the tables."""
        return self.name or self.armor.name
