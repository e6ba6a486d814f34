"""Digests hold what their reader's log tells, are made once, and are made again when what they depend on changes."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from django.utils import translation

from campaigns.models import Chronicle, Membership
from characters.models import Character
from combat.commands import perform
from combat.commands.outside import open_log
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics import commands
from story import digesting, digests
from story.digests import Digest, digests_for, entries_with
from story.models import StoredDigest
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, characters, draft, fight

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]
READERS = ("player", "other_player", "observer")


def member(fight: Table, name: str) -> Membership:
    return fight.encounter.chronicle.memberships.select_related("chronicle", "user").get(user__username=name)


def digest(fight: Table, name: str) -> Digest:
    return next(each for each in digests_for(member(fight, name)).found if each.id == fight.encounter_id)


def played(fight: Table) -> None:
    """A blow, a death, words, a row that is taken back, and what is hidden; then the end."""
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(10), waive=WAIVE)
    fight.do(commands.Narrate(fight.state.unnarrated[-1], "A *crack* like a dry branch."))
    fight.do(commands.ChangeConditions(fight["Thug 2"], add=frozenset({"dead"})))
    fight.do(commands.Harm(fight["Marguerite"], 2, Damage.LETHAL, why="taken back"))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)


def in_the_dark(fight: Table) -> None:
    fight.do(RollTraits(fight["Ilya"], ("wits",), secret=True, label="Plans"), dice=FixedDice(10))
    fight.do(commands.Harm(fight[SECRET], 3, Damage.LETHAL))
    fight.do(Attack(fight[SECRET], (fight[TRUE_NAME],)), dice=FixedDice(2), waive=WAIVE)


def text_of(one: Digest, member: Membership) -> str:
    return "\n".join((repr(astuple(one)), *(each.text for each in entries_with(member, [], 1000))))


def test_a_fight_is_summed_up_for_its_readers(fight: Table) -> None:
    played(fight)
    fight.do(commands.End())
    told = digest(fight, "player").told
    ilya = next(each for each in told.deeds if each.name == "Ilya")
    assert (ilya.attacks, ilya.hits, ilya.dealt) == (1, 1, 7)
    assert ilya.character == Character.objects.get(name="Ilya").pk
    assert [each.text for each in told.narration] == ["A *crack* like a dry branch."]
    assert [(each.name, each.dead) for each in told.turnings if each.dead] == [("Thug 2", True)]
    assert told.rules
    assert "taken back" not in text_of(digest(fight, "storyteller"), member(fight, "storyteller"))


def test_what_is_hidden_changes_no_reader_s_digest(fight: Table) -> None:
    played(fight)
    fight.do(commands.End())
    before = {name: text_of(digest(fight, name), member(fight, name)) for name in READERS}
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    in_the_dark(fight)
    fight.do(commands.End())
    for name in READERS:
        now = text_of(digest(fight, name), member(fight, name))
        assert SECRET not in now
        assert TRUE_NAME not in now
        assert "Plans" not in now
        # The fight ended again: its end has another entry.
        assert _without_ids(now) == _without_ids(before[name])
    everything = text_of(digest(fight, "storyteller"), member(fight, "storyteller"))
    assert "Plans" in everything
    assert SECRET in everything


def _without_ids(text: str) -> list[str]:
    return [line.split("ended")[0] if line.startswith("(") else line for line in text.splitlines()[1:]]


def test_a_mask_is_nobody_s_character(draft: Table) -> None:
    """Whose character is behind it doesn't follow from an id either, but its own player knows."""
    draft.do(commands.SetVisibility(draft["Marguerite"], mask="A veiled lady"))
    fight = draft.begin()
    fight.do(Attack(fight["Marguerite"], (fight["Thug 1"],)), dice=FixedDice(10), waive=WAIVE)
    fight.do(commands.End())
    marguerite = Character.objects.get(name="Marguerite").pk
    known = {}
    for name in ("storyteller", *READERS):
        told = digest(fight, name).told
        known[name] = {(each.name, each.character == marguerite) for each in told.deeds if each.attacks}
    assert known["observer"] == known["player"] == {("A veiled lady", False)}
    assert known["other_player"] == known["storyteller"] == {("Marguerite", True)}


def test_a_log_is_read_once_and_again_when_it_changes(
    fight: Table, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    played(fight)
    fight.do(commands.End())
    reads: list[str] = []
    told_by = digesting.told_by
    monkeypatch.setattr("story.digests.told_by", lambda log, audience: reads.append(audience) or told_by(log, audience))
    observer, player = member(fight, "observer"), member(fight, "player")
    digests_for(observer)
    with django_assert_num_queries(3):
        assert digests_for(observer).waiting == 0
    digests_for(player)
    assert reads == ["table", f"player-{player.user_id}"]
    # Whose character somebody is decides what they read, not whose it was.
    Character.objects.filter(owner=player.user).update(owner=None)
    assert digest(fight, "player") == digest(fight, "observer")
    assert len(reads) == 2
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(commands.End())
    digests_for(observer)
    Chronicle.objects.update(own_traits={})
    with translation.override("de"):
        digests_for(observer)
    assert len(reads) >= 4


def test_a_page_reads_few_logs_and_says_how_many_wait(fight: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fight.do(commands.End())
    later = []
    monkeypatch.setattr(digests, "aside", later.append)
    observer = member(fight, "observer")
    assert digests_for(observer, most=0).waiting == 1
    assert digests_for(observer, most=0).fights == ()
    assert len(later) == 1
    later[0]()
    assert digests_for(observer, most=0).waiting == 0
    StoredDigest.objects.all().delete()
    digests.read_for_everybody(fight.encounter_id)
    assert {row.audience.split("-")[0] for row in StoredDigest.objects.all()} == {"storyteller", "table", "player"}


def test_hidden_rolls_outside_fights_push_no_other_out(fight: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digesting, "MOST_ROWS", 2)
    log = open_log(fight.encounter.chronicle)
    ilya = Character.objects.get(name="Ilya").pk

    def roll(**more: Any) -> None:
        perform.perform(
            encounter_id=log.pk, actor=fight.storyteller, command=RollTraits(ilya, ("wits",), **more), dice=FixedDice(9)
        )

    for label in ("one", "two", "three"):
        roll(label=label)
    observer = member(fight, "observer")
    lines = entries_with(observer, [], 100)
    for _number in range(3):
        roll(label="Plans", secret=True)
    assert entries_with(observer, [], 100) == lines
    said = "".join(each.text for each in lines)
    assert "three" in said
    assert "one" not in said
    assert "Plans" in str(entries_with(member(fight, "storyteller"), ["plans"], 100))
