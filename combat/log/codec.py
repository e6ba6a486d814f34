"""Serialisation of the rules' frozen values to JSON and back, without loss.

Commands and events carry the name of their class as "is". Sets are written as sorted lists, so that equal values give
equal text. A phrase is written as its message id and values, never as a sentence; text that a player typed is marked
as such. Values in a system's slots are written by each slot's declared type; those without a declared slot stay JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, TypeVar, Union, get_origin

from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from campaigns.marks import mark
from combat.cache import for_each
from combat.fields import Spelled
from rules import systems  # noqa: F401  # they declare slots
from rules.engine.catalogues import former_ids
from rules.engine.messages import COMMANDS, EVENTS, Command, Event
from rules.engine.phrases import Phrase, Typed, made_of
from rules.engine.slots import SLOTS, Slot
from rules.model.choices import Figure
from rules.model.roll import DifficultyOf
from rules.model.state import Combatant, Encounter, TurnRecord
from rules.topics.events import AttackOverridden

Json = dict[str, Any]

Read = TypeVar("Read")

MOST_COMBATANTS = 1000
"""The size of the cache of combatants' JSON. Callers must not change what they get."""


def _plain_figure(value: Any, _kind: Any) -> Figure:
    if isinstance(value, int | str | bool):
        return value
    if isinstance(value, dict):
        return _load_text(value)
    raise TypeError(f"{value!r} is not a value of a circumstance")


def _difficulty(value: Any, _kind: Any) -> int | DifficultyOf | None:
    if value is None or isinstance(value, int):
        return value
    found: DifficultyOf = _converter.structure(value, DifficultyOf)
    return found


def _is_set(kind: Any) -> bool:
    return kind is frozenset or get_origin(kind) is frozenset


def _sorted_list(items: Iterable[Any]) -> list[Any]:
    return sorted(str(item) for item in items)


def _dump_text(text: str) -> str | Json:
    if isinstance(text, Typed):
        return {"typed": str.__str__(text), **({"of": text.of} if text.of else {})}
    if type(text) is not Phrase:
        return text
    values = {name: _dump_text(value) if isinstance(value, str) else value for name, value in text.values.items()}
    number = {} if text.number is None else {"number": text.number}
    return {"text": text.id, "with": values, **number}


def _load_text(written: Any, kind: type[str] = str) -> str:
    # Text from before there were phrases is plain, and so is one of the rules' own keys.
    if kind is not str or not isinstance(written, dict):
        return kind(written)
    if "typed" in written:
        return Typed(written["typed"], written.get("of", ""))
    values = {name: value if isinstance(value, int) else _load_text(value) for name, value in written["with"].items()}
    return made_of(_id_of(written), values, written.get("number"))


def _id_of(written: Json) -> str:
    # Logs kept the English sentence before there were ids.
    found: str = written["text"] if "text" in written else written["says"]
    return found if "text" in written else former_ids().get(found, found)


def _dump_own(converter: Converter, kind: type, of: type) -> Callable[[Any], Json]:
    """The serialiser of a type whose field `own` holds slots of `of`."""

    def own(kept: Mapping[str, Any]) -> Json:
        slots = {key: SLOTS.get((of, key)) for key in kept}
        return {key: converter.unstructure(kept[key], slot.kind) if slot else kept[key] for key, slot in slots.items()}

    return make_dict_unstructure_fn(kind, converter, own=override(unstruct_hook=own))


def _load_own(converter: Converter, kind: type, of: type) -> Callable[[Json, Any], Any]:
    """The matching deserialiser; a field of an earlier version may be a slot now."""
    names = {each.name for each in fields(kind)}

    def own(kept: Json, _kind: Any) -> dict[str, Any]:
        found = {key: SLOTS.get((of, key)) for key in kept}
        read = {key: converter.structure(kept[key], slot.kind) if slot else kept[key] for key, slot in found.items()}
        # An event keeps defaults too: they say that a value was reset.
        return {key: value for key, value in read.items() if of is not kind or _says_more(found[key], value)}

    plain: Callable[[Json, Any], Any] = make_dict_structure_fn(kind, converter, own=override(struct_hook=own))

    def load(written: Json, _kind: Any) -> Any:
        once = {key: value for key, value in written.items() if key not in names and (of, key) in SLOTS}
        if once:
            rest = {key: value for key, value in written.items() if key not in once}
            written = {**rest, "own": {**once, **rest.get("own", {})}}
        return plain(written, kind)

    return load


