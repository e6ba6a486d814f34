"""A chronicle into a file, and a file into a new chronicle.

A file is read and checked as a whole before anything is saved; saving is one transaction. What is in the bin stays out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import chains, rulesets
from campaigns.archives import chronicle as the_chronicle
from campaigns.archives import pages, preparation, sessions
from campaigns.archives.box import MANIFEST, BadArchive, Reader, Writer
from campaigns.archives.moving import Coming, Going, Section, Tell
from campaigns.models import Chronicle, Page, User
from characters.archives import changes, characters, experience, faces, tables, templates, ties
from characters.models import Character, SheetChange
from combat.archives import encounters
from combat.models import LogRow
from story.archives.readme import readme

README = "README.md"
SECTIONS: tuple[Section, ...] = (
    *(the_chronicle, sessions, pages),
    *(tables, characters, templates, faces, ties, experience, changes),
    *(preparation, encounters),
)
"""In the order in which they are read: each refers only to rows of those before it."""


def expected(chronicle: Chronicle) -> int:
    """About how much work it is to take a chronicle out, in rows."""
    rows = LogRow.objects.filter(encounter__chronicle=chronicle).count()
    history = SheetChange.objects.filter(character__chronicle=chronicle).count()
    return 1 + rows + history + sum(model.objects.filter(chronicle=chronicle).count() for model in (Page, Character))


def work(box: Reader, *, saving: bool) -> int:
    """About how much work it is to read an archive, and with `saving` to save it, in rows."""
    said = box.manifest.get("counts")
    rows = sum(each for each in said.values() if type(each) is int) if isinstance(said, dict) else 0
    return max(1, rows) * (2 if saving else 1)


def people(box: Reader) -> list[tuple[str, str]]:
    """The keys and names of the people in an archive that isn't checked yet."""
    said = box.json("chronicle.json").get("people")
    listed = [each for each in said if isinstance(each, dict)] if isinstance(said, list) else []
    return [(str(each.get("key")), str(each.get("name"))) for each in listed]


def contents(coming: Coming) -> dict[str, Any]:
    """What a checked archive holds, as JSON."""
    people = coming.box.json("chronicle.json")["people"]
    return {
        "name": coming.chronicle.name,
        "ruleset": coming.chronicle.ruleset,
        "counts": coming.box.manifest["counts"],
        "people": [{name: each[name] for name in ("key", "name", "role")} for each in people],
    }


def take_out(chronicle: Chronicle, path: Path, tell: Tell) -> None:
    """Write a chronicle's archive. Raises `TooLarge`."""
    box = Writer(path)
    try:
        with snapshot():
            going = Going(Chronicle.objects.get(pk=chronicle.pk), box, tell)
            for section in reversed(SECTIONS):
                section.take_out(going)
        said = {"part": "chronicle", "ruleset": going.chronicle.ruleset, "made": chains.moment(timezone.now())}
        manifest = {**said, "counts": going.counts}
        box.add(README, readme(going.chronicle, going.counts))
        box.close(manifest)
    except BaseException:
        box.abandon()
        raise


def bring_in(box: Reader, by: User, users: Mapping[str, User], tell: Tell) -> Coming:
    """Read an archive and check everything in it; nothing is saved yet.

    `users` are the accounts that take the places of people in it, by key; the others stay open. Raises `BadArchive`.
    """
    _check_part(box)
    coming = Coming(box, by, Chronicle(), tell, users=dict(users))
    for section in SECTIONS:
        section.bring_in(coming)
    if unknown := sorted(box.unread - {README}):
        raise BadArchive(unknown[0], _("A chronicle’s archive has no such file."))
    return coming


@transaction.atomic
def save(coming: Coming) -> Chronicle:
    """Save what was read, all or nothing."""
    coming.save()
    return coming.chronicle


def _check_part(box: Reader) -> None:
    said: dict[str, Any] = box.manifest
    if said.get("part") != "chronicle":
        raise BadArchive(MANIFEST, _("This archive holds characters, not a chronicle. Bring them into a chronicle."))
    if said.get("ruleset") not in rulesets.installed():
        raise BadArchive(
            MANIFEST,
            _("The ruleset “%(ruleset)s” isn’t installed here.") % {"ruleset": str(said.get("ruleset", ""))[:40]},
        )


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that reads everything as it was at one moment, and keeps nobody from writing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    else:
        with _without_writing(), transaction.atomic():
            yield


@contextmanager
def _without_writing() -> Iterator[None]:
    """On SQLite, transactions begin without the lock for writing."""
    there: Any = connection
    connection.ensure_connection()
    before, there.transaction_mode = there.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        there.transaction_mode = before
