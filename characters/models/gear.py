"""The tables of weapons and armour: common ones for every ruleset, and a chronicle's own beside them.

Columns are named as in the CSV files in `characters/tables`; an empty one "does not matter here".
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
    *("sniper", "large", "small", "underwater", "explosive"),
)
NOTE_LENGTH = 200
NAME_TAKEN = _("There is already one of this name here.")


class Mode(models.TextChoices):
    """How a weapon is used."""

    UNARMED = gear.Mode.UNARMED.value, _("unarmed")
    MELEE = gear.Mode.MELEE.value, _("melee")
    FIREARM = gear.Mode.FIREARM.value, _("firearm")
    THROWN = gear.Mode.THROWN.value, _("thrown")
    ARCHERY = gear.Mode.ARCHERY.value, _("archery")


class DamageType(models.TextChoices):
    """What a weapon's damage is marked as."""

    BASHING = gear.Damage.BASHING.value, _("bashing")
    LETHAL = gear.Damage.LETHAL.value, _("lethal")
    AGGRAVATED = gear.Damage.AGGRAVATED.value, _("aggravated")


class Form(models.TextChoices):
    """What a weapon does to a body."""

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
    """A name: one line, no longer than the eye takes in."""
    plain: list[Callable[[Any], None]] = [
        ProhibitNullCharactersValidator(),
        RegexValidator(r"^[^\r\n\t]*$", _("A name is one line.")),
    ]
    return models.CharField(label, max_length=NAME_LENGTH, validators=plain, **more)


def figure(label: Any, least: int, most: int, *, null: bool = True, help_text: Any = "", **more: Any) -> Any:
    """A whole number within bounds that are said when they are crossed; `None` is "does not matter here"."""
    limits = [
        MinValueValidator(least, _("This must be %(limit_value)s or more.")),
        MaxValueValidator(most, _("This must be %(limit_value)s or less.")),
    ]
    return models.SmallIntegerField(label, validators=limits, null=null, blank=null, help_text=help_text, **more)


def switch(label: Any, help_text: Any = "") -> models.BooleanField[bool, bool]:
    return models.BooleanField(label, default=False, help_text=help_text)


def trait_field(label: Any, help_text: Any = "") -> models.CharField[str, str]:
    """The key of a Trait, as the sheet's layout spells it."""
    snake = RegexValidator(r"^[a-z][a-z_]*\Z", _("Write the Trait in small letters, with _ for a space."))
    return models.CharField(label, max_length=40, blank=True, validators=[snake], help_text=help_text)


class Gear(models.Model):
    """What weapons and armour share: to whom the row belongs."""

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
        """Whether a chronicle made it, rather than everybody having it."""
        return self.chronicle_id is not None

    def clean(self) -> None:
        self.name = (self.name or "").strip()
        problems: dict[str, StrOrPromise] = {field: message for field, message in self.problems() if message}
        if not self.name:
            problems["name"] = _now("Give it a name.")
        elif not is_seen(self.name):
            problems["name"] = UNSEEN
        elif self._is_taken():
            problems["name"] = NAME_TAKEN
        if problems:
            raise ValidationError(problems)

    def problems(self) -> Iterable[tuple[str, str]]:
        """(field, sentence) for all that does not fit together."""
        return ()

    def _is_taken(self) -> bool:
        # The constraints say so too, but not by the field; and forms leave ruleset and chronicle out of them.
        others = type(self)._default_manager.exclude(pk=self.pk).filter(ruleset=self.ruleset, name__iexact=self.name)
        return others.filter(chronicle=self.chronicle_id).exists()


def unique_names(model: str) -> list[models.UniqueConstraint]:
    """One row of a name in the common table, and one in each chronicle's own."""
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
    """A weapon of the tables."""

    mode = models.CharField(_("mode"), max_length=10, choices=Mode.choices)
    attribute = trait_field(_("Attribute"), _("Where it is not the usual one."))
    ability = trait_field(_("Ability"), _("Where it is not the usual one."))
    difficulty = figure(_("difficulty"), 2, 10, help_text=_("Where it is not the ruleset's own."))
    damage = figure(_("damage"), 0, 50, null=False, default=0)
    damage_from = trait_field(_("damage added to"), _("Where the rating is added to it, such as strength."))
    type = models.CharField(_("type"), max_length=10, choices=DamageType.choices, blank=True)
    form = models.CharField(_("form"), max_length=10, choices=Form.choices, blank=True)
    range_short = figure(_("range"), 1, 5000, help_text=_("The one range, or the short one."))
    range_medium = figure(_("medium range"), 1, 10000)
    range_long = figure(_("long range"), 1, 20000)
    rate = figure(_("rate"), 1, 50, help_text=_("Shots a turn."))
    clip = figure(_("clip"), 1, 999, help_text=_("Rounds it holds."))
    chambered = figure(_("chambered"), 0, 9, help_text=_("Rounds more that it holds when loaded."))
    automatic = switch(_("automatic"))
    single_rounds = switch(_("single rounds"), _("Loaded one by one."))
    size = figure(_("size"), 0, 50)
    strength = figure(_("Strength needed"), 0, 20)
    initiative = figure(_("initiative"), -20, 20)
    again = figure(_("again"), 8, 10)
    defense = figure(_("Defense"), -20, 20)
    armor_piercing = figure(_("armour piercing"), 0, 50)
    conceal = models.CharField(_("conceal"), max_length=2, choices=Conceal.choices, blank=True)
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
        """What the chronicle's own kinds of creature fear, as weapons carry it."""
        ruleset = rulesets.ruleset_for(self.chronicle) if self.chronicle else None
        return sorted(ruleset.banes.difference(TAGS)) if ruleset else []

    @property
    def holds(self) -> int | None:
        """The most rounds in it; `None` where they are not counted."""
        return None if self.clip is None else self.clip + (self.chambered or 0)

    @property
    def range(self) -> tuple[int, ...]:
        """Its one distance, or short, medium and long."""
        return tuple(each for each in (self.range_short, self.range_medium, self.range_long) if each is not None)

    def problems(self) -> Iterable[tuple[str, str]]:
        self.tags = checks.plain_words(self.tags)
        yield from checks.range_problems(self)
        yield from checks.ammunition_problems(self)
        yield "tags", checks.unknown_words(self.tags, (*TAGS, *self._own_banes()))
        known = rulesets.layout_keys(self.ruleset)
        for field in ("attribute", "ability", "damage_from"):
            key = getattr(self, field)
            if key and known is not None and key not in known:
                yield field, _now("Sheets of this ruleset have no such Trait.")


class Armor(Gear):
    """Armour of the tables."""

    rating = figure(_("rating"), 0, 20, null=False, default=0)
    ballistic = figure(_("ballistic"), 0, 20, help_text=_("Against firearms, where that differs."))
    strength = figure(_("Strength needed"), 0, 20)
    penalty = figure(_("penalty"), -20, 0, help_text=_("Dice that it takes away: zero or below."))
    defense = figure(_("Defense"), -20, 20)
    speed = figure(_("Speed"), -20, 20)
    covers = models.CharField(
        _("covers"), max_length=40, blank=True, help_text=_("torso arms legs head; everything when left empty.")
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
    """A shipped file that was loaded, so that what an administrator deleted of it does not come back at every start."""

    name = models.CharField(max_length=60, primary_key=True)
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.name
