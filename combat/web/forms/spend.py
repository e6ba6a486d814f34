"""Spending points of a resource, with a button for each amount that the rules allow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.panes.possible import refusal
from combat.web.forms.base import AboutSomebody, line
from combat.web.forms.commanding import posted
from rules.decide import decide
from rules.engine.dice import StopAtDice
from rules.engine.violations import Refusal
from rules.model.sheet import Resource
from rules.topics.commands import Spend

MOST_OFFERED = 10


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of points, and why it can't be spent (None if it can)."""

    points: int
    refusal: Refusal | None


@posted(Spend)
class SpendForm(AboutSomebody):
    """Spends points of a resource; the Storyteller may also restore them."""

    title: Any = _("Spend")
    submit: Any = _("Spend")
    fragment = "combat/forms/_spend.html"
    resource = forms.ChoiceField(label=_("Resource"), widget=forms.RadioSelect(attrs={"class": "cards"}))
    amount = forms.IntegerField(label=_("Points"), min_value=1, max_value=100, initial=1)
    back = forms.BooleanField(label=_("Restore points instead"), required=False)
    reason = line(_("Reason"))

    def prepare(self) -> None:
        super().prepare()
        layout, picked = self.table.ruleset.layout, self.picked
        known = layout.resources_for(picked.sheet.kind) if picked else layout.resources
        choices = [(each.key, self._described(each)) for each in known]
        self.let_choose("resource", choices)
        if choices:
            self.initial.setdefault("resource", choices[-1][0])
        if not self.table.is_storyteller:
            del self.fields["back"]

    def _described(self, resource: Resource) -> str:
        return f"{said(resource.label)}: {self._left(resource)}" if self.picked else said(resource.label)

    def _left(self, resource: Resource) -> str:
        if self.picked is None:
            return ""
        layout, sheet = self.table.ruleset.layout, self.picked.sheet
        told = f"{layout.points(sheet, resource.key)} / {layout.maximum(sheet, resource.key)}"
        most = layout.per_turn(sheet, resource.key)
        if most is None or self.table.state.outside_fights:
            return told
        return _now("%(told)s, at most %(most)s a turn") % {"told": told, "most": most}

    def command(self) -> Spend:
        said = self.cleaned_data
        amount = -said["amount"] if said.get("back") else said["amount"]
        return Spend(said["who"], said["resource"], amount, said["reason"])

    @cached_property
    def known(self) -> dict[str, Resource]:
        """The picked combatant's resources, by key."""
        picked = self.picked
        return {each.key: each for each in self.table.ruleset.layout.resources_for(picked.sheet.kind)} if picked else {}

    @property
    def of(self) -> Resource | None:
        """The picked resource, if any."""
        return self.known.get(self.value("resource"))

    @property
    def told(self) -> str:
        """The points left, the maximum, and the limit per turn."""
        return self._left(self.of) if self.of else ""

    def others(self) -> list[Resource]:
        """The other resources."""
        return [each for each in self.known.values() if each != self.of]

    def offered(self) -> list[Amount]:
        """The amounts that can be spent."""
        return [each for each in self._amounts if each.refusal is None]

    def stop(self) -> Amount | None:
        """The first amount that is forbidden, unless it is more than `MOST_OFFERED`."""
        return next((each for each in self._amounts if each.refusal), None)

    @cached_property
    def _amounts(self) -> list[Amount]:
        found: list[Amount] = []
        while self.picked and self.of and len(found) < MOST_OFFERED and not (found and found[-1].refusal):
            spend = Spend(self.picked.id, self.of.key, len(found) + 1)
            found.append(Amount(spend.amount, self._forbids(spend)))
        return found

    def _forbids(self, spend: Spend) -> Refusal | None:
        return refusal(lambda: decide(self.table.state, spend, self.table.ruleset, StopAtDice()))


@posted(Spend, name="regain")
class RegainForm(SpendForm):
    """Restores points, at most up to the maximum: feeding, rest, or what the Storyteller grants."""

    title: Any = _("Regain points")
    submit: Any = _("Regain")
    help: Any = _("No rule sets the amount: enter it, or roll and take the successes. It stops at the maximum.")
    fragment = "combat/forms/_form.html"
    storyteller_only = True

    def prepare(self) -> None:
        super().prepare()
        self.fields.pop("back", None)

    def command(self) -> Spend:
        said = self.cleaned_data
        layout, sheet = self.table.ruleset.layout, self.table.state.combatants[said["who"]].sheet
        room = layout.maximum(sheet, said["resource"]) - layout.points(sheet, said["resource"])
        return Spend(said["who"], said["resource"], -min(said["amount"], room if room > 0 else 1), said["reason"])
