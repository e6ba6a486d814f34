"""The file of an archive: a zip whose manifest lists every other file with its size and SHA-256.

A file from elsewhere is trusted in nothing: names, counts and sizes are checked before anything is unpacked, and each
file's digest when it is read. Everything wrong raises `BadArchive`, which names the file.
"""

from __future__ import annotations

import json
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from django.utils.translation import gettext as _

from campaigns.chains import strict_json

FORMAT = "vesper-chronicle-1"
MANIFEST = "manifest.json"

MOST_FILES = 5_000
MOST_UNPACKED = 200 * 1024 * 1024
MOST_PACKED = 100 * 1024 * 1024
MOST_OF_MANIFEST = 2 * 1024 * 1024

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")
_LONGEST_NAME = 200
_FROM_A_MAC = ("__MACOSX/",)
"""What other systems add when somebody unpacks an archive and packs it again."""
_SEALED = b"vesper sha256 "
"""Begins the zip's comment, with the digest of everything before it: a damaged file is recognised as such at once."""
_LENGTH = len(_SEALED) + 64
_NOT_READABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, UnicodeError, OverflowError, MemoryError),
)


class BadArchive(Exception):
    """An archive is rejected: `file` is the name of the file in it, "" for the archive itself, `reason` a sentence."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(file, reason)
        self.file = file
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}" if self.file else self.reason


class TooLarge(Exception):
    """A chronicle doesn't fit into an archive. The message is a sentence."""


class Writer:
    """Writes an archive to a path. `close` writes the manifest; without it there is no archive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._files: dict[str, dict[str, Any]] = {}
        self._bytes = 0

    def add(self, name: str, content: bytes | str) -> None:
        """Add a file. Raises `TooLarge`."""
        data = content.encode() if isinstance(content, str) else content
        self._check_room(len(data))
        self._files[name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
        self._put(name, data)

    def add_json(self, name: str, value: Any) -> None:
        """Add a file of JSON, indented for people."""
        self.add(name, json.dumps(value, ensure_ascii=False, indent=1) + "\n")

    def add_lines(self, name: str, rows: Iterator[Mapping[str, Any]] | list[Any]) -> None:
        """Add a file with a line of JSON for each row."""
        self.add(name, "".join(json.dumps(row) + "\n" for row in rows))

    def close(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest, with the list of files, and seal the zip."""
        said = {"format": FORMAT, **manifest, "files": self._files}
        self._put(MANIFEST, (json.dumps(said, ensure_ascii=False, indent=1) + "\n").encode())
        self._zip.close()
        _seal(self._path)

    def abandon(self) -> None:
        """Close the zip without a manifest."""
        self._zip.close()

    def _check_room(self, more: int) -> None:
        self._bytes += more
        if len(self._files) + 2 > MOST_FILES or self._bytes > MOST_UNPACKED - MOST_OF_MANIFEST:
            raise TooLarge(
                _("This is more than an archive can hold: at most %(files)s files and %(megabytes)s MB.")
                % {"files": MOST_FILES, "megabytes": MOST_UNPACKED // 1024 // 1024}
            )

    def _put(self, name: str, data: bytes) -> None:
        # The same content gives the same bytes: no time, and the same rights everywhere.
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o644 << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, data)


