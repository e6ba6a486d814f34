"""Continues an extended roll."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from combat.web.forms.typed import TypesDice, throw_of
from rules.engine.dice import Dice, Purpose, Throw
from rules.engine.violations import RuleViolation
from rules.model.state import ExtendedRoll
from rules.topics.commands import RollOn
from rules.topics.rolls.pools import plan_roll


@posted(RollOn)
class RollOnForm(TypesDice, FieldsForm):
    """The next roll of an extended roll: by one button, or with typed dice."""

    title = _("Continue the extended roll")
    submit = _("Roll")
    fragment = "combat/forms/_roll_on.html"
    roll = forms.CharField(max_length=40, widget=forms.HiddenInput)

    @property
    def going(self) -> ExtendedRoll | None:
        """The extended roll, if the reader may continue it."""
        asked = self.value("roll")
        found = next((each for each in self.table.state.extended if each.asked.id == asked), None)
        return found if found and self.table.may_act_for(found.command.by) else None

    def command(self) -> RollOn:
        return RollOn(self.cleaned_data["roll"])

    def expected(self) -> tuple[Throw, ...]:
        if not self.types_dice or not self.going:
            return ()
        try:
            plan = plan_roll(self.table.game, self.going.command)
        except RuleViolation:
            return ()
        throw = throw_of(Purpose.ROLL, self.going.command.by, plan)
        return (throw,) if throw.count else ()

    def dice(self) -> Dice | None:
        return self.typed_dice({self.going.command.by}) if self.types_dice and self.going else None
