"""Overrides the result of a rolled attack, and shows the later entries that depend on it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from django import forms
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from combat.commands.dice import SystemDice
from combat.history.entries import Entry
from combat.web.forms.base import FieldsForm, line
from combat.web.forms.commanding import posted
from rules.engine.violations import RuleViolation
from rules.model.past import Past
from rules.model.results import AttackResult, Outcome
from rules.topics.attacks.overriding import MOST_SUCCESSES, rework
from rules.topics.attacks.past import resolved, results
from rules.topics.commands import OverrideAttack
from rules.topics.health.boxes import MOST_LEVELS

OUTCOMES = [("", _("as calculated")), ("hit", _("a hit")), ("miss", _("a miss"))]
BOTCH = ("botch", _("a botch"))
DRAMATIC = ("dramatic_failure", _("a dramatic failure"))


def figure(label: StrOrPromise, most: int) -> forms.IntegerField:
    """A number field. Empty keeps what was rolled."""
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=most)


@posted(OverrideAttack, name="override")
class OverrideForm(FieldsForm):
    """Corrects an attack's result. Health, conditions and consequences are recalculated."""

    fragment = "combat/forms/_override.html"
    title = _("Override")
    submit = _("Apply")
    help = _("Empty fields keep what was rolled. Everything that follows is recalculated from the same dice.")
    storyteller_only = True
    resolution = forms.CharField(max_length=12, widget=forms.HiddenInput)
    target = forms.ChoiceField(label=_("Target"), required=False)
    outcome = forms.ChoiceField(label=_("Result"), required=False, widget=forms.RadioSelect(attrs={"class": "cards"}))
    successes = figure(_("Attack successes"), MOST_SUCCESSES)
    levels = figure(_("Damage before soak"), MOST_LEVELS)
    soaked = figure(_("Soaked"), MOST_LEVELS)
    dealt = figure(_("Final damage"), MOST_LEVELS)
    reason = line(_("Reason"))

    def prepare(self) -> None:
        self.let_choose("outcome", [*OUTCOMES, self._worst()])
        names = {who: each.sheet.name for who, each in self.past.before.combatants.items()} if self.past else {}
        choices = [(each.target, names[each.target]) for each in self.results]
        self.let_choose("target", choices)
        if self.table.ruleset.attack.damage is None:
            del self.fields["levels"], self.fields["soaked"]
        if len(choices) == 1:
            self.fields["target"].widget = forms.HiddenInput()
            self.initial["target"] = choices[0][0]
            for name, now in self._figures(self.results[0]).items():
                if name in self.fields:
                    self.fields[name].widget.attrs["placeholder"] = now

    def _worst(self) -> tuple[str, object]:
        """The ruleset's outcome worse than a miss: a botch if a lone 1 botches, else a dramatic failure."""
        mechanic = self.table.ruleset.mechanic
        return BOTCH if mechanic.read((1,), mechanic.default).botch else DRAMATIC

    @staticmethod
    def _figures(result: AttackResult) -> dict[str, int]:
        done = result.done
        damage = {"levels": done.levels, "soaked": done.soaked, "dealt": done.dealt} if done else {"dealt": 0}
        return {"successes": result.attack.roll.successes, **damage}

    @cached_property
    def _found(self) -> tuple[Past | None, tuple[str, ...]]:
        return self.table.look_back(self.value("resolution"))

    @property
    def past(self) -> Past | None:
        """The row in which the attack was rolled, or None if there is none."""
        return self._found[0]

    @property
    def results(self) -> tuple[AttackResult, ...]:
        """The attack's current result for each target."""
        return results(self.past) if self.past else ()

    @property
    def standing_on_it(self) -> tuple[Entry, ...]:
        """The later entries that depend on what an override changes, newest first. They stay and are recalculated."""
        if self.past is None:
            return ()
        game = replace(self.table.game, dice=SystemDice(), past=self.past)
        touched: set[str] = set()
        for each in self.results:
            other = Outcome.MISS if each.done else Outcome.HIT
            try:
                found = rework(game, OverrideAttack(resolved(self.past).resolution, each.target, other.value))
            except RuleViolation:
                continue
            touched |= {self._found[1][place] for place in found.touched}
        return tuple(entry for entry in self.view.log.entries if entry.id in touched)

    def command(self) -> OverrideAttack:
        said = self.cleaned_data
        return OverrideAttack(
            said["resolution"],
            said["target"],
            said["outcome"],
            said["successes"],
            said.get("levels"),
            said.get("soaked"),
            said["dealt"],
            said["reason"],
        )
