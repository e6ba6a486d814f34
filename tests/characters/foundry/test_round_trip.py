"""A character that is written as a Foundry actor and read again has the same sheet."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.names import printable
from characters import rulesets, services
from characters.foundry import writing
from characters.foundry.reading import read
from characters.incoming.arrival import Arrival, Asking
from characters.incoming.creating import bring_in
from characters.library import usable
from characters.listings import merit_keys
from characters.models import Armor, Character, Weapon
from characters.models.characters import Fault
from characters.services import Carried, SheetData
from characters.sheets import sheet_of, with_gear
from rules.model.entries import LONGEST_DETAIL
from rules.model.sheet import Sheet
from rules.model.system import System
from rules.model.words import as_key
from rules.systems import RULESETS
from tests.characters.foundry.conftest import FILES, actor, content, packed, playing

pytestmark = pytest.mark.django_db

PLAYED = sorted(key for key, system in RULESETS.items() if system.foundry)
ODD = ["Night, shift; depot", "<b>bold</b>", "R&amp;D", "Ärger", "a.b", "5 > 3", "[x](y)", "Celerity", "0", "Brawl"]
WORDS = st.one_of(st.sampled_from(ODD), st.text("abc XYZé-'", min_size=1, max_size=12)).filter(
    lambda text: bool(as_key(text)) and text == printable(text) and text == " ".join(text.split())
)
NOTES = st.one_of(st.just(""), st.text("ab *_#<>&\n[]", max_size=60)).map(lambda text: text.replace("\r", "").strip())


@st.composite
def sheets(draw: Any, system: System, weapons: list[Weapon], armor: list[Armor]) -> SheetData:
    """A sheet as the form saves it: any kind, dots within their limits, entries, wounds, gear."""
    layout = system.layout
    kind = draw(st.sampled_from(sorted(system.kinds)))
    traits = {trait.key: trait.default for trait in layout.traits()}
    mine = layout.traits_for(kind)
    for trait in draw(st.lists(st.sampled_from(mine), max_size=12)):
        traits[trait.key] = draw(st.integers(trait.minimum, trait.maximum))
    special = [trait.key for trait in layout.special_traits(kind)]
    lists = {
        listing.key: [[draw(WORDS), draw(st.integers(0, listing.most))] for _ in range(draw(st.integers(1, 3)))]
        for listing in draw(st.lists(st.sampled_from(layout.lists_for(kind)), max_size=4, unique=True))
    }
    named = [name for each in layout.lists if each.read for name, _dots in lists.get(each.key, ())]
    ticked = [merit.key for merit in system.merits if merit.offered and draw(st.integers(0, 3)) == 0]
    ticked = [key for key in ticked if key not in merit_keys(named, system)]
    boxes = len(system.health.levels(Sheet("", kind, traits)))
    marks = draw(st.lists(st.sampled_from(["aggravated", "lethal", "bashing"]), max_size=boxes))
    details = draw(st.lists(st.sampled_from(layout.details_for(kind)), max_size=4, unique=True))
    return SheetData(
        name=draw(WORDS),
        kind=kind,
        concept=draw(st.one_of(st.just(""), WORDS)),
        traits=traits,
        resources={
            each.key: draw(st.integers(0, each.maximum(traits)))
            for each in layout.resources_for(kind)
            if draw(st.booleans())
        },
        merits=list(dict.fromkeys([*ticked, *merit_keys(named, system)])),
        details={
            each.key: "\n".join(draw(st.lists(WORDS, min_size=1, max_size=each.lines)))[:LONGEST_DETAIL]
            for each in details
        },
        specialties={
            key: draw(st.lists(WORDS, min_size=1, max_size=2, unique=True))
            for key in draw(st.lists(st.sampled_from(special), max_size=3, unique=True))
        },
        lists=lists,
        marks=sorted(marks, key=["aggravated", "lethal", "bashing"].index),
        notes=draw(NOTES),
        weapons=[_carried(draw, row) for row in draw(st.lists(st.sampled_from(weapons), max_size=2))],
        armor=[
            Carried(row.pk, draw(st.one_of(st.just(""), WORDS)), destroyed=draw(st.booleans()))
            for row in draw(st.lists(st.sampled_from(armor), max_size=2))
        ],
    )


def _carried(draw: Any, row: Weapon) -> Carried:
    rounds = draw(st.one_of(st.none(), st.integers(0, row.holds))) if row.holds is not None else None
    return Carried(row.pk, draw(st.one_of(st.just(""), WORDS)), rounds, draw(st.sampled_from(["", *Fault.values])))


def effective(character: Character) -> dict[str, Any]:
    """What a sheet means: a difference here is one on the page or in a fight."""
    ruleset = rulesets.ruleset_for(character.chronicle)
    sheet, layout = sheet_of(character), ruleset.layout
    mine = layout.traits_for(character.kind, character.traits)
    kept = {each.key for each in layout.lists_for(character.kind)}
    return {
        "words": (character.name, character.kind, character.concept, character.notes),
        "details": {key: text for key, text in character.details.items() if text},
        "traits": {trait.key: layout.dots(sheet, trait.key) for trait in mine},
        "points": {each.key: layout.points(sheet, each.key) for each in layout.resources_for(character.kind)},
        "merits": sheet.merits,
        # An entry with the name of a Trait is after the others: there the Trait has its item.
        "lists": {key: sorted(map(list, value)) for key, value in character.lists.items() if key in kept},
        "specialties": {key: list(names) for key, names in sheet.specialties.items() if names},
        "marks": sheet.marks,
        "weapons": [
            (row.weapon.name, row.shown_name, row.weapon.holds if row.rounds is None else row.rounds, row.fault)
            for row in character.weapons.all()
        ],
        "armor": [(row.armor.name, row.shown_name, row.destroyed) for row in character.armor.all()],
    }


def whole(character: Character) -> Character:
    found: Character = with_gear(Character.objects.filter(pk=character.pk)).get()
    return found


def there_and_back(asking: Asking, sheet: SheetData) -> tuple[Character, Character, Arrival]:
    first = whole(services.create_character(by=asking.by, owner=None, sheet=sheet))
    arrival = read(writing.write(first), asking)
    second = whole(bring_in(by=asking.by, owner=None, arrival=arrival, key=""))
    return first, second, arrival


@pytest.mark.parametrize("ruleset", PLAYED)
def test_writing_then_reading_yields_the_same_sheet(
    ruleset: str, shipped: None, chronicle: Any, storyteller: Any
) -> None:
    asking = playing(chronicle, ruleset, storyteller)
    tables = (list(usable(model, asking.chronicle)) for model in (Weapon, Armor))

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(sheet=sheets(rulesets.ruleset_for(asking.chronicle), *tables))
    def law(sheet: SheetData) -> None:
        with transaction.atomic():
            first, second, arrival = there_and_back(asking, sheet)
            assert effective(second) == effective(first)
            assert not arrival.noted
            assert not arrival.makes
            transaction.set_rollback(True)

    law()


@pytest.mark.parametrize("name", FILES)
def test_what_was_brought_in_can_go_again(name: str, shipped: None, chronicle: Any, storyteller: Any) -> None:
    asking = playing(chronicle, FILES[name], storyteller)
    first = whole(bring_in(by=asking.by, owner=None, arrival=read(content(name), asking), key=""))
    again = read(writing.write(first), asking)
    assert not again.noted
    assert effective(whole(bring_in(by=asking.by, owner=None, arrival=again, key=""))) == effective(first)


def test_the_chronicles_own_gear_and_traits_travel_along(shipped: None, chronicle: Any, storyteller: Any) -> None:
    """To another chronicle that doesn't have the weapon yet, with columns that Foundry has no place for."""
    asking = playing(chronicle, "masquerade", storyteller)
    own = Weapon.objects.create(
        chronicle=chronicle,
        ruleset="masquerade",
        name="Whip of thorns",
        mode="melee",
        damage=2,
        tags="whip",
        note="Odd.",
    )
    sheet = SheetData(name="Bearer", kind="mortal", weapons=[Carried(own.pk, "Old thorn")])
    first = whole(services.create_character(by=asking.by, owner=None, sheet=sheet))
    file = writing.write(first)
    first.delete()
    Weapon.objects.filter(pk=own.pk).delete()
    arrival = read(file, asking)
    (row,) = arrival.makes
    assert isinstance(row, Weapon)
    assert (row.name, row.tags, row.note, row.damage) == ("Whip of thorns", "whip", "Odd.", 2)
    assert arrival.weapons[0].name == "Old thorn"


