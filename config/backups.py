"""One file that holds everything of the embedded set-up, and the way back from it.

The file is a zip archive: the database as SQLite's own backup copies it, so that it is whole though a fight goes on
meanwhile, portraits and all; and a list of what is in it, with checksums. The secret key is not: whoever finds a backup
cannot sign sessions with it.
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
    """It cannot be done; the sentence says why, and what to do."""


def database_file() -> Path:
    """The file of the embedded database. Raises `Unfit` where it is another kind of database."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite":
        raise Unfit("This Vesper keeps its data in PostgreSQL: docs/deploy.md says how that is backed up and restored.")
    return Path(name)


def save(to: Path) -> int:
    """Write a backup to the file `to`, which must not be there yet, and give its size in bytes.

    It is there whole or not at all. Raises `Unfit`.
    """
    source = database_file()
    if not source.exists():
        raise Unfit(f"There is nothing to back up: {source} is not there.")
    if to.exists():
        raise Unfit(f"{to} is there already: choose another name, such as one with the date in it.")
    if not to.parent.is_dir():
        raise Unfit(f"There is no folder {to.parent}.")
    with tempfile.TemporaryDirectory(dir=to.parent, prefix=".vesper-backup-") as folder:
        copy, archive = Path(folder, DATABASE), Path(folder, "archive")
        _copy(source, copy)
        _check(copy)
        _pack(archive, copy)
        _name(archive, to)
    return to.stat().st_size


def restore(of: Path, *, older: bool = False) -> Path | None:
    """Put the backup `of` in the place of the present data. Gives the folder to which that was moved, None for none.

    The caller holds the lock of the database. A backup of an older Vesper is taken where `older` says so, and has to
    be migrated then; after that `manage.py restored` is to be called. Raises `Unfit`, and then nothing has changed.
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
    """The migrations that a database says it has: pairs of app and name."""
    with contextlib.closing(_opened(database)) as opened:
        try:
            return frozenset(opened.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.DatabaseError:
            raise Unfit("This is no backup of a Vesper: its database has not the tables of one.") from None


def own_schema() -> Schema:
    """The migrations that this Vesper's code has."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


# ------------------------------------------------------------------ the database


def _opened(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=20)


def _copy(source: Path, to: Path) -> None:
    with contextlib.closing(_opened(source)) as here, contextlib.closing(sqlite3.connect(to)) as there:
        # All pages in one step: in steps it would begin anew each time that somebody acts.
        here.backup(there, pages=-1)
        # The copy goes into the archive alone, without the log that SQLite would else keep beside it.
        there.execute("PRAGMA journal_mode=DELETE")
    with to.open("rb") as written:
        os.fsync(written.fileno())


def _check(database: Path) -> None:
    """Refuse a database that is damaged, or whose rows point at rows that are not there."""
    with contextlib.closing(_opened(database)) as opened:
        try:
            said = opened.execute("PRAGMA integrity_check(1)").fetchone()[0]
            dangling = opened.execute("PRAGMA foreign_key_check").fetchone()
        except sqlite3.DatabaseError as problem:
            raise Unfit(f"The database is damaged: {problem}.") from None
    if said != "ok" or dangling:
        raise Unfit(
            f"The database is damaged: {said if said != 'ok' else f'a row of {dangling[0]} points at nothing'}."
        )


def _refuse_other_schema(found: Schema, *, older: bool) -> None:
    own = own_schema()
    ours = {app for app, _name in own}
    if ("combat", "0001_initial") not in found:
        raise Unfit("This is no backup of a Vesper: its database has not the tables of one.")
    # Apps that are gone may have left migrations behind; of those that there are, none may be unknown.
    if newer := sorted(f"{app}.{name}" for app, name in found - own if app in ours):
        raise Unfit(f"This backup is of a newer Vesper, which knows {newer[0]}: upgrade this one first.")
    if own - found and not older:
        raise Unfit("This backup is of an older Vesper: say --upgrade to restore it and bring it up to date.")


# ------------------------------------------------------------------ the archive


def _pack(archive: Path, database: Path) -> None:
    with archive.open("xb") as opened:
        with contextlib.suppress(PermissionError):  # on a stick, which knows no rights
            os.fchmod(opened.fileno(), 0o600)  # secrets of chronicles and hashes of passwords are in it
        with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as packed:
            with database.open("rb") as source, packed.open(DATABASE, "w", force_zip64=True) as target:
                files = {DATABASE: _pour(source, target)}
            told = {"vesper": FORMAT, "made": datetime.now(UTC).isoformat(timespec="seconds"), "files": files}
            packed.writestr(CONTENTS, json.dumps(told, indent=1))
        opened.flush()
        os.fsync(opened.fileno())


def _name(archive: Path, to: Path) -> None:
    try:
        # A link and not a renaming: it fails where another made a file of this name meanwhile.
        os.link(archive, to)
    except FileExistsError:
        raise
    except OSError:  # a stick knows no links either
        archive.rename(to)


def _unpack(archive: Path, folder: Path) -> None:
    """The database in the archive into the folder, where it is what the list says."""
    try:
        with zipfile.ZipFile(archive) as packed:
            _refuse_too_large(packed, folder)
            told = json.loads(packed.read(CONTENTS))
            if told["vesper"] != FORMAT or set(told["files"]) != {DATABASE}:
                raise Unfit(f"{archive} was made by another Vesper, in a way that this one does not know.")
            with packed.open(DATABASE) as source, Path(folder, DATABASE).open("xb") as target:
                if _pour(source, target) != told["files"][DATABASE]:
                    raise Unfit(f"{archive} is damaged: {DATABASE} is not what was packed.")
    except FileNotFoundError:
        raise Unfit(f"There is no file {archive}.") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError, OSError) as problem:
        raise Unfit(f"{archive} is no backup of a Vesper, or is damaged: {problem}.") from None


def _refuse_too_large(packed: zipfile.ZipFile, folder: Path) -> None:
    """What an archive says that it unpacks to is the most that is read of it."""
    wanted, free = sum(each.file_size for each in packed.infolist()), shutil.disk_usage(folder).free
    if wanted > free:
        raise Unfit(f"There is no room for it: {wanted // MEGABYTE} MB are needed, {free // MEGABYTE} MB are free.")
    if packed.getinfo(CONTENTS).file_size > MOST_CONTENTS:
        raise ValueError(f"its {CONTENTS} is far too long")


def _pour(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy, and give the SHA-256 of what was copied."""
    digest = hashlib.sha256()
    while block := source.read(BLOCK):
        digest.update(block)
        target.write(block)
    return digest.hexdigest()


def _put_aside(place: Path) -> Path | None:
    """Move the database, and the log that belongs to it, into a folder of their own."""
    present = [path for end in ("", "-wal", "-shm") if (path := Path(f"{place}{end}")).exists()]
    if not present:
        return None
    aside = Path(tempfile.mkdtemp(dir=place.parent, prefix=f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}-"))
    for path in present:
        shutil.move(path, aside / path.name)
    return aside
