"""Declarations of messages: all that is known of a command or an event stands beside its class.

A command is what somebody wants, an event what came of it. `@command` and `@event` register their class under the name
that logs store it by; `@decides` and `@evolves` add the functions that carry it out. Whatever asks about messages
(rights, staleness, codec, log, forms) asks these declarations, so a new message is one declaration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import attrgetter
from typing import Any, TypeVar

from rules.engine.phrases import Phrase


class Command:
    """What somebody wants: the base of all commands, frozen dataclasses named in the imperative."""

    __slots__ = ()


class Event:
    """What came of a command: the base of all events, frozen dataclasses named in the past tense.

    An event carries outcomes (faces rolled, boxes marked, rounds left), never intentions, so a replay rolls nothing.
    """

    __slots__ = ()


C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
S = TypeVar("S")
_Function = TypeVar("_Function", bound=Callable[..., Any])

ActsFor = Callable[[Any, Any], str]
"""(command, state) -> the id of the combatant that a player's command acts for, "" for nobody; may raise
`RuleViolation`."""

Reserved = Callable[[Any, Any], bool]
"""(command, game) -> whether it says something that only the Storyteller may say."""

Names = Callable[[Any, Any], Iterable[str]]
"""(command, game) -> the ids of the combatants it names besides the one it acts for."""


def _nothing_reserved(_command: Any, _game: Any) -> bool:
    return False


def _nobody_named(_command: Any, _game: Any) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class CommandType:
    """The declaration of a command.

    `label` names it in a word or two, for undo and redo. A ruleset knows it if it has a rule on each of `topics`.
    `any_time`: it needs no running fight; `outside_fights`: it belongs to the chronicle's own log too. One that
    `commutes` means the same whatever happened since its page was drawn, so it is never stale. Players may give it
    if it `acts_for` a combatant of theirs; `reserved` and `names` are asked only for them.
    """

    cls: type[Command]
    label: Phrase
    topics: tuple[str, ...] = ()
    any_time: bool = False
    outside_fights: bool = False
    commutes: bool = False
    acts_for: ActsFor | None = None
    reserved: Reserved = _nothing_reserved
    names: Names = _nobody_named


@dataclass(frozen=True, slots=True)
class EventType:
    """The declaration of an event.

    `about` is the kind of log entry that tells it: "attack", "damage", "roll", "turn" or "" for anything else. The
    rule that the log cites is the event's own `rule` if it has one, else that of the ruleset's `action` of this key,
    else the first of `topics` the ruleset has a rule on; `no_rule` marks what no rule is about. `dice`: it holds dice
    that the Storyteller may show or hide. `resolves`: narration is kept under its `resolution`. `own_roll`: it is the
    roll that an action's circumstances are paid for.
    """

    cls: type[Event]
    about: str = ""
    topics: tuple[str, ...] = ()
    action: str = ""
    no_rule: bool = False
    dice: bool = False
    resolves: bool = False
    own_roll: bool = False


_commands: dict[type, CommandType] = {}
_events: dict[type, EventType] = {}
_deciders: dict[type, Callable[[Any, Any], tuple[Event, ...]]] = {}
_changes: dict[type, Callable[[Any, Any], Any]] = {}


def command(
    label: Phrase,
    *,
    topics: tuple[str, ...] = (),
    any_time: bool = False,
    outside_fights: bool = False,
    commutes: bool = False,
    acts_for: str | ActsFor = "",
    reserved: Reserved = _nothing_reserved,
    names: Names = _nobody_named,
) -> Callable[[type[C]], type[C]]:
    """Declare a command; the arguments are the fields of :class:`CommandType`.

    `acts_for` may be the name of the field that holds the combatant's id. What players may give always commutes.
    """
    for_whom = _field(acts_for) if isinstance(acts_for, str) and acts_for else acts_for or None

    def declare(cls: type[C]) -> type[C]:
        _refuse_second(cls, _commands)
        _commands[cls] = CommandType(
            cls,
            label,
            topics,
            any_time,
            outside_fights,
            commutes or for_whom is not None,
            for_whom if callable(for_whom) else None,
            reserved,
            names,
        )
        return cls

    return declare


def event(
    about: str = "",
    *,
    topics: tuple[str, ...] = (),
    action: str = "",
    no_rule: bool = False,
    dice: bool = False,
    resolves: bool = False,
    own_roll: bool = False,
) -> Callable[[type[E]], type[E]]:
    """Declare an event; the arguments are the fields of :class:`EventType`."""

    def declare(cls: type[E]) -> type[E]:
        _refuse_second(cls, _events)
        _events[cls] = EventType(cls, about, topics, action, no_rule, dice, resolves, own_roll)
        return cls

    return declare


def decides(cls: type[C]) -> Callable[[_Function], _Function]:
    """Register the function ``(game, command) -> events`` that decides a command."""

    def register(function: _Function) -> _Function:
        _deciders[cls] = function
        return function

    return register


def evolves(*classes: type[Event]) -> Callable[[_Function], _Function]:
    """Register the function ``(state, event) -> state`` for what these events change; most others only explain."""

    def register(function: _Function) -> _Function:
        _changes.update(dict.fromkeys(classes, function))
        return function

    return register


def _field(name: str) -> ActsFor:
    read = attrgetter(name)
    return lambda command, _state: str(read(command))


def _refuse_second(cls: type, declared: Mapping[type, object]) -> None:
    # Logs store messages by this name.
    if any(each.__name__ == cls.__name__ for each in declared):
        raise TypeError(f"A message called {cls.__name__} has been declared already.")


# ------------------------------------------------------------------ asking


def command_type(cls: type) -> CommandType:
    """The declaration of a command; KeyError if it has none."""
    return _commands[cls]


def event_type(cls: type) -> EventType:
    """The declaration of an event; KeyError if it has none."""
    return _events[cls]


def command_types() -> tuple[CommandType, ...]:
    """All commands, in the order of their declaration."""
    return tuple(_commands.values())


def event_types() -> tuple[EventType, ...]:
    """All events, in the order of their declaration."""
    return tuple(_events.values())


def label_of(name: str) -> str:
    """The label of the command that logs store under this name; the name in words if there is none any more."""
    found = next((each.label for each in _commands.values() if each.cls.__name__ == name), None)
    return found or re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def run(game: Any, given: Command) -> tuple[Event, ...]:
    """What the decider of a command makes of it; raises `RuleViolation`."""
    return _deciders[type(given)](game, given)


def evolve(state: S, told: Event) -> S:
    """The state after an event."""
    change = _changes.get(type(told))
    after: S = state if change is None else change(state, told)
    return after


def replay(state: S, told: Iterable[Event]) -> S:
    """The state after many events."""
    return reduce(evolve, told, state)