def test_what_was_changed_in_foundry_counts(shipped: None, chronicle: Any, storyteller: Any) -> None:
    asking = playing(chronicle, "masquerade", storyteller)
    sheet = SheetData(
        name="Before", kind="vampire", concept="Old", notes="Old *notes*", specialties={"brawl": ["a, b"]},
        details={"clan": "Brujah"},
    )  # fmt: skip
    made = json.loads(writing.write(whole(services.create_character(by=asking.by, owner=None, sheet=sheet))))
    made["name"] = "After"
    system = made["system"]
    system |= {"concept": "New", "notes": "<p>New <em>notes</em></p>", "clan": "Tremere"}
    system["abilities"]["brawl"]["speciality"] = "Kicks"
    found = read(packed(made), asking).sheet
    assert (found.name, found.concept, found.notes, found.details["clan"]) == ("After", "New", "New *notes*", "Tremere")
    assert found.specialties == {"brawl": ["Kicks"]}


def test_the_storytellers_notes_never_leave(shipped: None, chronicle: Any, ilya: Character) -> None:
    text = writing.write(whole(ilya)).decode()
    assert "CANARY" not in text
    assert "favour" in text
    assert json.loads(text)["system"]["health"]["damage"]["bashing"] == 2


def test_flags_are_not_trusted(bring: Any) -> None:
    made = actor("vampire")
    made["flags"]["vesper"] = {
        "kind": "garou", "traits": {"strength": 99}, "resources": [], "details": {"clan": 7}, "notes": ["x"],
        "specialties": {"brawl": [1, None]}, "lists": {"merits": [["x", 900], 3, ["y"]], "nothing": 4}, "concept": {},
    }  # fmt: skip
    made["items"][0]["flags"]["vesper"] = {"item": 4, "merit": [], "row": "x", "rounds": "9" * 40, "fault": {}}
    sheet = bring(made).sheet
    assert (sheet.kind, sheet.traits["strength"], sheet.concept) == ("vampire", 3, "Ferry smuggler")
    assert sheet.lists["merits"] == [["Eat Food", 1], ["x", 7]]
