"""Portraits: what is accepted, how it is processed, who may see it, and what is refused."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image, PngImagePlugin

from campaigns import bins
from campaigns import pictures as portraits
from campaigns.models import Membership
from campaigns.pictures import KEPT_BYTES, MOST_PIXELS, TooLarge, Unfit, redraw
from characters import services
from characters.models import Character, Portrait
from characters.views.portraits import A_MINUTE

RED, BLUE = (200, 20, 20), (20, 20, 200)
SCRIPT = b"<script>alert('CANARY')</script>"


def saved(picture: Image.Image, kind: str = "PNG", **more: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def opened(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file))


def plain(width: int = 60, height: int = 40, colour: Any = RED, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, (width, height), colour)


def png_that_says(width: int, height: int) -> bytes:
    """A PNG whose header claims this, with no data after it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
    )


# ------------------------------------------------------------------ what is made of a picture


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(("sent", "kept"), [((1200, 900), (512, 384)), ((60, 40), (60, 40)), ((9000, 1), (512, 1))])
def test_it_is_reencoded_and_small(kind: str, sent: Any, kept: Any) -> None:
    drawn = redraw(saved(plain(*sent), kind))
    assert (opened(drawn).format, opened(drawn).size) == ("WEBP", kept)
    assert len(drawn) <= KEPT_BYTES
    red, green, blue = opened(drawn).convert("RGB").getpixel((0, 0))  # type: ignore[misc]
    assert red > 150 > 80 > max(green, blue)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_every_kind_of_colour_is_read(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    drawn = opened(redraw(saved(Image.new(mode, (20, 20)), kind)))
    assert (drawn.format, drawn.size) == ("WEBP", (20, 20))


def test_what_shines_through_still_does() -> None:
    drawn = opened(redraw(saved(plain(colour=(200, 20, 20, 0), mode="RGBA"))))
    assert drawn.convert("RGBA").getpixel((5, 5))[3] == 0  # type: ignore[index]


def test_the_noisiest_picture_is_small_too() -> None:
    noise = Image.effect_noise((700, 700), 200)
    drawn = redraw(saved(Image.merge("RGBA", [noise, noise.rotate(90), noise.rotate(180), noise.rotate(270)])))
    assert len(drawn) <= KEPT_BYTES


def test_it_is_turned_upright_and_its_metadata_are_left_behind() -> None:
    sideways = plain(900, 600)
    sideways.paste(BLUE, (0, 0, 450, 600))
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x8825] = 6, "CANARY camera", {2: (51.0, 30.0, 26.0)}
    drawn = redraw(saved(sideways, "JPEG", exif=exif, comment=b"CANARY comment", icc_profile=b"CANARY profile" * 9))
    upright = opened(drawn)
    assert upright.height > upright.width
    assert upright.convert("RGB").getpixel((5, 5))[2] > 150  # type: ignore[index]  # what was left is at the top
    assert (b"CANARY" in drawn, dict(upright.getexif()), upright.info.get("icc_profile")) == (False, {}, None)
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", "CANARY text")
    assert b"CANARY" not in redraw(saved(plain(), pnginfo=texts, exif=exif))
    assert b"CANARY" not in redraw(saved(plain(), "WEBP", exif=exif, xmp=b"CANARY xmp"))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_a_moving_picture_the_first_is_kept(kind: str) -> None:
    drawn = opened(redraw(saved(plain(), kind, save_all=True, append_images=[plain(colour=BLUE)])))
    assert getattr(drawn, "n_frames", 1) == 1
    assert drawn.convert("RGB").getpixel((5, 5))[0] > 150  # type: ignore[index]


def test_what_hangs_on_a_picture_does_not_come_along() -> None:
    """A file that is a picture to one reader and a page or an archive to another ends up as only a picture."""
    for file in (
        saved(plain()) + SCRIPT,
        saved(plain(), "JPEG", comment=SCRIPT) + b"PK\x03\x04" + SCRIPT,
        saved(plain(), "WEBP", xmp=SCRIPT),
    ):
        assert SCRIPT in file
        assert b"script" not in redraw(file)


