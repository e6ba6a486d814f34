"""The memo cache: keyed by object identity and language, and never shared between objects."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext

from combat.cache import for_each


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    name: str


def test_it_is_worked_out_once_for_each_object_and_what_else_is_said() -> None:
    done: list[tuple[str, str, bool]] = []

    @for_each(10)
    def work(thing: Thing, other: str = "", *, full: bool = False) -> str:
        done.append((thing.name, other, full))
        return f"{thing.name} {other} {full}"

    one, two = Thing("one"), Thing("one")
    assert [work(one), work(one), work(two), work(one, "x"), work(one, full=True), work(one, full=True)] == [
        "one  False",
        "one  False",
        "one  False",
        "one x False",
        "one  True",
        "one  True",
    ]
    assert done == [("one", "", False), ("one", "", False), ("one", "x", False), ("one", "", True)]


def test_another_object_at_the_same_place_is_another() -> None:
    """An object's id is reused once it is gone, so cached keys must stay alive."""

    @for_each(2)
    def name(thing: Thing) -> str:
        return thing.name

    assert [name(Thing(str(place))) for place in range(200)] == [str(place) for place in range(200)]


def test_a_result_of_none_is_cached_too() -> None:
    asked: list[Thing] = []

    @for_each(10)
    def nothing(thing: Thing) -> None:
        asked.append(thing)

    thing = Thing("one")
    assert nothing(thing) is nothing(thing) is None
    assert asked == [thing]


def test_each_language_has_its_own() -> None:
    @for_each(10)
    def word(_thing: Thing) -> str:
        return gettext("Cancel")

    thing, said = Thing("one"), []
    for language in ("en-gb", "de", "en-gb"):
        with translation.override(language):
            said.append(word(thing))
    assert said == ["Cancel", "Abbrechen", "Cancel"]
