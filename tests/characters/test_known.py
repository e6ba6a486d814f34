"""Whom a member knows, under which name, and which ties between them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from campaigns import services as campaigns
from campaigns.models import Membership, Page, Passage, PassageAudience, Role
from characters.known import known_to, ties_for
from characters.models import Character, Face, Meeting, Portrait, Tie
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

ROLES = {"player": Role.PLAYER, "other_player": Role.PLAYER, "observer": Role.OBSERVER}
DAWN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
@kept
def table(person: Any) -> dict[str, Membership]:
    made = campaigns.create_chronicle(user=person("storyteller"), name="Vigil", ruleset="masquerade")
    for name, role in ROLES.items():
        campaigns.add_member(chronicle=made, user=person(name), role=role)
    return {each.user.username: each for each in made.memberships.select_related("user", "chronicle")}


@pytest.fixture
@kept
def cast(table: dict[str, Membership]) -> dict[str, Character]:
    chronicle = table["player"].chronicle
    owners = {"Ilya": table["player"].user, "Odile": table["other_player"].user, "The Prince": None}
    return {
        name: Character.objects.create(chronicle=chronicle, name=name, owner=owner) for name, owner in owners.items()
    }


def names(table: dict[str, Membership]) -> dict[str, str]:
    """The name under which each member knows the Prince, "-" if not at all."""
    found = {name: [one.name for one in known_to(member).values() if one.is_npc] for name, member in table.items()}
    return {name: each[0] if each else "-" for name, each in found.items()}


def test_who_has_met_nobody_knows_the_players_characters(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    assert names(table) == {"storyteller": "The Prince", "player": "-", "other_player": "-", "observer": "-"}
    assert {one.name for one in known_to(table["observer"]).values()} == {"Ilya", "Odile"}


def test_each_knows_an_npc_by_the_name_they_learned(table: dict[str, Membership], cast: dict[str, Character]) -> None:
    Meeting.objects.create(character=cast["The Prince"], by=cast["Ilya"], known_as="The man in grey", at=DAWN)
    assert names(table)["player"] == "The man in grey"
    assert (names(table)["other_player"], names(table)["observer"]) == ("-", "-")
    # Met by everybody later, under another name: the latest one counts until somebody learns the real one.
    later = DAWN + timedelta(days=1)
    Meeting.objects.create(character=cast["The Prince"], known_as="Lord Grey", at=later)
    assert {names(table)[who] for who in ROLES} == {"Lord Grey"}
    Meeting.objects.filter(by=cast["Ilya"]).update(known_as="")
    assert names(table) == {
        "storyteller": "The Prince",
        "player": "The Prince",
        "other_player": "Lord Grey",
        "observer": "Lord Grey",
    }


def test_a_portrait_is_part_of_a_face_only_if_it_is_shown(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    prince = cast["The Prince"]
    Meeting.objects.create(character=prince, at=DAWN)
    portrait = Portrait.objects.create(character=prince, picture=b"RIFF").pk
    face = Face.objects.create(character=prince, text="Grey eyes.")
    assert known_to(table["player"])[prince.pk].portrait == ""
    assert known_to(table["storyteller"])[prince.pk].portrait == portrait
    face.with_portrait = True
    face.save()
    assert known_to(table["player"])[prince.pk].portrait == portrait
    assert known_to(table["player"])[prince.pk].text == "Grey eyes."


def test_somebody_in_the_bin_is_known_to_nobody_and_introduces_nobody(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    Meeting.objects.create(character=cast["The Prince"], by=cast["Ilya"], at=DAWN)
    Character.objects.filter(pk=cast["Ilya"].pk).update(binned=DAWN)
    assert names(table)["player"] == "-"
    assert cast["Ilya"].pk not in known_to(table["storyteller"])


def tied(table: dict[str, Membership]) -> set[str]:
    return {name for name, member in table.items() if ties_for(member)}


def test_a_tie_is_there_for_its_readers_who_know_both_ends(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    tie = Tie.objects.create(
        chronicle=table["player"].chronicle,
        from_character=cast["Ilya"],
        to_character=cast["The Prince"],
        audience=PassageAudience.EVERYONE,
        written=DAWN,
    )
    assert tied(table) == {"storyteller"}
    Meeting.objects.create(character=cast["The Prince"], by=cast["Ilya"], at=DAWN)
    assert tied(table) == {"storyteller", "player"}
    Meeting.objects.create(character=cast["The Prince"], at=DAWN)
    assert tied(table) == {"storyteller", *ROLES}
    Tie.objects.filter(pk=tie.pk).update(audience=PassageAudience.CHOSEN)
    assert tied(table) == {"storyteller"}
    tie.readership.create(membership=table["other_player"], since=DAWN)
    assert tied(table) == {"storyteller", "other_player"}


def test_a_tie_to_a_group_needs_a_page_that_its_reader_may_read(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    chronicle = table["player"].chronicle
    court = Page.objects.create(chronicle=chronicle, kind="group", title="The court", folded="the court")
    passage = Passage.objects.create(page=court, text="Nine chairs.", written=DAWN)
    everyone = PassageAudience.EVERYONE
    Tie.objects.create(
        chronicle=chronicle,
        kind="member",
        from_character=cast["Ilya"],
        to_group=court,
        audience=everyone,
        written=DAWN,
    )
    assert tied(table) == {"storyteller"}
    Passage.objects.filter(pk=passage.pk).update(audience=everyone, opened=DAWN)
    assert tied(table) == {"storyteller", *ROLES}


def test_a_tie_is_no_older_than_what_its_reader_knows_of_its_ends(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    chronicle, everyone = table["player"].chronicle, PassageAudience.EVERYONE
    court = Page.objects.create(chronicle=chronicle, kind="group", title="The court", folded="the court")
    opened = DAWN + timedelta(days=3)
    for place, at in enumerate((DAWN + timedelta(days=9), opened)):
        Passage.objects.create(page=court, place=place, audience=everyone, written=DAWN, opened=at)
    Passage.objects.update(created=DAWN)
    kept = {"chronicle": chronicle, "audience": everyone, "written": DAWN, "opened": DAWN}
    Tie.objects.create(kind="member", from_character=cast["Ilya"], to_group=court, **kept)
    Tie.objects.create(from_character=cast["Ilya"], to_character=cast["The Prince"], **kept)
    Tie.objects.create(from_character=cast["Ilya"], to_character=cast["Odile"], **kept)
    met = [DAWN + timedelta(days=5), DAWN + timedelta(days=7)]
    Meeting.objects.create(character=cast["The Prince"], by=cast["Ilya"], at=met[0])
    Meeting.objects.create(character=cast["The Prince"], at=met[1])
    told = {who: [tie.told for tie in ties_for(member)] for who, member in table.items()}
    assert told == {
        "storyteller": [DAWN, DAWN, DAWN],
        "player": [opened, met[0], DAWN],
        "other_player": [opened, met[1], DAWN],
        "observer": [opened, met[1], DAWN],
    }
    since = {who: known_to(member)[cast["The Prince"].pk].since for who, member in table.items()}
    assert since == {"storyteller": None, "player": met[0], "other_player": met[1], "observer": met[1]}
    assert known_to(table["player"])[cast["Odile"].pk].since is None


def test_ties_told_of_after_a_moment_are_those_written_later_or_met_later(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    hour, player = timedelta(hours=1), table["player"]
    ends = {"from_character": cast["Ilya"], "to_character": cast["Odile"]}
    common = {"chronicle": player.chronicle, "audience": PassageAudience.EVERYONE, "written": DAWN, "opened": DAWN}
    Tie.objects.create(**{**common, **ends, "text": "old"})
    Tie.objects.create(**{**common, **ends, "text": "new words", "written": DAWN + 2 * hour})
    Tie.objects.create(**{**common, **ends, "text": "met later", "to_character": cast["The Prince"]})
    Meeting.objects.create(character=cast["The Prince"], at=DAWN + 3 * hour)

    def told(hours: int) -> set[str]:
        return {tie.text for tie in ties_for(player, after=DAWN + hours * hour)}

    assert [told(hours) for hours in (-1, 0, 2, 3)] == [
        {"old", "new words", "met later"},
        {"new words", "met later"},
        {"met later"},
        set(),
    ]
