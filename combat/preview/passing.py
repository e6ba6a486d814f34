"""What time would do to characters: each sheet before and after, decided on a copy of the chronicle's log.

Nothing is written. A preview has a fingerprint, and time passes only if it still leads to exactly this.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.words import said
from combat.log import codec
from combat.panes.figures import Health
from combat.panes.sheets import conditions_of, health_of
from rules.decide import decide
from rules.engine.dice import NO_DICE
from rules.engine.messages import Event, replay
from rules.model import points
from rules.model.conditions import DEAD, TORPOR, condition_of
from rules.model.state import Combatant, Encounter
from rules.model.system import Game, System
from rules.topics.commands import Care, PassTime
from rules.topics.events import ResourceChanged
from rules.topics.health.blood import DUSK
from rules.topics.health.passing import dusks_in


@dataclass(frozen=True, slots=True)
class Points:
    """A resource before and after."""

    label: str
    was: int
    now: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One character before and after. `fate` is a death or torpor in words, "" for neither; `notes` are remarks.

    `over` and `new` are the conditions that end and begin, in words.
    """

    id: str
    name: str
    was: Health
    now: Health
    points: tuple[Points, ...]
    over: tuple[str, ...]
    new: tuple[str, ...]
    fate: str
    notes: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether anything on the sheet changes."""
        return self.was != self.now or bool(self.points or self.over or self.new)


@dataclass(frozen=True, slots=True)
class Preview:
    """The outcomes in the order of the command, and their fingerprint."""

    outcomes: tuple[Outcome, ...]
    fingerprint: str

    @property
    def changed(self) -> tuple[Outcome, ...]:
        """Those whose sheet changes."""
        return tuple(each for each in self.outcomes if each.changes)

    @property
    def unchanged(self) -> tuple[Outcome, ...]:
        """All others."""
        return tuple(each for each in self.outcomes if not each.changes)

    @property
    def fates(self) -> tuple[str, ...]:
        """The deaths and torpors, in words."""
        return tuple(each.fate for each in self.outcomes if each.fate)


def preview(state: Encounter, command: PassTime, ruleset: System) -> Preview:
    """What a command would do. Raises `RuleViolation` like the command itself."""
    events = decide(state, command, ruleset, NO_DICE)
    after = replay(state, events)
    outcomes = (_outcome(state, after, who, command, events, ruleset) for who in command.who)
    return Preview(tuple(outcomes), _fingerprint(state, command, events))


def fingerprint(state: Encounter, command: PassTime, ruleset: System) -> str:
    """The fingerprint of what a command would do to these sheets as they are."""
    return _fingerprint(state, command, decide(state, command, ruleset, NO_DICE))


def _fingerprint(state: Encounter, command: PassTime, events: tuple[Event, ...]) -> str:
    before = []
    for who in command.who:
        one = state.combatants[who]
        injuries = [[each.level, str(each.cause)] for each in one.sheet.injuries]
        before.append([who, list(one.sheet.marks), injuries, dict(one.sheet.resources), sorted(one.conditions)])
    told = json.dumps([before, codec.dump_events(events)], sort_keys=True)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _outcome(
    state: Encounter, after: Encounter, who: str, command: PassTime, events: tuple[Event, ...], ruleset: System
) -> Outcome:
    was, now = state.combatants[who], after.combatants[who]
    had, has = (conditions_of(each, full=True) for each in (was, now))
    return Outcome(
        who,
        was.sheet.name,
        health_of(was, ruleset, full=True),
        health_of(now, ruleset, full=True),
        tuple(_points(was, now, ruleset)),
        tuple(each.label for each in had if each not in has),
        tuple(each.label for each in has if each not in had),
        _fate(was, now),
        tuple(_notes(Game(state, ruleset), was, now, command, events)),
    )


def _points(was: Combatant, now: Combatant, ruleset: System) -> Iterator[Points]:
    for resource in ruleset.layout.resources:
        before, after = (ruleset.layout.points(each.sheet, resource.key) for each in (was, now))
        if before != after:
            yield Points(said(resource.label), before, after)


def _fate(was: Combatant, now: Combatant) -> str:
    gained = now.conditions - was.conditions
    if DEAD in gained:
        return _("{name} dies.").format(name=now.sheet.name)
    return _("{name} falls into torpor.").format(name=now.sheet.name) if TORPOR in gained else ""


def _notes(game: Game, was: Combatant, now: Combatant, command: PassTime, events: tuple[Event, ...]) -> Iterator[str]:
    care, unable = command.care.get(was.id, Care.NONE), {DEAD, TORPOR, *points.bars(game, "blood")}
    if DEAD in was.conditions:
        yield _("Dead: time changes nothing.")
    elif (
        care is Care.NONE
        and was.sheet.marks == now.sheet.marks
        and any(condition_of(key).kills for key in was.conditions)
    ):
        yield _("No rule says how fast this gets worse without care. You decide.")
    if command.dusk and game.system.health.by_blood(was.sheet) and was.conditions.isdisjoint(unable):
        paid = sum(
            each.spent
            for each in events
            if isinstance(each, ResourceChanged) and (each.who, each.why) == (was.id, DUSK)
        )
        if missing := dusks_in(command.hours) - paid:
            yield ngettext("No blood left for {count} dusk.", "No blood left for {count} dusks.", missing).format(
                count=missing
            )
