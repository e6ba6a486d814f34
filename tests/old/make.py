"""Write a database as this version does, for later versions to open: `python -m tests.old.make 2026-11`.

Prints what commands, events, fields, actions and circumstances no log in it holds, but for those in `NOT_HELD`; ends
with 1 if there are any. With `--refused`, also every command that was refused.
"""

from __future__ import annotations

import lzma
import os
import secrets
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

START = datetime(2026, 11, 1, 20, tzinfo=UTC)
PEOPLE = ("story", "ann", "bob", "eye", "guest")

NOT_HELD: dict[str, tuple[str, ...]] = {
    "Sheets edited elsewhere are stored as events and the ids of those edited": ("ReviseSheet",),
    "A combatant joins without it, and no other event holds combatants": (
        "Combatant.circumstances",
        "Combatant.dice_shown",
        "Combatant.own",
        "Combatant.spent",
        "Combatant.told",
        "Impairment.left",
        "Impairment.type",
        "Impairment.until",
        "Newcomer.conditions",
    ),
    "A rare combination that the play of 2026-11 did not come to": (
        "Against.in_full",
        "DamageStep.below",
        "DamageStep.into",
        "DamageStep.of",
        "DamageStep.struck",
        "Grapple.ropes",
        "GrappleRolled.against",
        "Harmed.rule",
        "MoveMade.weapon",
        "PoolPlan.spared",
        "Resistance.modifiers",
        "TraitsRolled.flags",
        "TurnRecord.moment",
        "Weapon.aerodynamic",
        "Weapon.hidden",
        "apocalypse TakeAction rise",
        "chronicles Modifier aim",
        "chronicles Modifier firing_from_concealment",
        "chronicles Modifier pull_blow",
    ),
}
"""Types, their fields and keys that no log holds, by the reason; of a type all its fields."""


def main(folder: Path) -> int:
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"VESPER_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.pop("DATABASE_URL", None)
        make_steady()
        import django

        django.setup()
        tables = played()
        known = {each for names in NOT_HELD.values() for each in names}
        missing = [each for each in lacking(tables) if known.isdisjoint({each, each.partition(".")[0]})]
        sys.stdout.write("".join(f"In no log: {each}\n" for each in missing))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "vesper.sqlite3.xz").write_bytes(packed(Path(data) / "vesper.sqlite3"))
        return bool(missing)


def make_steady() -> None:
    """Seed ids and tokens, and let the clock advance by seven seconds each time it is read."""
    from django.utils import timezone

    chance, ticks = Random("Vesper"), count()
    secrets.choice = chance.choice
    secrets.token_urlsafe = lambda size=32: f"made-up-{chance.getrandbits(8 * size):x}"
    timezone.now = lambda: START + timedelta(seconds=7 * next(ticks))


def played() -> list[Any]:
    """A table of each ruleset, played at; the one who reads German is Bob."""
    from campaigns.models import User
    from config.preparing import bring_up_to_date
    from rules.systems import RULESETS
    from tests.old.playing import play
    from tests.old.table import Table

    bring_up_to_date(lambda _said: None)
    people = {name: User.objects.create_user(name, f"{name}@example.org") for name in PEOPLE}
    User.objects.update(password="!")  # no password at all: not even a random mark that looks like one
    people["bob"].language = "de"
    people["bob"].save(update_fields=["language"])
    found = []
    for key in RULESETS:
        table = Table.laid(key, people)
        play(table)
        found.append(table)
        sys.stdout.write(f"{key}: {table.encounter.seq} rows\n")
        if "--refused" in sys.argv:
            sys.stdout.write("\n".join(table.refused) + "\n")
    return found


def lacking(tables: list[Any]) -> Iterator[str]:
    """Commands, events and their fields that no row holds, and actions and circumstances that no fight of theirs."""
    from combat.log import codec
    from combat.models import Kind, LogRow
    from tests.old.contents import held, wanted

    seen = set[str]()
    for row in LogRow.objects.exclude(kind__in=(Kind.UNDO, Kind.REDO)):
        told: tuple[Any, ...] = codec.load_events(row.events)
        if row.kind == Kind.COMMAND:
            told += (codec.load_command(row.command),)
        seen |= {each for value in told for each in held(value, frozenset())}
    yield from sorted(wanted() - seen)
    for table in tables:
        for field, keys in (("TakeAction", table.ruleset.actions), ("Modifier", table.ruleset.modifiers)):
            key = table.chronicle.ruleset
            yield from (f"{key} {field} {each}" for each in keys if f"{field}.key={each}" not in table.seen)


def packed(file: Path) -> bytes:
    """A database as one compressed file, without the write-ahead log."""
    from django.db import connection

    connection.close()
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    with sqlite3.connect(file) as database:
        database.execute("VACUUM")
    database.close()
    return lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME)


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent / sys.argv[1]))
