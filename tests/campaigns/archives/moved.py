"""A chronicle with everything that this app keeps, taken out and brought in by its sections alone."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from django.db import transaction
from PIL import Image

from campaigns import page_services, services, session_services, showing
from campaigns.archives import chronicle as the_chronicle
from campaigns.archives import pages, preparation, sessions
from campaigns.archives.box import MANIFEST, Reader, Writer
from campaigns.archives.moving import Coming, Going
from campaigns.models import (
    Answer,
    Attendance,
    Chronicle,
    Membership,
    Passage,
    PassageAudience,
    Preparation,
    Session,
    User,
)
from campaigns.tokens import ALPHABET

SECTIONS: tuple[Any, ...] = (the_chronicle, sessions, pages, preparation)
AT = datetime(2026, 2, 6, 19, 30, tzinfo=UTC)

KIND = {"label": "Drowned", "like": "vampire", "soaks": ["bashing"], "banes": ["cold_iron"], "open": True}
TRAIT = {"label": "Sailing", "sort": "ability", "place": "abilities/1", "most": 5, "was": ["Boats"], "gone": False}
TEXT = {"label": "Oaths", "sort": "text", "gone": True}
POWER = {
    "label": "Iron skin",
    "source": "merit",
    "timing": "action",
    "lasts": "scene",
    "reach": "self",
    "effects": [{"does": "dice", "amount": 2, "pools": ["soak"]}],
}


def fill(chronicle: Chronicle, people: Mapping[str, User]) -> None:
    """Fill a chronicle whose members are named "storyteller", "player", "other_player" and "observer"."""
    by = Membership.objects.get(chronicle=chronicle, user=people["storyteller"])
    player = Membership.objects.get(chronicle=chronicle, user=people["player"])
    other = Membership.objects.get(chronicle=chronicle, user=people["other_player"])
    chronicle.description = "Ash.\r\n\n* one\n"
    chronicle.own_kinds = {"own-bcdfghjkmn": KIND}
    chronicle.own_traits = {"own_bcdfghjkmn": TRAIT, "own_zxwvtsrqpn": TEXT}
    chronicle.own_powers = {"own_iron_skin": POWER, "own_gone": {**POWER, "label": "Bark", "gone": True}}
    chronicle.conduct = {"approval": False, "answer_seconds": 60}
    chronicle.save()
    fill_sessions(by, player, other)
    fill_pages(by, player, other)
    services.remove_member(by=by, member=other, now=AT)


def fill_sessions(by: Membership, player: Membership, other: Membership) -> None:
    """Sessions 1, 2 and 5, with what is carried over."""
    chronicle, past = by.chronicle, AT - timedelta(days=60)
    first = Session.objects.create(
        chronicle=chronicle,
        number=1,
        title="Dusk",
        starts=past,
        place="Ana’s",
        progress="played",
        begun=past,
        ended=past + timedelta(hours=4),
        recap="They *fled*.",
        told=AT,
        story_begins=date(1999, 10, 31),
        story_ends=date(1999, 11, 1),
    )
    Session.objects.create(chronicle=chronicle, number=2, progress="cancelled")
    last = Session.objects.create(chronicle=chronicle, number=5, progress="playing", begun=AT, starts=AT)
    for user, answer, came in ((player, Answer.YES, True), (other, Answer.NO, False), (by, "", None)):
        Attendance.objects.create(
            session=first, user=user.user, answer=answer, word="late" if came else "", came=came, answered=AT
        )
    session_services.prepare(by=by, session=last, text="The mill burns")
    Preparation.objects.create(chronicle=chronicle, session=first, text="Left over", place=7)
    Preparation.objects.create(chronicle=chronicle, text="Used", place=3, used=AT, used_in=last, session=first)
    Preparation.objects.create(chronicle=chronicle, text="A lost draft", place=9, fight="bcdfghjkmn")


def fill_pages(by: Membership, player: Membership, other: Membership) -> None:
    """Pages with every audience, a picture, links, what was shown, and one in the bin."""
    session = by.chronicle.sessions.get(number=1)
    crypt = page_services.create_page(
        by=by, title="The crypt", text="# The crypt\n\nSee [[The Prince]].", kind="place", session=session
    )
    chosen, everyone = PassageAudience.CHOSEN, PassageAudience.EVERYONE
    page_services.add_passage(by=by, page=crypt, text="", audience=chosen, readers=[player.pk, other.pk])
    page_services.add_passage(by=by, page=crypt, text="\r\n\n# Ünder\n💀", audience=everyone)
    picture = page_services.NewPicture(webp((40, 30), quality=80, method=4), "A map")
    page_services.add_passage(by=by, page=crypt, text="Walls.", picture=picture)
    first = Passage.objects.filter(page=crypt).first()
    assert first is not None
    showing.show(by=by, passage_id=first.pk, everyone=False, to=[player.pk])
    showing.show(by=by, passage_id=first.pk, everyone=True)
    page_services.create_page(by=player, title="Diary", text="I fear her.", kind="journal", audience="author")
    page_services.create_page(by=by, title="The Prince", text="Dead.", kind="plot")
    binned = page_services.create_page(by=by, title="Thrown away", text="Nothing.")
    Preparation.objects.create(chronicle=by.chronicle, text="Read it", page=crypt, place=11)
    Preparation.objects.create(chronicle=by.chronicle, text="Read that", page=binned, place=12)
    page_services.delete_page(by=by, page=binned)


def taken_out(chronicle: Chronicle, path: Path) -> Path:
    box = Writer(path)
    going = Going(Chronicle.objects.get(pk=chronicle.pk), box)
    for section in reversed(SECTIONS):
        section.take_out(going)
    box.close({"part": "chronicle", "ruleset": chronicle.ruleset, "counts": going.counts})
    return path


def read(path: Path, by: User, users: Mapping[str, User] | None = None) -> Coming:
    """What a file brings, unsaved."""
    coming = Coming(Reader(path), by, Chronicle(), users=dict(users or {}))
    for section in SECTIONS:
        section.bring_in(coming)
    return coming


def brought_in(path: Path, by: User, users: Mapping[str, User] | None = None) -> Chronicle:
    coming = read(path, by, users)
    with transaction.atomic():
        coming.save()
    return coming.chronicle


def people_in(path: Path) -> dict[str, dict[str, Any]]:
    """The people of a file by name."""
    return {each["name"]: each for each in Reader(path).json("chronicle.json")["people"]}


def content(path: Path) -> dict[str, str]:
    """All files of an archive, with ids replaced by the order in which they occur first."""
    box = Reader(path)
    names = sorted(box.names(), key=lambda name: ("/" in name, name))
    order: dict[str, str] = {}

    def plain(text: str) -> str:
        return re.sub(
            f"(?<![{ALPHABET}_-])[{ALPHABET}]{{10}}(?![a-z0-9])",
            lambda found: order.setdefault(found[0], f"id{len(order)}"),
            text,
        )

    texts = {name: plain(box.read(name).decode("utf-8", "backslashreplace")) for name in names if "/" not in name}
    texts |= {plain(name): box.read(name).decode("utf-8", "backslashreplace") for name in names if "/" in name}
    return texts | {"counts": json.dumps(box.manifest["counts"], sort_keys=True)}


def changed(path: Path, to: Path, name: str, change: Callable[[Any], Any]) -> Path:
    """The archive with one file of JSON changed, and all digests right again. "manifest.json" is a file, too."""
    with zipfile.ZipFile(path) as before:
        files = {each: before.read(each) for each in before.namelist()}
    said = json.loads(files[name])
    files[name] = json.dumps(change(said)).encode()
    return packed(files, to)


def packed(files: dict[str, bytes], to: Path) -> Path:
    manifest = json.loads(files[MANIFEST])
    if isinstance(manifest, dict):
        manifest["files"] = {
            name: {"bytes": len(data), "sha256": sha256(data).hexdigest()}
            for name, data in files.items()
            if name != MANIFEST
        }
        files[MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(to, "w") as after:
        for name, data in files.items():
            after.writestr(name, data)
    return to


def webp(size: tuple[int, int] = (8, 8), frames: int = 1, **more: Any) -> bytes:
    out = BytesIO()
    every = [Image.new("RGB", size, (each, 0, 0)) for each in range(0, 50 * frames, 50)]
    every[0].save(out, "WEBP", save_all=frames > 1, append_images=every[1:], **more)
    return out.getvalue()
