"""Base classes of a fight's forms, and the `Table` from which they take their choices."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, NameField, let_choose
from campaigns.marks import mark
from campaigns.models import Role
from campaigns.words import worded
from characters.models import Weapon as WeaponRow
from characters.sheets import weapon_table
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
"""Maximum length of a one-line text, such as a reason or a declaration."""

Choices = list[tuple[str, str]]


def nothing_there(_resolution: str) -> tuple[None, tuple[str, ...]]:
    """The `look_back` of readers who may not look back."""
    return None, ()


@dataclass(frozen=True, slots=True)
class Table:
    """The fight as the form's reader knows it: players only see visible combatants, under their shown names.

    `game` answers questions that need no roll; the form adds what the Storyteller waives.
    `look_back` finds the row in which an attack was rolled and what happened since; for the Storyteller only.
    `announced` are the waiting attacks; for players, only their own. `find_weapons` gives the Storyteller the weapons
    of the chronicle's tables, by key.
    """

    game: Game
    own: frozenset[str]
    is_storyteller: bool
    look_back: Callable[[str], tuple[Past | None, tuple[str, ...]]] = nothing_there
    announced: tuple[Exchange, ...] = ()
    find_entries: Callable[[], Iterable[Entry]] = tuple
    find_weapons: Callable[[], Mapping[str, WeaponRow]] = dict

    @property
    def state(self) -> Encounter:
        """The fight's state as the reader knows it."""
        return self.game.state

    @property
    def ruleset(self) -> System:
        """The rules as the chronicle plays them."""
        return self.game.system

    def entry(self, token: str) -> Entry | None:
        """The entry of the whole log with this token; for the Storyteller."""
        return next((entry for entry in self.find_entries() if entry.id == token), None)

    def everybody(self) -> Choices:
        """Id and name of every combatant the reader sees, in turn order."""
        ranked = [who for rank in self.state.order for who in rank]
        rest = [who for who in self.state.combatants if who not in ranked]
        return [(who, self.state.combatants[who].sheet.name) for who in (*ranked, *rest)]

    def mine(self) -> Choices:
        """Id and name of the combatants the reader may act for."""
        return [pair for pair in self.everybody() if self.is_storyteller or pair[0] in self.own]

    def find(self, who: str) -> Combatant | None:
        """The combatant, if the reader sees them."""
        return self.state.combatants.get(who)

    def may_act_for(self, who: str) -> bool:
        """Whether the reader may act for them."""
        return who in self.state.combatants and (self.is_storyteller or who in self.own)

    def is_down(self, who: str) -> bool:
        """Whether the reader can see that the combatant is out of action."""
        combatant = self.state.combatants[who]
        shown = self.is_storyteller or who in self.own or combatant.health_shown != "nothing"
        return shown and bool(self.ruleset.health.follows(combatant.sheet))

    def comrades(self, who: str) -> tuple[str, ...]:
        """The other members of the combatant's group who are not down; for the Storyteller only."""
        if not self.is_storyteller or who not in self.state.combatants:
            return ()
        band = members(self.state, self.state.combatants[who].band)
        return tuple(each for each in band if each != who and not self.is_down(each))


def _whole_log(seen: Seen) -> Iterable[Entry]:
    return whole_log(records.read(seen.encounter), STORYTELLER)


def table_of(seen: Seen) -> Table:
    """The table of a member."""
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
            find_weapons=partial(weapon_table, seen.encounter.chronicle),
        )
    # Without held rolls: nobody plans with what they haven't seen happen yet.
    fight = as_seen_by(records.read(seen.encounter), seen.audience)
    state, player = everybody(fight.state), seen.membership.role == Role.PLAYER
    owners = fight.owners if state is fight.state else records.people_in(state).owners
    own = rights.own_combatants(state, seen.membership, owners) if player else frozenset()
    game = fight.game.at(state)
    known = seen_by(replace(fight, game=game), own)
    return Table(game.at(known), own, is_storyteller=False, announced=announced_by(state, own))


