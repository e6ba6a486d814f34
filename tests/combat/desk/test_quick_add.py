"""“3 thugs”: parsing the words, finding the character, and adding the combatants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Character
from characters.tables import files, load, rows
from combat.commands.perform import undo
from combat.commands.revising import revise_sheets
from combat.desk.quick_add import EVERYDAY, Asked, find, find_weapons, read, singular
from rules.systems import RULESETS
from tests.combat.conftest import SECRET, TRUE_NAME, Table, make_character
from tests.world import plain

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("3 thugs", Asked("thugs", 3)),
        ("  3   thugs ", Asked("thugs", 3)),
        ("3x thugs", Asked("thugs", 3)),
        ("thug × 3", Asked("thug", 3)),
        ("the Deacon", Asked("the Deacon")),
        ("Agent 7", Asked("Agent 7")),
        ("3 thugs?", Asked("thugs", 3, hidden=True)),
        ("? 3 thugs", Asked("thugs", 3, hidden=True)),
        ("0 thugs", Asked("thugs", 0)),
        ("3 thugs, clubs", Asked("thugs", 3, weapons="clubs")),
        ("3 thugs?, clubs and knives", Asked("thugs", 3, hidden=True, weapons="clubs and knives")),
        ("3 Schläger, Knüppel ?", Asked("Schläger", 3, hidden=True, weapons="Knüppel")),
        ("the Deacon,", Asked("the Deacon")),
        (", clubs", None),
        ("", None),
        ("3", None),
        ("??", None),
        ("12 !!", None),
    ],
)
def test_a_few_words_are_read(words: str, asked: Asked | None) -> None:
    assert read(words) == asked


CAST = [("t", "Thug"), ("g", "Night guard"), ("p", "Palace guard"), ("w", "Wolf"), ("m", "Watchman"), ("h", "Hund")]


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("thug", "t"),
        ("Thugs", "t"),
        ("wolves", "w"),
        ("watchmen", "m"),
        ("Hunde", "h"),
        ("night", "g"),
        ("nig", "g"),
        ("palace guards", "p"),
        ("guards", "gp"),
        ("hug", "t"),
        ("bouncer", ""),
    ],
)
def test_the_cast_is_found_by_part_of_a_name(name: str, who: str) -> None:
    assert find(name, CAST) == tuple(who)


def test_a_whole_name_goes_before_part_of_another() -> None:
    assert find("guard", [("a", "Guard"), ("b", "Guard captain")]) == ("a",)


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("bouncers", "Bouncer"),
        ("zombies", "Zombie"),
        ("deputies", "Deputy"),
        ("witches", "Witch"),
        ("boss", "Boss"),
        ("policemen", "Policeman"),
    ],
)
def test_one_of_several_has_a_name(name: str, one: str) -> None:
    assert singular(name) == one


def shipped(key: str) -> list[tuple[str, str]]:
    return [(row.name, row.name) for row in rows(f"{key}_weapons.csv", files()[f"{key}_weapons.csv"])]


@pytest.mark.parametrize("key", RULESETS)
@pytest.mark.parametrize("words", ["clubs", "Knüppel", "pistols", "Pistolen", "knives", "Messer", "Äxte"])
def test_everyday_names_mean_one_weapon_of_every_table(key: str, words: str) -> None:
    ((said, found),) = find_weapons(words, shipped(key))
    assert said == words
    assert len(found) == 1


def test_every_everyday_name_means_weapons_of_the_tables() -> None:
    known = {name for key in RULESETS for name, _row in shipped(key)}
    assert {name for names in EVERYDAY.values() for name in names} <= known


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("shotgun, slug", {"shotgun, slug": ("Shotgun, slug",)}),
        ("club and rifles", {"club": ("Club",), "rifles": ("Rifle",)}),
        ("Messer und sniper", {"Messer": ("Knife",), "sniper": ("Sniper rifle",)}),
        ("revolv", {"revolv": ("Single-action revolver",)}),
        ("sword", {"sword": ("Short sword",)}),
        ("sw", {"sw": ("Stabbing sword", "Short sword", "Chopping sword")}),
        ("teapot", {"teapot": ()}),
    ],
)
def test_weapons_are_found_by_name_by_everyday_name_and_by_a_part(words: str, found: dict[str, Any]) -> None:
    assert dict(find_weapons(words, shipped("wounds"))) == found


@pytest.mark.parametrize("key", RULESETS)
def test_a_plain_sheet_fights_in_every_ruleset(key: str) -> None:
    from characters.plain import plain_sheet

    ruleset = RULESETS[key]
    sheet = plain_sheet("Bouncer", ruleset)
    assert sheet.traits["strength"] == sheet.traits["dexterity"] == sheet.traits["stamina"] == 2
    assert sheet.traits["brawl"] == 2
    for trait in ruleset.layout.traits():
        if trait.key in sheet.traits:
            assert trait.minimum <= sheet.traits[trait.key]


# ------------------------------------------------------------------ in a fight


@pytest.fixture
def add(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> Callable[..., Any]:
    """add("3 thugs") -> the response to the Storyteller's text."""

    def send(words: str, **said: str) -> Any:
        address = reverse("combat:do", args=[fight.encounter_id, "add"])
        return signed_in(storyteller).post(address, {"words": words} | said, **HTMX)

    return send


