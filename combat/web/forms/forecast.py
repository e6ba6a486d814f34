"""What a forecast is asked: each combatant's policy, the what-if, and the seed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import Choices, KeepsTyping, let_choose
from campaigns.words import said
from combat.desk.forecast.pages import SURPRISED
from combat.desk.forecast.question import WhatIf
from combat.web.forms.groups import SIDES
from rules.engine.violations import RuleViolation
from rules.forecast.changes import Ambush
from rules.forecast.policies import POLICIES, default_policy
from rules.forecast.setup import MOST_DISTANCE, Setup
from rules.forecast.setup import SIDES as FIGHTING
from rules.model.state import Side

POLICY = "policy-"
MOST_SEED = 999_999_999
NEW_SEEDS = 1_000_000
"""New seeds are below this, so that they are easy to read aloud."""

NONE = ("", "–")


def _whole_number(most: int, **more: Any) -> forms.IntegerField:
    """An optional field for a number from 0 to `most`, which says so if it gets anything else."""
    sentence = format_lazy(_("Enter a whole number from 0 to {most}."), most=most)
    errors = dict.fromkeys(("invalid", "min_value", "max_value"), sentence)
    return forms.IntegerField(required=False, min_value=0, max_value=most, error_messages=errors, **more)


class ForecastForm(KeepsTyping, forms.Form):
    """The question of a forecast, about the fight of `setup`, with the policies `chosen` so far."""

    more = forms.ChoiceField(label=_("One more of"), required=False)
    armor = forms.ChoiceField(label=_("Better armour for"), required=False)
    better = forms.TypedChoiceField(
        label=_("Armour rating"), required=False, coerce=int, choices=[(n, f"+{n}") for n in range(1, 6)]
    )
    surprised = forms.ChoiceField(label=_("Ambush"), required=False)
    distance = _whole_number(MOST_DISTANCE, label=_("Distance between the sides"))
    moved = forms.ChoiceField(label=_("Other side for"), required=False)
    seed = _whole_number(
        MOST_SEED,
        label=_("Seed"),
        help_text=_("Leave it empty for a new one. The same seed plays the same fights again."),
        widget=forms.NumberInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, data: Any = None, *, setup: Setup, chosen: Mapping[str, str], what_if: WhatIf, **more: Any
    ) -> None:
        initial = {name: getattr(what_if, name) for name in ("more", "armor", "better", "surprised", "distance")}
        initial |= {"moved": f"{what_if.to} {what_if.moved}" if what_if.moved else ""}
        people = setup.state.combatants
        self._usual = {who: default_policy(setup.system, each).key for who, each in people.items()}
        initial |= {f"{POLICY}{who}": key for who, key in {**self._usual, **chosen}.items()}
        super().__init__(data, initial=initial, **more)
        self._setup = setup
        names = [(who, str(each.sheet.name)) for who, each in people.items() if each.side in FIGHTING]
        self._sides: dict[Side, list[str]] = {}
        for who, each in people.items():
            if each.side in FIGHTING:
                self._sides.setdefault(each.side, []).append(f"{POLICY}{who}")
                self.fields[f"{POLICY}{who}"] = forms.ChoiceField(
                    label=each.sheet.name, required=False, choices=self._policies(who)
                )
        let_choose(self, "more", [NONE, *names])
        let_choose(self, "armor", [NONE, *names])
        let_choose(self, "moved", [NONE, *self._moves()])
        sides = [(side.value, SURPRISED[side]) for side in FIGHTING if self._may_be_ambushed(side)]
        if sides:
            let_choose(self, "surprised", [("", _("Nobody is surprised")), *sides])
        else:
            del self.fields["surprised"]
        distance = self.fields["distance"]
        distance.help_text = _now("In %(unit)s. Without one, everybody is within reach.") % {
            "unit": said(setup.system.short_unit)
        }

    def _policies(self, who: str) -> Choices:
        default = _now("{policy} (default)")
        labels = {key: said(each.label) for key, each in POLICIES.items()}
        return [
            (key, default.format(policy=label) if key == self._usual[who] else label) for key, label in labels.items()
        ]

    def _moves(self) -> Iterator[tuple[str, Choices]]:
        people = self._setup.state.combatants.items()
        for side, label in {**SIDES, Side.OTHERS: _("Takes no part")}.items():
            found = [(f"{side} {who}", str(each.sheet.name)) for who, each in people if each.side is not side]
            if found:
                yield str(label), found

    def _may_be_ambushed(self, side: Side) -> bool:
        try:
            Ambush(side).apply(self._setup)
        except RuleViolation:
            return False
        return True

    @property
    def sides(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The policies of each side: its label and the fields."""
        return [(SIDES[side], [self[name] for name in self._sides[side]]) for side in FIGHTING if side in self._sides]

    def chosen(self) -> dict[str, str]:
        """The keys of the policies that aren't the default, by combatant."""
        said = self.cleaned_data.items()
        found = {name.removeprefix(POLICY): key for name, key in said if name.startswith(POLICY) and key}
        return {who: key for who, key in found.items() if key != self._usual[who]}

    def what_if(self) -> WhatIf:
        """The what-if."""
        said = self.cleaned_data
        to, _space, moved = said["moved"].partition(" ")
        return WhatIf(
            said["more"], said["armor"], said["better"] or 1, said.get("surprised", ""), said["distance"], moved, to
        )

    def chosen_seed(self) -> int:
        """The seed that was typed, or a new one."""
        typed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(NEW_SEEDS) if typed is None else typed
