"""Search finds everything that its reader may read, and nothing of what they may not."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Passage, PassageAudience, Session
from characters.models import Character, Face, Meeting
from rules.model.roll import RollTraits
from rules.topics import commands
from story.search import Group, search_page
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, characters, draft, fight
from tests.kept import kept
from tests.story.test_looking_back import DAWN, OTHERS, in_the_dark, member, session, shown
from tests.world import HTMX

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def found(table: Table, name: str, wanted: str) -> dict[str, list[str]]:
    """The names found by a member, by sort."""
    page = search_page(member(table, name), wanted)
    return {group.key: [hit.name for hit in group.hits] for group in page.groups}


@pytest.fixture
@kept
def story(fight: Table) -> Table:
    evening = session(fight, 1)
    Session.objects.filter(pk=evening.pk).update(title="Ashes", recap="They crossed the MÜHLENSTRASSE at night.")
    page = shown(fight, "The old mill", DAWN).page
    Passage.objects.create(
        page=page, audience=PassageAudience.EVERYONE, written=DAWN, opened=DAWN, text="By the *Mühlenstraße*, in ash."
    )
    prince = Character.objects.get(name=TRUE_NAME)
    Meeting.objects.create(character=prince, known_as="The man in grey", at=DAWN)
    Face.objects.create(character=prince, text="Smells of cold ash.")
    Character.objects.filter(name="Marguerite").update(notes="Owes the ferryman.")
    fight.do(commands.Declare(fight["Ilya"], "Hums an old nightingale song.", out_of_order=True))
    fight.do(commands.End())
    return fight


def test_all_sorts_of_things_are_found_by_those_who_may_read_them(story: Table) -> None:
    street = found(story, "observer", "mühlenstrasse")
    assert street == {"pages": ["The old mill"], "sessions": ["Session 1: Ashes"]}
    assert found(story, "observer", "COLD ash")["people"] == ["The man in grey"]
    assert found(story, "observer", "grey")["people"] == ["The man in grey"]
    assert found(story, "observer", "chapel")["fights"] == ["The chapel"]
    assert found(story, "observer", "nightingale")["log"] == ["The chapel"]
    assert "rules" in found(story, "observer", "soak")
    assert found(story, "observer", "a") == {}
    assert found(story, "other_player", "ferryman") == {"people": ["Marguerite"]}
    assert found(story, "storyteller", TRUE_NAME)["people"] == [TRUE_NAME]
    for name in OTHERS:
        assert found(story, name, "ferryman") == {}
        assert "people" not in found(story, name, TRUE_NAME)


def test_the_words_are_shown_in_their_text(story: Table) -> None:
    (group,) = (each for each in search_page(member(story, "player"), "STRASSE").groups if each.key == "pages")
    assert isinstance(group, Group)
    hit = group.hits[0]
    assert (hit.before, hit.found, hit.after) == ("By the Mühlen", "straße", ", in ash.")


def test_what_is_hidden_changes_no_result(story: Table) -> None:
    wanted = ("marguerite", "ash", "plans", "taken", "ilya", "ambush", "zzyzx", "letter", "eyes", "wits")
    before = {(name, words): search_page(member(story, name), words) for name in OTHERS for words in wanted}
    in_the_dark(story)
    page = shown(story, "Ash", DAWN, "other_player").page
    Passage.objects.create(page=page, text="Marguerite's ash", written=DAWN)
    old = Passage.objects.filter(page__title="The old mill")[0].page
    Passage.objects.create(page=old, text="Ilya lies about the ash.", written=DAWN)
    now = {(name, words): search_page(member(story, name), words) for name in OTHERS for words in wanted}
    assert now == before
    everything = {words: found(story, "storyteller", words) for words in wanted}
    assert everything["ambush"]["fights"] == ["An ambush"]
    assert everything["plans"]["log"] == ["Rolls outside fights"]
    assert everything["zzyzx"]["people"] == [SECRET]


def test_a_held_roll_is_found_once_everybody_has_seen_it(fight: Table, player: Any) -> None:
    roll = RollTraits(fight["Ilya"], ("wits",), label="Listening to the bells")
    fight.do(roll, by=player, dice=FixedDice(9), hold=True)
    assert fight.encounter.held
    assert all(found(fight, name, "bells") == {} for name in ("storyteller", "player", *OTHERS))
    fight.do(commands.End())
    assert all(found(fight, name, "bells")["log"] == ["The chapel"] for name in ("storyteller", *OTHERS))


def test_a_text_is_folded_however_it_is_written(story: Table) -> None:
    passage = Passage.objects.filter(page__title="The old mill")[0]
    passage.text = "ÄPFEL"
    passage.save(update_fields=["text"])
    assert Passage.objects.get(pk=passage.pk).folded == "äpfel"
    (made,) = Passage.objects.bulk_create([Passage(page=passage.page, text="ÖL", written=DAWN)])
    assert Passage.objects.get(pk=made.pk).folded == "öl"


def test_it_is_a_page_and_its_results(story: Table, client: Client, django_assert_max_num_queries: Any) -> None:
    client.force_login(member(story, "player").user, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("story:search", args=[story.encounter.chronicle_id])
    client.get(address, {"q": "ash"})
    for number in range(20):
        shown(story, f"Ash {number}", DAWN)
    with django_assert_max_num_queries(22):
        whole = client.get(address, {"q": "ash"})
    assert "<html" in whole.content.decode()
    part = client.get(address, {"q": "ash"}, headers=HTMX).content.decode()
    assert "<html" not in part
    assert 'id="found-count"' in part
    assert "There are more" in part
    assert client.get(address, {"q": "\x00"}).status_code == 200