def names(table: Table) -> list[str]:
    return [each.sheet.name for each in table.state.combatants.values()]


@pytest.mark.servers
@pytest.mark.django_db
def test_three_thugs_join_in_the_midst_of_it(fight: Table, add: Callable[..., Any], storyteller: Any) -> None:
    assert add("3 thugs").status_code == 200
    assert names(fight)[-3:] == ["Thug 3", "Thug 4", "Thug 5"]
    assert add("thug?").status_code == 200
    newest = list(fight.state.combatants.values())[-1]
    assert (newest.sheet.name, newest.hidden, newest.group) == ("Thug 6", True, newest.group or "no group")
    undo(encounter_id=fight.encounter_id, actor=storyteller)
    assert "Thug 6" not in names(fight)


@pytest.mark.servers
@pytest.mark.django_db
def test_a_press_that_is_repeated_adds_once(fight: Table, add: Callable[..., Any]) -> None:
    before = len(names(fight))
    for _press in range(2):
        assert add("2 bouncers", plain="Bouncer", key="k").status_code == 200
    assert len(names(fight)) == before + 2
    assert Character.objects.filter(name="Bouncer").count() == 1


@pytest.mark.servers
@pytest.mark.django_db
def test_somebody_unknown_is_made_once_that_was_said(fight: Table, add: Callable[..., Any]) -> None:
    answer = add("2 bouncers")
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "No character is called “bouncers” yet" in said
    assert 'value="2 bouncers"' in said
    assert 'name="plain" value="Bouncer"' in said
    assert not Character.objects.filter(name="Bouncer").exists()
    # A suggestion for another name is not applied to this one.
    assert add("2 ghosts", plain="Bouncer").status_code == 422
    assert add("2 bouncers", plain="Bouncer").status_code == 200
    assert names(fight)[-2:] == ["Bouncer 1", "Bouncer 2"]
    made = Character.objects.get(name="Bouncer")
    assert (made.is_npc, made.kind, made.traits["brawl"]) == (True, "mortal", 2)
    assert add("Ada", plain="Ada").status_code == 200
    assert names(fight)[-1] == "Ada"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "Enter a number and a name"),
        ("3", "Enter a number and a name"),
        ("0 thugs", "Add 1 to 20"),
        ("21 thugs", "Add 1 to 20"),
        ("99999 thugs", "Add 1 to 20"),
        ("r", "could be"),
        ("Quintus", "already in this fight"),
        ("2 Ilya", "There is only one Ilya"),
        ("3 thugs, teapots", "There is no weapon called “teapots” in the tables. Try "),
        ("3 thugs, heavy", "“heavy” could be "),
        ("3 bouncers, teapots", "There is no weapon called “teapots”"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_lost(
    fight: Table, add: Callable[..., Any], words: str, sentence: str
) -> None:
    load()
    before = names(fight)
    answer = add(words)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert f'value="{words}"' in answer.content.decode()
    assert names(fight) == before


@pytest.mark.servers
@pytest.mark.django_db
def test_two_of_one_name_are_chosen_from_the_list(fight: Table, add: Callable[..., Any], chronicle: Any) -> None:
    for _time in range(2):
        make_character(chronicle, "Rook")
    answer = add("rook")
    assert answer.status_code == 422
    assert "Several characters are called “Rook”. Add one from the list." in answer.content.decode()


@pytest.mark.servers
@pytest.mark.django_db
def test_they_join_with_weapons_in_hand(fight: Table, add: Callable[..., Any], chronicle: Any) -> None:
    load()
    assert add("3 thugs?, clubs and a knife").status_code == 422
    assert add("2 thugs?, clubs, knife").status_code == 200
    newest = list(fight.state.combatants.values())[-2:]
    assert [[weapon.name for weapon in each.sheet.weapons] for each in newest] == [["Club", "Knife"]] * 2
    assert all(each.hidden for each in newest)
    assert add("3 Rowdys, Knüppel").status_code == 422
    assert add("3 Rowdys, Knüppel", plain="Rowdy").status_code == 200
    assert [weapon.name for weapon in list(fight.state.combatants.values())[-1].sheet.weapons] == ["Club"]
    # A comma may be a part of a name. An edit of the sheet keeps weapons given for the fight.
    smith = make_character(chronicle, "Smith, John")
    assert add("smith, john").status_code == 200
    add("Ada, pistol", plain="Ada")
    ada = Character.objects.get(name="Ada")
    assert smith.pk in {each.character for each in fight.state.combatants.values()}
    Character.objects.filter(pk=ada.pk).update(traits=ada.traits | {"brawl": 4})
    revise_sheets(encounter_id=fight.encounter_id, characters=[ada.pk])
    sheet = next(each.sheet for each in fight.state.combatants.values() if each.character == ada.pk)
    assert (sheet.traits["brawl"], [weapon.name for weapon in sheet.weapons]) == (4, ["Light pistol"])


@pytest.mark.django_db
def test_players_learn_nothing_of_the_cast(fight: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    address = reverse("combat:do", args=[fight.encounter_id, "add"])
    answers = [
        signed_in(player).post(address, {"words": words}, **HTMX) for words in (SECRET, TRUE_NAME, "t", "Nobody")
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert len({plain(answer.content.decode()) for answer in answers}) == 1
