"""Damage, healing, health boxes and conditions, and what players see of a combatant."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.web.forms.base import AboutSomebody, FieldsForm, PutsAll, called, line, take_press
from combat.web.forms.commanding import posted
from rules.model.conditions import Lasts, conditions
from rules.model.damage_steps import of_kind
from rules.model.gear import Damage
from rules.model.sheet import LONGEST_CAUSE, Injury
from rules.model.state import Encounter
from rules.model.words import in_words
from rules.topics.commands import ChangeConditions, Harm, Heal, SetHealth, SetVisibility

TYPES = [("bashing", _("bashing")), ("lethal", _("lethal")), ("aggravated", _("aggravated"))]


def kind_of_damage(initial: str = "lethal") -> forms.ChoiceField:
    """One radio button per damage type."""
    widget = forms.RadioSelect(attrs={"class": "cards three"})
    return forms.ChoiceField(label=_("Damage type"), choices=TYPES, widget=widget, initial=initial)


class Cause(NamedTuple):
    """A common cause of damage: the type it does to most, and the bane that it is to some."""

    label: Any
    type: str
    bane: str = ""


CAUSES = {
    "fall": Cause(_("Fall"), "bashing"),
    "fire": Cause(_("Fire"), "lethal", "fire"),
    "sunlight": Cause(_("Sunlight"), "lethal", "sunlight"),
}
"""What fire and sunlight do to whom is the ruleset's to say; no ruleset here has a rule for falls."""


