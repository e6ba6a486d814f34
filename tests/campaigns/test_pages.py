"""Pages and passages: who writes and reads them, links, pictures, and that what is hidden leaves no trace."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from PIL import Image

from campaigns import links, page_services, pictures, readable, titles
from campaigns.errors import EditConflict
from campaigns.live import token
from campaigns.markdown import render, titles_in
from campaigns.models import Link, Membership, Page, Passage, Picture, Readership
from combat.live.pages import shown
from tests.world import plain

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def by(chronicle: Any, storyteller: Any, player: Any, other_player: Any, observer: Any) -> dict[str, Membership]:
    """The members by role; "other" is the second player."""
    named = {"storyteller": storyteller, "player": player, "other": other_player, "observer": observer}
    rows = Membership.objects.select_related("chronicle", "user")
    return {name: rows.get(chronicle=chronicle, user=user) for name, user in named.items()}


def edited(by: Membership, passage: Passage, **change: Any) -> None:
    passage.refresh_from_db()
    page_services.edit_passage(
        by=by,
        passage=passage,
        **{"text": passage.text, "audience": passage.audience, "version": passage.version} | change,
    )


def drawing() -> bytes:
    file = BytesIO()
    Image.new("RGB", (1500, 900), "maroon").save(file, "JPEG")
    return file.getvalue()


# ------------------------------------------------------------------ who writes


def test_players_write_notes_and_a_journal_and_nothing_of_others(by: dict[str, Membership]) -> None:
    st, mine = by["storyteller"], by["player"]
    for kind in ("note", "journal"):
        page = page_services.create_page(by=mine, title="Mine", text="Words", kind=kind)
        assert page.passages.get().audience == "author"
    (own,) = page.passages.all()
    for kind in ("handout", "plot", "group"):
        with pytest.raises(PermissionDenied):
            page_services.create_page(by=mine, title="T", text="", kind=kind)
    for audience in ("storytellers", "nobody"):
        with pytest.raises(PermissionDenied):
            page_services.create_page(by=mine, title="T", text="", audience=audience)
    with pytest.raises(PermissionDenied):
        page_services.create_page(by=by["observer"], title="T", text="")
    theirs = page_services.create_page(by=st, title="Theirs", text="", audience="everyone")
    for who in (mine, by["other"]):
        with pytest.raises(PermissionDenied):
            page_services.add_passage(by=who, page=theirs, text="Me too")
        with pytest.raises(PermissionDenied):
            page_services.delete_page(by=who, page=theirs)
    # Storytellers read a player's words and add their own, which the player doesn't see, and edit none of theirs.
    with pytest.raises(PermissionDenied):
        edited(st, own, text="Other words")
    with pytest.raises(PermissionDenied):
        page_services.edit_page(by=st, page=page, title="Other", kind="note", session=None, version=1)
    aside = page_services.add_passage(by=st, page=page, text="He is wrong.")
    assert aside.audience == "storytellers"
    with pytest.raises(Http404):
        edited(mine, aside, text="No")
    with pytest.raises(Http404):
        edited(by["other"], own, text="No")


def test_the_last_passage_takes_the_page_to_the_bin(by: dict[str, Membership]) -> None:
    """For its writer it is the last one, even with a Storyteller’s words beside it."""
    mine, st = by["player"], by["storyteller"]
    page = page_services.create_page(by=mine, title="Mine", text="One")
    second = page_services.add_passage(by=mine, page=page, text="Two")
    page_services.add_passage(by=st, page=page, text="He is wrong.")
    assert not page_services.delete_passage(by=mine, passage=page.passages.get(text="One"))
    assert page_services.delete_passage(by=mine, passage=second)
    assert not Page.objects.exists()
    assert Page.with_bin.get().passages.count() == 2


def test_passages_change_places_with_those_that_are_seen(by: dict[str, Membership]) -> None:
    mine, st = by["player"], by["storyteller"]
    page = page_services.create_page(by=mine, title="Mine", text="One")
    page_services.add_passage(by=st, page=page, text="Between")
    two = page_services.add_passage(by=mine, page=page, text="Two")

    def seen(who: Membership) -> list[str]:
        return list(readable.passages_for(who).filter(page=page).values_list("text", flat=True))

    page_services.move_passage(by=mine, passage=two, up=True)
    assert seen(mine) == ["Two", "One"]
    page_services.move_passage(by=mine, passage=two, up=True)
    assert (seen(mine), seen(st)) == (["Two", "One"], ["Two", "Between", "One"])


def test_two_who_edit_one_passage_lose_nothing(by: dict[str, Membership], client_of: Any) -> None:
    st = by["storyteller"]
    page = page_services.create_page(by=st, title="T", text="First")
    passage = page.passages.get()
    address = reverse("campaigns:edit-passage", args=[page.chronicle_id, passage.pk])
    edited(st, passage, text="Theirs")
    with pytest.raises(EditConflict):
        page_services.edit_passage(by=st, passage=passage, text="Late", audience="storytellers", version=1)
    sent = {"text": "Mine", "audience": "storytellers", "version": "1"}
    answer = client_of(st.user).post(address, sent)
    assert answer.status_code == 422
    assert [words in answer.content.decode() for words in ("Theirs", "Mine")] == [True, True]
    assert client_of(st.user).post(address, sent | {"version": "2"}).status_code == 302
    passage.refresh_from_db()
    assert passage.text == "Mine"


# ------------------------------------------------------------------ who reads, since when


def test_chosen_readers_know_it_since_they_could_read_it(by: dict[str, Membership]) -> None:
    st, mine = by["storyteller"], by["player"]
    page = page_services.create_page(by=st, title="T", text="Words", audience="chosen", readers=[mine.pk])
    passage = page.passages.get()
    first = Readership.objects.get().since
    chosen = {"audience": "chosen", "readers": [mine.pk, by["other"].pk, by["observer"].pk, st.pk]}
    edited(st, passage, **chosen)
    assert {row.membership_id for row in Readership.objects.all()} == {mine.pk, by["other"].pk}
    assert Readership.objects.get(membership=mine).since == first
    edited(st, passage, audience="everyone")
    assert readable.passages_for(mine).get().told == first
    opened = Passage.objects.get().opened
    edited(st, passage, audience="chosen", readers=[by["other"].pk])
    assert not readable.passages_for(mine).exists()
    edited(st, passage, audience="everyone")
    edited(st, passage, audience="chosen", readers=[mine.pk])
    assert Readership.objects.get().since > opened
    edited(st, passage, audience="storytellers")
    assert (Passage.objects.get().opened, Readership.objects.count()) == (None, 0)


def test_what_is_hidden_leaves_no_trace(by: dict[str, Membership], client_of: Callable[[Any], Any]) -> None:
    """What players and observers receive stays the same byte by byte while hidden things are written and deleted."""
    st, other = by["storyteller"], by["other"]
    chronicle = st.chronicle_id
    page = page_services.create_page(
        by=st, title="The mill", text="See [[The Prince]], [[ghosts]].", audience="everyone"
    )
    page_services.add_passage(by=st, page=page, text="More", audience="everyone")
    page_services.create_page(by=st, title="News", text="At [[the MILL]]", audience="everyone")
    journal = page_services.create_page(by=by["player"], kind="journal", title="Mine", text="I was there.")
    addresses = [
        reverse("campaigns:chronicle", args=[chronicle]),
        *(
            reverse("campaigns:pages", args=[chronicle]) + query
            for query in ("", "?kind=note", "?state=open", "?own=1")
        ),
        reverse("campaigns:page", args=[chronicle, page.pk]),
        reverse("campaigns:page", args=[chronicle, journal.pk]),
    ]
    keys = [("chronicle", chronicle), ("pages", chronicle), ("page", page.pk)]
    clients = {name: client_of(by[name].user) for name in ("player", "observer")}

    def received() -> dict[tuple[str, str], str]:
        texts, sent = {}, {"text": "[[The Prince]] [[ghosts]] [[The mill]]"}
        for who, client in clients.items():
            texts |= {(who, each): plain(client.get(each).content.decode()) for each in addresses}
            texts |= {(who, f"{name} {key}"): token(shown(by[who].user, name, key).value) for name, key in keys}
        answer = clients["player"].post(reverse("campaigns:preview", args=[chronicle]), sent)
        texts["player", "preview"] = answer.content.decode()
        return texts

    before = received()
    hidden = page_services.add_passage(by=st, page=page, text="[[The Prince]]", audience="chosen", readers=[other.pk])
    drawn = page_services.NewPicture(pictures.redraw(drawing(), pictures.HANDOUT), "A map")
    prince = page_services.create_page(by=st, title="The Prince", kind="plot", text="[[The mill]]", picture=drawn)
    page_services.create_page(by=other, title="ghosts", text="[[The mill]] at night")
    steps: list[Callable[[], Any]] = [
        lambda: edited(st, hidden, text="[[News]]", readers=[]),
        lambda: page_services.move_passage(by=st, passage=hidden, up=True),
        lambda: page_services.move_passage(by=st, passage=hidden, up=True),
        lambda: page_services.set_done(by=st, page=prince, done=True),
        lambda: edited(st, prince.passages.get(), caption="Another map"),
        lambda: page_services.add_passage(by=st, page=journal, text="He wasn't."),
        lambda: page_services.delete_passage(by=st, passage=hidden),
        lambda: page_services.delete_page(by=st, page=prince),
    ]
    assert received() == before
    for step in steps:
        step()
        assert received() == before


# ------------------------------------------------------------------ links


def test_titles_are_compared_folded() -> None:
    assert titles.fold("  The  PRINCE of\tStraße ") == "the prince of strasse"
    assert titles.fold("e\u0301") == titles.fold("\u00c9")
    assert titles_in("[[A]] [[b|words]] `[[c]]` [[ ]] [[d\n]] [[e") == ("a", "b")


def test_a_link_is_a_link_or_its_words() -> None:
    known = (("the prince", "/p/"),)
    assert render("[[The PRINCE]]", known) == render("[The PRINCE](/p/)")
    assert (
        render("[[the prince|*him*]]", known) == '<p><a href="/p/" rel="noopener nofollow noreferrer">*him*</a></p>\n'
    )
    assert render("[[ghosts]]", known) == "<p>ghosts</p>\n"
    assert render("[[ghosts]]") == "<p>[[ghosts]]</p>\n"
    assert "<script" not in render("[[<script>x</script>]]", known)


def test_names_of_the_apps_above_can_be_linked(by: dict[str, Membership], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "_answers", [lambda _member, asked: {"marek": "/m/"} if "marek" in asked else {}])
    assert links.addresses(by["player"], ["[[Marek]] [[Nobody]]"]) == {"marek": "/m/"}


def test_links_are_stored_with_the_text(by: dict[str, Membership], client_of: Any) -> None:
    st = by["storyteller"]
    page = page_services.create_page(by=st, title="News", text="[[A]] [[a]] [[B]]", audience="everyone")
    assert sorted(Link.objects.values_list("folded", flat=True)) == ["a", "b"]
    target = page_services.create_page(by=st, title="B", text="", audience="everyone")
    address = reverse("campaigns:page", args=[target.chronicle_id, target.pk])
    assert "Linked from" in client_of(by["player"].user).get(address).content.decode()
    edited(st, page.passages.get(), text="Nothing")
    assert "Linked from" not in client_of(by["player"].user).get(address).content.decode()


# ------------------------------------------------------------------ screens


def test_a_picture_is_redrawn_and_for_the_readers_of_its_passage(by: dict[str, Membership], client_of: Any) -> None:
    st, chronicle = by["storyteller"], by["storyteller"].chronicle_id
    sent = {
        "title": "Letter",
        "kind": "handout",
        "audience": "chosen",
        "readers": [by["player"].pk],
        "caption": "Burnt",
    }
    file = SimpleUploadedFile("x.jpg", drawing(), content_type="image/jpeg")
    client = client_of(st.user)
    assert client.post(reverse("campaigns:write-page", args=[chronicle]), sent | {"picture": file}).status_code == 302
    kept = Picture.objects.get()
    image = Image.open(BytesIO(bytes(kept.picture)))
    assert (image.format, image.size, kept.caption) == ("WEBP", (1280, 768), "Burnt")
    address = reverse("campaigns:picture", args=[chronicle, kept.pk])
    got = {name: client_of(member.user).get(address).status_code for name, member in by.items()}
    assert got == {"storyteller": 200, "player": 200, "other": 404, "observer": 404}
    page = reverse("campaigns:page", args=[chronicle, kept.passage.page_id])
    assert f'src="{address}" alt="Burnt"' in client_of(by["player"].user).get(page).content.decode()
    edit = reverse("campaigns:edit-passage", args=[chronicle, kept.passage_id])
    bad = SimpleUploadedFile("x.jpg", b"no picture", content_type="image/jpeg")
    assert client.post(edit, {"text": "", "audience": "everyone", "version": 1, "picture": bad}).status_code == 422
    told = {"text": "", "audience": "everyone", "version": 1, "remove_picture": "on"}
    assert client.post(edit, told).status_code == 302
    assert not Picture.objects.exists()


def test_a_journal_is_two_presses_away(by: dict[str, Membership], client_of: Any) -> None:
    mine = by["player"]
    client, chronicle = client_of(mine.user), mine.chronicle_id
    journal = reverse("campaigns:journal", args=[chronicle])
    assert journal in client.get(reverse("campaigns:chronicle", args=[chronicle])).content.decode()
    form = client.get(journal, follow=True)
    assert form.context["form"].initial["title"] == "Journal of player"
    sent = {"title": "Nights", "kind": "journal", "text": "One", "audience": "author"}
    client.post(form.request["PATH_INFO"], sent)
    again = client.get(journal, follow=True)
    for number in range(31):
        client.post(again.request["PATH_INFO"], {"text": f"Entry {number}", "audience": "everyone"})
    page = Page.objects.get()
    # The newest entries are shown first of all, in the order of writing.
    latest = client.get(reverse("campaigns:page", args=[chronicle, page.pk])).context["part"]
    assert [line.text for line in latest.lines] == ["Entry 29", "Entry 30"]


def test_pages_are_listed_by_type_owner_and_state(by: dict[str, Membership], client_of: Any) -> None:
    st, chronicle = by["storyteller"], by["storyteller"].chronicle_id
    for number in range(31):
        page_services.create_page(by=st, title=f"Plot {number}", kind="plot", text="", audience="everyone")
    done = Page.objects.get(title="Plot 3")
    client, address = client_of(st.user), reverse("campaigns:pages", args=[chronicle])
    assert client.post(reverse("campaigns:page-done", args=[chronicle, done.pk]), {"done": "1"}).status_code == 302
    page_services.create_page(by=by["player"], title="Theirs", text="", audience="everyone")

    def listed(query: str) -> list[str]:
        return [line.title for line in client.get(address + query).context["lines"]]

    assert listed("?state=done") == ["Plot 3"]
    assert listed("?kind=note") == ["Theirs"]
    assert len(listed("?kind=plot&own=1")) == 30
    assert 'href="?kind=plot&amp;page=2#' in client.get(f"{address}?kind=plot").content.decode()
    with CaptureQueriesContext(connection) as few:
        listed("?kind=note")
    with CaptureQueriesContext(connection) as many:
        listed("")
    assert len(many) == len(few)


def test_the_words_for_a_passage_that_was_deleted_meanwhile_are_a_new_page_to_save(
    by: dict[str, Membership], client: Any
) -> None:
    st = by["storyteller"]
    page = page_services.create_page(by=st, title="The mill", text="First.")
    gone = page_services.add_passage(by=st, page=page, text="Second.")
    page_services.delete_passage(by=st, passage=gone)
    address = reverse("campaigns:edit-passage", args=[st.chronicle_id, gone.pk])
    client.force_login(st.user)
    assert client.get(address).status_code == 404
    answer = client.post(address, {"text": "An hour of <b>work</b>", "audience": "everyone", "version": 1})
    assert answer.status_code == 404
    drawn = answer.content.decode()
    assert "An hour of &lt;b&gt;work&lt;/b&gt;</textarea>" in drawn
    assert f'action="{reverse("campaigns:write-page", args=[st.chronicle_id])}"' in drawn
    assert "was deleted in the meantime" in drawn
    # To a player, a hidden passage is answered as one that never was.
    client.force_login(by["player"].user)
    hidden = page.passages.get()
    for each in (hidden.pk, gone.pk):
        answer = client.post(reverse("campaigns:edit-passage", args=[st.chronicle_id, each]), {"text": "Words"})
        assert (answer.status_code, "was deleted in the meantime" in answer.content.decode()) == (404, True)
    assert hidden.text == Passage.objects.get(pk=hidden.pk).text
