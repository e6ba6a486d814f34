"""Declarations of messages: everything known about a command or an event is beside its class.

A command is what somebody wants, an event what happened. `@command` and `@event` register their class under the name
that logs store it by; `@decides` and `@evolves` add the functions that carry it out. Everything that handles messages
(rights, staleness, codec, log, forms, menus, scenarios) reads these declarations, so a new message is one declaration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import reduce
from operator import attrgetter
from string import Formatter
from typing import Any, TypeVar

from rules.engine.inputs import Asked, Place, Want, Wanted
from rules.engine.phrases import Phrase
from rules.engine.slots import SLOTS
from rules.engine.violations import RuleViolation


class Command:
    """What somebody wants: the base of all commands, frozen dataclasses named in the imperative."""

    __slots__ = ()


class Event:
    """The base of all events: what happened, as frozen dataclasses named in the past tense.

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
"""(command, game) -> the ids of the combatants it names, apart from the one it acts for."""


OfferedTo = Callable[[Any, str, Any], bool]
"""(state, who, system) -> whether somebody is offered the command at all, allowed just now or not."""


def _nothing_reserved(_command: Any, _game: Any) -> bool:
    return False


def _nobody_named(_command: Any, _game: Any) -> Iterable[str]:
    return ()


def _anybody(_state: Any, _who: str, _ruleset: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class CommandType:
    """The declaration of a command.

    `label` names it in a word or two, for undo and redo. A ruleset knows it if it has a rule on each of `topics`.
    `any_time`: it needs no running fight; `outside_fights`: it belongs to the chronicle's own log too, where it
    `changes` the sheets of the characters in that field (an id, or several), "" for none. One that
    `commutes` means the same regardless of what happened since its page was drawn, so it is never stale. Players may
    issue it if it `acts_for` a combatant of theirs; `reserved` and `names` are checked only for players.

    `name` is its name in URLs. If it declares how it is `asked` for, its form, its scenario step and the limits of its
    inputs follow; other commands have forms of their own, or none. `offered` says in which places, and under which
    label, to those whom `offered_to` names.
    """

    cls: type[Command]
    label: Phrase
    topics: tuple[str, ...] = ()
    any_time: bool = False
    outside_fights: bool = False
    changes: str = ""
    commutes: bool = False
    acts_for: ActsFor | None = None
    reserved: Reserved = _nothing_reserved
    names: Names = _nobody_named
    name: str = ""
    asked: Asked | None = None
    offered: Mapping[Place, str] = field(default_factory=dict)
    offered_to: OfferedTo = _anybody

    def refusal(self, given: Command, state: Any) -> RuleViolation | None:
        """The refusal of a command with an invalid input; None if all are valid.

        How long a text may be is for its form to say.
        """
        for wanted in self.asked.inputs if self.asked else ():
            if wanted.kind in (Want.WORDS, Want.REFERENCE):
                continue
            value = getattr(given, wanted.key)
            if not wanted.needed and value == _default(type(given), wanted.key):
                continue
            if against := wanted.refusal(value, state.combatants):
                return against
        return None

    def sample(self, who: str, state: Any) -> Command:
        """A sample of the command with inputs that its form accepts: minimal ones, and some text where it takes any."""
        assert self.asked
        given = {self.asked.about: who} if self.asked.about else {}
        for wanted in self.asked.inputs:
            if wanted.kind is Want.WORDS or _default(self.cls, wanted.key) is MISSING:
                given[wanted.key] = _least(wanted, who, state)
        return self.cls(**given)


@dataclass(frozen=True, slots=True)
class EventType:
    """The declaration of an event.

    `about` is the type of log entry that shows it: "attack", "damage", "roll", "turn" or "" for anything else. The rule
    that the log cites is the event's own `rule` if it has one, else that of the ruleset's `action` with this key, else
    the first of `topics` the ruleset has a rule on; `no_rule` marks events without one. `dice`: it holds dice that the
    Storyteller may show or hide. `resolves`: narration is kept under its `resolution`. `own_roll`: it is the roll that
    pays for an action's circumstances.

    `says` is the log's sentence unless a function `@tells` it: a phrase with the event's fields in braces. `people` are
    the fields with combatants' ids: names in the sentence, which is shown to readers who see every one of them. Rolls
    are shown beside it to those who may see them, and scenarios read the other fields.
    """

    cls: type[Event]
    about: str = ""
    topics: tuple[str, ...] = ()
    action: str = ""
    no_rule: bool = False
    dice: bool = False
    resolves: bool = False
    own_roll: bool = False
    says: str = ""
    people: tuple[str, ...] = ()


COMMANDS: dict[str, type[Command]] = {}
"""All commands, by the names that logs store them under."""

EVENTS: dict[str, type[Event]] = {}
"""All events, by the names that logs store them under."""

_commands: dict[type, CommandType] = {}
_events: dict[type, EventType] = {}
_deciders: dict[type, Callable[[Any, Any], tuple[Event, ...]]] = {}
_changes: dict[type, Callable[[Any, Any], Any]] = {}
_beside: dict[type, tuple[Callable[[Any, Any], Any], ...]] = {}


def command(
    label: Phrase,
    *,
    topics: tuple[str, ...] = (),
    any_time: bool = False,
    outside_fights: bool = False,
    changes: str = "",
    commutes: bool = False,
    acts_for: str | ActsFor = "",
    reserved: Reserved = _nothing_reserved,
    names: Names = _nobody_named,
    name: str = "",
    asked: Asked | None = None,
    offered: Mapping[Place, str] | None = None,
    offered_to: OfferedTo = _anybody,
) -> Callable[[type[C]], type[C]]:
    """Declare a command; the arguments are the fields of :class:`CommandType`.

    `acts_for` may be the name of the field that holds the combatant's id. A command that players may issue always
    commutes. The default `name` is that of the class, with hyphens. One `asked` for a combatant is by default offered
    to their player and in the Storyteller's menu. Storyteller inputs are reserved, and inputs that name combatants are
    `names`, without repeating it.
    """
    for_whom = _field(acts_for) if isinstance(acts_for, str) and acts_for else acts_for or None

    def declare(cls: type[C]) -> type[C]:
        _refuse_second(cls, COMMANDS)
        _refuse_unknown(cls, filter(None, (changes,)))
        ask = asked
        if ask is not None:
            about = ask.about or (acts_for if isinstance(acts_for, str) else "")
            title = ask.title or label
            ask = replace(
                ask, about=about, title=title, submit=ask.submit or title, step=ask.step or _in_words(cls, "_")
            )
            _refuse_unknown(cls, (*filter(None, (about,)), *(each.key for each in ask.inputs)))
        in_general = {Place.SEAT: ask.title, Place.ROW: ask.title} if ask and ask.about and for_whom else {}
        declared = CommandType(
            cls,
            label,
            topics,
            any_time,
            outside_fights,
            changes,
            commutes or for_whom is not None,
            for_whom if callable(for_whom) else None,
            _with_inputs_reserved(reserved, ask),
            _with_inputs_named(names, ask),
            name or _in_words(cls, "-"),
            ask,
            in_general if offered is None else offered,
            offered_to,
        )
        if any(each.name == declared.name for each in _commands.values()):
            raise TypeError(f"A command is posted as {declared.name} already.")
        COMMANDS[cls.__name__], _commands[cls] = cls, declared
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
    says: str = "",
    people: tuple[str, ...] = (),
) -> Callable[[type[E]], type[E]]:
    """Declare an event; the arguments are the fields of :class:`EventType`."""

    def declare(cls: type[E]) -> type[E]:
        _refuse_second(cls, EVENTS)
        _refuse_unknown(cls, (*people, *(name for _text, name, *_rest in Formatter().parse(says) if name)))
        EVENTS[cls.__name__] = cls
        _events[cls] = EventType(cls, about, topics, action, no_rule, dice, resolves, own_roll, says, people)
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