def _says_more(slot: Slot[Any, Any] | None, value: Any) -> bool:
    return slot is None or value != slot.default


KEEPERS: Mapping[type, type] = {
    TurnRecord: TurnRecord,
    Combatant: Combatant,
    Encounter: Encounter,
    AttackOverridden: Encounter,
}
"""Types with a field `own`, and the type whose slots it holds; contained types precede their containers."""


def _make() -> Converter:
    converter = Converter(detailed_validation=False, forbid_extra_keys=True)
    converter.register_structure_hook(Union[int, str, bool], _plain_figure)  # noqa: UP007  # cattrs compares the old spelling
    converter.register_structure_hook(Figure, _plain_figure)
    converter.register_structure_hook(Union[int, DifficultyOf, None], _difficulty)  # noqa: UP007
    converter.register_structure_hook(int | DifficultyOf | None, _difficulty)
    converter.register_unstructure_hook_func(_is_set, _sorted_list)
    converter.register_unstructure_hook(str, _dump_text)
    converter.register_unstructure_hook(StrEnum, str)
    converter.register_structure_hook(str, _load_text)
    for kind, of in KEEPERS.items():
        dump = _dump_own(converter, kind, of)
        # Most combatants are unchanged since the previous command.
        kept = for_each(MOST_COMBATANTS, worded=False)(dump) if kind is Combatant else dump
        converter.register_unstructure_hook(kind, kept)
        converter.register_structure_hook(kind, _load_own(converter, kind, of))
    return converter


_converter = _make()


def _dump(value: Any) -> Json:
    return {"is": type(value).__name__, **_converter.unstructure(value)}


def _load(written: Json, kinds: Mapping[str, type]) -> Any:
    fields = dict(written)
    return _converter.structure(fields, kinds[fields.pop("is")])


def dump(value: Any) -> Json:
    """Any other frozen value as JSON."""
    written: Json = _converter.unstructure(value)
    return written


def load(written: Json, kind: type[Read]) -> Read:
    """The value of this type that :func:`dump` wrote."""
    return _converter.structure(written, kind)


def dump_command(command: Command) -> Json:
    """A command as JSON."""
    return _dump(command)


def load_command(written: Json) -> Command:
    """The command that :func:`dump_command` wrote. KeyError for an unknown class."""
    command: Command = _load(written, COMMANDS)
    return command


def dump_events(events: Iterable[Event]) -> list[Json]:
    """Events as JSON, in order."""
    return [_dump(event) for event in events]


def load_events(written: Iterable[Json]) -> tuple[Event, ...]:
    """The events that :func:`dump_events` wrote."""
    return tuple(_load(event, EVENTS) for event in written)


def dump_state(state: Encounter) -> Spelled:
    """The state of a fight as JSON, whose text is put together from that of its combatants: most are unchanged."""
    written: Json = _converter.unstructure(state)
    people = ", ".join(f"{json.dumps(who)}: {_text(each)}" for who, each in written.get("combatants", {}).items())
    others = json.dumps({name: value for name, value in written.items() if name != "combatants"})
    return Spelled(written, f'{{"combatants": {{{people}}}{", " * (others != "{}")}{others[1:]}')


@for_each(MOST_COMBATANTS, worded=False)
def _text(written: Json) -> str:
    return json.dumps(written)


def state_mark(state: Encounter) -> str:
    """A digest of a fight's state, as an optimistic concurrency token."""
    return mark(json.dumps(dump_state(state), sort_keys=True))


def load_state(written: Json) -> Encounter:
    """The state that :func:`dump_state` wrote; an empty fight if nothing was written."""
    return _converter.structure(written, Encounter) if written else Encounter()
