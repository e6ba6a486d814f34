"""Reading a roll outside an attack."""

from __future__ import annotations

from combat.scenario.fields import Table
from combat.scenario.parties import Parties
from rules.commands import DifficultyOf, Resistance, RollTraits


def read_roll(table: Table, parties: Parties) -> RollTraits:
    """The roll that a step says."""
    table.required("traits")
    return RollTraits(
        parties.one(table, "by"),
        table.words("traits"),
        _difficulty(table, parties),
        parties.modifiers(table),
        _resistance(table, parties),
        frozenset(table.words("strike")),
    )


def _difficulty(table: Table, parties: Parties) -> int | DifficultyOf | None:
    if not isinstance(table.values.get("difficulty"), dict):
        return table.number_or_none("difficulty", least=-100, most=100)
    against = table.table("difficulty")
    against.only({"of", "traits"})
    against.required("traits")
    return DifficultyOf(parties.one(against, "of"), against.words("traits"))


def _resistance(table: Table, parties: Parties) -> Resistance | None:
    if "resisted" not in table:
        return None
    resisted = table.table("resisted")
    resisted.only({"by", "traits", "difficulty"})
    resisted.required("traits")
    return Resistance(
        parties.one(resisted, "by"),
        resisted.words("traits"),
        resisted.number_or_none("difficulty", least=-100, most=100),
    )