def evolves_beside(*classes: type[Event]) -> Callable[[_Function], _Function]:
    """Register a function ``(state, event) -> state`` that updates a module's own slots on another module's event.

    It is given the state before the event's own change.
    """

    def register(function: _Function) -> _Function:
        _beside.update({cls: (*_beside.get(cls, ()), function) for cls in classes})
        return function

    return register


def _field(name: str) -> ActsFor:
    read = attrgetter(name)
    return lambda command, _state: str(read(command))


def _with_inputs_reserved(reserved: Reserved, asked: Asked | None) -> Reserved:
    hers = tuple(wanted.key for wanted in asked.inputs if wanted.storytellers) if asked else ()
    if not hers:
        return reserved
    return lambda given, ruleset: (
        reserved(given, ruleset) or any(getattr(given, key) != _default(type(given), key) for key in hers)
    )


def _with_inputs_named(names: Names, asked: Asked | None) -> Names:
    people = tuple(wanted.key for wanted in asked.inputs if wanted.kind is Want.SOMEBODY) if asked else ()
    if not people:
        return names
    return lambda given, ruleset: (*names(given, ruleset), *filter(None, (getattr(given, key) for key in people)))


def _default(cls: type, name: str) -> Any:
    """The default of a message's field; `MISSING` if it has none."""
    return next(each.default for each in fields(cls) if each.name == name)


