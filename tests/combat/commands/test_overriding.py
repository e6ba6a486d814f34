"""Overriding an attack after its roll: what everybody reads, what is marked, and what is undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import perform
from combat.history.entries import Entry
from combat.history.records import read
from combat.history.report import report_of
from combat.log import rows
from combat.secrecy.reader import Reader
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics.commands import Harm, Leave, OverrideAttack, SetVisibility
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def words(entry: Entry) -> str:
    return " ".join("".join(span.text for span in line) for line in entry.lines)


def said_to(fight: Table, reader: Any) -> list[str]:
    return [words(entry) for entry in fight.view(reader).log.entries]


def marks(fight: Table, who: str) -> int:
    return len(fight.state.combatants[fight[who]].sheet.marks)


@pytest.fixture
@kept
def struck(fight: Table) -> Table:
    """Ilya hits a thug, who is hurt again afterwards."""
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(7, 2))
    fight.do(Harm(fight["Thug 1"], 1, Damage.BASHING, why="a chair"))
    return fight


def test_everybody_reads_what_it_is_and_what_it_was(struck: Table, player: Any) -> None:
    before = marks(struck, "Thug 1")
    struck.do(OverrideAttack("r1", struck["Thug 1"], dealt=0, why="The coat took it."))
    assert marks(struck, "Thug 1") == 1 < before
    for reader in ("storyteller", player, "table"):
        newest = said_to(struck, reader)[0]
        assert newest.startswith(
            "Overridden by the Storyteller: Ilya attacks Thug 1: a hit, but no damage gets through."
        )
        assert newest.endswith("“The coat took it.”")
        assert [entry.overridden for entry in struck.view(reader).log.entries[:3]] == [False, False, True]
    assert rows.state_of(rows.rows_of(struck.encounter)) == struck.state


def test_who_never_fell_has_not_fallen_in_the_report(struck: Table) -> None:
    """Even if it was a later blow that felled them because of the first."""
    left = 7 - marks(struck, "Thug 1")
    struck.do(Harm(struck["Thug 1"], left, Damage.LETHAL))

    def told(reader: Reader) -> tuple[str, list[str]]:
        seen = read(struck.encounter)
        report = report_of("x", seen.rows, seen.ruleset, reader)
        (came,) = (each.came for each in report.people if each.name == "Thug 1")
        return came, [each.text for each in report.turnings if "incapacitated" in each.text]

    fallen = ("incapacitated", ["Thug 1 is incapacitated."])
    for reader in (Reader(everything=True), Reader()):
        assert told(reader) == fallen
        struck.do(OverrideAttack("r1", struck["Thug 1"], outcome="miss"))
        assert told(reader) == ("", [])
        perform.undo(encounter_id=struck.encounter_id, actor=struck.storyteller)
        assert told(reader) == fallen


def test_undo_takes_the_word_back(struck: Table) -> None:
    before, seen = struck.state, struck.view("table")
    struck.do(OverrideAttack("r1", struck["Thug 1"], outcome="miss"))
    assert struck.state != before
    perform.undo(encounter_id=struck.encounter_id, actor=struck.storyteller)
    assert struck.state == before
    assert [entry.overridden for entry in struck.view("table").log.entries] == [
        False for _entry in struck.view("table").log.entries
    ]
    assert struck.view("table").order == seen.order
    perform.redo(encounter_id=struck.encounter_id, actor=struck.storyteller)
    assert marks(struck, "Thug 1") == 1


def test_a_characters_own_boxes_follow(fight: Table, characters: dict[str, Any]) -> None:
    fight.do(Attack(fight[TRUE_NAME], (fight["Ilya"],)), dice=FixedDice(9))
    ilya = characters["Ilya"]
    ilya.refresh_from_db()
    assert ilya.marks
    fight.do(OverrideAttack("r1", fight["Ilya"], outcome="miss"))
    ilya.refresh_from_db()
    assert not ilya.marks


def test_the_report_counts_what_it_came_to(struck: Table) -> None:
    struck.do(OverrideAttack("r1", struck["Thug 1"], outcome="miss"))
    seen = read(struck.encounter)
    people = {each.name: each for each in report_of("x", seen.rows, seen.ruleset, Reader()).people}
    assert (people["Ilya"].attacks, people["Ilya"].hits, people["Ilya"].dealt, people["Thug 1"].taken) == (1, 0, 0, 1)


def test_a_botch_of_somebody_who_left_asks_nothing(struck: Table) -> None:
    struck.do(Attack(struck["Thug 1"], (struck["Ilya"],)), dice=FixedDice(2))
    struck.do(Leave(struck["Thug 1"]))
    struck.do(OverrideAttack("r2", struck["Ilya"], outcome="botch"))
    assert not struck.view("storyteller").asks.mishaps


def test_only_the_storyteller_has_that_word(struck: Table, player: Any, observer: Any) -> None:
    for somebody in (player, observer):
        with pytest.raises(PermissionDenied):
            struck.do(OverrideAttack("r1", struck["Thug 1"], dealt=0), by=somebody)


# ------------------------------------------------------------------ secrets


def test_a_word_on_the_hidden_leaves_nothing(fight: Table, player: Any) -> None:
    hidden, masked = fight[SECRET], fight[TRUE_NAME]
    fight.do(SetVisibility(masked, health_shown="nothing"))
    fight.do(Attack(masked, (hidden,)), dice=FixedDice(7, 2))
    before = {reader: repr(fight.view(reader)) for reader in (player, "table")}
    versions = fight.encounter.versions["table"], fight.encounter.versions[f"player-{player.pk}"]
    fight.do(OverrideAttack("r1", hidden, dealt=0, why="CANARY"))
    assert {reader: repr(fight.view(reader)) for reader in (player, "table")} == before
    assert (fight.encounter.versions["table"], fight.encounter.versions[f"player-{player.pk}"]) == versions


def test_a_blow_from_the_dark_is_put_right_without_a_name(fight: Table, player: Any) -> None:
    fight.do(Attack(fight[SECRET], (fight["Ilya"],)), dice=FixedDice(7, 2))
    fight.do(OverrideAttack("r1", fight["Ilya"], outcome="miss", why=f"{SECRET} slips."))
    for reader in (player, "table"):
        assert SECRET not in repr(fight.view(reader))
        assert (
            said_to(fight, reader)[0] == "Overridden by the Storyteller: Ilya takes no damage. “Somebody unseen slips.”"
        )
    fight.do(OverrideAttack("r1", fight["Ilya"], outcome="hit"))
    assert said_to(fight, player)[0].startswith("Overridden by the Storyteller: Ilya takes ")


def test_figures_that_are_not_shown_are_not_told(fight: Table, player: Any) -> None:
    masked = fight[TRUE_NAME]
    fight.do(SetVisibility(masked, health_shown="nothing"))
    fight.do(Attack(fight["Ilya"], (masked,)), dice=FixedDice(7, 2))
    fight.do(OverrideAttack("r1", masked, dealt=6))
    assert said_to(fight, player)[0] == (
        "Overridden by the Storyteller: Ilya attacks a tall man: a hit. Before: a hit."
    )


# ------------------------------------------------------------------ the form


def test_the_form_says_what_it_was_and_what_stands_on_it(struck: Table, signed_in: Any) -> None:
    page = reverse("combat:form", args=[struck.encounter_id, "override"])
    shown = signed_in(struck.storyteller).get(page, {"resolution": "r1"}, headers=HTMX).content.decode()
    assert 'placeholder="' in shown
    assert "depend on it" in shown
    assert "a chair" in shown
    assert "no longer exists" in signed_in(struck.storyteller).get(page, {"resolution": "r9"}).content.decode()


def test_one_press_puts_it_right(struck: Table, signed_in: Any, player: Any) -> None:
    address = reverse("combat:do", args=[struck.encounter_id, "override"])
    said = {"resolution": "r1", "target": struck["Thug 1"], "dealt": "0"}
    assert signed_in(player).post(address, said).status_code in (403, 422)
    assert signed_in(struck.storyteller).post(address, said).status_code == 302
    assert marks(struck, "Thug 1") == 1
    again = signed_in(struck.storyteller).post(address, said, headers=HTMX)
    assert again.status_code == 422
    assert "That is already the result." in again.content.decode()


def test_nonsense_is_refused(struck: Table, signed_in: Any) -> None:
    address = reverse("combat:do", args=[struck.encounter_id, "override"])
    for said in (
        {},
        {"resolution": "r1"},
        {"resolution": "x" * 12, "target": "y"},
        {"resolution": "r1", "dealt": "-1"},
    ):
        assert signed_in(struck.storyteller).post(address, said, headers=HTMX).status_code == 422
