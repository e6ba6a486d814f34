"""Who reads which passage, and since when: what is done for one reader doesn't show to another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from campaigns import readable
from campaigns import services as campaigns
from campaigns.models import Membership, Page, Passage, PassageAudience, Readership, Role
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

ROLES = {"author": Role.PLAYER, "chosen": Role.PLAYER, "player": Role.PLAYER, "observer": Role.OBSERVER}
DAWN = datetime(2026, 1, 1, tzinfo=UTC)
READ_BY = {
    PassageAudience.STORYTELLERS: {"storyteller"},
    PassageAudience.AUTHOR: {"storyteller", "author"},
    PassageAudience.CHOSEN: {"storyteller", "author", "chosen"},
    PassageAudience.EVERYONE: {"storyteller", *ROLES},
}


@pytest.fixture
@kept
def table(person: Any) -> dict[str, Membership]:
    made = campaigns.create_chronicle(user=person("storyteller"), name="Vigil", ruleset="masquerade")
    for name, role in ROLES.items():
        campaigns.add_member(chronicle=made, user=person(name), role=role)
    return {each.user.username: each for each in made.memberships.select_related("user", "chronicle")}


def written(table: dict[str, Membership], audience: str, **more: Any) -> Passage:
    """A passage with two chosen readers: a player, and an observer, who must not read it all the same."""
    page = Page.objects.create(chronicle=table["author"].chronicle, title="The mill", folded="the mill")
    made = Passage.objects.create(
        page=page, audience=audience, author=table["author"].user, **{"written": DAWN, "text": "Cold ashes.", **more}
    )
    for name in ("chosen", "observer"):
        Readership.objects.create(passage=made, membership=table[name], since=DAWN + timedelta(hours=1))
    return made


@pytest.mark.parametrize("audience", PassageAudience)
def test_only_its_audience_reads_a_passage_and_knows_its_page(table: dict[str, Membership], audience: str) -> None:
    made = written(table, audience)
    readers = {name for name, member in table.items() if readable.passages_for(member).filter(pk=made.pk).exists()}
    assert readers == READ_BY[PassageAudience(audience)]
    assert {name for name, member in table.items() if readable.pages_for(member).exists()} == readers


def test_a_passage_opened_to_others_is_not_news_to_those_who_read_it_before(table: dict[str, Membership]) -> None:
    made = written(table, PassageAudience.EVERYONE, opened=DAWN + timedelta(days=1))
    told = {name: readable.passages_for(member).get(pk=made.pk).told - DAWN for name, member in table.items()}
    hour, day = timedelta(hours=1), timedelta(days=1)
    assert told == {
        "storyteller": timedelta(0),
        "author": timedelta(0),
        "chosen": hour,
        "observer": hour,
        "player": day,
    }


def test_new_words_are_news_to_every_reader(table: dict[str, Membership]) -> None:
    late = DAWN + timedelta(days=2)
    made = written(table, PassageAudience.EVERYONE, opened=DAWN + timedelta(days=1), written=late)
    assert {readable.passages_for(member).get(pk=made.pk).told for member in table.values()} == {late}


def test_a_page_in_the_bin_is_read_by_nobody(table: dict[str, Membership]) -> None:
    made = written(table, PassageAudience.EVERYONE)
    Page.objects.filter(pk=made.page_id).update(binned=DAWN)
    assert not any(readable.passages_for(member).exists() for member in table.values())
    assert not any(readable.pages_for(member).exists() for member in table.values())
