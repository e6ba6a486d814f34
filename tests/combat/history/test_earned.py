"""Awards of experience that the log proposes: to Storytellers alone, each with the entry that proves it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from characters.models import DeclinedProposal, ExperienceEntry
from combat.commands.outside import open_log
from combat.history.earned import earned
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics import commands
from tests.combat.conftest import SECRET, FixedDice, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

LINES = ["Botch: 1", "Damage in the last box: 2", "Condition resolved: 1", "Heroism: 1"]


@pytest.fixture
@kept
def fought(fight: Table) -> Table:
    """A fight that is over: Ilya botched twice, once in secret, went down and got over what the table called doubt."""
    Chronicle.objects.update(options={"experience_awards": LINES})
    ilya = fight["Ilya"]
    for command in (
        RollTraits(ilya, ("wits",)),
        RollTraits(fight[SECRET], ("wits",)),
        commands.ChangeConditions(ilya, add=frozenset({"doubt", "prone"})),
        commands.ChangeConditions(ilya, remove=frozenset({"doubt"})),
        commands.ChangeConditions(ilya, remove=frozenset({"prone"})),
        commands.SetHealth(ilya, (Damage.LETHAL,) * 7),
    ):
        fight.do(command, dice=FixedDice(1))
    fight.do(RollTraits(fight["Marguerite"], ("wits",), secret=True), dice=FixedDice(1))
    return fight


def proposed(table: Table) -> list[tuple[str, str, bool]]:
    names = {each.character: each.sheet.name for each in table.state.combatants.values() if each.character}
    return sorted(
        (names[each.character], each.trigger.value, each.secret) for each in earned(table.encounter.chronicle)
    )


def test_the_log_proposes_each_once_when_the_fight_is_over(fought: Table) -> None:
    assert proposed(fought) == []
    fought.do(commands.End())
    assert proposed(fought) == [
        ("Ilya", "botch", False),
        ("Ilya", "condition resolved", False),
        ("Ilya", "damage in the last box", False),
        ("Marguerite", "botch", True),
    ]
    Chronicle.objects.update(options={"experience_awards": ["Heroism: 1"]})
    assert proposed(fought) == []


def test_what_was_undone_earns_nothing(fight: Table) -> None:
    from combat.commands import perform

    Chronicle.objects.update(options={"experience_awards": LINES})
    fight.do(RollTraits(fight["Ilya"], ("wits",)), dice=FixedDice(1))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(commands.End())
    assert proposed(fight) == []


def test_rolls_outside_fights_count_too(fight: Table, characters: dict[str, Any]) -> None:
    Chronicle.objects.update(options={"experience_awards": LINES})
    log = Table(open_log(fight.encounter.chronicle).pk, fight.storyteller, {})
    log.do(RollTraits(characters["Ilya"].pk, ("wits",)), dice=FixedDice(1))
    assert proposed(log) == [("Ilya", "botch", False)]


def test_the_storyteller_awards_or_passes_over_and_players_learn_what_they_may(
    fought: Table, characters: dict[str, Any], client: Any, player: Any, other_player: Any
) -> None:
    """The number of proposals is the Storyteller's, and no link leads to a roll that somebody may not read."""
    chronicle = fought.encounter.chronicle
    table, settle = (reverse(f"characters:{name}", args=[chronicle.pk]) for name in ("ledgers", "proposals"))
    sheet = reverse("characters:experience", args=[characters["Ilya"].pk])
    client.force_login(player)
    before = [client.get(url).content for url in (sheet, reverse("campaigns:chronicle", args=[chronicle.pk]))]
    assert client.post(settle).status_code == 403
    fought.do(commands.End())

    client.force_login(fought.storyteller)
    lines = client.get(table).context["page"].proposals
    assert len(lines) == 4
    botches = [line for line in lines if line.reason == "Botch"]
    assert [line.proof.startswith(reverse("combat:report", args=[fought.encounter_id])) for line in botches] == [
        True
    ] * 2
    for _press in range(2):
        client.post(settle, {"proposal": [*(line.key for line in botches), "x y"], "grant": "1"})
    (last,) = [line for line in lines if line.reason == "Damage in the last box"]
    client.post(settle, {"proposal": [last.key], "pass": "1"})
    assert [line.reason for line in client.get(table).context["page"].proposals] == ["Condition resolved"]
    assert ExperienceEntry.objects.count() == 2
    assert DeclinedProposal.objects.count() == 1

    for user, name, proven in ((player, "Ilya", True), (other_player, "Marguerite", False)):
        client.force_login(user)
        page = client.get(reverse("characters:experience", args=[characters[name].pk])).content.decode()
        assert "+1 point" in page
        assert ("Proof" in page) is proven
    entry = ExperienceEntry.objects.get(character=characters["Ilya"])
    client.force_login(player)
    (line,) = client.get(sheet).context["page"].entries
    report, _hash, anchor = line.proof.partition("#")
    assert f'id="{anchor}"' in client.get(report).content.decode()
    assert entry.proof.split(":")[1] in anchor
    assert all("Proposed" not in page.decode() for page in before)
