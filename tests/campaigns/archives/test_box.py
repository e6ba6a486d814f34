"""The file of an archive: what is written is read again, and everything wrong is refused with its reason."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from campaigns.archives import box
from campaigns.archives.box import MANIFEST, BadArchive, Reader, TooLarge, Writer

FILES = {"chronicle.json": b'{"name": "Autumn"}\n', "pages/bcdfghjkmn.md": "Café\n".encode()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.zip"


def written(path: Path) -> Path:
    made = Writer(path)
    for name, content in FILES.items():
        made.add(name, content)
    made.close({"counts": {"pages": 1}})
    return path


def packed(path: Path, *files: tuple[str, bytes], manifest: Any = None, **said: Any) -> Path:
    """A zip with these files and a manifest that lists them as they are, changed by ``manifest``."""
    listed = {name: {"bytes": len(data), "sha256": sha256(data).hexdigest()} for name, data in files}
    whole = {"format": box.FORMAT, "files": listed} | said
    if manifest:
        manifest(whole)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files:
            out.writestr(name, data)
        out.writestr(MANIFEST, json.dumps(whole))
    return path


def refused(path: Path, name: str = "") -> str:
    """Why an archive is refused when all of it is read; ``name`` is the file that it must name."""
    with pytest.raises(BadArchive) as caught:
        whole(path)
    assert caught.value.file == name
    return caught.value.reason


def whole(path: Path) -> dict[str, bytes]:
    with Reader(path) as reader:
        return {name: reader.read(name) for name in reader.names()}


def test_what_was_written_is_read(path: Path) -> None:
    assert whole(written(path)) == FILES
    with Reader(path) as reader:
        assert reader.manifest["counts"] == {"pages": 1}
        assert reader.names("pages/") == ["pages/bcdfghjkmn.md"]
        assert reader.json("chronicle.json") == {"name": "Autumn"}
        assert reader.text("pages/bcdfghjkmn.md") == "Café\n"


def test_the_same_content_gives_the_same_file(path: Path, tmp_path: Path) -> None:
    assert written(path).read_bytes() == written(tmp_path / "again.zip").read_bytes()


def test_an_archive_that_was_unpacked_and_packed_again_is_read(path: Path, tmp_path: Path) -> None:
    written(path)
    again = tmp_path / "again.zip"
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(again, "w") as after:
        after.writestr("pages/", b"")
        after.writestr("__MACOSX/._chronicle.json", b"resource fork")
        for name in before.namelist():
            after.writestr(name, before.read(name))
    assert whole(again) == FILES


def test_every_changed_byte_is_noticed(path: Path) -> None:
    data = written(path).read_bytes()
    random = Random(20)
    for _each in range(2_000):
        place = random.randrange(len(data))
        wrong = (data[place] + random.randrange(1, 256)) % 256
        path.write_bytes(data[:place] + bytes([wrong]) + data[place + 1 :])
        with pytest.raises(BadArchive) as caught:
            whole(path)
        assert caught.value.reason


def test_an_incomplete_file_is_refused(path: Path) -> None:
    data = written(path).read_bytes()
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        assert "damaged" in refused(path)


def test_more_at_the_end_is_noticed(path: Path) -> None:
    path.write_bytes(written(path).read_bytes() + b"more")
    with pytest.raises(BadArchive):
        whole(path)


NAMES = [
    *("../climbs.json", "a/../../climbs", "/etc/passwd", "C:\\climbs", "a\\b", "./a", "a//b", ".hidden", "a/"),
    *("ü.json", "a b", "x" * 300, "con\n"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_path_that_climbs_or_is_odd_is_refused(path: Path, name: str) -> None:
    with pytest.raises(BadArchive):
        whole(packed(path, (name, b"{}")))


def test_a_link_is_refused(path: Path) -> None:
    link = zipfile.ZipInfo("chronicle.json")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(link, "/etc/passwd")
    assert "name" in refused(path, "chronicle.json")


def test_a_bomb_is_refused_before_it_is_unpacked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for number in range(3):
            out.writestr(f"a{number}.json", b"0" * (box.MOST_UNPACKED // 2))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_a, **_k: pytest.fail("unpacked"))
    assert path.stat().st_size < 2_000_000
    assert "200 MB" in refused(path)


def test_a_size_that_lies_unpacks_no_more_than_it_says(path: Path) -> None:
    big = b"0" * 5_000_000
    packed(path, ("a.json", big))
    data = path.read_bytes()
    # Both headers of the zip say that the file has ten bytes.
    lying = data.replace(len(big).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(lying)
    with pytest.raises(BadArchive):
        whole(path)


def test_too_many_files_are_refused(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as out:
        for number in range(box.MOST_FILES + 1):
            out.writestr(f"a{number}", b"")
    assert "5000" in refused(path).replace(",", "")


def test_too_large_a_file_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path)
    monkeypatch.setattr(box, "MOST_PACKED", 100)
    assert "MB" in refused(path)


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "another format": (MANIFEST, lambda said: said.update(format="vesper-chronicle-2")),
    "no format": (MANIFEST, lambda said: said.pop("format")),
    "no list": (MANIFEST, lambda said: said.pop("files")),
    "a list of files": (MANIFEST, lambda said: said.update(files=["a.json"])),
    "no digest": (MANIFEST, lambda said: said["files"]["a.json"].pop("sha256")),
    "a size in words": (MANIFEST, lambda said: said["files"]["a.json"].update(bytes="2")),
    "another size": ("a.json", lambda said: said["files"]["a.json"].update(bytes=3)),
    "another digest": ("a.json", lambda said: said["files"]["a.json"].update(sha256="0" * 64)),
    "a file that isn't there": ("b.json", lambda said: said["files"].update({"b.json": {"bytes": 1, "sha256": ""}})),
    "a file that isn't listed": ("a.json", lambda said: said["files"].clear()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_manifest_that_is_wrong_is_refused(path: Path, change: str) -> None:
    name, manifest = CHANGES[change]
    assert refused(packed(path, ("a.json", b"{}"), manifest=manifest), name)


def test_a_file_twice_is_refused(path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        packed(path, ("a.json", b"{}"), ("a.json", b"{}"))
    assert "twice" in refused(path, "a.json")


def test_without_a_manifest_it_is_no_archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("a.json", b"{}")
    assert "missing" in refused(path, MANIFEST)


JSON = [b"", b"{", b"[]", b"1", b'{"a": 1, "a": 2}', b'{"a": NaN}', b'{"a": "\\ud800"}', b'{"a": "\\u0000"}', b"\xff"]


@pytest.mark.parametrize("data", [*JSON, b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b'{"a": 1' + b"0" * 9999 + b"}"])
def test_json_that_readers_could_take_differently_is_refused(path: Path, data: bytes) -> None:
    with Reader(packed(path, ("a.json", data))) as reader, pytest.raises(BadArchive) as caught:
        reader.json("a.json")
    assert caught.value.file == "a.json"
    with Reader(packed(path, ("a.jsonl", b"{}\n" + (data or b"x")))) as reader, pytest.raises(BadArchive):
        reader.lines("a.jsonl")


def test_a_chronicle_that_is_too_large_is_not_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Writer(path)
    monkeypatch.setattr(box, "MOST_FILES", 2)
    made.add("a.json", b"{}")
    with pytest.raises(TooLarge, match="2 files"):
        made.add("b.json", b"{}")