# ------------------------------------------------------------------ what is not taken


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"GIF89a/*" + SCRIPT,
        saved(plain(), "GIF"),
        saved(plain(), "BMP"),
        saved(plain(), "TIFF"),
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
        b"<!doctype html>" + SCRIPT,
        SCRIPT + saved(plain()),
        b"PK\x03\x04" + b"\0" * 40,
        b"%!PS-Adobe-3.0 EPSF-3.0",
        b"%PDF-1.7",
        saved(plain())[:20],
        saved(plain(300, 300), "JPEG")[:-200],
        saved(Image.effect_noise((300, 300), 90))[:20_000],
        saved(Image.effect_noise((300, 300), 90), "WEBP")[:2_000],
        png_that_says(0, 0),
        png_that_says(2000, 2000),
    ],
    ids=[
        *("nothing", "gif that is a script", "gif", "bmp", "tiff", "svg", "html", "script before a picture", "zip"),
        *("postscript", "pdf", "a header", "cut jpeg", "cut png", "cut webp", "no pixels", "no picture behind it"),
    ],
)
def test_what_is_no_picture_or_broken_is_refused(file: bytes) -> None:
    with pytest.raises(Unfit):
        redraw(file)


@pytest.mark.parametrize("size", [(4001, 4000), (20_000, 20_000), (2**31 - 1, 2**31 - 1)])
def test_too_many_pixels_are_refused_by_the_header(size: tuple[int, int]) -> None:
    """There is no data after the header: decoding would report a broken file, not a large one."""
    with pytest.raises(TooLarge):
        redraw(png_that_says(*size))


def test_a_picture_of_the_most_pixels_is_taken() -> None:
    file = saved(plain(4000, 4000), "JPEG")
    assert MOST_PIXELS == 4000 * 4000
    assert opened(redraw(file)).size == (512, 512)


