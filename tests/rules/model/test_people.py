"""The ready-made people of each ruleset: read from its files, in each language, and free of faults."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources

import pytest

from rules.model.people import EXAMPLES, TEMPLATES, Item, faults, people
from rules.systems import RULESETS

BUILT_IN = sorted(key for key, system in RULESETS.items() if system.book.package == "rules.rulebook")
MASQUERADE = RULESETS["masquerade"]
ENFORCER = people(MASQUERADE, EXAMPLES)[0]
BARE = replace(ENFORCER, details={}, lists={}, specialties={})


@pytest.mark.parametrize("key", BUILT_IN)
def test_each_ruleset_has_three_examples_with_a_concept(key):
    found = people(RULESETS[key], EXAMPLES)
    assert len({person.key for person in found}) == len({person.name for person in found}) == len(found) == 3
    assert all(person.concept and person.traits for person in found)


@pytest.mark.parametrize("shelf", [EXAMPLES, TEMPLATES])
@pytest.mark.parametrize("key", RULESETS)
def test_nothing_is_wrong_with_anybody(key, shelf):
    assert [fault for person in people(RULESETS[key], shelf) for fault in faults(RULESETS[key], person)] == []


@pytest.mark.parametrize("shelf", [EXAMPLES, TEMPLATES])
@pytest.mark.parametrize("key", RULESETS)
def test_everybody_has_a_german_name_and_nobody_else_does(key, shelf):
    place = resources.files(RULESETS[key].book.package).joinpath("de", shelf, f"{key}.toml")
    said = tomllib.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    english, german = people(RULESETS[key], shelf), people(RULESETS[key], shelf, "de")
    assert list(said) == [person.key for person in english]
    assert [(one.key, one.traits) for one in german] == [(one.key, one.traits) for one in english]
    for person in english:
        assert said[person.key].keys() - {"plural", "details", "lists", "specialties"} == {
            name for name in ("name", "concept", "notes") if getattr(person, name)
        }


@pytest.mark.parametrize("key", BUILT_IN)
def test_each_ruleset_has_a_dozen_antagonists(key):
    found = people(RULESETS[key], TEMPLATES)
    assert len({person.key for person in found}) == len({person.name for person in found}) == len(found) == 12
    assert [person.key for person in found if person.pools] == ["dog"]


def test_injuries_one_by_one_have_no_number_of_boxes():
    wrong = replace(BARE, kind="mortal", traits={}, pools={"health": 7})
    assert list(faults(RULESETS["wounds"], wrong)) == ["enforcer: there is no pool “health”."]


def test_a_ruleset_without_a_file_has_nobody():
    assert people(MASQUERADE, "shelf that is not there") == ()


def test_gear_is_named_as_in_the_tables():
    assert ENFORCER.weapons == (Item("Club"), Item("Heavy pistol"))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"kind": "djinn"}, "enforcer: there is no kind of creature “djinn”."),
        ({"traits": {"juggling": 2}}, "enforcer: its kind has no Trait “juggling”."),
        ({"kind": "mortal", "traits": {"auspex": 1}}, "enforcer: its kind has no Trait “auspex”."),
        ({"traits": {"strength": 6}}, "enforcer: strength is 6, not 0 to 5."),
        ({"kind": "mortal", "resources": {"blood": 1}}, "enforcer: its kind has no points of “blood”."),
        ({"traits": {"willpower": 6}, "resources": {"willpower": 7}}, "enforcer: willpower is 7, not 0 to 6."),
        ({"details": {"auspice": "Ahroun"}}, "enforcer: its kind has no “auspice”."),
        ({"details": {"clan": "Brujah\nTremere"}}, "enforcer: clan has more lines than 1."),
        ({"lists": {"gifts": (("Razor Claws", 1),)}}, "enforcer: its kind has no list “gifts”."),
        ({"lists": {"merits": (("Huge", 8),)}}, "enforcer: merits has an entry with dots that aren't 0 to 7."),
        ({"specialties": {"humanity": ("mercy",)}}, "enforcer: there are no specialties in “humanity”."),
        ({"pools": {"juggling": 4}}, "enforcer: there is no pool “juggling”."),
        ({"pools": {"attack": 51}}, "enforcer: the pool attack is 51, not 0 to 50."),
        ({"pools": {"health": 0}}, "enforcer: the pool health is 0, not 1 to 30."),
    ],
)
def test_a_fault_names_the_person_and_what_is_wrong(changes, fault):
    assert list(faults(MASQUERADE, replace(BARE, **{"traits": {}} | changes))) == [fault]


def test_points_that_are_not_full_are_no_fault():
    assert list(faults(MASQUERADE, replace(ENFORCER, resources={"blood": 3, "willpower": 6}))) == []


@pytest.mark.parametrize("key", BUILT_IN)
def test_each_example_has_an_identity_lists_and_specialties_that_its_ruleset_suggests(key):
    """Suggestions are English in the files, so that they have the layout's translations."""
    system = RULESETS[key]
    details = {detail.key: list(map(str, detail.known)) for detail in system.layout.details}
    lists = {listing.key: list(map(str, listing.known)) for listing in system.layout.lists}
    merits = {str(merit.label) for merit in system.merits}
    german = {person.key: person for person in people(system, EXAMPLES, "de")}
    for person in people(system, EXAMPLES):
        assert {"nature", "virtue"} & person.details.keys(), person.key
        assert {"clan", "tribe"} & person.details.keys() or person.kind == "mortal", person.key
        assert {"backgrounds", "merits"} & person.lists.keys(), person.key
        assert "gifts" in person.lists or person.kind != "garou", person.key
        assert person.specialties, person.key
        for which, text in person.details.items():
            translated = text != german[person.key].details[which]
            assert (text in details[which]) != translated, (person.key, which, text)
        for which, entries in person.lists.items():
            for name, _dots in entries:
                translated = (name, _dots) not in german[person.key].lists[which]
                assert (name in lists[which] or name in merits) != translated, (person.key, which, name)
        for which, named in person.specialties.items():
            assert set(named).isdisjoint(german[person.key].specialties[which]), (person.key, which)
