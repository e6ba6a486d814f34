"""Reads rolls outside attacks."""

from __future__ import annotations

from rules.model.roll import DifficultyOf, Resistance, RollTraits
from rules.scenario.cast import TRAITS
from rules.scenario.fields import Table
from rules.scenario.parties import Parties
from rules.scenario.readers import reads
from rules.topics.rolls.pools import MOST_DICE


@reads("roll", keys={"by", "traits", "difficulty", "mods", "resisted", "strike", "number", "again", "rote"})
def read_roll(table: Table, parties: Parties) -> RollTraits:
    """The roll that a step describes."""
    by = parties.one(table, "by")
    return RollTraits(
        by,
        _traits(table, by, parties) if "traits" in table or "number" not in table else (),
        _difficulty(table, parties),
        parties.modifiers(table),
        _resistance(table, parties),
        frozenset(table.words("strike")),
        number=table.number_or_none("number", least=0, most=MOST_DICE),
        again=table.number_or_none("again") or 0,
        rote=table.switch("rote"),
    )


def _traits(table: Table, who: str, parties: Parties) -> tuple[str, ...]:
    table.required("traits")
    named = table.words("traits")
    table.spelled(named, {*TRAITS, *parties.sheets[who].traits})
    return named


def _difficulty(table: Table, parties: Parties) -> int | DifficultyOf | None:
    if not isinstance(table.values.get("difficulty"), dict):
        return table.number_or_none("difficulty", least=-100, most=100)
    against = table.table("difficulty")
    against.only({"of", "traits"})
    of = parties.one(against, "of")
    return DifficultyOf(of, _traits(against, of, parties))


def _resistance(table: Table, parties: Parties) -> Resistance | None:
    if "resisted" not in table:
        return None
    resisted = table.table("resisted")
    resisted.only({"by", "traits", "difficulty"})
    by = parties.one(resisted, "by")
    return Resistance(
        by,
        _traits(resisted, by, parties),
        resisted.number_or_none("difficulty", least=-100, most=100),
    )
