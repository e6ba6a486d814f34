"""Fights that disagree with their sheets or logs are detected, repaired and announced; others are left alone."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command

from characters.models import Character, Weapon
from characters.services import SheetData, update_sheet
from combat.commands import checking, perform, revising
from combat.models import Encounter, Kind, LogRow
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table, make_character

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

Plant = Callable[[Character], None]


def checked() -> str:
    """The output of `manage.py check_chronicles`."""
    said = io.StringIO()
    call_command("check_chronicles", stdout=said)
    return said.getvalue()


def ilya_in(table: Table) -> Any:
    return table.state.combatants[table["Ilya"]].sheet


def stronger(one: Character) -> None:
    one.traits = {**one.traits, "strength": 5}
    one.save()


def hurt(one: Character) -> None:
    one.marks = ["lethal"]
    one.save()


def drained(one: Character) -> None:
    one.resources = {**one.resources, "blood": 1}
    one.save()


def renamed(one: Character) -> None:
    one.name = "Ilya Voss"
    one.save()


def shot_empty(one: Character) -> None:
    one.weapons.filter(weapon__name="Test pistol").update(rounds=0)


@pytest.mark.parametrize(
    ("plant", "part", "kind", "is_there"),
    [
        (stronger, "Traits", Kind.SHEET, lambda sheet: sheet.traits["strength"] == 5),
        (hurt, "harm", Kind.CAST, lambda sheet: sheet.marks == (Damage.LETHAL,)),
        (drained, "points", Kind.CAST, lambda sheet: sheet.resources["blood"] == 1),
        (renamed, "name", Kind.SHEET, lambda sheet: sheet.name == "Ilya Voss"),
        (shot_empty, "gear", Kind.CAST, lambda sheet: sheet.weapons[1].rounds == 0),
    ],
)
def test_a_sheet_that_the_fight_does_not_have(
    fight: Table, characters: dict[str, Any], plant: Plant, part: str, kind: Kind, is_there: Callable[[Any], bool]
) -> None:
    ilya, rows = characters["Ilya"], fight.encounter.seq
    plant(ilya)
    assert not is_there(ilya_in(fight))
    sentence = f"Fight {fight.encounter_id} had an old sheet of character {ilya.pk} ({part}). Repaired."
    assert checked() == f"{sentence}\nDifferences found: 1.\n"
    assert is_there(ilya_in(fight))
    last = LogRow.objects.get(encounter=fight.encounter_id, seq=rows + 1)
    assert (last.kind, last.command["who"]) == (kind, [fight["Ilya"]])
    assert checked() == "No differences found.\n"


def test_a_start_mends_and_logs_it(fight: Table, characters: dict[str, Any], caplog: Any) -> None:
    stronger(characters["Ilya"])
    with caplog.at_level(logging.WARNING, "combat.commands.checking"):
        checking.check_at_start()
        (said,) = caplog.messages
        assert "(Traits). Repaired." in said
        assert ilya_in(fight).traits["strength"] == 5
        checking.check_at_start()
    assert caplog.messages == [said]


def test_one_broken_fight_keeps_no_other_from_its_check(
    fight: Table, characters: dict[str, Any], chronicle: Any, storyteller: Any, caplog: Any
) -> None:
    Encounter.objects.create(chronicle=chronicle, name="Broken", state={"combatants": {"x": {"character": "y"}}})
    stronger(characters["Ilya"])
    with caplog.at_level(logging.WARNING, "combat.commands.checking"):
        checking.check_at_start()
    assert sum("could not be checked" in said for said in caplog.messages) == 1
    assert ilya_in(fight).traits["strength"] == 5


def test_a_state_that_is_not_its_logs(fight: Table) -> None:
    right = fight.encounter.state
    Encounter.objects.filter(pk=fight.encounter_id).update(state={**right, "turn": 77})
    assert checked() == f"Fight {fight.encounter_id} didn't match its log. Repaired.\nDifferences found: 1.\n"
    assert fight.encounter.state == right
    assert checked() == "No differences found.\n"


def test_nothing_is_worked_out_from_a_log_that_was_changed(fight: Table) -> None:
    from django.db import connection

    before = fight.encounter.state
    with connection.cursor() as cursor:
        cursor.execute("UPDATE combat_logrow SET actor_name = 'Nobody' WHERE seq = 2")
    for _time in range(2):
        assert "the seals of the log are broken" in checked()
    assert fight.encounter.state == before


def test_pages_that_were_not_told(fight: Table, characters: dict[str, Any], other_player: Any) -> None:
    """As after a server that was killed right after a character was handed over."""
    Character.objects.filter(pk=characters["Ilya"].pk).update(owner=other_player)
    assert "were out of date. Repaired." in checked()
    assert checked() == "No differences found.\n"


def test_what_agrees_is_left_alone(fight: Table, hunt: Table, log: Table) -> None:
    """Damage, points, shapes, found weapons, copies, and the log of rolls."""
    fight.do(commands.Harm(fight["Ilya"], 3, Damage.LETHAL))
    fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
    fight.do(commands.Spend(fight["Ilya"], "blood", 3))
    log.do(commands.RollTraits(log["Ilya"], ("wits",), label="look"))
    before = list(Encounter.objects.values_list("pk", "seq", "versions"))
    assert checked() == "No differences found.\n"
    assert list(Encounter.objects.values_list("pk", "seq", "versions")) == before


def test_an_edit_that_the_storyteller_took_back_is_left_alone(fight: Table, characters: dict[str, Any]) -> None:
    stronger(characters["Ilya"])
    revising.revise_sheets(encounter_id=fight.encounter_id, characters=[characters["Ilya"].pk])
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert ilya_in(fight).traits["strength"] == 3
    assert checked() == "No differences found.\n"
    assert ilya_in(fight).traits["strength"] == 3


def test_a_sheet_that_the_fight_cannot_take_is_said(fight: Table, characters: dict[str, Any]) -> None:
    Character.objects.filter(pk=characters["Ilya"].pk).update(traits={"strength": 1000})
    assert f"Fight {fight.encounter_id} can't use a sheet: Ilya: all numbers" in checked()


# ------------------------------------------------------------------ edits


def test_a_sheet_and_its_fight_are_saved_together_or_not_at_all(
    fight: Table, characters: dict[str, Any], storyteller: Any, chronicle: Any, monkeypatch: Any
) -> None:
    ilya = characters["Ilya"]

    def edit() -> None:
        edited = SheetData(name="Ilya Voss", kind=ilya.kind, traits=ilya.traits, resources=ilya.resources)
        by = chronicle.memberships.get(user=storyteller)
        update_sheet(by=by, character=ilya, sheet=edited, version=Character.objects.get(pk=ilya.pk).version)

    def out_of_room(*_given: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(revising, "append", out_of_room)
        with pytest.raises(OSError, match="full"):
            edit()
    assert Character.objects.get(pk=ilya.pk).name == ilya_in(fight).name == "Ilya"
    edit()
    assert Character.objects.get(pk=ilya.pk).name == ilya_in(fight).name == "Ilya Voss"


def test_what_the_fight_does_just_before_is_not_overwritten(
    fight: Table, characters: dict[str, Any], monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """A table is edited and, before its fight is updated, somebody is harmed there."""
    change = revising.change

    @contextlib.contextmanager
    def late(encounter_id: str) -> Iterator[Encounter]:
        monkeypatch.setattr(revising, "change", change)
        fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
        with change(encounter_id) as encounter:
            yield encounter

    monkeypatch.setattr(revising, "change", late)
    Weapon.objects.filter(name="Test sword").update(damage=4)
    with django_capture_on_commit_callbacks(execute=True):
        from characters.services import tell_table

        tell_table(ruleset="masquerade", chronicle_id=None)
    assert ilya_in(fight).weapons[0].damage == 4
    assert len(ilya_in(fight).marks) == len(Character.objects.get(pk=characters["Ilya"].pk).marks) == 2


def test_somebody_new_is_in_the_check_too(draft: Table, chronicle: Any) -> None:
    """Drafts start with the sheets of that time."""
    stronger(Character.objects.get(name="Marguerite"))
    assert "(Traits). Repaired." in checked()
    assert make_character(chronicle, "Nobody's").pk not in checked()
