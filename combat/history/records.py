"""Loads fights from their encounter row and log (:mod:`combat.log.rows`), for views and look-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, partial

from django.db.models import QuerySet

from campaigns.prepared import Many, Prepared
from characters import rulesets
from characters.models import Character
from combat.history import reinforcements, reveal
from combat.log import codec
from combat.log import rows as logs
from combat.log.happened import Happened
from combat.models import Encounter
from combat.secrecy.fight import Fight
from rules.engine.messages import Command, label_of
from rules.model.past import Past
from rules.model.state import Encounter as State
from rules.model.system import Game, System
from rules.topics.attacks.past import past_of as attack_past
from rules.topics.commands import OverrideAttack
from rules.topics.events import AttackResolved


def past_of(encounter: Encounter, command: Command) -> Past | None:
    """The past row that a command re-examines, with what has counted since; None for most commands."""
    return resolved_in(encounter, command.resolution)[0] if isinstance(command, OverrideAttack) else None


def resolved_in(encounter: Encounter, resolution: str) -> tuple[Past | None, tuple[str, ...]]:
    """The row in which an attack was rolled, and the tokens of the rows that counted after it."""
    rows, since = logs.rows_of(encounter), list[Happened]()
    for row in logs.counting_back(rows):
        attacks = [each for each in row.events if isinstance(each, AttackResolved)]
        names = [each.resolution for each in attacks]
        if resolution in names:
            before = logs.fold_of(encounter, rows, row.seq)
            command = codec.load_command(dict(row.command))
            told = tuple(each.events for each in reversed(since))
            past = attack_past(resolution, before, command, row.events, told)
            # Attacks made together are in one row: those after this one count as later rows.
            after = names[names.index(resolution) + 1 :]
            return past, tuple([row.token] * len(after) + [each.token for each in reversed(since)])
        since.append(row)
    return None, ()


def ruleset_for(encounter: Encounter) -> System:
    """The ruleset as the encounter's chronicle plays it."""
    return rulesets.ruleset_for(encounter.chronicle)


@dataclass(frozen=True, slots=True)
class People:
    """What views need of the characters in a fight beyond their sheets: each one's player and portrait, if any."""

    owners: Mapping[str, int]
    portraits: Mapping[str, str]


def fight_of(encounter: Encounter, state: State, people: People | None = None) -> Fight:
    """The fight from which views are built. `people` spares the query of :func:`people_in` if they are known."""
    rows = logs.rows_of(encounter)
    people = people or people_in(state)
    undo, redo = logs.targets(rows)
    fight = Fight(
        encounter.name,
        encounter.scene,
        Game(state, ruleset_for(encounter)),
        logs.as_they_stand(rows),
        people.owners,
        _label(rows, undo),
        _label(rows, redo),
        encounter.outside_fights,
        encounter.clocks,
        head=encounter.seal,
        portraits=people.portraits,
        id=encounter.pk,
        waiting=partial(reinforcements.waiting, encounter.pk, encounter.seq) if encounter.reinforced else tuple,
    )
    if not encounter.held:
        return fight
    held = next(row for row in reversed(rows) if row.seq == encounter.held)
    return replace(fight, held=held.token, so_far=cache(partial(_before, encounter, held)))


def _before(encounter: Encounter, row: Happened) -> Fight:
    """The fight before one of its rows."""
    before = copy(encounter)
    before.seq, before.seal, before.held = row.seq - 1, row.before, None
    rows = logs.rows_of(before)
    return fight_of(before, logs.keep_state(before, logs.fold_of(before, rows)))


def can_be_held(encounter: Encounter, owners: Mapping[str, int], row: Happened) -> bool:
    """Whether a player rolled in a row, so that it can be held for them to see first."""
    return reveal.can_be_held(row, owners, ruleset_for(encounter))


@Prepared
def _people() -> QuerySet[Character, tuple[str, int | None, str | None, str | None]]:
    """Characters with their owner, the chronicle in which that is an open place, and the portrait."""
    found = Character.with_bin.filter(pk__in=Many("characters", Character))
    return found.values_list("pk", "owner_id", "owner__place_in", "portrait__pk")


def people_in(state: State) -> People:
    """The players (user ids) and portraits (ids) of the characters in the fight; without those that have none.

    Characters in the bin count: their players can still read the fight's log as before. Those of an open place have no
    player yet: nobody could see their rolls first.
    """
    ids = [each.character for each in state.combatants.values() if each.character]
    found = _people.all(characters=ids)
    return People(
        {character: owner for character, owner, place, _portrait in found if owner and not place},
        {character: portrait for character, _owner, _place, portrait in found if portrait},
    )


def _label(rows: Sequence[Happened], seq: int | None) -> str:
    row = None if seq is None else next((row for row in reversed(rows) if row.seq == seq), None)
    return "" if row is None else label_of(str(row.command.get("is", "")))


def read(encounter: Encounter) -> Fight:
    """The fight of an encounter just read from the database."""
    return fight_of(encounter, logs.state_now(encounter))
