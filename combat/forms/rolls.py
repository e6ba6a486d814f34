"""Rolls outside an attack, and what a botch brings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.forms.base import AboutSomebody, Choices, FieldsForm, line
from combat.forms.typed import TypesDice
from rules.commands import ChooseMishap, ClearJam, Command, DifficultyOf, Modifier, Reload, Resistance, RollTraits
from rules.dice import Dice
from rules.presets import Preset, presets
from rules.sheet import Category, Layout
from rules.violations import bad_input

LIKELY = (("perception", "alertness"), ("wits", "composure"))
"""What is rolled most: to notice something."""


def traits_of(layout: Layout, kind: str) -> list[tuple[str, Choices]]:
    """What can be rolled, by the sheet's sections."""
    found = []
    for section in layout.for_kind(kind):
        traits = [trait for group in section.groups for trait in group.traits if trait.category is not Category.FACT]
        if traits:
            found.append((section.label, [(trait.key, trait.label) for trait in traits]))
    return found


class RollForm(TypesDice, AboutSomebody):
    """Any Trait or pair of Traits."""

    title = _("Roll")
    submit = _("Roll")
    fragment = "combat/_roll.html"
    first = forms.ChoiceField(label=_("Trait"))
    second = forms.ChoiceField(label=_("and"), required=False)
    difficulty = forms.IntegerField(
        label=_("Difficulty"), required=False, min_value=2, max_value=10, help_text=_("6 when left empty.")
    )
    label = line(_("What for"), most=80)
    against = forms.ChoiceField(label=_("Against"), required=False)
    against_first = forms.ChoiceField(label=_("with"), required=False)
    against_second = forms.ChoiceField(label=_("and"), required=False)
    how = forms.ChoiceField(
        label=_("They"),
        required=False,
        choices=[("resist", _("resist with a roll")), ("difficulty", _("set the difficulty"))],
        widget=forms.RadioSelect(attrs={"class": "cards"}),
        initial="resist",
    )
    extra = forms.IntegerField(label=_("Extra dice"), required=False, min_value=-20, max_value=20)
    extra_why = line(_("because"))
    willpower = forms.BooleanField(label=_("Spend a point of Willpower"), required=False)
    secret = forms.BooleanField(label=_("In secret: players learn nothing of it"), required=False)

    def prepare(self) -> None:
        super().prepare()
        kind = self.picked.sheet.kind if self.picked else "mortal"
        traits = traits_of(self.table.ruleset.layout, kind)
        nobody = [("", _("nobody"))]
        choices: dict[str, Any] = {
            "first": traits,
            "second": [("", _("nothing more")), *traits],
            "against": [*nobody, *self.table.everybody()],
            "against_first": [("", _("nothing")), *traits],
            "against_second": [("", _("nothing more")), *traits],
        }
        for name, values in choices.items():
            self.fields[name].choices = values  # type: ignore[attr-defined]
        known = {key for _section, pairs in traits for key, _label in pairs}
        likely = next((pair for pair in LIKELY if known.issuperset(pair)), ("", ""))
        self.initial.setdefault("first", likely[0])
        self.initial.setdefault("second", likely[1])
        if self.table.ruleset.mechanic.lowest == self.table.ruleset.mechanic.highest:
            # Nothing is harder than anything else but by its dice.
            del self.fields["difficulty"], self.fields["how"]
        if "willpower" not in self.table.ruleset.modifiers:
            del self.fields["willpower"]
        if not self.table.is_storyteller:
            # A difficulty taken from somebody would show a player what their Traits are.
            for name in ("extra", "extra_why", "secret", "how"):
                del self.fields[name]

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The ready-made rolls of the ruleset, and the chronicle's own."""
        return presets(self.table.ruleset)

    def command(self) -> RollTraits:
        said = self.cleaned_data
        traits = tuple(key for key in (said["first"], said["second"]) if key)
        resisted, difficulty = self._opposed()
        extra = said.get("extra")
        modifiers = [Modifier("circumstance", {"dice": extra, "why": said.get("extra_why", "")})] if extra else []
        if said.get("willpower"):
            modifiers.append(Modifier("willpower"))
        return RollTraits(
            said["who"],
            traits,
            difficulty=difficulty,
            modifiers=tuple(modifiers),
            resisted=resisted,
            label=said["label"] or self._named(traits),
            secret=bool(said.get("secret")),
        )

    def dice(self) -> Dice | None:
        if not self.types_dice:
            return None
        said = self.cleaned_data
        resists = self.is_storyteller and said["against"] and said.get("how") != "difficulty"
        return self.typed_dice({said["who"], *([said["against"]] if resists else [])})

    def _opposed(self) -> tuple[Resistance | None, int | DifficultyOf | None]:
        said = self.cleaned_data
        traits = tuple(key for key in (said["against_first"], said["against_second"]) if key)
        if not said["against"]:
            return None, said.get("difficulty")
        if not traits:
            raise bad_input("Say with what they are against it.")
        if said.get("how") == "difficulty":
            return None, DifficultyOf(said["against"], traits)
        return Resistance(said["against"], traits), said.get("difficulty")

    def _named(self, traits: tuple[str, ...]) -> str:
        return " + ".join(self.table.ruleset.layout.trait(key).label for key in traits)


class MishapForm(FieldsForm):
    """What goes wrong: picked in one press (`settle`), or with whoever is hit by mistake."""

    title = _("What goes wrong")
    submit = _("So be it")
    storyteller_only = True
    settle = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    resolution = forms.CharField(required=False, max_length=12, widget=forms.HiddenInput)
    mishap = forms.CharField(required=False, max_length=30, widget=forms.HiddenInput)
    ally = forms.ChoiceField(label=_("Who is hit"), required=False)

    def prepare(self) -> None:
        everybody = [("", _("let chance pick")), *self.table.everybody()]
        self.fields["ally"].choices = everybody  # type: ignore[attr-defined]

    def command(self) -> ChooseMishap:
        said = self.cleaned_data
        if said["settle"]:
            resolution, _space, mishap = said["settle"].partition(" ")
            return ChooseMishap(resolution, mishap)
        return ChooseMishap(said["resolution"], said["mishap"], said["ally"])


class WeaponForm(FieldsForm):
    """Something done to a weapon in one press: `weapon` is whose it is and its reference."""

    fragment = ""
    weapon = forms.CharField(max_length=200, widget=forms.HiddenInput)

    def whose(self) -> tuple[str, str]:
        """Who, and the weapon."""
        who, _space, reference = str(self.cleaned_data["weapon"]).partition(" ")
        return who, reference


class ReloadForm(WeaponForm):
    """Fill a weapon."""

    def command(self) -> Command:
        return Reload(*self.whose())


class ClearJamForm(WeaponForm):
    """Make a jammed weapon fire again."""

    def command(self) -> Command:
        return ClearJam(*self.whose())
