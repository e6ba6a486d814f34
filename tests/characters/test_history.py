"""The history of a sheet: who reads which rows, one row for each fight, and the sheet as of a date."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Membership
from characters import changes, history, services, sheets
from characters.models import CarriedWeapon, Cause, Character, SheetChange, Weapon
from rules.model.gear import Damage, Fault

FIGHT = "thefight1234"


def fresh(character: Character) -> Character:
    return Character.objects.get(pk=character.pk)


def hurt(character: Character, *marks: Damage, fight: str = FIGHT, **more: Any) -> None:
    """Let a fight set a character's health, and more of the sheet."""
    before = sheets.sheet_of(fresh(character))
    sheets.write_back(character.pk, before, replace(before, marks=marks, **more), fight)


def lines(client: Any, character: Character) -> list[Any]:
    found: list[Any] = client.get(reverse("characters:history", args=[character.pk])).context["lines"]
    return found


def told(client: Any, character: Character) -> list[tuple[str, ...]]:
    return [each.changes for each in lines(client, character)]


def test_every_column_is_watched_or_not_on_purpose() -> None:
    columns = {field.name for field in Character._meta.concrete_fields}
    assert columns == {*changes.COLUMNS, *changes.UNWATCHED, "owner"}


# ------------------------------------------------------------------ fights


def test_a_fight_is_one_row_that_grows_until_it_ends(signed_in: Any, player: Any, ilya: Character) -> None:
    client = signed_in(player)
    hurt(ilya, Damage.LETHAL, Damage.LETHAL, Damage.BASHING, Damage.BASHING)
    health = "Health: 1 lethal, 2 bashing → 2 lethal, 2 bashing"
    assert told(client, ilya) == [(health,)]
    pistol = replace(sheets.sheet_of(fresh(ilya)).weapons[1], rounds=2, fault=Fault.JAMMED)
    hurt(ilya, Damage.LETHAL, Damage.LETHAL, resources={"blood": 5}, weapons=(pistol,))
    whole = {
        "Health: 1 lethal, 2 bashing → 2 lethal",
        "Blood pool: 7 → 5",
        "Light pistol, rounds: 9 → 2",
        "Light pistol: ready → jammed",
    }
    (running,) = told(client, ilya)
    assert set(running) == whole
    assert not SheetChange.objects.exists()
    changes.close_fight(ilya.chronicle_id, FIGHT)
    assert fresh(ilya).fought == {}
    hurt(ilya, Damage.LETHAL)  # the end was undone
    (again,) = told(client, ilya)
    assert set(again) == {each.replace("2 lethal", "1 lethal") if "→ 2 lethal" in each else each for each in whole}


def test_a_blow_costs_no_query_more_than_before(ilya: Character, django_assert_num_queries: Any) -> None:
    hurt(ilya, Damage.LETHAL)
    before = sheets.sheet_of(fresh(ilya))
    after = replace(before, marks=(Damage.LETHAL, Damage.BASHING))
    with django_assert_num_queries(2):
        sheets.write_back(ilya.pk, before, after, FIGHT)


def test_what_a_fight_did_and_undid_is_no_row(signed_in: Any, player: Any, ilya: Character) -> None:
    before = sheets.sheet_of(fresh(ilya)).marks
    hurt(ilya, Damage.AGGRAVATED)
    hurt(ilya, *before)
    assert told(signed_in(player), ilya) == []
    changes.close_fight(ilya.chronicle_id, FIGHT)
    assert not SheetChange.objects.exists()


