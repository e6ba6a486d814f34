"""Ties: who reads, writes, pays and draws them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from campaigns.errors import Refused
from campaigns.models import Membership, Page, Passage, Session
from characters import tie_services
from characters.drawing import MOST_NODES, drawn
from characters.known import ties_for
from characters.models import Character, Meeting, Tie
from characters.tie_pages import Wanted, ties_page
from characters.tie_services import TieData
from tests.characters.test_faces import READERS, _plain, cast, client_of, statuses, table, url

__all__ = ["cast", "table"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

NARROW = {"storyteller": "storytellers", "player": "author"}


def write(by: Membership, first: Any, second: Any, **more: Any) -> Tie:
    data = {"kind": "relation", "text": "trusts", "audience": NARROW.get(by.user.username, "author")} | more
    return tie_services.write_tie(by=by, data=TieData(first=first.pk, second=second.pk, **data))


def typed(form: Any, **more: Any) -> dict[str, Any]:
    return {name: value for name in form.fields if (value := form[name].value()) not in (None, "", [])} | more


def test_who_owes_whom_what_since_when_and_when_it_was_paid(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    """Story 11, in the forms and lists of a Storyteller, with a player and an observer looking on."""
    chronicle, prince, ilya = table["player"].chronicle, cast["Vincent"], cast["Ilya"]
    begun = Session.objects.create(chronicle=chronicle, number=3, progress="played", title="The debt")
    Meeting.objects.create(character=prince, by=ilya, known_as="The man in grey", at=timezone.now())
    storyteller, player = client_of(table["storyteller"]), client_of(table["player"])
    add, ties = url("tie-add", table), url("ties", table)
    form = storyteller.get(add).context["form"]
    assert form["audience"].value() == "storytellers"
    boon = typed(form, kind="boon", first=ilya.pk, second=prince.pk, text="Saved from the sun", since=begun.pk)
    assert "size" in storyteller.post(add, boon).context["form"].errors
    reader = str(table["player"].pk)
    assert "readers" in storyteller.post(add, boon | {"size": "life", "audience": "chosen"}).context["form"].errors
    boon |= {"size": "life", "audience": "chosen", "readers": [reader]}
    assert storyteller.post(add, boon).status_code == 302
    assert storyteller.post(add, boon).status_code == 302  # pressed twice
    tie = Tie.objects.get()
    assert (tie.state, tie.size, tie.audience) == ("owed", "life", "chosen")
    assert {who: len(ties_for(table[who])) for who in READERS} == {"player": 1, "other_player": 0, "observer": 0}
    line = ties_page(table["player"], Wanted()).lines[0]
    assert (line.first.name, line.second.name, line.since, line.may_write) == (
        "Ilya",
        "The man in grey",
        "session 3",
        False,
    )
    assert "Vincent" not in player.get(ties).content.decode()
    assert player.post(url("tie-settle", table, tie.pk), {"state": "paid"}).status_code == 403
    Session.objects.create(chronicle=chronicle, number=4, progress="playing")
    assert storyteller.post(url("tie-settle", table, tie.pk), {"state": "paid"}).status_code == 302
    line = ties_page(table["player"], Wanted(who=ilya.pk, kind="boon", state="paid")).lines[0]
    assert (line.state_label, line.since, line.ended, line.over) == ("paid", "session 3", "session 4", True)
    assert ties_page(table["player"], Wanted(state="owed")).lines == ()
    body = player.get(url("face", table, ilya.pk)).content.decode()
    assert "until session 4" in body
    storyteller.post(url("tie-settle", table, tie.pk), {"state": "owed", "from": ilya.pk})
    tie.refresh_from_db()
    assert (tie.state, tie.ended) == ("owed", None)
    # Somebody else changed it while the form was open: nothing typed is lost, and nothing overwritten.
    late = typed(storyteller.get(url("tie", table, tie.pk)).context["form"], text="Saved from the fire")
    storyteller.post(url("tie-settle", table, tie.pk), {"state": "forgiven"})
    answer = storyteller.post(url("tie", table, tie.pk), late)
    assert answer.status_code == 422
    assert "Saved from the fire" in answer.content.decode()
    assert "forgiven" in " ".join(answer.context["form"].theirs)
    assert storyteller.post(url("tie-delete", table, tie.pk)).status_code == 302
    assert not Tie.objects.exists()


def test_players_write_ties_of_their_own_characters_to_whom_they_know(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    player = table["player"]
    mine = write(player, cast["Ilya"], cast["Odile"], text="secretly loves")
    assert [len(ties_for(table[who])) for who in ("storyteller", *READERS)] == [1, 1, 0, 0]
    assert statuses(table, url("tie", table, mine.pk)) == [200, 200, 404, 404]
    assert write(player, cast["Odile"], cast["Ilya"], audience="everyone").author == player.user
    assert statuses(table, url("tie", table, Tie.objects.latest("created").pk)) == [200, 200, 403, 403]
    with pytest.raises(PermissionDenied):
        write(
            player,
            cast["Odile"],
            Character.objects.create(chronicle=player.chronicle, name="Kit", owner=table["other_player"].user),
        )
    with pytest.raises(Refused):
        write(player, cast["Ilya"], cast["Vincent"])
    with pytest.raises(Refused):
        write(player, cast["Ilya"], cast["Odile"], audience="storytellers")
    with pytest.raises(Refused):
        write(player, cast["Ilya"], cast["Odile"], kind="member")
    form = client_of(player).get(url("tie-add", table)).context["form"]
    assert form["audience"].value() == "author"
    assert cast["Vincent"].pk not in str(form)
    # A character that goes to somebody else takes the pen along.
    Character.objects.filter(pk=cast["Ilya"].pk).update(owner=table["other_player"].user)
    with pytest.raises(PermissionDenied):
        tie_services.settle(by=player, tie_id=mine.pk, state="paid")


def test_one_in_the_bin_takes_their_ties_out_of_sight(table: dict[str, Membership], cast: dict[str, Character]) -> None:
    write(table["storyteller"], cast["Ilya"], cast["Odile"], audience="everyone")
    Character.objects.filter(pk=cast["Odile"].pk).update(binned=timezone.now())
    assert ties_for(table["storyteller"]) == []
    assert client_of(table["observer"]).get(url("ties", table)).context["page"].everything == ()


def test_hidden_ties_and_people_change_no_byte(table: dict[str, Membership], cast: dict[str, Character]) -> None:
    chronicle, storyteller = table["player"].chronicle, table["storyteller"]
    court = Page.objects.create(chronicle=chronicle, kind="group", title="The court", folded="the court")
    text = "[[Ilya]] and [[Vincent]] sit here."
    Passage.objects.create(page=court, text=text, audience="everyone", written=timezone.now(), opened=timezone.now())
    write(storyteller, cast["Ilya"], cast["Odile"], audience="everyone")
    write(storyteller, cast["Ilya"], court, kind="member", audience="everyone")
    pages = [url("ties", table), url("cast", table), url("face", table, cast["Ilya"].pk)]
    pages.append(f"{pages[0]}?who={cast['Ilya'].pk}&kind=boon")
    pages.append(reverse("campaigns:page", args=[chronicle.pk, court.pk]))

    def received() -> dict[str, list[str]]:
        return {who: [_plain(client_of(table[who]).get(page).content) for page in pages] for who in READERS}

    before = received()
    face = url("face", table, cast["Ilya"].pk)
    # A link of the text, and a member of the group.
    assert before["observer"][-1].count(f'href="{face}"') == 2
    sect = Page.objects.create(chronicle=chronicle, kind="group", title="A sect", folded="a sect")
    Passage.objects.create(page=sect, written=timezone.now())
    everyone = {"audience": "everyone", "text": "the hidden"}
    write(storyteller, cast["Ilya"], cast["Vincent"], **everyone)
    write(storyteller, cast["Vincent"], cast["Odile"], kind="boon", size="life", **everyone)
    write(storyteller, cast["Ilya"], sect, kind="member", **everyone)
    write(storyteller, cast["Vincent"], court, kind="member", **everyone)
    write(storyteller, cast["Ilya"], cast["Odile"], text="hidden from all")
    write(storyteller, cast["Odile"], cast["Ilya"], text="for one", audience="chosen", readers=[table["player"].pk])
    after = received()
    assert after["other_player"] == before["other_player"]
    assert after["observer"] == before["observer"]
    assert after["player"] != before["player"]
    assert "the hidden" not in "".join(after["player"])
    Meeting.objects.create(character=cast["Vincent"], by=cast["Ilya"], known_as="Grey", at=timezone.now())
    assert received()["other_player"] == before["other_player"]
    group = client_of(table["player"]).get(pages[-1]).content.decode()
    assert "Grey" in group
    assert url("face", table, cast["Vincent"].pk) in group
    assert group.count("Vincent") == 1, "a link to nothing"


def lines_of(count: int) -> list[Any]:
    from characters.tie_pages import End, TieLine

    ends = [End(f"id{number}", f"Baron Maximilian of the Long Name {number}", "") for number in range(count)]
    rest = ("", "", "", "", "", "", "", False, "", False)
    return [
        TieLine(f"t{number}", "relation", "Relation", ends[0 if number % 3 else number - 1], ends[number], *rest)
        for number in range(1, count)
    ]


@pytest.mark.parametrize("count", [2, 8, MOST_NODES])
def test_the_drawing_has_a_line_for_each_name(count: int) -> None:
    lines = lines_of(count)
    drawing = drawn(lines)
    assert drawing == drawn(list(reversed(lines)))
    assert (len(drawing.nodes), len(drawing.edges), drawing.around) == (count, count - 1, "")
    assert len({(node.y, node.left) for node in drawing.nodes}) == count
    for side in (True, False):
        heights = sorted(node.y for node in drawing.nodes if node.left is side)
        assert all(below - above >= 24 for above, below in pairwise(heights))
    assert all(0 < node.x < drawing.width and 0 < node.y < drawing.height for node in drawing.nodes)


def test_a_crowd_is_drawn_around_one() -> None:
    drawing = drawn(lines_of(400))
    assert (len(drawing.nodes), drawing.around) == (MOST_NODES, "Baron Maximilian of the Long Name 0")
    assert drawing.left_out == 227
    chosen = drawn(lines_of(400), around="id2", mine=frozenset({"id3"}))
    assert chosen.around.endswith(" 2")
    assert len(chosen.nodes) == 3
    assert drawn(lines_of(400), mine=frozenset({"id3"})).around.endswith(" 3")


def test_many_ties_take_few_queries(
    table: dict[str, Membership], cast: dict[str, Character], django_assert_max_num_queries: Any
) -> None:
    chronicle = table["player"].chronicle
    crowd = Character.objects.bulk_create(
        Character(chronicle=chronicle, name=f"Thrall {number}", owner=table["player"].user) for number in range(90)
    )
    Tie.objects.bulk_create(
        Tie(
            chronicle=chronicle,
            from_character=cast["Ilya"],
            to_character=each,
            audience="everyone",
            written=timezone.now(),
            opened=timezone.now(),
        )
        for each in crowd
    )
    for who in ("storyteller", "player"):
        client = client_of(table[who])
        for page in (url("ties", table), url("cast", table), url("face", table, cast["Ilya"].pk)):
            with django_assert_max_num_queries(20):
                body = client.get(page).content.decode()
    body = client.get(url("ties", table) + f"?who={cast['Ilya'].pk}&ties=2").content.decode()
    assert re.search(rf'href="\?who={cast["Ilya"].pk}&amp;ties=3', body)
    assert reverse("characters:tie", args=[chronicle.pk, Tie.objects.first().pk]) not in body
