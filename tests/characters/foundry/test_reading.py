"""What a Foundry actor becomes on a sheet, and what becomes of everything else in it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from campaigns.models import TEXT_LENGTH
from characters.foundry.texts import from_html
from characters.incoming.arrival import BadFile
from characters.models import Weapon
from tests.characters.foundry.conftest import FILES, actor, content


def warnings(arrival: Any) -> dict[str, str]:
    return {each.label: each.warning for each in arrival.recognised if each.warning}


def test_a_vampire_of_the_legacy_shape(bring: Any) -> None:
    found = bring(content("vampire"))
    sheet = found.sheet
    assert (sheet.name, sheet.kind, sheet.concept) == ("Tamsin Oakley", "vampire", "Ferry smuggler")
    told = {
        "strength": 3,
        "dexterity": 4,
        "wits": 4,
        "animal_ken": 1,
        "crafts": 2,
        "finance": 1,
        "dodge": 3,
        "celerity": 2,
        "protean": 3,
        "potence": 0,
        "conscience": 3,
        "self_control": 4,
        "courage": 3,
        "humanity": 6,
        "willpower": 6,
        "generation": 11,
        "acting": 2,
    }
    assert {key: sheet.traits[key] for key in told} == told
    assert dict(sheet.resources) == {"willpower": 4, "blood": 9}
    assert list(sheet.marks) == ["lethal", "bashing"]
    assert sheet.specialties == {
        "strength": ["Iron grip"],
        "firearms": ["Revolvers"],
        "melee": ["Knives", "Boat hooks"],
    }
    assert sheet.details["clan"] == "Gangrel", "an id of a text"
    assert sheet.details["path"] == "Humanity"
    assert sheet.details["demeanour"] == "Gallant"
    assert sheet.lists["backgrounds"] == [["Resources", 3], ["Contacts", 2]]
    assert sheet.lists["disciplines"] == [["Gargle", 1]]
    assert [(each.row.name, each.rounds) for each in found.weapons] == [
        ("Knife", None),
        ("Boat hook", None),
        ("Light revolver", 4),
    ]
    assert [each.row.name for each in found.armor] == ["Reinforced clothing"]
    assert not warnings(found)


def test_a_werewolf_of_an_older_shape(bring: Any) -> None:
    sheet = bring(content("werewolf"), "apocalypse").sheet
    told = {"primal_urge": 2, "survival": 4, "rage": 5, "gnosis": 4, "glory": 2, "rank": 2, "willpower": 5}
    assert {key: sheet.traits[key] for key in told} == told
    assert dict(sheet.resources) == {"willpower": 5, "rage": 3, "gnosis": 4}
    assert list(sheet.marks) == ["aggravated", "lethal", "lethal"]
    assert sheet.lists["gifts"] == [["Razor Claws", 1], ["Scent of Sweet Honey", 2]]
    assert "razor_claws" in sheet.merits
    assert (sheet.kind, sheet.details["pack"], sheet.details["totem"]) == ("garou", "The Undertow", "Heron")


def test_the_newer_shape_keeps_traits_as_items(bring: Any) -> None:
    found = bring(content("pc"))
    sheet = found.sheet
    told = {
        "alertness": 2,
        "animal_ken": 1,
        "medicine": 4,
        "acting": 1,
        "willpower": 7,
        "conscience": 4,
        "self_control": 3,
        "courage": 2,
        "humanity": 7,
        "generation": 12,
        "auspex": 2,
        "dementation": 1,
    }
    assert {key: sheet.traits[key] for key in told} == told
    assert dict(sheet.resources) == {"willpower": 5, "blood": 8}
    assert sheet.specialties == {"medicine": ["Blood"]}
    assert (sheet.kind, sheet.details["clan"], sheet.details["sect"]) == ("vampire", "Malkavian", "Anarchs")
    assert sheet.notes.startswith("Feeds from bags.\n")
    assert "abilities.hypertech.value" in sheet.notes


def test_the_second_edition_counts_health_backwards(bring: Any) -> None:
    found = bring(content("mta"), "chronicles")
    sheet = found.sheet
    told = {
        "wits": 4,
        "drive": 3,
        "animal_ken": 1,
        "celerity": 1,
        "auspex": 2,
        "blood_potency": 2,
        "integrity": 6,
        "size": 5,
    }
    assert {key: sheet.traits[key] for key in told} == told
    assert list(sheet.marks) == ["aggravated", "lethal", "bashing"]
    assert sheet.specialties == {"drive": ["Buses"], "streetwise": ["Night shift", "Depots"]}
    assert sheet.lists["disciplines"] == [["Ferrying", 1], ["Theban Sorcery", 1]]
    assert sheet.lists["merits"] == [["Danger Sense", 2], ["Fast Reflexes", 1], ["Resources", 2]]
    assert sheet.details["aspirations"] == "Find the driver\nKeep the depot"
    assert dict(sheet.resources) == {"willpower": 4, "vitae": 7}
    assert "Shaken" in sheet.notes
    assert "beats" in sheet.notes


def test_nothing_is_lost(bring: Any) -> None:
    """Every text and number that a reader of Foundry's sheet would see is on the sheet, or in the notes."""
    found = bring(content("vampire"))
    notes = found.sheet.notes
    for text in (
        *("Counts every plank", "Salt-white hair, *never* dry.", "Drowned in 1911.", "Webbed fingers"),
        *(
            "Speaks under water.",
            "Sinks into the *ground*.",
            "Bronze tip.",
            "First session",
            "abilities.research.value",
        ),
        "Bite",
    ):
        assert text in notes, text
    assert len(found.noted) == 10
    assert not found.left_out


