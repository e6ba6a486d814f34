"""The cast of a chronicle on its way into another, for each ruleset, with everything on the sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Chronicle, Membership
from characters import experience, history
from characters.models import Character, Ledger, Portrait
from combat.commands import drafts
from rules.engine.violations import INPUT, RuleViolation
from rules.model.attack import Attack
from tests.characters.archives import everything
from tests.characters.archives.everything import build, coming_in, contents, moved, saved, taken_out
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


@pytest.fixture(params=everything.RULESETS)
def whole(request: Any, chronicle: Chronicle, storyteller: Any, player: Any, other_player: Any) -> Chronicle:
    """A chronicle with everything, for each ruleset."""
    return made(chronicle, request.param, storyteller, player, other_player)


def made(chronicle: Chronicle, ruleset: str, *people: Any) -> Chronicle:
    """The chronicle with a ruleset and everything; the people are a Storyteller and two players."""
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset=ruleset)
    members = Membership.objects.select_related("chronicle")
    return build(*(members.get(chronicle=chronicle, user=user) for user in people))


def test_there_and_back_says_the_same(whole: Chronicle, tmp_path: Path) -> None:
    going = taken_out(whole, tmp_path / "first.zip")
    there = saved(coming_in(tmp_path / "first.zip", going))
    again = taken_out(there, tmp_path / "second.zip")
    first, second = contents(tmp_path / "first.zip"), contents(tmp_path / "second.zip")
    assert list(first) == list(second)
    for name, said in first.items():
        assert second[name] == said, name
    assert going.counts == again.counts
    assert going.counts["characters"] == 3
    assert all(going.counts[name] for name in ("weapons", "armor", "templates", "faces", "meetings", "ties", "changes"))


def test_ledgers_are_whole_and_histories_readable(whole: Chronicle, tmp_path: Path) -> None:
    there = moved(whole, tmp_path)
    for one in Character.objects.filter(chronicle=whole):
        copy = Character.objects.get(chronicle=there, name=one.name)
        assert experience.balance(copy) == experience.balance(one)
        assert copy.changes.count() == one.changes.count()
        ledger = Ledger.objects.filter(character=copy).first()
        assert (ledger is None) == (not copy.experience.exists())
    call_command("verify", ledgers=True)


def test_every_page_renders_and_everybody_can_fight(
    whole: Chronicle, tmp_path: Path, storyteller: Any, signed_in: Any
) -> None:
    there = moved(whole, tmp_path)
    check_alive(there, storyteller, signed_in(storyteller))


def check_alive(chronicle: Chronicle, storyteller: Any, client: Any) -> None:
    """Each character's pages render, and it attacks in a fight."""
    check_pages(chronicle, client)
    cast = list(Character.objects.filter(chronicle=chronicle).order_by("name"))
    by = chronicle.memberships.get(user=storyteller)
    encounter = drafts.create_encounter(by=by, name="The pier", scene="")
    for one in cast:
        drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=one)
    fight = Table.of(encounter, storyteller).begin().turn()
    everybody = [*fight.ids.values()]
    for who, whom in zip(everybody, [*everybody[1:], everybody[0]], strict=True):
        attacks(fight, who, whom)
    assert client.get(reverse("combat:encounter", args=[encounter.pk])).status_code == 200


def check_pages(chronicle: Chronicle, client: Any) -> None:
    """Each page with a character on it renders."""
    for one in Character.objects.filter(chronicle=chronicle):
        for name in ("sheet", "edit", "notes", "history", "as-of", "experience", "copy", "portrait", "hand-over"):
            query = {"on": timezone.localdate().isoformat()} if name == "as-of" else {}
            address = reverse(f"characters:{name}", args=[one.pk])
            assert client.get(address, query).status_code in (200, 422 if name == "as-of" else 200), (one.name, name)
    for name in ("cast", "ties", "ledgers", "templates", "gear"):
        assert client.get(reverse(f"characters:{name}", args=[chronicle.pk])).status_code == 200, name


def attacks(fight: Table, who: str, whom: str) -> None:
    """Let somebody attack, and waive every rule that forbids it: they may be dazed."""
    waived: list[str] = []
    while True:
        try:
            fight.do(Attack(who, (whom,)), waive=waived)
            return
        except RuleViolation as violation:
            if violation.rule in (*waived, INPUT):
                raise
            waived.append(violation.rule)


def test_portraits_are_kept_to_the_byte(whole: Chronicle, tmp_path: Path) -> None:
    there = moved(whole, tmp_path)
    kept = [
        sorted(bytes(each.picture) for each in Portrait.objects.filter(character__chronicle=one))
        for one in (whole, there)
    ]
    assert kept[0] == kept[1]
    assert len(kept[0]) == 2


def test_a_past_sheet_has_its_gear(whole: Chronicle, tmp_path: Path) -> None:
    """Histories lead to this server's rows of the tables, and name those that are gone."""
    there = moved(whole, tmp_path)
    moments = [each.at for each in Character.objects.get(chronicle=whole, name="Ana Ruiz").changes.all()]
    for moment in moments:
        before, after = (
            history.as_of(Character.objects.get(chronicle=one, name="Ana Ruiz"), moment) for one in (whole, there)
        )
        assert [str(row) for row in before[0].weapons.all()] == [str(row) for row in after[0].weapons.all()]
        assert before[1] == after[1]
