"""Timeline and statistics: what happened is there for those who may know it, and changes nothing for others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from campaigns.models import Membership, Page, Passage, PassageAudience, Readership, Reveal, Session
from characters import experience
from characters.models import Character, Meeting, Tie
from combat.commands import drafts, perform
from combat.commands.outside import open_log
from combat.models import Encounter
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics import commands
from story.statistics import statistics_page
from story.timeline import TimelinePage, timeline_page
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, characters, draft, fight
from tests.kept import kept

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

DAWN = datetime(2026, 1, 1, 19, tzinfo=UTC)
HOUR, WEEK = timedelta(hours=1), timedelta(days=7)
WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]
OTHERS = ("player", "observer")


def member(fight: Table, name: str) -> Membership:
    return fight.encounter.chronicle.memberships.select_related("chronicle", "user").get(user__username=name)


def timeline(fight: Table, name: str, **query: str) -> TimelinePage:
    asked = QueryDict(mutable=True)
    asked.update(query)
    return timeline_page(member(fight, name), asked)


def texts(page: TimelinePage) -> dict[int, list[str]]:
    return {each.number: [line.text for line in each.lines] for each in page.sections}


def session(fight: Table, number: int) -> Session:
    begun = DAWN + number * WEEK
    return Session.objects.create(
        chronicle=fight.encounter.chronicle, number=number, progress="played", begun=begun, ended=begun + 4 * HOUR
    )


def shown(fight: Table, title: str, at: datetime, *readers: str) -> Passage:
    """A passage that was shown, to everyone without `readers`."""
    page = Page.objects.create(chronicle=fight.encounter.chronicle, title=title, folded=title.casefold())
    audience = PassageAudience.CHOSEN if readers else PassageAudience.EVERYONE
    made = Passage.objects.create(page=page, audience=audience, text="Ash.", written=at, opened=None if readers else at)
    reveal = Reveal.objects.create(passage=made, everyone=not readers, at=at)
    for name in readers:
        Readership.objects.create(passage=made, membership=member(fight, name), since=at)
        reveal.to.add(member(fight, name))
    return made


@pytest.fixture
@kept
def story(fight: Table) -> Table:
    """Two sessions with a fight in the first, and before them a handout."""
    first, second = session(fight, 1), session(fight, 2)
    shown(fight, "An old letter", DAWN)
    shown(fight, "The map", second.begun + HOUR)  # type: ignore[operator]
    prince = Character.objects.get(name=TRUE_NAME)
    Meeting.objects.create(character=prince, known_as="a tall man", session=first, at=DAWN)
    ilya = Character.objects.get(name="Ilya")
    now = DAWN + 3 * WEEK
    everyone = {"audience": PassageAudience.EVERYONE, "written": now, "opened": now}
    Tie.objects.create(
        chronicle=ilya.chronicle, kind="boon", from_character=ilya, to_character=prince, since=second, **everyone
    )
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(10), waive=WAIVE)
    fight.do(commands.ChangeConditions(fight["Thug 2"], add=frozenset({"dead"})))
    fight.do(commands.End())
    Encounter.objects.filter(pk=fight.encounter_id).update(
        session=first, begun=DAWN + WEEK + HOUR, ended=DAWN + WEEK + 2 * HOUR
    )
    return fight


def in_the_dark(fight: Table) -> None:
    """Everything that the player and the observer may not know."""
    at = DAWN + WEEK + HOUR
    shown(fight, "For Marguerite's eyes", at, "other_player")
    hidden = shown(fight, "Shown and taken back", at)
    Passage.objects.filter(pk=hidden.pk).update(audience=PassageAudience.STORYTELLERS)
    secret, marguerite = Character.objects.get(name=SECRET), Character.objects.get(name="Marguerite")
    Meeting.objects.create(character=secret, by=marguerite, at=at)
    for audience, end in ((PassageAudience.EVERYONE, secret), (PassageAudience.STORYTELLERS, marguerite)):
        ilya = Character.objects.get(name="Ilya")
        ends = {"from_character": ilya, "to_character": end, "audience": audience}
        Tie.objects.create(chronicle=ilya.chronicle, written=at, opened=at, **ends)
    by = member(fight, "storyteller")
    experience.award(by=by, to=[marguerite.pk], amount=3, reason="kept a secret")
    drafts.create_encounter(by=by, name="An ambush", scene="")
    common: dict[str, Any] = {"encounter_id": open_log(by.chronicle).pk, "actor": by.user}
    perform.perform(command=RollTraits(secret.pk, ("wits",), secret=True, label="Plans"), dice=FixedDice(9), **common)
    perform.perform(command=commands.Harm(secret.pk, 9, Damage.LETHAL), **common)


def test_what_happened_is_told_by_session(story: Table) -> None:
    told = texts(timeline(story, "observer"))
    assert list(told) == [2, 1, 0]
    assert told[0] == ["Shown: An old letter"]
    assert told[1] == ["Everyone met a tall man.", "The chapel", "Thug 2 is dead."]
    assert told[2] == ["Ilya owes a tall man a boon.", "Shown: The map"]
    assert f"Ilya owes {TRUE_NAME} a boon." in texts(timeline(story, "storyteller"))[2]
    marguerite = Character.objects.get(name="Marguerite")
    found = timeline(story, "player", who=marguerite.pk)
    assert texts(found)[2] == []
    assert [line.text for line in found.sections[1].lines] == []
    assert timeline(story, "player", who=Character.objects.get(name=SECRET).pk).who == ""


def test_what_is_hidden_changes_neither_timeline_nor_statistics(story: Table) -> None:
    for name in OTHERS:
        statistics_page(member(story, name))
    before = {name: (timeline(story, name), statistics_page(member(story, name))) for name in OTHERS}
    in_the_dark(story)
    assert {name: (timeline(story, name), statistics_page(member(story, name))) for name in OTHERS} == before
    everything = str(texts(timeline(story, "storyteller")))
    for words in ("For Marguerite's eyes", SECRET, "kept a secret"):
        assert words in everything
    assert "kept a secret" in str(texts(timeline(story, "other_player")))


def test_numbers_are_summed_by_character(story: Table) -> None:
    found = statistics_page(member(story, "observer"))
    ilya = next(each for each in found.people if each.name == "Ilya")
    assert (ilya.fights, ilya.deeds.attacks, ilya.deeds.hits, ilya.deeds.dealt) == (1, 1, 1, 7)
    assert found.people[0] == ilya
    assert [(bar.label, bar.value, bar.width) for bar in found.damage.bars] == [("1", 7, 100)]
    assert all(0 <= bar.start <= 100 for bar in found.luck.bars)
    assert found.rules
    assert found.rules[0].title


def test_pages_ask_the_database_a_bounded_number_of_times(
    story: Table, client: Client, django_assert_max_num_queries: Any
) -> None:
    chronicle = story.encounter.chronicle
    for number in range(3, 25):
        session(story, number)
        shown(story, f"Letter {number}", DAWN + number * WEEK)
    client.force_login(member(story, "player").user, backend="django.contrib.auth.backends.ModelBackend")
    for name, query in (("timeline", {}), ("timeline", {"page": "3"}), ("statistics", {})):
        address = reverse(f"story:{name}", args=[chronicle.pk])
        client.get(address, query)
        with django_assert_max_num_queries(24):
            assert client.get(address, query).status_code == 200
    page = timeline(story, "player")
    assert ([each.number for each in page.sections], page.newer, page.older) == ([*range(24, 14, -1)], "", "?page=2")
    assert texts(timeline(story, "player", page="3"))[0] == ["Shown: An old letter"]