def _least(wanted: Wanted, who: str, state: Any) -> Any:
    match wanted.kind:
        case Want.NUMBER:
            return wanted.least
        case Want.SWITCH:
            return False
        case Want.CHOICE:
            return wanted.choices[0][0]
        case Want.SOMEBODY:
            return next((each for each in state.combatants if each != who), who)
        case _:
            return "…"


def _in_words(cls: type, between: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", between, cls.__name__).lower()


def _refuse_second(cls: type, declared: Mapping[str, type]) -> None:
    # Logs store messages by this name.
    if cls.__name__ in declared:
        raise TypeError(f"A message called {cls.__name__} has been declared already.")


def _refuse_unknown(cls: type, names: Iterable[str]) -> None:
    known = {each.name for each in fields(cls)}
    if unknown := [name for name in names if name not in known]:
        raise TypeError(f"{cls.__name__} has no field called {unknown[0]}.")


_registries: list[dict[Any, Any]] = [COMMANDS, EVENTS, _commands, _events, _deciders, _changes, _beside, SLOTS]


def taken_back_too(registry: dict[Any, Any]) -> None:
    """Include another registry in the rollbacks of :func:`declared_here` and :func:`all_or_nothing`."""
    _registries.append(registry)


def _as_declared() -> Callable[[], None]:
    """What puts all declarations back to what they are now."""
    before = [(each, dict(each)) for each in _registries]

    def restore() -> None:
        for registry, was in before:
            registry.clear()
            registry.update(was)

    return restore


@contextmanager
def declared_here() -> Iterator[None]:
    """Roll back everything declared inside: for tests."""
    restore = _as_declared()
    try:
        yield
    finally:
        restore()


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Roll back everything declared inside if it raises."""
    restore = _as_declared()
    try:
        yield
    except BaseException:
        restore()
        raise


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
    """The label of the command that logs store under this name; the name in words if the command no longer exists."""
    found = COMMANDS.get(name)
    return _commands[found].label if found else re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def run(game: Any, given: Command) -> tuple[Event, ...]:
    """The events of a command's decider; raises `RuleViolation`."""
    return _deciders[type(given)](game, given)


def evolve(state: S, told: Event) -> S:
    """The state after an event."""
    for beside in _beside.get(type(told), ()):
        state = beside(state, told)
    change = _changes.get(type(told))
    after: S = state if change is None else change(state, told)
    return after


def replay(state: S, told: Iterable[Event]) -> S:
    """The state after many events."""
    return reduce(evolve, told, state)
