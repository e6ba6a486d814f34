"""Reads attacks."""

from __future__ import annotations

from math import ceil

from rules.model.attack import Attack
from rules.model.gear import BARE_HANDS
from rules.scenario.fields import MOST, Table
from rules.scenario.parties import Parties
from rules.scenario.readers import reads


@reads("attack", keys={"by", "at", "with", "mods", "distance", "defence", "strike", "near"})
def read_attack(table: Table, parties: Parties) -> Attack:
    """The attack that a step describes."""
    table.required("at")
    return Attack(
        parties.one(table, "by"),
        parties.some(table, "at"),
        table.text("with", BARE_HANDS),
        parties.modifiers(table),
        read_distance(table),
        parties.defences(table),
        frozenset(table.words("strike")),
        parties.some(table, "near"),
    )


def read_distance(table: Table) -> int | None:
    """The distance, rounded up: every range limit is a whole number, so rounding never crosses one."""
    if "distance" not in table:
        return None
    found = table.values["distance"]
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= MOST:
        raise table.bad("distance", "should be a number, zero or more.")
    return ceil(found)