class Reader:
    """Reads an archive. Raises `BadArchive` for everything that is wrong with it.

    `manifest` is what the manifest says, checked only for its format and its list of files. `unread` are the names of
    the files that nobody has read yet.
    """

    def __init__(self, path: Path) -> None:
        if path.stat().st_size > MOST_PACKED:
            raise BadArchive(
                "", _("An archive has at most %(megabytes)s MB.") % {"megabytes": MOST_PACKED // 1024 // 1024}
            )
        try:
            self._zip = zipfile.ZipFile(path)
        except _NOT_READABLE:
            raise BadArchive("", _("This file isn’t a zip, or it is damaged or incomplete.")) from None
        try:
            self._open(path)
        except BaseException:
            self.close()
            raise

    def _open(self, path: Path) -> None:
        _check_seal(path, self._zip.comment)
        self._infos = _checked(self._zip.infolist())
        if MANIFEST not in self._infos:
            raise BadArchive(MANIFEST, _("This file is missing. Is this an archive of Vesper?"))
        self.manifest = _object(MANIFEST, self._unpack(MANIFEST, MOST_OF_MANIFEST))
        if self.manifest.get("format") != FORMAT:
            raise BadArchive(
                MANIFEST,
                _("The format is “%(format)s”. Vesper reads “%(known)s”.")
                % {"format": str(self.manifest.get("format", ""))[:40], "known": FORMAT},
            )
        self._files = _listed(self.manifest.get("files"), self._infos)
        self.unread = set(self._files)

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_failed: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """The size of all files together, unpacked, in bytes."""
        return sum(size for size, _digest in self._files.values())

    def names(self, folder: str = "") -> list[str]:
        """The names of the files, or of those in a folder ("pages/"), sorted."""
        return sorted(name for name in self._files if name.startswith(folder))

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return name in self._files

    def read(self, name: str) -> bytes:
        """A file, whose size and digest are as the manifest says."""
        if name not in self._files:
            raise BadArchive(name, _("This file is missing."))
        size, digest = self._files[name]
        data = self._unpack(name, size)
        if len(data) != size or sha256(data).hexdigest() != digest:
            raise BadArchive(name, _("This file was changed after the archive was made, or it is damaged."))
        self.unread.discard(name)
        return data

    def text(self, name: str) -> str:
        """A file of text."""
        try:
            text = self.read(name).decode()
        except UnicodeDecodeError:
            raise BadArchive(name, _("This file isn’t in UTF-8.")) from None
        if "\0" in text:
            raise BadArchive(name, _("This file contains a NUL character."))
        return text

    def json(self, name: str) -> dict[str, Any]:
        """A file of JSON with one object."""
        return _object(name, self.read(name))

    def lines(self, name: str) -> list[dict[str, Any]]:
        """A file with an object on each line."""
        lines = self.text(name).split("\n")
        return [_object(name, line, number) for number, line in enumerate(lines, start=1) if line.strip()]

    def _unpack(self, name: str, most: int) -> bytes:
        try:
            with self._zip.open(self._infos[name]) as packed:
                data = packed.read(most + 1)
        except _NOT_READABLE:
            raise BadArchive(name, _("This file can’t be unpacked: the archive is damaged or incomplete.")) from None
        if len(data) > most:
            raise BadArchive(name, _("This file is larger than the manifest says."))
        return data


def is_zip(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a zip."""
    return head.startswith(b"PK\x03\x04")


def _seal(path: Path) -> None:
    """Put the digest of everything before the comment into it."""
    digest = sha256(path.read_bytes()[:-2]).hexdigest().encode()
    with zipfile.ZipFile(path, "a") as packed:
        packed.comment = _SEALED + digest


def _check_seal(path: Path, comment: bytes) -> None:
    # An archive that somebody packed again has no comment: then the digests of its files must do.
    data = path.read_bytes()
    before, length, last = data[: -_LENGTH - 2], data[-_LENGTH - 2 : -_LENGTH], data[-_LENGTH:]
    if not comment and not last.startswith(_SEALED) and data.endswith(b"\0\0"):
        return  # the end of a zip says how long its comment is
    whole = _SEALED + sha256(before).hexdigest().encode()
    if (comment, last, length) != (whole, whole, _LENGTH.to_bytes(2, "little")):
        raise BadArchive("", _("This archive was changed after it was made, or it is damaged."))


def _checked(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    if len(infos) > MOST_FILES:
        raise BadArchive("", _("An archive has at most %(files)s files.") % {"files": MOST_FILES})
    if sum(each.file_size for each in infos) > MOST_UNPACKED:
        raise BadArchive(
            "", _("Unpacked, an archive has at most %(megabytes)s MB.") % {"megabytes": MOST_UNPACKED // 1024 // 1024}
        )
    found: dict[str, zipfile.ZipInfo] = {}
    for each in infos:
        name = each.filename
        if name.startswith(_FROM_A_MAC) or (each.is_dir() and not each.file_size):
            continue
        shown = name[:_LONGEST_NAME].encode("ascii", "backslashreplace").decode()
        if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name) or stat.S_ISLNK(each.external_attr >> 16):
            raise BadArchive(shown, _("An archive can’t contain a file with this name."))
        if name in found:
            raise BadArchive(shown, _("This file is in the archive twice."))
        found[name] = each
    return found


def _listed(files: Any, infos: Mapping[str, zipfile.ZipInfo]) -> dict[str, tuple[int, str]]:
    """The files by name, with size and digest. The manifest and the zip must list the same."""
    if not isinstance(files, dict):
        raise BadArchive(MANIFEST, _("“%(field)s” is missing.") % {"field": "files"})
    found: dict[str, tuple[int, str]] = {}
    for name, said in files.items():
        size, digest = (said.get("bytes"), said.get("sha256")) if isinstance(said, dict) else (None, None)
        if type(size) is not int or not isinstance(digest, str):
            raise BadArchive(MANIFEST, _("“%(field)s” isn’t valid.") % {"field": name[:80]})
        if name not in infos or name == MANIFEST:
            raise BadArchive(name[:80], _("This file is missing."))
        if infos[name].file_size != size:
            raise BadArchive(name, _("This file was changed after the archive was made, or it is damaged."))
        found[name] = size, digest
    if more := sorted(infos.keys() - found.keys() - {MANIFEST}):
        raise BadArchive(more[0], _("The manifest doesn’t list this file."))
    return found


def _object(name: str, data: bytes | str, line: int = 0) -> dict[str, Any]:
    try:
        text = data if isinstance(data, str) else data.decode()
        said = strict_json(text)
        # PostgreSQL stores no NUL.
        whole = isinstance(said, dict) and not ("\\u0000" in text and "\\u0000" in json.dumps(said))
    except ValueError:
        whole = False
    if not whole:
        reason = _("Line %(line)s isn’t valid JSON.") % {"line": line} if line else _("This file isn’t valid JSON.")
        raise BadArchive(name, reason)
    return cast("dict[str, Any]", said)
