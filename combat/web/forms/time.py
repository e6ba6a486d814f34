"""The form for time that passes: for whom, how long, with which care."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping
from campaigns.marks import mark
from campaigns.words import said
from combat.panes.figures import Health
from combat.panes.sheets import health_of
from combat.web.forms.base import line
from combat.web.forms.commanding import MEANS_NOTHING
from rules.model.sheet import Injury
from rules.model.state import Combatant
from rules.model.system import Game
from rules.topics.commands import Care, PassTime
from rules.topics.health.passing import MOST_HOURS, MOST_MINUTES, cares, sets_pace

UNITS = {"hours": 1, "nights": 24, "weeks": 7 * 24}
CARE = {Care.NONE: _("no care"), Care.CARE: _("medical care"), Care.HOSPITAL: _("hospital")}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A character in the list: with health, the reason why no time passes for them (`busy`, "" for none), and fields.

    `care` is the choice of medical care, None where it makes no difference. `levels` are the fields for the injuries.
    """

    id: str
    name: str
    player: bool
    health: Health
    busy: str
    checked: bool
    care: forms.BoundField | None
    levels: tuple[forms.BoundField, ...]


class TimeForm(KeepsTyping, forms.Form):
    """Time for many characters. `game` has all of the chronicle's, `busy` the names of the fights they are in.

    Medical care, dusk, bleeding, and injuries to heal by hand are asked for where the rules leave them open.
    """

    amount = forms.IntegerField(label=_("How long"), min_value=1, max_value=MOST_HOURS, initial=1)
    unit = forms.ChoiceField(
        label=_("Unit"),
        choices=[("hours", _("hours")), ("nights", _("nights")), ("weeks", _("weeks"))],
        initial="nights",
        widget=forms.RadioSelect(attrs={"class": "cards three"}),
    )
    dusk = forms.BooleanField(
        label=_("Vampires spend a point of blood at each dusk"),
        required=False,
        help_text=_("Your decision: only a rule about the staked asks for it. In torpor, nobody rises."),
    )
    bleeding = forms.IntegerField(
        label=_("Minutes per level of bleeding"),
        min_value=0,
        max_value=MOST_MINUTES,
        required=False,
        help_text=_("For those who bleed without care. The rule leaves this to you. Leave empty for no further harm."),
    )
    why = line(_("Reason"), required=False, help_text=_("Required if you heal injuries. Players don’t see it."))
    who = forms.MultipleChoiceField(
        label=_("Characters"),
        required=False,
        error_messages={"invalid_choice": _("A character you chose is no longer in this chronicle.")},
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, game: Game, busy: Mapping[str, str], **more: Any) -> None:
        self.game, self.busy = game, busy
        people = game.state.combatants
        super().__init__(data, **more)
        self.fields["who"].choices = [(who, each.sheet.name) for who, each in people.items()]  # type: ignore[attr-defined]
        self.initial.setdefault("who", [who for who, each in people.items() if each.player and who not in busy])
        for who, each in people.items():
            self._ask_about(who, each)
        self._leave_out()

    def _ask_about(self, who: str, combatant: Combatant) -> None:
        name = {"name": combatant.sheet.name}
        if matters := cares(self.game, who):
            self.fields[f"care-{who}"] = forms.ChoiceField(
                label=_now("Care for %(name)s") % name,
                choices=[(care.value, CARE[care]) for care in matters],
                required=False,
            )
        if self.by_hand:
            for number, injury in enumerate(combatant.sheet.injuries):
                self.fields[f"levels-{who}-{number}"] = forms.IntegerField(
                    label=_now("%(injury)s: improve by") % {"injury": _told(injury)},
                    min_value=0,
                    max_value=injury.level,
                    required=False,
                )

    def _leave_out(self) -> None:
        """Remove the fields that make no difference to anybody here."""
        people, health = self.game.state.combatants.values(), self.game.system.health
        if self.by_hand or not any(health.by_blood(each.sheet) for each in people):
            del self.fields["dusk"]
        if not any(sets_pace(self.game, each.id) for each in people):
            del self.fields["bleeding"]
        if not self.by_hand:
            del self.fields["why"]

    @property
    def press(self) -> str:
        """The press's idempotency key, "" for none."""
        key = str(self.data.get("key", ""))
        return key if re.fullmatch(r"[0-9a-f]{32}", key) else ""

    @property
    def sent(self) -> str:
        """A digest of what was sent, to tell a repeated press from another one with the same key."""
        pairs = sorted((name, self.data.getlist(name)) for name in self.data if name not in MEANS_NOTHING)
        return mark(json.dumps(pairs))

    def as_first_shown(self) -> TimeForm:
        """The same form with its initial choices, as if they had been sent: for the first preview."""
        first = {name: [self.get_initial_for_field(self.fields[name], name)] for name in ("amount", "unit")}
        return TimeForm(MultiValueDict({**first, "who": self.initial["who"]}), game=self.game, busy=self.busy)

    @property
    def chooses_npcs(self) -> bool:
        """Whether any of the Storyteller's characters is chosen."""
        return any(each.checked and not each.player for each in self.candidates())

    @property
    def by_hand(self) -> bool:
        """Whether no rule says how long injuries take."""
        return self.game.system.health.one_by_one is not None

    def candidates(self) -> Iterator[Candidate]:
        """The characters to choose from, players' first."""
        chosen = set(self["who"].value() or ())
        for who, each in self.game.state.combatants.items():
            busy = self.busy.get(who, "")
            levels = [self[f"levels-{who}-{number}"] for number in range(len(each.sheet.injuries)) if self.by_hand]
            yield Candidate(
                who,
                each.sheet.name,
                each.player,
                health_of(each, self.game.system, full=True),
                busy,
                who in chosen and not busy,
                self[f"care-{who}"] if f"care-{who}" in self.fields and not busy else None,
                tuple(levels) if not busy else (),
            )

    def clean_who(self) -> list[str]:
        """At least one character, and none in a fight."""
        chosen: list[str] = self.cleaned_data["who"]
        if not chosen:
            raise forms.ValidationError(_now("Choose at least one character."))
        for who in chosen:
            if who in self.busy:
                name = self.game.state.combatants[who].sheet.name
                raise forms.ValidationError(
                    _now("%(name)s is in the fight “%(fight)s”. End it first.")
                    % {"name": name, "fight": self.busy[who]}
                )
        return chosen

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "amount" in data and "unit" in data and data["amount"] * UNITS[data["unit"]] > MOST_HOURS:
            self.add_error("amount", _now("Enter at most ten years."))
        if any(any(levels) for levels in self._levels(data).values()) and not data.get("why"):
            self.add_error("why", _now("Give the reason for the levels that heal by your decision."))
        return data

    def command(self) -> PassTime:
        """The command of a valid form."""
        data = self.cleaned_data
        who = tuple(data["who"])
        given = {each: Care(data.get(f"care-{each}") or Care.NONE) for each in who}
        return PassTime(
            who,
            data["amount"] * UNITS[data["unit"]],
            {each: care for each, care in given.items() if care is not Care.NONE},
            data.get("dusk", False),
            data.get("bleeding") or 0,
            {each: levels for each, levels in self._levels(data).items() if any(levels)},
            data.get("why", ""),
        )

    def _levels(self, data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
        if not self.by_hand:
            return {}
        people = self.game.state.combatants
        return {
            who: tuple(data.get(f"levels-{who}-{number}") or 0 for number in range(len(people[who].sheet.injuries)))
            for who in data.get("who", ())
        }


def _told(injury: Injury) -> str:
    """An injury in a few words, such as "4, axe"."""
    return f"{injury.level}, {said(injury.cause)}" if injury.cause else str(injury.level)
