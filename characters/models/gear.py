"""The tables of weapons and armour: common rows for each ruleset, and custom ones of chronicles.

Columns are named as in the CSV files in `characters/tables`. An empty one doesn't apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import (
    MaxLengthValidator,
    MaxValueValidator,
    MinValueValidator,
    ProhibitNullCharactersValidator,
    RegexValidator,
)
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from campaigns.models import NAME_LENGTH, Chronicle
from campaigns.names import UNSEEN, is_seen
from characters import rulesets
from characters.models import checks
from rules.model import gear

TAGS = (
    *("stake", "fire", "sunlight", "silver", "claws", "teeth", "rope", "chain", "whip", "stun"),
    *("sniper", "large", "small", "underwater", "explosive", "thrown"),
)
NOTE_LENGTH = 200
NAME_TAKEN = _("This name is already taken.")


class Mode(models.TextChoices):
    """How a weapon is used."""

    UNARMED = gear.Mode.UNARMED.value, _("unarmed")
    MELEE = gear.Mode.MELEE.value, _("melee")
    FIREARM = gear.Mode.FIREARM.value, _("firearm")
    THROWN = gear.Mode.THROWN.value, _("thrown")
    ARCHERY = gear.Mode.ARCHERY.value, _("archery")


class DamageType(models.TextChoices):
    """A weapon's damage type."""

    BASHING = gear.Damage.BASHING.value, _("bashing")
    LETHAL = gear.Damage.LETHAL.value, _("lethal")
    AGGRAVATED = gear.Damage.AGGRAVATED.value, _("aggravated")


class Form(models.TextChoices):
    """How a weapon wounds."""

    SLASHING = gear.Form.SLASHING.value, _("slashing")
    PIERCING = gear.Form.PIERCING.value, _("piercing")
    BASHING = gear.Form.BASHING.value, _("bashing")
    BALLISTIC = gear.Form.BALLISTIC.value, _("ballistic")


class Conceal(models.TextChoices):
    """Where a weapon can be hidden."""

    POCKET = "P", _("pocket")
    JACKET = "J", _("jacket")
    TRENCHCOAT = "T", _("trenchcoat")
    NOWHERE = "N", _("nowhere")


class Weight(models.TextChoices):
    LIGHT = "light", _("light")
    HEAVY = "heavy", _("heavy")


def name_field(label: Any, **more: Any) -> models.CharField[str, str]:
    """A single-line name of limited length."""
    plain: list[Callable[[Any], None]] = [
        ProhibitNullCharactersValidator(),
        RegexValidator(r"^[^\r\n\t]*$", _("Use a single line for the name.")),
    ]
    return models.CharField(label, max_length=NAME_LENGTH, validators=plain, **more)


def figure(label: Any, least: int, most: int, *, null: bool = True, help_text: Any = "", **more: Any) -> Any:
    """A whole number within bounds; `None` means that it doesn't apply."""
    limits = [
        MinValueValidator(least, _("Enter %(limit_value)s or more.")),
        MaxValueValidator(most, _("Enter %(limit_value)s or less.")),
    ]
    return models.SmallIntegerField(label, validators=limits, null=null, blank=null, help_text=help_text, **more)


def switch(label: Any, help_text: Any = "") -> models.BooleanField[bool, bool]:
    return models.BooleanField(label, default=False, help_text=help_text)


def trait_field(label: Any, help_text: Any = "") -> models.CharField[str, str]:
    """The key of a Trait, as in the sheet's layout."""
    snake = RegexValidator(r"^[a-z][a-z_]*\Z", _("Enter the Trait in lower case, with _ for spaces."))
    return models.CharField(label, max_length=40, blank=True, validators=[snake], help_text=help_text)


