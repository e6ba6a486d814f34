"""Bodies: damage, healing, boxes, points, conditions; and what players learn of them."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.web.forms.base import AboutSomebody, FieldsForm, PutsAll, called, line
from combat.web.forms.commanding import posted
from rules.model.gear import Damage
from rules.model.sheet import LONGEST_CAUSE, Injury
from rules.model.state import Encounter
from rules.model.words import in_words
from rules.topics.commands import ChangeConditions, Harm, Heal, SetHealth, SetVisibility

TYPES = [("bashing", _("bashing")), ("lethal", _("lethal")), ("aggravated", _("aggravated"))]


def kind_of_damage(initial: str = "lethal") -> forms.ChoiceField:
    """A press for each kind of damage."""
    widget = forms.RadioSelect(attrs={"class": "cards three"})
    return forms.ChoiceField(label=_("Kind"), choices=TYPES, widget=widget, initial=initial)


@posted(Harm, name="damage")
class DamageForm(AboutSomebody):
    """Damage as it is said: no soak, no armour."""

    title = _("Damage")
    submit = _("Mark it")
    help = _("Marked as it is: no soak, no armour.")
    storyteller_only = True
    amount = forms.IntegerField(label=_("Levels"), min_value=1, max_value=30, initial=1)
    type = kind_of_damage()
    tags = forms.MultipleChoiceField(
        label=_("It is"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
        help_text=_("Whose bane it is suffers it as aggravated damage."),
    )
    reason = line(_("What did it"), most=LONGEST_CAUSE)

    def prepare(self) -> None:
        super().prepare()
        if self.table.ruleset.health.one_by_one:
            del self.fields["type"]
            self.fields["amount"].label = _("Level of the injury")
            self.help = _("An injury as it is: no armour.")
        banes = sorted(self.table.ruleset.banes)
        self.let_choose("tags", [(each, said(in_words(each))) for each in banes])
        if not banes:
            del self.fields["tags"]

    def command(self) -> Harm:
        said = self.cleaned_data
        tags = frozenset(said.get("tags") or ())
        return Harm(said["who"], said["amount"], Damage(said.get("type") or Damage.LETHAL), tags, said["reason"])


class PutsHealth(PutsAll, AboutSomebody):
    """A form about somebody's boxes, or about their injuries, which have no name but their place."""

    follows_who = True

    def puts(self, state: Encounter) -> object:
        found = state.combatants.get(self.value("who"))
        return found and [*found.sheet.marks, *([each.level, str(each.cause)] for each in found.sheet.injuries)]


@posted(Heal)
class HealForm(PutsHealth):
    """Levels of one kind, or hours of rest; one injury where they are kept one by one."""

    title = _("Heal")
    submit = _("Heal")
    help = _("The dead pay for it with blood, by their rules; the boxes can also be put as they should be.")
    storyteller_only = True
    amount = forms.IntegerField(label=_("Levels"), min_value=1, max_value=30, required=False, initial=1)
    type = kind_of_damage(initial="bashing")
    hours = forms.IntegerField(
        label=_("Or hours of rest"), min_value=1, max_value=24 * 365, required=False, help_text=_("In place of levels.")
    )

    def prepare(self) -> None:
        super().prepare()
        if self.table.ruleset.health.one_by_one:
            self._prepare_injuries()

    def still_so(self, state: Encounter) -> bool:
        # Levels of a kind are the same to heal whatever came meanwhile.
        return self.table.ruleset.health.one_by_one is None or super().still_so(state)

    def _prepare_injuries(self) -> None:
        self.help = _("One injury is healed, or made less grave. Scars stay.")
        del self.fields["type"], self.fields["hours"]
        injuries = self.picked.sheet.injuries if self.picked else ()
        choices = [(str(place), _told(injury)) for place, injury in enumerate(injuries, 1)]
        widget = forms.RadioSelect(attrs={"class": "cards"})
        self.fields["injury"] = forms.ChoiceField(label=_("Injury"), choices=choices, widget=widget, initial="1")
        amount = self.fields["amount"]
        amount.label, amount.initial, amount.help_text = _("By levels"), None, _("The whole injury when left empty.")
        self.order_fields(["who", "injury", "amount"])

    def command(self) -> Heal:
        said = self.cleaned_data
        if said.get("injury"):
            return Heal(said["who"], said["amount"], injury=int(said["injury"]))
        if said["hours"]:
            return Heal(said["who"], hours=said["hours"])
        return Heal(said["who"], said["amount"] or 1, Damage(said["type"]))


