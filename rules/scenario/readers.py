"""The readers of scenario steps: registered functions, or readers derived from the command's declaration."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Command, CommandType, command_types
from rules.model.choices import Figure
from rules.scenario.fields import Table
from rules.scenario.parties import Parties

Read = Callable[[Table, Parties], Command | None]


@dataclass(frozen=True, slots=True)
class Reader:
    """The keys that a step takes beyond the common ones, and how it becomes a command."""

    keys: frozenset[str]
    read: Read


_readers: dict[str, Reader] = {}


def reads(*steps: str, keys: Collection[str] = ()) -> Callable[[Read], Read]:
    """Register the function that reads these steps, with the keys they take."""

    def register(read: Read) -> Read:
        _readers.update(dict.fromkeys(steps, Reader(frozenset(keys), read)))
        return read

    return register


def reader_of(step: str) -> Reader | None:
    """A step's reader: the function registered for it, else one derived from its command's declaration, else None."""
    if step in _readers:
        return _readers[step]
    return next((_declared(each) for each in command_types() if each.asked and each.asked.step == step), None)


def _declared(declared: CommandType) -> Reader:
    """A reader derived from a command's declaration: one key for each input, and one for the combatant it is about."""
    asked = declared.asked
    assert asked

    def read(table: Table, parties: Parties) -> Command:
        given: dict[str, Figure] = {asked.about: parties.one(table, asked.about)} if asked.about else {}
        # Required keys are read even if missing, so that they raise.
        given |= {each.key: figure(table, each, parties) for each in asked.inputs if each.needed or each.key in table}
        return declared.cls(**given)

    about = {asked.about, "text"} if asked.about else set[str]()
    return Reader(frozenset({*about, *(each.key for each in asked.inputs)}), read)


def figure(table: Table, wanted: Wanted, parties: Parties) -> Figure:
    """The value under an input's key; its limits are checked by the rules."""
    match wanted.kind:
        case Want.SWITCH:
            return table.switch(wanted.key)
        case Want.NUMBER:
            return table.number(wanted.key)
        case Want.SOMEBODY:
            return parties.one(table, wanted.key)
        case _:
            return table.text(wanted.key)
