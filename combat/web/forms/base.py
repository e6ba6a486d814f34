"""What the forms of a fight share: whom they may name, and how they are drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, NameField, let_choose
from campaigns.marks import mark
from campaigns.models import Role
from campaigns.words import worded
from combat.commands import outside, rights
from combat.history import records
from combat.history.entries import Entry
from combat.history.reveal import as_seen_by
from combat.log import rows
from combat.panes.build import whole_log
from combat.panes.prompts import announced_by
from combat.secrecy.access import Seen
from combat.secrecy.audiences import STORYTELLER
from combat.secrecy.declarations import seen_by
from combat.web.forms.commanding import CommandForm
from rules.model.gear import Weapon
from rules.model.groups import members
from rules.model.past import Past
from rules.model.state import Combatant, Encounter, Exchange
from rules.model.system import Game, System

WORDS = 200
"""The longest text of one line: a reason, a declaration."""

Choices = list[tuple[str, str]]


def nothing_there(_resolution: str) -> tuple[None, tuple[str, ...]]:
    """What everybody finds who may not look back."""
    return None, ()


@dataclass(frozen=True, slots=True)
class Table:
    """The fight as whoever fills a form in may know it: for players only whom they see, under the names shown.

    `game` is for questions that roll nothing; what the Storyteller waives is the form's to say.
    `look_back` finds the row in which an attack was rolled and what has come since: for the Storyteller alone.
    `announced` are the attacks that wait: for players, those of their own.
    """

    game: Game
    own: frozenset[str]
    is_storyteller: bool
    look_back: Callable[[str], tuple[Past | None, tuple[str, ...]]] = nothing_there
    announced: tuple[Exchange, ...] = ()
    find_entries: Callable[[], Iterable[Entry]] = tuple

    @property
    def state(self) -> Encounter:
        """The fight's state as the reader may know it."""
        return self.game.state

    @property
    def ruleset(self) -> System:
        """The rules as the chronicle plays them."""
        return self.game.system

    def entry(self, token: str) -> Entry | None:
        """An entry of the whole log, for the Storyteller."""
        return next((entry for entry in self.find_entries() if entry.id == token), None)

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

    def is_down(self, who: str) -> bool:
        """Whether somebody is out of action, as far as the reader is shown."""
        combatant = self.state.combatants[who]
        shown = self.is_storyteller or who in self.own or combatant.health_shown != "nothing"
        return shown and bool(self.ruleset.health.follows(combatant.sheet))

    def comrades(self, who: str) -> tuple[str, ...]:
        """Those who still stand of the group that somebody is of: for the Storyteller alone."""
        if not self.is_storyteller or who not in self.state.combatants:
            return ()
        band = members(self.state, self.state.combatants[who].band)
        return tuple(each for each in band if each != who and not self.is_down(each))


def _whole_log(seen: Seen) -> Iterable[Entry]:
    return whole_log(records.read(seen.encounter), STORYTELLER)


def table_of(seen: Seen) -> Table:
    """The table as a member sees it."""
    ruleset = records.ruleset_for(seen.encounter)

    def everybody(state: Encounter) -> Encounter:
        outside_fights = seen.encounter.outside_fights
        return outside.with_everybody(state, seen.encounter.chronicle, ruleset) if outside_fights else state

    if seen.is_storyteller:
        state = everybody(rows.state_now(seen.encounter))
        look_back = partial(records.resolved_in, seen.encounter)
        entries = partial(_whole_log, seen)
        return Table(
            Game(state, ruleset),
            frozenset(),
            is_storyteller=True,
            look_back=look_back,
            announced=state.exchanges,
            find_entries=entries,
        )
    # Nobody plans on what they have not seen happen: a roll that only those who rolled see yet.
    fight = as_seen_by(records.read(seen.encounter), seen.audience)
    state, player = everybody(fight.state), seen.membership.role == Role.PLAYER
    own = rights.own_combatants(state, seen.membership, records.owners_in(state)) if player else frozenset()
    game = fight.game.at(state)
    known = seen_by(replace(fight, game=game), own)
    return Table(game.at(known), own, is_storyteller=False, announced=announced_by(state, own))


class FieldsForm(KeepsTyping, CommandForm):
    """A command's form with fields. `title` and `submit` are its heading and its button, `help` a sentence between.

    One that shows what is of `who` (`follows_who`) comes anew when somebody else is picked.
    """

    fragment = "combat/forms/_form.html"
    title: Any = ""
    submit: Any = ""
    help: Any = ""
    follows_who: ClassVar[bool] = False

    def value(self, name: str) -> str:
        """What a field holds, before it was checked."""
        return str((self.data if self.is_bound else self.initial).get(name) or "")

    def listed(self, name: str) -> list[str]:
        """All that a field of several holds, before it was checked; a key is never longer."""
        return [str(each)[:60] for each in self.data.getlist(name)] if hasattr(self.data, "getlist") else []

    def let_choose(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        """Settle what can be picked in a field: keys, with the words for each."""
        let_choose(self, name, choices)

    def choosable(self, name: str) -> list[str]:
        """The keys of what can be picked in a field, as it was settled."""
        field: Any = self.fields[name]
        return [key for key, _words in field.choices]

    @property
    def picked(self) -> Combatant | None:
        """Whom the form is about, as far as it is known yet."""
        return self.table.find(self.value("who"))

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
        self.let_choose("who", choices)
        if self.initial.get("who") not in dict(choices):
            self.initial["who"] = choices[0][0] if choices else ""
        if len(choices) == 1:
            self.fields["who"].widget = forms.HiddenInput()


class PutsAll(FieldsForm):
    """A form that shows all of something and puts it anew, with a mark of what was so when it was drawn."""

    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def prepare(self) -> None:
        super().prepare()
        self.initial["seen"] = self._mark(self.table.state)

    def puts(self, state: Encounter) -> object:
        """All that is put anew, as a state has it: texts, numbers, and lists of them."""
        raise NotImplementedError

    def _mark(self, state: Encounter) -> str:
        return mark(json.dumps(self.puts(state)))

    def still_so(self, state: Encounter) -> bool:
        return self.cleaned_data["seen"] in ("", self._mark(state))


def line(label: Any, *, required: bool = False, help_text: Any = "", most: int = WORDS) -> forms.CharField:
    """A field for a short text."""
    return forms.CharField(label=label, required=required, max_length=most, help_text=help_text)


def called(label: Any, *, help_text: Any = "", most: int) -> forms.CharField:
    """A field for what somebody or something is called, which may be left empty; else something of it must show."""
    return NameField(label=label, required=False, max_length=most, help_text=help_text)


def weapon_choices(weapons: Iterable[Weapon]) -> Choices:
    """Weapons by reference and name; rounds and faults said."""
    return [(weapon.key or weapon.name, _described(weapon)) for weapon in weapons]


def _described(weapon: Weapon) -> str:
    if weapon.fault is not None:
        return f"{weapon.name} ({worded(weapon.fault)})"
    return weapon.name if weapon.rounds is None else f"{weapon.name} ({weapon.rounds})"
