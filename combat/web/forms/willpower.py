"""A point of Willpower for a roll: a box to tick in its form."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm
from rules.model.choices import Modifier
from rules.model.state import Combatant

KEY = "willpower"
"""The circumstance, and the resource of which it costs a point."""


class SpendsWillpower(FieldsForm):
    """A form of a roll for which somebody may spend a point."""

    willpower = forms.BooleanField(label=_("Spend a point of Willpower"), required=False)

    @property
    def spender(self) -> Combatant | None:
        """Whose Willpower it is, as far as that is known."""
        raise NotImplementedError

    @property
    def willpower_left(self) -> int:
        """How many points they have."""
        return self.table.ruleset.layout.points(self.spender.sheet, KEY) if self.spender else 0

    def offer_willpower(self, *, rolls: bool = True) -> None:
        """Take the box out where nothing is rolled, or the ruleset has no use for it."""
        if not rolls or KEY not in self.table.ruleset.modifiers:
            del self.fields["willpower"]

    @property
    def willpower_spent(self) -> tuple[Modifier, ...]:
        """The circumstance, where the box is ticked: also before the form is sent."""
        field = self.fields.get("willpower")
        return (Modifier(KEY),) if field and field.to_python(self["willpower"].value()) else ()