def test_another_fight_and_a_long_one_begin_a_new_row(ilya: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    hurt(ilya, Damage.LETHAL)
    hurt(ilya, Damage.BASHING, fight="anotherfight")
    monkeypatch.setattr(changes, "MOST_IN_ONE", timedelta(0))
    hurt(ilya, fight="anotherfight")
    kept = [(row.fight, row.changes) for row in SheetChange.objects.all()]
    assert kept == [
        ("anotherfight", [["marks", ["lethal"], ["bashing"]]]),
        (FIGHT, [["marks", ["lethal", "bashing", "bashing"], ["lethal"]]]),
    ]


def test_what_a_fight_did_before_an_edit_is_told_apart(
    signed_in: Any, storyteller: Any, ilya: Character, fields: Any
) -> None:
    client, url = signed_in(storyteller), reverse("characters:edit", args=[ilya.pk])
    hurt(ilya, Damage.LETHAL)
    client.post(url, fields(client.get(url)) | {"trait-strength": "3", "trait-willpower": "6"})
    hurt(ilya, Damage.LETHAL, Damage.LETHAL)
    changes.close_fight(ilya.chronicle_id, FIGHT)
    assert [row.changes for row in SheetChange.objects.exclude(cause=Cause.FORM)] == [
        [["marks", ["lethal"], ["lethal", "lethal"]]],
        [["marks", ["lethal", "bashing", "bashing"], ["lethal"]]],
    ]
    assert told(client, ilya) == [("Health: 1 lethal, 2 bashing → 2 lethal",), ("Strength: 2 → 3",)]


# ------------------------------------------------------------------ outside fights


def test_a_change_outside_fights_leads_to_its_entry(signed_in: Any, player: Any, ilya: Character) -> None:
    before = sheets.sheet_of(fresh(ilya))
    made = changes.Made(player, Cause.TIME, "entrytoken12")
    for marks in ((Damage.LETHAL,), ()):
        sheets.write_back(ilya.pk, before, replace(before, marks=marks), "therollslog1", made)
        before = sheets.sheet_of(fresh(ilya))
    newest, oldest = lines(signed_in(player), ilya)
    assert (newest.changes, oldest.changes) == (
        ("Health: 1 lethal → unhurt",),
        ("Health: 1 lethal, 2 bashing → 1 lethal",),
    )
    assert (newest.by, newest.cause) == (player.display_name, "time passed")
    assert newest.link == reverse("combat:rolls", args=[ilya.chronicle_id]) + "#entry-entrytoken12"


# ------------------------------------------------------------------ who reads what


def test_only_the_player_and_storytellers_read_it(request: Any, signed_in: Any, ilya: Character) -> None:
    for who, status in (("storyteller", 200), ("player", 200), ("other_player", 403), ("observer", 403)):
        client = signed_in(request.getfixturevalue(who))
        for route, query in (("history", ""), ("as-of", f"?on={timezone.localdate()}")):
            answer = client.get(reverse(f"characters:{route}", args=[ilya.pk]) + query)
            assert answer.status_code == status, (who, route)


@pytest.mark.parametrize(("status", "shown"), [("draft", False), ("ended", True)])
def test_a_fight_is_named_to_those_who_may_know_it(
    signed_in: Any,
    storyteller: Any,
    player: Any,
    ilya: Character,
    status: str,
    shown: bool,
) -> None:
    fight = ilya.chronicle.encounters.create(name="CANARY ambush", status=status)
    hurt(ilya, fight=fight.pk)
    for running in (True, False):
        page = signed_in(player).get(reverse("characters:history", args=[ilya.pk])).content.decode()
        assert ("CANARY" in page) is (fight.pk in page) is shown
        assert "in a fight" in page
        if running:
            changes.close_fight(ilya.chronicle_id, fight.pk)
    assert "CANARY ambush" in signed_in(storyteller).get(reverse("characters:history", args=[ilya.pk])).content.decode()


def test_one_who_is_given_a_character_reads_on_from_there(
    signed_in: Any, storyteller: Any, player: Any, lurker: Character
) -> None:
    before = changes.watched(lurker)
    lurker.concept = "CANARY sheriff"
    lurker.save()
    changes.keep(lurker, before, storyteller, reason="CANARY reason")
    yesterday = timezone.now() - timedelta(days=1)
    SheetChange.objects.update(at=yesterday)
    by = Membership.objects.get(chronicle=lurker.chronicle, user=storyteller)
    services.hand_over(by=by, character=lurker, owner=player)
    client = signed_in(player)
    theirs = f"Player: the Storyteller → {player.display_name}"
    assert told(client, lurker) == [(theirs,)]
    early = client.get(reverse("characters:as-of", args=[lurker.pk]), {"on": yesterday.date().isoformat()})
    assert early.status_code == 422
    assert "CANARY reason" not in early.content.decode()
    assert len(told(signed_in(storyteller), lurker)) == 2


def test_a_page_of_a_player_counts_nobody_elses_rows(
    signed_in: Any, player: Any, storyteller: Any, ilya: Character, lurker: Character
) -> None:
    """Numbers of rows are shared by all characters, so none may be on the page."""
    hurt(ilya)
    changes.close_fight(ilya.chronicle_id, FIGHT)
    client, url = signed_in(player), reverse("characters:history", args=[ilya.pk])
    before = plain(client.get(url))
    for _each in range(3):
        changes.begin(lurker, storyteller)
    assert plain(client.get(url)) == before


def plain(answer: Any) -> str:
    return re.sub(r'"[A-Za-z0-9]{64}"', '""', answer.content.decode())


# ------------------------------------------------------------------ as of a date


def days_ago(number: int) -> str:
    return (timezone.localdate() - timedelta(days=number)).isoformat()


def test_the_sheet_as_of_a_date(
    signed_in: Any, storyteller: Any, player: Any, ilya: Character, fields: Any, weapon: Any
) -> None:
    client, url = signed_in(player), reverse("characters:edit", args=[ilya.pk])
    hurt(ilya, Damage.AGGRAVATED, resources={"blood": 2})
    changes.close_fight(ilya.chronicle_id, FIGHT)
    SheetChange.objects.update(at=timezone.now() - timedelta(days=5))
    typed = fields(client.get(url)) | {
        "name": "Ilya the Elder",
        "trait-strength": "5",
        "weapons-0-remove": "on",
        "list-merits-0-name": "Eat food",
        "list-backgrounds-0-name": "Allies",
        "list-backgrounds-0-dots": "2",
    }
    assert client.post(url, typed).status_code == 302
    as_of = reverse("characters:as-of", args=[ilya.pk])
    now, then, first = (client.get(as_of, {"on": days_ago(days)}).context["page"] for days in (0, 2, 7))
    assert [page.name for page in (now, then, first)] == ["Ilya the Elder", "Ilya Voss", "Ilya Voss"]
    assert [len(page.weapons) for page in (now, then, first)] == [1, 2, 2]
    assert [len(page.lists) for page in (now, then, first)] == [2, 0, 0]
    changed = {"Merit added: Eat food", "Backgrounds: Allies 2 added", "Name: Ilya Voss → Ilya the Elder"}
    assert changed <= set(told(client, ilya)[0])
    assert [page.boxes[0].mark for page in (now, then, first)] == ["aggravated", "aggravated", "lethal"]
    assert [page.points[-1].value for page in (now, then, first)] == [2, 2, 7]
    assert first.weapons[0].name == "Grandfather's sabre"
    assert (first.may_write, first.notes, first.fight) == (False, "", "")
    assert fresh(ilya).name == "Ilya the Elder"


def test_as_of_walks_back_to_exactly_what_was(ilya: Character, weapon: Any) -> None:
    """After changes by a fight and by hand, the oldest values are those of the beginning."""
    was = sheets.sheet_of(fresh(ilya))
    start = timezone.now()
    hurt(ilya, resources={"willpower": 1})
    one, before = fresh(ilya), changes.watched(ilya)
    one.traits, one.scars = {"strength": 5}, [{"level": 2, "cause": "", "turn": 1, "fight": ""}]
    one.save()
    CarriedWeapon.objects.filter(character=one).first().delete()
    CarriedWeapon.objects.create(character=one, weapon=weapon("Knife"))
    changes.keep(one, before, None)
    hurt(ilya, Damage.LETHAL, resources={"willpower": 0})
    past, lost = history.as_of(fresh(ilya), start)
    assert sheets.sheet_of(past) == was
    assert lost == ()


def test_gear_that_the_tables_lost_is_named(signed_in: Any, player: Any, ilya: Character, chronicle: Any) -> None:
    own = Weapon.objects.create(chronicle=chronicle, ruleset="masquerade", name="Crooked blade", mode="melee", damage=1)
    carried = CarriedWeapon.objects.create(character=ilya, weapon=own)
    before = changes.watched(ilya)
    carried.delete()
    changes.keep(ilya, before, player)
    own.delete()
    page = signed_in(player).get(reverse("characters:as-of", args=[ilya.pk]), {"on": days_ago(1)}).content.decode()
    assert "No longer in the tables, so not shown: Crooked blade." in page


@pytest.mark.parametrize("typed", ["", "yesterday", "2026-02-31", "2026-13-01T00:00", "2026-11-01T10:00", "\x00"])
def test_a_date_that_is_none_is_refused_with_a_sentence(
    signed_in: Any, player: Any, ilya: Character, typed: str
) -> None:
    answer = signed_in(player).get(reverse("characters:as-of", args=[ilya.pk]), {"on": typed})
    assert answer.status_code == 422
    assert "Enter a date such as 2026-03-31." in answer.content.decode()
    assert signed_in(player).get(reverse("characters:as-of", args=[ilya.pk]), {"on": "9999-12-31"}).status_code == 200


# ------------------------------------------------------------------ the list


def test_a_new_character_begins_with_a_row(storyteller: Any, signed_in: Any, chronicle: Any) -> None:
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    made = services.create_character(by=by, owner=None, sheet=services.SheetData("Nell", "mortal"))
    (line,) = lines(signed_in(storyteller), made)
    assert (line.cause, line.by, line.changes) == ("Created", storyteller.display_name, ())


def test_a_long_history_has_pages(signed_in: Any, player: Any, ilya: Character) -> None:
    change = [["concept", "A", "B"]]
    SheetChange.objects.bulk_create([SheetChange(character=ilya, changes=change) for _each in range(70)])
    client, url = signed_in(player), reverse("characters:history", args=[ilya.pk])
    assert [len(client.get(url, {"changes": page}).context["lines"]) for page in (1, 3)] == [30, 10]


# ------------------------------------------------------------------ from earlier versions


def test_earlier_histories_are_brought_over(signed_in: Any, player: Any, ilya: Character, lurker: Character) -> None:
    """Earlier versions kept dots, kinds and each Merit by itself."""
    Character.objects.filter(pk=ilya.pk).update(merits=["iron_stamina", "eat_food"])
    old = SheetChange.objects.create(
        character=ilya, changes=[["kind", "mortal", "vampire"], ["merit:eat_food", 0, 1], ["merit:fame", 1, 0]]
    )
    SheetChange.objects.create(character=ilya, changes=[["trait:strength", 1, 2], ["merit:iron_stamina", 0, 1]])
    migration = importlib.import_module("characters.migrations.0020_sheet_histories")
    migration.begin_histories(apps, None)
    rows = list(SheetChange.objects.filter(character=ilya).values_list("cause", "changes"))
    assert rows == [
        ("form", [["traits:strength", 1, 2], ["merits", ["eat_food"], ["iron_stamina", "eat_food"]]]),
        ("form", [["kind", "mortal", "vampire"], ["merits", ["fame"], ["eat_food"]]]),
        ("begun", []),
    ]
    assert [row.cause for row in SheetChange.objects.filter(character=lurker)] == ["begun"]
    *_later, first = lines(signed_in(player), ilya)
    assert first.cause == "As it stood when this history began"
    past, _lost = history.as_of(fresh(ilya), first.at)
    assert (past.kind, past.traits["strength"], past.merits) == ("mortal", 1, ["fame"])
    assert old.at > first.at
