"""A chronicle, its people, sessions and pages: taken out and brought in, and bad files refused."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from campaigns import access, page_services, pictures, readable
from campaigns import sessions as playing
from campaigns.archives.box import BadArchive, Reader
from campaigns.markdown import titles_in
from campaigns.models import (
    Chronicle,
    Link,
    Membership,
    Page,
    Passage,
    Picture,
    Preparation,
    Readership,
    Reveal,
    Role,
    Session,
    User,
)
from tests.campaigns.archives import moved
from tests.kept import kept

ROLES = ("storyteller", "player", "other_player", "observer")
FILES = ("chronicle.json", "sessions.json", "pages.json", "preparation.json")
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**70, 0.5, "", "x", "bcdfghjkmn", "p1", "p999", "chosen", "\u202e", " "),
    *("x" * 25_000, "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00", "1999-01-01", [], {}, [[]], [{}]),
    *({"key": "p1"}, ["p1", "p1"], {"label": "x"}, [None], [1, "x"], "playing", "\n", "a\ud7ffb"),
)
PROBED = 15


@pytest.fixture
@kept
def people(chronicle: Any, storyteller: Any, player: Any, other_player: Any, observer: Any) -> dict[str, User]:
    return dict(zip(ROLES, (storyteller, player, other_player, observer), strict=True))


@pytest.fixture
@kept
def filled(chronicle: Any, people: dict[str, User]) -> Any:
    """A chronicle with everything in it."""
    moved.fill(chronicle, people)
    return chronicle


@pytest.fixture
def path(filled: Any, tmp_path: Path) -> Path:
    """Its archive."""
    return moved.taken_out(filled, tmp_path / "archive.zip")


@pytest.fixture
def tied(path: Path, people: dict[str, User]) -> dict[str, User]:
    """Every person of the archive tied to their own account."""
    return {said["key"]: people[name] for name, said in moved.people_in(path).items()}


def test_all_of_it_is_the_same_after_a_round_trip(path: Path, tied: Any, storyteller: Any, tmp_path: Path) -> None:
    there = moved.brought_in(path, storyteller, tied)
    again = moved.taken_out(there, tmp_path / "again.zip")
    assert moved.content(again) == moved.content(path)
    assert len(moved.content(path)) > 8
    # Nothing has the same id as before.
    names = {name for name in Reader(path).names() if "/" in name}
    assert names.isdisjoint(Reader(again).names())


def test_what_is_in_the_bin_stays(path: Path) -> None:
    whole = "".join(moved.content(path).values())
    assert "Thrown away" not in whole
    assert "Read that" in whole
    assert "A lost draft" in whole


def test_people_are_names_only(path: Path, storyteller: Any) -> None:
    whole = "".join(moved.content(path).values())
    assert "@" not in whole
    assert str(storyteller.password) not in whole
    assert sorted(moved.people_in(path)) == sorted(ROLES)


def test_everybody_reads_what_they_read_before(path: Path, chronicle: Any, tied: Any, storyteller: Any) -> None:
    def seen(where: Chronicle) -> dict[str, list[tuple[str, Any, Any]]]:
        return {
            member.user.username: sorted((row.text, row.first, row.told) for row in readable.passages_for(member))
            for member in Membership.objects.filter(chronicle=where)
        }

    there = moved.brought_in(path, storyteller, tied)
    assert seen(there) == seen(chronicle)
    assert len({len(each) for each in seen(there).values()}) > 2


def test_without_anybody_tied_the_places_are_open(path: Path, storyteller: Any, tmp_path: Path) -> None:
    there = moved.brought_in(path, storyteller)
    seats = {each.user.display_name: each for each in there.memberships.filter(user__place_in=there)}
    assert sorted(seats) == sorted(ROLES)
    assert seats["other_player"].removed_at is not None
    assert Membership.objects.get(chronicle=there, user=storyteller).is_storyteller
    assert there.open_places.count() == 4
    assert not there.open_places.filter(is_active=True).exists()
    assert all(not each.has_usable_password() for each in there.open_places.all())
    diary = Page.objects.get(chronicle=there, title="Diary")
    assert diary.author == seats["player"].user
    # They leave as they were, with the Storyteller who brought them in.
    again = moved.people_in(moved.taken_out(there, tmp_path / "again.zip"))
    assert {name for name, said in again.items() if said["role"] == Role.STORYTELLER} == {"storyteller"}


@pytest.mark.parametrize("name", ["player", "other_player", "observer"])
def test_the_one_who_brings_it_in_is_its_storyteller(name: str, path: Path, stranger: Any) -> None:
    key = moved.people_in(path)[name]["key"]
    there = moved.brought_in(path, stranger, {key: stranger})
    mine = there.memberships.get(user=stranger)
    assert mine.is_storyteller
    assert there.memberships.count() == 4


def test_it_goes_on_where_it_was(path: Path, tied: Any, storyteller: Any) -> None:
    there = moved.brought_in(path, storyteller, tied)
    current = playing.playing(there.pk)
    assert current is not None
    assert current.number == 5
    assert [each.text for each in playing.prepared_for(current)] == [
        *("The mill burns", "Used", "Left over", "A lost draft", "Read it", "Read that")
    ]
    assert list(there.sessions.order_by("number").values_list("number", flat=True)) == [1, 2, 5]
    crypt = Page.objects.get(chronicle=there, title="The crypt")
    assert crypt.session is not None
    assert (crypt.session.chronicle, crypt.session.number) == (there, 1)
    assert Preparation.objects.get(chronicle=there, text="Read it").page == crypt
    assert Preparation.objects.get(chronicle=there, text="Read that").page is None
    links = Link.objects.filter(passage__page__chronicle=there).values_list("folded", flat=True)
    assert list(links) == list(titles_in("[[The Prince]]"))
    assert Picture.objects.get(passage__page=crypt).caption == "A map"
    assert Passage.objects.filter(page=crypt, folded__has="ünder").exists()
    page_services.create_page(by=there.memberships.get(user=storyteller), title="New", text="x")


def test_a_page_is_readable_without_vesper(path: Path) -> None:
    box = Reader(path)
    texts = [box.text(name) for name in box.names("pages/") if name.endswith(".md")]
    assert any(text.startswith("# The crypt\n\n# The crypt\n\nSee [[The Prince]].\n") for text in texts)


def test_a_picture_is_kept_byte_by_byte(path: Path, tied: Any, storyteller: Any, chronicle: Any) -> None:
    there = moved.brought_in(path, storyteller, tied)
    kept = [bytes(Picture.objects.get(passage__page__chronicle=each).picture) for each in (chronicle, there)]
    assert kept[0] == kept[1]


@pytest.mark.parametrize(
    "file",
    [
        *(b"", b"<svg/>", b"RIFF\x04\0\0\0WEBP", moved.webp()[:-4], moved.webp() + b"<script>"),
        *(moved.webp((1281, 2)), moved.webp(frames=2), moved.webp(exif=b"Exif\0\0MM"), moved.webp(xmp=b"<x/>")),
    ],
)
def test_what_was_never_stored_as_a_picture_is_refused(file: bytes) -> None:
    with pytest.raises(pictures.Unfit):
        pictures.check_stored(file, pictures.HANDOUT)
    pictures.check_stored(moved.webp(), pictures.HANDOUT)


# ------------------------------------------------------------------ bad files


def put(*where: Any, value: Any) -> Any:
    """A change: put a value at a place of the JSON."""

    def change(said: Any) -> Any:
        inner = said
        for each in where[:-1]:
            inner = inner[each]
        inner[where[-1]] = value
        return said

    return change


BAD = {
    "another ruleset": ("chronicle.json", put("ruleset", value="wounds"), "manifest.json"),
    "an unknown ruleset": ("chronicle.json", put("ruleset", value="x"), "chronicle.json"),
    "no visible name": ("chronicle.json", put("name", value="\u3164"), "chronicle.json"),
    "an unknown house rule": ("chronicle.json", put("options", value={"x": 1}), "chronicle.json"),
    "a setting of the table": ("chronicle.json", put("conduct", "answer_seconds", value=10**9), "chronicle.json"),
    "a kind's words": ("chronicle.json", put("own_kinds", "own-bcdfghjkmn", "soaks", value=[[]]), "chronicle.json"),
    "a key of a kind": ("chronicle.json", put("own_kinds", "../x", value=moved.KIND), "chronicle.json"),
    "a Trait's kinds": ("chronicle.json", put("own_traits", "own_bcdfghjkmn", "kinds", value=[{}]), "chronicle.json"),
    "former names": ("chronicle.json", put("own_traits", "own_bcdfghjkmn", "was", value=[1]), "chronicle.json"),
    "a name twice": ("chronicle.json", put("own_traits", "own_b", value=moved.TRAIT), "chronicle.json"),
    "a power's effect": ("chronicle.json", put("own_powers", "own_gone", "effects", value=3), "chronicle.json"),
    "a person's key": ("chronicle.json", put("people", 0, "key", value="../x"), "chronicle.json"),
    "a key twice": ("chronicle.json", put("people", 0, "key", value="p2"), "chronicle.json"),
    "a person's role": ("chronicle.json", put("people", 0, "role", value="admin"), "chronicle.json"),
    "removed from nothing": ("chronicle.json", put("people", 0, "role", value=""), "chronicle.json"),
    "a person without a name": ("chronicle.json", put("people", 0, "name", value=" "), "chronicle.json"),
    "too many people": ("chronicle.json", lambda said: {**said, "people": said["people"] * 200}, "chronicle.json"),
    "an unknown field": ("chronicle.json", put("x", value=1), "chronicle.json"),
    "a number twice": ("sessions.json", put("sessions", 0, "number", value=2), "sessions.json"),
    "session 0": ("sessions.json", put("sessions", 0, "number", value=0), "sessions.json"),
    "two that are played": ("sessions.json", put("sessions", 0, "progress", value="playing"), "sessions.json"),
    "no progress": ("sessions.json", put("sessions", 0, "progress", value=""), "sessions.json"),
    "an id twice": (
        "sessions.json",
        lambda said: put("sessions", 0, "id", value=said["sessions"][1]["id"])(said),
        "sessions.json",
    ),
    "the first year": ("sessions.json", put("sessions", 0, "starts", value="0001-01-01T00:00:00Z"), "sessions.json"),
    "a long recap": ("sessions.json", put("sessions", 0, "recap", value="x" * 20_001), "sessions.json"),
    "who isn't there": ("sessions.json", put("sessions", 0, "attendance", 0, "person", value="p9"), "sessions.json"),
    "nobody": ("sessions.json", put("sessions", 0, "attendance", 0, "person", value=""), "sessions.json"),
    "somebody twice": (
        "sessions.json",
        lambda said: put("sessions", 0, "attendance", 0, value=said["sessions"][0]["attendance"][1])(said),
        "sessions.json",
    ),
    "an unknown session": ("preparation.json", put("items", 0, "session", value="zzzzzzzzzz"), "preparation.json"),
    "an unknown page": ("preparation.json", put("items", 0, "page", value="zzzzzzzzzz"), "preparation.json"),
    "no id of a fight": ("preparation.json", put("items", 0, "fight", value="../../x"), "preparation.json"),
    "an empty page": ("pages.json", put("pages", 0, "passages", value=[]), "pages.json"),
    "a page of another type": ("pages.json", put("pages", 0, "kind", value="x"), "pages.json"),
    "a page without a name": ("pages.json", put("pages", 0, "title", value="\u200b"), "pages.json"),
    "a folder elsewhere": ("pages.json", put("pages", 0, "id", value="../../etc"), "pages.json"),
    "a page that isn't there": ("pages.json", put("pages", 0, "id", value="zzzzzzzzzz"), "pages/zzzzzzzzzz.md"),
    "words twice": ("pages.json", put("pages", 0, "passages", 1, "start", value=0), "pages.json"),
    "more words": ("pages.json", put("pages", 0, "passages", 3, "end", value=10**6), "pages.json"),
    "backwards": ("pages.json", put("pages", 0, "passages", 0, "end", value=1), "pages.json"),
    "words by a switch": ("pages.json", put("pages", 0, "passages", 0, "start", value=True), "pages.json"),
    "no audience": ("pages.json", put("pages", 0, "passages", 0, "audience", value=""), "pages.json"),
    "a reader who isn't there": (
        *("pages.json", put("pages", 0, "passages", 1, "readers", 0, "person", value="p9"), "pages.json"),
    ),
    "a reader twice": (
        "pages.json",
        lambda said: put(*("pages", 0, "passages", 1, "readers"), value=said["pages"][0]["passages"][1]["readers"] * 2)(
            said
        ),
        "pages.json",
    ),
    "shown to somebody twice": (
        *("pages.json", put("pages", 0, "passages", 0, "reveals", 0, "to", value=["p1", "p1"]), "pages.json"),
    ),
    "shown to nobody": ("pages.json", put("pages", 0, "passages", 0, "reveals", 0, "to", value=[{}]), "pages.json"),
    "another picture": (
        "pages.json",
        put("pages", 0, "passages", 3, "picture", "id", value="zzzzzzzzzz"),
        None,
    ),
    "counts of another type": ("manifest.json", put("counts", value=[]), "preparation.json"),
    "too few pages": ("manifest.json", put("counts", "pages", value=1), "pages.json"),
    "too many people counted": ("manifest.json", put("counts", "people", value=9), "chronicle.json"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_whole(what: str, path: Path, storyteller: Any, tmp_path: Path) -> None:
    name, change, file = BAD[what]
    before = Chronicle.objects.count(), User.objects.count()
    bad = moved.changed(path, tmp_path / "bad.zip", name, change)
    with pytest.raises(BadArchive) as caught:
        moved.brought_in(bad, storyteller)
    if what == "counts of another type":
        assert caught.value.file in FILES
    elif file is not None:
        assert caught.value.file == file
    assert (Chronicle.objects.count(), User.objects.count()) == before


def test_one_account_takes_one_place(path: Path, storyteller: Any, stranger: Any) -> None:
    keys = [each["key"] for each in moved.people_in(path).values()]
    with pytest.raises(BadArchive, match="same account"):
        moved.brought_in(path, storyteller, dict.fromkeys(keys[:2], stranger))
    with pytest.raises(BadArchive):
        moved.brought_in(path, storyteller, {"p77": stranger})


def mutated(said: Any, chance: Random) -> Any:
    """A copy with something at a random place replaced, left out, doubled or added."""
    said = copy.deepcopy(said)
    inner = said
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        if not keys:
            return said
        key = chance.choice(keys)
        below = inner[key]
        if isinstance(below, dict | list) and below and chance.random() < 0.85:
            inner = below
            continue
        _change(inner, key, chance)
        return said


def _change(inner: Any, key: Any, chance: Random) -> None:
    what = chance.randrange(5)
    if what == 0:
        del inner[key]
    elif what == 1 and isinstance(inner, list):
        inner.append(copy.deepcopy(inner[key]))
    elif what == 2 and isinstance(inner, dict):
        inner[chance.choice(("x", "own_x", "", "label", "gone"))] = chance.choice(JUNK)
    elif what == 3 and isinstance(inner[key], int):
        inner[key] += chance.choice((-1, 1))
    else:
        inner[key] = chance.choice(JUNK)


def pages_of(there: Chronicle) -> list[str]:
    routes = ("chronicle", "pages", "kinds", "traits", "powers", "house-rules", "edit", "bin")
    found = [reverse(f"campaigns:{each}", args=[there.pk]) for each in routes]
    found += [reverse(f"story:{each}", args=[there.pk]) for each in ("sessions", "timeline", "statistics")]
    found += [f"{reverse('story:search', args=[there.pk])}?q=x"]
    found += [reverse("campaigns:page", args=[there.pk, each.pk]) for each in Page.objects.filter(chronicle=there)]
    for each in Session.objects.filter(chronicle=there):
        found += [reverse("story:session", args=[each.pk]), reverse("story:edit-session", args=[each.pk])]
    return [*found, reverse("campaigns:home")]


def drawn(there: Chronicle, by: User, player: User | None) -> None:
    for user in filter(None, (by, player)):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for address in pages_of(there):
            answer = client.get(address)
            assert answer.status_code in (200, 302, 403, 404), address
            if user == by:
                assert answer.status_code == 200, address


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", [7])
def test_a_mutated_file_is_refused_or_its_pages_are_drawn(
    name: str, seed: int, path: Path, storyteller: Any, stranger: Any, tmp_path: Path
) -> None:
    chance, refused, taken = Random(seed), 0, 0
    for _time in range(PROBED):
        bad = moved.changed(path, tmp_path / "bad.zip", name, lambda said: mutated(said, chance))
        key = f"p{chance.randrange(1, 5)}"
        try:
            coming = moved.read(bad, storyteller, {key: stranger})
        except BadArchive:
            refused += 1
            continue
        mark = transaction.savepoint()
        coming.save()
        taken += 1
        if taken % 5 == 0:
            drawn(coming.chronicle, storyteller, stranger)
        transaction.savepoint_rollback(mark)
        cache.clear()
    assert refused > PROBED // 4


def test_words_that_look_like_a_border_are_only_words(
    chronicle: Any, member: Any, storyteller: Any, tmp_path: Path
) -> None:
    by = member(storyteller)
    page = page_services.create_page(by=by, title="T", text="# T\n\n\n\n# T\n", audience="everyone")
    for text in ("", "\n", "\n\n", "# T", "```", "a\rb\r\nc", "\u2028", "💀" * 20):
        page_services.add_passage(by=by, page=page, text=text, audience="everyone")
    there = moved.brought_in(moved.taken_out(chronicle, tmp_path / "archive.zip"), storyteller)
    texts = [
        list(Passage.objects.filter(page__chronicle=each).values_list("text", flat=True)) for each in (chronicle, there)
    ]
    assert texts[0] == texts[1]


def test_who_left_is_still_named(chronicle: Any, member: Any, storyteller: Any, player: Any, tmp_path: Path) -> None:
    page_services.create_page(by=member(player), title="Diary", text="x", kind="journal", audience="everyone")
    member(player).delete()
    path = moved.taken_out(chronicle, tmp_path / "archive.zip")
    assert moved.people_in(path)["player"]["role"] == ""
    there = moved.brought_in(path, storyteller)
    author = Page.objects.get(chronicle=there).author
    assert author is not None
    assert author.display_name == "player"
    assert not author.memberships.exists()
    assert access.membership_of(author, there.pk) is None


def test_nobody_who_was_deleted_is_named(chronicle: Any, path: Path, tmp_path: Path) -> None:
    from campaigns.archives.box import Writer
    from campaigns.archives.moving import Going

    going = Going(chronicle, Writer(tmp_path / "x.zip"))
    assert going.person(None) == ""
    assert going.person(10**8) == ""
    assert not going.people


def test_reveals_and_readers_are_all_there(path: Path, tied: Any, storyteller: Any) -> None:
    there = moved.brought_in(path, storyteller, tied)
    shown = Reveal.objects.filter(passage__page__chronicle=there)
    assert [each.everyone for each in shown] == [False, True]
    assert all(each.session is None or each.session.chronicle == there for each in shown)
    names = Readership.objects.filter(passage__page__chronicle=there).values_list(
        "membership__user__username", flat=True
    )
    assert sorted(names) == ["other_player", "player", "player"]