class FieldsForm(KeepsTyping, CommandForm):
    """A command's form with fields. `title` is its heading, `submit` its button's label, `help` a sentence in between.

    `follows_who`: the form shows data of the combatant in `who`, so it reloads when another is picked. `below` is a
    template shown below the fields, which reloads as they are filled in.
    """

    fragment = "combat/forms/_form.html"
    title: Any = ""
    submit: Any = ""
    help: Any = ""
    follows_who: ClassVar[bool] = False
    below: ClassVar[str] = ""

    def value(self, name: str) -> str:
        """A field's raw value."""
        return str((self.data if self.is_bound else self.initial).get(name) or "")

    def listed(self, name: str) -> list[str]:
        """The raw values of a multiple-choice field, cut to the length of the longest key."""
        return [str(each)[:60] for each in self.data.getlist(name)] if hasattr(self.data, "getlist") else []

    def let_choose(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        """Set a field's choices: pairs of key and label."""
        let_choose(self, name, choices)

    def choosable(self, name: str) -> list[str]:
        """The keys of a field's choices."""
        field: Any = self.fields[name]
        return [key for key, _words in field.choices]

    @property
    def picked(self) -> Combatant | None:
        """The combatant the form is about, once picked."""
        return self.table.find(self.value("who"))

    def waived(self) -> frozenset[str]:
        """The ids of the waived rules, from one checkbox each."""
        given = self.data.getlist("waive") if self.is_storyteller and hasattr(self.data, "getlist") else []
        return frozenset(rule for each in given for rule in each[:WORDS].split())

    def shown_fields(self) -> list[forms.BoundField]:
        """The form's own fields, without the common ones that `command_fields` draws."""
        return [field for field in self if field.name not in CommandForm.base_fields]


def take_press(form: forms.Form, *names: str) -> None:
    """Fill in these fields from the value of a single button (`press`), which holds them separated by spaces."""
    if form.is_bound and form.data.get("press"):
        pressed = str(form.data["press"]).split(" ", len(names) - 1)
        data: Any = form.data
        data = data.copy()
        for name, value in zip_longest(names, pressed, fillvalue=""):
            data[name] = value
        form.data = data


class AboutSomebody(FieldsForm):
    """A form about one combatant the reader may act for."""

    who = forms.ChoiceField(label=_("Who"))

    def prepare(self) -> None:
        choices = self.table.mine()
        self.let_choose("who", choices)
        if self.initial.get("who") not in dict(choices):
            self.initial["who"] = choices[0][0] if choices else ""
        if len(choices) == 1:
            self.fields["who"].widget = forms.HiddenInput()


class PutsAll(FieldsForm):
    """A form that shows a whole value and replaces it. `seen`, a digest of the value shown, detects edit conflicts."""

    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def prepare(self) -> None:
        super().prepare()
        self.initial["seen"] = self._mark(self.table.state)

    def puts(self, state: Encounter) -> object:
        """The current value in this state of what the form replaces, as JSON-compatible data."""
        raise NotImplementedError

    def _mark(self, state: Encounter) -> str:
        return mark(json.dumps(self.puts(state)))

    def still_so(self, state: Encounter) -> bool:
        return self.cleaned_data["seen"] in ("", self._mark(state))


def line(label: Any, *, required: bool = False, help_text: Any = "", most: int = WORDS) -> forms.CharField:
    """A one-line text field."""
    return forms.CharField(label=label, required=required, max_length=most, help_text=help_text)


def called(label: Any, *, help_text: Any = "", most: int) -> forms.CharField:
    """An optional name field; a name must have visible characters."""
    return NameField(label=label, required=False, max_length=most, help_text=help_text)


def weapon_choices(weapons: Iterable[Weapon]) -> Choices:
    """Weapons as choices: reference, and name with rounds, fault, or the place of one that is put away."""
    return [(weapon.key or weapon.name, _described(weapon)) for weapon in weapons]


def _described(weapon: Weapon) -> str:
    if weapon.fault is not None or not weapon.drawn:
        return f"{weapon.name} ({worded(weapon.fault or weapon.carried)})"
    return weapon.name if weapon.rounds is None else f"{weapon.name} ({weapon.rounds})"
