"""Those whom an attack may meet besides its target, where the rules and the weapon have that."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.forms.base import Choices
from combat.forms.circumstances import PicksCircumstances
from rules.gear import Weapon
from rules.modifiers import RANGED

ALSO, NEAR = "also", "near"


class MeetsSeveral(PicksCircumstances):
    """A form of an attack with further targets, and with people who stand near."""

    held: Weapon | None

    def prepare_targets(self, others: Choices) -> None:
        """Add the fields that the weapon and the rules ask for; `others` are all but attacker and target."""
        for name, label, there in (
            (ALSO, _("more targets"), self._bursts()),
            (NEAR, _("others close by"), self._endangers()),
        ):
            if there and others:
                self.fields[name] = forms.MultipleChoiceField(
                    label=label, required=False, choices=others, widget=forms.CheckboxSelectMultiple
                )

    def _bursts(self) -> bool:
        """Whether the weapon may meet several targets at once."""
        bursts = "several_targets" in self.table.ruleset.cites and any(rule.rounds for rule in self.offered)
        return bursts or any(rule.several for rule in self.offered)

    def _endangers(self) -> bool:
        """Whether the attack may hit those who stand near its target."""
        known = "into_melee" in self.table.ruleset.modifiers
        return known and self.held is not None and self.held.mode in RANGED

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields of those whom the attack may meet besides its target."""
        return [self[name] for name in (ALSO, NEAR) if name in self.fields]

    def targets(self) -> tuple[str, ...]:
        """Everybody whom the attack is meant for."""
        said = self.cleaned_data
        return tuple(dict.fromkeys((said["at"], *(said.get(ALSO) or ()))))

    def near(self) -> tuple[str, ...]:
        """Those who stand close by without being targets."""
        return tuple(who for who in self.cleaned_data.get(NEAR) or () if who not in self.targets())
