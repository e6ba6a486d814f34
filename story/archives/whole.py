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
from campaigns.models import Chronicle, User

SECTIONS: tuple[Section, ...] = (the_chronicle, sessions, pages, preparation)
"""In the order in which they are read: each refers only to rows of those before it."""


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
