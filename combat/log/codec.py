"""Between the rules' frozen values and JSON, both ways and without loss.

Commands and events carry the name of their class as "is". Sets are written as sorted lists, so that the same value
is always the same text. Of a phrase not its English is kept but what it was made of, to be read in any language; of
words that a player typed, that they did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Union, get_origin

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from combat.cache import for_each
from rules.engine.messages import COMMANDS, EVENTS, Command, Event
from rules.engine.phrases import Phrase, Typed, made_of
from rules.model.choices import Figure
from rules.model.roll import DifficultyOf
from rules.model.state import Combatant, Encounter

Json = dict[str, Any]

MOST_COMBATANTS = 1000
"""Combatants, as they were at some time, whose JSON is kept: whoever is given it leaves it as it is."""


def _plain_figure(value: Any, _kind: Any) -> Figure:
    if isinstance(value, int | str | bool):
        return value
    if isinstance(value, dict):
        return _load_text(value)
    raise TypeError(f"{value!r} is no figure")


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
    number = {"plural": text.plural, "number": text.number} if text.plural else {}
    return {"says": text.template, "with": values, **number}


def _load_text(written: Any, kind: type[str] = str) -> str:
    # What was written before there were phrases is plain text; and one of the rules' own words is a text too.
    if kind is not str or not isinstance(written, dict):
        return kind(written)
    if "typed" in written:
        return Typed(written["typed"], written.get("of", ""))
    values = {name: value if isinstance(value, int) else _load_text(value) for name, value in written["with"].items()}
    return made_of(written["says"], values, written.get("plural", ""), written.get("number", 1))


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
    # Of those in a fight most are as they were a command ago.
    dump_combatant = for_each(MOST_COMBATANTS, worded=False)(make_dict_unstructure_fn(Combatant, converter))
    converter.register_unstructure_hook(Combatant, dump_combatant)
    return converter


_converter = _make()


def _dump(value: Any) -> Json:
    return {"is": type(value).__name__, **_converter.unstructure(value)}


def _load(written: Json, kinds: Mapping[str, type]) -> Any:
    fields = dict(written)
    return _converter.structure(fields, kinds[fields.pop("is")])


def dump_command(command: Command) -> Json:
    """A command as JSON."""
    return _dump(command)


def load_command(written: Json) -> Command:
    """The command that :func:`dump_command` wrote. KeyError for a class that there is not."""
    command: Command = _load(written, COMMANDS)
    return command


def dump_events(events: Iterable[Event]) -> list[Json]:
    """Events as JSON, in order."""
    return [_dump(event) for event in events]


def load_events(written: Iterable[Json]) -> tuple[Event, ...]:
    """The events that :func:`dump_events` wrote."""
    return tuple(_load(event, EVENTS) for event in written)


def dump_state(state: Encounter) -> Json:
    """The state of a fight as JSON."""
    written: Json = _converter.unstructure(state)
    return written


def load_state(written: Json) -> Encounter:
    """The state that :func:`dump_state` wrote; nothing written is a fight that nobody is in yet."""
    return _converter.structure(written, Encounter) if written else Encounter()