def test_addresses_and_scripts_are_dropped(bring: Any) -> None:
    for name, ruleset in FILES.items():
        arrival = bring(content(name), ruleset)
        kept = json.dumps([arrival.sheet.notes, dict(arrival.sheet.details), arrival.sheet.name])
        for word in ("example.org", "alert(", ".webp", ".svg", "<"):
            assert word not in kept, (name, word)


@pytest.mark.parametrize(
    ("change", "label", "dots"),
    [
        (("abilities", "brawl", "value", 9), "Brawl", ("brawl", 5)),
        (("abilities", "brawl", "value", -3), "Brawl", ("brawl", 0)),
        (("attributes", "appearance", "value", "7"), "Appearance", ("appearance", 5)),
        (("advantages", "path", "permanent", 99), "Humanity/Path", ("humanity", 10)),
        (("generation", 3), "Generation", ("generation", 4)),
    ],
)
def test_numbers_out_of_range_are_brought_within_and_told(bring: Any, change: Any, label: str, dots: Any) -> None:
    made = actor("vampire")
    at = made["system"]
    for key in change[:-2]:
        at = at[key]
    at[change[-2]] = change[-1]
    found = bring(made)
    assert found.sheet.traits[dots[0]] == dots[1]
    assert str(change[-1]) in warnings(found)[label]
    assert f"{change[-2]}**: {change[-1]}" in found.sheet.notes


def test_too_much_damage_and_too_many_points(bring: Any) -> None:
    made = actor("vampire")
    made["system"]["health"]["damage"] = {"bashing": 90, "lethal": 3, "aggravated": "2"}
    made["system"]["advantages"]["bloodpool"]["temporary"] = 50
    found = bring(made)
    assert list(found.sheet.marks) == ["aggravated"] * 2 + ["lethal"] * 3 + ["bashing"] * 2
    assert found.sheet.resources["blood"] == 12
    assert {"Damage", "Blood pool"} <= warnings(found).keys()


@pytest.mark.parametrize("health", [{}, {"max": 7}, {"value": 7, "max": 7}, {"lethal": 7, "aggravated": 7}])
def test_health_that_is_told_in_part_is_unhurt(bring: Any, health: Any) -> None:
    made = actor("mta")
    made["system"]["health"] = health
    assert bring(made, "chronicles").sheet.marks == []


@pytest.mark.parametrize("missing", ["items", "flags", "effects", "img", "prototypeToken", "name"])
def test_missing_parts_are_no_obstacle(bring: Any, missing: str) -> None:
    made = actor("vampire")
    del made[missing]
    assert bring(made).sheet.traits["dexterity"] == 4


def test_an_almost_empty_actor_is_a_new_sheet(bring: Any) -> None:
    made = {"type": "Vampire", "system": {}, "_stats": {"systemId": "WorldOfDarkness"}}
    found = bring(made)
    assert (found.sheet.name, found.sheet.kind) == ("Nameless", "vampire")
    assert found.sheet.traits["humanity"] == 7
    assert found.sheet.traits["strength"] == 1
    assert found.sheet.notes == ""


