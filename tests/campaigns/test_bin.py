"""The bin: what is deleted is kept for 30 days, and is nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from campaigns import bins, page_services
from campaigns import services as campaigns
from campaigns.errors import Refused
from campaigns.models import Membership, Page
from characters import services as sheets
from characters.models import Character
from combat.commands import drafts, perform
from combat.commands.outside import with_everybody
from combat.history import records
from combat.live import pages
from combat.models import Encounter, LogRow
from combat.secrecy.access import seen_with
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table, characters, draft, fight, log
from tests.combat.sockets import session_of

__all__ = ["characters", "draft", "fight", "log"]  # fixtures

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    return chronicle.memberships.get(user=storyteller)


@pytest.fixture
def opened(client: Any) -> Callable[..., Any]:
    def open_as(user: Any, route: str, *args: Any, post: bool = False) -> Any:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        address = reverse(route, args=args)
        return client.post(address) if post else client.get(address)

    return open_as


def names(by: Membership) -> list[str]:
    return [line.name for line in bins.lines(by.chronicle, timezone.now())]


# ------------------------------------------------------------------ each of the four


@pytest.mark.parametrize("ended", [False, True])
def test_a_fight_asks_and_goes_to_the_bin(
    draft: Table, by: Membership, storyteller: Any, player: Any, opened: Any, *, ended: bool
) -> None:
    chronicle, pk = by.chronicle_id, draft.encounter_id
    if ended:
        draft.begin()
        draft.do(commands.Harm(draft["Ilya"], 1, Damage.LETHAL))
        assert opened(storyteller, "combat:discard", pk, post=True).status_code == 422
        draft.do(commands.End())
    assert "goes to the bin" in opened(storyteller, "combat:discard", pk).content.decode()
    assert Encounter.objects.filter(pk=pk).exists()
    assert opened(storyteller, "combat:discard", pk, post=True).status_code == 302
    assert not Encounter.objects.filter(pk=pk).exists()
    for user in (storyteller, player):
        for route in ("encounter", "report", "log", "entries"):
            assert opened(user, f"combat:{route}", pk).status_code == 404
        opened(user, "campaigns:chronicle", chronicle)  # where the notice is shown once
        assert "The chapel" not in opened(user, "campaigns:chronicle", chronicle).content.decode()
    keys = [session_of(each).session_key for each in (storyteller, player)]
    assert seen_with(keys, pk) == dict.fromkeys(keys)
    with pytest.raises(Http404):
        perform.undo(encounter_id=pk, actor=storyteller)
    assert names(by) == ["The chapel"]
    assert opened(storyteller, "campaigns:restore", chronicle, "fight", pk, post=True).status_code == 302
    assert opened(storyteller, "combat:encounter", pk).status_code == 200
    assert opened(player, "combat:encounter", pk).status_code == (200 if ended else 404)
    assert names(by) == []


def test_a_note(by: Membership, storyteller: Any, player: Any, opened: Any) -> None:
    note = page_services.create_page(by=by, title="The crypt", text="Below.", audience="everyone")
    assert "goes to the bin" in opened(storyteller, "campaigns:delete-page", by.chronicle_id, note.pk).content.decode()
    opened(storyteller, "campaigns:delete-page", by.chronicle_id, note.pk, post=True)
    assert not Page.objects.exists()
    assert opened(player, "campaigns:page", by.chronicle_id, note.pk).status_code == 404
    assert opened(storyteller, "campaigns:edit-page", by.chronicle_id, note.pk).status_code == 404
    assert "The crypt" not in opened(player, "campaigns:chronicle", by.chronicle_id).content.decode()
    with pytest.raises(Http404):
        pages.shown(player, "page", note.pk)
    bins.restore(by=by, what="page", row_id=note.pk)
    assert opened(player, "campaigns:page", by.chronicle_id, note.pk).status_code == 200


def test_a_character_is_gone_but_the_logs_of_its_fights_are_not(
    fight: Table, log: Table, characters: dict[str, Any], by: Membership, player: Any, opened: Any
) -> None:
    ilya = characters["Ilya"]
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    with pytest.raises(Refused):
        sheets.delete_character(by=by, character=ilya)
    fight.do(commands.End())
    before = fight.view(player)
    sheets.delete_character(by=by, character=ilya)
    assert fight.view(player) == before
    assert "Ilya" in opened(player, "combat:report", fight.encounter_id).content.decode()
    assert opened(player, "characters:sheet", ilya.pk).status_code == 404
    assert not by.chronicle.characters.filter(pk=ilya.pk).exists()
    ruleset = records.ruleset_for(log.encounter)
    assert ilya.pk not in with_everybody(log.state, by.chronicle, ruleset).combatants
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))  # what still happens in a fight isn't lost
    bins.restore(by=by, what="character", row_id=ilya.pk)
    assert Character.objects.get(pk=ilya.pk).marks == ["lethal", "lethal"]
    assert opened(player, "characters:sheet", ilya.pk).status_code == 200


def test_a_character_who_was_rolled_for_leaves_the_rolls(
    log: Table, characters: dict[str, Any], by: Membership
) -> None:
    from rules.model.roll import RollTraits

    log.do(RollTraits(log["Ilya"], ("wits",)))
    sheets.delete_character(by=by, character=characters["Ilya"])
    ruleset = records.ruleset_for(log.encounter)
    assert log["Ilya"] not in with_everybody(log.state, by.chronicle, ruleset).combatants


def test_what_a_binned_character_carries_or_is_stays(characters: dict[str, Any], by: Membership) -> None:
    from characters.models import Weapon

    sword = Weapon.objects.get(name="Test sword")
    sheets.delete_character(by=by, character=characters["Ilya"])
    with pytest.raises(Refused, match="Ilya"):
        sheets.delete_gear(row=sword)
    bins.purge(timezone.now() + timedelta(days=31))
    sheets.delete_gear(row=sword)


# ------------------------------------------------------------------ who, and for how long


def test_a_player_deletes_and_only_a_storyteller_restores(
    characters: dict[str, Any], chronicle: Any, player: Any, storyteller: Any, opened: Any
) -> None:
    ilya = characters["Ilya"].pk
    assert opened(player, "characters:delete", ilya, post=True).status_code == 302
    assert opened(player, "campaigns:bin", chronicle.pk).status_code == 403
    assert opened(player, "campaigns:restore", chronicle.pk, "character", ilya, post=True).status_code == 403
    page = opened(storyteller, "campaigns:bin", chronicle.pk).content.decode()
    assert "Ilya" in page
    assert "30 days left" in page or "29 days left" in page
    assert opened(storyteller, "campaigns:restore", chronicle.pk, "character", ilya, post=True).status_code == 302
    assert opened(storyteller, "campaigns:restore", chronicle.pk, "character", ilya, post=True).status_code == 404
    assert opened(storyteller, "campaigns:restore", chronicle.pk, "members", ilya, post=True).status_code == 404


def test_another_chronicles_storyteller_restores_nothing(
    characters: dict[str, Any], by: Membership, stranger: Any
) -> None:
    sheets.delete_character(by=by, character=characters["Ilya"])
    other = campaigns.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade")
    with pytest.raises(Http404):
        bins.restore(by=other.memberships.get(), what="character", row_id=characters["Ilya"].pk)


def test_after_thirty_days_it_is_gone(draft: Table, characters: dict[str, Any], by: Membership) -> None:
    note = page_services.create_page(by=by, title="Old", text="", audience="storytellers")
    page_services.delete_page(by=by, page=note)
    drafts.delete_encounter(by=by, encounter=draft.encounter)
    sheets.delete_character(by=by, character=characters["Ilya"])
    assert bins.purge() == 0
    later = timezone.now() + bins.KEPT
    assert bins.lines(by.chronicle, later) == ()
    assert bins.purge(later) == 3
    assert not LogRow.objects.filter(encounter_id=draft.encounter_id).exists()
    for model in (Page, Character, Encounter):
        assert not model.with_bin.filter(binned__isnull=False).exists()


def test_a_chronicle_is_deleted_with_its_bin(characters: dict[str, Any], by: Membership) -> None:
    sheets.delete_character(by=by, character=characters["Ilya"])
    campaigns.delete_chronicle(by=by)
    assert not Character.with_bin.exists()
