"""Backup and restore of the embedded set-up, as one file.

The file is a zip archive with the database and a manifest with checksums. The database is copied by SQLite's own
backup, so it is consistent even during a fight, and it includes the portraits. The secret key is left out, so nobody
can sign sessions with a backup that they find.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from django.db import connection
from django.db.migrations.loader import MigrationLoader

DATABASE = "vesper.sqlite3"
CONTENTS = "contents.json"
FORMAT = 1
MEGABYTE = BLOCK = 1024 * 1024
MOST_CONTENTS = 16 * MEGABYTE

Schema = frozenset[tuple[str, str]]


class Unfit(Exception):
    """The backup or restore cannot be done. The message says why and what to do."""


def database_file() -> Path:
    """The file of the embedded database. Raises `Unfit` if the database is not SQLite."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite":
        raise Unfit(
            "This Vesper keeps its data in PostgreSQL. docs/deploy.md describes how to back it up and restore it."
        )
    return Path(name)


def save(to: Path) -> int:
    """Write a backup to `to`, which must not exist yet, and return its size in bytes.

    Atomic: the file appears complete or not at all. Raises `Unfit`.
    """
    source = database_file()
    if not source.exists():
        raise Unfit(f"There is nothing to back up: {source} does not exist.")
    if to.exists():
        raise Unfit(f"{to} already exists. Choose another name, for example with the date in it.")
    if not to.parent.is_dir():
        raise Unfit(f"The folder {to.parent} does not exist. Create it first.")
    with tempfile.TemporaryDirectory(dir=to.parent, prefix=".vesper-backup-") as folder:
        copy, archive = Path(folder, DATABASE), Path(folder, "archive")
        _copy(source, copy)
        _check(copy)
        _pack(archive, copy)
        _name(archive, to)
    return to.stat().st_size


def restore(of: Path, *, older: bool = False) -> Path | None:
    """Replace the current data with the backup `of`. Returns the folder the old data was moved to, or None if there was
    none.

    The caller holds the database lock. With `older`, a backup of an older Vesper is accepted; it must then be migrated.
    Call `manage.py restored` afterwards. Raises `Unfit`, and then nothing has changed.
    """
    place = database_file()
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".vesper-restore-") as folder:
        _unpack(of, Path(folder))
        _check(Path(folder, DATABASE))
        _refuse_other_schema(schema_of(Path(folder, DATABASE)), older=older)
        aside = _put_aside(place)
        os.replace(Path(folder, DATABASE), place)
    return aside


