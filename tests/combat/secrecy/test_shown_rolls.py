"""An NPC's roll stays hidden until the Storyteller reveals it; then players see the faces, and nothing more."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import perform
from combat.commands.outside import open_log
from combat.history.entries import Entry
from combat.history.records import read
from combat.history.report import report_of
from combat.panes import versions
from combat.panes.build import view_for
from combat.secrecy.reader import Reader
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics.commands import RollInitiative, SetVisibility, ShowRoll
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

PLOT = "CANARY plots at the window"


def newest(fight: Table, reader: Any) -> Entry:
    return fight.view(reader).log.entries[0]


def words(entry: Entry) -> str:
    return " ".join("".join(span.text for span in line) for line in entry.lines)


def standing(fight: Table, player: Any) -> list[int]:
    return [versions.version_of(fight.encounter, each) for each in ("table", f"player-{player.pk}")]


@pytest.fixture
@kept
def plotted(fight: Table) -> Table:
    """A secret roll by the masked combatant."""
    fight.do(RollTraits(fight[TRUE_NAME], ("wits", "brawl"), secret=True, label=PLOT), dice=FixedDice(10, 1, 6))
    return fight


def test_a_secret_roll_is_not_there_until_it_is_shown(plotted: Table, player: Any) -> None:
    entry = newest(plotted, "storyteller")
    before = standing(plotted, player)
    assert (entry.dice, entry.secret) == ("secret", True)  # type: ignore[attr-defined]
    assert PLOT not in repr(plotted.view(player)) + repr(plotted.view("table"))
    plotted.do(ShowRoll(entry.id))
    for reader in (player, "table"):
        shown = newest(plotted, reader)
        assert words(shown) == f"A tall man, {PLOT}: succeeds (2)."
        (roll,) = shown.rolls
        assert [(die.face, die.tone) for die in roll.dice][:3] == [(10, "ten"), (1, "one"), (6, "hit")]
        assert (roll.parts, roll.pool) == ((), 6)
        assert TRUE_NAME not in repr(plotted.view(reader))
    assert standing(plotted, player) == [count + 1 for count in before]
    assert next(each for each in plotted.view("storyteller").log.entries if each.id == entry.id).dice == "shown"  # type: ignore[attr-defined]


def test_showing_can_be_taken_back_and_done_again(plotted: Table, player: Any) -> None:
    entry, unseen = newest(plotted, "storyteller").id, plotted.view(player)
    plotted.do(ShowRoll(entry))
    seen = plotted.view(player)
    perform.undo(encounter_id=plotted.encounter_id, actor=plotted.storyteller)
    assert plotted.view(player) == unseen
    perform.redo(encounter_id=plotted.encounter_id, actor=plotted.storyteller)
    assert plotted.view(player) == seen
    plotted.do(ShowRoll(entry, shown=False))
    assert plotted.view(player) == unseen


def test_an_npcs_attack_shows_its_faces_and_never_what_they_are_made_of(fight: Table, player: Any) -> None:
    thug, masked = fight["Thug 1"], fight[TRUE_NAME]
    fight.do(Attack(masked, (thug,)), dice=FixedDice(9))
    assert newest(fight, player).rolls == ()
    fight.do(ShowRoll(newest(fight, "storyteller").id))
    rolls = newest(fight, player).rolls
    assert {(roll.purpose, roll.name) for roll in rolls} >= {("attack", "a tall man"), ("damage", "a tall man")}
    assert {part for roll in rolls for part in roll.parts} == set()
    assert all(roll.dice for roll in rolls)


def test_what_the_hidden_roll_cannot_be_shown(fight: Table, player: Any, signed_in: Any) -> None:
    fight.do(RollTraits(fight[SECRET], ("wits",), label=PLOT))
    entry, before = newest(fight, "storyteller"), standing(fight, player)
    assert entry.dice == ""  # type: ignore[attr-defined]
    address = reverse("combat:do", args=[fight.encounter_id, "show-roll"])
    assert signed_in(fight.storyteller).post(address, {"entry": entry.id}).status_code == 422
    fight.do(ShowRoll(entry.id))
    assert standing(fight, player) == before
    assert PLOT not in repr(fight.view(player))


def test_initiative_is_shown_with_its_faces(fight: Table, player: Any) -> None:
    fight.do(RollInitiative(), dice=FixedDice(4))
    assert words(newest(fight, player)).count("(4") == 2  # the players' own
    fight.do(ShowRoll(newest(fight, "storyteller").id))
    assert words(newest(fight, player)).count("(4") == 5
    assert SECRET not in words(newest(fight, player))


def test_somebody_may_roll_before_everybodys_eyes_from_now_on(fight: Table, player: Any) -> None:
    masked = fight[TRUE_NAME]
    fight.do(RollTraits(masked, ("wits",), label="before"))
    fight.do(SetVisibility(masked, dice_shown=True))
    fight.do(RollTraits(masked, ("wits",), label="after"))
    fight.do(RollTraits(masked, ("wits",), label=PLOT, secret=True))
    entries = {words(entry): entry for entry in fight.view(player).log.entries}
    assert "A tall man, before: succeeds." in entries
    assert entries["A tall man, after: succeeds (2)."].rolls[0].parts == ()
    assert not any(PLOT in said for said in entries)
    told = next(each for each in fight.view("storyteller").log.entries if "after" in words(each))
    assert told.dice == "shown"  # type: ignore[attr-defined]
    fight.do(ShowRoll(told.id, shown=False))
    assert "A tall man, after: succeeds." in {words(entry) for entry in fight.view(player).log.entries}


def test_the_report_of_the_table_holds_what_was_shown_alone(plotted: Table) -> None:
    fight = plotted
    fight.do(RollTraits(fight[TRUE_NAME], ("wits",), label="another"), dice=FixedDice(10))

    def best() -> list[str]:
        seen = read(fight.encounter)
        return [each.what for each in report_of("x", seen.rows, seen.ruleset, Reader()).best]

    assert best() == []
    fight.do(ShowRoll(newest(fight, "storyteller").id))
    assert best() == ["another"]


def test_only_the_storyteller_shows(plotted: Table, player: Any, signed_in: Any) -> None:
    entry = newest(plotted, "storyteller").id
    with pytest.raises(PermissionDenied):
        plotted.do(ShowRoll(entry), by=player)
    address = reverse("combat:do", args=[plotted.encounter_id, "show-roll"])
    assert signed_in(player).post(address, {"entry": entry}).status_code in (403, 422)
    assert signed_in(plotted.storyteller).post(address, {"entry": "nothing"}).status_code == 422
    assert signed_in(plotted.storyteller).post(address, {"entry": entry}).status_code == 302
    assert "/do/show-roll" not in signed_in(plotted.storyteller).get(plotted_page(plotted)).content.decode()
    assert "/do/hide-roll" in signed_in(plotted.storyteller).get(plotted_page(plotted)).content.decode()
    assert "/do/hide-roll" not in signed_in(player).get(plotted_page(plotted)).content.decode()
    with pytest.raises(RuleViolation):
        plotted.do(ShowRoll(""))


def plotted_page(fight: Table) -> str:
    return reverse("combat:encounter", args=[fight.encounter_id])


def test_a_secret_roll_outside_fights_is_shown_by_the_same_press(fight: Table, characters: dict[str, Any]) -> None:
    log = open_log(fight.encounter.chronicle)
    common: dict[str, Any] = {"encounter_id": log.pk, "actor": fight.storyteller, "dice": FixedDice(6)}
    secret = RollTraits(characters["Ilya"].pk, ("wits",), secret=True, label=PLOT)
    perform.perform(command=secret, **common)

    def read_by(audience: str) -> Any:
        log.refresh_from_db()
        return view_for(read(log), audience)

    entry = read_by("storyteller").log.entries[0]
    assert PLOT not in repr(read_by("table"))
    perform.perform(command=ShowRoll(entry.id), **common)
    assert PLOT in repr(read_by("table"))


def test_damage_that_is_marked_by_hand_has_no_dice_to_show(fight: Table) -> None:
    from rules.topics.commands import Harm

    fight.do(Harm(fight["Thug 1"], 1, Damage.BASHING))
    assert newest(fight, "storyteller").dice == ""  # type: ignore[attr-defined]