LARGEST = {
    "plain JPEG": (4000, lambda picture: saved(picture, "JPEG")),
    "progressive JPEG": (4000, lambda picture: saved(picture, "JPEG", progressive=True)),
    "progressive JPEG, full colours": (2800, lambda picture: saved(picture, "JPEG", progressive=True, subsampling=0)),
    "WebP": (1700, lambda picture: saved(picture, "WEBP")),
    "moving WebP": (1700, lambda picture: saved(picture, "WEBP", save_all=True, append_images=[plain(*picture.size)])),
    "PNG": (3400, saved),
    "PNG that shines through": (3400, lambda picture: saved(picture.convert("RGBA"))),
    "PNG with a palette": (4000, lambda picture: saved(picture.convert("P"))),
    "PNG of deep grey": (3400, lambda picture: saved(Image.new("I;16", picture.size))),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell a process’s memory so")
@pytest.mark.parametrize("kind", LARGEST)
def test_the_largest_of_each_format_takes_less_than_80_mb(kind: str, tmp_path: Path) -> None:
    """In a separate process, to measure its peak memory."""
    side, make = LARGEST[kind]
    (tmp_path / "picture").write_bytes(make(plain(side, side)))
    program = (
        "import re, sys; from campaigns.pictures import redraw\n"
        "def most(): return int(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1]) // 1024\n"
        "before = most(); redraw(open(sys.argv[1], 'rb').read()); print(most() - before)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "picture")]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    assert 1 < int(done.stdout) < 80


@pytest.mark.parametrize(
    ("side", "most", "make"),
    [
        (1800, 3_000_000, lambda picture: saved(picture, "WEBP")),
        (2900, 8_000_000, LARGEST["progressive JPEG, full colours"][1]),
        (3500, 12_000_000, saved),
    ],
    ids=["WebP", "progressive JPEG", "PNG"],
)
def test_costly_formats_may_have_fewer_pixels(side: int, most: int, make: Any) -> None:
    with pytest.raises(TooLarge) as refused:
        redraw(make(plain(side, side)))
    assert refused.value.most == most


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_spoiled_picture_never_breaks_anything(kind: str) -> None:
    whole = saved(Image.effect_noise((60, 60), 90), kind)
    for at in range(min(len(whole), 160)):
        for value in (0, 0x7F, 0xFF):
            try:
                redraw(whole[:at] + bytes([value]) + whole[at + 1 :])
            except (Unfit, TooLarge):
                continue


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
@pytest.mark.parametrize("exif", [b"Exif\0\0", b"Exif\0\0II*\0", b"Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12"])
def test_which_side_is_up_need_not_be_readable(kind: str, exif: bytes) -> None:
    assert opened(redraw(saved(plain(), kind, exif=exif))).size == (60, 40)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_spoiled_metadata_never_break_anything(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "CANARY"
    whole = saved(plain(8, 8), kind, exif=exif)
    begin = whole.index(b"CANARY") - 60
    for at in range(begin, begin + 70):
        for value in (0, 1, 7, 0xFF):
            try:
                redraw(whole[:at] + bytes([value]) + whole[at + 1 :])
            except (Unfit, TooLarge):
                continue


def test_what_the_library_never_said_before_is_no_failure_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def trip(*_given: Any, **_more: Any) -> None:
        raise TypeError

    monkeypatch.setattr(Image.Image, "thumbnail", trip)
    with pytest.raises(Unfit):
        redraw(saved(plain()))


# ------------------------------------------------------------------ sending one, and looking at it


@pytest.fixture(autouse=True)
def nothing_sent_yet() -> None:
    """Clear the cache, which counts uploads per minute over tests."""
    cache.clear()


@pytest.fixture
def send(ilya: Character) -> Callable[..., Any]:
    """send(user, bytes, character=Ilya) -> the response to the form with that file."""

    def post(user: Any, file: bytes, character: Character = ilya, name: str = "face.png") -> Any:
        client = Client()
        client.force_login(user)
        sent = {"picture": SimpleUploadedFile(name, file)} if file is not None else {}
        return client.post(reverse("characters:portrait", args=[character.pk]), sent)

    return post


def looked_at(user: Any, portrait: Portrait) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(reverse("characters:picture", args=[portrait.pk]))


@pytest.mark.servers
def test_a_portrait_is_sent_shown_replaced_and_removed(send: Any, signed_in: Any, player: Any, ilya: Character) -> None:
    sheet = reverse("characters:sheet", args=[ilya.pk])
    assert send(player, saved(plain()), name="../../etc/<b>.php").url == sheet
    first = Portrait.objects.get(character=ilya)
    client = signed_in(player)
    for page in (sheet, reverse("campaigns:chronicle", args=[ilya.chronicle_id])):
        assert f'src="/portraits/{first.pk}/"' in client.get(page).content.decode()
    assert send(player, saved(plain(colour=BLUE))).status_code == 302
    second = Portrait.objects.get(character=ilya)
    assert first.pk != second.pk
    assert looked_at(player, first).status_code == 404
    assert opened(looked_at(player, second).content).convert("RGB").getpixel((5, 5))[2] > 150  # type: ignore[index]
    assert client.post(reverse("characters:portrait", args=[ilya.pk]), {"remove": "1"}).url == sheet
    assert not Portrait.objects.exists()
    assert "/portraits/" not in client.get(sheet).content.decode()


@pytest.mark.servers
def test_it_is_served_as_a_picture_and_as_nothing_else(send: Any, player: Any) -> None:
    send(player, saved(plain()) + SCRIPT)
    answer = looked_at(player, Portrait.objects.get())
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert answer["Cache-Control"] == "no-store"
    assert answer.content[:4] == b"RIFF"
    assert b"script" not in answer.content


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"<svg/>", "This isn’t a JPEG, PNG or WebP picture, or it’s damaged. Choose another."),
        (b"", "This file is empty. Choose another."),
        (None, "Choose a picture first."),
        (
            png_that_says(20_000, 20_000),
            "In this format, a picture can have at most 12 megapixels. Save it as a plain JPEG.",
        ),
        (saved(plain(4001, 4000), "JPEG"), "This picture has more than 16 megapixels. Scale it down first."),
        (saved(plain(2001, 2000), "WEBP"), "In this format, a picture can have at most 3 megapixels"),
        (saved(plain()) + b"\0" * 2 * 1024 * 1024, "This file is too large (2.0\xa0MB). Choose one of at most 2 MB."),
        (b"\0" * 10_000_000, "This file is too large (9.5\xa0MB). Choose one of at most 2 MB."),
    ],
    ids=["svg", "empty", "none", "a bomb", "large", "costly", "too big", "ten megabytes"],
)
def test_a_refusal_stands_by_the_field(send: Any, player: Any, ilya: Character, file: Any, sentence: str) -> None:
    kept = Portrait.objects.create(character=ilya, picture=b"RIFF")
    answer = send(player, file)
    body = answer.content.decode()
    assert answer.status_code == 422
    assert re.search(rf'id="id_picture_error".*?{re.escape(sentence)}', body, re.S)
    assert Portrait.objects.get() == kept


