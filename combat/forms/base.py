"""What the forms of a fight share: whom they may name, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping
from campaigns.models import Role
from combat import codec, outside, records, rights
from combat.access import Seen
from combat.command_forms import CommandForm
from combat.perspectives.sight import visible_state
from rules.encounter import Combatant, Encounter
from rules.gear import Weapon
from rules.ruleset import Ruleset

WORDS = 200
"""The longest text of one line: a reason, a declaration."""

Choices = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Table:
    """The fight as whoever fills a form in may know it: for players only whom they see, under the names shown."""

    state: Encounter
    ruleset: Ruleset
    own: frozenset[str]
    is_storyteller: bool

    def everybody(self) -> Choices:
        """Id and name of all whom the reader sees, in the order in which they act."""
        ranked = [who for rank in self.state.order for who in rank]
        rest = [who for who in self.state.combatants if who not in ranked]
        return [(who, self.state.combatants[who].sheet.name) for who in (*ranked, *rest)]

    def mine(self) -> Choices:
        """Those for whom the reader may act."""
        return [pair for pair in self.everybody() if self.is_storyteller or pair[0] in self.own]

    def find(self, who: str) -> Combatant | None:
        """Somebody of whom the reader knows."""
        return self.state.combatants.get(who)

    def may_act_for(self, who: str) -> bool:
        """Whether a form may be filled in for them."""
        return who in self.state.combatants and (self.is_storyteller or who in self.own)


def table_of(seen: Seen) -> Table:
    """The table as a member sees it."""
    ruleset, state = records.ruleset_for(seen.encounter), codec.load_state(seen.encounter.state)
    if seen.encounter.outside_fights:
        state = outside.with_everybody(state, seen.encounter.chronicle, ruleset)
    if seen.is_storyteller:
        return Table(state, ruleset, frozenset(), is_storyteller=True)
    player = seen.membership.role == Role.PLAYER
    own = rights.own_combatants(state, seen.membership, records.owners_in(state)) if player else frozenset()
    return Table(visible_state(state, own), ruleset, own, is_storyteller=False)


class FieldsForm(KeepsTyping, CommandForm):
    """A command's form with fields. `title` and `submit` are its heading and its button, `help` a sentence between."""

    fragment = "combat/_form.html"
    title: ClassVar[Any] = ""
    submit: ClassVar[Any] = ""
    help: ClassVar[Any] = ""
    storyteller_only: ClassVar[bool] = False

    @property
    def picked(self) -> Combatant | None:
        """Whom the form is about, as far as it is known yet."""
        who = self.data.get("who") if self.is_bound else self.initial.get("who")
        return self.table.find(str(who or ""))

    def waived(self) -> frozenset[str]:
        """Every rule that is let go by: each has a box of its own."""
        given = self.data.getlist("waive") if self.is_storyteller and hasattr(self.data, "getlist") else []
        return frozenset(rule for each in given for rule in each[:WORDS].split())

    def shown_fields(self) -> list[forms.BoundField]:
        """The form's own fields; those that every command has are drawn by `command_fields`."""
        return [field for field in self if field.name not in CommandForm.base_fields]


class AboutSomebody(FieldsForm):
    """A form about one combatant for whom the reader may act."""

    who = forms.ChoiceField(label=_("Who"))

    def prepare(self) -> None:
        choices = self.table.mine()
        self.fields["who"].choices = choices  # type: ignore[attr-defined]
        if self.initial.get("who") not in dict(choices):
            self.initial["who"] = choices[0][0] if choices else ""
        if len(choices) == 1:
            self.fields["who"].widget = forms.HiddenInput()


def line(label: Any, *, required: bool = False, help_text: Any = "", most: int = WORDS) -> forms.CharField:
    """A field for a short text."""
    return forms.CharField(label=label, required=required, max_length=most, help_text=help_text)


def weapon_choices(weapons: Iterable[Weapon]) -> Choices:
    """Weapons by reference and name; rounds and faults said."""
    return [(weapon.key or weapon.name, _described(weapon)) for weapon in weapons]


def _described(weapon: Weapon) -> str:
    if weapon.fault is not None:
        return f"{weapon.name} ({weapon.fault})"
    return weapon.name if weapon.rounds is None else f"{weapon.name} ({weapon.rounds})"
