"""Rolls outside fights: each chronicle has one log for them, which runs as long as the chronicle exists.

It is stored as a fight, so undo, idempotency, secrecy, typed dice and live pages work unchanged. The differences: it
has no turns, and nobody joins it. Instead, each roll first adds its characters with their current sheets, in a
separate row that is neither shown nor undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db.models.signals import post_save

from campaigns.models import Chronicle
from characters.models import Character
from characters.sheets import sheet_of, with_gear
from combat.commands.dice import SystemDice
from combat.log import codec
from combat.models import Encounter, Status
from rules.decide import decide
from rules.engine.messages import Command, Event, command_type, replay
from rules.engine.violations import RuleViolation
from rules.model.roll import DifficultyOf, RollTraits
from rules.model.sheet import Sheet
from rules.model.state import Combatant
from rules.model.state import Encounter as State
from rules.model.state import Status as Stands
from rules.model.system import System
from rules.topics.commands import ChangeConditions, Join, Leave, Newcomer, ReviseSheet, RollOn, SetVisibility
from rules.topics.health.impairments import conditions_of
from rules.topics.health.lasting import lasting_on

NAME = "Rolls"


def connect() -> None:
    """Create a log for every new chronicle. Called once, when the app is ready."""
    post_save.connect(_chronicle_saved, sender=Chronicle, dispatch_uid="combat.commands.outside")


def _chronicle_saved(instance: Chronicle, *, created: bool, **_more: object) -> None:
    if created:
        open_log(instance)


def open_log(chronicle: Chronicle) -> Encounter:
    """Get or create the log of a chronicle's rolls outside fights."""
    new = open_log_of(chronicle)
    running = {"name": new.name, "status": new.status, "state": new.state}
    found: tuple[Encounter, bool] = Encounter.objects.get_or_create(
        chronicle=chronicle, outside_fights=True, defaults=running
    )
    return found[0]


def open_log_of(chronicle: Chronicle) -> Encounter:
    """An empty log of a chronicle's rolls outside fights, not saved."""
    empty = State(Stands.RUNNING, outside_fights=True)
    state = codec.dump_state(empty)
    return Encounter(chronicle=chronicle, outside_fights=True, name=NAME, status=Status.RUNNING, state=state)


def named_by(command: Command, state: State) -> frozenset[str]:
    """The ids of the characters that a command involves."""
    if changed := changed_by(command):
        return changed
    if isinstance(command, RollOn):
        rolls = [each.command for each in state.extended if each.asked.id == command.roll]
    else:
        rolls = [command] if isinstance(command, RollTraits) else []
    found = {roll.by for roll in rolls}
    found |= {roll.resisted.by for roll in rolls if roll.resisted}
    found |= {roll.difficulty.of for roll in rolls if isinstance(roll.difficulty, DifficultyOf)}
    return frozenset(found)


def changed_by(command: Command) -> frozenset[str]:
    """The ids of the characters whose sheets a command changes, apart from what a roll costs."""
    field = command_type(type(command)).changes
    who = getattr(command, field) if field else ()
    return frozenset((who,) if isinstance(who, str) else who)


def shown_by(command: Command) -> frozenset[str]:
    """The characters that a command reveals to players: the roller, unless the roll is secret."""
    return frozenset({command.by}) if isinstance(command, RollTraits) and not command.secret else frozenset()


def arrivals(
    state: State,
    chronicle: Chronicle,
    ruleset: System,
    who: Iterable[str] | None,
    shown: frozenset[str] = frozenset(),
    sheets: Mapping[str, Sheet] | None = None,
) -> tuple[Event, ...]:
    """The events that bring characters (None: all) up to date with their current sheets; deleted ones leave.

    Players' characters are visible to all, others only once `shown`. `sheets` are taken instead of the current ones.
    """
    rows = Character.objects.filter(chronicle=chronicle)
    found = {each.pk: each for each in with_gear(rows if who is None else rows.filter(pk__in=list(who)))}
    told: list[Event] = []
    for one in dict.fromkeys((*found, *state.combatants)) if who is None else who:
        try:
            state, events = _brought(state, one, found.get(one), (sheets or {}).get(one), ruleset, shown=one in shown)
        except RuleViolation:
            if who is not None:
                raise
            continue  # one sheet that no longer fits the house rules must not block the others
        told += events
    return tuple(told)


def _brought(
    state: State, who: str, row: Character | None, sheet: Sheet | None, ruleset: System, *, shown: bool
) -> tuple[State, list[Event]]:
    told: list[Event] = []
    for command in _brings(who, state.combatants.get(who), row, sheet, shown=shown):
        events = decide(state, command, ruleset, SystemDice())
        state = replay(state, events)
        told += events
    if over := _over(state.combatants.get(who), ruleset):
        events = decide(state, ChangeConditions(who, remove=over), ruleset, SystemDice())
        state = replay(state, events)
        told += events
    return state, told


def _over(combatant: Combatant | None, ruleset: System) -> frozenset[str]:
    """The conditions that ended with the moment: in a fight they last for turns, and here none pass."""
    if combatant is None:
        return frozenset()
    sheet = combatant.sheet
    stay = ruleset.health.follows(sheet) | conditions_of(sheet.impairments) | lasting_on(sheet)
    return combatant.conditions - stay


def _brings(
    who: str, known: Combatant | None, row: Character | None, sheet: Sheet | None, *, shown: bool
) -> Iterable[Command]:
    if known and (row is None or known.player is row.is_npc):
        yield Leave(who)
        known = None
    if row is None:
        return
    sheet = sheet or sheet_of(row)
    if known is None:
        yield Join((Newcomer(who, sheet, who, player=not row.is_npc, hidden=row.is_npc and not shown),))
        return
    if known.sheet != sheet:
        yield ReviseSheet(who, sheet, merged=True)
    if known.hidden and shown:
        yield SetVisibility(who, hidden=False)


def with_everybody(state: State, chronicle: Chronicle, ruleset: System) -> State:
    """The state with all the chronicle's current characters, players' first. For forms; never saved."""
    everybody = replay(state, arrivals(state, chronicle, ruleset, None))
    ranked = sorted(everybody.combatants.items(), key=lambda pair: (not pair[1].player, pair[1].sheet.name.casefold()))
    return replace(everybody, combatants=dict(ranked))