@pytest.mark.servers
def test_one_too_many_within_a_minute_waits_and_others_do_not(
    send: Any, player: Any, storyteller: Any, ilya: Character
) -> None:
    assert [send(player, saved(plain())).status_code for _picture in range(A_MINUTE)] == [302] * A_MINUTE
    kept = Portrait.objects.get()
    answer = send(player, saved(plain(colour=BLUE)))
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    sentence = "You uploaded several pictures in the last minute. Try again in a minute."
    assert re.search(rf'id="id_picture_error".*?{re.escape(sentence)}', answer.content.decode(), re.S)
    assert Portrait.objects.get() == kept
    assert send(storyteller, saved(plain())).status_code == 302


def test_one_is_drawn_at_a_time_and_only_a_few_wait(
    send: Any, player: Any, monkeypatch: pytest.MonkeyPatch, ilya: Character
) -> None:
    under_way, may_end, together = 0, Event(), []

    def slowly(_file: bytes, _fit: object) -> bytes:
        nonlocal under_way
        under_way += 1
        together.append(under_way)
        assert may_end.wait(20)
        under_way -= 1
        return b"RIFF"

    monkeypatch.setattr(portraits, "redraw", slowly)
    with ThreadPoolExecutor() as others:
        waiting = [others.submit(portraits.redraw_in_turn, b"") for _place in range(1 + portraits.MOST_WAITING)]
        while portraits._places._value:
            sleep(0.01)
        answer = send(player, saved(plain()))
        may_end.set()
        assert [each.result() for each in waiting] == [b"RIFF"] * len(waiting)
    assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    sentence = "Too many pictures are being uploaded right now. Try again in a few seconds."
    assert re.search(rf'id="id_picture_error".*?{re.escape(sentence)}', answer.content.decode(), re.S)
    assert together == [1] * len(waiting)
    assert send(player, saved(plain())).status_code == 302


def test_its_player_and_the_storyteller_may_and_others_never(
    send: Any, player: Any, other_player: Any, observer: Any, stranger: Any, storyteller: Any, ilya: Any, lurker: Any
) -> None:
    file = saved(plain())
    asked = [send(each, file).status_code for each in (other_player, observer, stranger, player, storyteller)]
    assert asked == [403, 403, 404, 302, 302]
    assert [send(each, file, lurker).status_code for each in (player, observer, storyteller)] == [404, 404, 302]
    by = Membership.objects.get(user=other_player)
    with pytest.raises(PermissionDenied):
        services.set_portrait(by=by, character=ilya, picture=None)
    assert Portrait.objects.count() == 2


def test_it_may_be_changed_while_a_fight_is_running(send: Any, player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("characters.hooks.fight_of", lambda character: "The nave")
    assert send(player, saved(plain())).status_code == 302
    assert Portrait.objects.exists()


def test_the_hidden_ones_portrait_is_not_there(send: Any, storyteller: Any, player: Any, lurker: Character) -> None:
    send(storyteller, saved(plain()), lurker)
    portrait = Portrait.objects.get()
    assert looked_at(storyteller, portrait).status_code == 200
    hidden, nothing = looked_at(player, portrait), looked_at(player, Portrait(pk="bcdfghjkmn"))
    assert hidden.status_code == nothing.status_code == 404
    assert "image" not in hidden["Content-Type"]
    token = r'"[A-Za-z0-9]{64}"'
    assert re.sub(token, "", hidden.content.decode()) == re.sub(token, "", nothing.content.decode())
    lurker.owner = player
    lurker.save()
    assert looked_at(player, portrait).status_code == 200
    lurker.owner = None
    lurker.save()
    assert looked_at(player, portrait).status_code == 404


@pytest.mark.servers
def test_it_goes_with_its_sheet(send: Any, player: Any, ilya: Character) -> None:
    send(player, saved(plain()))
    services.delete_character(by=Membership.objects.get(user=player), character=ilya)
    bins.purge(timezone.now() + bins.KEPT)
    assert not Portrait.objects.exists()


def test_the_administration_knows_no_portraits(send: Any, player: Any, admin: Any, ilya: Character) -> None:
    send(player, saved(plain()))
    client = Client()
    client.force_login(admin)
    assert "ortrait" not in client.get(reverse("admin:index")).content.decode()
    assert looked_at(admin, Portrait.objects.get()).status_code == 404