def _told(injury: Injury) -> str:
    """An injury in a few words: "4, axe"."""
    return f"{injury.level}, {said(injury.cause)}" if injury.cause else str(injury.level)


@posted(SetHealth, name="boxes")
class BoxesForm(PutsHealth):
    """The boxes, or the injuries, as the Storyteller says, whatever was rolled."""

    title = _("Put the boxes right")
    submit = _("Put them so")
    storyteller_only = True
    bashing = forms.IntegerField(label=_("Bashing"), min_value=0, max_value=30)
    lethal = forms.IntegerField(label=_("Lethal"), min_value=0, max_value=30)
    aggravated = forms.IntegerField(label=_("Aggravated"), min_value=0, max_value=30)
    reason = line(_("Why"))

    def prepare(self) -> None:
        super().prepare()
        if self.table.ruleset.health.one_by_one:
            self._prepare_injuries()
        elif self.picked is not None:
            self.initial.update({kind.value: self.picked.sheet.marks.count(kind) for kind in Damage})

    def _prepare_injuries(self) -> None:
        self.title = _("Put the injuries right")
        for kind in Damage:
            del self.fields[kind.value]
        self.fields["injuries"] = forms.CharField(
            label=_("Injuries"),
            required=False,
            max_length=10_000,
            help_text=_("One to a line: its level, then what caused it, such as “4 axe”."),
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
                self.add_error("injuries", _now("“%(line)s” begins with no level.") % {"line": text[:40]})
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
    """All of somebody's conditions: what is ticked they have. What came or went since it was drawn (`had`) stays so."""

    title = _("Conditions")
    submit = _("Set them")
    storyteller_only = True
    follows_who = True
    had = forms.CharField(required=False, max_length=10_000, widget=forms.HiddenInput)
    have = forms.MultipleChoiceField(
        label=_("They are"), required=False, widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"})
    )
    other = called(_("Something else"), most=40)

    def prepare(self) -> None:
        super().prepare()
        now = sorted(self.picked.conditions) if self.picked else []
        offered = [each.key for each in self.table.ruleset.conditions.offered]
        self.initial.update({"have": now, "had": "\n".join(now)})
        keys = dict.fromkeys([*now, *self.value("had").splitlines(), *offered])
        self.let_choose("have", [(key, said(in_words(key))) for key in keys])

    def command(self) -> ChangeConditions:
        said = self.cleaned_data
        had, other = frozenset(said["had"].splitlines()), "_".join(said["other"].lower().split())
        wanted = frozenset(said["have"]) | ({other} if other else frozenset())
        return ChangeConditions(said["who"], wanted - had, had - wanted)


@posted(SetVisibility, name="visibility")
class VisibilityForm(AboutSomebody):
    """What players learn of somebody: only what was changed in the form is changed."""

    title = _("What players see")
    submit = _("Save")
    storyteller_only = True
    follows_who = True
    hidden = forms.BooleanField(label=_("Hidden: players do not know that they are there"), required=False)
    mask = called(_("Mask"), help_text=_("The name that players read, such as “a tall man”."), most=60)
    health_shown = forms.ChoiceField(
        label=_("Health"),
        choices=[("boxes", _("the boxes")), ("word", _("a word: hurt, badly hurt")), ("nothing", _("nothing"))],
        widget=forms.RadioSelect(attrs={"class": "cards"}),
    )
    dice_shown = forms.BooleanField(
        label=_("Their dice are rolled before everybody’s eyes"),
        required=False,
        help_text=_("The faces alone, from now on. Each roll can be shown or hidden by itself in the log."),
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
    """Hide somebody from the players."""

    storyteller_only = True
    title = submit = _("Hide from the players")
    hidden = True

    def command(self) -> SetVisibility:
        return SetVisibility(self.cleaned_data["who"], hidden=self.hidden)


@posted(SetVisibility, name="show")
class ShowForm(HideForm):
    """Show somebody to the players."""

    title = submit = _("Show to the players")
    hidden = False


@posted(SetVisibility, name="health-shown")
class HealthShownForm(FieldsForm):
    """How much of somebody's health players see, in one press: "<id> <how>"."""

    fragment = ""
    storyteller_only = True
    show = forms.RegexField(r"^\S+ (boxes|word|nothing)$", max_length=40)

    def command(self) -> SetVisibility:
        who, _space, shown = str(self.cleaned_data["show"]).partition(" ")
        return SetVisibility(who, health_shown=shown)
