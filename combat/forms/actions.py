"""What a ruleset knows besides attacks and defences: a list of what can be done now, and the form of each.

The fields are those that the action needs (:class:`rules.actions.Needs`); no action has a form of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.forms.base import AboutSomebody, Choices, line, weapon_choices
from combat.forms.typed import TypesDice
from combat.perspectives.figures import Manoeuvre
from combat.perspectives.possible import own_actions
from rules.actions import ActionRule, Aim, Needs, Want, Wanted, targets
from rules.commands import Figure, Modifier, TakeAction
from rules.dice import Dice
from rules.violations import bad_input

FIGURE = "figure_"
"""What the names of an action's own fields begin with."""


class OwnActionForm(TypesDice, AboutSomebody):
    """One of the ruleset's own actions: picked from a list, or in one press (`press`) where it needs nothing."""

    fragment = "combat/_action.html"
    title = _("Something else")
    submit = _("Do it")
    press = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)
    action = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self._pressed()
        super().prepare()
        if self.rule is None:
            return
        needs = self.rule.needs
        fields = {
            "at": self._aim(needs),
            "weapon": self._weapon(needs),
            **{FIGURE + wanted.key: self._figure(wanted) for wanted in self._figures()},
        }
        self.fields.update({name: field for name, field in fields.items() if field is not None})
        if needs.rolls and self.is_storyteller:
            if "difficulty" in self.table.ruleset.modifiers:
                self.fields["by"] = forms.IntegerField(label=_("Difficulty"), required=False, min_value=-9, max_value=9)
                self.fields["by_why"] = line(_("because"))
            self.fields["extra"] = forms.IntegerField(
                label=_("Extra dice"), required=False, min_value=-20, max_value=20
            )
            self.fields["extra_why"] = line(_("because"))

    def _pressed(self) -> None:
        """Read one press as the action and whose it is."""
        if self.is_bound and self.data.get("press"):
            key, _space, who = str(self.data["press"]).partition(" ")
            self.data = self.data.copy()
            self.data["action"], self.data["who"] = key, who

    # -------------------------------------------------------------- what there is

    @property
    def rule(self) -> ActionRule | None:
        """The action that is picked."""
        said = self.data.get("action") if self.is_bound else self.initial.get("action")
        found = self.table.ruleset.actions.get(str(said or ""))
        return None if found and found.needs.storytellers and not self.is_storyteller else found

    @property
    def heading(self) -> object:
        """The action's own name, once it is picked."""
        return self.rule.label if self.rule else self.title

    @cached_property
    def offered(self) -> tuple[Manoeuvre, ...]:
        """What can be picked, and what cannot now."""
        if self.picked is None:
            return ()
        state, ruleset = self.table.state, self.table.ruleset
        return own_actions(state, self.picked.id, ruleset, everything=self.is_storyteller)

    @property
    def rolls(self) -> bool:
        """Whether dice fall that can be typed."""
        return bool(self.rule and self.rule.needs.rolls)

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """The fields of what the action needs."""
        return [field for field in self if field.name in ("at", "weapon") or field.name.startswith(FIGURE)]

    # -------------------------------------------------------------- its fields

    def _figures(self) -> Iterable[Wanted]:
        assert self.rule is not None
        return (wanted for wanted in self.rule.needs.figures if self.is_storyteller or not wanted.storytellers)

    def _aim(self, needs: Needs) -> forms.Field | None:
        if needs.aim is Aim.NOBODY or self.picked is None:
            return None
        at = targets(self.table.state, self.picked.id, needs, self.table.ruleset)
        choices: Choices = [(who, self.table.state.combatants[who].sheet.name) for who in at]
        if needs.aim is Aim.SEVERAL:
            return forms.MultipleChoiceField(label=_("Against"), choices=choices, widget=forms.CheckboxSelectMultiple)
        nobody = [("", _("nobody else"))] if needs.aim is Aim.ANYBODY else []
        return forms.ChoiceField(label=_("Against"), choices=[*nobody, *choices], required=needs.aim is Aim.ONE)

    def _weapon(self, needs: Needs) -> forms.Field | None:
        if needs.weapon is None or self.picked is None:
            return None
        held = [weapon for weapon in self.picked.sheet.weapons if needs.weapon(weapon)]
        return forms.ChoiceField(label=_("With"), choices=weapon_choices(held))

    def _figure(self, wanted: Wanted) -> forms.Field:
        common = {"label": wanted.label, "required": wanted.needed, "help_text": wanted.help}
        match wanted.kind:
            case Want.NUMBER:
                return forms.IntegerField(min_value=wanted.least, max_value=wanted.most, **common)
            case Want.SWITCH:
                return forms.BooleanField(**{**common, "required": False})
            case Want.WORDS:
                return line(wanted.label, required=wanted.needed, help_text=wanted.help)
            case Want.CHOICE:
                choices = list(wanted.choices)
            case Want.SOMEBODY:
                choices = self.table.everybody()
        return forms.ChoiceField(choices=choices if wanted.needed else [("", _("none")), *choices], **common)

    # -------------------------------------------------------------- what it comes to

    def command(self) -> TakeAction:
        if self.rule is None:
            raise bad_input("Say what is to be done.")
        said = self.cleaned_data
        at = said.get("at") or ()
        return TakeAction(
            said["action"],
            said["who"],
            tuple(at) if isinstance(at, list) else (at,) if at else (),
            tuple(self._modifiers()),
            dict(self._said_figures()),
            said.get("weapon") or "",
        )

    def _said_figures(self) -> Iterable[tuple[str, Figure]]:
        for wanted in self._figures():
            value = self.cleaned_data.get(FIGURE + wanted.key)
            if value not in (None, "", False):
                yield wanted.key, value

    def _modifiers(self) -> Iterable[Modifier]:
        said = self.cleaned_data
        if said.get("by"):
            yield Modifier("difficulty", {"by": said["by"], "why": said.get("by_why") or ""})
        if said.get("extra"):
            yield Modifier("circumstance", {"dice": said["extra"], "why": said.get("extra_why") or ""})

    def dice(self) -> Dice | None:
        if not self.types_dice:
            return None
        command = self.command()
        return self.typed_dice({command.by, *(command.at if self.is_storyteller else ())})