def schema_of(database: Path) -> Schema:
    """The migrations recorded in a database, as (app, name) pairs."""
    with contextlib.closing(_opened(database)) as opened:
        try:
            return frozenset(opened.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.DatabaseError:
            raise Unfit("This is not a Vesper backup: its database lacks Vesper's tables.") from None


def own_schema() -> Schema:
    """The migrations in this Vesper's code."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


# ------------------------------------------------------------------ the database


def _opened(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=20)


def _copy(source: Path, to: Path) -> None:
    with contextlib.closing(_opened(source)) as here, contextlib.closing(sqlite3.connect(to)) as there:
        # All pages in one step: with several, SQLite starts again after every write in between.
        here.backup(there, pages=-1)
        # Only this file goes into the archive, so it must not need a write-ahead log beside it.
        there.execute("PRAGMA journal_mode=DELETE")
    with to.open("rb") as written:
        os.fsync(written.fileno())


def _check(database: Path) -> None:
    """Refuse a database that is damaged or has dangling foreign keys."""
    with contextlib.closing(_opened(database)) as opened:
        try:
            said = opened.execute("PRAGMA integrity_check(1)").fetchone()[0]
            dangling = opened.execute("PRAGMA foreign_key_check").fetchone()
        except sqlite3.DatabaseError as problem:
            raise Unfit(f"The database is damaged: {problem}.") from None
    if said != "ok" or dangling:
        raise Unfit(
            f"The database is damaged: {said if said != 'ok' else f'a row of {dangling[0]} points to a missing row'}."
        )


def _refuse_other_schema(found: Schema, *, older: bool) -> None:
    own = own_schema()
    ours = {app for app, _name in own}
    if ("combat", "0001_initial") not in found:
        raise Unfit("This is not a Vesper backup: its database lacks Vesper's tables.")
    # Migrations of removed apps may remain; those of present apps must all be known.
    if newer := sorted(f"{app}.{name}" for app, name in found - own if app in ours):
        raise Unfit(f"This backup was made by a newer Vesper (it has {newer[0]}). Upgrade this one first.")
    if own - found and not older:
        raise Unfit("This backup was made by an older Vesper. Add --upgrade to restore it and bring it up to date.")


# ------------------------------------------------------------------ the archive


def _pack(archive: Path, database: Path) -> None:
    with archive.open("xb") as opened:
        with contextlib.suppress(PermissionError):  # on a USB stick, whose file system has no permissions
            os.fchmod(opened.fileno(), 0o600)  # it contains chronicles' secrets and password hashes
        with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as packed:
            with database.open("rb") as source, packed.open(DATABASE, "w", force_zip64=True) as target:
                files = {DATABASE: _pour(source, target)}
            told = {"vesper": FORMAT, "made": datetime.now(UTC).isoformat(timespec="seconds"), "files": files}
            packed.writestr(CONTENTS, json.dumps(told, indent=1))
        opened.flush()
        os.fsync(opened.fileno())


def _name(archive: Path, to: Path) -> None:
    try:
        # A hard link, not a rename: it fails if somebody has created the file in the meantime.
        os.link(archive, to)
    except FileExistsError:
        raise
    except OSError:  # USB sticks have no hard links either
        archive.rename(to)


def _unpack(archive: Path, folder: Path) -> None:
    """Extract the database from the archive into the folder, and verify its checksum."""
    try:
        with zipfile.ZipFile(archive) as packed:
            _refuse_too_large(packed, folder)
            told = json.loads(packed.read(CONTENTS))
            if told["vesper"] != FORMAT or set(told["files"]) != {DATABASE}:
                raise Unfit(
                    f"{archive} is in a format that this Vesper does not know. It may have been made by a newer one."
                )
            with packed.open(DATABASE) as source, Path(folder, DATABASE).open("xb") as target:
                if _pour(source, target) != told["files"][DATABASE]:
                    raise Unfit(f"{archive} is damaged: the checksum of {DATABASE} is wrong.")
    except FileNotFoundError:
        raise Unfit(f"The file {archive} does not exist.") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError, OSError) as problem:
        raise Unfit(f"{archive} is not a Vesper backup, or is damaged: {problem}.") from None


def _refuse_too_large(packed: zipfile.ZipFile, folder: Path) -> None:
    """Refuse an archive that claims to unpack to more than fits. Reading never exceeds the claimed sizes."""
    wanted, free = sum(each.file_size for each in packed.infolist()), shutil.disk_usage(folder).free
    if wanted > free:
        raise Unfit(f"Not enough disk space: {wanted // MEGABYTE} MB are needed, {free // MEGABYTE} MB are free.")
    if packed.getinfo(CONTENTS).file_size > MOST_CONTENTS:
        raise ValueError(f"its {CONTENTS} is too long")


def _pour(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy, and return the SHA-256 of what was copied."""
    digest = hashlib.sha256()
    while block := source.read(BLOCK):
        digest.update(block)
        target.write(block)
    return digest.hexdigest()


def _put_aside(place: Path) -> Path | None:
    """Move the database and its write-ahead log into a folder of their own."""
    present = [path for end in ("", "-wal", "-shm") if (path := Path(f"{place}{end}")).exists()]
    if not present:
        return None
    aside = Path(tempfile.mkdtemp(dir=place.parent, prefix=f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}-"))
    for path in present:
        shutil.move(path, aside / path.name)
    return aside
