"""Checkbox for spending a point of Willpower on a roll."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm
from rules.model.choices import Modifier
from rules.model.state import Combatant

KEY = "willpower"
"""Key of the circumstance, and of the resource that it costs."""


class SpendsWillpower(FieldsForm):
    """A form for a roll on which a point can be spent."""

    willpower = forms.BooleanField(label=_("Spend a point of Willpower"), required=False)

    @property
    def spender(self) -> Combatant | None:
        """The combatant whose Willpower is spent, if known."""
        raise NotImplementedError

    @property
    def willpower_left(self) -> int:
        """The points they have left."""
        return self.table.ruleset.layout.points(self.spender.sheet, KEY) if self.spender else 0

    def offer_willpower(self, *, rolls: bool = True) -> None:
        """Remove the checkbox if nothing is rolled or the ruleset has no such rule."""
        if not rolls or KEY not in self.table.ruleset.modifiers:
            del self.fields["willpower"]

    @property
    def willpower_spent(self) -> tuple[Modifier, ...]:
        """The circumstance if the checkbox is ticked; also works before the form is sent."""
        field = self.fields.get("willpower")
        return (Modifier(KEY),) if field and field.to_python(self["willpower"].value()) else ()