def test_other_types_come_in_as_mortals(bring: Any) -> None:
    found = bring(actor("vampire") | {"type": "Mage"})
    assert found.sheet.kind == "mortal"
    assert "Mage" in warnings(found)["Kind"]
    assert "advantages.bloodpool.temporary" in found.sheet.notes, "a mortal has no blood pool"


@pytest.mark.parametrize(
    ("name", "ruleset", "words"),
    [
        ("vampire", "chronicles", ("worldofdarkness", "mta", "Chronicles of Darkness")),
        ("mta", "masquerade", ("mta", "worldofdarkness", "Masquerade")),
        ("mta", "darkness", ("World of Darkness", "no counterpart")),
        ("vampire", "wounds", ("Wound Levels", "no counterpart")),
        ("vampire", "hollow", ("no counterpart",)),
    ],
)
def test_the_ruleset_decides_which_actors_it_takes(bring: Any, name: str, ruleset: str, words: Any) -> None:
    with pytest.raises(BadFile) as refused:
        bring(content(name), ruleset)
    for word in words:
        assert word in str(refused.value)


def test_places_that_a_sheet_lacks_are_passed_over(bring: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a ruleset that was made from another one and has fewer Traits."""
    from rules.systems import RULESETS

    system = RULESETS["chronicles"]
    monkeypatch.setitem(RULESETS, "chronicles", replace(system, foundry=RULESETS["masquerade"].foundry))  # type: ignore[arg-type]
    found = bring(content("vampire"), "chronicles")
    assert (found.sheet.traits["strength"], found.sheet.traits["intelligence"]) == (3, 2)
    assert "advantages.virtues.courage.permanent" in found.sheet.notes
    assert "attributes.charisma.value" in found.sheet.notes


def test_other_systems_are_refused_by_name(bring: Any) -> None:
    made = actor("vampire")
    made["_stats"] = {"systemId": "dnd5e"}
    with pytest.raises(BadFile, match="dnd5e"):
        bring(made)
    made["_stats"] = {}
    with pytest.raises(BadFile, match="which Foundry system"):
        bring(made)
    with pytest.raises(BadFile, match="isn’t an actor"):
        bring({"type": "Power", "system": [], "_stats": {"systemId": "worldofdarkness"}})


# ------------------------------------------------------------------ gear


def test_a_storyteller_makes_what_the_tables_lack(bring: Any) -> None:
    (row,) = bring(content("vampire")).makes
    assert isinstance(row, Weapon)
    assert (row.name, row.mode, row.damage, row.damage_from, row.type) == (
        "Boat hook",
        "melee",
        2,
        "strength",
        "lethal",
    )
    assert (row.attribute, row.ability, row.conceal, row.difficulty) == ("", "", "N", 6)


def test_a_players_unknown_weapons_go_into_the_notes(bring: Any, player: Any) -> None:
    found = bring(content("vampire"), user=player)
    assert [each.row.name for each in found.weapons] == ["Knife", "Light revolver"]
    assert not found.makes
    assert "Only a Storyteller" in warnings(found)["Boat hook"]
    assert "**Boat hook" in found.sheet.notes
    assert "damage.bonus: 2" in found.sheet.notes


def test_a_weapon_that_cannot_be_made_goes_into_the_notes(bring: Any) -> None:
    made = actor("vampire")
    system = {"attack": {"ability": "firearms"}, "damage": {"bonus": 4}, "range": 0, "clip": {"max": 0}}
    made["items"] = [{"name": "Flare gun", "type": "Ranged Weapon", "system": system}]
    found = bring(made)
    assert not found.makes
    assert "too little" in warnings(found)["Flare gun"]
    assert "**Flare gun" in found.sheet.notes


def test_bows_and_thrown_weapons_have_their_modes(bring: Any) -> None:
    made = actor("vampire")
    made["items"] = [
        {
            "name": name,
            "type": "Ranged Weapon",
            "system": {"attack": {"ability": ability}, "damage": {"bonus": 2, "type": "lethal"}, "range": "30"},
        }
        for name, ability in (("Reed bow", "archery"), ("Skipping stone", "athletics"))
    ]
    assert [(row.name, row.mode, row.range_short) for row in bring(made).makes] == [
        ("Reed bow", "archery", 30),
        ("Skipping stone", "thrown", 30),
    ]


def test_two_of_a_kind_are_one_row(bring: Any) -> None:
    made = actor("vampire")
    hook = next(each for each in made["items"] if each["name"] == "Boat hook")
    made["items"] = [hook, hook]
    found = bring(made)
    assert (len(found.weapons), len(found.makes)) == (2, 1)


# ------------------------------------------------------------------ what is hostile or endless


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"{",
        b"[]",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b"{" * 5000 + b"}" * 5000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b"\xff\xfe{",
        b"PK\x03\x04nothing",
        b'{"system": {"a": "' + b"\\",
        b'{"items": [' + b"{}," * 100_000 + b"{}]}",
        b'{"a": "' + b"x" * 1_600_000 + b'"}',
    ],
)
def test_what_is_no_actor_is_refused_with_a_sentence(bring: Any, bad: bytes) -> None:
    started = time.monotonic()
    with pytest.raises(BadFile) as refused:
        bring(bad)
    assert str(refused.value).endswith(".")
    assert time.monotonic() - started < 5


def test_too_many_items_are_counted(bring: Any) -> None:
    made = actor("vampire") | {"items": [{"name": "x", "type": "Loot"}] * 501}
    with pytest.raises(BadFile, match="501"):
        bring(made)


def test_odd_values_are_text_or_nothing(bring: Any) -> None:
    made = actor("vampire")
    system = made["system"]
    system["abilities"]["brawl"]["value"] = "two"
    system["abilities"]["dodge"]["value"] = 2.0
    system["abilities"]["melee"]["value"] = True
    system["clan"] = {"deep": {"er": "Gangrel"}}
    system["concept"] = "One\nTwo" + "\u202e" + "x" * 200
    system["odd"] = "lone \ud800 and \x00 zero"
    made["name"] = "\u200b" + "N" * 300
    raw = json.dumps(made).replace('"temporary": 9', '"temporary": ' + "9" * 5000)
    raw = raw.replace('"sect": "Camarilla"', '"sect": "Anarchs", "sect": "Sabbat"')
    found = bring(raw.encode())
    sheet = found.sheet
    assert (sheet.traits["brawl"], sheet.traits["dodge"], sheet.traits["melee"]) == (0, 2, 0)
    assert sheet.name == "N" * 80
    assert len(sheet.concept) == 80
    assert "\n" not in sheet.concept
    assert "lone \ufffd and  zero" in sheet.notes
    assert "9" * 5000 in sheet.notes
    assert sheet.details["sect"] == "Sabbat"
    assert "**sect (1)**: Anarchs" in sheet.notes
    assert "**clan.deep.er**: Gangrel" in sheet.notes
    assert "N" * 300 in sheet.notes
    json.dumps(sheet.notes).encode()


def test_what_does_not_fit_into_the_notes_is_listed(bring: Any) -> None:
    made = actor("vampire")
    made["system"]["background"] = "<p>" + "A long life. " * 3000 + "</p>"
    found = bring(made)
    assert len(found.sheet.notes) <= TEXT_LENGTH
    (left,) = found.left_out
    assert left.startswith("background: A long life.")
    assert "Webbed fingers" in found.sheet.notes, "shorter things fit"


def test_html_becomes_markdown() -> None:
    html = "<h2>Past</h2><p>Born in <em>Kyiv</em> &amp; <strong>raised</strong><br>there.</p><ul><li>one<li>two</ul>"
    assert from_html(html) == "## Past\n\nBorn in *Kyiv* & **raised**\nthere.\n\n- one\n- two"
    assert from_html("a < b and c > d") == "a < b and c > d"
    assert from_html("<img src=x onerror=alert(1)><style>p{}</style>safe") == "safe"


@pytest.mark.parametrize(
    "text",
    ["<div>" * 200_000, "<a" * 400_000, "<b><p>" * 16_000, "<div></x>" * 11_000, "<p>" * 30_000, "&amp;" * 20_000],
)
def test_no_html_takes_long(text: str) -> None:
    started = time.monotonic()
    from_html(text)
    assert time.monotonic() - started < 5