@posted(Harm, name="damage")
class DamageForm(AboutSomebody):
    """Marks damage directly, without soak or armour."""

    fragment = "combat/forms/_damage.html"

    title = _("Damage")
    submit = _("Mark damage")
    help = _("Marked in full: soak and armour don’t reduce it.")
    storyteller_only = True
    amount = forms.IntegerField(label=_("Levels"), min_value=1, max_value=30, initial=1)
    type = kind_of_damage()
    tags = forms.MultipleChoiceField(
        label=_("Bane"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
        help_text=_("Characters with this bane take aggravated damage."),
    )
    reason = line(_("Cause"), most=LONGEST_CAUSE)

    def prepare(self) -> None:
        super().prepare()
        self._take_cause()
        if self.table.ruleset.health.one_by_one:
            del self.fields["type"]
            self.fields["amount"].label = _("Injury level")
            self.help = _("Marked in full: armour doesn’t reduce it.")
        banes = sorted(self.table.ruleset.banes)
        if banes and self.view.outside_fights:
            banes = sorted({*banes, "fire"})  # in some rulesets fire does more to everybody, without being a bane
        self.let_choose("tags", [(each, said(in_words(each))) for each in banes])
        if not banes:
            del self.fields["tags"]

    def _take_cause(self) -> None:
        """Fill in a common cause: its damage type, whose bane it is, and its name."""
        if cause := CAUSES.get(self.value("cause")):
            self.initial.update({"type": cause.type, "tags": [cause.bane], "reason": str(cause.label)})

    @property
    def causes(self) -> list[tuple[str, Any]]:
        """Common causes outside fights, by key; a bane that nobody here has is left out."""
        known = {"", "fire", *self.table.ruleset.banes}
        outside = self.view.outside_fights
        return [(key, cause.label) for key, cause in CAUSES.items() if outside and cause.bane in known]

    def command(self) -> Harm:
        said = self.cleaned_data
        tags = frozenset(said.get("tags") or ())
        return Harm(said["who"], said["amount"], Damage(said.get("type") or Damage.LETHAL), tags, said["reason"])


class PutsHealth(PutsAll, AboutSomebody):
    """A form that refers to health boxes, or to injuries by their position, so it must detect edit conflicts."""

    follows_who = True

    def puts(self, state: Encounter) -> object:
        found = state.combatants.get(self.value("who"))
        return found and [*found.sheet.marks, *([each.level, str(each.cause)] for each in found.sheet.injuries)]


@posted(Heal)
class HealForm(PutsHealth):
    """Heals levels of one damage type or hours of rest; in rulesets with single injuries, one injury.

    Players heal with their characters' blood alone.
    """

    title: Any = _("Heal")
    submit: Any = _("Heal")
    press = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    help: Any = _("The undead pay for healing with blood. To avoid that, edit the boxes.")
    amount = forms.IntegerField(label=_("Levels"), min_value=1, max_value=30, required=False, initial=1)
    type = kind_of_damage(initial="bashing")
    hours = forms.IntegerField(
        label=_("Or hours of rest"), min_value=1, max_value=24 * 365, required=False, help_text=_("Instead of levels.")
    )
    care = forms.ChoiceField(
        label=_("Medical care"),
        choices=[("", _("none")), ("care", _("medical care")), ("hospital", _("hospital"))],
        required=False,
        widget=forms.RadioSelect(attrs={"class": "cards three"}),
        help_text=_("During hours of rest. Lethal damage heals only with medical care, aggravated only in hospital."),
    )

    def prepare(self) -> None:
        take_press(self, "who", "type", "amount")
        super().prepare()
        if not self._care_helps() or not self.is_storyteller:
            del self.fields["care"]
        if self.table.ruleset.health.one_by_one:
            self._prepare_injuries()
        elif not self.is_storyteller:
            self._prepare_blood()

    def _care_helps(self) -> bool:
        """Whether medical care makes a difference to how the chosen combatant heals."""
        health = self.table.ruleset.health
        if self.picked is None or health.one_by_one or health.by_blood(self.picked.sheet):
            return False
        hurt, rest = replace(self.picked.sheet, marks=(Damage.LETHAL,)), health.rest
        return rest(hurt, 1000, care=True) != rest(hurt, 1000)

    def _prepare_blood(self) -> None:
        """Offer the picked combatant's light damage, with its price in blood."""
        del self.fields["hours"]
        layout, cost = self.table.ruleset.layout, self.picked and self.table.ruleset.health.by_blood(self.picked.sheet)
        blood = layout.resource("blood")
        if self.picked is None or not cost or blood is None:
            self.help = ""
            self.let_choose("type", [])
            return
        price = {"points": said(in_words(blood.key)), "left": layout.points(self.picked.sheet, blood.key)}
        self.title = self.submit = _now("Heal with {points}").format(**price)
        told = (
            _now("1 {points} heals {bashing} bashing or 1 lethal, reflexively. {left} left.")
            if cost.reflexive
            else _now("1 {points} heals {bashing} bashing or 1 lethal and takes an action. {left} left.")
        )
        self.help = told.format(bashing=cost.bashing, **price)
        marked = Counter(self.picked.sheet.marks)
        light = [damage for damage in (Damage.BASHING, Damage.LETHAL) if marked[damage]]
        self.let_choose("type", [(each.value, said(of_kind(each, marked[each]))) for each in light])
        self.initial["type"] = light[0].value if light else ""

    def still_so(self, state: Encounter) -> bool:
        # Levels of a damage type can be healed regardless of what has changed; injuries are named by position.
        return self.table.ruleset.health.one_by_one is None or super().still_so(state)

    def _prepare_injuries(self) -> None:
        self.help = _("Heal one injury fully or partly. Scars stay.")
        del self.fields["type"], self.fields["hours"]
        injuries = self.picked.sheet.injuries if self.picked else ()
        choices = [(str(place), _told(injury)) for place, injury in enumerate(injuries, 1)]
        widget = forms.RadioSelect(attrs={"class": "cards"})
        self.fields["injury"] = forms.ChoiceField(label=_("Injury"), choices=choices, widget=widget, initial="1")
        amount = self.fields["amount"]
        amount.label, amount.initial, amount.help_text = (
            _("Levels to heal"),
            None,
            _("Leave empty to heal the whole injury."),
        )
        self.order_fields(["who", "injury", "amount"])

    def command(self) -> Heal:
        said = self.cleaned_data
        if said.get("injury"):
            return Heal(said["who"], said["amount"], injury=int(said["injury"]))
        if said.get("hours"):
            care = said.get("care", "")
            return Heal(said["who"], hours=said["hours"], care=bool(care), hospital=care != "care")
        return Heal(said["who"], said["amount"] or 1, Damage(said["type"]))


def _told(injury: Injury) -> str:
    """An injury in a few words, such as "4, axe"."""
    return f"{injury.level}, {said(injury.cause)}" if injury.cause else str(injury.level)


@posted(SetHealth, name="boxes")
class BoxesForm(PutsHealth):
    """Sets the health boxes or the injuries directly."""

    title = _("Edit health boxes")
    submit = _("Apply")
    storyteller_only = True
    bashing = forms.IntegerField(label=_("Bashing"), min_value=0, max_value=30)
    lethal = forms.IntegerField(label=_("Lethal"), min_value=0, max_value=30)
    aggravated = forms.IntegerField(label=_("Aggravated"), min_value=0, max_value=30)
    reason = line(_("Reason"))

    def prepare(self) -> None:
        super().prepare()
        if self.table.ruleset.health.one_by_one:
            self._prepare_injuries()
        elif self.picked is not None:
            self.initial.update({kind.value: self.picked.sheet.marks.count(kind) for kind in Damage})

    def _prepare_injuries(self) -> None:
        self.title = _("Edit injuries")
        for kind in Damage:
            del self.fields[kind.value]
        self.fields["injuries"] = forms.CharField(
            label=_("Injuries"),
            required=False,
            max_length=10_000,
            help_text=_("One per line: level, then cause, such as “4 axe”."),
            widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        )
        if self.picked is not None:
            lines = (f"{each.level} {each.cause}".strip() for each in self.picked.sheet.injuries)
            self.initial["injuries"] = "\n".join(lines)
        self.order_fields(["who", "injuries", "reason"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        found = []
        for text in filter(None, (each.strip() for each in (data.get("injuries") or "").splitlines())):
            level, _space, cause = text.partition(" ")
            if not re.fullmatch(r"[0-9]{1,3}", level):
                self.add_error("injuries", _now("Begin “%(line)s” with the injury’s level.") % {"line": text[:40]})
                return data
            found.append(Injury(int(level), cause.strip()))
        data["found"] = tuple(found)
        return data

    def command(self) -> SetHealth:
        said = self.cleaned_data
        marks = tuple(kind for kind in reversed(Damage) for _mark in range(said.get(kind.value) or 0))
        return SetHealth(said["who"], marks, said["reason"], said["found"])


@posted(ChangeConditions, name="conditions")
class ConditionsForm(AboutSomebody):
    """Sets a combatant's conditions. Only differences from `had`, the conditions shown, are applied."""

    title: Any = _("Conditions")
    submit = _("Save")
    storyteller_only = True
    follows_who = True
    had = forms.CharField(required=False, max_length=10_000, widget=forms.HiddenInput)
    have = forms.MultipleChoiceField(
        label=_("Conditions"), required=False, widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"})
    )
    other = called(_("Other condition"), most=40, help_text=_("Only a note: it has no effect on dice or actions."))
    reason = line(_("Reason"))

    def prepare(self) -> None:
        super().prepare()
        if self.view.outside_fights:
            self.title, self.help = _("Lasting conditions"), _("They stay until they end by rule or you end them here.")
            self.fields["reason"].required = True
        now = sorted(self.picked.conditions) if self.picked else []
        ruleset = self.table.ruleset
        of_house_rules = (each for each in ruleset.conditions if each.setting and ruleset.plays(each.setting))
        lasting = self.view.outside_fights
        found = (*ruleset.conditions.offered, *of_house_rules)
        offered = [each.key for each in found if not lasting or each.lasts is not Lasts.FIGHT]
        self.initial.update({"have": now, "had": "\n".join(now)})
        keys = dict.fromkeys([*now, *self.value("had").splitlines(), *offered])
        self.let_choose("have", [(key, self._described(key)) for key in keys])

    def _described(self, key: str) -> str:
        ruleset = self.table.ruleset
        condition = ruleset.conditions[key]
        label = said(condition.label)
        # Those that rules alone set, such as dodging, are read by the rules that set them.
        chosen = condition.offered or condition not in conditions()
        works = condition.works and ruleset.plays(condition.setting)
        return _now("%(condition)s (only a note)") % {"condition": label} if chosen and not works else label

    def command(self) -> ChangeConditions:
        said = self.cleaned_data
        had, other = frozenset(said["had"].splitlines()), "_".join(said["other"].lower().split())
        wanted = frozenset(said["have"]) | ({other} if other else frozenset())
        return ChangeConditions(said["who"], wanted - had, had - wanted, said["reason"])


@posted(SetVisibility, name="visibility")
class VisibilityForm(AboutSomebody):
    """Sets what players see of a combatant. Only the fields that were edited are changed."""

    title = _("What players see")
    submit = _("Save")
    storyteller_only = True
    follows_who = True
    hidden = forms.BooleanField(label=_("Hidden: players don’t know they’re there"), required=False)
    mask = called(_("Mask"), help_text=_("The name players see, such as “a tall man”."), most=60)
    health_shown = forms.ChoiceField(
        label=_("Health"),
        choices=[("boxes", _("the boxes")), ("word", _("a word, such as “badly hurt”")), ("nothing", _("nothing"))],
        widget=forms.RadioSelect(attrs={"class": "cards"}),
    )
    dice_shown = forms.BooleanField(
        label=_("Show their dice to the players"),
        required=False,
        help_text=_(
            "From now on, players see the numbers on the dice but not the dice pool. You can show or hide single rolls "
            "in the log."
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        if self.picked is not None and self.picked.player:
            del self.fields["dice_shown"]
        for name in self._settles():
            self.fields[name].show_hidden_initial = True
            if self.picked is not None:
                self.initial[name] = getattr(self.picked, name)

    def _settles(self) -> list[str]:
        return [name for name in ("hidden", "mask", "health_shown", "dice_shown") if name in self.fields]

    def command(self) -> SetVisibility:
        said, changed = self.cleaned_data, self.changed_data
        return SetVisibility(said["who"], **{name: said[name] for name in self._settles() if name in changed})


@posted(SetVisibility, name="hide")
class HideForm(AboutSomebody):
    """Hides a combatant from the players."""

    storyteller_only = True
    title = submit = _("Hide from players")
    hidden = True

    def command(self) -> SetVisibility:
        return SetVisibility(self.cleaned_data["who"], hidden=self.hidden)


@posted(SetVisibility, name="show")
class ShowForm(HideForm):
    """Shows a combatant to the players."""

    title = submit = _("Show to players")
    hidden = False


@posted(SetVisibility, name="health-shown")
class HealthShownForm(FieldsForm):
    """Sets how much of a combatant's health players see, by one button: "<id> <how>"."""

    fragment = ""
    storyteller_only = True
    show = forms.RegexField(r"^\S+ (boxes|word|nothing)$", max_length=40)

    def command(self) -> SetVisibility:
        who, _space, shown = str(self.cleaned_data["show"]).partition(" ")
        return SetVisibility(who, health_shown=shown)