class Gear(models.Model):
    """The base of weapons and armour: name, ruleset, and chronicle for custom rows."""

    name = name_field(_("name"))
    ruleset = models.CharField(_("ruleset"), max_length=30, choices=rulesets.choices)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    note = models.CharField(
        _("note"), max_length=NOTE_LENGTH, blank=True, validators=[ProhibitNullCharactersValidator()]
    )

    class Meta:
        abstract = True
        ordering = ["ruleset", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_own(self) -> bool:
        """Whether it is a chronicle's custom row."""
        return self.chronicle_id is not None

    def clean(self) -> None:
        self.name = (self.name or "").strip()
        problems: dict[str, StrOrPromise] = {field: message for field, message in self.problems() if message}
        if not self.name:
            problems["name"] = _now("Enter a name.")
        elif not is_seen(self.name):
            problems["name"] = UNSEEN
        elif self._is_taken():
            problems["name"] = NAME_TAKEN
        if problems:
            raise ValidationError(problems)

    def problems(self) -> Iterable[tuple[str, str]]:
        """(field, sentence) for each inconsistency."""
        return ()

    def _is_taken(self) -> bool:
        # Also enforced by constraints, but those name no field, and forms skip them without ruleset and chronicle.
        others = type(self)._default_manager.exclude(pk=self.pk).filter(ruleset=self.ruleset, name__iexact=self.name)
        return others.filter(chronicle=self.chronicle_id).exists()


def unique_names(model: str) -> list[models.UniqueConstraint]:
    """Constraints: names are unique among the common rows and in each chronicle."""
    return [
        models.UniqueConstraint(
            "ruleset",
            Lower("name"),
            condition=models.Q(chronicle__isnull=True),
            name=f"{model}_common_name",
            violation_error_message=NAME_TAKEN,
        ),
        models.UniqueConstraint(
            "ruleset",
            "chronicle",
            Lower("name"),
            condition=models.Q(chronicle__isnull=False),
            name=f"{model}_own_name",
            violation_error_message=NAME_TAKEN,
        ),
    ]


class Weapon(Gear):
    """A weapon in the tables."""

    mode = models.CharField(_("attack type"), max_length=10, choices=Mode.choices)
    attribute = trait_field(_("Attribute"), _("Only if it differs from the default."))
    ability = trait_field(_("Ability"), _("Only if it differs from the default."))
    difficulty = figure(_("difficulty"), 2, 10, help_text=_("Only if it differs from the default."))
    damage = figure(_("damage"), 0, 50, null=False, default=0)
    damage_from = trait_field(_("added Attribute"), _("Added to the damage, such as strength."))
    type = models.CharField(_("damage type"), max_length=10, choices=DamageType.choices, blank=True)
    form = models.CharField(_("form"), max_length=10, choices=Form.choices, blank=True)
    range_short = figure(_("range"), 1, 5000, help_text=_("Short range, or the only range."))
    range_medium = figure(_("medium range"), 1, 10000)
    range_long = figure(_("long range"), 1, 20000)
    rate = figure(_("rate of fire"), 1, 50, help_text=_("Shots per turn."))
    clip = figure(_("clip"), 1, 999, help_text=_("Number of rounds it holds."))
    chambered = figure(_("rounds in the chamber"), 0, 9, help_text=_("In addition to the clip."))
    automatic = switch(_("automatic"))
    single_rounds = switch(_("single rounds"), _("Rounds are loaded one by one."))
    size = figure(_("size"), 0, 50)
    strength = figure(_("Strength needed"), 0, 20)
    initiative = figure(_("initiative"), -20, 20)
    again = figure(_("reroll dice showing at least"), 8, 10)
    defense = figure(_("Defense"), -20, 20)
    armor_piercing = figure(_("armour piercing"), 0, 50)
    conceal = models.CharField(_("can be hidden in"), max_length=2, choices=Conceal.choices, blank=True)
    two_handed = switch(_("two-handed"))
    committed = switch(_("committed"))
    aerodynamic = switch(_("aerodynamic"))
    tags = models.CharField(_("tags"), max_length=120, blank=True, help_text=" ".join(TAGS))

    class Meta(Gear.Meta):
        verbose_name = _("weapon")
        verbose_name_plural = _("weapons")
        constraints = [
            *unique_names("weapon"),
            models.CheckConstraint(condition=models.Q(damage__gte=0), name="weapon_damage_not_negative"),
            models.CheckConstraint(condition=models.Q(rate__isnull=True) | models.Q(rate__gte=1), name="weapon_rate"),
            models.CheckConstraint(condition=models.Q(clip__isnull=True) | models.Q(clip__gte=1), name="weapon_clip"),
        ]

    def _own_banes(self) -> list[str]:
        """The banes of the chronicle's custom kinds, which weapons can have as tags."""
        ruleset = rulesets.ruleset_for(self.chronicle) if self.chronicle else None
        return sorted(ruleset.banes.difference(TAGS)) if ruleset else []

    @property
    def holds(self) -> int | None:
        """Its maximum rounds; `None` if they aren't counted."""
        return None if self.clip is None else self.clip + (self.chambered or 0)

    @property
    def range(self) -> tuple[int, ...]:
        """Its only range, or its short, medium and long ones."""
        return tuple(each for each in (self.range_short, self.range_medium, self.range_long) if each is not None)

    def problems(self) -> Iterable[tuple[str, str]]:
        self.tags = checks.plain_words(self.tags)
        yield from checks.range_problems(self)
        yield from checks.ammunition_problems(self)
        yield "tags", checks.unknown_words(self.tags, (*TAGS, *self._own_banes()))
        layout = rulesets.layout_of(self.ruleset, self.chronicle)
        known = None if layout is None else {trait.key for trait in layout.traits()}
        for field in ("attribute", "ability", "damage_from"):
            key = getattr(self, field)
            if key and known is not None and key not in known:
                yield field, _now("This ruleset has no such Trait. Choose one from its sheet.")


class Armor(Gear):
    """Armour in the tables."""

    rating = figure(_("rating"), 0, 20, null=False, default=0)
    ballistic = figure(_("ballistic"), 0, 20, help_text=_("Rating against firearms, if it differs."))
    strength = figure(_("Strength needed"), 0, 20)
    penalty = figure(_("penalty"), -20, 0, help_text=_("Dice penalty: 0 or a negative number."))
    defense = figure(_("Defense"), -20, 20)
    speed = figure(_("Speed"), -20, 20)
    covers = models.CharField(
        _("covers"),
        max_length=40,
        blank=True,
        help_text=_("One or more of torso, arms, legs and head, separated by spaces. Leave empty for the whole body."),
    )
    weight = models.CharField(_("weight"), max_length=10, choices=Weight.choices, blank=True)
    supernatural = switch(_("supernatural"))
    power = models.CharField(_("power"), max_length=40, blank=True, validators=[MaxLengthValidator(40)])

    class Meta(Gear.Meta):
        verbose_name = _("armour")
        verbose_name_plural = _("armour")
        constraints = [
            *unique_names("armor"),
            models.CheckConstraint(condition=models.Q(rating__gte=0), name="armor_rating_not_negative"),
            models.CheckConstraint(
                condition=models.Q(penalty__isnull=True) | models.Q(penalty__lte=0), name="armor_penalty_not_positive"
            ),
        ]

    def problems(self) -> Iterable[tuple[str, str]]:
        self.covers = checks.plain_words(self.covers)
        yield "covers", checks.unknown_words(self.covers, gear.COVERS)


class ShippedTable(models.Model):
    """Records a loaded shipped file, so that rows deleted by an administrator don't come back at every start."""

    name = models.CharField(max_length=60, primary_key=True)
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.name
